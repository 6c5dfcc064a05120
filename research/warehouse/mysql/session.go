package mysql

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"

	"quaestor/internal/secret"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/wire"
)

// conn is an open warehouse. It is safe for concurrent use; each statement has a session of its
// own.
type conn struct {
	driver  driver.Connector
	user    string // as in the settings
	secret  secret.Secret
	schemas []string         // those of the settings, or else the database
	limits  warehouse.Limits // of our own statements; without zeros
	pool    *wire.Pool[*session]

	server  string // make and version, as the server reports them
	mariaDB bool   // decides how limits are set
}

// session is one connection of the pool.
type session struct {
	driver.Conn
	budget *wire.Budget // set anew for each statement
	id     int64        // the server's number of the connection
}

// budgetKey is the context key for the budget of the connection that is being dialled.
type budgetKey struct{}

// connect returns a connection with a budget of its own. The budget is passed to the dialer in
// the context, because the driver has no other way to it.
func (c *conn) connect(ctx context.Context) (*session, error) {
	s := &session{budget: new(wire.Budget)}
	s.budget.Allow(envelope)
	var err error
	s.Conn, err = c.driver.Connect(context.WithValue(ctx, budgetKey{}, s.budget))
	return s, err
}

// dialMetered dials and charges what is received to the budget in ctx.
func dialMetered(ctx context.Context, r wire.Reach, network, address string) (net.Conn, error) {
	c, err := r.Dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	if b, ok := ctx.Value(budgetKey{}).(*wire.Budget); ok {
		return wire.MeterConn(c, b), nil
	}
	return c, nil
}

// dial returns a read-only connection. The session is read-only by itself, in addition to the
// transaction of each statement.
func (c *conn) dial(ctx context.Context) (*session, error) {
	s, err := c.connect(ctx)
	if err != nil {
		return nil, err
	}
	err = s.each(ctx, "SELECT connection_id()", func(row []driver.Value) error {
		id, err := strconv.ParseInt(text(row[0]), 10, 64)
		s.id = id
		return err
	})
	if err == nil {
		err = s.run(ctx, "SET SESSION TRANSACTION READ ONLY")
	}
	if err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// reach connects for the first time and asks what the server is.
func (c *conn) reach(ctx context.Context) error {
	s, err := c.pool.Acquire(ctx, func(context.Context, *session) error { return nil })
	if err != nil {
		return err
	}
	defer c.giveBack(s)
	return s.each(ctx, "SELECT version(), @@version_comment", func(row []driver.Value) error {
		c.mariaDB = strings.Contains(text(row[0]), "MariaDB")
		c.server = strings.TrimSpace(text(row[0]) + " " + text(row[1]))
		return nil
	})
}

// Close closes all connections.
func (c *conn) Close() error { return c.pool.Close() }

// begin returns the function that prepares a session for a statement. The budget is twice the
// bytes of a result, since the wire format is wider than the values.
func (c *conn) begin(l warehouse.Limits) func(context.Context, *session) error {
	return func(ctx context.Context, s *session) error {
		s.budget.Allow(2*l.Bytes + envelope)
		return s.run(ctx, setUp(l, c.mariaDB), "START TRANSACTION READ ONLY")
	}
}

// setUp returns the statement that sets the limits and modes. It asks for one row more than may
// be kept, so that it becomes known whether there are more. Locks are waited for 2 s at most. For
// MariaDB memory and disk are bounded as well, with at least 8 MiB.
func setUp(l warehouse.Limits, mariaDB bool) string {
	list := []string{
		"sql_mode = 'ONLY_FULL_GROUP_BY,NO_ENGINE_SUBSTITUTION'", "time_zone = '+00:00'",
		"lock_wait_timeout = 2", "innodb_lock_wait_timeout = 2",
		"sql_select_limit = " + strconv.Itoa(l.Rows+1),
	}
	if mariaDB {
		list = append(list, fmt.Sprintf("max_statement_time = %.3f", max(l.Time.Seconds(), 0.001)),
			"max_session_mem_used = "+strconv.FormatInt(max(l.Memory, 8<<20), 10),
			"tmp_disk_table_size = "+strconv.FormatInt(4*max(l.Memory, 8<<20), 10),
			"idle_readonly_transaction_timeout = "+strconv.Itoa(int(l.Time.Seconds())+10))
	} else {
		list = append(list, "max_execution_time = "+strconv.FormatInt(max(1, l.Time.Milliseconds()), 10))
	}
	return "SET SESSION " + strings.Join(list, ", ")
}

// giveBack ends the transaction of s, and returns s to the pool if nothing is left of it.
// User-level locks are released too, since a rollback keeps them.
func (c *conn) giveBack(s *session) {
	ctx, cancel := context.WithTimeout(context.Background(), leaveTime) // the caller's context may have ended, but s must be cleaned up nevertheless
	defer cancel()
	s.budget.Allow(envelope)
	if err := s.run(ctx, "ROLLBACK", "DO RELEASE_ALL_LOCKS()"); err != nil {
		c.pool.Drop(s)
		return
	}
	c.pool.Release(s)
}

// abandon drops s, whose statement did not end in time, and has the server kill it. It takes a
// second connection, because the first is busy with the statement.
func (c *conn) abandon(s *session) {
	c.pool.Drop(s)
	ctx, cancel := context.WithTimeout(context.Background(), leaveTime) // the caller's context has ended
	defer cancel()
	killer, err := c.connect(ctx)
	if err != nil {
		return // if the server cannot be reached, nothing can be killed
	}
	_ = killer.run(ctx, "KILL "+strconv.FormatInt(s.id, 10)) // fails if it has ended meanwhile
	_ = killer.Close()
}

// run sends trusted statements, one after the other.
func (s *session) run(ctx context.Context, list ...string) error {
	for _, sql := range list {
		if _, err := s.Conn.(driver.ExecerContext).ExecContext(ctx, sql, nil); err != nil {
			return err
		}
	}
	return nil
}

// each runs a trusted query and calls found with the cells of each row, which are overwritten by the
// next row. If found returns an error, each closes the connection and returns the error.
func (s *session) each(ctx context.Context, sql string, found func([]driver.Value) error) error {
	rows, err := s.Conn.(driver.QueryerContext).QueryContext(ctx, sql, nil)
	if err != nil {
		return err
	}
	row := make([]driver.Value, len(rows.Columns()))
	for {
		if err = rows.Next(row); err == nil {
			err = found(row)
		}
		switch {
		case errors.Is(err, io.EOF):
			return rows.Close()
		case err != nil:
			_ = s.Close() // otherwise the remaining rows would be read
			return err
		}
	}
}

// text returns a value as the server sent it. NULL is empty.
func text(v driver.Value) string {
	switch v := v.(type) {
	case []byte:
		return string(v)
	case nil:
		return ""
	default:
		return fmt.Sprint(v)
	}
}
