package models_test

import (
	"testing"

	"quaestor/internal/llm"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/internal/secret/seal"
	"quaestor/sessions/settings/models"
)

func TestModelsAreAskedInTheirOrder(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	one, two := llmtest.New(t), llmtest.New(t)
	a, b := l.create(spec("a", one)), l.create(spec("b", two))
	if got := l.says(l.clients().Talking); got != "a" {
		t.Errorf("%s answers, want the first", got)
	}
	for name, fails := range map[string]llmtest.Reply{"refuses": llmtest.Status(401, 0), "is busy": llmtest.Status(429, 0), "is in trouble": llmtest.Status(502, 0)} {
		one.Enqueue(fails)
		if got := l.says(l.clients().Talking); got != "b" {
			t.Errorf("the first %s: %s answers, want the second", name, got)
		}
	}
	if !one.Requests()[0].HasKey {
		t.Error("the key is not sent")
	}
	one.Close()
	if got := l.says(l.clients().Talking); got != "b" {
		t.Errorf("the first is gone: %s answers, want the second", got)
	}
	if err := l.store.Order(t.Context(), l.tenant, "someone", []string{b.ID, a.ID}); err != nil {
		t.Fatal(err)
	}
	if got := l.clients().Talking.Model(); got != "b" {
		t.Errorf("%s is first, want b", got)
	}
}

func TestRolesHaveTheirModels(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	srv := llmtest.New(t)
	server, err := llm.New(llm.Options{BaseURL: srv.URL(), Model: "server"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	l.store = l.with(func(o *models.Options) { o.Server = server })
	if c := l.clients(); c.Reading != server || c.Talking != server {
		t.Errorf("nothing is set: %+v, want the server's model", c)
	}
	small := spec("small", srv)
	small.Role = models.Reading
	l.create(small)
	if c := l.clients(); l.says(c.Reading) != "small" || c.Talking != server {
		t.Error("a role without models of its own is not left to the server's")
	}
	large := spec("large", srv)
	large.Role = models.Talking
	l.create(large)
	if c := l.clients(); l.says(c.Reading) != "small" || l.says(c.Talking) != "large" {
		t.Error("each role has another's model")
	}
	other := postgrestest.Tenant(t, l.pool)
	if c, err := l.store.Clients(t.Context(), other); err != nil || c.Talking != server {
		t.Errorf("another organisation has %+v, %v, want the server's", c, err)
	}
}

// What an organisation says to its own models is said to no other, even when these fail.
func TestOwnModelsAreNeverReplacedByTheServers(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	own, others := llmtest.New(t), llmtest.New(t)
	server, err := llm.New(llm.Options{BaseURL: others.URL(), Model: "server"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	l.create(spec("own", own))
	own.Handle(func(llmtest.Request) llmtest.Reply { return llmtest.Status(401, 0) })
	l.store = l.with(func(o *models.Options) { o.Server = server })
	if got := l.says(l.clients().Talking); got != string(llm.Refused) {
		t.Errorf("%s answers, want nobody", got)
	}
	l.store = l.with(func(o *models.Options) { o.Server, o.Sealer = server, seal.Sealer{} })
	if c := l.clients(); c.Talking != nil || c.Reading != nil {
		t.Errorf("a model whose key is lost is replaced by %+v", c)
	}
	if n := len(others.Requests()); n != 0 {
		t.Errorf("the server's model was asked %d times", n)
	}
}

func TestClientsLastAsLongAsTheirRows(t *testing.T) {
	t.Parallel()

	l, srv := newLab(t), llmtest.New(t)
	m := l.create(spec("a", srv))
	first := l.clients()
	if first.Reading != first.Talking {
		t.Error("one model for both roles has two clients")
	}
	if again := l.clients(); again != first {
		t.Error("the same row gives another client")
	}
	if _, err := l.store.Update(t.Context(), l.tenant, "someone", m.ID, 1, spec("b", srv)); err != nil {
		t.Fatal(err)
	}
	if got := l.says(l.clients().Talking); got != "b" {
		t.Errorf("after the change %s answers", got)
	}
	if err := l.store.Delete(t.Context(), l.tenant, "someone", m.ID); err != nil {
		t.Fatal(err)
	}
	if c := l.clients(); c.Talking != nil {
		t.Error("a deleted model is asked")
	}
}

// A day's calls are counted in the database, so that several servers keep one bound.
func TestCallsOfADayAreBounded(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	one, two := llmtest.New(t), llmtest.New(t)
	d := spec("a", one)
	d.Limits.DailyCalls = 2
	l.create(d)
	l.create(spec("b", two))
	elsewhere, err := l.with(nil).Clients(t.Context(), l.tenant)
	if err != nil {
		t.Fatal(err)
	}
	got := []string{l.says(l.clients().Talking), l.says(elsewhere.Reading), l.says(l.clients().Talking), l.says(elsewhere.Talking)}
	for i, want := range []string{"a", "a", "b", "b"} {
		if got[i] != want {
			t.Errorf("%v answer, want a twice and then b", got)
			break
		}
	}
	super := postgrestest.Superuser(t, l.pool)
	if _, err := super.Exec(t.Context(), "UPDATE tenant_models SET called_on = called_on - 1 WHERE called_on IS NOT NULL"); err != nil {
		t.Fatal(err)
	}
	if got := l.says(l.clients().Talking); got != "a" {
		t.Errorf("on the next day %s answers", got)
	}
}
