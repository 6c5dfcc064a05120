package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Batch collects one tenant's statements and sends them in one round trip, as
// one transaction: either all of them hold or none. The zero value is not
// usable; see [NewBatch].
//
// A Batch is handed to storage functions the way a transaction is: those that
// write pass it to generated code, whose statements [Batch.Exec] queues; those that
// read queue generated code with [Many] or [One], which name where the rows go. Results
// are there when [Batch.Send] has returned nil, and not before.
type Batch struct {
	tenant string
	pgx    pgx.Batch
	err    error // of queueing; Send returns it
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
// error nil: Send returns what goes wrong.
func (b *Batch) Exec(_ context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	b.pgx.Queue(sql, args...)
	return pgconn.CommandTag{}, nil
}

// Query always fails; it makes Batch a home for generated code that writes.
func (b *Batch) Query(context.Context, string, ...any) (pgx.Rows, error) { return nil, errQueued }

// QueryRow always fails when scanned; see Query.
func (b *Batch) QueryRow(context.Context, string, ...any) pgx.Row { return errorRow{errQueued} }

// Send runs the batch on db: on a pool as a transaction of its own, in a
// transaction as a part of it. The first error ends it and undoes all of it.
func (b *Batch) Send(ctx context.Context, db DB) error {
	if b.err != nil {
		return fmt.Errorf("batch: %w", b.err)
	}
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
