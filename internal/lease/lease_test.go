package lease_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"go.uber.org/goleak"

	"quaestor/internal/fault"
	"quaestor/internal/lease"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var errWork = errors.New("it went wrong")

// until works until its context ends.
func until(ctx context.Context) error {
	<-ctx.Done()
	return fmt.Errorf("%w: %w", errWork, ctx.Err())
}

func TestHoldRenewsWhileTheWorkGoesOn(t *testing.T) {
	t.Parallel()

	renewed := make(chan struct{}, 1)
	beats := 0
	l := lease.Lease{Beat: time.Millisecond, Renew: func(context.Context) (bool, error) {
		if beats++; beats == 3 {
			renewed <- struct{}{}
		}
		return true, nil
	}}
	err := l.Hold(t.Context(), func(ctx context.Context) error {
		<-renewed
		return ctx.Err()
	})
	if err != nil {
		t.Errorf("Hold = %v", err)
	}
}

func TestLostLeaseEndsTheWork(t *testing.T) {
	t.Parallel()

	poke := make(chan struct{}, 1)
	l := lease.Lease{Beat: time.Hour, Poke: poke, Renew: func(context.Context) (bool, error) { return false, nil }}
	poke <- struct{}{}
	if err := l.Hold(t.Context(), until); !errors.Is(err, lease.ErrLost) || !errors.Is(err, errWork) {
		t.Errorf("Hold = %v, want ErrLost and what the work returned", err)
	}
	poke <- struct{}{}
	done := l.Hold(t.Context(), func(ctx context.Context) error { <-ctx.Done(); return nil })
	if done != nil {
		t.Errorf("Hold = %v for work that was done when its lease was lost", done)
	}
}

// A database that is away is no proof that somebody else has the work.
func TestRenewalThatFailsIsTriedAgain(t *testing.T) {
	t.Parallel()

	away, warned := errors.New("the database is away"), make(chan error, 1)
	beats := 0
	l := lease.Lease{Beat: time.Millisecond, Warn: func(_ context.Context, err error) { warned <- err }, Renew: func(context.Context) (bool, error) {
		if beats++; beats == 1 {
			return false, away
		}
		return beats < 3, nil
	}}
	if err := l.Hold(t.Context(), until); !errors.Is(err, lease.ErrLost) || beats != 3 {
		t.Errorf("Hold = %v after %d renewals", err, beats)
	}
	if err := <-warned; !errors.Is(err, away) {
		t.Errorf("Warn was told %v", err)
	}
}

func TestEndOfTheCallerIsNotALostLease(t *testing.T) {
	t.Parallel()

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	l := lease.Lease{Beat: time.Hour}
	if err := l.Hold(ctx, until); !errors.Is(err, context.Canceled) || errors.Is(err, lease.ErrLost) {
		t.Errorf("Hold = %v, want what the work returned", err)
	}
}

func TestFenced(t *testing.T) {
	t.Parallel()

	if row, err := lease.Fenced(7, nil); row != 7 || err != nil {
		t.Errorf("Fenced = %d, %v", row, err)
	}
	if _, err := lease.Fenced(0, pgx.ErrNoRows); !errors.Is(err, lease.ErrLost) {
		t.Errorf("Fenced = %v, want ErrLost", err)
	}
	if _, err := lease.Fenced(0, errWork); !errors.Is(err, errWork) {
		t.Errorf("Fenced = %v, want the error as it was", err)
	}
}

func TestWhatAJobReturns(t *testing.T) {
	t.Parallel()

	for _, err := range []error{nil, fmt.Errorf("store: %w", lease.ErrLost), fault.New(fault.NotFound, "there is no such task")} {
		if got := lease.Done(err); got != nil {
			t.Errorf("Done(%v) = %v, want nil", err, got)
		}
	}
	if got := lease.Snooze(time.Second, errWork); !errors.Is(got, errWork) {
		t.Errorf("Snooze = %v, want the error", got)
	}
	var snooze *river.JobSnoozeError
	if got := lease.Snooze(time.Second, nil); !errors.As(got, &snooze) || snooze.Duration != time.Second {
		t.Errorf("Snooze = %v, want a snooze of a second", got)
	}
}

func TestNextRetry(t *testing.T) {
	t.Parallel()

	for attempt, want := range map[int]time.Duration{1: 2 * time.Second, 2: 8 * time.Second, 3: 32 * time.Second, 5: 5 * time.Minute, 30: 5 * time.Minute} {
		if got := time.Until(lease.NextRetry(attempt)).Round(time.Second); got != want {
			t.Errorf("attempt %d is followed after %s, want %s", attempt, got, want)
		}
	}
}
