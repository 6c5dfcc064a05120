package digest

import (
	"slices"
	"strconv"
	"time"
)

// decimals reads values as numbers that were written as text, into s.floats and
// s.keys, s.null saying which are null; false when one is no number.
func (s *scratch) decimals(values []string, null []bool) bool {
	s.floats, s.keys = sized(s.floats, len(values)), sized(s.keys, len(values))
	if !s.each(values, null, func(r int, v string) (ok bool) {
		s.floats[r], s.keys[r], ok = decimal(v)
		return ok
	}) {
		return false
	}
	s.noteNulls(len(values), null)
	return true
}

// times reads values as times that were written as text, into s.micros; false when
// one is none. days says that none has a time of day.
func (s *scratch) times(values []string, null []bool) (days, ok bool) {
	s.micros = sized(s.micros, len(values))
	days = true
	ok = s.each(values, null, func(r int, v string) bool {
		at, day, ok := timeOf(v)
		if !ok {
			return false
		}
		s.micros[r], days = at, days && day
		return true
	})
	if ok {
		s.noteNulls(len(values), null)
	}
	return days, ok
}

// each calls f with every value that is not null, while it returns true, and says
// whether it always did, for one value at least.
func (s *scratch) each(values []string, null []bool, f func(r int, v string) bool) bool {
	some := false
	for r, v := range values {
		if null != nil && null[r] {
			continue
		}
		if !f(r, v) {
			return false
		}
		some = true
	}
	return some
}

// sized returns v with room for n values.
func sized[T any](v []T, n int) []T { return slices.Grow(v[:0], n)[:n] }

// noteNulls makes s.null say of n values what null does, which may be s.null.
func (s *scratch) noteNulls(n int, null []bool) {
	s.null = sized(s.null, n)
	if null == nil {
		clear(s.null)
		return
	}
	copy(s.null, null)
}

// decimal returns the number that v is, if it is written as people and databases
// write numbers: no leading zero, as postal codes have, no plus, as telephone
// numbers have. key tells it from others, also beyond what a float does.
func decimal(v string) (f float64, key uint64, ok bool) {
	if len(v) == 0 || len(v) > 64 || !plainDecimal(v) {
		return 0, 0, false
	}
	if i, err := strconv.ParseInt(v, 10, 64); err == nil {
		return float64(i), uint64(i), true
	}
	f, err := strconv.ParseFloat(v, 64)
	if err != nil {
		return 0, 0, false
	}
	if len(v) > 16 { // more digits than a float tells apart
		return f, stringKey(trimZeros(v)), true
	}
	return f, floatKey(f), true
}

// plainDecimal reports whether v is -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?.
func plainDecimal(v string) bool {
	v = skip(v, '-')
	whole := digits(v)
	if whole == 0 || whole > 1 && v[0] == '0' {
		return false
	}
	if v = v[whole:]; v != "" && v[0] == '.' {
		n := digits(v[1:])
		if n == 0 {
			return false
		}
		v = v[1+n:]
	}
	if v != "" && (v[0] == 'e' || v[0] == 'E') {
		v = skip(skip(v[1:], '-'), '+')
		n := digits(v)
		return n > 0 && n == len(v)
	}
	return v == ""
}

// skip returns v without c before it.
func skip(v string, c byte) string {
	if v != "" && v[0] == c {
		return v[1:]
	}
	return v
}

// digits returns how many digits v begins with.
func digits(v string) int {
	n := 0
	for n < len(v) && '0' <= v[n] && v[n] <= '9' {
		n++
	}
	return n
}

// trimZeros returns v without zeros that end its fraction.
func trimZeros(v string) string {
	point := false
	for i := range len(v) {
		point = point || v[i] == '.'
		if v[i] == 'e' || v[i] == 'E' {
			return v
		}
	}
	for point && v[len(v)-1] == '0' {
		v = v[:len(v)-1]
	}
	return skip(v, '.')
}

// layouts are the ways in which databases write times as text.
var layouts = []string{"2006-01-02T15:04:05Z07:00", "2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05-07", "2006-01-02T15:04:05", "2006-01-02 15:04:05 MST", "2006-01-02 15:04"}

// timeOf returns the time that v is, in microseconds since 1970, and whether it is
// a day without a time. A time without a zone is in UTC.
func timeOf(v string) (micros int64, day, ok bool) {
	if len(v) < len(time.DateOnly) || len(v) > 40 || v[4] != '-' || v[7] != '-' {
		return 0, false, false
	}
	if len(v) == len(time.DateOnly) {
		t, err := time.Parse(time.DateOnly, v)
		return t.UnixMicro(), true, err == nil
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, v); err == nil {
			return t.UnixMicro(), false, true
		}
	}
	return 0, false, false
}

// timeText writes microseconds since 1970 as ISO 8601.
func timeText(micros int64, day bool) string { return string(appendTimeText(nil, micros, day)) }

func appendTimeText(b []byte, micros int64, day bool) []byte {
	t := time.UnixMicro(micros).UTC()
	if day {
		return t.AppendFormat(b, time.DateOnly)
	}
	return t.AppendFormat(b, time.RFC3339Nano)
}
