package wire

import (
	"database/sql"

	"quaestor/research/warehouse"
)

// Taker appends a non-null cell to its column.
type Taker func(c *Column, v any)

// ReadRows reads rows of database/sql to the end, or until r has no more room. kind returns
// the form of a type's values and how they are appended.
func ReadRows(rows *sql.Rows, r *Reading, kind func(*sql.ColumnType) (Form, Taker)) (*warehouse.Result, error) {
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, err
	}
	cells, into, take := make([]any, len(types)), make([]any, len(types)), make([]Taker, len(types))
	for i, t := range types {
		var form Form
		form, take[i] = kind(t)
		r.Columns, into[i] = append(r.Columns, NewColumn(t.Name(), form)), &cells[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		if !r.Room(SizeOf(cells)) {
			return r.Result(), nil
		}
		r.take(cells, take)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return r.Result(), nil
}

// take appends one row.
func (r *Reading) take(cells []any, take []Taker) {
	for i, v := range cells {
		if v == nil {
			r.Columns[i].Null()
		} else {
			take[i](r.Columns[i], v)
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
