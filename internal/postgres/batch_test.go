package postgres_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
)

func TestBatchHoldsWhollyOrNotAtAll(t *testing.T) {
	t.Parallel()

	pool := lonely(t)
	tenant := postgrestest.Tenant(t, pool)
	for _, tt := range []struct {
		name string
		in   string // after two rows, before a third
		code string
		want string
	}{
		{"fails when run", `SELECT 1/0`, "22012", ""},
		{"fails when read", `SELECT FROM nowhere`, "42P01", ""},
		{"writes for another tenant", `INSERT INTO members (tenant_id, id, role) VALUES (gen_random_uuid(), 'eve', 'owner')`, "42501", ""},
		{"holds", `SELECT 1`, "", "ada bob eve"},
	} {
		b := postgres.NewBatch(tenant)
		for _, id := range []string{"ada", "bob"} {
			if tag, err := b.Exec(t.Context(), addMember, tenant, id); err != nil || tag.RowsAffected() != 0 {
				t.Errorf("Exec of a batch = %v, %v, want nothing yet", tag, err)
			}
		}
		_, _ = b.Exec(t.Context(), tt.in)
		_, _ = b.Exec(t.Context(), addMember, tenant, "eve")
		if b.Tenant() != tenant {
			t.Errorf("Tenant() = %q, want %q", b.Tenant(), tenant)
		}

		err := b.Send(t.Context(), pool)

		if got := members(t, pool, tenant); postgres.Code(err) != tt.code || (err == nil) != (tt.code == "") || got != tt.want {
			t.Errorf("%s: Send = %v and members are %q, want %q and %q", tt.name, err, got, tt.code, tt.want)
		}
	}
}

func TestBatchIsPartOfTheTransactionItIsSentIn(t *testing.T) {
	t.Parallel()

	pool := lonely(t)
	tenant := postgrestest.Tenant(t, pool)
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b := postgres.NewBatch(tenant)
	_, _ = b.Exec(t.Context(), addMember, tenant, "ada")
	if err := b.Send(t.Context(), tx); err != nil {
		t.Fatal(err)
	}
	within := members(t, tx, tenant)
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}

	if after := members(t, pool, tenant); within != "ada" || after != "" {
		t.Errorf("members are %q within and %q after the rollback, want ada and none", within, after)
	}
}

func TestBatchAsATransactionIsWrittenWithTheRest(t *testing.T) {
	t.Parallel()

	pool := lonely(t)
	tenant := postgrestest.Tenant(t, pool)
	for _, tt := range []struct{ name, last, code, want string }{
		{"one statement fails", `SELECT 1/0`, "22012", ""},
		{"all hold", `SELECT 1`, "", "ada bob eve"},
	} {
		b := postgres.NewBatch(tenant)
		_, _ = b.Exec(t.Context(), addMember, tenant, "ada")
		tx := b.Tx()
		rows, err := tx.Query(t.Context(), addMember+" RETURNING id", tenant, "bob")
		if err != nil || rows.Next() || rows.Err() != nil {
			t.Errorf("Query of a batch = %v, %v, want no rows", rows.Err(), err)
		}
		if _, err := tx.Exec(t.Context(), addMember, tenant, "eve"); err != nil {
			t.Error(err)
		}
		_, _ = tx.Exec(t.Context(), tt.last)

		err = b.Send(t.Context(), pool)

		if got := members(t, pool, tenant); postgres.Code(err) != tt.code || got != tt.want {
			t.Errorf("%s: Send = %v and members are %q, want %q and %q", tt.name, err, got, tt.code, tt.want)
		}
	}
}

// What a batch cannot answer before it is sent it refuses.
func TestBatchAsATransactionRefusesWhatItCannotAnswer(t *testing.T) {
	t.Parallel()

	tx := postgres.NewBatch("").Tx()
	_, begun := tx.Begin(t.Context())
	_, copied := tx.CopyFrom(t.Context(), pgx.Identifier{"members"}, nil, nil)
	_, prepared := tx.Prepare(t.Context(), "", "SELECT 1")
	for what, err := range map[string]error{"Begin": begun, "CopyFrom": copied, "Prepare": prepared, "Commit": tx.Commit(t.Context()), "Rollback": tx.Rollback(t.Context()),
		"QueryRow": tx.QueryRow(t.Context(), "SELECT 1").Scan(new(int)), "SendBatch": tx.SendBatch(t.Context(), &pgx.Batch{}).Close()} {
		if err == nil {
			t.Errorf("%s of a batch works, want it refused", what)
		}
	}
}

func TestRowsComeInOrderWhenSent(t *testing.T) {
	t.Parallel()

	type pair struct {
		N    int
		Text *string
	}
	pool := lonely(t)
	var first, second []pair
	b := postgres.NewBatch("")
	keep := func(list *[]pair) func(*pair) error {
		return func(p *pair) error { *list = append(*list, *p); return nil }
	}
	postgres.Rows(b, keep(&first), `SELECT i, i::text FROM generate_series($1::integer, $2) AS i`, 3, 5)
	postgres.Rows(b, keep(&second), `SELECT 7, NULL::text WHERE $1`, true)
	if first != nil {
		t.Error("rows came before the batch was sent")
	}

	if err := b.Send(t.Context(), pool); err != nil {
		t.Fatal(err)
	}

	text := func(s string) *string { return &s }
	if diff := cmp.Diff([]pair{{3, text("3")}, {4, text("4")}, {5, text("5")}}, first); diff != "" {
		t.Errorf("first query (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]pair{{7, nil}}, second); diff != "" {
		t.Errorf("second query (-want +got):\n%s", diff)
	}
}

func TestRowsReportsWhatItsReaderMakesOfThem(t *testing.T) {
	t.Parallel()

	pool := lonely(t)
	mine := errors.New("no sense in it")
	seen := 0
	b := postgres.NewBatch("")
	postgres.Rows(b, func(*struct{ N int }) error { seen++; return mine }, `SELECT generate_series(1, 3)`)
	if err := b.Send(t.Context(), pool); !errors.Is(err, mine) || seen != 1 {
		t.Errorf("Send = %v after %d rows, want the reader's error after 1", err, seen)
	}

	tenant := postgrestest.Tenant(t, pool)
	b = postgres.NewBatch(tenant)
	_, _ = b.Exec(t.Context(), addMember, tenant, "ada")
	postgres.Rows(b, func(*struct{ N int }) error { return mine }, `SELECT 1`)
	if err, got := b.Send(t.Context(), pool), members(t, pool, tenant); !errors.Is(err, mine) || got != "ada" {
		t.Errorf("Send = %v and members are %q, want the reader's error and what was written", err, got)
	}

	b = postgres.NewBatch("")
	postgres.Rows(b, func(*struct{ N, M int }) error { return nil }, `SELECT 1`)
	if err := b.Send(t.Context(), pool); err == nil {
		t.Error("a row of one column was read into two fields")
	}
}

func TestBatchIsNotReadBeforeItIsSent(t *testing.T) {
	t.Parallel()

	b := postgres.NewBatch("")
	rows, err := b.Query(t.Context(), `SELECT 1`)
	if rows != nil || err == nil {
		t.Errorf("Query = %v, %v, want an error", rows, err)
	}
	var n int
	if err := b.QueryRow(t.Context(), `SELECT 1`).Scan(&n); err == nil {
		t.Error("QueryRow gave a row")
	}
}

func TestSendEndsWithItsContext(t *testing.T) {
	t.Parallel()

	pool := lonely(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()

	if err := postgres.NewBatch("").Send(ctx, pool); !errors.Is(err, context.Canceled) {
		t.Errorf("Send = %v, want canceled", err)
	}
}

func TestRelaxLastsForItsBatchOnly(t *testing.T) {
	t.Parallel()

	pool := lonely(t)
	setting := func(b *postgres.Batch) (got string) {
		postgres.Rows(b, func(r *struct{ Setting string }) error { got = r.Setting; return nil }, `SELECT current_setting('synchronous_commit')`)
		if err := b.Send(t.Context(), pool); err != nil {
			t.Fatal(err)
		}
		return got
	}
	before := setting(postgres.NewBatch(""))
	relaxed := postgres.NewBatch("")
	relaxed.Relax()

	if got := setting(relaxed); got != "off" {
		t.Errorf("synchronous_commit of a relaxed batch is %q, want off", got)
	}
	if got := setting(postgres.NewBatch("")); got != before {
		t.Errorf("synchronous_commit afterwards is %q, want %q", got, before)
	}
}

// A warning each time would fill the log of the database.
func TestRelaxGivesNoWarning(t *testing.T) {
	t.Parallel()

	config, err := pgxpool.ParseConfig(postgrestest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	var notices []string
	config.ConnConfig.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { notices = append(notices, n.Message) }
	config.MaxConns = 1
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	b := postgres.NewBatch("")
	b.Relax()
	if err := b.Send(t.Context(), pool); err != nil || len(notices) > 0 {
		t.Errorf("Send = %v with the notices %q, want none", err, notices)
	}
}

// A malformed tenant must not be taken for none, let alone for all.
func TestMalformedTenantIsAnError(t *testing.T) {
	t.Parallel()

	tx := postgrestest.Tx(t)
	b := postgres.NewBatch("nonsense")
	_, _ = b.Exec(t.Context(), addMember, "nonsense", "ada")
	if err := b.Send(t.Context(), tx); postgres.Code(err) != "22P02" {
		t.Errorf("Send = %v, want 22P02", err)
	}
}
