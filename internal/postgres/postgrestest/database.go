package postgrestest

import (
	"context"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/postgres/connect"
)

// Limits of one test's database.
const (
	maxConns    = 8
	dropTimeout = 30 * time.Second
)

// server is what one process needs of the cluster, found once.
type server struct {
	super    string // the superuser's address
	template string
	member   *os.File // open, and so this process a user, until the process ends
}

var join = sync.OnceValues(func() (server, error) {
	ctx := context.Background() // the first test's end must not end it for the others
	super, member, err := ownPlace().join(ctx)
	if err != nil {
		return server{}, err
	}
	name, err := template(ctx, super)
	return server{super: super, template: name, member: member}, err
})

// clones numbers the databases of this process.
var clones atomic.Int64

func joined(t testing.TB) server {
	t.Helper()
	s, err := join()
	if err != nil {
		t.Fatalf("the test database cannot be had: %v", err)
	}
	return s
}

// URL returns the superuser's address of a new, migrated database that is
// dropped when the test ends, even if something is still connected to it. It takes
// about 0.1 s.
func URL(t testing.TB) string {
	t.Helper()
	s := joined(t)
	name := cloneName(clones.Add(1))
	if err := clone(t.Context(), s.super, s.template, name); err != nil {
		t.Fatalf("clone of the test database: %v", err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), dropTimeout)
		defer cancel()
		if err := drop(ctx, s.super, name); err != nil {
			t.Errorf("drop the test database: %v", err)
		}
	})
	return at(s.super, name)
}

// DB returns a pool on a new, migrated database, opened as the product opens it:
// as the application role, behind row-level security, at most 8 connections. The
// test's end closes the pool and drops the database.
func DB(t testing.TB) *pgxpool.Pool {
	t.Helper()
	return Open(t, URL(t))
}

// Open returns another pool like [DB]'s on the database at url, closed when the
// test ends: a second instance, as it were.
func Open(t testing.TB, url string) *pgxpool.Pool {
	t.Helper()
	pool, err := connect.Open(context.Background(), url, connect.Options{MaxConns: maxConns})
	if err != nil {
		t.Fatalf("open the test database: %v", err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// Superuser returns a pool on pool's database that owns the tables and sees all
// rows, closed when the test ends: for tests of the schema and for what no
// tenant may see.
func Superuser(t testing.TB, pool *pgxpool.Pool) *pgxpool.Pool {
	t.Helper()
	config, err := pgxpool.ParseConfig(at(joined(t).super, pool.Config().ConnConfig.Database))
	if err != nil {
		t.Fatalf("address of the test database: %v", err)
	}
	config.MaxConns = maxConns
	super, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		t.Fatalf("open the test database: %v", err)
	}
	t.Cleanup(super.Close)
	return super
}
