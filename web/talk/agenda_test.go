package talk_test

import (
	"net/http"
	"testing"

	"quaestor/chat"
	"quaestor/internal/auth"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/web/webtest"
)

func TestAgendaOfASession(t *testing.T) {
	t.Parallel()

	c := webtest.OpenTown(t)
	anna := c.People["anna"]
	path := "/api/v1/sessions/" + c.Session + "/agenda"

	a := webtest.Fetch[chat.Agenda](anna, http.StatusOK, webtest.Request{Path: path})
	total, open := 0, 0
	for _, p := range a.Parts {
		total, open = total+p.Total, open+len(p.Open)
		if p.Total != p.Resolved+len(p.Open) || p.State == chat.PartDone && len(p.Open) > 0 {
			t.Errorf("part %+v does not add up", p)
		}
	}
	if len(a.Parts) < 2 || total == 0 || open > 0 && a.Minutes == 0 {
		t.Errorf("agenda %+v", a)
	}

	other := anna.As(postgrestest.Tenant(t, c.Pool), "stranger", auth.Owner)
	if res := other.Do(webtest.Request{Path: path}); res.StatusCode != http.StatusNotFound {
		t.Errorf("another organisation is answered %d, want 404", res.StatusCode)
	}
}
