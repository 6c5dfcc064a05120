package speech

import (
	"cmp"
	"context"
	"os/exec"
	"slices"
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
	manner          Manner
	again           chan struct{} // holds the place of [Voice.Spare]; shared by all voices of a server
}

// Manner is how a voice speaks. The zero value leaves it to what speaks.
type Manner struct {
	Name  string  // of the voice, such as "alloy" or "slt"; one that is not known there is not used by programs, and is a failure of an API
	Speed float64 // [MinSpeed] to [MaxSpeed]: 1 is the voice's own, 2 twice as fast; 0 leaves it to what speaks
}

// Bounds of [Manner.Speed].
const (
	MinSpeed = 0.5
	MaxSpeed = 2.0
)

// Hearing says how a recording is heard.
type Hearing struct {
	Alternatives int // how many more transcripts are wanted beside the likeliest, at most; what hears may have none
	// Grammar is what may be said, in JSGF, with a rule <name> that is left open for the words
	// among Names that are known; empty for anything. What hears by grammars adds what it makes
	// of the sound with it as the last transcript; others do not look at it.
	Grammar string
	Names   []string
	Partial func(text string) // told all words so far, as they come, where what hears can; nil for nobody
}

// backend is one way to speak or to hear: an API or a program.
type backend interface {
	name() string
	speak(ctx context.Context, text string, m Manner) ([]byte, error)
	hear(ctx context.Context, wav []byte, language string, h Hearing) ([]string, error)
	knows(language string) bool // an ISO 639-1 code
	local() bool                // hearing costs nobody but this machine
}

// New returns a Voice that uses the API that o names, else the programs that are
// installed.
func New(o Options) *Voice {
	v := &Voice{limit: cmp.Or(o.Limit, limit), again: make(chan struct{}, 1)}
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
	out := &Voice{limit: v.limit, manner: v.manner, again: v.again, language: strings.ToLower(strings.SplitN(tag, "-", 2)[0])}
	if v.speaker != nil && v.speaker.knows(out.language) {
		out.speaker = v.speaker
	}
	if v.hearer != nil && v.hearer.knows(out.language) {
		out.hearer = v.hearer
	}
	return out
}

// With returns v speaking in a manner.
func (v *Voice) With(m Manner) *Voice {
	out := *v
	out.manner = m
	return &out
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
	wav, err := v.speaker.speak(ctx, text, v.manner)
	if err != nil {
		return nil, err
	}
	if !isWAV(wav) {
		return nil, fault.New(fault.Unavailable, "%s answers, but not with a WAV file", v.speaker.name())
	}
	return wav, nil
}

// Hear returns the likeliest words in the bytes of a WAV file, or an empty string when it
// hears none. Bytes that are no WAV file, or too many, are Unprocessable.
func (v *Voice) Hear(ctx context.Context, wav []byte) (string, error) {
	texts, err := v.Transcripts(ctx, wav, Hearing{})
	if err != nil || len(texts) == 0 {
		return "", err
	}
	return texts[0], nil
}

// Transcripts returns what the words in the bytes of a WAV file may be, the likeliest first;
// none when nothing is heard. It fails as [Voice.Hear] does.
func (v *Voice) Transcripts(ctx context.Context, wav []byte, h Hearing) ([]string, error) {
	if len(wav) > MaxAudio || !isWAV(wav) {
		return nil, fault.New(fault.Unprocessable, "a recording is a WAV file of at most %d MB", MaxAudio>>20).At("audio")
	}
	if v.hearer == nil {
		return nil, fault.New(fault.Unavailable, "nothing that hears is configured or installed")
	}
	ctx, cancel := context.WithTimeout(ctx, v.limit)
	defer cancel()
	texts, err := v.hearer.hear(ctx, wav, v.language, h)
	texts = slices.DeleteFunc(texts, func(t string) bool { return t == "" })
	most := 1 + h.Alternatives
	if h.Grammar != "" {
		most++
	}
	return texts[:min(len(texts), most)], err
}

// Local reports whether a program of this machine hears.
func (v *Voice) Local() bool { return v.hearer != nil && v.hearer.local() }

// Spare reports whether somebody who still speaks may be heard on the way: that costs nobody
// but this machine, and nobody else on this server is. Until done is called, nobody else may.
func (v *Voice) Spare() (done func(), ok bool) {
	if !v.Local() {
		return nil, false
	}
	select {
	case v.again <- struct{}{}:
		return func() { <-v.again }, true
	default:
		return nil, false
	}
}

// isWAV reports whether b begins as a WAV file does.
func isWAV(b []byte) bool {
	return len(b) > 44 && string(b[:4]) == "RIFF" && string(b[8:12]) == "WAVE"
}
