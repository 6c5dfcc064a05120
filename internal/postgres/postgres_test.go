package postgres_test

import (
	"context"
	"crypto/rand"
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// background outlives the test, for what is cleaned up after it.
var background = context.Background()

// replace returns the address as change leaves it.
func replace(t *testing.T, address string, change func(*url.URL)) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	change(u)
	return u.String()
}

// administer runs statements as the superuser of a database.
func administer(t *testing.T, address string, statements ...string) {
	t.Helper()
	conn, err := pgx.Connect(background, address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(background) }()
	for _, s := range statements {
		if _, err := conn.Exec(background, s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

func TestOpenActsAsTheApplication(t *testing.T) {
	t.Parallel()

	address := postgrestest.URL(t)
	for _, tt := range []struct {
		name   string
		in     postgres.Options
		want   int32
		called string
	}{
		{"nothing said", postgres.Options{}, 8, "quaestor"},
		{"everything said", postgres.Options{MaxConns: 3, Name: "worker"}, 3, "worker"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			pool, err := postgres.Open(t.Context(), address, tt.in)
			if err != nil {
				t.Fatal(err)
			}
			defer pool.Close()

			var role, name, zone string
			err = pool.QueryRow(t.Context(), `SELECT current_user, current_setting('application_name'), current_setting('timezone')`).Scan(&role, &name, &zone)
			if err != nil || role != postgres.AppRole || name != tt.called || zone != "UTC" || pool.Config().MaxConns != tt.want {
				t.Errorf("acts as %q, called %q, in %q, with %d connections, %v", role, name, zone, pool.Config().MaxConns, err)
			}
		})
	}
}

func TestOpenRefusesAnAddressItCannotRead(t *testing.T) {
	t.Parallel()

	for _, in := range []string{"mysql://root@localhost/x", "postgres://host:port/name", "host", "postgres://h/x?sslmode=maybe", "postgres://a:geheim@h:99999999/x"} {
		pool, err := postgres.Open(t.Context(), in, postgres.Options{})
		if pool != nil {
			pool.Close()
		}
		if !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), "DATABASE_URL") || strings.Contains(err.Error(), "geheim") {
			t.Errorf("Open(%q) = %v, want invalid, with what it should look like and no password", in, err)
		}
	}
}

func TestOpenDoesNotWaitForTheDatabase(t *testing.T) {
	t.Parallel()

	pool, err := postgres.Open(t.Context(), "postgres://nobody@127.0.0.1:1/none", postgres.Options{})
	if err != nil {
		t.Fatalf("Open of a database that is down = %v", err)
	}
	pool.Close()
}

// shadow returns the address with a schema in front of PostgreSQL's own, so that
// what is asked of the server gets another answer.
func shadow(t *testing.T, create string) string {
	t.Helper()
	address := postgrestest.URL(t)
	administer(t, address, `CREATE SCHEMA shadow`, create)
	return replace(t, address, func(u *url.URL) {
		q := u.Query()
		q.Set("search_path", "shadow,pg_catalog,public")
		u.RawQuery = q.Encode()
	})
}

// asGuest returns the address of a plain database for a role that may do nothing
// there but connect, after statements by the superuser.
func asGuest(t *testing.T, prepare ...string) string {
	t.Helper()
	home := postgrestest.URL(t)
	name := "plain_" + strings.ToLower(rand.Text())
	administer(t, home, `CREATE ROLE `+name+` LOGIN PASSWORD 'open'`, `CREATE DATABASE `+name+` TEMPLATE template0`)
	t.Cleanup(func() { administer(t, home, `DROP DATABASE `+name+` WITH (FORCE)`, `DROP ROLE `+name) })
	administer(t, replace(t, home, func(u *url.URL) { u.Path = "/" + name }), prepare...)
	return replace(t, home, func(u *url.URL) { u.Path, u.User = "/"+name, url.UserPassword(name, "open") })
}

func TestCheck(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name   string
		in     func(t *testing.T) string
		kind   fault.Kind
		remedy string
	}{
		{"all is well", postgrestestURL, "", ""},
		{"a role that need not create pgvector", func(t *testing.T) string { return asGuest(t, `CREATE EXTENSION vector`) }, "", ""},
		{"a role that may not create pgvector", func(t *testing.T) string { return asGuest(t) }, fault.Forbidden, "CREATE EXTENSION vector"},
		{"a server without pgvector", func(t *testing.T) string {
			return shadow(t, `CREATE VIEW shadow.pg_available_extensions AS SELECT * FROM pg_catalog.pg_available_extensions WHERE name <> 'vector'`)
		}, fault.Unprocessable, "pgvector/pgvector"},
		{"an old server", func(t *testing.T) string {
			return shadow(t, `CREATE FUNCTION shadow.current_setting(text) RETURNS text LANGUAGE sql AS $$ SELECT '140011' $$`)
		}, fault.Unprocessable, "PostgreSQL 15 or newer is needed, this server is 14"},
		{"nobody there", func(*testing.T) string { return "postgres://nobody:geheim@127.0.0.1:1/none" }, fault.Unavailable, "check host and port"},
		{"no address", func(*testing.T) string { return "nonsense://a:geheim@b" }, fault.Invalid, "DATABASE_URL: must begin with postgres://"},
		{"a host that is none", func(*testing.T) string { return "postgres://nobody:geheim@nowhere.invalid/none" }, fault.Unavailable, "DATABASE_URL: the name of the database's host is not known"},
		{"a server that says nothing", func(t *testing.T) string { return "postgres://nobody:geheim@" + mute(t) + "/none?connect_timeout=1" }, fault.Unavailable, "DATABASE_URL: the database does not answer within 1s"},
		{"a role that is not there", func(t *testing.T) string {
			return replace(t, postgrestest.URL(t), func(u *url.URL) { u.User = url.UserPassword("stranger", "geheim") })
		}, fault.Unavailable, "DATABASE_URL: the database refuses the user"},
		{"a database that is not there", func(t *testing.T) string {
			return replace(t, postgrestest.URL(t), func(u *url.URL) { u.Path = "/nowhere" })
		}, fault.Unavailable, "DATABASE_URL: the server has no database of that name"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			err := postgres.Check(t.Context(), tt.in(t))

			if fault.KindOf(err) != tt.kind {
				t.Fatalf("Check = %v of kind %q, want %q", err, fault.KindOf(err), tt.kind)
			}
			if err != nil && (!strings.Contains(err.Error(), tt.remedy) || strings.Contains(err.Error(), "geheim")) {
				t.Errorf("Check = %q, want it to say %q, and no password", err, tt.remedy)
			}
		})
	}
}

func postgrestestURL(t *testing.T) string { return postgrestest.URL(t) }

// lonely returns a pool of one connection, which everybody uses in turn.
func lonely(t *testing.T) *pgxpool.Pool {
	t.Helper()
	pool, err := postgres.Open(t.Context(), postgrestest.URL(t), postgres.Options{MaxConns: 1})
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
