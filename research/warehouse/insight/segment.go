package insight

import (
	"strconv"
	"strings"
	"time"
)

// part is one condition of a segment.
type part struct {
	d *dim
	v value
}

// segment is the records with certain values; all records if it is empty.
type segment []part

// sql is the condition of a segment, "1 = 1" for all records.
func (g segment) sql() string {
	if len(g) == 0 {
		return "1 = 1"
	}
	var all []string
	for _, p := range g {
		all = append(all, p.d.sqlText+" = "+p.v.sql)
	}
	return strings.Join(all, " AND ")
}

// fields are the columns of the conditions.
func (g segment) fields() []*field {
	var out []*field
	for _, p := range g {
		out = append(out, p.d.field)
	}
	return out
}

// said names a segment in a clause that follows a noun; empty for all records.
func (g segment) said() string {
	var all []string
	for _, p := range g {
		if when, ok := calendarWords(p.d.derived, p.v.text); ok {
			return " " + when // a part of the calendar stands alone
		}
		all = append(all, p.said())
	}
	if len(all) == 0 {
		return ""
	}
	return " with " + strings.Join(all, " and ")
}

// others names the records that are not of the segment, after "against … for".
func (g segment) others() string {
	if len(g) == 1 {
		switch g[0].d.derived {
		case weekday:
			return "all other days"
		case hourOfDay:
			return "all other hours"
		}
	}
	return "all others"
}

// said names one condition.
func (p part) said() string { return p.d.name() + " “" + p.v.text + "”" }

// label names the value of a condition alone.
func (p part) label() string { return calendarLabel(p.d.derived, p.v.text) }

// words says when the records of a condition are, if it is a part of the calendar: on Fridays.
func (c Condition) words() string {
	part, _, _ := strings.Cut(c.Column, " of ")
	if strings.HasPrefix(c.Column, hourOfDay+" of ") {
		part = hourOfDay
	}
	when, _ := calendarWords(part, c.Value)
	return when
}

// Label names the value of a condition alone, as a chart does: Friday, 17:00.
func (c Condition) Label() string {
	part, _, _ := strings.Cut(c.Column, " of ")
	if strings.HasPrefix(c.Column, hourOfDay+" of ") {
		part = hourOfDay
	}
	return calendarLabel(part, c.Value)
}

func calendarLabel(part, value string) string {
	n, err := strconv.Atoi(value)
	switch {
	case err == nil && part == weekday:
		return time.Weekday(n % 7).String()
	case err == nil && part == hourOfDay:
		return clockTime(n)
	}
	return value
}

// The parts of the calendar by which measures are compared.
const (
	weekday   = "weekday"
	hourOfDay = "hour of the day"
)

// calendarWords says when something is in a part of the calendar: on Fridays, between 17:00 and 18:00.
func calendarWords(part, value string) (string, bool) {
	n, err := strconv.Atoi(value)
	switch {
	case err != nil:
	case part == weekday && n >= 1 && n <= 7:
		return "on " + time.Weekday(n%7).String() + "s", true
	case part == hourOfDay && n >= 0 && n <= 23:
		return "between " + clockTime(n) + " and " + clockTime(n+1), true
	}
	return "", false
}

func clockTime(hour int) string { return time.Date(1, 1, 1, hour, 0, 0, 0, time.UTC).Format("15:04") }

// conditions returns the segment as data.
func (g segment) conditions() []Condition {
	var out []Condition
	for _, p := range g {
		column := p.d.column.name
		if p.d.derived != "" {
			column = p.d.derived + " of " + column
		}
		out = append(out, Condition{p.d.t.ref, column, p.v.text})
	}
	return out
}

// holds reports whether all records of g are in h: h has no condition that g has not.
func (g segment) within(h segment) bool {
	for _, p := range h {
		found := false
		for _, q := range g {
			found = found || p.d.column == q.d.column && p.v.sql == q.v.sql
		}
		if !found {
			return false
		}
	}
	return true
}
