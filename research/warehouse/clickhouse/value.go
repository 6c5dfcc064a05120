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

// cell is where the values of one column are read, one after the other.
type cell interface {
	place() any           // what the driver reads into
	size() int            // of the value, in bytes
	keep(to *wire.Column) // appends the value
}

// typed is a cell of one type, without null.
type typed[T any] struct {
	v    T
	put  func(*wire.Column, T)
	sure func(T) int
}

func (c *typed[T]) place() any           { return &c.v }
func (c *typed[T]) keep(to *wire.Column) { c.put(to, c.v) }
func (c *typed[T]) size() int            { return c.sure(c.v) }

// nullable is a cell of one type, or null.
type nullable[T any] struct {
	v    *T
	put  func(*wire.Column, T)
	sure func(T) int
}

func (c *nullable[T]) place() any { return &c.v }

func (c *nullable[T]) keep(to *wire.Column) {
	if c.v == nil {
		to.Null()
		return
	}
	c.put(to, *c.v)
}

func (c *nullable[T]) size() int {
	if c.v == nil {
		return 0
	}
	return c.sure(*c.v)
}

// eight is the size of what is neither a string nor of many values.
func eight[T any](T) int { return 8 }

func cellFor[T any](null bool, put func(*wire.Column, T), size func(T) int) cell {
	if null {
		return &nullable[T]{put: put, sure: size}
	}
	return &typed[T]{put: put, sure: size}
}

func signed[T int8 | int16 | int32 | int64](null bool) (cell, wire.Form) {
	return cellFor(null, func(c *wire.Column, v T) { c.Int(int64(v)) }, eight[T]), wire.Ints
}

func unsigned[T uint8 | uint16 | uint32 | uint64](null bool) (cell, wire.Form) {
	return cellFor(null, func(c *wire.Column, v T) { c.Uint(uint64(v)) }, eight[T]), wire.Ints
}

func times(null bool, form wire.Form) (cell, wire.Form) {
	return cellFor(null, func(c *wire.Column, v time.Time) { c.Micros(v.UnixMicro()) }, eight[time.Time]), form
}

// cellOf returns the cell for a type by its name, with what the driver reads it
// into when nothing better is known.
func cellOf(name string, scan reflect.Type) (cell, wire.Form) {
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
		return &said{put: func(c *wire.Column, s string) { c.Decimal([]byte(s)) }}, wire.Decimals
	case "UUID", "IPv4", "IPv6":
		return &said{put: putString}, wire.Strings
	}
	return &other{at: reflect.New(scan)}, wire.Values
}

// unwrap returns a type without LowCardinality and Nullable, and whether it was the
// latter.
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

// putString appends a string; ClickHouse keeps bytes of any kind in them.
func putString(c *wire.Column, v string) {
	if utf8.ValidString(v) {
		c.String(v)
		return
	}
	c.Value([]byte(v))
}

// said is a cell of a type that says itself, such as a decimal or an address.
type said struct {
	v    string
	null bool
	put  func(*wire.Column, string)
}

func (c *said) place() any { return c }
func (c *said) size() int  { return len(c.v) }

// Scan takes what the driver has.
func (c *said) Scan(v any) error {
	c.v, c.null = "", v == nil
	if r := reflect.ValueOf(v); r.Kind() == reflect.Pointer && r.IsNil() {
		c.null = true
	}
	if !c.null {
		c.v = fmt.Sprint(v)
	}
	return nil
}

func (c *said) keep(to *wire.Column) {
	if c.null {
		to.Null()
		return
	}
	c.put(to, c.v)
}

// other is a cell of any other type: arrays, tuples, maps.
type other struct{ at reflect.Value }

func (c *other) place() any { return c.at.Interface() }

func (c *other) size() int { return len(c.text()) }

// text returns the value as JSON, or as Go writes it when JSON cannot; nothing for
// null.
func (c *other) text() []byte {
	v := numbers(c.at.Elem())
	out, err := json.Marshal(v)
	if err != nil {
		out, _ = json.Marshal(fmt.Sprint(v)) // a string always has a form
	}
	return out
}

// numbers returns a value in which slices of small numbers, which JSON takes for
// bytes, are slices of numbers.
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

func (c *other) keep(to *wire.Column) {
	b := c.text()
	if string(b) == "null" {
		to.Null()
		return
	}
	to.Value(json.RawMessage(b))
}
