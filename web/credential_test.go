package web

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/coder/websocket"

	"quaestor/internal/auth"
	"quaestor/sessions"
)

// hasty is the world with streams that ask after their reader every moment.
func (w *world) hasty() *world {
	w.t.Helper()
	o := w.server.Options
	o.KeepAlive = 20 * time.Millisecond
	other := *w
	other.server = New(o)
	other.url, other.endRequests = serving(w.t, other.server)
	return &other
}

// revoke ends all tokens of a person.
func (w *world) revoke(user string) {
	w.t.Helper()
	list, err := auth.Tokens(w.t.Context(), w.pool, w.tenant)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, token := range list {
		if token.User != user || token.Revoked != nil {
			continue
		}
		if err := auth.Revoke(w.t.Context(), w.pool, w.tenant, token.ID); err != nil {
			w.t.Fatal(err)
		}
	}
}

// dialled is a websocket of a holder of a token.
func (w *world) dialled(id string) *socket {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	conn, _, err := websocket.Dial(ctx, w.socketURL(id), &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + w.token}}})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = conn.CloseNow(); cancel() })
	return &socket{w.t, ctx, conn}
}

// ended returns the status a websocket is closed with, after what is left to read.
func (s *socket) ended() websocket.StatusCode {
	s.t.Helper()
	for {
		if _, _, err := s.conn.Read(s.ctx); err != nil {
			if s.ctx.Err() != nil {
				s.t.Fatal("the websocket never ended")
			}
			return websocket.CloseStatus(err)
		}
	}
}

func TestStreamsEndWithTheTokenTheyWereOpenedWith(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true}).hasty()
	ann := w.as(w.tenant, "ann", auth.Member)
	id := ann.begin("business_profile")
	events := ann.stream(request{path: "/api/v1/sessions/" + id + "/events"})
	events.until("done")
	s := ann.dialled(id)
	s.until("done")

	w.revoke("ann")

	if rest := events.rest(); len(rest) > 0 {
		t.Errorf("the stream brought %d events more", len(rest))
	}
	if got := s.ended(); got != websocket.StatusPolicyViolation {
		t.Errorf("the websocket ended with %v, want a policy violation", got)
	}
}

func TestWebsocketTakesNothingFromAnEndedToken(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	ann := w.as(w.tenant, "ann", auth.Member)
	id := ann.begin("business_profile")
	s := ann.dialled(id)
	s.until("done")
	w.revoke("ann")

	s.send(`{"type":"message","message":"We bake bread","clientMessageId":"late"}`)

	frames := s.until("problem")
	if got := frames[len(frames)-1].Data["code"]; got != "token_unknown" {
		t.Errorf("code %v, want token_unknown", got)
	}
	if got := s.ended(); got != websocket.StatusPolicyViolation {
		t.Errorf("the websocket ended with %v, want a policy violation", got)
	}
	turn, err := sessions.TurnByPersonMessage(t.Context(), w.pool, w.tenant, "ann", "business_profile", "late")
	if err != nil || turn != nil {
		t.Errorf("the message began %+v, %v", turn, err)
	}
}

// A reviewer reads every interview; a member reads their own.
func TestStreamsEndWithTheRoleTheyNeed(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true}).hasty()
	ann, rita := w.as(w.tenant, "ann", auth.Member), w.as(w.tenant, "rita", auth.Reviewer)
	id := ann.begin("business_profile")
	hers := ann.stream(request{path: "/api/v1/sessions/" + id + "/events"})
	hers.until("done")
	others := rita.stream(request{path: "/api/v1/sessions/" + id + "/events"})
	others.until("done")
	s := rita.dialled(id)
	s.until("done")

	for user, role := range map[string]auth.Role{"rita": auth.Member, "ann": auth.Viewer} {
		if err := auth.SetRole(t.Context(), w.pool, auth.Actor{Tenant: w.tenant, User: "boss", Role: auth.Owner}, user, role); err != nil {
			t.Fatal(err)
		}
	}

	if rest := others.rest(); len(rest) > 0 {
		t.Errorf("the stream brought %d events more", len(rest))
	}
	if got := s.ended(); got != websocket.StatusPolicyViolation {
		t.Errorf("the websocket ended with %v, want a policy violation", got)
	}
	w.as(w.tenant, "max", auth.Reviewer).say(turnBody{SessionID: id, Message: "We bake bread"})
	hers.until("done") // who may still read goes on reading
}

func TestRunStreamsEndWithTheirToken(t *testing.T) {
	t.Parallel()

	d := openData(t)
	w := d.hasty()
	rita := w.as(w.tenant, "rita", auth.Reviewer)
	run := d.start(nil)
	events := rita.stream(request{path: "/api/v1/runs/" + run.ID + "/events"})

	w.revoke("rita")

	events.rest() // ends
}
