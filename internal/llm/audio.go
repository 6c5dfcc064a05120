package llm

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

// The purposes observers see for speech.
const (
	speakPurpose      = "speak"
	transcribePurpose = "transcribe"
)

// Speak returns text as speech in the voice of that name, as the server sends it:
// the bytes of a WAV file, unless the server ignores what it is asked for. A speed of 1 is
// the voice's own, and 2 twice as fast; 0 leaves it to the server. The failure is an [*Error].
func (c *Client) Speak(ctx context.Context, text, voice string, speed float64) ([]byte, error) {
	params := openai.AudioSpeechNewParams{
		Model: c.model, Input: text,
		Voice:          openai.AudioSpeechNewParamsVoiceUnion{OfString: openai.String(voice)},
		ResponseFormat: openai.AudioSpeechNewParamsResponseFormatWAV,
	}
	if speed > 0 {
		params.Speed = openai.Float(speed)
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
// ISO 639-1 code, such as "de"; empty lets the server find out. Servers that give other
// readings of the sound, as "alternatives" beside "text", have theirs behind the first. With
// partial, the server is asked to stream, and partial is told all words so far whenever there
// are more; servers that do not stream answer at once. The failure is an [*Error]: NotJSON
// for an answer that holds no text.
func (c *Client) Transcribe(ctx context.Context, wav []byte, language string, partial func(text string)) ([]string, error) {
	params := openai.AudioTranscriptionNewParams{Model: c.model, ResponseFormat: openai.AudioResponseFormatJSON}
	if language != "" {
		params.Language = openai.String(language)
	}
	var texts []string
	err := c.audio(ctx, transcribePurpose, func(x *exchange) error {
		params.File = openai.File(bytes.NewReader(wav), "speech.wav", "audio/wav") // anew for each try
		if partial != nil {
			return c.transcribeStream(x, params, partial, &texts)
		}
		out, err := c.api.Audio.Transcriptions.New(x.watch.ctx, params, x.options()...)
		switch {
		case err != nil:
			return err
		case !out.JSON.Text.Valid():
			return &Error{Class: NotJSON, Reason: "shape"}
		}
		texts = readings(out.Text, out.RawJSON())
		return nil
	})
	return texts, err
}

// transcribeStream reads the words as they come.
func (c *Client) transcribeStream(x *exchange, params openai.AudioTranscriptionNewParams, partial func(string), texts *[]string) error {
	stream := c.api.Audio.Transcriptions.NewStreaming(x.watch.ctx, params, x.options(option.WithMiddleware(asStream))...)
	defer stream.Close() //nolint:errcheck // it was read
	var words strings.Builder
	for stream.Next() {
		switch e := stream.Current(); e.Type {
		case "transcript.text.delta":
			words.WriteString(e.Delta)
			partial(words.String())
		case "transcript.text.done", "":
			if !e.JSON.Text.Valid() {
				return &Error{Class: NotJSON, Reason: "shape"}
			}
			*texts = readings(e.Text, e.RawJSON())
			return nil
		}
	}
	if err := stream.Err(); err != nil {
		return err
	}
	return &Error{Class: Truncated}
}

// asStream makes a stream of one event of the answer of a server that does not stream.
func asStream(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	resp, err := next(req)
	if err != nil || isEventStream(resp) {
		return resp, err
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close() // it was read
	if err != nil {
		return resp, err
	}
	event := bytes.NewBufferString("data: ")
	if err := json.Compact(event, body); err != nil {
		return resp, &Error{Class: NotJSON, Reason: "shape"}
	}
	event.WriteString("\n\n")
	resp.Body = io.NopCloser(event)
	return resp, nil
}

// readings returns a transcript and, behind it, the alternatives that its JSON has.
func readings(text, raw string) []string {
	var more struct {
		Alternatives []struct {
			Text       string `json:"text"`
			Transcript string `json:"transcript"`
		} `json:"alternatives"`
	}
	_ = json.Unmarshal([]byte(raw), &more) // what has another shape is no alternative
	out := []string{text}
	for _, a := range more.Alternatives {
		if other := cmp.Or(a.Text, a.Transcript); other != "" && !slices.Contains(out, other) {
			out = append(out, other)
		}
	}
	return out
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
