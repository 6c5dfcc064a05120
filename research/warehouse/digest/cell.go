package digest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// writer writes the cells of one column.
type writer struct {
	column *Column
	kind   ColumnKind
	mask   Mask
	hide   bool // whether its values identify people, or may
}

// appendCell writes the cell of row r as it is shown, as JSON.
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

// appendValue writes a value of any kind.
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

// appendHidden writes the pseudonym of v.
func (w *writer) appendHidden(b, v []byte) []byte {
	return append(w.mask.appendPseudonym(append(b, '"'), v), '"')
}

// appendTimeCell writes a time.
func appendTimeCell(b []byte, micros int64, day bool) []byte {
	return append(appendTimeText(append(b, '"'), micros, day), '"')
}

// appendNumber writes a number as exactly as it was given.
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

// appendText writes a string: a number as it is written, when its column is one of
// numbers, and else with what identifies people masked, and not too long.
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

// appendJSON writes an array or an object, one that is too long as a string of how
// it begins.
func (w *writer) appendJSON(b []byte, v any) []byte {
	whole := string(appendWhole(nil, v))
	shown := cut(w.mask.patterns(whole))
	if shown == whole && json.Valid([]byte(whole)) {
		return append(b, whole...)
	}
	return appendString(b, shown)
}

// exact returns a number as it was given, when that is more exact than a float.
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

// appendWhole writes v as JSON, or as Go writes it when JSON cannot.
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

// appendFloat writes v in the shortest form that reads back as v, null when it is
// no number.
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

// cut returns s, or as much of it as a cell holds.
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

// appendString writes s as a JSON string. What is not UTF-8 becomes the character
// for that.
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

// escaped writes a character that must not stand as it is.
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
