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
		all = append(all, p.said())
	}
	if len(all) == 0 {
		return ""
	}
	return " with " + strings.Join(all, " and ")
}

// said names one condition.
func (p part) said() string {
	text := p.v.text
	if n, err := strconv.Atoi(text); err == nil && p.d.derived == "weekday" && n >= 1 && n <= 7 {
		text = time.Weekday(n % 7).String()
	}
	return p.d.name() + " “" + text + "”"
}

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
