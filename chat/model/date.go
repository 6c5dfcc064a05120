package model

import (
	"regexp"
	"strings"
	"time"
)

// dateForms are the notations of dates that can be read in one way only, each with
// its precision.
var dateForms = []struct{ form, exact string }{
	{"2006-1-2", time.DateOnly}, {"2006/1/2", time.DateOnly}, {"2.1.2006", time.DateOnly}, {time.RFC3339, time.DateOnly},
	{"2 January 2006", time.DateOnly}, {"2 Jan 2006", time.DateOnly}, {"January 2 2006", time.DateOnly}, {"Jan 2 2006", time.DateOnly},
	{"2006-1", "2006-01"}, {"2006/1", "2006-01"}, {"January 2006", "2006-01"}, {"Jan 2006", "2006-01"},
	{"2006", "2006"},
}

// ordinalPattern matches ordinal numbers, whose endings no date notation knows.
var ordinalPattern = regexp.MustCompile(`\b(\d{1,2})(st|nd|rd|th)\b`)

// parseDate returns s as YYYY-MM-DD, YYYY-MM or YYYY, as precise as s is, or "". A date
// that could start with the day or the month, such as 03/04/2026, is not taken.
func parseDate(s string) string {
	s = strings.NewReplacer(",", " ", " of ", " ").Replace(s)
	s = ordinalPattern.ReplaceAllString(strings.Join(strings.Fields(s), " "), "$1")
	for _, f := range dateForms {
		if t, err := time.Parse(f.form, s); err == nil {
			return t.Format(f.exact)
		}
	}
	return ""
}
