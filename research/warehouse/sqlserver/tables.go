package sqlserver

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/wire"
)

// The schemas to read are passed as a JSON array; an empty one means all except the server's own.
const (
	within = ` s.name NOT IN ('sys', 'INFORMATION_SCHEMA', 'guest') AND (@p1 = '[]' OR s.name IN (SELECT value FROM OPENJSON(@p1)))`

	tablesQuery = `SELECT s.name, o.name, c.name, t.name, c.max_length, c.precision, c.scale, c.is_nullable,
			CAST(CASE WHEN k.column_id IS NULL THEN 0 ELSE 1 END AS bit),
			COALESCE(CAST(ct.value AS nvarchar(2000)), ''), COALESCE(CAST(cc.value AS nvarchar(2000)), '')
		FROM sys.objects AS o JOIN sys.schemas AS s ON s.schema_id = o.schema_id
			JOIN sys.columns AS c ON c.object_id = o.object_id
			JOIN sys.types AS t ON t.user_type_id = c.user_type_id
			LEFT JOIN (SELECT i.object_id, ic.column_id FROM sys.indexes AS i JOIN sys.index_columns AS ic ON ic.object_id = i.object_id AND ic.index_id = i.index_id
				WHERE i.is_primary_key = 1) AS k ON k.object_id = o.object_id AND k.column_id = c.column_id
			LEFT JOIN sys.extended_properties AS ct ON ct.class = 1 AND ct.major_id = o.object_id AND ct.minor_id = 0 AND ct.name = 'MS_Description'
			LEFT JOIN sys.extended_properties AS cc ON cc.class = 1 AND cc.major_id = o.object_id AND cc.minor_id = c.column_id AND cc.name = 'MS_Description'
		WHERE o.type IN ('U', 'V') AND o.is_ms_shipped = 0 AND` + within + `
		ORDER BY s.name COLLATE Latin1_General_BIN2, o.name COLLATE Latin1_General_BIN2, c.column_id`

	rowsQuery = `SELECT s.name, o.name, SUM(p.rows) FROM sys.partitions AS p JOIN sys.objects AS o ON o.object_id = p.object_id JOIN sys.schemas AS s ON s.schema_id = o.schema_id
		WHERE p.index_id IN (0, 1) AND o.type = 'U' AND` + within + ` GROUP BY s.name, o.name`

	foreignQuery = `SELECT s.name, o.name, f.object_id, c.name, rs.name, ro.name, rc.name
		FROM sys.foreign_keys AS f JOIN sys.foreign_key_columns AS fc ON fc.constraint_object_id = f.object_id
			JOIN sys.objects AS o ON o.object_id = f.parent_object_id JOIN sys.schemas AS s ON s.schema_id = o.schema_id
			JOIN sys.columns AS c ON c.object_id = fc.parent_object_id AND c.column_id = fc.parent_column_id
			JOIN sys.objects AS ro ON ro.object_id = f.referenced_object_id JOIN sys.schemas AS rs ON rs.schema_id = ro.schema_id
			JOIN sys.columns AS rc ON rc.object_id = fc.referenced_object_id AND rc.column_id = fc.referenced_column_id
		WHERE` + within + ` ORDER BY f.object_id, fc.constraint_column_id`
)

// Tables implements [warehouse.Conn], in three round trips. Tables and views are listed by the
// bytes of their names. Row counts are those of sys.partitions, which are approximate; views have
// none.
func (c *conn) Tables(ctx context.Context, schemas []string, found func(catalog.Table) error) error {
	chosen, err := json.Marshal(append([]string{}, schemas...))
	if err != nil {
		return err
	}
	rows, err := c.rowCounts(ctx, string(chosen))
	if err != nil {
		return c.fault(ctx, err)
	}
	keys, err := c.foreignKeys(ctx, string(chosen))
	if err != nil {
		return c.fault(ctx, err)
	}
	var stop error
	err = c.listing(ctx, string(chosen), func(t catalog.Table) error {
		at := place{t.Schema, t.Name}
		if t.Rows = catalog.UnknownRows; rows[at] != nil {
			t.Rows = *rows[at]
		}
		t.Foreign = keys[at]
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

// rowCounts returns the row counts of tables from the server's statistics. Tables with several
// partitions are summed.
func (c *conn) rowCounts(ctx context.Context, schemas string) (map[place]*int64, error) {
	out := map[place]*int64{}
	err := wire.EachRow(ctx, c.db, rowsQuery, []any{schemas}, func(r *sql.Rows) error {
		var at place
		var n int64
		if err := r.Scan(&at.schema, &at.name, &n); err != nil {
			return err
		}
		out[at] = &n
		return nil
	})
	return out, err
}

// foreignKeys returns the foreign keys by the table that has them.
func (c *conn) foreignKeys(ctx context.Context, schemas string) (map[place][]catalog.Foreign, error) {
	out, last := map[place][]catalog.Foreign{}, int64(-1)
	err := wire.EachRow(ctx, c.db, foreignQuery, []any{schemas}, func(r *sql.Rows) error {
		var at, to place
		var id int64
		var column, other string
		if err := r.Scan(&at.schema, &at.name, &id, &column, &to.schema, &to.name, &other); err != nil {
			return err
		}
		if id != last {
			out[at] = append(out[at], catalog.Foreign{Table: to.schema + "." + to.name})
			last = id
		}
		f := &out[at][len(out[at])-1]
		f.Columns, f.To = append(f.Columns, column), append(f.To, other)
		return nil
	})
	return out, err
}

// listing passes on the tables with their columns; the rows are grouped by table. found is called
// once its last column has been read.
func (c *conn) listing(ctx context.Context, schemas string, found func(catalog.Table) error) error {
	g := wire.Grouper{Found: found}
	err := wire.EachRow(ctx, c.db, tablesQuery, []any{schemas}, func(r *sql.Rows) error {
		var at place
		var col catalog.Column
		var typ, comment string
		var length, precision, scale int
		var nullable bool
		if err := r.Scan(&at.schema, &at.name, &col.Name, &typ, &length, &precision, &scale, &nullable, &col.Key, &comment, &col.Comment); err != nil {
			return err
		}
		col.Type, col.NotNull = typeName(typ, length, precision, scale), !nullable
		return g.Column(catalog.Table{Schema: at.schema, Name: at.name, Comment: comment}, col)
	})
	if err != nil {
		return err
	}
	return g.End()
}

// typeName returns a type as it is written in a definition. length is in bytes, and -1 for max.
func typeName(typ string, length, precision, scale int) string {
	switch typ {
	case "nvarchar", "nchar":
		length /= 2 // max_length counts bytes, of which a character has two
		fallthrough
	case "varchar", "char", "varbinary", "binary":
		if length <= 0 {
			return typ + "(max)"
		}
		return fmt.Sprintf("%s(%d)", typ, length)
	case "decimal", "numeric":
		return fmt.Sprintf("%s(%d,%d)", typ, precision, scale)
	}
	return typ
}

// rightsQuery lists what the role may do, one right in each row.
const rightsQuery = `SELECT permission_name FROM sys.fn_my_permissions(NULL, 'DATABASE')
	WHERE permission_name IN ('INSERT', 'UPDATE', 'DELETE', 'ALTER', 'CONTROL', 'EXECUTE', 'CREATE TABLE', 'CREATE PROCEDURE', 'CREATE FUNCTION', 'CREATE SCHEMA', 'TAKE OWNERSHIP', 'BACKUP DATABASE')
	UNION ALL SELECT 'be a member of ' + r.name FROM (VALUES ('db_owner'), ('db_datawriter'), ('db_ddladmin')) AS r (name) WHERE IS_MEMBER(r.name) = 1
	UNION ALL SELECT 'be a member of sysadmin' WHERE IS_SRVROLEMEMBER('sysadmin') = 1
	UNION ALL SELECT DISTINCT TOP (20) p.permission_name + ' on ' + s.name FROM sys.schemas AS s CROSS APPLY sys.fn_my_permissions(QUOTENAME(s.name), 'SCHEMA') AS p
		WHERE s.name NOT IN ('sys', 'INFORMATION_SCHEMA', 'guest') AND p.permission_name IN ('INSERT', 'UPDATE', 'DELETE', 'ALTER', 'CONTROL', 'EXECUTE')`

// Rights implements [warehouse.Conn] by asking the server. Rights on the database, up to 20
// rights on schemas, and memberships in roles that can write are looked at; rights on single
// tables are not.
func (c *conn) Rights(ctx context.Context) (warehouse.Rights, error) {
	out := warehouse.Rights{Role: c.role, Server: "SQL Server " + c.version}
	err := wire.EachRow(ctx, c.db, rightsQuery, nil, func(r *sql.Rows) error {
		var right string
		if err := r.Scan(&right); err != nil {
			return err
		}
		out.Why = append(out.Why, lowered(right))
		return nil
	})
	out.CanWrite = len(out.Why) > 0
	if err != nil {
		return out, c.fault(ctx, err)
	}
	return out, nil
}

// lowered returns a right with its leading words in lower case. What stands behind ON is a name
// and keeps its case.
func lowered(right string) string {
	words, on, has := strings.Cut(right, " on ")
	if words == strings.ToUpper(words) {
		words = strings.ToLower(words)
	}
	if has {
		return words + " on " + on
	}
	return words
}
