package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/postgres/cluster"
	"quaestor/internal/postgres/connect"
	"quaestor/migrations"
)

// stopLimit is how long the private database may take to stop in good order. It
// leaves room for the checkpoint that ends a fast shutdown; [cluster.Cluster.Stop]
// has the same patience.
const stopLimit = 30 * time.Second

// database is the database that the program works on: a private one that it runs
// itself, or an outside one.
type database struct {
	url     string           // of a role that may migrate
	private *cluster.Cluster // nil for an outside database
}

// openDatabase starts the private database, or checks that the outside one can be
// used. Where this machine has no PostgreSQL with pgvector, it builds a private copy
// first, which takes minutes; the progress is written to w.
func openDatabase(ctx context.Context, s *Settings, log *slog.Logger, w io.Writer) (*database, error) {
	if !s.DatabaseURL.IsZero() {
		url := s.DatabaseURL.Reveal()
		return &database{url: url}, connect.Check(ctx, url)
	}
	bin := s.PGBin
	if _, err := cluster.Find(ctx, cluster.FindOptions{Bin: bin, DataDir: s.DataDir}); err != nil && bin == "" {
		if bin, err = cluster.Provision(ctx, cluster.ServerDir(), w); err != nil {
			return nil, err
		}
	}
	c, err := cluster.Start(ctx, cluster.Options{DataDir: s.DataDir, Bin: bin, MaxConnections: privateConns(s), Log: log})
	if err != nil {
		return nil, err
	}
	return &database{url: c.URL(), private: c}, nil
}

// privateConns returns the max_connections of a private database: those that the
// server may open and 50 more, for commands and a person with psql beside it. 100 is
// PostgreSQL's own default and the least.
func privateConns(s *Settings) int { return max(100, int(s.MaxConns)+50) }

// close stops the private database. It does nothing to an outside one.
func (d *database) close() error {
	if d.private == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopLimit) // the caller's context has ended by now
	defer cancel()
	return d.private.Stop(ctx)
}

// withDatabase opens the database, migrates it to the newest schema, calls f, and
// closes the database. When ctx ends before f is called, it returns that it was told
// to stop. f itself has to watch ctx.
func withDatabase(ctx context.Context, s *Settings, io *streams, f func(d *database, log *slog.Logger) error) (err error) {
	log := newLogger(io.err, s)
	if err := s.check(); err != nil {
		return err
	}
	d, err := openDatabase(ctx, s, log, io.err)
	if err != nil {
		return givenUp(ctx, err)
	}
	defer func() { err = errors.Join(err, d.close()) }()
	if err := migrations.Up(ctx, d.url); err != nil {
		return givenUp(ctx, err)
	}
	return f(d, log)
}

// openPool returns a pool on the database at url for a long-running process, after
// [Settings.checkRoom].
func (s *Settings) openPool(ctx context.Context, url string) (*pgxpool.Pool, error) {
	if err := s.checkRoom(ctx, url); err != nil {
		return nil, err
	}
	return connect.Open(ctx, url, connect.Options{MaxConns: s.MaxConns})
}

// checkRoom returns a fault when this process may open more connections than the
// outside database at url accepts. A private database is started with enough.
func (s *Settings) checkRoom(ctx context.Context, url string) error {
	if s.DatabaseURL.IsZero() {
		return nil
	}
	room, err := connect.MaxConnections(ctx, url)
	if err != nil || int(s.MaxConns) <= room {
		return err
	}
	return fault.New(fault.Invalid, "must be at most %d, not %d: the database takes no more; lower it, or raise max_connections there", room, s.MaxConns).At(setting("max-conns"))
}

// givenUp returns err, or, when ctx has ended, a fault that the program was told to
// stop: whatever failed after that failed for this reason.
func givenUp(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	return fault.New(fault.Unavailable, "told to stop before the database was ready")
}

// migrateCommand brings the database to the newest schema and does nothing else.
type migrateCommand struct{}

// Run only has to open the database: that migrates it.
func (migrateCommand) Run(ctx context.Context, s *Settings, io *streams) error {
	return withDatabase(ctx, s, io, func(*database, *slog.Logger) error {
		_, err := fmt.Fprintln(io.out, "The database is at the newest schema.")
		return err
	})
}
