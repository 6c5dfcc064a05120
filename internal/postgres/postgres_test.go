package postgres_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"quaestor/internal/postgres"
	"quaestor/internal/postgres/connect"
	"quaestor/internal/postgres/postgrestest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// lonely returns a pool of one connection, which everybody uses in turn.
func lonely(t *testing.T) *pgxpool.Pool {
	t.Helper()
	pool, err := connect.Open(t.Context(), postgrestest.URL(t), connect.Options{MaxConns: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

const addMember = `INSERT INTO members (tenant_id, id, role) VALUES ($1, $2, 'member')`

// members are those the tenant sees; "" is no tenant.
func members(t *testing.T, db postgres.DB, tenant string) string {
	t.Helper()
	var out []string
	b := postgres.NewBatch(tenant)
	postgrestest.Rows[struct{ ID string }](b, func(r *struct{ ID string }) error { out = append(out, r.ID); return nil }, `SELECT id FROM members ORDER BY id`)
	if err := b.Send(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, " ")
}

func TestInTxCommitsOrUndoes(t *testing.T) {
	t.Parallel()

	pool := lonely(t)
	tenant := postgrestest.Tenant(t, pool)
	add := func(id string, end func() error) (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = p.(error)
			}
		}()
		return postgres.InTx(t.Context(), pool, tenant, func(tx pgx.Tx) error {
			if _, err := tx.Exec(t.Context(), addMember, tenant, id); err != nil {
				return err
			}
			return end()
		})
	}
	mine := errors.New("changed my mind")

	if err := add("ada", func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	if err := add("bob", func() error { return mine }); !errors.Is(err, mine) {
		t.Errorf("InTx = %v, want what the function returned", err)
	}
	if err := add("eve", func() error { panic(mine) }); !errors.Is(err, mine) {
		t.Errorf("InTx panicked with %v, want what the function panicked with", err)
	}

	if got := members(t, pool, tenant); got != "ada" {
		t.Errorf("members are %q, want ada", got)
	}
}

// A connection goes from hand to hand; who comes next must not see, or write for,
// the tenant of who was there before.
func TestTenantDoesNotStayWithTheConnection(t *testing.T) {
	t.Parallel()

	pool := lonely(t)
	tenant := postgrestest.Tenant(t, pool)
	failed := errors.New("failed")
	uses := map[string]func() error{
		"a batch": func() error { return postgres.NewBatch(tenant).Send(t.Context(), pool) },
		"a batch that failed": func() error {
			b := postgres.NewBatch(tenant)
			_, _ = b.Exec(t.Context(), `SELECT 1/0`)
			if err := b.Send(t.Context(), pool); postgres.Code(err) != "22012" {
				return err
			}
			return nil
		},
		"a transaction": func() error {
			return postgres.InTx(t.Context(), pool, tenant, func(tx pgx.Tx) error {
				_, err := tx.Exec(t.Context(), addMember, tenant, uuid.NewString())
				return err
			})
		},
		"a transaction that was undone": func() error {
			if err := postgres.InTx(t.Context(), pool, tenant, func(pgx.Tx) error { return failed }); !errors.Is(err, failed) {
				return err
			}
			return nil
		},
	}
	for name, use := range uses {
		if err := use(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var seen int
		if err := pool.QueryRow(t.Context(), `SELECT count(*) FROM members`).Scan(&seen); err != nil || seen != 0 {
			t.Errorf("after %s the next sees %d rows, %v, want none", name, seen, err)
		}
		if _, err := pool.Exec(t.Context(), addMember, tenant, "stranger"); postgres.Code(err) != "42501" {
			t.Errorf("after %s the next may write: %v, want 42501", name, err)
		}
	}
	if members(t, pool, tenant) == "" || members(t, pool, "") != "" {
		t.Error("the tenant sees nothing, or nobody sees something")
	}
}

func TestCodeAndConstraint(t *testing.T) {
	t.Parallel()

	pool := lonely(t)
	tenant := postgrestest.Tenant(t, pool)
	for _, tt := range []struct{ name, in, code, constraint string }{
		{"unique", `INSERT INTO members (tenant_id, id, role) VALUES (current_tenant(), 'ada', 'owner'), (current_tenant(), 'ada', 'owner')`, "23505", "members_pkey"},
		{"check", `INSERT INTO members (tenant_id, id, role) VALUES (current_tenant(), 'ada', 'root')`, "23514", "members_role"},
		{"other", `SELECT 1/0`, "22012", ""},
	} {
		b := postgres.NewBatch(tenant)
		_, _ = b.Exec(t.Context(), tt.in)
		err := b.Send(t.Context(), pool)
		if code, constraint := postgres.Code(err), postgres.Constraint(err); code != tt.code || constraint != tt.constraint {
			t.Errorf("%s: Code %q and Constraint %q of %v, want %q and %q", tt.name, code, constraint, err, tt.code, tt.constraint)
		}
		var e *pgconn.PgError
		if !errors.As(err, &e) {
			t.Errorf("%s: %v hides what the database said", tt.name, err)
		}
	}
	for _, err := range []error{nil, errors.New("23505"), pgx.ErrNoRows} {
		if postgres.Code(err) != "" || postgres.Constraint(err) != "" {
			t.Errorf("Code and Constraint of %v = %q, %q, want none", err, postgres.Code(err), postgres.Constraint(err))
		}
	}
}
