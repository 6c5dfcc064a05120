package web

import (
	"context"
	"testing"

	"quaestor/internal/auth"
	"quaestor/obligations"
	"quaestor/sessions"
)

// A turn that ends while a page is being drawn is in it whole, or in what the
// page's stream brings: never its words here and its question nowhere.
func TestPageDrawnWhileATurnEndsAsksItsQuestion(t *testing.T) {
	w := open(t, terms{})
	made := fetch[sessionBody](w, 201, request{path: "/api/v1/sessions", body: map[string]string{"contextType": "idea_discovery"}})
	before, err := sessions.Find(t.Context(), w.pool, obligations.Scope{Tenant: w.tenant, Session: made.ID})
	if err != nil {
		t.Fatal(err)
	}

	w.say(turnBody{SessionID: made.ID})
	ctx := context.WithValue(t.Context(), actorKey, auth.Actor{Tenant: w.tenant, User: "developer", Role: auth.Owner})
	v, err := w.server.chatView(ctx, before)
	if err != nil {
		t.Fatal(err)
	}

	if v.Question == nil || len(v.Messages) != 1 || v.Session.Phase == "" {
		t.Errorf("the page shows %d messages and asks %v, want the opening and its question", len(v.Messages), v.Question)
	}
}
