package sqlserver

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	mssql "github.com/microsoft/go-mssqldb"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/wire"
)

// Query implements [warehouse.Conn]. Of l, Scanned and Memory have no effect: the server can
// neither estimate the one nor limit the other for a session.
func (c *conn) Query(ctx context.Context, s guard.Statement, l warehouse.Limits) (*warehouse.Result, error) {
	l = l.OrDefault()
	ownCtx, cancel := context.WithTimeout(ctx, l.Time+patience)
	defer cancel()
	if err := wire.Refuse(s.SQL, forbidden...); err != nil {
		return nil, err
	}
	out, err := c.query(ownCtx, s.SQL, l)
	if err != nil {
		return nil, c.fault(ctx, err)
	}
	return out, nil
}

// forbidden are words that no query contains; see [wire.Refuse].
var forbidden = strings.Fields("INSERT UPDATE DELETE MERGE DROP ALTER CREATE TRUNCATE EXEC EXECUTE INTO OPENROWSET OPENQUERY OPENDATASOURCE OPENXML BULK WAITFOR SHUTDOWN KILL GRANT REVOKE DENY BACKUP RESTORE DBCC RECONFIGURE USE DECLARE SET GO")

// query describes a statement and reads its result, in a transaction that is rolled back.
func (c *conn) query(ctx context.Context, text string, l warehouse.Limits) (*warehouse.Result, error) {
	session, err := c.db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer session.Close() //nolint:errcheck // it goes back to the pool
	tx, err := session.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback() //nolint:errcheck // nothing was written
	if err := describe(ctx, tx, text); err != nil {
		return nil, err
	}
	began := time.Now()
	rows, err := tx.QueryContext(ctx, text)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // Err tells
	return wire.ReadRows(rows, wire.NewResultBuilder(l, began), kindOf)
}

// describe refuses a statement that returns no rows. The server parses the statement without
// running it. Only the first result of a batch is described; that there is a single statement is
// up to the guard.
func describe(ctx context.Context, tx *sql.Tx, text string) error {
	rows, err := tx.QueryContext(ctx, "EXEC sys.sp_describe_first_result_set @p1", text)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // Err tells
	n := 0
	for rows.Next() {
		n++
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if n == 0 {
		return wire.NoRows()
	}
	return nil
}

// forms are where the values of a type are stored; other types are strings. Names are those of
// the driver.
var forms = map[string]wire.ValueKind{
	"TINYINT": wire.Ints, "SMALLINT": wire.Ints, "INT": wire.Ints, "BIGINT": wire.Ints, "BIT": wire.Bools, "REAL": wire.Floats, "FLOAT": wire.Floats,
	"DECIMAL": wire.Decimals, "NUMERIC": wire.Decimals, "MONEY": wire.Decimals, "SMALLMONEY": wire.Decimals,
	"DATE": wire.Days, "DATETIME": wire.Times, "DATETIME2": wire.Times, "SMALLDATETIME": wire.Times, "DATETIMEOFFSET": wire.Times,
	"BINARY": wire.Values, "VARBINARY": wire.Values, "IMAGE": wire.Values, "SQL_VARIANT": wire.Values,
}

// kindOf returns the form of a type and the function that appends its values.
func kindOf(t *sql.ColumnType) (wire.ValueKind, wire.AppendFunc) {
	typ := t.DatabaseTypeName()
	return formOf(typ), func(c *wire.Column, v any) { put(c, typ, v) }
}

// formOf returns the form of a type.
func formOf(typ string) wire.ValueKind {
	if f, ok := forms[typ]; ok {
		return f
	}
	return wire.Strings
}

// put appends a cell to its column. A type that the driver returns in another way becomes text in
// Go's notation.
func put(c *wire.Column, typ string, v any) {
	switch v := v.(type) {
	case int64:
		c.Int(v)
	case float64:
		c.Float(v)
	case bool:
		c.Bool(v)
	case string:
		c.Text([]byte(v))
	case time.Time:
		putTime(c, typ, v)
	case []byte:
		putBytes(c, typ, v)
	default:
		c.Value(fmt.Sprint(v))
	}
}

// putTime appends a point in time; a time of day becomes text. Others are kept to the
// microsecond; DATETIMEOFFSET loses its offset.
func putTime(c *wire.Column, typ string, v time.Time) {
	if typ == "TIME" {
		c.Text([]byte(v.Format("15:04:05.999999")))
		return
	}
	c.Micros(v.UnixMicro())
}

// putBytes appends a value that the driver returns as bytes: a decimal as text, a GUID, or binary
// data. The driver reuses v, so it is copied.
func putBytes(c *wire.Column, typ string, v []byte) {
	switch {
	case forms[typ] == wire.Decimals:
		c.Decimal(v)
	case typ == "UNIQUEIDENTIFIER":
		var id mssql.UniqueIdentifier
		if id.Scan(v) != nil {
			c.Value(append([]byte(nil), v...))
			return
		}
		c.Text([]byte(id.String()))
	case formOf(typ) == wire.Strings:
		c.Text(v)
	default:
		c.Value(append([]byte(nil), v...))
	}
}

// Sample reads at most n rows of a table.
func (c *conn) Sample(ctx context.Context, t catalog.Table, n int) (*warehouse.Result, error) {
	ref := bracketed(t.Name)
	if t.Schema != "" {
		ref = bracketed(t.Schema) + "." + ref
	}
	return c.Query(ctx, guard.Statement{SQL: fmt.Sprintf("SELECT TOP (%d) * FROM %s", n, ref)}, warehouse.Limits{Rows: n})
}

// bracketed returns a quoted name.
func bracketed(name string) string { return "[" + strings.ReplaceAll(name, "]", "]]") + "]" }
