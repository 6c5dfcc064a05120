// Package migrations owns the schema: forward-only SQL files, embedded, applied
// in order under a lock so that many processes may start at once.
//
// Tables, functions and the application role come first (goose), River's own
// tables after them, in the schema "river".
package migrations

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib" // goose speaks database/sql
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"quaestor/internal/postgres/connect"
)

//go:embed *.sql
var files embed.FS

// RiverSchema is the schema that holds River's tables.
const RiverSchema = "river"

// Up brings the database at url to the newest schema, and makes good the role of the
// application and what that may do, which a dump restored elsewhere lacks. It needs a
// role that may create tables, roles and the extension vector. Running it again, or from
// many processes at once, is harmless.
func Up(ctx context.Context, url string) error {
	c, err := connect.Config(url)
	if err != nil {
		return err
	}
	db := stdlib.OpenDB(*c.ConnConfig)
	defer func() { _ = db.Close() }()
	p, err := provider(db)
	if err != nil {
		return err
	}
	if err := withConn(ctx, c, func(conn *pgx.Conn) error { return ensureRole(ctx, conn) }); err != nil {
		return err
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return riverUp(ctx, c)
}

// Pending returns how many migrations the database at url lacks.
func Pending(ctx context.Context, url string) (int, error) {
	c, err := connect.Config(url)
	if err != nil {
		return 0, err
	}
	db := stdlib.OpenDB(*c.ConnConfig)
	defer func() { _ = db.Close() }()
	p, err := provider(db)
	if err != nil {
		return 0, err
	}
	statuses, err := p.Status(ctx)
	if err != nil {
		return 0, fmt.Errorf("read migration status: %w", err)
	}
	pending := 0
	for _, s := range statuses {
		if s.State == goose.StatePending {
			pending++
		}
	}
	return pending, nil
}

// Hash returns a short digest of all migration files; it changes when any of
// them does.
func Hash() string {
	h := sha256.New()
	names, _ := fs.Glob(files, "*.sql")
	for _, name := range names {
		b, _ := files.ReadFile(name)
		_, _ = fmt.Fprintf(h, "%s %d\n", name, len(b))
		_, _ = h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil))[:12]
}

// Processes that start together wait for each other by trying again every second,
// for five minutes at most. They must not queue for the lock: a waiting statement
// would keep indexes from being built concurrently.
const (
	lockEvery = 1
	lockTries = 300
)

func provider(db *sql.DB) (*goose.Provider, error) {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(lockEvery, lockTries))
	if err != nil {
		return nil, fmt.Errorf("migration lock: %w", err)
	}
	p, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithSessionLocker(locker))
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	return p, nil
}

// riverUp creates River's tables and lets the application role use them. Each
// of River's versions is a transaction of its own, for PostgreSQL does not let one
// use an enum value it has just added; a lock on a connection of its own keeps
// other processes out meanwhile, since River's migrator has none.
func riverUp(ctx context.Context, c *pgxpool.Config) (err error) {
	pool, err := pgxpool.NewWithConfig(ctx, c)
	if err != nil {
		return fmt.Errorf("open database for River: %w", err)
	}
	defer pool.Close()
	lock, err := pgx.ConnectConfig(ctx, c.ConnConfig)
	if err != nil {
		return fmt.Errorf("lock River's migration: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Close(context.WithoutCancel(ctx))) }() // closing lets go of the lock
	if _, err := lock.Exec(ctx, `SELECT pg_advisory_lock(hashtext('quaestor river'))`); err != nil {
		return fmt.Errorf("lock River's migration: %w", err)
	}
	if _, err := pool.Exec(ctx, `CREATE SCHEMA IF NOT EXISTS `+RiverSchema); err != nil {
		return fmt.Errorf("create River's schema: %w", err)
	}
	m, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Schema: RiverSchema, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return fmt.Errorf("prepare River's migration: %w", err)
	}
	if _, err := m.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("migrate River: %w", err)
	}
	if err := ensurePrivileges(ctx, lock); err != nil {
		return err
	}
	return grantRiver(ctx, pool)
}

// withConn runs f on a connection of its own.
func withConn(ctx context.Context, c *pgxpool.Config, f func(conn *pgx.Conn) error) (err error) {
	conn, err := pgx.ConnectConfig(ctx, c.ConnConfig)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	return f(conn)
}

func grantRiver(ctx context.Context, pool *pgxpool.Pool) error {
	for _, stmt := range []string{
		`GRANT USAGE ON SCHEMA ` + RiverSchema + ` TO quaestor_app`,
		`GRANT ALL ON ALL TABLES IN SCHEMA ` + RiverSchema + ` TO quaestor_app`,
		`GRANT ALL ON ALL SEQUENCES IN SCHEMA ` + RiverSchema + ` TO quaestor_app`,
		`GRANT ALL ON ALL FUNCTIONS IN SCHEMA ` + RiverSchema + ` TO quaestor_app`,
	} {
		if _, err := pool.Exec(ctx, stmt); err != nil {
			return fmt.Errorf("grant River's tables: %w", err)
		}
	}
	return nil
}
