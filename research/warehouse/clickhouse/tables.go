package clickhouse

import (
	"context"
	"fmt"
	"strings"
	"time"

	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/wire"
)

// catalogTime is the time limit for reading a whole catalog.
const catalogTime = 10 * time.Minute

// Tables implements [warehouse.Conn]. It reads the given databases, or else those of the settings,
// or else the database of the settings. It takes four queries however many tables there are, and
// streams the columns, which are the bulk. ClickHouse has no foreign keys, and its primary keys are
// not unique.
func (c *conn) Tables(ctx context.Context, schemas []string, found func(catalog.Table) error) error {
	if len(schemas) == 0 {
		schemas = c.schemas
	}
	l := c.limits
	l.Time, l.Rows, l.Bytes = catalogTime, 1<<40, 1<<40
	ownCtx, cancel := bounded(ctx, catalogTime)
	defer cancel()
	s, err := c.pool.Acquire(ownCtx, ready(l))
	if err != nil {
		return c.fault(ctx, ownCtx, err)
	}
	m := wire.Merger{Found: found}
	if err := readTables(c.bound(ownCtx, l, nil), s, literals(schemas), &m); err != nil {
		c.pool.Drop(s)
		if m.Stopped() != nil {
			return m.Stopped()
		}
		return c.fault(ctx, ownCtx, err)
	}
	c.pool.Release(s)
	return nil
}

// readTables combines the results of the queries.
func readTables(ctx context.Context, s *session, schemas string, m *wire.Merger) error {
	has, err := columnsThere(ctx, s)
	if err != nil {
		return err
	}
	rows, err := rowsOf(ctx, s, schemas, has)
	if err != nil {
		return err
	}
	var database, name, engine, comment string
	query := fmt.Sprintf("SELECT database, name, engine, %s FROM system.tables WHERE database IN (%s) AND NOT startsWith(name, '.inner') ORDER BY database, name", has.or("tables.comment", "''"), schemas)
	err = s.each(ctx, query, []any{&database, &name, &engine, &comment}, func() error {
		t := catalog.Table{Schema: database, Name: name, Comment: comment, Rows: catalog.UnknownRows}
		if n, ok := rows[[2]string{database, name}]; ok {
			t.Rows = n
		} else if strings.HasSuffix(engine, "MergeTree") {
			t.Rows = 0 // it has no parts, so it is empty
		}
		m.Table(t)
		return nil
	})
	if err != nil {
		return err
	}
	return readColumns(ctx, s, schemas, has, m)
}

// readColumns passes the columns of all tables to m.
func readColumns(ctx context.Context, s *session, schemas string, has columnSet, m *wire.Merger) error {
	var database, table, name, kind, comment string
	var key uint8
	query := fmt.Sprintf("SELECT database, table, name, type, %s, %s FROM system.columns WHERE database IN (%s) ORDER BY database, table, %s",
		has.or("columns.is_in_primary_key", "toUInt8(0)"), has.or("columns.comment", "''"), schemas, has.or("columns.position", "rowNumberInAllBlocks()"))
	err := s.each(ctx, query, []any{&database, &table, &name, &kind, &key, &comment}, func() error {
		_, null := unwrap(kind)
		return m.Column(database, table, catalog.Column{Name: name, Type: kind, NotNull: !null, Key: key != 0, Comment: comment})
	})
	if err != nil {
		return err
	}
	return m.End()
}

// columnSet is the set of those columns of system tables that not all servers have.
type columnSet map[string]bool

// or returns the name of column if it exists, and otherwise the expression otherwise.
func (h columnSet) or(column, otherwise string) string {
	if !h[column] {
		return otherwise
	}
	_, name, _ := strings.Cut(column, ".")
	return name
}

// columnsThere returns the columns of the system tables that the server has.
func columnsThere(ctx context.Context, s *session) (columnSet, error) {
	out := columnSet{}
	var table, name string
	err := s.each(ctx, "SELECT table, name FROM system.columns WHERE database = 'system' AND table IN ('tables', 'columns', 'parts')", []any{&table, &name}, func() error {
		out[table+"."+name] = true
		return nil
	})
	return out, err
}

// rowsOf returns the row counts of tables, as far as they are known without counting. Tables of
// engines that do not count rows are missing.
func rowsOf(ctx context.Context, s *session, schemas string, has columnSet) (map[[2]string]int64, error) {
	query := fmt.Sprintf("SELECT database, table, toInt64(sum(rows)) FROM system.parts WHERE active AND database IN (%s) GROUP BY database, table", schemas)
	if has["tables.total_rows"] {
		query = fmt.Sprintf("SELECT database, name, toInt64(assumeNotNull(total_rows)) FROM system.tables WHERE database IN (%s) AND total_rows IS NOT NULL", schemas)
	} else if !has["parts.rows"] {
		return nil, nil
	}
	out := map[[2]string]int64{}
	var database, name string
	var n int64
	err := s.each(ctx, query, []any{&database, &name, &n}, func() error {
		out[[2]string{database, name}] = n
		return nil
	})
	return out, err
}

// literals returns a list of string literals for IN.
func literals(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
	}
	return strings.Join(quoted, ", ")
}
