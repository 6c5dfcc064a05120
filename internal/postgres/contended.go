package postgres

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// How often and how far apart [Contended] tries. Two seconds in all outlast any of the
// statements it is used for, which make a role, an extension or a grant.
const (
	contendedTries = 40
	contendedPause = 50 * time.Millisecond
)

// Contended calls f, which creates something that may exist already, and calls it again
// as long as it fails because another process is creating the same. IF NOT EXISTS does
// not prevent such failures, and roles are shared by all databases of a server.
func Contended(ctx context.Context, f func() error) error {
	for try := 1; ; try++ {
		err := f()
		if err == nil || try == contendedTries || !contends(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(contendedPause):
		}
	}
}

// contends reports whether err means that another session has created, or is changing,
// the same object.
func contends(err error) bool {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return false
	}
	made := slices.Contains([]string{"23505", "42710", "42P06", "42P07", "40P01"}, e.Code)
	return made || e.Code == "XX000" && strings.Contains(e.Message, "concurrently")
}
