// Package postgres is the way to the rows: the pool, a tenant's batch, a
// tenant's transaction.
//
// Row-level security hides every owned row until a transaction names its
// tenant, so statements never travel alone. [Batch] carries one tenant's
// statements to the server in one round trip and one transaction; [InTx] is
// for the few flows that must decide between statements.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
)

// AppRole is the role every pooled connection acts as. It owns no table and
// does not bypass row-level security.
const AppRole = "quaestor_app"

// minVersion is the oldest PostgreSQL major that is supported.
const minVersion = 15

// Options tune [Open].
type Options struct {
	MaxConns int32  // zero means 8
	Name     string // application_name; empty means "quaestor"
	// Trace sees every query; nil means none.
	Trace pgx.QueryTracer
}

// DB is a pool or a transaction: whatever can carry a batch.
type DB interface {
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// Open returns a pool on the database at url whose connections act as
// [AppRole]. It does not wait for the database.
func Open(ctx context.Context, url string, o Options) (*pgxpool.Pool, error) {
	c, err := Config(url)
	if err != nil {
		return nil, err
	}
	c.MaxConns = o.MaxConns
	if c.MaxConns == 0 {
		c.MaxConns = 8
	}
	c.MaxConnIdleTime = 5 * time.Minute
	c.ConnConfig.RuntimeParams["role"] = AppRole
	c.ConnConfig.RuntimeParams["application_name"] = "quaestor"
	if o.Name != "" {
		c.ConnConfig.RuntimeParams["application_name"] = o.Name
	}
	c.ConnConfig.RuntimeParams["timezone"] = "UTC"
	c.ConnConfig.Tracer = o.Trace
	pool, err := pgxpool.NewWithConfig(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("open pool: %w", err)
	}
	return pool, nil
}

// Check refuses a database that Quaestor cannot live in, with the remedy. It
// connects as the role in url, before any migration.
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
	if version/10000 < minVersion {
		return fault.New(fault.Unprocessable, "PostgreSQL %d or newer is needed, this server is %d; upgrade it or unset DATABASE_URL to use the private one", minVersion, version/10000).At("DATABASE_URL")
	}
	return checkVector(ctx, conn)
}

// Room returns how many connections the database at url takes at once of roles that
// are no superusers.
func Room(ctx context.Context, url string) (room int, err error) {
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
		- coalesce(current_setting('reserved_connections', true), '0')::int`).Scan(&room)
	if err != nil {
		return 0, fmt.Errorf("read how many connections the server takes: %w", err)
	}
	return room, nil
}

func checkVector(ctx context.Context, conn *pgx.Conn) error {
	var known bool
	if err := conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector')`).Scan(&known); err != nil {
		return fmt.Errorf("look for pgvector: %w", err)
	}
	if !known {
		return fault.New(fault.Unprocessable, "the extension pgvector is not installed on this server; install it there (package postgresql-N-pgvector, or the image pgvector/pgvector), or unset DATABASE_URL to use the private one").At("DATABASE_URL")
	}
	err := Contended(ctx, func() error {
		_, err := conn.Exec(ctx, `CREATE EXTENSION IF NOT EXISTS vector`)
		return err
	})
	if err != nil {
		return fault.New(fault.Forbidden, "this role may not create the extension pgvector; run CREATE EXTENSION vector once as an administrator of the database").At("DATABASE_URL").Because(err)
	}
	return nil
}

// InTx runs f in a transaction of the tenant and commits when f returns nil.
func InTx(ctx context.Context, pool *pgxpool.Pool, tenant string, f func(tx pgx.Tx) error) error {
	if strings.Trim(tenant, "0123456789abcdef-") != "" { // ids are UUIDs: what could end the literal is none
		return fmt.Errorf("begin a transaction: %q is no tenant", tenant)
	}
	begin := pgx.TxOptions{BeginQuery: "BEGIN; " + strings.ReplaceAll(setTenant, "$1", "'"+tenant+"'")} // one round trip
	return pgx.BeginTxFunc(ctx, pool, begin, f)
}

const setTenant = `SELECT set_config('app.tenant', $1, true)`

// Constraint returns the name of the constraint or unique index that err broke,
// or "".
func Constraint(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.ConstraintName
	}
	return ""
}

// Code returns the SQLSTATE of err, or "".
func Code(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// Away reports whether err says that the database cannot be had just now: it does not
// answer in time, is starting or closing, or takes no more connections. What was sent
// may or may not have been done.
func Away(err error) bool {
	switch Code(err) {
	case "08000", "08003", "08006", "53300", "57P01", "57P02", "57P03", "57P05":
		return true
	}
	var refused *pgconn.ConnectError
	var broken *net.OpError
	return errors.As(err, &refused) || errors.As(err, &broken) || pgconn.SafeToRetry(err) || pgconn.Timeout(err) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}
