package models_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"quaestor/internal/fault"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/internal/secret"
	"quaestor/internal/secret/seal"
	"quaestor/sessions/settings"
	"quaestor/sessions/settings/models"
)

func TestKeysAreSealedAndNeverShown(t *testing.T) {
	t.Parallel()

	l, srv := newLab(t), llmtest.New(t)
	m := l.create(spec("small", srv))
	if !m.HasKey || strings.Contains(fmt.Sprintf("%+v %#v %+v", m, m, spec("small", srv)), "sesame") {
		t.Errorf("the key is not kept, or shown: %+v", m)
	}
	var sealed []byte
	super := postgrestest.Superuser(t, l.pool)
	if err := super.QueryRow(t.Context(), "SELECT sealed FROM tenant_models").Scan(&sealed); err != nil || len(sealed) == 0 || bytes.Contains(sealed, []byte("sesame")) {
		t.Errorf("%q, %v", sealed, err)
	}
	other := l.create(spec("other", srv))
	if _, err := super.Exec(t.Context(), "UPDATE tenant_models SET sealed = $1 WHERE id = $2", sealed, other.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := l.store.Test(t.Context(), l.tenant, other.ID); !fault.Is(err, fault.Unavailable) {
		t.Errorf("a key of another row opens: %v", err)
	}
	keyless := l.with(func(o *models.Options) { o.Sealer = seal.Sealer{} })
	if _, err := keyless.Create(t.Context(), l.tenant, "someone", spec("third", srv)); !fault.Is(err, fault.Unavailable) {
		t.Errorf("without keys to seal with, a key is kept: %v", err)
	}
	if _, err := keyless.Create(t.Context(), l.tenant, "someone", models.Spec{Name: "open", BaseURL: srv.URL()}); err != nil {
		t.Errorf("a model that needs no key is refused: %v", err)
	}
}

func TestSpecsThatCannotBe(t *testing.T) {
	t.Parallel()

	l, srv := newLab(t), llmtest.New(t)
	for _, tt := range []struct {
		field  string
		change func(*models.Spec)
	}{
		{"name", func(d *models.Spec) { d.Name = " " }},
		{"name", func(d *models.Spec) { d.Name = strings.Repeat("m", 201) }},
		{"baseUrl", func(d *models.Spec) { d.BaseURL = "" }},
		{"baseUrl", func(d *models.Spec) { d.BaseURL = "models.example.org" }},
		{"baseUrl", func(d *models.Spec) { d.BaseURL = "file:///etc/passwd" }},
		{"baseUrl", func(d *models.Spec) { d.BaseURL = "https://user:sesame@models.example.org/v1" }},
		{"baseUrl", func(d *models.Spec) { d.BaseURL = "https://models.example.org/v1?key=sesame" }},
		{"key", func(d *models.Spec) { d.Key = secret.New("sesame\r\nHost: other") }},
		{"key", func(d *models.Spec) { d.Key = secret.New(strings.Repeat("k", 5000)) }},
		{"role", func(d *models.Spec) { d.Role = "singing" }},
		{"seconds", func(d *models.Spec) { d.Limits.Seconds = 601 }},
		{"tokens", func(d *models.Spec) { d.Limits.Tokens = -1 }},
		{"dailyCalls", func(d *models.Spec) { d.Limits.DailyCalls = 10_000_001 }},
	} {
		d := spec("m", srv)
		tt.change(&d)
		_, err := l.store.Create(t.Context(), l.tenant, "someone", d)
		wantFault(t, tt.field, err, fault.Unprocessable, tt.field)
		if err != nil && strings.Contains(err.Error(), "sesame") {
			t.Errorf("the refusal shows what was typed: %v", err)
		}
	}
	if list, err := l.store.List(t.Context(), l.tenant); err != nil || len(list) != 0 {
		t.Errorf("%d models, %v", len(list), err)
	}
}

func TestChangedAddressNeedsItsKeyAgain(t *testing.T) {
	t.Parallel()

	l, srv := newLab(t), llmtest.New(t)
	m := l.create(spec("small", srv))
	d := spec("smaller", srv)
	d.Key = secret.Secret{}
	m, err := l.store.Update(t.Context(), l.tenant, "someone", m.ID, m.Version, d)
	if err != nil || m.Name != "smaller" || !m.HasKey || m.Version != 2 {
		t.Fatalf("%+v, %v", m, err)
	}
	d.BaseURL = "https://models.attacker.example/v1"
	_, err = l.store.Update(t.Context(), l.tenant, "someone", m.ID, m.Version, d)
	wantFault(t, "the kept key goes elsewhere", err, fault.Unprocessable, "key")
	_, err = l.store.TestSpec(t.Context(), l.tenant, m.ID, d)
	wantFault(t, "the kept key is tried elsewhere", err, fault.Unprocessable, "key")
	if _, err := l.store.Update(t.Context(), l.tenant, "someone", m.ID, 1, spec("m", srv)); !fault.Is(err, fault.Conflict) {
		t.Errorf("an old version: %v", err)
	}
}

func TestOrderIsThatOfThePeople(t *testing.T) {
	t.Parallel()

	l, srv := newLab(t), llmtest.New(t)
	a, b, c := l.create(spec("a", srv)), l.create(spec("b", srv)), l.create(spec("c", srv))
	names := func() (out []string) {
		list, err := l.store.List(t.Context(), l.tenant)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range list {
			out = append(out, m.Name)
		}
		return out
	}
	if err := l.store.Order(t.Context(), l.tenant, "someone", []string{c.ID, a.ID, b.ID}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"c", "a", "b"}, names()); diff != "" {
		t.Error(diff)
	}
	for what, ids := range map[string][]string{"one is missing": {a.ID, b.ID}, "one twice": {a.ID, a.ID, b.ID}, "a stranger": {a.ID, b.ID, "no-id"}} {
		if err := l.store.Order(t.Context(), l.tenant, "someone", ids); !fault.Is(err, fault.Conflict) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := l.store.Delete(t.Context(), l.tenant, "someone", a.ID); err != nil {
		t.Fatal(err)
	}
	l.create(spec("d", srv))
	if diff := cmp.Diff([]string{"c", "b", "d"}, names()); diff != "" {
		t.Error(diff)
	}
}

func TestChangesStandInTheJournal(t *testing.T) {
	t.Parallel()

	l, srv := newLab(t), llmtest.New(t)
	a, b := l.create(spec("a", srv)), l.create(spec("b", srv))
	d := spec("a", srv)
	d.Role = models.Reading
	if _, err := l.store.Update(t.Context(), l.tenant, "another", a.ID, 1, d); err != nil {
		t.Fatal(err)
	}
	if err := l.store.Order(t.Context(), l.tenant, "someone", []string{b.ID, a.ID}); err != nil {
		t.Fatal(err)
	}
	if err := l.store.Delete(t.Context(), l.tenant, "someone", b.ID); err != nil {
		t.Fatal(err)
	}
	lines, err := settings.Journal(t.Context(), l.pool, l.tenant, 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range lines {
		got = append(got, fmt.Sprint(e.Kind, ": ", e.Actor, " ", e.Detail.Says, " ", e.Subject))
	}
	want := []string{"model: someone deleted the model b", "model: someone put the models in this order: b, a", "model: another changed the key, the role of the model a",
		"model: someone added the model b", "model: someone added the model a"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTenantsAreApart(t *testing.T) {
	t.Parallel()

	l, srv := newLab(t), llmtest.New(t)
	m := l.create(spec("small", srv))
	other := postgrestest.Tenant(t, l.pool)
	for name, do := range map[string]func(tenant string) error{
		"find": func(tenant string) error { _, err := l.store.Find(t.Context(), tenant, m.ID); return err },
		"test": func(tenant string) error { _, err := l.store.Test(t.Context(), tenant, m.ID); return err },
		"test spec": func(tenant string) error {
			d := spec("small", srv)
			d.Key = secret.Secret{}
			_, err := l.store.TestSpec(t.Context(), tenant, m.ID, d)
			return err
		},
		"update": func(tenant string) error {
			_, err := l.store.Update(t.Context(), tenant, "x", m.ID, 1, spec("m", srv))
			return err
		},
		"delete": func(tenant string) error { return l.store.Delete(t.Context(), tenant, "x", m.ID) },
	} {
		if err := do(other); !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := l.store.Order(t.Context(), other, "x", []string{m.ID}); !fault.Is(err, fault.Conflict) {
		t.Errorf("order: %v", err)
	}
	if c, err := l.store.Clients(t.Context(), other); err != nil || c.Talking != nil || c.Reading != nil {
		t.Errorf("clients: %+v, %v", c, err)
	}
	// Neither does the database show the row to another tenant, whatever a query says.
	err := postgres.InTx(t.Context(), l.pool, other, func(tx pgx.Tx) error {
		n := 0
		if err := tx.QueryRow(t.Context(), "SELECT count(*) FROM tenant_models").Scan(&n); err != nil || n != 0 {
			t.Errorf("%d rows of another tenant, %v", n, err)
		}
		tag, err := tx.Exec(t.Context(), "DELETE FROM tenant_models")
		if tag.RowsAffected() != 0 {
			t.Errorf("%d rows of another tenant are deleted", tag.RowsAffected())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if len(srv.Requests()) != 0 {
		t.Errorf("the model was asked %d times for another tenant", len(srv.Requests()))
	}
}

func TestResealUsesTheNewestKey(t *testing.T) {
	t.Parallel()

	l, srv := newLab(t), llmtest.New(t)
	m := l.create(spec("small", srv))
	keys, err := seal.Rotate(l.keys)
	if err != nil {
		t.Fatal(err)
	}
	sealer, err := seal.New(keys)
	if err != nil {
		t.Fatal(err)
	}
	rotated := l.with(func(o *models.Options) { o.Sealer = sealer })
	if n, err := rotated.Reseal(t.Context(), l.tenant); err != nil || n != 1 {
		t.Fatalf("%d, %v", n, err)
	}
	if _, err := rotated.Test(t.Context(), l.tenant, m.ID); err != nil {
		t.Errorf("the new key does not open it: %v", err)
	}
	if _, err := l.store.Test(t.Context(), l.tenant, m.ID); !fault.Is(err, fault.Unavailable) {
		t.Errorf("the old key opens it still: %v", err)
	}
}
