package insight

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/digest"
)

// rows reads a result cell by cell.
type rows struct{ *warehouse.Result }

// null reports whether a cell has no value.
func (r rows) null(row, col int) bool {
	if col >= len(r.Columns) {
		return true
	}
	c := &r.Columns[col]
	return row >= c.Len() || c.Null != nil && c.Null[row] || c.Values != nil && c.Values[row] == nil
}

// number returns a cell as a number, 0 for one that is none.
func (r rows) number(row, col int) float64 {
	v, _ := r.numberOK(row, col)
	return v
}

// numberOK returns a cell as a number, as far as it is the same every time: a warehouse adds fractions in any order, so that
// the last digits of their sum differ from one run to the next. The result is false for a cell that is no number.
func (r rows) numberOK(row, col int) (float64, bool) {
	if r.null(row, col) {
		return 0, false
	}
	c := &r.Columns[col]
	var v float64
	var err error
	switch {
	case c.Ints != nil:
		v = float64(c.Ints[row])
	case c.Floats != nil:
		v = steady(c.Floats[row])
	case c.Decimals != nil:
		v, err = strconv.ParseFloat(c.Decimals[row], 64)
	case c.Bools != nil:
		if c.Bools[row] {
			v = 1
		}
	default:
		v, err = strconv.ParseFloat(r.text(row, col), 64)
	}
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// steady rounds a number with a fraction to twelve significant digits.
func steady(v float64) float64 {
	if v == math.Trunc(v) || math.IsNaN(v) {
		return v
	}
	scale := math.Pow(10, 11-math.Floor(math.Log10(math.Abs(v))))
	if r := math.Round(v*scale) / scale; !math.IsNaN(r) && !math.IsInf(r, 0) {
		return r
	}
	return v
}

// text returns a cell as a text.
func (r rows) text(row, col int) string {
	if r.null(row, col) {
		return ""
	}
	switch c := &r.Columns[col]; {
	case c.Strings != nil:
		return c.Strings[row]
	case c.Ints != nil:
		return strconv.FormatInt(c.Ints[row], 10)
	case c.Floats != nil:
		return strconv.FormatFloat(c.Floats[row], 'f', -1, 64)
	case c.Decimals != nil:
		return c.Decimals[row]
	case c.Bools != nil:
		return strconv.FormatBool(c.Bools[row])
	case c.Micros != nil:
		return time.UnixMicro(c.Micros[row]).UTC().Format(time.RFC3339)
	default:
		return valueText(c.Values[row])
	}
}

// valueText writes a value of a driver.
func valueText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	case time.Time:
		return v.UTC().Format(time.RFC3339)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case fmt.Stringer:
		return v.String()
	default:
		return fmt.Sprint(v)
	}
}

// time returns a cell as a time.
func (r rows) time(row, col int) (time.Time, bool) {
	if r.null(row, col) {
		return time.Time{}, false
	}
	c := &r.Columns[col]
	if c.Micros != nil {
		return time.UnixMicro(c.Micros[row]).UTC(), true
	}
	if c.Values != nil {
		if t, ok := c.Values[row].(time.Time); ok {
			return t.UTC(), true
		}
	}
	s := r.text(row, col)
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly, time.DateTime, "2006-01-02T15:04:05", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999-07"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// kindOf tells how a value of a column is written in SQL.
func kindOf(c *digest.Column) string {
	switch {
	case c.Bools != nil:
		return "bool"
	case c.Ints != nil, c.Floats != nil, c.Decimals != nil:
		return "number"
	case c.Strings != nil:
		return "text"
	}
	for _, v := range c.Values {
		switch v.(type) {
		case nil:
			continue
		case bool:
			return "bool"
		case int, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64:
			return "number"
		case string, []byte:
			return "text"
		default:
			return ""
		}
	}
	return ""
}
