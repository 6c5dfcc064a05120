package clickhouse

import (
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"

	"quaestor/research/warehouse/wire"
)

// cell receives the values of one column, one row at a time.
type cell interface {
	place() any           // the destination for the driver
	size() int            // of the value, in bytes
	keep(to *wire.Column) // appends the value
}

// typedCell is a cell for non-null values of one type. The driver scans every row into v.
type typedCell[T any] struct {
	v      T
	put    func(*wire.Column, T)
	sizeOf func(T) int
}

// place is the target of the driver's scan.
func (c *typedCell[T]) place() any { return &c.v }

// keep appends the scanned value to the column.
func (c *typedCell[T]) keep(to *wire.Column) { c.put(to, c.v) }

// size estimates the bytes of the scanned value, for the limit of a result.
func (c *typedCell[T]) size() int { return c.sizeOf(c.v) }

// nullableCell is a cell for values of one type, or null.
type nullableCell[T any] struct {
	v      *T
	put    func(*wire.Column, T)
	sizeOf func(T) int
}

// place is a pointer to a pointer, which the driver sets to nil for NULL.
func (c *nullableCell[T]) place() any { return &c.v }

// keep appends the scanned value, or NULL.
func (c *nullableCell[T]) keep(to *wire.Column) {
	if c.v == nil {
		to.Null()
		return
	}
	c.put(to, *c.v)
}

// size estimates the bytes of the scanned value; NULL has none.
func (c *nullableCell[T]) size() int {
	if c.v == nil {
		return 0
	}
	return c.sizeOf(*c.v)
}

// eight is the size of a value that is neither a string nor a collection.
func eight[T any](T) int { return 8 }

// cellFor returns a cell for one type; null means that its values may be null.
func cellFor[T any](null bool, put func(*wire.Column, T), size func(T) int) cell {
	if null {
		return &nullableCell[T]{put: put, sizeOf: size}
	}
	return &typedCell[T]{put: put, sizeOf: size}
}

// signed returns the cell of a signed integer.
func signed[T int8 | int16 | int32 | int64](null bool) (cell, wire.ValueKind) {
	return cellFor(null, func(c *wire.Column, v T) { c.Int(int64(v)) }, eight[T]), wire.Ints
}

// unsigned returns the cell of an unsigned integer.
func unsigned[T uint8 | uint16 | uint32 | uint64](null bool) (cell, wire.ValueKind) {
	return cellFor(null, func(c *wire.Column, v T) { c.Uint(uint64(v)) }, eight[T]), wire.Ints
}

// times returns the cell of a date or a point in time.
func times(null bool, form wire.ValueKind) (cell, wire.ValueKind) {
	return cellFor(null, func(c *wire.Column, v time.Time) { c.Micros(v.UnixMicro()) }, eight[time.Time]), form
}

// cellOf returns the cell for a type by its name. scan is the type that the driver scans into,
// which is used for types without a cell of their own. The form is the one that its column begins
// with.
func cellOf(name string, scan reflect.Type) (cell, wire.ValueKind) {
	name, null := unwrap(name)
	kind, _, _ := strings.Cut(name, "(")
	switch kind {
	case "Int8":
		return signed[int8](null)
	case "Int16":
		return signed[int16](null)
	case "Int32":
		return signed[int32](null)
	case "Int64":
		return signed[int64](null)
	case "UInt8":
		return unsigned[uint8](null)
	case "UInt16":
		return unsigned[uint16](null)
	case "UInt32":
		return unsigned[uint32](null)
	case "UInt64":
		return unsigned[uint64](null)
	case "Int128", "Int256", "UInt128", "UInt256":
		return cellFor(null, func(c *wire.Column, v big.Int) { c.Decimal([]byte(v.String())) }, eight[big.Int]), wire.Decimals
	case "Float32":
		return cellFor(null, (*wire.Column).Float32, eight[float32]), wire.Floats
	case "Float64":
		return cellFor(null, (*wire.Column).Float, eight[float64]), wire.Floats
	case "Bool":
		return cellFor(null, (*wire.Column).Bool, eight[bool]), wire.Bools
	case "String", "Enum8", "Enum16":
		return cellFor(null, putString, func(v string) int { return len(v) }), wire.Strings
	case "FixedString":
		return cellFor(null, func(c *wire.Column, v string) { putString(c, strings.TrimRight(v, "\x00")) }, func(v string) int { return len(v) }), wire.Strings
	case "Date", "Date32":
		return times(null, wire.Days)
	case "DateTime", "DateTime64":
		return times(null, wire.Times)
	case "Decimal", "Decimal32", "Decimal64", "Decimal128", "Decimal256":
		return &printedCell{put: func(c *wire.Column, s string) { c.Decimal([]byte(s)) }}, wire.Decimals
	case "UUID", "IPv4", "IPv6":
		return &printedCell{put: putString}, wire.Strings
	}
	return &jsonCell{at: reflect.New(scan)}, wire.Values
}

// unwrap returns a type without LowCardinality and Nullable, and whether it was nullable.
func unwrap(name string) (string, bool) {
	null := false
	for {
		inner, low := strings.CutPrefix(name, "LowCardinality(")
		inner, may := strings.CutPrefix(inner, "Nullable(")
		if !low && !may {
			return name, null
		}
		null = null || may
		if low {
			inner = strings.TrimSuffix(inner, ")")
		}
		if may {
			inner = strings.TrimSuffix(inner, ")")
		}
		name = inner
	}
}

// putString appends a string. ClickHouse's strings may hold any bytes.
func putString(c *wire.Column, v string) {
	if utf8.ValidString(v) {
		c.String(v)
		return
	}
	c.Value([]byte(v))
}

// printedCell is a cell for a type that prints itself, such as a decimal or an address.
type printedCell struct {
	v    string
	null bool
	put  func(*wire.Column, string)
}

// place is the cell itself, which implements sql.Scanner.
func (c *printedCell) place() any { return c }

// size is the length of the printed value.
func (c *printedCell) size() int { return len(c.v) }

// Scan implements [sql.Scanner].
func (c *printedCell) Scan(v any) error {
	c.v, c.null = "", v == nil
	if r := reflect.ValueOf(v); r.Kind() == reflect.Pointer && r.IsNil() {
		c.null = true
	}
	if !c.null {
		c.v = fmt.Sprint(v)
	}
	return nil
}

// keep appends the printed value as text, or NULL.
func (c *printedCell) keep(to *wire.Column) {
	if c.null {
		to.Null()
		return
	}
	c.put(to, c.v)
}

// jsonCell is a cell for any other type: arrays, tuples, maps.
type jsonCell struct{ at reflect.Value }

// place is a value of the driver's own type for the column.
func (c *jsonCell) place() any { return c.at.Interface() }

// size is the length of the value as JSON.
func (c *jsonCell) size() int { return len(c.text()) }

// text returns the value as JSON, or in Go's notation if JSON cannot represent it.
func (c *jsonCell) text() []byte {
	v := numbers(c.at.Elem())
	out, err := json.Marshal(v)
	if err != nil {
		out, _ = json.Marshal(fmt.Sprint(v)) // cannot fail for a string
	}
	return out
}

// numbers returns v with []uint8 replaced by a slice of numbers, because encoding/json would write
// bytes in base64.
func numbers(v reflect.Value) any {
	for v.Kind() == reflect.Interface && !v.IsNil() {
		v = v.Elem()
	}
	if v.Kind() != reflect.Slice {
		return v.Interface()
	}
	out := make([]any, v.Len())
	for i := range out {
		if e := v.Index(i); e.Kind() == reflect.Uint8 {
			out[i] = e.Uint()
		} else {
			out[i] = numbers(e)
		}
	}
	return out
}

// keep appends the value as JSON.
func (c *jsonCell) keep(to *wire.Column) {
	b := c.text()
	if string(b) == "null" {
		to.Null()
		return
	}
	to.Value(json.RawMessage(b))
}
