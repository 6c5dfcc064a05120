package webtest

import (
	"net/http"
	"slices"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/talk"
)

// ObligationSeen is what these tests read of an obligation.
type ObligationSeen struct {
	Key        string   `json:"key"`
	Label      string   `json:"label"`
	Status     string   `json:"status"`
	Layer      string   `json:"originLayer"`
	MergedInto string   `json:"mergedInto"`
	SplitInto  []string `json:"splitInto"`
}

// Volunteer has somebody bring something up in a new session, and returns it.
func Volunteer(w *World, words string) string {
	w.T.Helper()
	session := Fetch[web.SessionBody](w, http.StatusCreated, Request{Path: "/api/v1/sessions", Body: map[string]string{"contextType": "business_profile"}})
	events := w.Say(talk.TurnBody{SessionID: session.ID, Message: words})
	if !slices.ContainsFunc(events, func(e Told) bool { return e.Type == sessions.KindObligation && e.Data["category"] == "Came up" }) {
		w.T.Fatalf("%q brought nothing up", words)
	}
	return session.ID
}

func EmergentIn(w *World, session string) ObligationSeen {
	w.T.Helper()
	list := Fetch[web.Page[ObligationSeen]](w, http.StatusOK, Request{Path: "/api/v1/sessions/" + session + "/obligations"})
	i := slices.IndexFunc(list.Items, func(o ObligationSeen) bool { return o.Layer == string(obligations.SessionOnly) })
	if i < 0 {
		w.T.Fatal("nothing came up")
	}
	return list.Items[i]
}
