package question

import (
	"encoding/json"
	"regexp"
	"slices"
	"time"

	"quaestor/internal/language/messages"
	"quaestor/research/warehouse/builtin"
)

// The parts of the calendar by which figures are divided, beside spans that follow each other.
const (
	byWeekday = "weekday"
	byHour    = "hour of the day"
	byMonth   = "month of the year"
)

// parts are what they are to a dialect.
var parts = map[string]builtin.Part{byWeekday: builtin.Weekday, byHour: builtin.Hour, byMonth: builtin.MonthOfYear}

// cyclic reports whether a span is a part of the calendar that comes again.
func cyclic(span string) bool { return parts[span] != "" }

// cycles are the parts of the calendar that are named by several words, and one word for each; and words that say two.
var cycles = []struct {
	said *regexp.Regexp
	word string
}{
	{regexp.MustCompile(`(?i)\bdays? of (?:the )?week\b`), "weekday"},
	{regexp.MustCompile(`(?i)\b(?:hours?|time) of (?:the )?day\b`), "hour"},
	{regexp.MustCompile(`(?i)\b(?:calendar months?|months? of (?:the )?year)\b`), "kalendermonat"},
	{regexp.MustCompile(`(?i)\b(?:bestell|auftrags)(?:wert|summe|betrag)(?:e|s|es)?\b`), "bestellung betrag"},
	{regexp.MustCompile(`(?i)\bum wie ?viel uhr\b`), "welche stunde"},
}

// oneWord writes a question with one word for each part of the calendar.
func oneWord(clause string) string {
	for _, c := range cycles {
		clause = c.said.ReplaceAllString(clause, c.word)
	}
	return clause
}

// calendarColumns are the words of columns of numbers that are parts of the calendar.
var calendarColumns = map[string][]string{
	byWeekday: {"weekday", "dow", "dayofweek", "wochentag"},
	byHour:    {"hour", "hr", "hourofday", "stunde"},
	byMonth:   {"month", "monat", "monthofyear", "kalendermonat"},
}

// partOf returns which part of the calendar a column of numbers is; empty for none.
func partOf(f *field) string {
	if !builtin.IsNumber(f.column.Type) || f.sql != "" {
		return ""
	}
	for part, words := range calendarColumns {
		if slices.ContainsFunc(f.words, func(w string) bool { return slices.Contains(words, w) }) {
			return part
		}
	}
	return ""
}

// weekdayNumbers reports whether f numbers the days of the week although its table knows when its rows are from.
// Whether a week begins on Sunday or Monday, and with 0 or 1, differs; the time itself leaves no doubt.
func (s *scope) weekdayNumbers(f *field) bool {
	return f.join < 0 && partOf(f) == byWeekday && slices.ContainsFunc(s.fields, func(o field) bool { return o.join < 0 && o.use == builtin.UseTime })
}

// label words the value that a figure is divided by: parts of the calendar by their names, and days, weeks, months and
// years as dates.
func (w *writer) label(l *messages.Language, cell json.RawMessage) string {
	part := w.Group.span
	if part == "" {
		if part = partOf(w.Group.field); part == byWeekday {
			part = "" // which day it begins with is not known
		}
	}
	n, isNumber := numberOf(cell)
	switch at := timeOf(cell); {
	case part == byWeekday && isNumber && n >= 1 && n <= 7:
		return l.Weekday(int(n))
	case part == byHour && isNumber && n >= 0 && n <= 23:
		return l.Hour(int(n))
	case part == byMonth && isNumber && n >= 1 && n <= 12:
		return l.Month(int(n))
	case !cyclic(part) && part != "" && isNumber: // of a time in numbers: 2024, 202403 or 20240315
		return l.Date(w.coded(n))
	case at.IsZero():
	case part == "year":
		return at.Format("2006")
	case part == "month":
		return l.Date(at.Format("2006-01"))
	case part == "week", part == "day":
		return l.Date(day(at))
	}
	return labelOf(cell)
}

// coded is the span that a number of a coded time names, as a date.
func (w *writer) coded(n float64) string {
	for _, layout := range []struct {
		below  float64
		in, as string
	}{{1e4, "2006", "2006"}, {1e6, "200601", "2006-01"}, {1e8, "20060102", time.DateOnly}} {
		if t, err := time.Parse(layout.in, builtin.Digits(n)); err == nil && n < layout.below {
			return t.Format(layout.as)
		}
	}
	return builtin.Digits(n)
}
