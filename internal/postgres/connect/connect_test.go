package connect_test

import (
	"context"
	"crypto/rand"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/internal/postgres/connect"
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
		in     connect.Options
		want   int32
		called string
	}{
		{"nothing said", connect.Options{}, 8, "quaestor"},
		{"everything said", connect.Options{MaxConns: 3, Name: "worker"}, 3, "worker"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			pool, err := connect.Open(t.Context(), address, tt.in)
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
		pool, err := connect.Open(t.Context(), in, connect.Options{})
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

	pool, err := connect.Open(t.Context(), "postgres://nobody@127.0.0.1:1/none", connect.Options{})
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

			err := connect.Check(t.Context(), tt.in(t))

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
