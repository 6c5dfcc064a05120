package pgwire

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/wire"
)

// Query implements [warehouse.Conn].
func (c *conn) Query(ctx context.Context, s guard.Statement, l warehouse.Limits) (*warehouse.Result, error) {
	l, began := l.OrDefault(), time.Now()
	ownCtx, cancel := context.WithTimeout(ctx, l.Time+patience)
	defer cancel()
	session, err := c.pool.Acquire(ownCtx, c.begin(l))
	if err != nil {
		return nil, c.fault(ctx, err)
	}
	out, err := session.read(ownCtx, s.SQL, wire.NewResultBuilder(l, began))
	c.giveBack(session)
	if err != nil {
		return nil, c.fault(ctx, err)
	}
	return out, nil
}

// Sample reads at most n rows of a table.
func (c *conn) Sample(ctx context.Context, t catalog.Table, n int) (*warehouse.Result, error) {
	l := c.limits
	l.Rows = n
	return c.Query(ctx, guard.Statement{SQL: sampleSQL(t, n)}, l)
}

// read describes a statement, and executes it if it returns rows.
func (s *session) read(ctx context.Context, sql string, r *wire.ResultBuilder) (*warehouse.Result, error) {
	described, err := s.pg.Prepare(ctx, "", sql, nil)
	if err != nil {
		return nil, err
	}
	if len(described.Fields) == 0 || len(described.ParamOIDs) > 0 {
		return nil, warehouse.NewQueryError(warehouse.Forbidden, "only queries that give rows are sent, without parameters", "", nil)
	}
	formats, take := make([]int16, len(described.Fields)), make([]reader, len(described.Fields))
	for i, f := range described.Fields {
		kind := kindOf(f.DataTypeOID)
		r.Columns = append(r.Columns, wire.NewColumn(f.Name, kind.form))
		formats[i], take[i] = kind.format, kind.read
	}
	readCtx, cancel := context.WithCancel(ctx)
	defer cancel()
	rows := s.pg.ExecPrepared(readCtx, "", nil, nil, formats)
	readRows(rows, take, r)
	if r.More() {
		cancel() // tells the server to stop; what it has already sent is discarded
		_, _ = rows.Close()
		return r.Result(), nil
	}
	if _, err := rows.Close(); err != nil {
		return nil, err
	}
	return r.Result(), nil
}

// readRows reads rows to the end, or until r has no more room.
func readRows(rows *pgconn.ResultReader, take []reader, r *wire.ResultBuilder) {
	for rows.NextRow() {
		cells, bytes := rows.Values(), 0
		for _, b := range cells {
			bytes += len(b)
		}
		if !r.Room(bytes) {
			return
		}
		for i, b := range cells {
			if b == nil {
				r.Columns[i].Null()
			} else {
				take[i](r.Columns[i], b)
			}
		}
	}
}
