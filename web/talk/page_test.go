package talk_test

import (
	"testing"

	"quaestor/internal/auth"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

// A turn that ends while a page is being drawn is on the page completely, or comes through
// its stream: the page never shows the reply without its question.
func TestPageDrawnWhileATurnEndsAsksItsQuestion(t *testing.T) {
	w := webtest.Open(t, webtest.Terms{})
	made := webtest.Fetch[web.SessionBody](w, 201, webtest.Request{Path: "/api/v1/sessions", Body: map[string]string{"contextType": "idea_discovery"}})
	before, err := sessions.Find(t.Context(), w.Pool, obligations.Scope{Tenant: w.Tenant, Session: made.ID})
	if err != nil {
		t.Fatal(err)
	}

	w.Say(talk.TurnBody{SessionID: made.ID})
	ctx := web.WithActor(t.Context(), auth.Actor{Tenant: w.Tenant, User: "developer", Role: auth.Owner})
	v, err := talk.ChatViewOf(w.Server.Talk, ctx, before)
	if err != nil {
		t.Fatal(err)
	}

	if v.Question == nil || len(v.Messages) != 1 || v.Session.Phase == "" {
		t.Errorf("the page shows %d messages and asks %v, want the opening and its question", len(v.Messages), v.Question)
	}
}
