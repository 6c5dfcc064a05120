// Package lease is how a worker holds a row of work, such as a research task or a run,
// while it works on it.
//
// A worker acquires the row under the next attempt, until a time that it keeps moving
// ahead ([Lease.Hold]). A worker that has been silent beyond that time has lost the row:
// a [Rescuer] has another attempt acquire it, and the attempt number fences the one
// before, whose writes are refused with [ErrLost] ([Fenced]).
//
// The statements are those of the package that owns the rows. Turns of conversations are
// held otherwise: a server keeps one lock in the database for all of its turns, which
// ends with its connection.
package lease

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"quaestor/internal/fault"
)

// ErrLost is why a worker stops: the work is over or another attempt's.
var ErrLost = errors.New("the lease is lost")

// Lease is a row of work that its worker has acquired.
type Lease struct {
	Beat  time.Duration                                    // how often it is renewed
	Poke  <-chan struct{}                                  // renews it at once; may be nil
	Renew func(ctx context.Context) (held bool, err error) // held is false when the row is not this attempt's any more
	Warn  func(ctx context.Context, err error)             // is told of renewals that failed
}

// Hold calls work and renews the lease meanwhile. When the lease is lost, the context of
// work ends with [ErrLost] as its cause, and an error that work returns then is joined
// with ErrLost. A renewal that fails does not end the work: if the lease ran out
// meanwhile, the fence refuses its writes.
func (l Lease) Hold(ctx context.Context, work func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	stopped := make(chan struct{})
	go func() { // waited for below
		defer close(stopped)
		l.renew(ctx, cancel)
	}()
	defer func() { cancel(nil); <-stopped }()
	err := work(ctx)
	if err != nil && errors.Is(context.Cause(ctx), ErrLost) {
		return errors.Join(ErrLost, err)
	}
	return err
}

// renew renews the lease until ctx ends or it is lost.
func (l Lease) renew(ctx context.Context, cancel context.CancelCauseFunc) {
	tick := time.NewTicker(l.Beat)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-l.Poke:
		}
		held, err := l.Renew(ctx)
		switch {
		case err == nil && !held:
			cancel(ErrLost)
			return
		case err != nil && ctx.Err() == nil:
			l.Warn(ctx, err)
		}
	}
}

// Fenced returns what a statement found that locks the row for one attempt. A row that is
// not there is another attempt's: the error is ErrLost.
func Fenced[T any](row T, err error) (T, error) {
	if errors.Is(err, pgx.ErrNoRows) {
		err = ErrLost
	}
	return row, err
}

// Done returns nil for an error that leaves a job nothing to do: its row is another
// attempt's, or gone.
func Done(err error) error {
	if errors.Is(err, ErrLost) || fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}

// Snooze has a job come back after a while, unless err stopped it from giving its row
// back.
func Snooze(wait time.Duration, err error) error {
	if err != nil {
		return Done(err)
	}
	return river.JobSnooze(wait)
}

// NextRetry is when a job that failed that often is tried again: after 2, 8, 32 s and so
// on, 5 minutes at most. A service that is away for a moment is waited for, and one that
// is away for long is not asked all the time.
func NextRetry(attempt int) time.Time {
	return time.Now().Add(min(time.Second<<(2*min(attempt, 5)-1), 5*time.Minute))
}
