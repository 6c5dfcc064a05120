package web

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"quaestor/sessions"
)

// socket is a websocket of a session.
type socket struct {
	t    testing.TB
	ctx  context.Context
	conn *websocket.Conn
}

func (w *world) socket(id, query string) *socket {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	conn, _, err := websocket.Dial(ctx, w.socketURL(id)+query, nil)
	if err != nil {
		w.t.Fatalf("open the websocket: %v", err)
	}
	w.t.Cleanup(func() { _ = conn.CloseNow(); cancel() })
	return &socket{w.t, ctx, conn}
}

func (s *socket) send(text string) {
	s.t.Helper()
	if err := s.conn.Write(s.ctx, websocket.MessageText, []byte(text)); err != nil {
		s.t.Fatal(err)
	}
}

// until reads up to and including the first frame of that type.
func (s *socket) until(kind sessions.Kind) []told {
	s.t.Helper()
	var out []told
	for {
		_, raw, err := s.conn.Read(s.ctx)
		if err != nil {
			s.t.Fatalf("the frame %s never came: %v", kind, err)
		}
		e := fromFrame(s.t, raw)
		if out = append(out, e); e.Type == kind {
			return out
		}
	}
}

func TestSocketTalksAndBringsWhatStreamsBring(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	id := w.begin("business_profile")
	s := w.socket(id, "")
	s.until("done")

	s.send(`{"type":"message","message":"We bake bread for cafés","clientMessageId":"m"}`)
	got := s.until("done")
	s.send(`{"type":"message","message":"We bake bread for cafés","clientMessageId":"m"}`) // again: nothing new

	want := nextTurn(w, "/api/v1/sessions/"+id+"/events")
	if diff := cmp.Diff(raws(lasting(want)), raws(lasting(got))); diff != "" {
		t.Errorf("events (-stream +socket):\n%s", diff)
	}
	resumed := w.socket(id, "?after="+want[0].ID).until("done")
	if diff := cmp.Diff(raws(lasting(want))[1:], raws(lasting(resumed))); diff != "" {
		t.Errorf("resumed (-stream +socket):\n%s", diff)
	}
}

func TestSocketProblemsSayWhatTheyRefuse(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	id := w.begin("business_profile")
	s := w.socket(id, "")

	s.send(`{"type":"message","message":1,"clientMessageId":"mine"}`)

	frames := s.until("problem")
	got := frames[len(frames)-1].Data
	if instance, _ := got["instance"].(string); got["clientMessageId"] != "mine" || !strings.HasPrefix(instance, "req_") {
		t.Errorf("the problem is of %v in %v, want mine in a request", got["clientMessageId"], got["instance"])
	}
}

func TestSocketStopsATurn(t *testing.T) {
	t.Parallel()

	w := open(t, terms{model: slow(t, "One thing after the other, slowly, and then the rest of it.", 200*time.Millisecond)})
	made := fetch[sessionBody](w, http.StatusCreated, request{path: "/api/v1/sessions", body: map[string]string{"contextType": "business_profile"}})
	s := w.socket(made.ID, "")
	s.send(`{"type":"message","message":"We bake bread"}`)
	s.until("delta")

	s.send(`{"type":"stop","turn":1}`)
	events := s.until("done")

	if got := events[len(events)-1].Data["reason"]; got != "stopped" {
		t.Errorf("the turn ended with %v, want stopped", got)
	}
}

func TestSocketRefusesBadFramesAndGoesOn(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	id := w.begin("business_profile")
	s := w.socket(id, "")
	s.until("done")
	before := w.fingerprint()
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
			s.send(tt.frame)
			frames := s.until("problem")

			if p := frames[len(frames)-1]; p.Data["code"] != tt.code || p.Data["detail"] == "" {
				t.Errorf("problem %s, want code %s", p.Raw, tt.code)
			}
		})
	}
	if diff := cmp.Diff(before, w.fingerprint()); diff != "" {
		t.Errorf("refused frames changed tables:\n%s", diff)
	}
	s.send(`{"type":"message","message":"We bake bread"}`)
	s.until("done")
}

func TestSocketClosesOnAFrameThatIsTooBig(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	s := w.socket(w.begin("business_profile"), "")
	s.until("done")

	_ = s.conn.Write(s.ctx, websocket.MessageText, make([]byte, maxFrame+1))
	var err error
	for err == nil {
		_, _, err = s.conn.Read(s.ctx)
	}

	if got := websocket.CloseStatus(err); got != websocket.StatusMessageTooBig {
		t.Errorf("closed with %v (%v), want %v", got, err, websocket.StatusMessageTooBig)
	}
}

func TestSocketRefusesPagesOfOtherSites(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	id := w.begin("business_profile")
	for _, origin := range []string{"https://evil.example", "null", "http://127.0.0.1:1", "://"} {
		checkRefusal(t, w, refusal{status: http.StatusForbidden, code: "cross_site", request: request{path: "/api/v1/sessions/" + id + "/socket",
			header: map[string]string{"Origin": origin, "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}}})
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, w.socketURL(id), &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {w.url}}})
	if err != nil {
		t.Fatalf("a page of this server was refused: %v", err)
	}
	_ = conn.CloseNow()
}

func TestSocketOfNobodysSession(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	_, resp, err := websocket.Dial(ctx, w.socketURL("0b9f4c3e-0000-4000-8000-000000000000"), nil)

	if err == nil || errors.Is(err, context.DeadlineExceeded) || resp.StatusCode != http.StatusNotFound {
		t.Errorf("a websocket of no session: %v, %+v", err, resp)
	}
}
