package webtest

import (
	"encoding/json"
	"io"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"quaestor/web/talk"
)

// Sent posts a form as a page without scripts does and returns the answer's status
// and page.
func (w *World) Sent(path string, form url.Values) (int, string) {
	w.T.Helper()
	resp := w.Do(Request{Path: path, Body: form.Encode(), Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}})
	page, err := io.ReadAll(resp.Body)
	if err != nil {
		w.T.Fatal(err)
	}
	return resp.StatusCode, string(page)
}

func TestIDs(t *testing.T, page, id string) []*html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	return Pieces(root, id)
}

// Torn is a session in which two people told different budgets.
func (w *World) Torn() string {
	w.T.Helper()
	id := w.Begin("idea_discovery")
	for _, told := range []struct{ user, budget string }{{"developer", "8000"}, {"ben", "20000"}} {
		w.Say(talk.TurnBody{SessionID: id, UserID: told.user, Message: "Budget: " + told.budget, Answers: map[string]json.RawMessage{"budget": json.RawMessage(told.budget)}})
	}
	return id
}
