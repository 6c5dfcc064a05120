package postgres_test

import (
	"context"
	"errors"
	"testing"

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
		postgrestest.Rows(b, func(r *struct{ Setting string }) error { got = r.Setting; return nil }, `SELECT current_setting('synchronous_commit')`)
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
