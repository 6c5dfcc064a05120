package digest

import (
	"slices"
	"strconv"
	"time"
)

// decimals parses values as numbers into s.floats and s.keys, with nulls in s.null; it returns
// false if one of them is not a number.
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

// times parses values as times into s.micros, and reports whether all were times. days reports
// whether none has a time of day.
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

// each calls f with every non-null value until it returns false. It reports whether f was called
// and always returned true.
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

// sized returns v with length n, reusing its memory if possible.
func sized[T any](v []T, n int) []T { return slices.Grow(v[:0], n)[:n] }

// noteNulls copies null, which may be s.null itself or nil, to s.null.
func (s *scratch) noteNulls(n int, null []bool) {
	s.null = sized(s.null, n)
	if null == nil {
		clear(s.null)
		return
	}
	copy(s.null, null)
}

// decimal parses v as a number if it is written as people and databases write numbers: without
// leading zeros, which postal codes have, and without a plus, which telephone numbers have. key
// distinguishes numbers beyond the precision of a float64.
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
	if len(v) > 16 { // more digits than a float64 holds
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

// skip returns v without a leading c.
func skip(v string, c byte) string {
	if v != "" && v[0] == c {
		return v[1:]
	}
	return v
}

// digits returns the number of digits that v begins with.
func digits(v string) int {
	n := 0
	for n < len(v) && '0' <= v[n] && v[n] <= '9' {
		n++
	}
	return n
}

// trimZeros returns v without trailing zeros in its fraction.
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

// layouts are the formats in which databases write times as text.
var layouts = []string{"2006-01-02T15:04:05Z07:00", "2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05-07", "2006-01-02T15:04:05", "2006-01-02 15:04:05 MST", "2006-01-02 15:04"}

// timeOf parses v as a time, in microseconds since 1970, and reports whether it is a day without
// a time of day. A time without a zone is taken as UTC.
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

// timeText writes microseconds since 1970 in ISO 8601.
func timeText(micros int64, day bool) string { return string(appendTimeText(nil, micros, day)) }

// appendTimeText appends a date, or a time in UTC, in ISO 8601.
func appendTimeText(b []byte, micros int64, day bool) []byte {
	t := time.UnixMicro(micros).UTC()
	if day {
		return t.AppendFormat(b, time.DateOnly)
	}
	return t.AppendFormat(b, time.RFC3339Nano)
}
