package data

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"quaestor/research/warehouse/digest"
	"quaestor/web/ui"
)

// toResultView reads a digest. It returns nil for a digest without rows, and for one
// that cannot be read, which older versions may have stored.
func toResultView(raw json.RawMessage) *ResultView {
	var d digest.CompactResult
	if len(raw) == 0 || json.Unmarshal(raw, &d) != nil || d.RowCount == 0 || len(d.Columns) == 0 {
		return nil
	}
	r := &ResultView{Rows: d.RowCount, Whole: len(d.AllRows) == d.RowCount}
	rows := d.AllRows
	if !r.Whole {
		rows = d.HeadRows
		r.Tail = toCells(&d, d.TailRows)
	}
	r.Head = toCells(&d, rows)
	for i := range d.Columns {
		r.Columns = append(r.Columns, toColumnView(&d.Columns[i], rows, i))
	}
	return r
}

// toCells writes rows for people. Each gets as many cells as there are columns, so that
// templates need not check.
func toCells(d *digest.CompactResult, rows []digest.Row) [][]string {
	out := make([][]string, len(rows))
	for i, row := range rows {
		out[i] = make([]string, len(d.Columns))
		for j := range d.Columns {
			if j < len(row) {
				out[i][j] = toCell(row[j], d.Columns[j].Name)
			}
		}
	}
	return out
}

// toCell writes one value for people. Values that are neither text, number nor truth,
// such as lists, stay JSON.
func toCell(raw json.RawMessage, column string) string {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return string(raw)
	}
	switch v := v.(type) {
	case nil:
		return "–"
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case float64:
		return Figure(v, column)
	case string:
		return plainTime(ui.Visible(v))
	}
	return ui.Visible(string(raw))
}

// plainTime writes a time in UTC with a space and without its zone, and a midnight as
// the date alone, because most warehouses store dates as midnights. Other texts are
// returned as they are.
func plainTime(s string) string {
	if len(s) == len("2006-01-02T15:04:05Z") && s[4] == '-' && s[10] == 'T' {
		s = strings.TrimSuffix(s, "Z")
		return strings.TrimSuffix(strings.Replace(s, "T", " ", 1), " 00:00:00")
	}
	return s
}

// toColumnView returns the view of column at of the rows. Only numbers have a spread
// and values, from which charts are drawn.
func toColumnView(c *digest.ColumnSummary, rows []digest.Row, at int) ColumnView {
	out := ColumnView{Name: c.Name, Kind: string(c.Kind), Summary: columnSummary(c)}
	if c.Kind != digest.Number {
		return out
	}
	if c.Min != nil && c.P25 != nil && c.Median != nil && c.P75 != nil && c.Max != nil {
		out.Spread, out.Spreads = [5]float64{*c.Min, *c.P25, *c.Median, *c.P75, *c.Max}, true
	}
	for _, row := range rows {
		v := math.NaN()
		if at < len(row) {
			if n, err := strconv.ParseFloat(string(row[at]), 64); err == nil {
				v = n
			}
		}
		out.Values = append(out.Values, v)
	}
	return out
}

// columnSummary tells in one line what a column holds: its range, its most frequent
// values, and how many values are missing.
func columnSummary(c *digest.ColumnSummary) string {
	var parts []string
	figure := func(v *float64) string { return Figure(*v, c.Name) }
	switch {
	case c.Min != nil && c.Max != nil:
		parts = append(parts, figure(c.Min)+" to "+figure(c.Max))
		if c.Median != nil {
			parts = append(parts, "median "+figure(c.Median))
		}
		if c.Mean != nil {
			parts = append(parts, "mean "+figure(c.Mean))
		}
	case c.MinTime != "":
		parts = append(parts, plainTime(c.MinTime)+" to "+plainTime(c.MaxTime))
	case c.Kind == digest.Null:
		return "nothing"
	default:
		parts = append(parts, distinctWords(c))
	}
	if len(c.Top) > 0 {
		var top []string
		for _, t := range c.Top {
			top = append(top, ui.Visible(t.Value)+" ("+Figure(float64(t.Count), "")+")")
		}
		parts = append(parts, "most often "+strings.Join(top, ", "))
	}
	if c.NullCount > 0 {
		parts = append(parts, Figure(float64(c.NullCount), "")+" empty")
	}
	return strings.Join(parts, "; ")
}

// distinctWords tells how many different values a column has. Counting ends at a limit
// of the digest.
func distinctWords(c *digest.ColumnSummary) string {
	n := Figure(float64(c.Distinct), "")
	if c.DistinctMore {
		n = "more than " + n
	}
	return n + " different"
}
