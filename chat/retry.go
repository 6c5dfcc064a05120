package chat

import (
	"context"
	"errors"
	"time"

	"quaestor/internal/postgres"
)

// errChanged reports that a session has changed since it was read.
var errChanged = errors.New("the session changed since it was read")

// retry calls f until it succeeds, fails for a reason that is not transient, or ctx
// ends, and returns the last error of f.
func retry(ctx context.Context, f func() error) error {
	const first, longest = 20 * time.Millisecond, time.Second
	for pause := first; ; pause = min(2*pause, longest) {
		err := f()
		if !transient(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

// transient reports whether trying again may succeed: the database is away or
// starting, or somebody else was quicker.
func transient(err error) bool {
	switch postgres.Code(err) {
	case "40001", "40P01": // serialization failure, deadlock
		return true
	}
	return errors.Is(err, errChanged) || postgres.Away(err)
}
