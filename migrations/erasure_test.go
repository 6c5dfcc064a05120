package migrations_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"quaestor/internal/erasure"
	"quaestor/internal/fault"
	"quaestor/internal/postgres/connect"
	"quaestor/migrations"
)

// landlords are two organisations with a row in every table and a job each, in a database whose owner is no
// superuser. The ids of all rows are the same but for the tenant's.
type landlords struct {
	t            *testing.T
	owner, super *pgx.Conn
	queue        *river.Client[pgx.Tx]
	first, other string
}

func newLandlords(t *testing.T) *landlords {
	t.Helper()
	hosted, super := lodged(t)
	if err := migrations.Up(t.Context(), hosted); err != nil {
		t.Fatal(err)
	}
	pool, err := connect.Open(t.Context(), hosted, connect.Options{MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	l := &landlords{t: t, owner: openConn(t, hosted), super: super, first: uuid.NewString(), other: uuid.NewString()}
	if l.queue, err = river.NewClient(riverpgxv5.New(pool), &river.Config{Schema: migrations.RiverSchema, Logger: slog.New(slog.DiscardHandler)}); err != nil {
		t.Fatal(err)
	}
	id := uuid.NewString()
	for name, tenant := range map[string]string{"first": l.first, "other": l.other} {
		l.exec(`INSERT INTO tenants (id, name) VALUES ($1, $2)`, tenant, name)
		for _, s := range seeds {
			l.exec(s.insert, tenant, id)
		}
		l.exec(`INSERT INTO river.river_job (kind, args, max_attempts, queue, priority, state) VALUES ('index', jsonb_build_object('tenant', $1::text), 3, 'default', 1, 'available')`, tenant)
	}
	return l
}

func (l *landlords) exec(sql string, args ...any) {
	l.t.Helper()
	if _, err := l.super.Exec(l.t.Context(), sql, args...); err != nil {
		l.t.Fatalf("%s: %v", sql, err)
	}
}

// has is everything of a tenant as text, by table.
func (l *landlords) has(tenant string) map[string]string {
	l.t.Helper()
	rows, err := l.super.Query(l.t.Context(), owned)
	if err != nil {
		l.t.Fatal(err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		l.t.Fatal(err)
	}
	out := map[string]string{}
	for table, query := range map[string]string{"tenants": `SELECT string_agg(x::text, E'\n' ORDER BY x::text) FROM tenants AS x WHERE id = $1`,
		"river_job": `SELECT string_agg(x::text, E'\n' ORDER BY x::text) FROM river.river_job AS x WHERE args ->> 'tenant' = $1::uuid::text`} {
		out[table] = l.text(query, tenant)
	}
	for _, table := range tables {
		out[table] = l.text(`SELECT string_agg(x::text, E'\n' ORDER BY x::text) FROM `+table+` AS x WHERE tenant_id = $1`, tenant)
	}
	return out
}

func (l *landlords) text(query, tenant string) string {
	l.t.Helper()
	var text *string
	if err := l.super.QueryRow(l.t.Context(), query, tenant).Scan(&text); err != nil {
		l.t.Fatalf("%s: %v", query, err)
	}
	if text == nil {
		return ""
	}
	return *text
}

func (l *landlords) erase(ctx context.Context, told func(erasure.Emptied)) error {
	return erasure.Erase(ctx, erasure.Options{Conn: l.owner, Queue: l.queue, RiverSchema: migrations.RiverSchema, Told: told}, l.first)
}

// Nothing of an erased organisation is in any table, and all of the others is as it was. The tables are
// those of the database's own catalogue, and each has a row of both before.
func TestErasedOrganisationLeavesNothing(t *testing.T) {
	t.Parallel()

	l := newLandlords(t)
	for table, rows := range l.has(l.first) {
		if rows == "" {
			t.Fatalf("there is nothing of the organisation in %s, which proves nothing", table)
		}
	}
	before, emptied := l.has(l.other), map[string]int{}

	if err := l.erase(t.Context(), func(e erasure.Emptied) { emptied[e.Table] += e.Rows }); err != nil {
		t.Fatal(err)
	}

	for table, rows := range l.has(l.first) {
		if rows != "" {
			t.Errorf("%s still has %s", table, rows)
		}
	}
	if diff := cmp.Diff(before, l.has(l.other)); diff != "" {
		t.Errorf("the other organisation was touched (-before +after):\n%s", diff)
	}
	if emptied["messages"] != 1 || emptied["warehouse_statements"] != 1 || emptied["river_job"] != 1 {
		t.Errorf("told is %v", emptied)
	}
	if _, err := erasure.Find(t.Context(), l.owner, "first"); !fault.Is(err, fault.NotFound) {
		t.Errorf("an erased organisation is found: %v", err)
	}
	if o, err := erasure.Find(t.Context(), l.owner, "other"); err != nil || !o.Only || o.Interviews != 1 || o.Held != 1 || o.Begun != nil {
		t.Errorf("the other one is %+v, %v", o, err)
	}
}

// An erasure that is killed after any of its tables goes on when it is asked for again; until then the
// organisation is closed.
func TestKilledErasureGoesOn(t *testing.T) {
	t.Parallel()

	l := newLandlords(t)
	before := l.has(l.other)
	for kills := 0; ; kills++ {
		ctx, kill := context.WithCancel(t.Context())
		told := 0
		err := l.erase(ctx, func(erasure.Emptied) {
			if told++; told == 3 { // another three tables each time
				kill()
			}
		})
		kill()
		if err == nil {
			if kills < 10 {
				t.Errorf("it was killed %d times only", kills)
			}
			break
		}
		l.owner = l.again()
		o, err := erasure.Find(t.Context(), l.owner, "first")
		if err != nil || o.Begun == nil {
			t.Fatalf("after kill %d it is %+v, %v", kills+1, o, err)
		}
	}
	for table, rows := range l.has(l.first) {
		if rows != "" {
			t.Errorf("%s still has %s", table, rows)
		}
	}
	if diff := cmp.Diff(before, l.has(l.other)); diff != "" {
		t.Errorf("the other organisation was touched (-before +after):\n%s", diff)
	}
}

// again is another connection like the owner's, which a killed process lost.
func (l *landlords) again() *pgx.Conn {
	l.t.Helper()
	_ = l.owner.Close(context.WithoutCancel(l.t.Context()))
	conn, err := pgx.ConnectConfig(l.t.Context(), l.owner.Config())
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { _ = conn.Close(background) })
	return conn
}

// While an organisation is erased, what servers still write for it is deleted too, and what they write
// afterwards is refused.
func TestErasureOutlastsWriters(t *testing.T) {
	t.Parallel()

	l := newLandlords(t)
	writer, id := openConn(t, l.super.Config().ConnString()), uuid.NewString()
	write := func(n int) error {
		_, err := writer.Exec(t.Context(), `INSERT INTO tenant_journal (tenant_id, actor, kind, subject) VALUES ($1, 'someone', 'settings', $2)`, l.first, fmt.Sprint(n))
		if err == nil {
			_, err = writer.Exec(t.Context(), `INSERT INTO members (tenant_id, id, role) VALUES ($1, $2, 'owner')`, l.first, id+fmt.Sprint(n))
		}
		return err
	}
	n := 0
	err := l.erase(t.Context(), func(erasure.Emptied) { // after each table another row of tables that were emptied, or will be
		if n++; write(n) != nil {
			t.Errorf("row %d is refused too early", n)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := write(n + 1); err == nil {
		t.Error("something is written for an organisation that is no more")
	}
	if left := l.has(l.first); left["members"]+left["tenant_journal"] != "" {
		t.Errorf("left are %q and %q", left["members"], left["tenant_journal"])
	}
}

// Two processes do not erase the same organisation at once.
func TestOrganisationIsErasedOnce(t *testing.T) {
	t.Parallel()

	l := newLandlords(t)
	second := openConn(t, l.owner.Config().ConnString())
	asked := false
	err := l.erase(t.Context(), func(erasure.Emptied) {
		if asked {
			return
		}
		asked = true
		if err := erasure.Erase(t.Context(), erasure.Options{Conn: second, Queue: l.queue, RiverSchema: migrations.RiverSchema}, l.first); !fault.Is(err, fault.Conflict) {
			t.Errorf("a second erasure at the same time: %v", err)
		}
	})
	if err != nil || !asked {
		t.Fatalf("%v, asked %t", err, asked)
	}
}
