package llm

import (
	"bytes"
	"context"
	"io"
	"time"

	"github.com/openai/openai-go/v3"
)

// The purposes observers see for speech.
const (
	speakPurpose      = "speak"
	transcribePurpose = "transcribe"
)

// Speak returns text as speech in the voice of that name, as the server sends it:
// the bytes of a WAV file, unless the server ignores what it is asked for. The
// failure is an [*Error].
func (c *Client) Speak(ctx context.Context, text, voice string) ([]byte, error) {
	params := openai.AudioSpeechNewParams{
		Model: c.model, Input: text,
		Voice:          openai.AudioSpeechNewParamsVoiceUnion{OfString: openai.String(voice)},
		ResponseFormat: openai.AudioSpeechNewParamsResponseFormatWAV,
	}
	var audio []byte
	err := c.audio(ctx, speakPurpose, func(x *exchange) error {
		resp, err := c.api.Audio.Speech.New(x.watch.ctx, params, x.options()...)
		if err != nil {
			return err
		}
		defer resp.Body.Close() //nolint:errcheck // it was read
		audio, err = io.ReadAll(resp.Body)
		return err
	})
	return audio, err
}

// Transcribe returns the words in the bytes of a WAV file, which are in the language of an
// ISO 639-1 code, such as "de"; empty lets the server find out. The failure is an [*Error]:
// NotJSON for an answer that holds no text.
func (c *Client) Transcribe(ctx context.Context, wav []byte, language string) (string, error) {
	params := openai.AudioTranscriptionNewParams{Model: c.model, ResponseFormat: openai.AudioResponseFormatJSON}
	if language != "" {
		params.Language = openai.String(language)
	}
	var text string
	err := c.audio(ctx, transcribePurpose, func(x *exchange) error {
		params.File = openai.File(bytes.NewReader(wav), "speech.wav", "audio/wav") // anew for each try
		out, err := c.api.Audio.Transcriptions.New(x.watch.ctx, params, x.options()...)
		switch {
		case err != nil:
			return err
		case !out.JSON.Text.Valid():
			return &Error{Class: NotJSON, Reason: "shape"}
		}
		text = out.Text
		return nil
	})
	return text, err
}

// audio is one call of the API of speech, with its retries.
func (c *Client) audio(ctx context.Context, purpose string, ask func(*exchange) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, c.total, errTotal)
	defer cancel()
	began := time.Now()
	var reply Reply
	fail := c.call(ctx, &reply, func(x *exchange, _ *Reply) *Error { return x.failure(ask(x)) })
	return c.finish(purpose, began, &reply, fail)
}
