package pgwire

import (
	"context"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"quaestor/research/warehouse"
)

// flavour is what the two makes do not have in common.
type flavour struct {
	setUp     func(l warehouse.Limits, temp bool) []command // begins the transaction
	leave     []string                                      // ends it, and undoes what it may have left
	boundTemp string                                        // fails when the role may not bound its temporary files; empty when nobody may
	wanted    func(schemas []string) string                 // the value of the queries below
	tables    []string                                      // queries for what the schemas hold; each is tried when the one before fails
	foreign   string                                        // query for their foreign keys
	rights    string                                        // query for what the role may do beyond reading, a clause a row
}

// flavours are those of the makes.
var flavours = map[warehouse.Kind]flavour{
	warehouse.PostgreSQL: {
		setUp:     setUpPostgres,
		leave:     []string{"ROLLBACK", "SELECT pg_catalog.pg_advisory_unlock_all()"},
		boundTemp: "SELECT pg_catalog.set_config('temp_file_limit', '1048576', true)",
		wanted:    textArray,
		tables:    []string{postgresTables},
		foreign:   postgresForeign,
		rights:    postgresRights,
	},
	warehouse.Redshift: {
		setUp:   setUpRedshift,
		leave:   []string{"ROLLBACK"},
		wanted:  textLines,
		tables:  []string{redshiftTables, redshiftPlainTables},
		foreign: redshiftForeign,
		rights:  redshiftRights,
	},
}

// command is a statement of ours with its values.
type command struct {
	sql  string
	args []string
}

// begin returns what makes a session ready for a statement.
func (c *conn) begin(l warehouse.Limits) func(context.Context, *session) error {
	return func(ctx context.Context, s *session) error {
		return s.run(ctx, c.flavour.setUp(l, c.boundTemp))
	}
}

// giveBack ends the transaction of s and keeps s if nothing is left of it.
func (c *conn) giveBack(s *session) {
	ctx, cancel := context.WithTimeout(context.Background(), leaveTime) // the caller's may have ended, and s must be clean all the same
	defer cancel()
	list := make([]command, len(c.flavour.leave))
	for i, sql := range c.flavour.leave {
		list[i].sql = sql
	}
	if s.pg.IsClosed() || s.run(ctx, list) != nil || s.pg.TxStatus() != 'I' {
		c.pool.Drop(s)
		return
	}
	c.pool.Put(s)
}

// run sends statements of ours in one round trip and waits for their end.
func (s *session) run(ctx context.Context, list []command) error {
	var batch pgconn.Batch
	for _, c := range list {
		batch.ExecParams(c.sql, values(c.args), nil, nil, nil)
	}
	return s.pg.ExecBatch(ctx, &batch).Close()
}

// each runs one query of ours and calls found with the cells of each row, as text;
// they are overwritten by the next. It stops with the error of found.
func (s *session) each(ctx context.Context, sql string, args []string, found func(row [][]byte) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	rows := s.pg.ExecParams(ctx, sql, values(args), nil, nil, nil)
	for rows.NextRow() {
		if err := found(rows.Values()); err != nil {
			cancel() // what is left is not worth waiting for
			_, _ = rows.Close()
			return err
		}
	}
	_, err := rows.Close()
	return err
}

func values(args []string) [][]byte {
	out := make([][]byte, len(args))
	for i, a := range args {
		out[i] = []byte(a)
	}
	return out
}

// setUpPostgres begins a transaction of PostgreSQL. The SELECT gives it a snapshot,
// after which PostgreSQL does not let it become one that writes.
func setUpPostgres(l warehouse.Limits, temp bool) []command {
	settings := `SELECT pg_catalog.set_config('statement_timeout', $1, true), pg_catalog.set_config('lock_timeout', '2s', true),
		pg_catalog.set_config('idle_in_transaction_session_timeout', $2, true), pg_catalog.set_config('work_mem', $3, true),
		pg_catalog.set_config('search_path', 'pg_catalog', true)`
	args := []string{millis(l.Time), millis(l.Time + 10*time.Second), kilobytes(l.Memory / 8)}
	if temp {
		settings += `, pg_catalog.set_config('temp_file_limit', $4, true)`
		args = append(args, kilobytes(4*l.Memory))
	}
	return []command{{sql: "BEGIN TRANSACTION READ ONLY"}, {settings, args}}
}

// setUpRedshift begins a transaction of Redshift, which has neither lock_timeout
// nor work_mem, and takes no values in SET.
func setUpRedshift(l warehouse.Limits, _ bool) []command {
	return []command{
		{sql: "BEGIN READ ONLY"},
		{sql: "SET statement_timeout TO " + millis(l.Time)},
		{sql: "SET search_path TO pg_catalog"},
	}
}

func millis(d time.Duration) string { return strconv.FormatInt(max(1, d.Milliseconds()), 10) }

// kilobytes writes a number of bytes in those, within what PostgreSQL takes.
func kilobytes(n int64) string {
	return strconv.FormatInt(min(max(n>>10, 64), 1<<31-1), 10)
}
