// Package postgres reads and writes rows: through a batch of a tenant or a transaction
// of a tenant. Package connect opens the pool.
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

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// AppRole is the database role that every pooled connection acts as. It owns no table
// and does not bypass row-level security.
const AppRole = "quaestor_app"

// MinVersion is the oldest major version of PostgreSQL that is supported: the first
// with views that read as their caller (security_invoker), so that row-level security
// holds through them.
const MinVersion = 15

// DB is a pool or a transaction: whatever can carry a batch.
type DB interface {
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// InTx runs f in a transaction of the tenant and commits when f returns nil.
func InTx(ctx context.Context, pool *pgxpool.Pool, tenant string, f func(tx pgx.Tx) error) error {
	if strings.Trim(tenant, "0123456789abcdef-") != "" { // ids are UUIDs, so nothing in them can end the literal below
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

// Unstorable reports whether err means that a text holds what the database cannot: a NUL character,
// or bytes that are no UTF-8.
func Unstorable(err error) bool {
	code := Code(err)
	return code == "22021" || code == "22P05"
}

// Away reports whether err means that the database is unavailable at the moment: it does
// not answer in time, is starting or stopping, or accepts no more connections. What was
// sent may or may not have been done.
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
