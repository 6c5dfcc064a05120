package speech

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strings"

	"quaestor/internal/fault"
	"quaestor/internal/secret"
)

// remote is an OpenAI-compatible API.
type remote struct {
	base                  string
	key                   secret.Secret
	speaker, hearer, tone string
	client                *http.Client
}

func newRemote(o Options) *remote {
	return &remote{strings.TrimRight(o.URL, "/"), o.Key, cmp.Or(o.Speaker, "tts-1"), cmp.Or(o.Hearer, "whisper-1"), cmp.Or(o.Name, "alloy"),
		&http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}} // the key stays at the address it was given for
}

func (r *remote) name() string { return "the speech API" }

func (r *remote) speak(ctx context.Context, text string) ([]byte, error) {
	body, err := json.Marshal(map[string]string{"model": r.speaker, "input": text, "voice": r.tone, "response_format": "wav"})
	if err != nil {
		return nil, fmt.Errorf("encode what is to be said: %w", err)
	}
	return r.post(ctx, "/audio/speech", "application/json", body, MaxAudio)
}

func (r *remote) hear(ctx context.Context, wav []byte) (string, error) {
	body, kind, err := r.form(wav)
	if err != nil {
		return "", fmt.Errorf("encode a recording: %w", err)
	}
	raw, err := r.post(ctx, "/audio/transcriptions", kind, body, maxHeard)
	if err != nil {
		return "", err
	}
	var out struct{ Text *string }
	if json.Unmarshal(raw, &out) != nil || out.Text == nil {
		return "", fault.New(fault.Unavailable, "the speech API answers, but not with what it heard")
	}
	return strings.TrimSpace(*out.Text), nil
}

// form is a recording as the API takes it, with its media type.
func (r *remote) form(wav []byte) (body []byte, kind string, err error) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	file, err := w.CreateFormFile("file", "speech.wav")
	if err != nil {
		return nil, "", err
	}
	_, err = file.Write(wav)
	err = errors.Join(err, w.WriteField("model", r.hearer), w.WriteField("response_format", "json"), w.Close())
	return b.Bytes(), w.FormDataContentType(), err
}

// post returns the body of an answer of at most that many bytes.
func (r *remote) post(ctx context.Context, path, kind string, body []byte, most int64) ([]byte, error) {
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, r.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, fault.New(fault.Unavailable, "the address of the speech API is none").Because(err)
	}
	q.Header.Set("Content-Type", kind)
	if !r.key.IsZero() {
		q.Header.Set("Authorization", "Bearer "+r.key.Reveal())
	}
	resp, err := r.client.Do(q)
	if err != nil {
		return nil, unheard(ctx, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, refused(resp.StatusCode)
	}
	raw, err := io.ReadAll(io.LimitReader(resp.Body, most+1))
	switch {
	case err != nil:
		return nil, unheard(ctx, err)
	case int64(len(raw)) > most:
		return nil, fault.New(fault.Unavailable, "the speech API answers with more than %d bytes", most)
	}
	return raw, nil
}

// unheard words a request that got no whole answer.
func unheard(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fault.New(fault.Unavailable, "the speech API does not answer in time").Coded("speech_timeout").Because(err)
	}
	return fault.New(fault.Unavailable, "the speech API cannot be reached").Coded("speech_unreachable").Because(err)
}

// refused words a status that is not 200. Nothing the API says is repeated.
func refused(status int) error {
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return fault.New(fault.Unavailable, "the speech API refuses the key (status %d)", status).Coded("speech_key")
	case status == http.StatusNotFound:
		return fault.New(fault.Unavailable, "the speech API knows no such address or model (status 404)").Coded("speech_model")
	case status == http.StatusTooManyRequests:
		return fault.New(fault.Limited, "the speech API takes no more requests for now").Coded("speech_limited")
	}
	return fault.New(fault.Unavailable, "the speech API answers with status %d", status).Coded("speech_status")
}
