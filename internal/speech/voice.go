package speech

import (
	"cmp"
	"context"
	"os/exec"
	"strings"
	"time"
	"unicode/utf8"

	"quaestor/internal/fault"
	"quaestor/internal/secret"
)

// Options configure what speaks and hears.
type Options struct {
	URL     string        // base of an OpenAI-compatible API; empty uses programs
	Key     secret.Secret // for that; may be zero
	Speaker string        // model that speaks there; empty means "tts-1"
	Hearer  string        // model that hears there; empty means "whisper-1"
	Name    string        // voice that model speaks with; empty means "alloy"

	Limit time.Duration // for one request or program; zero means 30 s
}

// Bounds of speech. An answer of a conversation fits them many times over.
const (
	MaxText  = 2000      // characters of a text
	MaxAudio = 16 << 20  // bytes of a recording
	maxHeard = 256 << 10 // bytes of what was heard, as JSON
	limit    = 30 * time.Second
)

// Voice speaks and hears. It is safe for concurrent use.
type Voice struct {
	speaker, hearer backend // nil when there is none
	limit           time.Duration
	language        string // ISO 639-1 code of what is said; empty when that is not known
}

// backend is one way to speak or to hear: an API or a program.
type backend interface {
	name() string
	speak(ctx context.Context, text string) ([]byte, error)
	hear(ctx context.Context, wav []byte, language string) (string, error)
	knows(language string) bool // an ISO 639-1 code
}

// New returns a Voice that uses the API that o names, else the programs that are
// installed.
func New(o Options) *Voice {
	v := &Voice{limit: cmp.Or(o.Limit, limit)}
	if o.URL != "" {
		m := newRemote(o, v.limit)
		v.speaker, v.hearer = m, m
		return v
	}
	if path, err := exec.LookPath("flite"); err == nil {
		v.speaker = flite{path}
	}
	v.hearer = findSphinx()
	return v
}

// In returns the voice of a language, by its BCP 47 tag: one that neither speaks nor hears
// where what there is does not know the language. An empty tag returns v.
func (v *Voice) In(tag string) *Voice {
	if tag == "" {
		return v
	}
	out := &Voice{limit: v.limit, language: strings.ToLower(strings.SplitN(tag, "-", 2)[0])}
	if v.speaker != nil && v.speaker.knows(out.language) {
		out.speaker = v.speaker
	}
	if v.hearer != nil && v.hearer.knows(out.language) {
		out.hearer = v.hearer
	}
	return out
}

// Speaks names what speaks; empty when nothing does.
func (v *Voice) Speaks() string { return nameOf(v.speaker) }

// Hears names what hears; empty when nothing does.
func (v *Voice) Hears() string { return nameOf(v.hearer) }

func nameOf(m backend) string {
	if m == nil {
		return ""
	}
	return m.name()
}

// Speak returns text as speech, as the bytes of a WAV file. A text that is empty or too
// long is Unprocessable; a failure of what speaks is Unavailable.
func (v *Voice) Speak(ctx context.Context, text string) ([]byte, error) {
	if n := utf8.RuneCountInString(text); n < 1 || n > MaxText {
		return nil, fault.New(fault.Unprocessable, "a text to be said has 1 to %d characters", MaxText).At("text")
	}
	if v.speaker == nil {
		return nil, fault.New(fault.Unavailable, "nothing that speaks is configured or installed")
	}
	ctx, cancel := context.WithTimeout(ctx, v.limit)
	defer cancel()
	wav, err := v.speaker.speak(ctx, text)
	if err != nil {
		return nil, err
	}
	if !isWAV(wav) {
		return nil, fault.New(fault.Unavailable, "%s answers, but not with a WAV file", v.speaker.name())
	}
	return wav, nil
}

// Hear returns the words in the bytes of a WAV file, or an empty string when it hears
// none. Bytes that are no WAV file, or too many, are Unprocessable.
func (v *Voice) Hear(ctx context.Context, wav []byte) (string, error) {
	if len(wav) > MaxAudio || !isWAV(wav) {
		return "", fault.New(fault.Unprocessable, "a recording is a WAV file of at most %d MB", MaxAudio>>20).At("audio")
	}
	if v.hearer == nil {
		return "", fault.New(fault.Unavailable, "nothing that hears is configured or installed")
	}
	ctx, cancel := context.WithTimeout(ctx, v.limit)
	defer cancel()
	return v.hearer.hear(ctx, wav, v.language)
}

// isWAV reports whether b begins as a WAV file does.
func isWAV(b []byte) bool {
	return len(b) > 44 && string(b[:4]) == "RIFF" && string(b[8:12]) == "WAVE"
}
