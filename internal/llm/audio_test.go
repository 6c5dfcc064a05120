package llm_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"quaestor/internal/llm"
	"quaestor/internal/secret"
)

const maxAnswer = 1000

// audioClient returns a client of a server with that handler, which reads at most
// maxAnswer bytes of an answer.
func audioClient(t *testing.T, answer http.HandlerFunc) *llm.Client {
	t.Helper()
	srv := httptest.NewServer(answer)
	t.Cleanup(srv.Close)
	c, err := llm.New(llm.Options{BaseURL: srv.URL + "/v1", Key: secret.New(canaryKey), Model: "m", MaxBytes: maxAnswer, Retries: -1})
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	t.Cleanup(c.Close)
	return c
}

func TestSpeakAsksForWAV(t *testing.T) {
	t.Parallel()

	var asked string
	c := audioClient(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked = r.URL.Path + " " + string(body)
		_, _ = w.Write([]byte("RIFF"))
	})

	audio, err := c.Speak(background(t), "A phrase", "alloy", 0)
	if err != nil || string(audio) != "RIFF" {
		t.Fatalf("Speak = %q, %v", audio, err)
	}
	if want := `/v1/audio/speech {"input":"A phrase","model":"m","voice":"alloy","response_format":"wav"}`; asked != want {
		t.Errorf("asked %s, want %s", asked, want)
	}
}

func TestTranscribeSendsAFile(t *testing.T) {
	t.Parallel()

	c := audioClient(t, func(w http.ResponseWriter, r *http.Request) {
		file, head, err := r.FormFile("file")
		if err != nil {
			t.Errorf("FormFile: %v", err)
			return
		}
		raw, _ := io.ReadAll(file)
		if got := strings.Join([]string{r.URL.Path, head.Filename, string(raw), r.FormValue("model"), r.FormValue("response_format")}, " "); got != "/v1/audio/transcriptions speech.wav RIFF m json" {
			t.Errorf("asked %s", got)
		}
		_, _ = w.Write([]byte(`{"text":"a phrase"}`))
	})

	if texts, err := c.Transcribe(background(t), []byte("RIFF"), "", nil); err != nil || !slices.Equal(texts, []string{"a phrase"}) {
		t.Errorf("Transcribe = %q, %v", texts, err)
	}
}

func TestAudioFaults(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name, body string
		status     int
		speak      llm.Class // empty means success
		transcribe llm.Class
		streamed   llm.Class // empty means as transcribe
	}{
		{"key", `{"error":{"message":"scripted"}}`, 401, llm.Refused, llm.Refused, ""},
		{"limit", "scripted", 429, llm.Limited, llm.Limited, ""},
		{"page", "<html>scripted", 200, llm.NotJSON, llm.NotJSON, ""},
		{"no text", `{}`, 200, "", llm.NotJSON, ""},
		{"no JSON", "RIFF", 200, "", llm.NotJSON, ""},
		{"cut", `{"text":"a`, 200, "", llm.Truncated, llm.NotJSON},
		{"too much", strings.Repeat("x", maxAnswer+1), 200, llm.TooLarge, llm.TooLarge, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			c := audioClient(t, func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(tt.status)
				_, _ = w.Write([]byte(tt.body))
			})
			_, err := c.Speak(background(t), "A phrase", "alloy", 0)
			if tt.speak != "" {
				failure(t, err, tt.speak)
			} else if err != nil {
				t.Errorf("Speak: %v", err)
			}
			_, err = c.Transcribe(background(t), []byte("RIFF"), "", nil)
			failure(t, err, tt.transcribe)
			_, err = c.Transcribe(background(t), []byte("RIFF"), "", func(string) {})
			if tt.streamed == "" {
				tt.streamed = tt.transcribe
			}
			failure(t, err, tt.streamed)
		})
	}
}

func TestTranscribeReadsWordsAsTheyCome(t *testing.T) {
	t.Parallel()

	c := audioClient(t, func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseMultipartForm(1 << 20); err != nil || r.FormValue("stream") != "true" {
			t.Errorf("stream is %q, %v", r.FormValue("stream"), err)
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range []string{`{"type":"transcript.text.delta","delta":"a"}`, `{"type":"transcript.text.delta","delta":" phrase"}`, `{"type":"transcript.text.done","text":"A phrase.","alternatives":[{"text":"A face."}]}`} {
			_, _ = w.Write([]byte("data: " + e + "\n\n"))
		}
	})
	var partial []string
	texts, err := c.Transcribe(background(t), []byte("RIFF"), "", func(text string) { partial = append(partial, text) })
	if err != nil || !slices.Equal(texts, []string{"A phrase.", "A face."}) || !slices.Equal(partial, []string{"a", "a phrase"}) {
		t.Errorf("Transcribe = %q, %v; on the way %q", texts, err, partial)
	}
}

func TestTranscribeReadsAlternatives(t *testing.T) {
	t.Parallel()

	c := audioClient(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"text":"for tea","alternatives":[{"text":"forty"},{"transcript":"for tea"},{}]}`))
	})
	for _, partial := range []func(string){nil, func(string) {}} { // a server that does not stream is understood, too
		texts, err := c.Transcribe(background(t), []byte("RIFF"), "", partial)
		if err != nil || !slices.Equal(texts, []string{"for tea", "forty"}) {
			t.Errorf("Transcribe = %q, %v", texts, err)
		}
	}
}
