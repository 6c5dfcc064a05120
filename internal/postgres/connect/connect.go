// Package connect opens databases. It reads the address of one, tells what is wrong
// with an address or a server in words that people can act on, and returns a pool
// whose connections act as the application. How rows are read and written through
// the pool is package postgres' subject, which knows no faults.
package connect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
)

// Options tune [Open].
type Options struct {
	MaxConns int32  // zero means 8
	Name     string // application_name; empty means "quaestor"
	// Trace sees every query; nil means none.
	Trace pgx.QueryTracer
}

// Open returns a pool on the database at url whose connections act as
// [postgres.AppRole]. It does not wait for the database.
func Open(ctx context.Context, url string, o Options) (*pgxpool.Pool, error) {
	c, err := Config(url)
	if err != nil {
		return nil, err
	}
	c.MaxConns = o.MaxConns
	c.MaxConns = cmp.Or(c.MaxConns, 8)
	// Each connection is a process of the server; bursts should not keep theirs for long.
	c.MaxConnIdleTime = 5 * time.Minute
	c.ConnConfig.RuntimeParams["role"] = postgres.AppRole
	c.ConnConfig.RuntimeParams["application_name"] = "quaestor"
	if o.Name != "" {
		c.ConnConfig.RuntimeParams["application_name"] = o.Name
	}
	c.ConnConfig.RuntimeParams["timezone"] = "UTC"
	c.ConnConfig.Tracer = o.Trace
	pool, err := pgxpool.NewWithConfig(ctx, c)
	return pool, fault.Wrap(err, "open pool")
}

// Check returns a fault with the remedy when Quaestor cannot use the database at url:
// it is not reached, is older than PostgreSQL 15, or lacks pgvector and the role may
// not create it. It connects as the role in url and may run before any migration.
func Check(ctx context.Context, url string) (err error) {
	c, err := Config(url)
	if err != nil {
		return err
	}
	conn, err := pgx.ConnectConfig(ctx, c.ConnConfig)
	if err != nil {
		return unreachable(c.ConnConfig.ConnectTimeout, err)
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	var version int
	if err := conn.QueryRow(ctx, `SELECT current_setting('server_version_num')::int`).Scan(&version); err != nil {
		return fmt.Errorf("read the server's version: %w", err)
	}
	if version/10000 < postgres.MinVersion {
		return fault.New(fault.Unprocessable, "PostgreSQL %d or newer is needed, this server is %d; upgrade it or unset DATABASE_URL to use the private one", postgres.MinVersion, version/10000).At(addressField)
	}
	return checkVector(ctx, conn)
}

// MaxConnections returns how many connections the server at url accepts at once from
// roles that are not superusers.
func MaxConnections(ctx context.Context, url string) (most int, err error) {
	c, err := Config(url)
	if err != nil {
		return 0, err
	}
	conn, err := pgx.ConnectConfig(ctx, c.ConnConfig)
	if err != nil {
		return 0, unreachable(c.ConnConfig.ConnectTimeout, err)
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	err = conn.QueryRow(ctx, `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
		- coalesce(current_setting('reserved_connections', true), '0')::int`).Scan(&most)
	return most, fault.Wrap(err, "read how many connections the server takes")
}

func checkVector(ctx context.Context, conn *pgx.Conn) error {
	var known bool
	if err := conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector')`).Scan(&known); err != nil {
		return fmt.Errorf("look for pgvector: %w", err)
	}
	if !known {
		return fault.New(fault.Unprocessable, "the extension pgvector is not installed on this server; install it there (package postgresql-N-pgvector, or the image pgvector/pgvector), or unset DATABASE_URL to use the private one").At(addressField)
	}
	err := postgres.Contended(ctx, func() error {
		_, err := conn.Exec(ctx, `CREATE EXTENSION IF NOT EXISTS vector`)
		return err
	})
	if err != nil {
		return fault.New(fault.Forbidden, "this role may not create the extension pgvector; run CREATE EXTENSION vector once as an administrator of the database").At(addressField).Because(err)
	}
	return nil
}
