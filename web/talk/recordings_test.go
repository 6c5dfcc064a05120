package talk_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"quaestor/chat/voice"
	"quaestor/internal/audio"
	"quaestor/internal/auth"
	"quaestor/internal/speech"
	"quaestor/internal/speech/speechtest"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/settings"
	"quaestor/web/webtest"
)

// recorded opens a call about a session in an organisation that keeps recordings.
func recorded(t *testing.T, texts ...string) (*webtest.World, string, *webtest.Call) {
	t.Helper()
	w, id, _ := calling(t, texts...)
	days := 30
	if _, err := settings.Save(t.Context(), w.Pool, w.Tenant, "someone", 0, settings.Policy{KeptRecordingsDays: &days}); err != nil {
		t.Fatal(err)
	}
	return w, id, w.Voice(id, hello)
}

// kept waits until the sound of a turn is kept, and returns it.
func kept(w *webtest.World, id string, turn int) sessions.Recording {
	w.T.Helper()
	for until := time.Now().Add(webtest.Patience); time.Now().Before(until); {
		r, err := sessions.FindRecording(w.T.Context(), w.Pool, obligations.Scope{Tenant: w.Tenant, Session: id}, turn)
		if err == nil {
			return r
		}
	}
	w.T.Fatalf("no sound of turn %d was ever kept", turn)
	return sessions.Recording{}
}

func TestWhoAgreesIsRecordedAndCanBeHeard(t *testing.T) {
	t.Parallel()

	w, id, c := recorded(t, "yes please", "We bake bread for the cafés in our town")
	ask := webtest.Last[voice.ConsentEvent](t, c.Until("consent"))
	if caption := webtest.Last[voice.CaptionEvent](t, c.Until("caption")); !strings.HasPrefix(ask.Text, caption.Text) || caption.Turn != 0 {
		t.Errorf("it asks %q and says %q first", ask.Text, caption.Text)
	}
	c.Press(said(1))
	if state := webtest.Last[voice.RecordingEvent](t, c.Until("recorded")); !state.On {
		t.Error("after a yes nothing is recorded")
	}
	silenced(c)
	c.Press(said(2))
	turn := webtest.Last[sessions.SessionEvent](t, c.Until("session")).Turn

	r := kept(w, id, turn)
	if r.Length != time.Second || len(r.Sound) != 2*sessions.RecordingRate || r.User == "" {
		t.Errorf("it keeps %d bytes of %s by %q", len(r.Sound), r.Length, r.User)
	}
	path := fmt.Sprintf("/api/v1/sessions/%s/recordings/%d", id, turn)
	resp := w.Do(webtest.Request{Path: path})
	wav, _ := io.ReadAll(resp.Body)
	samples, rate, err := audio.ReadWAV(wav)
	if err != nil || rate != sessions.RecordingRate || len(samples) != sessions.RecordingRate || resp.Header.Get("Content-Type") != "audio/wav" {
		t.Errorf("the recording is %d samples at %d, %v, %s", len(samples), rate, err, resp.Header.Get("Content-Type"))
	}
	other := w.As(w.Tenant, "other", auth.Member)
	if resp := other.Do(webtest.Request{Path: path}); resp.StatusCode != http.StatusNotFound {
		t.Errorf("a member who takes no part gets %d", resp.StatusCode)
	}
	list := webtest.Fetch[struct {
		Items []struct {
			Turn    int
			Address string
		}
	}](w, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + id + "/recordings"})
	if len(list.Items) != 1 || list.Items[0].Turn != turn || list.Items[0].Address != path {
		t.Errorf("the list is %+v", list)
	}

	c.Send(`{"type":"consent","allowed":false}`) // changes their mind
	if state := webtest.Last[voice.RecordingEvent](t, c.Until("recorded")); state.On {
		t.Error("it still records")
	}
	if resp := w.Do(webtest.Request{Path: path}); resp.StatusCode != http.StatusNotFound {
		t.Errorf("what was recorded is still there: %d", resp.StatusCode)
	}
}

func TestWhoDeclinesIsNotRecordedAndIsInterviewed(t *testing.T) {
	t.Parallel()

	for name, declines := range map[string]func(*webtest.Call){
		"aloud":                func(c *webtest.Call) { c.Press(said(1)) },
		"by the page":          func(c *webtest.Call) { c.Send(`{"type":"consent","allowed":false}`) },
		"by an answer instead": func(c *webtest.Call) { c.Press(said(2)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			w, id, c := recorded(t, "no thank you", "We bake bread for the cafés in our town")
			c.Until("consent")
			c.Until("caption")
			declines(c)
			if name != "by an answer instead" {
				if state := webtest.Last[voice.RecordingEvent](t, c.Until("recorded")); state.On {
					t.Error("it records all the same")
				}
				silenced(c)
				c.Press(said(2))
			}
			if e := webtest.Last[sessions.SessionEvent](t, c.Until("session")); e.Message != "We bake bread for the cafés in our town" {
				t.Errorf("the turn is %+v", e)
			}
			c.Until("done")
			if list, err := sessions.Recordings(t.Context(), w.Pool, obligations.Scope{Tenant: w.Tenant, Session: id}); err != nil || len(list) != 0 {
				t.Errorf("%d recordings are kept, %v", len(list), err)
			}
		})
	}
}

func TestNothingIsAskedWhereNothingIsKept(t *testing.T) {
	t.Parallel()

	w, id, _ := calling(t)
	c := w.Voice(id, hello)
	for _, e := range c.Until("caption") {
		if e.Type == "consent" || e.Type == "recorded" {
			t.Errorf("it tells %s", e.Raw)
		}
	}
}

func TestInterviewsSoundAsIsSet(t *testing.T) {
	t.Parallel()

	api := speechtest.New(t)
	w := webtest.Open(t, webtest.Terms{Voice: speech.New(speech.Options{URL: api.URL})})
	id := w.Begin("business_profile")
	house, speed := "nova", 1.25
	if _, err := settings.Save(t.Context(), w.Pool, w.Tenant, "someone", 0, settings.Policy{SpeechVoice: &house, SpeechSpeed: &speed}); err != nil {
		t.Fatal(err)
	}
	c := w.Voice(id, hello)
	c.Until("caption")
	if got := api.Manner(); got != "nova 1.25" {
		t.Errorf("it speaks as %q, want as the organisation has set", got)
	}
	path := "/api/v1/sessions/" + id + "/speech"
	report := webtest.Fetch[json.RawMessage](w, http.StatusOK, webtest.Request{Method: http.MethodPut, Path: path, Body: map[string]any{"voice": "echo", "language": "en-GB"}})
	if want := `{"set":{"voice":"echo","language":"en-GB"},"inForce":{"voice":"echo","speed":1.25,"language":"en-GB"}}`; strings.TrimSpace(string(report)) != want {
		t.Errorf("it reports %s, want %s", report, want)
	}
	told := webtest.Last[sessions.SpeechEvent](t, c.Until("speech"))
	if told.Voice != "echo" || told.Language != "en-GB" || told.By == "" {
		t.Errorf("the log tells %+v", told)
	}
	silencedNow(c)
	c.Press(said(0)) // the reminder is said in the new voice
	c.Until("reminder")
	c.Until("caption")
	if got := api.Manner(); got != "echo 1.25" {
		t.Errorf("it speaks as %q, want as the session has set", got)
	}
	for body, field := range map[string]string{`{"speed":3}`: "speed", `{"speed":0.1}`: "speed", `{"language":"English please"}`: "language"} {
		resp := w.Do(webtest.Request{Method: http.MethodPut, Path: path, Body: body})
		if text, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(string(text), field) {
			t.Errorf("%s answers %d %s", body, resp.StatusCode, text)
		}
	}
}

// silencedNow breaks off a reply that is being played already.
func silencedNow(c *webtest.Call) {
	c.T.Helper()
	c.Send(`{"type":"interrupt"}`)
	stop := webtest.Last[voice.StopEvent](c.T, c.Until("stop"))
	c.Send(fmt.Sprintf(`{"type":"played","turn":%d,"ms":60000}`, stop.Turn))
	listening(c)
}
