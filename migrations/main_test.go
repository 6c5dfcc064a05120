package migrations_test

import (
	"crypto/rand"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"quaestor/internal/postgres/postgrestest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// schema is a migrated database seen by the role that owns it.
func schema(t *testing.T) *pgxpool.Pool {
	t.Helper()
	return postgrestest.Superuser(t, postgrestest.DB(t))
}

// empty returns the superuser's address of a database that was never migrated,
// and a connection to it. It goes when the test ends.
func empty(t *testing.T) (address string, conn *pgx.Conn) {
	t.Helper()
	home := postgrestest.URL(t)
	name := "empty_" + strings.ToLower(rand.Text())
	super := openConn(t, home)
	if _, err := super.Exec(t.Context(), `CREATE DATABASE `+name+` TEMPLATE template0`); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := super.Exec(background, `DROP DATABASE `+name+` WITH (FORCE)`); err != nil {
			t.Errorf("drop %s: %v", name, err)
		}
	})
	address = replace(t, home, func(u *url.URL) { u.Path = "/" + name })
	return address, openConn(t, address)
}

// openConn returns a connection that the test's end closes.
func openConn(t *testing.T, address string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(background) })
	return conn
}

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

// column returns the one column a query gives.
func column[T any](t *testing.T, pool *pgxpool.Pool, query string, args ...any) []T {
	t.Helper()
	rows, err := pool.Query(t.Context(), query, args...)
	if err != nil {
		t.Fatal(err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[T])
	if err != nil {
		t.Fatal(err)
	}
	return list
}
