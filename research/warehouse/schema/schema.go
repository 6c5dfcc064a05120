package schema

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/embedding"
	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse/schema/internal/dbsqlc"
)

// queries are the generated queries of this package.
var queries = dbsqlc.New()

// Options are the dependencies of an index.
type Options struct {
	Pool *pgxpool.Pool

	// Encoder computes vectors; nil means that searches use words alone.
	Encoder embedding.Encoder

	// SampleTime bounds the sampling of one table. Zero means 30 s.
	SampleTime time.Duration

	Log *slog.Logger // nil means none
}

// Index is the store of what warehouses hold. Make one with [New]. It is safe for concurrent use.
type Index struct {
	pool       *pgxpool.Pool
	encoder    embedding.Encoder // nil for searches by words alone
	sampleTime time.Duration     // for one table; not zero
	log        *slog.Logger
	snapshots  cache
}

// New returns the index stored in o.Pool.
func New(o Options) (*Index, error) {
	if o.Pool == nil {
		return nil, errors.New("an index of warehouses needs a pool")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.SampleTime <= 0 {
		o.SampleTime = 30 * time.Second
	}
	return &Index{pool: o.Pool, encoder: o.Encoder, sampleTime: o.SampleTime, log: o.Log}, nil
}

// place identifies a warehouse and its tenant.
type place struct{ tenant, warehouse string }

// lockedConn is a connection that holds an advisory lock.
type lockedConn struct {
	*pgxpool.Conn
	what string // names the lock
}

// hold takes the lock for an operation (what) on a warehouse, or returns a Conflict with the
// message running. PostgreSQL releases the lock when the process ends at the latest. The
// connection stays out of the pool until [lockedConn.leave].
func (x *Index) hold(ctx context.Context, of place, what, running string) (*lockedConn, error) {
	conn, err := x.pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("reach the database: %w", err)
	}
	h := &lockedConn{conn, "warehouse " + what + " " + of.tenant + " " + of.warehouse}
	var taken bool
	b := postgres.NewBatch(of.tenant)
	postgres.Many(b, queries.HoldTake, h.what, func(got bool) error {
		taken = got
		return nil
	})
	if err := b.Send(ctx, conn); err != nil {
		conn.Release()
		return nil, fmt.Errorf("take %s: %w", h.what, err)
	}
	if !taken {
		conn.Release()
		return nil, fault.New(fault.Conflict, "%s", running)
	}
	return h, nil
}

// leaveTime bounds the release of a lock.
const leaveTime = 5 * time.Second

// leave releases the lock. If that fails, the connection is closed, which releases it too.
func (h *lockedConn) leave(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTime) // the lock must be released even if the caller gave up
	defer cancel()
	if err := queries.HoldLeave(ctx, h.Conn, h.what); err != nil {
		_ = h.Conn.Conn().Close(ctx)
	}
	h.Release()
}
