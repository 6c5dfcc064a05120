package speech

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/llm"
)

// remote is an OpenAI-compatible API.
type remote struct {
	speaker, hearer *llm.Client
	voice           string
	err             error // the address is none
}

func newRemote(o Options, limit time.Duration) *remote {
	client := func(model string, maxBytes int64) (*llm.Client, error) {
		return llm.New(llm.Options{
			BaseURL: o.URL, Key: o.Key, Model: model, MaxBytes: maxBytes, Retries: -1,
			FirstToken: limit, Idle: limit, Total: limit,
		})
	}
	speaker, err := client(cmp.Or(o.Speaker, "tts-1"), MaxAudio)
	hearer, hearerErr := client(cmp.Or(o.Hearer, "whisper-1"), maxHeard)
	return &remote{speaker: speaker, hearer: hearer, voice: cmp.Or(o.Name, "alloy"), err: cmp.Or(err, hearerErr)}
}

// knows is true: which languages a server speaks, it tells nobody.
func (r *remote) knows(string) bool { return true }

func (r *remote) name() string { return "the speech API" }

// local is false: every request has its price.
func (r *remote) local() bool { return false }

func (r *remote) speak(ctx context.Context, text string, m Manner) ([]byte, error) {
	if r.err != nil {
		return nil, unusable(r.err)
	}
	wav, err := r.speaker.Speak(ctx, text, cmp.Or(m.Name, r.voice), m.Speed)
	return wav, worded(err, "a WAV file", MaxAudio)
}

func (r *remote) hear(ctx context.Context, wav []byte, language string, h Hearing) ([]string, error) {
	if r.err != nil {
		return nil, unusable(r.err)
	}
	texts, err := r.hearer.Transcribe(ctx, wav, language, h.Partial)
	for i := range texts {
		texts[i] = strings.TrimSpace(texts[i])
	}
	return texts, worded(err, "what it heard", maxHeard)
}

// unusable is the failure of an address that is none.
func unusable(err error) error {
	return fault.New(fault.Unavailable, "the address of the speech API is none").Because(err)
}

// worded returns err, met while waiting for what of at most that many bytes, as
// people read it. Nothing the API says is repeated.
func worded(err error, what string, most int) error {
	var e *llm.Error
	if !errors.As(err, &e) {
		return err
	}
	switch {
	case e.Class == llm.Limited:
		return fault.New(fault.Limited, "the speech API takes no more requests for now").Coded("speech_limited").Because(err)
	case e.Class == llm.Timeout:
		return fault.New(fault.Unavailable, "the speech API does not answer in time").Coded("speech_timeout").Because(err)
	case e.Class == llm.TooLarge:
		return fault.New(fault.Unavailable, "the speech API answers with more than %d bytes", most).Because(err)
	case e.Class == llm.NotJSON, e.Class == llm.Truncated:
		return fault.New(fault.Unavailable, "the speech API answers, but not with %s", what).Because(err)
	case e.Status == http.StatusUnauthorized, e.Status == http.StatusForbidden:
		return fault.New(fault.Unavailable, "the speech API refuses the key (status %d)", e.Status).Coded("speech_key").Because(err)
	case e.Status == http.StatusNotFound:
		return fault.New(fault.Unavailable, "the speech API knows no such address or model (status 404)").Coded("speech_model").Because(err)
	case e.Status != 0:
		return fault.New(fault.Unavailable, "the speech API answers with status %d", e.Status).Coded("speech_status").Because(err)
	}
	return fault.New(fault.Unavailable, "the speech API cannot be reached").Coded("speech_unreachable").Because(err)
}
