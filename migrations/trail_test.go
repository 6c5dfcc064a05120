package migrations_test

import (
	"database/sql"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/pressly/goose/v3"

	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/migrations"
)

// beforeTrail is the last version whose audit trail was one row an event.
const beforeTrail = 19

// line is an event of the audit trail.
type line struct {
	Turn                 int
	Key, Type, Old, New  string
	Was, Is, Source, Set string
}

// lines reads a session's audit trail in order.
const lines = `SELECT turn_number, obligation_key, event_type::text, coalesce(old_status, ''), coalesce(new_status, ''),
	coalesce(old_confidence::text, ''), coalesce(new_confidence::text, ''), source, metadata::text
	FROM obligation_events WHERE session_id = $1 ORDER BY id`

// An audit trail from before is moved whole and in order, though its owner is held
// to the policies too, and goes on after it.
func TestTrailOfBeforeIsMoved(t *testing.T) {
	t.Parallel()

	hosted, super := lodged(t)
	upTo(t, hosted, beforeTrail)
	tenant, session := "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"
	for _, statement := range []string{
		`INSERT INTO tenants (id, name) VALUES ($1, $2)`,
		`INSERT INTO discovery_objectives (tenant_id, id, context_type, display_name, config) VALUES ($1, $2, 'shop', 'Shop', '{}')`,
		`INSERT INTO elicitation_sessions (tenant_id, id, objective_id, context_type, user_id) VALUES ($1, $2, $2, 'shop', 'someone')`,
		`INSERT INTO obligation_events (tenant_id, session_id, obligation_key, event_type, new_status, new_confidence, source, metadata, turn_number)
		 SELECT $1, $2::uuid, 'key_' || i, 'created', 'pending', 0, 'objective', '{"set": {}}', 0 FROM generate_series(1, 1100) AS i`,
		`INSERT INTO obligation_events (tenant_id, session_id, obligation_key, event_type, old_status, new_status, old_confidence, new_confidence, source, metadata, turn_number)
		 SELECT $1, $2::uuid, 'key_' || i, 'value_extracted', 'pending', 'satisfied', 0, 0.92, 'conversation', jsonb_build_object('set', jsonb_build_object('value', 'Käse "' || i || '"')), 1
		 FROM generate_series(3, 1, -1) AS i`,
	} {
		if _, err := super.Exec(t.Context(), statement, tenant, session); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	want := trail(t, super, session)

	if err := migrations.Up(t.Context(), hosted); err != nil {
		t.Fatal(err)
	}

	got := trail(t, super, session)
	if diff := cmp.Diff(want, got); diff != "" || len(got) != 1103 {
		t.Errorf("%d events are left (-want +got):\n%s", len(got), diff)
	}
	if _, err := super.Exec(t.Context(), `INSERT INTO obligation_trail (tenant_id, session_id, turn_number, events) VALUES ($1, $2, 2, '[{"obligation_key": "last", "event_type": "created", "source": "objective", "metadata": {}}]')`, tenant, session); err != nil {
		t.Fatal(err)
	}
	if all := trail(t, super, session); all[len(all)-1].Key != "last" {
		t.Errorf("the event added last is not the last: %v", all[len(all)-1])
	}
}

func upTo(t *testing.T, address string, version int64) {
	t.Helper()
	db, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	p, err := goose.NewProvider(goose.DialectPostgres, db, os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.UpTo(t.Context(), version); err != nil {
		t.Fatal(err)
	}
}

func trail(t *testing.T, conn *pgx.Conn, session string) []line {
	t.Helper()
	rows, err := conn.Query(t.Context(), lines, session)
	if err != nil {
		t.Fatal(err)
	}
	out, err := pgx.CollectRows(rows, pgx.RowToStructByPos[line])
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A server of the version before, which knows one row an event, goes on writing
// while this one runs.
func TestServersOfBeforeAddToTheTrail(t *testing.T) {
	t.Parallel()

	n := newNeighbours(t)
	add := `INSERT INTO obligation_events (tenant_id, session_id, obligation_key, event_type, new_status, new_confidence, source, metadata, turn_number)
		VALUES ($1, $2::uuid, 'name', $3, 'satisfied', 0.92, 'conversation', '{"set": {"attempts": 1}}', 4)`
	n.as(t, n.first, func(tx pgx.Tx) {
		if _, err := tx.Exec(t.Context(), add, n.first, n.id, "value_extracted"); err != nil {
			t.Fatal(err)
		}
		rows, err := tx.Query(t.Context(), lines, n.id)
		if err != nil {
			t.Fatal(err)
		}
		got, err := pgx.CollectRows(rows, pgx.RowToStructByPos[line])
		want := []line{{Turn: 4, Key: "name", Type: "value_extracted", New: "satisfied", Is: "0.92", Source: "conversation", Set: `{"set": {"attempts": 1}}`}}
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("the trail, %v (-want +got):\n%s", err, diff)
		}
	})
	for _, tt := range []struct{ name, tenant, kind, code string }{
		{"another tenant's", n.other, "created", "42501"},
		{"no tenant's", "", "created", "42501"},
		{"unknown type", n.first, "improved", "23514"},
	} {
		n.as(t, tt.tenant, func(tx pgx.Tx) {
			if _, err := tx.Exec(t.Context(), add, n.first, n.id, tt.kind); postgres.Code(err) != tt.code {
				t.Errorf("%s: %v, want %s", tt.name, err, tt.code)
			}
		})
	}
}

// The view of single events shows a tenant its own only, and history stays as it is.
func TestTrailByEventKeepsTenantsApart(t *testing.T) {
	t.Parallel()

	n := newNeighbours(t)
	super := postgrestest.Superuser(t, n.pool)
	if _, err := super.Exec(t.Context(), `INSERT INTO obligation_trail (tenant_id, session_id, turn_number, events)
		SELECT tenant_id, id, 1, '[{"obligation_key": "name", "event_type": "created", "source": "objective", "metadata": {}}]' FROM elicitation_sessions`); err != nil {
		t.Fatal(err)
	}
	for tenant, want := range map[string]int{n.first: 1, n.other: 1, "": 0} {
		n.as(t, tenant, func(tx pgx.Tx) {
			var seen, foreign int
			err := tx.QueryRow(t.Context(), `SELECT count(*), count(*) FILTER (WHERE tenant_id::text <> $1) FROM obligation_events`, tenant).Scan(&seen, &foreign)
			if err != nil || seen != want || foreign != 0 {
				t.Errorf("tenant %q sees %d events, %d of others, %v; want %d of its own", tenant, seen, foreign, err, want)
			}
		})
	}
	for _, statement := range []string{`DELETE FROM obligation_events`, `UPDATE obligation_events SET source = 'me'`} {
		n.as(t, n.first, func(tx pgx.Tx) {
			if _, err := tx.Exec(t.Context(), statement); postgres.Code(err) != "55000" {
				t.Errorf("%s: %v, want 55000 (not in the right state: such a view)", statement, err)
			}
		})
	}
}
