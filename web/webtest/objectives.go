package webtest

import (
	"net/http"
	"net/url"
	"strings"

	"quaestor/internal/auth"
	"quaestor/sessions/objectives"
)

// DraftOf begins a draft of the active version of a context and returns its id.
func (w *World) DraftOf(contextType string) string {
	w.T.Helper()
	o, err := w.Server.Library.Active(w.T.Context(), w.Tenant, contextType)
	if err != nil {
		w.T.Fatal(err)
	}
	resp := w.Do(Filled("/drafts", url.Values{"from": {"version"}, "version": {o.ID}}))
	id, ok := strings.CutPrefix(resp.Header.Get("Location"), "/drafts/")
	if resp.StatusCode != http.StatusSeeOther || !ok {
		w.T.Fatalf("beginning a draft answered %d, to %q", resp.StatusCode, resp.Header.Get("Location"))
	}
	return id
}

// Draft is a Draft as it is stored.
func (w *World) Draft(id string) objectives.Draft {
	w.T.Helper()
	d, err := objectives.FindDraft(w.T.Context(), w.Pool, w.Tenant, id)
	if err != nil {
		w.T.Fatal(err)
	}
	return d
}

// As2 is the world seen by an owner of that name.
func (w *World) As2(user string) *World { return w.As(w.Tenant, user, auth.Owner) }
