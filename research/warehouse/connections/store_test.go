package connections_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/internal/secret"
	"quaestor/internal/secret/seal"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/wire"
)

func TestSecretsAreSealedAndNeverShown(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	w := l.create(l.draft())
	if !w.HasSecret || strings.Contains(fmt.Sprintf("%+v %#v", w, w), "sesame") {
		t.Errorf("%+v", w)
	}
	var sealed []byte
	super := postgrestest.Superuser(t, l.pool)
	if err := super.QueryRow(t.Context(), "SELECT sealed FROM warehouses").Scan(&sealed); err != nil || len(sealed) == 0 || bytes.Contains(sealed, []byte("sesame")) {
		t.Errorf("%q, %v", sealed, err)
	}
	if _, err := l.store.Test(t.Context(), l.tenant, w.ID); err != nil {
		t.Error(err)
	}
	other := l.create(named(l.draft(), "Other"))
	if _, err := super.Exec(t.Context(), "UPDATE warehouses SET sealed = $1 WHERE id = $2", sealed, other.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := l.store.Test(t.Context(), l.tenant, other.ID); !fault.Is(err, fault.Unavailable) {
		t.Errorf("a secret of another row opens: %v", err)
	}
	keyless := l.with(seal.Sealer{})
	if _, err := keyless.Create(t.Context(), l.tenant, "someone", named(l.draft(), "Third")); !fault.Is(err, fault.Unavailable) {
		t.Errorf("without keys a secret is kept: %v", err)
	}
	if _, err := keyless.Test(t.Context(), l.tenant, w.ID); !fault.Is(err, fault.Unavailable) {
		t.Errorf("without keys a secret opens: %v", err)
	}
}

func named(d connections.Spec, name string) connections.Spec {
	d.Name = name
	return d
}

func TestDraftsThatCannotBe(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.create(named(l.draft(), "Taken"))
	for field, change := range map[string]func(*connections.Spec){
		"name":           func(d *connections.Spec) { d.Name = " " },
		"kind":           func(d *connections.Spec) { d.Kind = "oracle" },
		"options.host":   func(d *connections.Spec) { delete(d.Options, wire.Host) },
		"options.tls":    func(d *connections.Spec) { d.Options[wire.Security] = "maybe" },
		"options.colour": func(d *connections.Spec) { d.Options["colour"] = "red" },
		"filter":         func(d *connections.Spec) { d.Filter.Column = "tenant" },
		"limits.time":    func(d *connections.Spec) { d.Limits.Time = time.Hour },
		"limits.rows":    func(d *connections.Spec) { d.Limits.Rows = -1 },
		"limits.memory":  func(d *connections.Spec) { d.Limits.Memory = 1 },
		"schemas":        func(d *connections.Spec) { d.Schemas = []string{strings.Repeat("x", 300)} },
		"secret":         func(d *connections.Spec) { d.Secret = secret.New(strings.Repeat("x", 70_000)) },
	} {
		d := l.draft()
		change(&d)
		_, err := l.store.Create(t.Context(), l.tenant, "someone", d)
		var f *fault.Error
		if !errors.As(err, &f) || f.Field != field || f.Kind != fault.Unprocessable {
			t.Errorf("%s: %v", field, err)
		}
	}
	if _, err := l.store.Create(t.Context(), l.tenant, "someone", named(l.draft(), "Ta\u202eken\u200b")); !fault.Is(err, fault.Conflict) { // that looks the same
		t.Errorf("a name twice: %v", err)
	}
	if list, err := l.store.List(t.Context(), l.tenant); err != nil || len(list) != 1 {
		t.Errorf("%d warehouses, %v", len(list), err)
	}
}

func TestChangedAddressNeedsItsSecretAgain(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	w := l.create(l.draft())
	d := l.draft()
	d.Secret = secret.Secret{}
	d.Name = "Renamed"
	w, err := l.store.Update(t.Context(), l.tenant, w.ID, w.Version, d)
	if err != nil || w.Name != "Renamed" || !w.HasSecret || w.Version != 2 {
		t.Fatalf("%+v, %v", w, err)
	}
	d.Options[wire.Host] = "db.attacker.example"
	if _, err := l.store.Update(t.Context(), l.tenant, w.ID, w.Version, d); !fault.Is(err, fault.Unprocessable) {
		t.Errorf("the kept secret goes to another address: %v", err)
	}
	if _, err := l.store.TestDraft(t.Context(), l.tenant, w.ID, d); !fault.Is(err, fault.Unprocessable) {
		t.Errorf("the kept secret is tried at another address: %v", err)
	}
	if _, err := l.store.Update(t.Context(), l.tenant, w.ID, 1, l.draft()); !fault.Is(err, fault.Conflict) {
		t.Errorf("an old version: %v", err)
	}
}

func TestTestsSayWhatTheRoleMayDo(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	w := l.create(l.draft())
	got, err := l.store.Test(t.Context(), l.tenant, w.ID)
	if err != nil || !got.Well || !got.CanWrite || len(got.Why) == 0 || got.Tables != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	kept, err := l.store.Find(t.Context(), l.tenant, w.ID)
	if err != nil || kept.Test == nil || kept.Test.Says != got.Says || !kept.Test.At.Equal(got.At) {
		t.Errorf("%+v, %v", kept.Test, err)
	}
	d := l.draft()
	d.Options[wire.Host] = "/nowhere"
	got, err = l.store.TestDraft(t.Context(), l.tenant, "", d)
	if err != nil || got.Well || got.Class != warehouse.Unreachable || strings.Contains(got.Says, "sesame") {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestTenantsAreApart(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	w, _ := l.open(l.store, l.draft())
	other := postgrestest.Tenant(t, l.pool)
	for name, do := range map[string]func() error{
		"find":   func() error { _, err := l.store.Find(t.Context(), other, w.ID); return err },
		"test":   func() error { _, err := l.store.Test(t.Context(), other, w.ID); return err },
		"update": func() error { _, err := l.store.Update(t.Context(), other, w.ID, 1, l.draft()); return err },
		"delete": func() error { return l.store.Delete(t.Context(), other, w.ID) },
		"reach":  func() error { _, _, err := l.store.Reach(t.Context(), other, w.ID); return err },
		"open":   func() error { _, err := l.store.Open(t.Context(), other, w.ID, connections.View{}); return err },
		"none":   func() error { return l.store.Delete(t.Context(), l.tenant, "no-id") },
	} {
		if err := do(); !fault.Is(err, fault.NotFound) && (name != "open" || !fault.Is(err, fault.Conflict)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if list, err := l.store.List(t.Context(), other); err != nil || len(list) != 0 {
		t.Errorf("%d, %v", len(list), err)
	}
}

func TestDeletingKeepsTheAudit(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	w, src := l.open(l.store, l.draft())
	if _, err := src.Ask(t.Context(), warehouse.Query{SQL: "SELECT 1"}); err != nil {
		t.Fatal(err)
	}
	if err := l.store.Delete(t.Context(), l.tenant, w.ID); err != nil {
		t.Fatal(err)
	}
	err := postgres.InTx(t.Context(), l.pool, l.tenant, func(tx pgx.Tx) error {
		for table, want := range map[string]int{"warehouses": 0, "warehouse_tables": 0, "warehouse_statements": 1} {
			n := 0
			if err := tx.QueryRow(t.Context(), "SELECT count(*) FROM "+table).Scan(&n); err != nil || n != want {
				t.Errorf("%d rows in %s, %v", n, table, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestResealUsesTheNewestKey(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	w := l.create(l.draft())
	keys, err := seal.Rotate(l.keys)
	if err != nil {
		t.Fatal(err)
	}
	rotated, err := seal.New(keys)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := l.with(rotated).Reseal(t.Context(), l.tenant); err != nil || n != 1 {
		t.Fatalf("%d, %v", n, err)
	}
	if got, err := l.with(rotated).Test(t.Context(), l.tenant, w.ID); err != nil || !got.Well {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := l.store.Test(t.Context(), l.tenant, w.ID); !fault.Is(err, fault.Unavailable) {
		t.Errorf("the old key opens it still: %v", err)
	}
}
