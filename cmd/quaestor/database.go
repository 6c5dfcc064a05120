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

// stopLimit is how long the private database may take to stop in good order.
const stopLimit = 30 * time.Second

// database is the database the program works on.
type database struct {
	url     string // of a role that may migrate
	private *cluster.Cluster
}

// openDatabase starts the private database, or checks the outside one. What is
// missing for a private one is built first, with progress on w.
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

// privateConns is how many a private database takes: what the server may open, and room
// for a worker, a command and a person with psql beside it.
func privateConns(s *Settings) int { return max(100, int(s.MaxConns)+50) }

// close stops the private database.
func (d *database) close() error {
	if d.private == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopLimit) // the caller's context has ended by now
	defer cancel()
	return d.private.Stop(ctx)
}

// withDatabase opens the database, brings it to the newest schema, and closes it
// after f. When ctx ends before that is done, the start is given up; f has to look
// at its own context.
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

// openPool opens the connections of a process that works on the database at url.
func (s *Settings) openPool(ctx context.Context, url string) (*pgxpool.Pool, error) {
	if err := s.checkRoom(ctx, url); err != nil {
		return nil, err
	}
	return connect.Open(ctx, url, connect.Options{MaxConns: s.MaxConns})
}

// checkRoom refuses more connections than an outside database at url takes; a private
// one is started with room for them.
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

// givenUp is err, or where ctx has ended, that it was told to stop: what broke off
// then is only the echo of that.
func givenUp(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	return fault.New(fault.Unavailable, "told to stop before the database was ready")
}

// migrateCommand migrates.
type migrateCommand struct{}

// Run brings the database to the newest schema.
func (migrateCommand) Run(ctx context.Context, s *Settings, io *streams) error {
	return withDatabase(ctx, s, io, func(*database, *slog.Logger) error {
		_, err := fmt.Fprintln(io.out, "The database is at the newest schema.")
		return err
	})
}
