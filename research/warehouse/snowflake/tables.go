package snowflake

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/wire"
)

// Tables implements [warehouse.Conn], in four round trips. Keys come from SHOW, which knows
// declared keys only; Snowflake does not enforce them.
func (c *conn) Tables(ctx context.Context, schemas []string, found func(catalog.Table) error) error {
	keys, foreign, err := c.keys(ctx)
	if err != nil {
		return c.fault(ctx, err)
	}
	facts, err := c.facts(ctx, schemas)
	if err != nil {
		return c.fault(ctx, err)
	}
	var stop error
	err = c.listing(ctx, schemas, func(t catalog.Table) error {
		at := place{t.Schema, t.Name}
		t.Rows, t.Comment, t.Foreign = catalog.UnknownRows, facts[at].comment, foreign[at]
		if facts[at].rows != nil {
			t.Rows = *facts[at].rows
		}
		for i := range t.Columns {
			t.Columns[i].Key = slices.Contains(keys[at], t.Columns[i].Name)
		}
		stop = found(t)
		return stop
	})
	if stop != nil || err == nil {
		return stop
	}
	return c.fault(ctx, err)
}

// place identifies a table.
type place struct{ schema, name string }

// fact is what the catalog has about a table as a whole.
type fact struct {
	rows    *int64 // nil for views
	comment string
}

// within returns the condition that selects the schemas, with its arguments. The schemas are
// arguments and never part of the text.
func within(schemas []string) (string, []any) {
	if len(schemas) == 0 {
		return "TABLE_SCHEMA <> 'INFORMATION_SCHEMA'", nil
	}
	values := make([]any, len(schemas))
	for i, s := range schemas {
		values[i] = s
	}
	return "TABLE_SCHEMA IN (" + strings.TrimSuffix(strings.Repeat("?, ", len(schemas)), ", ") + ")", values
}

// facts returns row counts and comments of tables.
func (c *conn) facts(ctx context.Context, schemas []string) (map[place]fact, error) {
	where, values := within(schemas)
	out := map[place]fact{}
	err := wire.EachRow(ctx, c.db, "SELECT TABLE_SCHEMA, TABLE_NAME, ROW_COUNT, COALESCE(COMMENT, '') FROM "+quoted(c.database)+".INFORMATION_SCHEMA.TABLES WHERE "+where, values, func(r *sql.Rows) error {
		var at place
		var f fact
		if err := r.Scan(&at.schema, &at.name, &f.rows, &f.comment); err != nil {
			return err
		}
		out[at] = f
		return nil
	})
	return out, err
}

// listing passes on the tables with their columns; the rows are grouped by table. found is called
// once its last column has been read.
func (c *conn) listing(ctx context.Context, schemas []string, found func(catalog.Table) error) error {
	where, values := within(schemas)
	g := wire.Grouper{Found: found}
	err := wire.EachRow(ctx, c.db, "SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, DATA_TYPE, IS_NULLABLE, COALESCE(COMMENT, '') FROM "+quoted(c.database)+".INFORMATION_SCHEMA.COLUMNS WHERE "+where+
		" ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION", values, func(r *sql.Rows) error {
		var at place
		var col catalog.Column
		var nullable string
		if err := r.Scan(&at.schema, &at.name, &col.Name, &col.Type, &nullable, &col.Comment); err != nil {
			return err
		}
		col.NotNull = nullable == "NO"
		return g.Column(catalog.Table{Schema: at.schema, Name: at.name}, col)
	})
	if err != nil {
		return err
	}
	return g.End()
}

// keys returns the primary and foreign keys. Snowflake lists both only by SHOW, whose columns are
// found by name. The rows of a foreign key come together.
func (c *conn) keys(ctx context.Context) (map[place][]string, map[place][]catalog.Foreign, error) {
	primary := map[place][]string{}
	err := c.show(ctx, "SHOW PRIMARY KEYS IN DATABASE "+quoted(c.database), func(row map[string]string) {
		at := place{row["schema_name"], row["table_name"]}
		primary[at] = append(primary[at], row["column_name"])
	})
	if err != nil {
		return nil, nil, err
	}
	foreign, names := map[place][]catalog.Foreign{}, map[place]string{}
	err = c.show(ctx, "SHOW IMPORTED KEYS IN DATABASE "+quoted(c.database), func(row map[string]string) {
		at := place{row["fk_schema_name"], row["fk_table_name"]}
		if names[at] != row["fk_name"] || len(foreign[at]) == 0 {
			foreign[at] = append(foreign[at], catalog.Foreign{Table: row["pk_schema_name"] + "." + row["pk_table_name"]})
			names[at] = row["fk_name"]
		}
		f := &foreign[at][len(foreign[at])-1]
		f.Columns, f.To = append(f.Columns, row["fk_column_name"]), append(f.To, row["pk_column_name"])
	})
	return primary, foreign, err
}

// show runs a SHOW and calls f with each row, by lower-case column names. NULLs are left out of
// the row, so that they read as empty.
func (c *conn) show(ctx context.Context, query string, f func(map[string]string)) error {
	return wire.EachRow(ctx, c.db, query, nil, func(r *sql.Rows) error {
		names, err := r.Columns()
		if err != nil {
			return err
		}
		cells, into := make([]any, len(names)), make([]any, len(names))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := r.Scan(into...); err != nil {
			return err
		}
		row := make(map[string]string, len(names))
		for i, n := range names {
			if cells[i] != nil {
				row[strings.ToLower(n)] = fmt.Sprint(cells[i])
			}
		}
		f(row)
		return nil
	})
}

// harmless are the privileges that reading needs, and others that change nothing.
var harmless = []string{"USAGE", "SELECT", "REFERENCES", "MONITOR", "OPERATE", "READ", "REBUILD", "IMPORTED PRIVILEGES"}

// maxRoles is how many roles are examined for their privileges. It also bounds how many
// privileges are listed.
const maxRoles = 30

// Rights implements [warehouse.Conn]. It reads the grants of the role and of the roles that it
// has. Roles are followed breadth first. A role that is inherited but not looked at counts as one
// that can write, and so do the administrators' roles, whose rights are not all grants.
func (c *conn) Rights(ctx context.Context) (warehouse.Rights, error) {
	out := warehouse.Rights{Role: c.role, Server: "Snowflake " + c.version}
	for roles, i := []string{c.role}, 0; i < len(roles); i++ {
		if i == maxRoles {
			out.Why = append(out.Why, fmt.Sprintf("what more than %d roles may, which were not all looked through", maxRoles))
			break
		}
		if slices.Contains([]string{"ACCOUNTADMIN", "SECURITYADMIN", "SYSADMIN", "ORGADMIN"}, strings.ToUpper(roles[i])) {
			out.Why = append(out.Why, "everything "+roles[i]+" may")
		}
		err := c.show(ctx, "SHOW GRANTS TO ROLE "+quoted(roles[i]), func(row map[string]string) {
			privilege, on, name := row["privilege"], row["granted_on"], row["name"]
			switch {
			case on == "ROLE" && privilege == "USAGE" && !slices.Contains(roles, name):
				roles = append(roles, name)
			case !slices.Contains(harmless, privilege) && len(out.Why) < maxRoles:
				out.Why = append(out.Why, strings.ToLower(privilege)+" on "+strings.ToLower(on)+" "+name)
			}
		})
		if err != nil {
			return out, c.fault(ctx, err)
		}
	}
	out.CanWrite = len(out.Why) > 0
	return out, nil
}
