package talk_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"quaestor/chat/voice"
	"quaestor/internal/speech"
	"quaestor/internal/speech/speechtest"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/webtest"
)

// back opens the same call again, whose client has all events and did not hear a reply from
// that place on.
func back(w *webtest.World, id string, turn, from int) string {
	w.T.Helper()
	head, err := sessions.Head(w.T.Context(), w.Pool, obligations.Scope{Tenant: w.Tenant, Session: id})
	if err != nil {
		w.T.Fatal(err)
	}
	return strings.Replace(hello, "{", fmt.Sprintf(`{"after":%d,"rest":{"turn":%d,"from":%d},`, head, turn, from), 1)
}

// A line that breaks while a reply is spoken goes on with the sentence that was not heard to
// its end, and what is heard of the reply is counted from its beginning.
func TestReplyThatTheLineBrokeGoesOn(t *testing.T) {
	t.Parallel()

	w, id, _ := calling(t, "Wait a moment please")
	c := w.Voice(id, hello)
	first := webtest.Last[voice.CaptionEvent](t, c.Until("caption"))
	second := webtest.Last[voice.CaptionEvent](t, c.Until("caption"))
	if first.From != 0 || second.From == 0 || second.Turn != first.Turn {
		t.Fatalf("the sentences begin as %+v and %+v", first, second)
	}
	_ = c.Conn.CloseNow()

	c = w.Voice(id, back(w, id, second.Turn, second.From))
	goesOn := webtest.Last[voice.CaptionEvent](t, c.Until("caption"))
	if goesOn.Text != second.Text || goesOn.From != second.From || goesOn.At != 0 {
		t.Errorf("it goes on with %+v, want %+v", goesOn, second)
	}
	c.Send(`{"type":"press"}`)
	stop := webtest.Last[voice.StopEvent](t, c.Until("stop"))
	c.Send(fmt.Sprintf(`{"type":"played","turn":%d,"ms":0}`, stop.Turn))
	c.Play(said(1))
	c.Send(`{"type":"release"}`)
	told := webtest.Last[sessions.InterruptionEvent](t, c.Until("interruption"))
	if told.Content != first.Text {
		t.Errorf("what was heard is %q, want %q", told.Content, first.Text)
	}
}

// A place that the reply does not have lets it be spoken from its beginning, and one of a reply
// that is not the latest nothing.
func TestPlacesThatAreNoneAreForgiven(t *testing.T) {
	t.Parallel()

	w, id, _ := calling(t, "We bake bread")
	c := w.Voice(id, hello)
	first := webtest.Last[voice.CaptionEvent](t, c.Until("caption"))
	_ = c.Conn.CloseNow()
	for _, from := range []int{-1, 1 << 20} {
		c = w.Voice(id, back(w, id, first.Turn, from))
		if got := webtest.Last[voice.CaptionEvent](t, c.Until("caption")); got.Text != first.Text {
			t.Errorf("from %d it says %+v", from, got)
		}
		_ = c.Conn.CloseNow()
	}
	c = w.Voice(id, back(w, id, first.Turn+3, 0))
	if got := c.Until("state"); len(webtest.Pick(got, "caption")) > 0 || fmt.Sprint(got[len(got)-1].Data["state"]) != "listening" {
		t.Errorf("of a turn that is none it says %v", got)
	}
}

// What was written down while another turn ran becomes a message, though the line breaks.
func TestWordsThatWaitAreTakenWhenTheLineBreaks(t *testing.T) {
	t.Parallel()

	api := speechtest.New(t, "We bake bread", "And cakes at the weekend")
	w := webtest.Open(t, webtest.Terms{Voice: speech.New(speech.Options{URL: api.URL}),
		Model: slow(t, "Bread it is then, and good bread too. One thing after the other, slowly, and then the rest of it.", 200*time.Millisecond)})
	made := webtest.Fetch[web.SessionBody](w, http.StatusCreated, webtest.Request{Path: "/api/v1/sessions", Body: map[string]string{"contextType": "business_profile"}})
	c := w.Voice(made.ID, hello)
	c.Until("ready")
	c.Press(said(1))
	c.Until("session message=We bake bread")
	c.Press(said(2))
	c.Until("heard utterance=2")
	_ = c.Conn.CloseNow()

	watcher := w.Voice(made.ID, `{"type":"start","watch":true}`)
	watcher.Until("session message=And cakes at the weekend")
}

// A voice that fails once is asked again, so that nobody notices.
func TestSentenceIsSpokenThoughTheVoiceFailsOnce(t *testing.T) {
	t.Parallel()

	w, id, api := calling(t)
	api.FailOnce()
	c := w.Voice(id, hello)
	if got := c.Until("caption"); len(webtest.Pick(got, "trouble")) > 0 {
		t.Errorf("it tells %v", got)
	}
}

// A voice that fails in the middle of a reply leaves the rest of it in writing, says why, and
// speaks the next one.
func TestVoiceThatFailsInTheMiddleOfAReply(t *testing.T) {
	t.Parallel()

	w, id, api := calling(t, "We bake bread")
	api.BreakAfter(1)
	c := w.Voice(id, hello)
	got := c.Until("trouble")
	if told := webtest.Last[voice.TroubleEvent](t, got); told.With != "speaking" || told.Detail == "" {
		t.Errorf("it tells %+v", told)
	}
	got = append(got, listening(c)...)
	if n := len(webtest.Pick(got, "caption")); n != 1 {
		t.Errorf("%d sentences were spoken, want the one before it failed", n)
	}
	api.Break(http.StatusOK, http.StatusOK)
	c.Press(said(1))
	c.Until("session message=We bake bread")
	c.Until("caption")
}
