// Package migrations owns the database schema: embedded, forward-only SQL files,
// applied in order and under a lock, so that many processes may start at once.
//
// Tables, functions and the application's role come first, by goose; River's own
// tables follow in the schema "river".
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

// Up brings the database at url to the newest schema. It also restores the application's
// role and its privileges, which a dump restored on another server lacks. It needs a role
// that may create tables, roles and the extension vector. Running it again, or from many
// processes at once, is harmless.
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

// Processes that start together wait for each other by trying again every second, for at
// most five minutes. They do not queue for the lock, because a waiting statement would
// block CREATE INDEX CONCURRENTLY in the process that holds it.
const (
	lockEvery = 1
	lockTries = 300
)

// provider returns goose with the embedded files and the lock.
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

// riverUp creates River's tables and grants them to the application's role. Each of
// River's versions is a transaction of its own, because PostgreSQL does not allow an enum
// value to be used in the transaction that added it. River's migrator takes no lock, so
// one on a separate connection keeps other processes out.
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
	defer func() { err = errors.Join(err, lock.Close(context.WithoutCancel(ctx))) }() // closing releases the lock
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

// withConn runs f on a connection of its own and closes it.
func withConn(ctx context.Context, c *pgxpool.Config, f func(conn *pgx.Conn) error) (err error) {
	conn, err := pgx.ConnectConfig(ctx, c.ConnConfig)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	return f(conn)
}

// grantRiver lets the application's role use River's tables.
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
