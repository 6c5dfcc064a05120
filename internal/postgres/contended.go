package postgres

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// How often and for how long what another process makes at the same moment is tried.
const (
	contendedTries = 40
	contendedPause = 50 * time.Millisecond
)

// Contended runs f, which makes something that may be there already, again as long as
// it fails because another process is making the same: IF NOT EXISTS does not help
// against that, and roles are shared by all databases of a server.
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

// contends reports whether err says that another session made, or was changing, the
// same thing.
func contends(err error) bool {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return false
	}
	made := slices.Contains([]string{"23505", "42710", "42P06", "42P07", "40P01"}, e.Code)
	return made || e.Code == "XX000" && strings.Contains(e.Message, "concurrently")
}
