package analyst

import (
	"strconv"
	"strings"

	"quaestor/research/warehouse/digest"
)

// Bounds of a finding, the part of a notebook line that describes a result.
const (
	maxFinding = 170 // bytes after which no further column is described
	maxName    = 30  // characters of a column's name
	maxValue   = 24  // characters of a value
	topShown   = 2   // most frequent values
)

// finding describes a digest with one clause for each column: the values if there is one row, and
// otherwise the range of numbers and times, or the most frequent values.
func finding(d *digest.CompactResult) string {
	var parts []string
	size := 0
	for i := range d.Columns {
		part := oneLine(d.Columns[i].Name, maxName) + " "
		if len(d.AllRows) == 1 && i < len(d.AllRows[0]) {
			part += oneLine(string(d.AllRows[0][i]), maxValue)
		} else {
			part += summed(&d.Columns[i])
		}
		if size += len(part) + 2; size > maxFinding {
			break
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

// summed describes the values of a column.
func summed(c *digest.ColumnSummary) string {
	switch {
	case c.Min != nil && c.Max != nil && *c.Min == *c.Max:
		return figure(*c.Min)
	case c.Min != nil && c.Max != nil:
		text := figure(*c.Min) + "…" + figure(*c.Max)
		if c.Mean != nil {
			text += " mean " + figure(*c.Mean)
		}
		return text
	case c.MinTime != "":
		return c.MinTime + "…" + c.MaxTime
	case c.Kind == digest.Null:
		return "null"
	case len(c.Top) > 0:
		return frequent(c)
	default:
		return strconv.Itoa(c.Distinct) + " distinct"
	}
}

// frequent lists the most frequent values.
func frequent(c *digest.ColumnSummary) string {
	var parts []string
	for _, v := range c.Top[:min(len(c.Top), topShown)] {
		parts = append(parts, strconv.Quote(oneLine(v.Value, maxValue))+" "+strconv.Itoa(v.Count))
	}
	if rest := c.Distinct - len(parts); rest > 0 {
		parts = append(parts, "and "+strconv.Itoa(rest)+" more")
	}
	return strings.Join(parts, " ")
}

// figure writes v with four significant digits; whole numbers keep all of theirs.
func figure(v float64) string {
	if i := int64(v); float64(i) == v && max(i, -i) < 1e12 {
		return strconv.FormatInt(i, 10)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}
