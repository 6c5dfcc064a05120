package cluster

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"quaestor/internal/fault"
)

// prepare makes the database and the extension if they are missing, and reads
// the versions.
func (c *Cluster) prepare(ctx context.Context) error {
	if err := c.makeDatabase(ctx); err != nil {
		return fault.New(fault.Unavailable, "the database %q could not be made: %s (log: %s)", Database, c.said(err), c.LogFile())
	}
	if err := c.readVersions(ctx); err != nil {
		return fault.New(fault.Unavailable, "the extension vector could not be made: %s (log: %s)", c.said(err), c.LogFile())
	}
	return nil
}

// said returns the server's message, or that it does not answer.
func (c *Cluster) said(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Message
	}
	return "the server does not answer at its socket in " + c.socketFolder()
}

// makeDatabase creates [Database] if it is missing.
func (c *Cluster) makeDatabase(ctx context.Context) error {
	return c.alone(ctx, "postgres", func(conn *pgx.Conn) error {
		var exists bool
		err := conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)`, Database).Scan(&exists)
		if err != nil || exists {
			return err
		}
		_, err = conn.Exec(ctx, `CREATE DATABASE `+Database)
		return err
	})
}

// readVersions creates the extension vector if it is missing, and reads the versions.
func (c *Cluster) readVersions(ctx context.Context) error {
	return c.alone(ctx, Database, func(conn *pgx.Conn) error {
		if _, err := conn.Exec(ctx, `CREATE EXTENSION IF NOT EXISTS vector`); err != nil {
			return err
		}
		return conn.QueryRow(ctx, `
			SELECT split_part(current_setting('server_version'), ' ', 1), extversion
			FROM pg_extension
			WHERE extname = 'vector'`).Scan(&c.version, &c.vector)
	})
}

// alone calls f with a connection to the database and an advisory lock that no other
// process holds: two CREATE … IF NOT EXISTS at the same time can fail.
func (c *Cluster) alone(ctx context.Context, database string, f func(*pgx.Conn) error) error {
	conn, err := pgx.Connect(ctx, c.urlOf(database))
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // also after ctx has ended
	if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock(hashtext('quaestor cluster'))`); err != nil {
		return err
	}
	return f(conn)
}
