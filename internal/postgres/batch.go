package postgres

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Batch collects one tenant's statements and sends them in one round trip, as
// one transaction: either all of them hold or none. The zero value is not
// usable; see [NewBatch].
//
// A Batch is handed to storage functions the way a transaction is: those that
// write queue with [Batch.Exec] (so generated code writes into it), those that
// read queue with [Rows] and name where the result goes. Results are there when
// [Batch.Send] has returned nil, and not before.
type Batch struct {
	tenant string
	pgx    pgx.Batch
}

// NewBatch returns an empty batch of the tenant.
func NewBatch(tenant string) *Batch {
	b := &Batch{tenant: tenant}
	b.pgx.Queue(setTenant, tenant)
	return b
}

// Tenant returns the tenant whose rows the batch may touch.
func (b *Batch) Tenant() string { return b.tenant }

// Exec queues a statement whose result nobody needs. The tag is empty and the
// error nil: what goes wrong is [Batch.Send]'s to say.
func (b *Batch) Exec(_ context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	b.pgx.Queue(sql, args...)
	return pgconn.CommandTag{}, nil
}

// errQueued is what reading from a batch gives: results come with Send.
var errQueued = errors.New("postgres: a batch is read with Rows")

// Query always fails; it makes Batch a home for generated code that writes.
func (b *Batch) Query(context.Context, string, ...any) (pgx.Rows, error) { return nil, errQueued }

// QueryRow always fails when scanned; see Query.
func (b *Batch) QueryRow(context.Context, string, ...any) pgx.Row { return noRow{} }

type noRow struct{}

func (noRow) Scan(...any) error { return errQueued }

// Rows queues a query whose rows are R, the struct generated for it, in column
// order, and gives each to f, which may keep what is in it but not the pointer: the
// next row takes its place. The arguments stand in the order of the query's numbers.
func Rows[R any](b *Batch, f func(*R) error, sql string, args ...any) {
	b.pgx.Queue(sql, args...).Query(func(rows pgx.Rows) error {
		defer rows.Close()
		var row, none R
		into := fields(&row)
		for rows.Next() {
			row = none
			if err := rows.Scan(into...); err != nil {
				return err
			}
			if err := f(&row); err != nil {
				return err
			}
		}
		return rows.Err()
	})
}

// fields returns the addresses of the fields of a struct, in their order. They are
// found once a query and not for each row, as pgx would.
func fields(row any) []any {
	v := reflect.ValueOf(row).Elem()
	out := make([]any, v.NumField())
	for i := range out {
		out[i] = v.Field(i).Addr().Interface()
	}
	return out
}

// Send runs the batch on db: on a pool as a transaction of its own, in a
// transaction as a part of it. The first error ends it and undoes all of it.
func (b *Batch) Send(ctx context.Context, db DB) error {
	if err := db.SendBatch(ctx, &b.pgx).Close(); err != nil {
		return fmt.Errorf("batch: %w", err)
	}
	return nil
}

// Relax lets the batch's commit be lost when the database server crashes, in
// exchange for not waiting for its disk. It never reorders or tears anything.
func (b *Batch) Relax() { b.pgx.Queue(relax) }

// relax is SET LOCAL for a transaction that no BEGIN began, in which that gives a
// warning.
const relax = `SELECT set_config('synchronous_commit', 'off', true)`
