package digest

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"time"
	"unicode"
	"unicode/utf8"
)

// class is the class of a value, or a set of classes.
type class uint8

const (
	isNull class = 1 << iota
	isNumber
	isString
	isBool
	isTime
	isBinary
	isJSON
)

// readValues summarizes values of any kind. They are sorted into typed slices; if all turn out
// to be of one kind, they are summarized like a typed column.
func (s *scratch) readValues(c *Column, out *ColumnSummary, m Mask) {
	seen := s.sort(c)
	switch seen &^ isNull {
	case 0:
		out.Kind, out.NullCount = Null, c.Len()
	case isNumber:
		s.readFloats(s.floats, s.keys, s.null, out)
	case isString:
		s.readText(s.strings, s.null, c.Text, out, m)
	case isBool:
		s.readBools(s.bools, s.null, out)
	case isTime:
		s.readTimes(s.micros, s.null, allDays(s.micros, s.null), out)
	case isBinary:
		s.readOthers(c, Binary, out)
	case isJSON:
		s.readOthers(c, JSON, out)
	case isNumber | isString:
		s.readMixed(c, out)
	default:
		s.readOthers(c, Mixed, out)
	}
}

// sort copies each value of c into the slice of its class, and returns the set of classes that
// occurred.
func (s *scratch) sort(c *Column) class {
	s.room(c.Len())
	var seen class
	for r, v := range c.Values {
		if c.null(r) {
			v = nil
		}
		s.null[r] = false
		switch v := v.(type) { // the most frequent types first, without a call
		case float64:
			s.floats[r], s.keys[r], seen = v, floatKey(v), seen|isNumber
		case int64:
			s.floats[r], s.keys[r], seen = float64(v), uint64(v), seen|isNumber
		case string:
			s.strings[r], seen = v, seen|isString
		case nil:
			s.null[r], seen = true, seen|isNull
		case bool:
			s.bools[r], seen = v, seen|isBool
		case time.Time:
			s.micros[r], seen = v.UnixMicro(), seen|isTime
		default:
			seen |= s.put(r, v)
		}
	}
	return seen
}

// put copies one value into the slice of its class.
func (s *scratch) put(r int, v any) class {
	p := plainOf(v)
	s.null[r] = p.class == isNull
	switch p.class {
	case isNumber:
		s.floats[r], s.keys[r] = p.float, p.key
	case isString:
		s.strings[r] = p.text
	case isBool:
		s.bools[r] = p.key != 0
	case isTime:
		s.micros[r] = int64(p.key)
	}
	return p.class
}

// room gives each slice length n.
func (s *scratch) room(n int) {
	s.floats, s.keys, s.micros = sized(s.floats, n), sized(s.keys, n), sized(s.micros, n)
	s.strings, s.bools, s.null = sized(s.strings, n), sized(s.bools, n), sized(s.null, n)
}

// readMixed summarizes numbers and strings: as numbers if all the strings are numbers.
func (s *scratch) readMixed(c *Column, out *ColumnSummary) {
	for r, v := range c.Values {
		if s.null[r] || plainOf(v).class != isString {
			continue
		}
		f, key, ok := decimal(s.strings[r])
		if !ok || c.Text {
			s.readOthers(c, Mixed, out)
			return
		}
		s.floats[r], s.keys[r] = f, key
	}
	s.readFloats(s.floats, s.keys, s.null, out)
}

// readOthers counts values by their JSON.
func (s *scratch) readOthers(c *Column, kind ColumnKind, out *ColumnSummary) {
	out.Kind = kind
	var b []byte
	for r, v := range c.Values {
		if s.null[r] {
			out.NullCount++
			continue
		}
		b = appendWhole(b[:0], v)
		s.set.add(stringKey(string(b)))
	}
}

// plainValue is a value reduced to one of a few types.
type plainValue struct {
	class class
	float float64 // the value of a number
	key   uint64  // a number's key, the microseconds of a time, or 1 for true
	text  string  // the value of a string
}

// plainOf classifies what drivers and JSON decoders return.
func plainOf(v any) plainValue {
	switch v := v.(type) {
	case nil:
		return plainValue{class: isNull}
	case string:
		return plainValue{class: isString, text: v}
	case float64:
		return plainValue{class: isNumber, float: v, key: floatKey(v)}
	case int64:
		return intOf(v)
	case int:
		return intOf(int64(v))
	case bool:
		if v {
			return plainValue{class: isBool, key: 1}
		}
		return plainValue{class: isBool}
	case time.Time:
		return plainValue{class: isTime, key: uint64(v.UnixMicro())}
	case []byte:
		if readable(v) {
			return plainValue{class: isString, text: string(v)}
		}
		return plainValue{class: isBinary}
	default:
		return rareOf(v)
	}
}

// rareOf classifies the less frequent types: typed nils, other widths of numbers, decimal types
// that print themselves, arrays and objects.
func rareOf(v any) plainValue {
	switch v := v.(type) {
	case json.Number:
		return numberText(string(v))
	case json.RawMessage:
		return plainValue{class: isJSON}
	case *big.Int:
		return numberText(v.String())
	case *big.Rat:
		return numberText(v.FloatString(12))
	case [16]byte:
		return plainValue{class: isString, text: uuidText(v)}
	}
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Pointer:
		if r.IsNil() {
			return plainValue{class: isNull}
		}
		return plainOf(r.Elem().Interface())
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int, reflect.Int64:
		return intOf(r.Int())
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint, reflect.Uint64:
		return numberText(strconv.FormatUint(r.Uint(), 10))
	case reflect.Float32:
		return numberText(strconv.FormatFloat(r.Float(), 'g', -1, 32))
	case reflect.String:
		return plainValue{class: isString, text: r.String()}
	}
	if d, ok := v.(driver.Valuer); ok {
		if inner, err := d.Value(); err == nil && inner != v {
			return decimalOr(plainOf(inner))
		}
	}
	if d, ok := v.(fmt.Stringer); ok {
		return decimalOr(plainValue{class: isString, text: d.String()})
	}
	return plainValue{class: isJSON}
}

// decimalOr returns the number that p's text is, or p if it is not one.
func decimalOr(p plainValue) plainValue {
	if p.class == isString {
		if n := numberText(p.text); n.class == isNumber {
			return n
		}
	}
	return p
}

// intOf returns an integer. Its key is exact, also where the float is rounded.
func intOf(v int64) plainValue { return plainValue{class: isNumber, float: float64(v), key: uint64(v)} }

// numberText returns the number that v is, or else v as a string.
func numberText(v string) plainValue {
	if f, key, ok := decimal(v); ok {
		return plainValue{class: isNumber, float: f, key: key}
	}
	if f, err := strconv.ParseFloat(v, 64); err == nil && f-f != 0 {
		return plainValue{class: isNumber, float: math.NaN()}
	}
	return plainValue{class: isString, text: v}
}

// readable reports whether b is text: UTF-8 without control characters other than line breaks
// and tabs.
func readable(b []byte) bool {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 || unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r' {
			return false
		}
		i += n
	}
	return true
}

// uuidText returns the usual notation of a UUID.
func uuidText(v [16]byte) string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", v[0:4], v[4:6], v[6:8], v[8:10], v[10:16])
}

// allDays reports whether all times are midnights in UTC.
func allDays(micros []int64, null []bool) bool {
	const day = 24 * 60 * 60 * 1_000_000
	for r, v := range micros {
		if (null == nil || !null[r]) && v%day != 0 {
			return false
		}
	}
	return true
}
