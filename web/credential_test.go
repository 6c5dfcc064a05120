package web_test

import (
	"testing"

	"github.com/coder/websocket"

	"quaestor/internal/auth"
	"quaestor/sessions"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

func TestStreamsEndWithTheTokenTheyWereOpenedWith(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true}).Hasty()
	ann := w.As(w.Tenant, "ann", auth.Member)
	id := ann.Begin("business_profile")
	events := ann.Stream(webtest.Request{Path: "/api/v1/sessions/" + id + "/events"})
	events.Until("done")
	s := ann.Dialled(id)
	s.Until("done")

	w.Revoke("ann")

	if rest := events.Rest(); len(rest) > 0 {
		t.Errorf("the stream brought %d events more", len(rest))
	}
	if got := s.Ended(); got != websocket.StatusPolicyViolation {
		t.Errorf("the websocket ended with %v, want a policy violation", got)
	}
}

func TestWebsocketTakesNothingFromAnEndedToken(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	ann := w.As(w.Tenant, "ann", auth.Member)
	id := ann.Begin("business_profile")
	s := ann.Dialled(id)
	s.Until("done")
	w.Revoke("ann")

	s.Send(`{"type":"message","message":"We bake bread","clientMessageId":"late"}`)

	frames := s.Until("problem")
	if got := frames[len(frames)-1].Data["code"]; got != "token_unknown" {
		t.Errorf("code %v, want token_unknown", got)
	}
	if got := s.Ended(); got != websocket.StatusPolicyViolation {
		t.Errorf("the websocket ended with %v, want a policy violation", got)
	}
	turn, err := sessions.TurnByPersonMessage(t.Context(), w.Pool, w.Tenant, "ann", "business_profile", "late")
	if err != nil || turn != nil {
		t.Errorf("the message began %+v, %v", turn, err)
	}
}

// A reviewer reads every interview; a member reads their own.
func TestStreamsEndWithTheRoleTheyNeed(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true}).Hasty()
	ann, rita := w.As(w.Tenant, "ann", auth.Member), w.As(w.Tenant, "rita", auth.Reviewer)
	id := ann.Begin("business_profile")
	hers := ann.Stream(webtest.Request{Path: "/api/v1/sessions/" + id + "/events"})
	hers.Until("done")
	others := rita.Stream(webtest.Request{Path: "/api/v1/sessions/" + id + "/events"})
	others.Until("done")
	s := rita.Dialled(id)
	s.Until("done")

	for user, role := range map[string]auth.Role{"rita": auth.Member, "ann": auth.Viewer} {
		if err := auth.SetRole(t.Context(), w.Pool, auth.Actor{Tenant: w.Tenant, User: "boss", Role: auth.Owner}, user, role); err != nil {
			t.Fatal(err)
		}
	}

	if rest := others.Rest(); len(rest) > 0 {
		t.Errorf("the stream brought %d events more", len(rest))
	}
	if got := s.Ended(); got != websocket.StatusPolicyViolation {
		t.Errorf("the websocket ended with %v, want a policy violation", got)
	}
	w.As(w.Tenant, "max", auth.Reviewer).Say(talk.TurnBody{SessionID: id, Message: "We bake bread"})
	hers.Until("done") // who may still read goes on reading
}

func TestRunStreamsEndWithTheirToken(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	w := d.Hasty()
	rita := w.As(w.Tenant, "rita", auth.Reviewer)
	run := d.Start(nil)
	events := rita.Stream(webtest.Request{Path: "/api/v1/runs/" + run.ID + "/events"})

	w.Revoke("rita")

	events.Rest() // ends
}
