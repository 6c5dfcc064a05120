package data

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/runs"
	"quaestor/web/ui"
)

// toStepView turns a step into what pages show of it.
func toStepView(run string, t *runs.StoredStep) StepView {
	out := StepView{Run: run, N: t.N, Kind: string(t.Type), Asked: t.State == runs.Asked, Purpose: ui.Visible(t.Purpose), Thinking: ui.Visible(t.Thinking), Tables: t.Tables, Search: t.Search,
		Rows: t.Rows, More: t.More, Scanned: t.Scanned, Took: t.Took, Result: toResultView(t.Digest), Query: t.Query, SQL: t.SQL, Answer: t.Answer, Repeats: t.Repeats,
		Error: t.Error, Class: string(t.Class), At: t.At}
	for _, f := range t.Fixes {
		out.Fixes = append(out.Fixes, FixView{By: f.By, Rule: f.Rule, Class: string(f.Class), Error: f.Error, To: f.To, Works: f.Works})
	}
	return out
}

// toResultView reads a digest; nil for none, and for one without rows.
func toResultView(raw json.RawMessage) *ResultView {
	var d digest.CompactResult
	if len(raw) == 0 || json.Unmarshal(raw, &d) != nil || d.RowCount == 0 || len(d.Columns) == 0 {
		return nil
	}
	r := &ResultView{Rows: d.RowCount, Left: d.ColumnsLeft, Whole: len(d.AllRows) == d.RowCount}
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

// toCells writes rows for people, each with as many cells as there are columns.
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

// toCell writes one value for people.
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

// plainTime leaves out of a time in UTC what says nothing.
func plainTime(s string) string {
	if len(s) == len("2006-01-02T15:04:05Z") && s[4] == '-' && s[10] == 'T' {
		s = strings.TrimSuffix(s, "Z")
		return strings.TrimSuffix(strings.Replace(s, "T", " ", 1), " 00:00:00")
	}
	return s
}

func toColumnView(c *digest.ColumnSummary, rows []digest.Row, at int) ColumnView {
	out := ColumnView{Name: c.Name, Kind: string(c.Kind), Says: columnWords(c)}
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

// columnWords say what a column holds.
func columnWords(c *digest.ColumnSummary) string {
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

func distinctWords(c *digest.ColumnSummary) string {
	n := Figure(float64(c.Distinct), "")
	if c.DistinctMore {
		n = "more than " + n
	}
	return n + " different"
}
