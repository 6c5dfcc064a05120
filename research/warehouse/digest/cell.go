package digest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// writer writes the cells of one column as JSON.
type writer struct {
	column *Column
	kind   ColumnKind
	mask   Mask
	hide   bool // its values may identify people and are shown as pseudonyms
}

// appendCell writes the cell of row r in the form in which it is shown.
func (w *writer) appendCell(b []byte, r int) []byte {
	c := w.column
	switch {
	case c.null(r):
		return append(b, "null"...)
	case c.Ints != nil:
		if w.hide {
			return w.appendHidden(b, strconv.AppendInt(nil, c.Ints[r], 10))
		}
		return strconv.AppendInt(b, c.Ints[r], 10)
	case c.Floats != nil:
		if w.hide {
			return w.appendHidden(b, appendFloat(nil, c.Floats[r]))
		}
		return appendFloat(b, c.Floats[r])
	case c.Decimals != nil:
		return w.appendText(b, c.Decimals[r])
	case c.Strings != nil:
		return w.appendText(b, c.Strings[r])
	case c.Micros != nil:
		return appendTimeCell(b, c.Micros[r], c.Days)
	case c.Bools != nil:
		return strconv.AppendBool(b, c.Bools[r])
	default:
		return w.appendValue(b, c.Values[r])
	}
}

// appendValue writes a value from a column of mixed values.
func (w *writer) appendValue(b []byte, v any) []byte {
	p := plainOf(v)
	switch p.class {
	case isNull:
		return append(b, "null"...)
	case isNumber:
		return w.appendNumber(b, v, p.float)
	case isString:
		return w.appendText(b, p.text)
	case isBool:
		return strconv.AppendBool(b, p.key != 0)
	case isTime:
		return appendTimeCell(b, int64(p.key), false)
	case isBinary:
		return appendString(b, cut(base64.StdEncoding.EncodeToString(v.([]byte))))
	default:
		return w.appendJSON(b, v)
	}
}

// appendHidden writes the pseudonym of v as a JSON string.
func (w *writer) appendHidden(b, v []byte) []byte {
	return append(w.mask.appendPseudonym(append(b, '"'), v), '"')
}

// appendTimeCell writes a time as a JSON string.
func appendTimeCell(b []byte, micros int64, day bool) []byte {
	return append(appendTimeText(append(b, '"'), micros, day), '"')
}

// appendNumber writes a number with all the digits it came with.
func (w *writer) appendNumber(b []byte, v any, float float64) []byte {
	if i, ok := v.(int64); ok && !w.hide {
		return strconv.AppendInt(b, i, 10)
	}
	s, ok := exact(v)
	switch {
	case !ok && !w.hide:
		return appendFloat(b, float)
	case !ok:
		s = string(appendFloat(nil, float))
	}
	if w.hide {
		return w.appendHidden(b, []byte(s))
	}
	return append(b, s...)
}

// appendText writes a string. In a column of numbers it is written as the number it is;
// otherwise e-mail addresses and the like are masked and long strings are cut.
func (w *writer) appendText(b []byte, s string) []byte {
	switch {
	case w.hide:
		return w.appendHidden(b, []byte(s))
	case w.kind == Number:
		return append(b, s...)
	default:
		return appendString(b, cut(w.mask.patterns(s)))
	}
}

// appendJSON writes an array or object, or the beginning of it as a string if it is too long.
func (w *writer) appendJSON(b []byte, v any) []byte {
	whole := string(appendWhole(nil, v))
	shown := cut(w.mask.patterns(whole))
	if shown == whole && json.Valid([]byte(whole)) {
		return append(b, whole...)
	}
	return appendString(b, shown)
}

// exact returns a number as it was written if a float64 might lose digits of it.
func exact(v any) (string, bool) {
	switch v := v.(type) {
	case int64:
		return strconv.FormatInt(v, 10), true
	case int:
		return strconv.Itoa(v), true
	case float64:
		return "", false
	case json.Number:
		return string(v), plainDecimal(string(v))
	}
	s := string(appendWhole(nil, v))
	if n := len(s); n > 1 && s[0] == '"' {
		s = s[1 : n-1]
	}
	return s, plainDecimal(s)
}

// appendWhole writes v as JSON, or in Go's notation if it cannot be encoded.
func appendWhole(b []byte, v any) []byte {
	if raw, ok := v.(json.RawMessage); ok {
		return append(b, raw...)
	}
	out := bytes.NewBuffer(b)
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return appendString(b, plainOf(v).text)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// appendFloat writes v in the shortest form that parses back to v; NaN and infinities
// become null.
func appendFloat(b []byte, v float64) []byte {
	if v-v != 0 {
		return append(b, "null"...)
	}
	format := byte('f')
	if abs := max(v, -v); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	b = strconv.AppendFloat(b, v, format, -1, 64)
	if n := len(b); format == 'e' && b[n-2] == '0' && (b[n-3] == '-' || b[n-3] == '+') { // e-07 is e-7
		b[n-2] = b[n-1]
		b = b[:n-1]
	}
	return b
}

// cut returns at most maxCell characters of s.
func cut(s string) string {
	if len(s) <= maxCell {
		return s
	}
	n := 0
	for i := range s {
		if n == maxCell-1 {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

const hex = "0123456789abcdef"

// appendString writes s as a JSON string. Invalid UTF-8 becomes the replacement character.
// It does what encoding/json does without HTML escaping, but does not allocate.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 || r == '\u2028' || r == '\u2029' {
				b = append(append(b, s[from:i]...), escaped(r)...)
				from = i + n
			}
			i += n
			continue
		}
		if c < ' ' || c == '"' || c == '\\' {
			b = append(b, s[from:i]...)
			b = appendEscape(b, c)
			from = i + 1
		}
		i++
	}
	return append(append(b, s[from:]...), '"')
}

// escaped returns a character that must not appear raw: U+2028 and U+2029 end lines in
// JavaScript, and anything else is invalid UTF-8.
func escaped(r rune) string {
	switch r {
	case '\u2028':
		return `\u2028`
	case '\u2029':
		return `\u2029`
	default:
		return "\ufffd"
	}
}

// appendEscape writes the escape of an ASCII character.
func appendEscape(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	case '\b':
		return append(b, '\\', 'b')
	case '\f':
		return append(b, '\\', 'f')
	default:
		return append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
	}
}
