package talk_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"quaestor/web"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

func TestSocketTalksAndBringsWhatStreamsBring(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.Begin("business_profile")
	s := w.Socket(id, "")
	s.Until("done")

	s.Send(`{"type":"message","message":"We bake bread for the cafés in our town","clientMessageId":"m"}`)
	got := s.Until("done")
	s.Send(`{"type":"message","message":"We bake bread for the cafés in our town","clientMessageId":"m"}`) // again: nothing new

	want := nextTurn(w, "/api/v1/sessions/"+id+"/events")
	if diff := cmp.Diff(webtest.Raws(webtest.Lasting(want)), webtest.Raws(webtest.Lasting(got))); diff != "" {
		t.Errorf("events (-stream +socket):\n%s", diff)
	}
	resumed := w.Socket(id, "?after="+want[0].ID).Until("done")
	if diff := cmp.Diff(webtest.Raws(webtest.Lasting(want))[1:], webtest.Raws(webtest.Lasting(resumed))); diff != "" {
		t.Errorf("resumed (-stream +socket):\n%s", diff)
	}
}

func TestSocketProblemsSayWhatTheyRefuse(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.Begin("business_profile")
	s := w.Socket(id, "")

	s.Send(`{"type":"message","message":1,"clientMessageId":"mine"}`)

	frames := s.Until("problem")
	got := frames[len(frames)-1].Data
	if instance, _ := got["instance"].(string); got["clientMessageId"] != "mine" || !strings.HasPrefix(instance, "req_") {
		t.Errorf("the problem is of %v in %v, want mine in a request", got["clientMessageId"], got["instance"])
	}
}

func TestSocketStopsATurn(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Model: slow(t, "One thing after the other, slowly, and then the rest of it.", 200*time.Millisecond)})
	made := webtest.Fetch[web.SessionBody](w, http.StatusCreated, webtest.Request{Path: "/api/v1/sessions", Body: map[string]string{"contextType": "business_profile"}})
	s := w.Socket(made.ID, "")
	s.Send(`{"type":"message","message":"We bake bread"}`)
	s.Until("delta")

	s.Send(`{"type":"stop","turn":1}`)
	events := s.Until("done")

	if got := events[len(events)-1].Data["reason"]; got != "stopped" {
		t.Errorf("the turn ended with %v, want stopped", got)
	}
}

func TestSocketRefusesBadFramesAndGoesOn(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.Begin("business_profile")
	s := w.Socket(id, "")
	s.Until("done")
	before := w.Fingerprint()
	cases := []struct{ name, frame, code string }{
		{"malformed", `{"type":`, "malformed_json"},
		{"trailing", `{"type":"message","message":"a"}{}`, "malformed_json"},
		{"unknown type", `{"type":"dance"}`, "unprocessable"},
		{"wrong type of field", `{"type":"message","message":1}`, "unprocessable"},
		{"misspelt field", `{"type":"message","mesage":"a"}`, "unknown_field"},
		{"name twice", `{"type":"message","message":"a","message":"b"}`, "repeated_name"},
		{"NUL", `{"type":"message","message":"a\u0000"}`, "nul_character"},
		{"unknown turn", `{"type":"stop","turn":99}`, "turn_not_found"},
		{"turn that cannot be", `{"type":"stop","turn":99999999999}`, "turn_not_found"},
		{"turn 1 once round the numbers", `{"type":"stop","turn":4294967297}`, "turn_not_found"},
		{"long message", `{"type":"message","message":"` + strings.Repeat("x", 64<<10+1) + `"}`, "message_too_large"},
	}
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			s.Send(tt.frame)
			frames := s.Until("problem")

			if p := frames[len(frames)-1]; p.Data["code"] != tt.code || p.Data["detail"] == "" {
				t.Errorf("problem %s, want code %s", p.Raw, tt.code)
			}
		})
	}
	if diff := cmp.Diff(before, w.Fingerprint()); diff != "" {
		t.Errorf("refused frames changed tables:\n%s", diff)
	}
	s.Send(`{"type":"message","message":"We bake bread"}`)
	s.Until("done")
}

func TestSocketClosesOnAFrameThatIsTooBig(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	s := w.Socket(w.Begin("business_profile"), "")
	s.Until("done")

	_ = s.Conn.Write(s.Ctx, websocket.MessageText, make([]byte, talk.MaxFrame+1))
	var err error
	for err == nil {
		_, _, err = s.Conn.Read(s.Ctx)
	}

	if got := websocket.CloseStatus(err); got != websocket.StatusMessageTooBig {
		t.Errorf("closed with %v (%v), want %v", got, err, websocket.StatusMessageTooBig)
	}
}

func TestSocketRefusesPagesOfOtherSites(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.Begin("business_profile")
	for _, origin := range []string{"https://evil.example", "null", "http://127.0.0.1:1", "://"} {
		webtest.CheckRefusal(t, w, webtest.Refusal{Status: http.StatusForbidden, Code: "cross_site", Request: webtest.Request{Path: "/api/v1/sessions/" + id + "/socket",
			Header: map[string]string{"Origin": origin, "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}}})
	}
	ctx, cancel := context.WithTimeout(t.Context(), webtest.Patience)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, w.SocketURL(id), &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {w.URL}}})
	if err != nil {
		t.Fatalf("a page of this server was refused: %v", err)
	}
	_ = conn.CloseNow()
}

func TestSocketOfNobodysSession(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	ctx, cancel := context.WithTimeout(t.Context(), webtest.Patience)
	defer cancel()
	_, resp, err := websocket.Dial(ctx, w.SocketURL("0b9f4c3e-0000-4000-8000-000000000000"), nil)

	if err == nil || errors.Is(err, context.DeadlineExceeded) || resp.StatusCode != http.StatusNotFound {
		t.Errorf("a websocket of no session: %v, %+v", err, resp)
	}
}
