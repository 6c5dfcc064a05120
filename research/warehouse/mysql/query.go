package mysql

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/wire"
)

// Query implements [warehouse.Conn]. A session is reused only if its statement came to its end;
// otherwise the connection is closed, which stops the server.
func (c *conn) Query(ctx context.Context, s guard.Statement, l warehouse.Limits) (*warehouse.Result, error) {
	if err := wire.Refuse(s.SQL, "INTO", wire.Executed); err != nil {
		return nil, err
	}
	l, began := l.OrDefault(), time.Now()
	ownCtx, cancel := context.WithTimeout(ctx, l.Time+patience)
	defer cancel()
	session, err := c.pool.Acquire(ownCtx, c.begin(l))
	if err != nil {
		return nil, c.fault(ctx, err)
	}
	r := wire.NewResultBuilder(l, began)
	err = session.read(ownCtx, s.SQL, r)
	switch {
	case ownCtx.Err() != nil:
		c.abandon(session)
	case errors.Is(err, errCut):
		c.pool.Drop(session) // the server stops when it cannot send any more
		err = nil
	case session.budget.Over(): // the driver does not report it
		c.pool.Drop(session)
		err = wire.ErrTooMuch
	default:
		c.giveBack(session)
	}
	if err != nil {
		return nil, c.fault(ctx, err)
	}
	return r.Result(), nil
}

// Sample reads at most n rows of a table.
func (c *conn) Sample(ctx context.Context, t catalog.Table, n int) (*warehouse.Result, error) {
	name := identifier(t.Name)
	if t.Schema != "" {
		name = identifier(t.Schema) + "." + name
	}
	l := c.limits
	l.Rows = n
	return c.Query(ctx, guard.Statement{SQL: "SELECT * FROM " + name + " LIMIT " + strconv.Itoa(max(n, 0))}, l)
}

// identifier returns a quoted name.
func identifier(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// errCut means that reading stopped at a limit while there was more.
var errCut = errors.New("a limit cut the result")

// read runs a statement and reads its result into r. It returns errCut if r had no more room, and
// leaves the rows unread then.
func (s *session) read(ctx context.Context, sql string, r *wire.ResultBuilder) error {
	rows, err := s.Conn.(driver.QueryerContext).QueryContext(ctx, sql, nil)
	if err != nil {
		return err
	}
	names := rows.Columns()
	if len(names) == 0 {
		return wire.NoRows()
	}
	take := make([]reader, len(names))
	for i, name := range names {
		k := kindOf(rows.(driver.RowsColumnTypeDatabaseTypeName).ColumnTypeDatabaseTypeName(i))
		r.Columns = append(r.Columns, wire.NewColumn(name, k.form))
		take[i] = k.read
	}
	row := make([]driver.Value, len(names))
	for {
		if err := rows.Next(row); errors.Is(err, io.EOF) {
			return rows.Close()
		} else if err != nil {
			return err
		}
		if r.Room(size(row)) {
			appendRow(r, take, row)
		} else if err := rows.Next(row); errors.Is(err, io.EOF) { // sql_select_limit made it the last row
			return rows.Close()
		} else {
			return errCut
		}
	}
}

// size returns the bytes of a row. Numbers and times count as eight bytes, null as none.
func size(row []driver.Value) int {
	n := 0
	for _, v := range row {
		if b, ok := v.([]byte); ok {
			n += len(b)
		} else if v != nil {
			n += 8
		}
	}
	return n
}

// appendRow appends a row to the columns of r.
func appendRow(r *wire.ResultBuilder, take []reader, row []driver.Value) {
	for i, v := range row {
		if v == nil {
			r.Columns[i].Null()
		} else {
			take[i](r.Columns[i], v)
		}
	}
}
