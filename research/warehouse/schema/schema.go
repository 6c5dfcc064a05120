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

var queries = dbsqlc.New()

// Options are what [New] needs.
type Options struct {
	Pool *pgxpool.Pool

	// Encoder makes vectors; nil means that words are all a search has.
	Encoder embedding.Encoder

	// SampleTime bounds the reading of one table's samples. Zero means 30 s.
	SampleTime time.Duration

	Log *slog.Logger // nil means none
}

// Index is what warehouses hold. Make one with [New]. It is safe for concurrent use.
type Index struct {
	pool       *pgxpool.Pool
	encoder    embedding.Encoder
	sampleTime time.Duration
	log        *slog.Logger
	snapshots  cache
}

// New returns the index in o.Pool.
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

// place names a warehouse and whose it is.
type place struct{ tenant, warehouse string }

// held is a connection that keeps others from doing the same.
type held struct {
	*pgxpool.Conn
	what string
}

// hold takes the only right to work at what of a warehouse, or is a Conflict that
// says so. It ends with the process at the latest.
func (x *Index) hold(ctx context.Context, of place, what, running string) (*held, error) {
	conn, err := x.pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("reach the database: %w", err)
	}
	h := &held{conn, "warehouse " + what + " " + of.tenant + " " + of.warehouse}
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

// leaveTime bounds how long letting go takes.
const leaveTime = 5 * time.Second

// leave lets others in. A connection that cannot say so is closed, which does too.
func (h *held) leave(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTime) // whoever gave up must still let go
	defer cancel()
	if err := queries.HoldLeave(ctx, h.Conn, h.what); err != nil {
		_ = h.Conn.Conn().Close(ctx)
	}
	h.Release()
}
