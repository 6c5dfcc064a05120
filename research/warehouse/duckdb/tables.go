package duckdb

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
)

// catalogLimits bound the queries about the catalog itself.
var catalogLimits = warehouse.Limits{Rows: 20_000_000, Bytes: 1 << 30, Time: startTime}

// Tables implements [warehouse.Conn]. Views count as tables. A file that cannot be read is listed
// without columns, with the reason as its comment.
func (c *Conn) Tables(ctx context.Context, schemas []string, found func(catalog.Table) error) error {
	where := within("schema_name", schemas)
	keys, err := c.keys(ctx, where)
	if err != nil {
		return err
	}
	columns, err := c.run(ctx, `SELECT schema_name, table_name, column_name, data_type, is_nullable, coalesce(comment, '')
		FROM duckdb_columns() WHERE NOT internal AND database_name = current_database() AND `+where+`
		ORDER BY schema_name, table_name, column_index`, catalogLimits)
	if err != nil {
		return err
	}
	list, err := c.run(ctx, `SELECT schema_name, table_name, coalesce(comment, ''), estimated_size FROM duckdb_tables()
		WHERE NOT internal AND database_name = current_database() AND `+where+`
		UNION ALL SELECT schema_name, view_name, coalesce(comment, ''), -1 FROM duckdb_views()
		WHERE NOT internal AND database_name = current_database() AND `+where+` ORDER BY 1, 2`, catalogLimits)
	if err != nil {
		return err
	}
	all := c.broken(schemas)
	next := 0
	for r := range list.Rows {
		t := catalog.Table{Schema: list.Columns[0].Strings[r], Name: list.Columns[1].Strings[r], Comment: list.Columns[2].Strings[r], Rows: list.Columns[3].Ints[r]}
		t.Foreign = keys.foreign[t.Schema+"\x00"+t.Name]
		next = addColumns(&t, columns, next, keys)
		c.complete(&t)
		all = append(all, t)
	}
	slices.SortStableFunc(all, func(a, b catalog.Table) int {
		return cmp.Or(strings.Compare(a.Schema, b.Schema), strings.Compare(a.Name, b.Name))
	})
	for _, t := range all {
		if err := found(t); err != nil {
			return err
		}
	}
	return nil
}

// within returns the condition that a column is one of schemas; true if there are none.
func within(column string, schemas []string) string {
	if len(schemas) == 0 {
		return "true"
	}
	quoted := make([]string, len(schemas))
	for i, s := range schemas {
		quoted[i] = quoteText(s)
	}
	return column + " IN (" + strings.Join(quoted, ", ") + ")"
}

// addColumns gives t its columns, which begin at row next, and returns the row after them. Tables
// and columns are in the same order.
func addColumns(t *catalog.Table, columns *warehouse.Result, next int, k keys) int {
	text := func(i int) string { return columns.Columns[i].Strings[next] }
	for ; next < columns.Rows && text(0) == t.Schema && text(1) == t.Name; next++ {
		col := catalog.Column{Name: text(2), Type: text(3), NotNull: !columns.Columns[4].Bools[next], Comment: text(5)}
		col.Key = k.primary[t.Schema+"\x00"+t.Name+"\x00"+col.Name]
		t.Columns = append(t.Columns, col)
	}
	return next
}

// keys are the keys of all tables. Schema, table and column are separated by NUL.
type keys struct {
	primary map[string]bool              // by schema, table and column
	foreign map[string][]catalog.Foreign // by schema and table
}

// keys reads primary and foreign keys. In DuckDB a foreign key refers to a table in the same schema.
func (c *Conn) keys(ctx context.Context, where string) (keys, error) {
	k := keys{map[string]bool{}, map[string][]catalog.Foreign{}}
	got, err := c.run(ctx, `SELECT schema_name, table_name, constraint_index, constraint_type = 'PRIMARY KEY', unnest(constraint_column_names), coalesce(referenced_table, ''),
		unnest(CASE WHEN constraint_type = 'FOREIGN KEY' THEN referenced_column_names ELSE constraint_column_names END)
		FROM duckdb_constraints() WHERE database_name = current_database() AND constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY') AND `+where+`
		ORDER BY schema_name, table_name, constraint_index`, catalogLimits)
	if err != nil {
		return k, err
	}
	text := func(i, r int) string { return got.Columns[i].Strings[r] }
	last := ""
	for r := range got.Rows {
		table := text(0, r) + "\x00" + text(1, r)
		if got.Columns[3].Bools[r] {
			k.primary[table+"\x00"+text(4, r)] = true
			continue
		}
		at := fmt.Sprint(table, "\x00", got.Columns[2].Ints[r])
		if at != last {
			k.foreign[table] = append(k.foreign[table], catalog.Foreign{Table: text(0, r) + "." + text(5, r)})
			last = at
		}
		f := &k.foreign[table][len(k.foreign[table])-1]
		f.Columns, f.To = append(f.Columns, text(4, r)), append(f.To, text(6, r))
	}
	return k, nil
}

// complete adds to a table what DuckDB does not know about it.
func (c *Conn) complete(t *catalog.Table) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.tables {
		if s.Name == t.Name {
			t.Rows = s.Rows
		}
	}
	if c.place.sample {
		describeSample(t)
	}
}

// broken returns tables without columns for the files that cannot be read.
func (c *Conn) broken(schemas []string) []catalog.Table {
	if len(schemas) > 0 && !slices.Contains(schemas, "main") {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []catalog.Table
	for _, s := range c.tables {
		if s.Fault != "" {
			out = append(out, catalog.Table{Schema: "main", Name: s.Name, Rows: catalog.UnknownRows, Comment: "cannot be read: " + c.place.queryError(s.Fault, nil).Message,
				Unread: "The file " + filepath.Base(s.Path) + " cannot be read: " + c.place.faultOf(s.Fault) + "."})
		}
	}
	return out
}
