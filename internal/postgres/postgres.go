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

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// AppRole is the role every pooled connection acts as. It owns no table and
// does not bypass row-level security.
const AppRole = "quaestor_app"

// DB is a pool or a transaction: whatever can carry a batch.
type DB interface {
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
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
