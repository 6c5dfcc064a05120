package mysql

import (
	"context"
	"database/sql/driver"
	"strconv"
	"strings"
	"time"

	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/wire"
)

// catalogTime is the time limit for reading a whole catalog. It is longer than that of a
// statement, because a listing reads the columns of every table.
const catalogTime = 10 * time.Minute

// Tables implements [warehouse.Conn]. It reads the given schemas, or else those of the settings, or
// else the database of the settings. It takes three queries however many tables there are, and
// streams the columns, which are the bulk.
func (c *conn) Tables(ctx context.Context, schemas []string, found func(catalog.Table) error) error {
	if len(schemas) == 0 {
		schemas = c.schemas
	}
	l := c.limits
	l.Time, l.Rows, l.Bytes = catalogTime, 1<<40, 1<<40
	ownCtx, cancel := context.WithTimeout(ctx, catalogTime+patience)
	defer cancel()
	s, err := c.pool.Acquire(ownCtx, c.begin(l))
	if err != nil {
		return c.fault(ctx, err)
	}
	defer c.giveBack(s)
	m := wire.Merger{Found: found}
	if err := readTables(ownCtx, s, literals(schemas), &m); err != nil {
		if m.Stopped() != nil {
			return m.Stopped()
		}
		return c.fault(ctx, err)
	}
	return nil
}

// The queries for catalogs; % stands for the schemas. Names are ordered by their bytes, as the
// merger requires the same order of all queries.
const (
	tablesQuery = `SELECT table_schema, table_name, table_type, table_rows, table_comment FROM information_schema.tables
		WHERE table_schema IN (%) AND table_type IN ('BASE TABLE', 'VIEW', 'SYSTEM VERSIONED') ORDER BY CAST(table_schema AS BINARY), CAST(table_name AS BINARY)`
	columnsQuery = `SELECT table_schema, table_name, column_name, column_type, is_nullable, column_key, column_comment FROM information_schema.columns
		WHERE table_schema IN (%) ORDER BY CAST(table_schema AS BINARY), CAST(table_name AS BINARY), ordinal_position`
	foreignQuery = `SELECT table_schema, table_name, constraint_name, column_name, referenced_table_schema, referenced_table_name, referenced_column_name FROM information_schema.key_column_usage
		WHERE table_schema IN (%) AND referenced_table_name IS NOT NULL ORDER BY CAST(table_schema AS BINARY), CAST(table_name AS BINARY), constraint_name, ordinal_position`
)

// readTables combines the results of the three queries. The order of the queries is that which
// [wire.Merger] requires.
func readTables(ctx context.Context, s *session, schemas string, m *wire.Merger) error {
	for _, step := range []struct {
		sql  string
		take func(row []driver.Value) error
	}{
		{tablesQuery, func(row []driver.Value) error { m.Table(tableOf(row)); return nil }},
		{foreignQuery, func(row []driver.Value) error {
			m.Foreign(text(row[0]), text(row[1]), text(row[2]), text(row[3]), text(row[4])+"."+text(row[5]), text(row[6]))
			return nil
		}},
		{columnsQuery, func(row []driver.Value) error {
			return m.Column(text(row[0]), text(row[1]), catalog.Column{Name: text(row[2]), Type: text(row[3]), NotNull: text(row[4]) == "NO", Key: text(row[5]) == "PRI", Comment: text(row[6])})
		}},
	} {
		if err := s.each(ctx, strings.Replace(step.sql, "%", schemas, 1), step.take); err != nil {
			return err
		}
	}
	return m.End()
}

// tableOf returns the table of a row. The row count is the server's estimate, which may be far
// off for InnoDB.
func tableOf(row []driver.Value) catalog.Table {
	t := catalog.Table{Schema: text(row[0]), Name: text(row[1]), Rows: catalog.UnknownRows}
	if text(row[2]) == "VIEW" { // the comment of a view is just the word VIEW
		return t
	}
	t.Comment = text(row[4])
	if n, err := strconv.ParseInt(text(row[3]), 10, 64); err == nil {
		t.Rows = n
	}
	return t
}

// literals returns a list of string literals for IN. The mode of our sessions has backslash escapes.
func literals(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = "'" + strings.NewReplacer(`\`, `\\`, `'`, `''`).Replace(s) + "'"
	}
	return strings.Join(quoted, ", ")
}
