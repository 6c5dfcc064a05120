package wire

import (
	"database/sql"

	"quaestor/research/warehouse"
)

// AppendFunc appends a non-null cell to its column.
type AppendFunc func(c *Column, v any)

// ReadRows reads rows of database/sql to the end, or until r has no more room. kind returns
// the form of a type's values and how they are appended.
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

// SizeOf returns the approximate size of a row in bytes.
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
