package wire

import (
	"context"
	"database/sql"

	"quaestor/research/warehouse"
)

// AppendFunc appends a non-null cell to its column. v is of a type that the driver returns and
// may be reused by it after the call.
type AppendFunc func(c *Column, v any)

// ReadRows reads rows of database/sql to the end, or until r has no more room. kind returns the
// form of a type's values and how they are appended. The caller closes rows. A statement that
// runs on after the limit is stopped by that, or by the end of its context.
func ReadRows(rows *sql.Rows, r *ResultBuilder, kind func(*sql.ColumnType) (ValueKind, AppendFunc)) (*warehouse.Result, error) {
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, err
	}
	cells, into, appends := make([]any, len(types)), make([]any, len(types)), make([]AppendFunc, len(types))
	for i, t := range types {
		var form ValueKind
		form, appends[i] = kind(t)
		r.Columns, into[i] = append(r.Columns, NewColumn(t.Name(), form)), &cells[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		if !r.Room(SizeOf(cells)) {
			return r.Result(), nil
		}
		r.appendRow(cells, appends)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return r.Result(), nil
}

// EachRow runs a trusted query and calls f for every row, which f scans. An error of f ends it and
// is returned.
func EachRow(ctx context.Context, db *sql.DB, query string, args []any, f func(*sql.Rows) error) error {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // Err tells
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// appendRow appends one row.
func (r *ResultBuilder) appendRow(cells []any, appends []AppendFunc) {
	for i, v := range cells {
		if v == nil {
			r.Columns[i].Null()
		} else {
			appends[i](r.Columns[i], v)
		}
	}
}

// SizeOf returns the approximate size of a row in bytes. Numbers, times, booleans and null count
// as eight bytes.
func SizeOf(cells []any) int {
	n := 0
	for _, v := range cells {
		switch v := v.(type) {
		case string:
			n += len(v)
		case []byte:
			n += len(v)
		default:
			n += 8
		}
	}
	return n
}
