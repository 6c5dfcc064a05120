package llm_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"quaestor/internal/llm"
	"quaestor/internal/secret"
)

// audioClient returns a client of a server with that handler, which reads at most
// 100 bytes of an answer.
func audioClient(t *testing.T, answer http.HandlerFunc) *llm.Client {
	t.Helper()
	srv := httptest.NewServer(answer)
	t.Cleanup(srv.Close)
	c, err := llm.New(llm.Options{BaseURL: srv.URL + "/v1", Key: secret.New(canaryKey), Model: "m", MaxBytes: 100, Retries: -1})
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

	audio, err := c.Speak(background(t), "A phrase", "alloy")
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

	if text, err := c.Transcribe(background(t), []byte("RIFF"), ""); err != nil || text != "a phrase" {
		t.Errorf("Transcribe = %q, %v", text, err)
	}
}

func TestAudioFaults(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name, body string
		status     int
		speak      llm.Class // empty means success
		transcribe llm.Class
	}{
		{"key", `{"error":{"message":"scripted"}}`, 401, llm.Refused, llm.Refused},
		{"limit", "scripted", 429, llm.Limited, llm.Limited},
		{"page", "<html>scripted", 200, llm.NotJSON, llm.NotJSON},
		{"no text", `{}`, 200, "", llm.NotJSON},
		{"no JSON", "RIFF", 200, "", llm.NotJSON},
		{"cut", `{"text":"a`, 200, "", llm.Truncated},
		{"too much", strings.Repeat("x", 101), 200, llm.TooLarge, llm.TooLarge},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			c := audioClient(t, func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(tt.status)
				_, _ = w.Write([]byte(tt.body))
			})
			_, err := c.Speak(background(t), "A phrase", "alloy")
			if tt.speak != "" {
				failure(t, err, tt.speak)
			} else if err != nil {
				t.Errorf("Speak: %v", err)
			}
			_, err = c.Transcribe(background(t), []byte("RIFF"), "")
			failure(t, err, tt.transcribe)
		})
	}
}
