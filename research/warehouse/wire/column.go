package wire

import (
	"encoding/json"
	"math"
	"strconv"
	"time"

	"quaestor/research/warehouse/digest"
)

// ValueKind selects the slice of a [digest.Column] that a column's values go into.
type ValueKind uint8

// The forms.
const (
	Ints ValueKind = iota
	Floats
	Bools
	Strings
	Decimals
	Times
	Days
	Values
)

// maxSeen is how many distinct strings of a column are interned. Columns with more values
// than that are free text, where repetitions are rare.
const maxSeen = 64

// Column collects the values of one column, row by row. If its slice cannot hold a value (a large
// unsigned number, an infinite time, NaN), the column switches to one that can. Its methods
// append one value each; all columns of a result must get one for every row. It is not safe for
// concurrent use.
type Column struct {
	out  digest.Column
	form ValueKind         // may change from Ints to Decimals, and from any to Values
	rows int               // values so far, nulls included
	seen map[string]string // interned strings
}

// NewColumn returns an empty column. Columns of strings are marked as text, so that a digest does
// not take digits in them for numbers.
func NewColumn(name string, form ValueKind) *Column {
	c := &Column{form: form}
	c.out.Name, c.out.Days, c.out.Text = name, form == Days, form == Strings || form == Values
	return c
}

// Null appends a null. The list of nulls is made at the first one, so that columns without nulls
// have none.
func (c *Column) Null() {
	if c.out.Null == nil {
		c.out.Null = make([]bool, c.rows, max(16, c.rows+1))
	}
	c.out.Null = append(c.out.Null, true)
	c.rows++
	switch c.form {
	case Ints:
		c.out.Ints = append(c.out.Ints, 0)
	case Floats:
		c.out.Floats = append(c.out.Floats, 0)
	case Bools:
		c.out.Bools = append(c.out.Bools, false)
	case Strings:
		c.out.Strings = append(c.out.Strings, "")
	case Decimals:
		c.out.Decimals = append(c.out.Decimals, "")
	case Times, Days:
		c.out.Micros = append(c.out.Micros, 0)
	case Values:
		c.out.Values = append(c.out.Values, nil)
	}
}

// one counts a value that is not null.
func (c *Column) one() {
	c.rows++
	if c.out.Null != nil {
		c.out.Null = append(c.out.Null, false)
	}
}

// Int appends a whole number.
func (c *Column) Int(v int64) {
	switch c.form {
	case Ints:
		c.out.Ints = append(c.out.Ints, v)
		c.one()
	case Decimals:
		c.decimal(strconv.FormatInt(v, 10))
	default:
		c.Value(v)
	}
}

// Uint appends a whole number that may exceed an int64.
func (c *Column) Uint(v uint64) {
	if v <= math.MaxInt64 {
		c.Int(int64(v))
		return
	}
	if c.form == Ints {
		c.toDecimals()
	}
	c.Decimal(strconv.AppendUint(nil, v, 10))
}

// Float appends a number, which may be infinite or NaN.
func (c *Column) Float(v float64) {
	if c.form != Floats {
		c.Value(v)
		return
	}
	c.out.Floats = append(c.out.Floats, v)
	c.one()
}

// Bool appends true or false.
func (c *Column) Bool(v bool) {
	if c.form != Bools {
		c.Value(v)
		return
	}
	c.out.Bools = append(c.out.Bools, v)
	c.one()
}

// Text appends a string. It does not retain b.
func (c *Column) Text(b []byte) {
	v := c.keep(b)
	if c.form != Strings {
		c.Value(v)
		return
	}
	c.out.Strings = append(c.out.Strings, v)
	c.one()
}

// String appends a string.
func (c *Column) String(v string) {
	if c.form != Strings {
		c.Value(v)
		return
	}
	c.out.Strings = append(c.out.Strings, v)
	c.one()
}

// Decimal appends a number as exact text. It does not retain b. NaN and infinities become
// values that a digest counts as null.
func (c *Column) Decimal(b []byte) {
	if c.form == Decimals && digits(b) {
		c.decimal(c.keep(b))
		return
	}
	c.Value(json.Number(c.keep(b)))
}

// decimal appends a number that must not lose digits.
func (c *Column) decimal(v string) {
	c.out.Decimals = append(c.out.Decimals, v)
	c.one()
}

// digits reports whether b begins like a number.
func digits(b []byte) bool {
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		b = b[1:]
	}
	return len(b) > 0 && (b[0] >= '0' && b[0] <= '9' || b[0] == '.')
}

// Micros appends a point in time in microseconds, or a day if the column holds days.
func (c *Column) Micros(v int64) {
	if c.form != Times && c.form != Days {
		c.Value(time.UnixMicro(v).UTC())
		return
	}
	c.out.Micros = append(c.out.Micros, v)
	c.one()
}

// Value appends any value; if its type is not the column's, the column becomes one of mixed
// values. v is kept and must not be modified afterwards.
func (c *Column) Value(v any) {
	if c.form != Values {
		c.toValues()
	}
	c.out.Values = append(c.out.Values, v)
	c.one()
}

// keep returns b as a string, reusing an equal earlier one. Long strings, of more than 64 bytes,
// are not interned.
func (c *Column) keep(b []byte) string {
	if v, ok := c.seen[string(b)]; ok {
		return v
	}
	v := string(b)
	if len(c.seen) < maxSeen && len(b) <= 64 {
		if c.seen == nil {
			c.seen = make(map[string]string, 8)
		}
		c.seen[v] = v
	}
	return v
}

// toDecimals turns whole numbers into decimals.
func (c *Column) toDecimals() {
	c.out.Decimals = make([]string, 0, c.rows+1)
	for _, v := range c.out.Ints {
		c.out.Decimals = append(c.out.Decimals, strconv.FormatInt(v, 10))
	}
	c.out.Ints, c.form = nil, Decimals
}

// toValues turns the column into one of mixed values.
func (c *Column) toValues() {
	values := make([]any, c.rows, c.rows+1)
	for i := range values {
		if c.out.Null == nil || !c.out.Null[i] {
			values[i] = c.at(i)
		}
	}
	c.out = digest.Column{Name: c.out.Name, Values: values, Null: c.out.Null, Text: c.form == Strings || c.form == Times || c.form == Days}
	c.form = Values
}

// at returns value i of a column that does not hold mixed values yet.
func (c *Column) at(i int) any {
	switch c.form {
	case Ints:
		return c.out.Ints[i]
	case Floats:
		return c.out.Floats[i]
	case Bools:
		return c.out.Bools[i]
	case Strings:
		return c.out.Strings[i]
	case Decimals:
		return json.Number(c.out.Decimals[i])
	default:
		return time.UnixMicro(c.out.Micros[i]).UTC()
	}
}

// Float32 appends a single-precision number with the digits it is written with: 0.1 stays
// 0.1.
func (c *Column) Float32(v float32) {
	exact, err := strconv.ParseFloat(strconv.FormatFloat(float64(v), 'g', -1, 32), 64)
	if err != nil {
		exact = float64(v)
	}
	c.Float(exact)
}
