package clickhouse

import (
	"context"
	"strconv"
	"strings"
	"time"

	driver "github.com/ClickHouse/clickhouse-go/v2"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/wire"
)

// beyond are table functions that reach files and other servers. Not all versions refuse them in
// read-only mode.
var beyond = []string{"URL(", "URLCLUSTER(", "S3(", "S3CLUSTER(", "GCS(", "OSS(", "COSN(", "FILE(", "FILECLUSTER(", "REMOTE(", "REMOTESECURE(", "CLUSTER(", "CLUSTERALLREPLICAS(", "HDFS(", "HDFSCLUSTER(", "MYSQL(", "POSTGRESQL(", "MONGODB(", "REDIS(", "SQLITE(", "ODBC(", "JDBC(",
	"AZUREBLOBSTORAGE(", "AZUREBLOBSTORAGECLUSTER(", "DELTALAKE(", "HUDI(", "ICEBERG(", "EXECUTABLE(", "INPUT(", "CATBOOSTEVALUATE(", "OUTFILE"}

// Query implements [warehouse.Conn]. Scanned is what the server reports while it runs. A session
// whose result was cut is closed, because the driver would read the rest.
func (c *conn) Query(ctx context.Context, s guard.Statement, l warehouse.Limits) (*warehouse.Result, error) {
	if err := wire.Refuse(s.SQL, beyond...); err != nil {
		return nil, err
	}
	l, began := l.OrDefault(), time.Now()
	ownCtx, cancel := bounded(ctx, l.Time+patience)
	defer cancel()
	session, err := c.pool.Acquire(ownCtx, ready(l))
	if err != nil {
		return nil, c.fault(ctx, ownCtx, err)
	}
	r := wire.NewResultBuilder(l, began)
	var scanned int64
	err = session.read(c.bound(ownCtx, l, func(p *driver.Progress) { scanned += int64(p.Bytes) }), s.SQL, r)
	if session.budget.Over() { // the driver does not report it
		err = wire.ErrTooMuch
	}
	if err != nil || r.More() {
		c.pool.Drop(session)
	} else {
		c.pool.Release(session)
	}
	if err != nil {
		return nil, c.fault(ctx, ownCtx, err)
	}
	out := r.Result()
	out.Scanned = scanned
	return out, nil
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
func identifier(name string) string {
	return "`" + strings.NewReplacer(`\`, `\\`, "`", "\\`").Replace(name) + "`"
}

// read runs a statement and reads its result into r, to the end or until r has no more room.
func (s *session) read(ctx context.Context, sql string, r *wire.ResultBuilder) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	rows, err := s.Conn.Query(ctx, sql)
	if err != nil {
		return err
	}
	types := rows.ColumnTypes()
	cells, places := make([]cell, len(types)), make([]any, len(types))
	for i, t := range types {
		var form wire.ValueKind
		cells[i], form = cellOf(t.DatabaseTypeName(), t.ScanType())
		places[i] = cells[i].place()
		r.Columns = append(r.Columns, wire.NewColumn(t.Name(), form))
	}
	for rows.Next() {
		if err = rows.Scan(places...); err != nil || !appendRow(r, cells) {
			cancel() // tells the server to stop, and closes the connection
			_ = rows.Close()
			return err
		}
	}
	if err := rows.Close(); err != nil {
		return err
	}
	return rows.Err()
}

// appendRow appends the row that was read, and reports whether there was room for it.
func appendRow(r *wire.ResultBuilder, cells []cell) bool {
	n := 0
	for _, c := range cells {
		n += c.size()
	}
	if !r.Room(n) {
		return false
	}
	for i, c := range cells {
		c.keep(r.Columns[i])
	}
	return true
}
