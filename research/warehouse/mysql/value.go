package mysql

import (
	"bytes"
	"database/sql/driver"
	"encoding/json"
	"time"

	"quaestor/research/warehouse/wire"
)

// reader appends a non-null cell to its column. It does not retain v.
type reader func(c *wire.Column, v driver.Value)

// kind is where the values of a type are stored, and how they are appended.
type kind struct {
	form wire.ValueKind
	read reader
}

// kinds are the types that are not strings, by the driver's names.
var kinds = map[string]kind{
	"TINYINT": {wire.Ints, readNumber}, "SMALLINT": {wire.Ints, readNumber}, "MEDIUMINT": {wire.Ints, readNumber}, "INT": {wire.Ints, readNumber}, "BIGINT": {wire.Ints, readNumber},
	"UNSIGNED TINYINT": {wire.Ints, readNumber}, "UNSIGNED SMALLINT": {wire.Ints, readNumber}, "UNSIGNED MEDIUMINT": {wire.Ints, readNumber}, "UNSIGNED INT": {wire.Ints, readNumber}, "UNSIGNED BIGINT": {wire.Ints, readNumber},
	"YEAR": {wire.Ints, readNumber}, "BIT": {wire.Ints, readBits}, "FLOAT": {wire.Floats, readNumber}, "DOUBLE": {wire.Floats, readNumber}, "DECIMAL": {wire.Decimals, readDecimal},
	"DATE": {wire.Days, readTime}, "DATETIME": {wire.Times, readTime}, "TIMESTAMP": {wire.Times, readTime}, "JSON": {wire.Values, readJSON},
	"BLOB": {wire.Values, readBytes}, "TINYBLOB": {wire.Values, readBytes}, "MEDIUMBLOB": {wire.Values, readBytes}, "LONGBLOB": {wire.Values, readBytes},
	"BINARY": {wire.Values, readBytes}, "VARBINARY": {wire.Values, readBytes}, "GEOMETRY": {wire.Values, readBytes}, "VECTOR": {wire.Values, readBytes},
}

// kindOf returns the kind of a type; unknown types are text.
func kindOf(name string) kind {
	if k, ok := kinds[name]; ok {
		return k
	}
	return kind{wire.Strings, readText}
}

// readNumber appends a value that the driver has converted to a number.
func readNumber(c *wire.Column, v driver.Value) {
	switch v := v.(type) {
	case int64:
		c.Int(v)
	case uint64:
		c.Uint(v)
	case float32:
		c.Float32(v)
	case float64:
		c.Float(v)
	default:
		readText(c, v)
	}
}

// readBits appends a bit field of up to 64 bits as a number.
func readBits(c *wire.Column, v driver.Value) {
	b, ok := v.([]byte)
	if !ok || len(b) > 8 {
		readText(c, v)
		return
	}
	var n uint64
	for _, x := range b {
		n = n<<8 | uint64(x)
	}
	c.Uint(n)
}

// readDecimal keeps a decimal as text, without a loss of digits.
func readDecimal(c *wire.Column, v driver.Value) {
	if b, ok := v.([]byte); ok {
		c.Decimal(b)
		return
	}
	readNumber(c, v)
}

// readText keeps a text; the driver returns bytes.
func readText(c *wire.Column, v driver.Value) {
	if b, ok := v.([]byte); ok {
		c.Text(b)
		return
	}
	c.Value(v)
}

// readBytes keeps binary data.
func readBytes(c *wire.Column, v driver.Value) {
	if b, ok := v.([]byte); ok {
		v = bytes.Clone(b)
	}
	c.Value(v)
}

// readJSON keeps a JSON document as it was stored.
func readJSON(c *wire.Column, v driver.Value) {
	if b, ok := v.([]byte); ok {
		v = json.RawMessage(bytes.Clone(b))
	}
	c.Value(v)
}

// readTime appends a day or a time. Zero dates, which are not dates, stay text.
func readTime(c *wire.Column, v driver.Value) {
	b, ok := v.([]byte)
	if !ok {
		c.Value(v)
		return
	}
	if micros, ok := microsOf(b); ok {
		c.Micros(micros)
		return
	}
	c.Value(string(b))
}

// microsOf parses 2024-02-29 or 2024-02-29 12:34:56.789012 as UTC. It returns false for anything
// else, such as a zero date or a date that does not exist.
func microsOf(b []byte) (int64, bool) {
	if len(b) < 10 || b[4] != '-' || b[7] != '-' {
		return 0, false
	}
	year, month, day := number(b[0:4]), number(b[5:7]), number(b[8:10])
	if year < 0 || month < 1 || month > 12 || day < 1 || day > 31 {
		return 0, false
	}
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if t.Day() != day { // MySQL can store 31 February
		return 0, false
	}
	if len(b) == 10 {
		return t.UnixMicro(), true
	}
	if len(b) < 19 || b[13] != ':' || b[16] != ':' {
		return 0, false
	}
	hour, minute, second := number(b[11:13]), number(b[14:16]), number(b[17:19])
	if hour < 0 || minute < 0 || second < 0 {
		return 0, false
	}
	return t.UnixMicro() + int64(hour*3600+minute*60+second)*1e6 + int64(fraction(b[19:])), true
}

// number parses digits; it returns -1 for anything else.
func number(b []byte) int {
	n := 0
	for _, c := range b {
		if c < '0' || c > '9' {
			return -1
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// fraction parses a fraction of a second as microseconds: .5 is 500000. Digits beyond the sixth
// have no effect.
func fraction(b []byte) int {
	n, unit := 0, 100_000
	for _, c := range b {
		if c >= '0' && c <= '9' {
			n += int(c-'0') * unit
			unit /= 10
		}
	}
	return n
}
