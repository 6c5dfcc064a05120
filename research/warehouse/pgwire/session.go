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

// flavours are the differences between the makes.
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

// command is a trusted statement with its arguments.
type command struct {
	sql  string
	args []string
}

// begin returns the function that prepares a session for a statement.
func (c *conn) begin(l warehouse.Limits) func(context.Context, *session) error {
	return func(ctx context.Context, s *session) error {
		return s.run(ctx, c.flavour.setUp(l, c.boundTemp))
	}
}

// giveBack ends the transaction of s, and returns s to the pool if nothing is left of it.
func (c *conn) giveBack(s *session) {
	ctx, cancel := context.WithTimeout(context.Background(), leaveTime) // the caller's context may have ended, but s must be cleaned up nevertheless
	defer cancel()
	list := make([]command, len(c.flavour.leave))
	for i, sql := range c.flavour.leave {
		list[i].sql = sql
	}
	if s.pg.IsClosed() || s.run(ctx, list) != nil || s.pg.TxStatus() != 'I' {
		c.pool.Drop(s)
		return
	}
	c.pool.Release(s)
}

// run sends trusted statements in one round trip and waits for them. The first statement that
// fails ends it, with the transaction in whatever state it left.
func (s *session) run(ctx context.Context, list []command) error {
	var batch pgconn.Batch
	for _, c := range list {
		batch.ExecParams(c.sql, values(c.args), nil, nil, nil)
	}
	return s.pg.ExecBatch(ctx, &batch).Close()
}

// each runs a trusted query and calls found with the cells of each row as text, which are
// overwritten by the next row. If found returns an error, each stops and returns it.
func (s *session) each(ctx context.Context, sql string, args []string, found func(row [][]byte) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	rows := s.pg.ExecParams(ctx, sql, values(args), nil, nil, nil)
	for rows.NextRow() {
		if err := found(rows.Values()); err != nil {
			cancel() // the rest is not needed
			_, _ = rows.Close()
			return err
		}
	}
	_, err := rows.Close()
	return err
}

// values returns args as the driver takes them.
func values(args []string) [][]byte {
	out := make([][]byte, len(args))
	for i, a := range args {
		out[i] = []byte(a)
	}
	return out
}

// setUpPostgres begins a transaction in PostgreSQL. The SELECT takes a snapshot, after which
// PostgreSQL refuses to make the transaction read-write. A query may use several times work_mem,
// hence the eighth of the limit.
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

// setUpRedshift begins a transaction in Redshift, which has neither lock_timeout nor work_mem and
// takes no parameters in SET.
func setUpRedshift(l warehouse.Limits, _ bool) []command {
	return []command{
		{sql: "BEGIN READ ONLY"},
		{sql: "SET statement_timeout TO " + millis(l.Time)},
		{sql: "SET search_path TO pg_catalog"},
	}
}

// millis formats a timeout as the server takes it. It is never 0, which would mean
// no limit.
func millis(d time.Duration) string { return strconv.FormatInt(max(1, d.Milliseconds()), 10) }

// kilobytes returns n bytes in kilobytes, within the range that PostgreSQL accepts. PostgreSQL
// accepts 64 kB at least.
func kilobytes(n int64) string {
	return strconv.FormatInt(min(max(n>>10, 64), 1<<31-1), 10)
}
