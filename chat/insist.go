package chat

import (
	"context"
	"errors"
	"time"

	"quaestor/internal/postgres"
)

// errChanged says that a session has changed since it was read.
var errChanged = errors.New("the session changed since it was read")

// insist does f again for as long as what keeps it from working passes by itself, until
// ctx ends.
func insist(ctx context.Context, f func() error) error {
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

// transient reports whether err passes by itself: the database is away or starting, or
// others were quicker.
func transient(err error) bool {
	switch postgres.Code(err) {
	case "40001", "40P01": // serialization failure, deadlock
		return true
	}
	return errors.Is(err, errChanged) || postgres.Away(err)
}
