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

// conn is a warehouse that was reached.
type conn struct {
	driver  driver.Connector
	user    string
	secret  secret.Secret
	schemas []string
	limits  warehouse.Limits
	pool    *wire.Pool[*session]

	server  string // as it says itself
	mariaDB bool
}

// session is one connection.
type session struct {
	driver.Conn
	budget *wire.Budget
	id     int64 // by which the server knows it
}

// budgetKey is where a dial finds the budget of the connection it makes.
type budgetKey struct{}

// connect returns a connection that draws on a budget of its own.
func (c *conn) connect(ctx context.Context) (*session, error) {
	s := &session{budget: new(wire.Budget)}
	s.budget.Allow(envelope)
	var err error
	s.Conn, err = c.driver.Connect(context.WithValue(ctx, budgetKey{}, s.budget))
	return s, err
}

func dialMetered(ctx context.Context, r wire.Reach, network, address string) (net.Conn, error) {
	c, err := r.Dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	if b, ok := ctx.Value(budgetKey{}).(*wire.Budget); ok {
		return wire.Metered(c, b), nil
	}
	return c, nil
}

// dial makes a connection that reads only.
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

// reach connects once and asks what the server is.
func (c *conn) reach(ctx context.Context) error {
	s, err := c.pool.Take(ctx, func(context.Context, *session) error { return nil })
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

// Close ends all connections.
func (c *conn) Close() error { return c.pool.Close() }

// begin returns what makes a session ready for a statement.
func (c *conn) begin(l warehouse.Limits) func(context.Context, *session) error {
	return func(ctx context.Context, s *session) error {
		s.budget.Allow(2*l.Bytes + envelope)
		return s.run(ctx, setUp(l, c.mariaDB), "START TRANSACTION READ ONLY")
	}
}

// setUp sets what bounds a statement and what it means. One row more than may be
// kept is asked for, so that it is known whether there was more.
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

// giveBack ends the transaction of s and keeps s if nothing is left of it.
func (c *conn) giveBack(s *session) {
	ctx, cancel := context.WithTimeout(context.Background(), leaveTime) // the caller's may have ended, and s must be clean all the same
	defer cancel()
	s.budget.Allow(envelope)
	if err := s.run(ctx, "ROLLBACK", "DO RELEASE_ALL_LOCKS()"); err != nil {
		c.pool.Drop(s)
		return
	}
	c.pool.Put(s)
}

// abandon gives up s, whose statement did not end, and has the server end it.
func (c *conn) abandon(s *session) {
	c.pool.Drop(s)
	ctx, cancel := context.WithTimeout(context.Background(), leaveTime) // the caller's has ended, which is why
	defer cancel()
	killer, err := c.connect(ctx)
	if err != nil {
		return // a server that cannot be reached has nothing to kill
	}
	_ = killer.run(ctx, "KILL "+strconv.FormatInt(s.id, 10)) // it may have ended meanwhile
	_ = killer.Close()
}

// run sends statements of ours, one after the other.
func (s *session) run(ctx context.Context, list ...string) error {
	for _, sql := range list {
		if _, err := s.Conn.(driver.ExecerContext).ExecContext(ctx, sql, nil); err != nil {
			return err
		}
	}
	return nil
}

// each runs one query and calls found with the cells of each row, which are
// overwritten by the next. It stops with the error of found; the connection is
// closed then.
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
			_ = s.Close() // else the rest would be read
			return err
		}
	}
}

// text returns a value as the server wrote it.
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
