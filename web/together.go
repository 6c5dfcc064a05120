package web

import (
	"context"
	"errors"
	"iter"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"quaestor/internal/postgres"
)

// reading reads something of one tenant through db, as a batch of its own.
type reading func(db postgres.DB) error

// together carries out readings in one round trip and one transaction: their
// batches travel as one, statements in the order of the readings. What a
// reading sends after its first batch travels by itself. The error is the first
// reading's that has one; when the database refuses a statement, all do.
func together(ctx context.Context, db postgres.DB, readings ...reading) error {
	var all pgx.Batch
	begun := make([]*begunReading, len(readings))
	for i, r := range readings {
		begun[i] = begin(r)
		defer begun[i].stop()
		if b, more := begun[i].next(); more {
			all.QueuedQueries = append(all.QueuedQueries, b.QueuedQueries...)
		}
	}
	sent := db.SendBatch(ctx, &all).Close()
	for _, r := range begun {
		if err := r.finish(ctx, db, sent); err != nil {
			return err
		}
	}
	return nil
}

// begunReading is a reading that stands still wherever it sends a batch.
type begunReading struct {
	next func() (*pgx.Batch, bool) // goes on up to the next batch; false at the end
	stop func()
	sent error // what came of the batch it waits for
	err  error // of the reading
}

func begin(r reading) *begunReading {
	out := &begunReading{sent: errUnsent}
	out.next, out.stop = iter.Pull(func(yield func(*pgx.Batch) bool) { out.err = r(waiting{out, yield}) })
	return out
}

var errUnsent = errors.New("web: the reading was given up")

// finish lets the reading have what came of its batch and brings it to its end.
func (r *begunReading) finish(ctx context.Context, db postgres.DB, sent error) error {
	r.sent = sent
	for b, more := r.next(); more; b, more = r.next() {
		r.sent = db.SendBatch(ctx, b).Close()
	}
	return r.err
}

// waiting is the database a reading sees. It takes batches only: that is how one
// tenant's rows are read.
type waiting struct {
	reading *begunReading
	hold    func(*pgx.Batch) bool
}

var errBatchOnly = errors.New("web: what is read together is read with batches")

// SendBatch waits until the batch was carried out.
func (w waiting) SendBatch(_ context.Context, b *pgx.Batch) pgx.BatchResults {
	if !w.hold(b) {
		return carriedOut{err: errUnsent}
	}
	return carriedOut{err: w.reading.sent}
}

func (w waiting) Query(context.Context, string, ...any) (pgx.Rows, error) { return nil, errBatchOnly }

func (w waiting) QueryRow(context.Context, string, ...any) pgx.Row {
	return carriedOut{err: errBatchOnly}
}

func (w waiting) Exec(context.Context, string, ...any) (pgconn.CommandTag, error) {
	return pgconn.CommandTag{}, errBatchOnly
}

// carriedOut is what came of a batch whose rows went to those who queued its
// statements: nothing is left in it but the error, and closing is all there is to
// do with it.
type carriedOut struct {
	pgx.BatchResults // none
	err              error
}

// Close returns the error.
func (c carriedOut) Close() error { return c.err }

// Scan returns the error: no row was read.
func (c carriedOut) Scan(...any) error { return c.err }
