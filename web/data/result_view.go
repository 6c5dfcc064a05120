package data

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"quaestor/research/warehouse/digest"
	"quaestor/web"
	"quaestor/web/ui"
)

// ResultView is the result of a query: all its rows, or the first and the last of them
// with a summary of each column. Its rows have as many cells as it has columns.
type ResultView struct {
	Rows    int // number of all rows
	Columns []ColumnView
	Head    [][]string
	Tail    [][]string // the last rows; empty if Whole
	Whole   bool       // Head has all rows
}

// ColumnView is one column of a result.
type ColumnView struct {
	Name    string
	Kind    string // number, string, boolean, timestamp …
	Summary string // what it holds, in words
	Spread  [5]float64
	Spreads bool      // Spread is known: least, first quartile, median, third quartile, largest
	Values  []float64 // of Head, NaN where there is none; nil unless the column is numeric
}

// numeric reports whether the cells are numbers.
func (c *ColumnView) numeric() bool { return c.Kind == "number" }

// label is the name of the column for people.
func (c *ColumnView) label() string { return strings.ReplaceAll(c.Name, "_", " ") }

// single reports whether the result is one row, which is shown as a list of facts.
func (r *ResultView) single() bool { return r.Whole && len(r.Head) == 1 && len(r.Columns) > 1 }

// chartRows is the most rows that are drawn in a chart. More points than 60 lie closer
// than 10 units of the chart, where single ones can no longer be told apart.
const chartRows = 60

// axis returns the column that the others are drawn along, or -1 for none. It is the
// first, if it holds times or categories and numbers stand beside it. Distinct whole
// numbers, such as years or ratings, count as categories.
func (r *ResultView) axis() int {
	if !r.Whole || len(r.Head) < 2 || len(r.Head) > chartRows || len(r.Columns) < 2 || len(r.measures()) == 0 {
		return -1
	}
	switch c := &r.Columns[0]; c.Kind {
	case "timestamp", "string", "boolean":
		return 0
	case "number":
		if distinct(c.Values) {
			return 0
		}
	}
	return -1
}

// distinct reports whether all values are whole numbers and no two are the same.
func distinct(values []float64) bool {
	seen := map[float64]bool{}
	for _, v := range values {
		if v != math.Trunc(v) || seen[v] {
			return false
		}
		seen[v] = true
	}
	return len(values) > 0
}

// measures returns the columns that can be drawn: those after the first that hold
// numbers, unless all of these are the same.
func (r *ResultView) measures() []int {
	var out []int
	for i := 1; i < len(r.Columns); i++ {
		if c := &r.Columns[i]; c.numeric() && varies(c.Values) {
			out = append(out, i)
		}
	}
	return out
}

// varies reports whether at least two numbers differ. Halving twice keeps the distance
// of the largest floats from overflowing, here as in [part].
func varies(values []float64) bool {
	low, high := span(values)
	return high/4-low/4 > 0
}

// span returns the least and the largest finite value. If there is none, low is
// greater than high.
func span(values []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			low, high = min(low, v), max(high, v)
		}
	}
	return low, high
}

// timed reports whether the result is drawn along time.
func (r *ResultView) timed() bool { return r.axis() == 0 && r.Columns[0].Kind == "timestamp" }

// bars returns the columns whose cells have bars: the first two that can be drawn along
// a category. More bars in a row are hard to compare.
func (r *ResultView) bars() map[int]bool {
	out := map[int]bool{}
	if r.axis() != 0 || r.timed() {
		return out
	}
	for _, i := range r.measures() {
		if len(out) < 2 {
			out[i] = true
		}
	}
	return out
}

// shown returns the rows that are drawn. Two more than shownRows are shown rather than
// hidden behind a link that takes a line itself.
func (r *ResultView) shown(whole bool) [][]string {
	if whole || len(r.Head) <= shownRows+2 {
		return r.Head
	}
	return r.Head[:shownRows]
}

// columns returns the columns that are drawn.
func (r *ResultView) columns(whole bool) []ColumnView {
	if whole {
		return r.Columns
	}
	return r.Columns[:min(len(r.Columns), shownColumns)]
}

// Limits of what the list of steps shows of a result, so that a step can be taken in at
// a glance. Its own page shows all.
const (
	shownColumns = 8
	shownFacts   = 16
)

// rest tells what the list of steps leaves out; empty for nothing.
func (r *ResultView) rest(whole bool) string {
	if whole {
		return ""
	}
	if r.single() {
		if n := len(r.Columns) - shownFacts; n > 0 {
			return "and " + ui.Count(n, "more figure")
		}
		return ""
	}
	var out []string
	if n := len(r.Head) - len(r.shown(false)); n > 0 && r.Whole {
		out = append(out, ui.Count(n, "more row"))
	}
	if n := len(r.Columns) - shownColumns; n > 0 {
		out = append(out, ui.Count(n, "more column"))
	}
	if len(out) == 0 {
		return ""
	}
	return "and " + strings.Join(out, " and ")
}

// nodes estimates the nodes of the drawn result with at most so many rows, by
// the markup in result.templ: a cell takes two nodes, a bar two more.
func (r *ResultView) nodes(rows int) int {
	switch {
	case r.single():
		return 10 + 4*min(len(r.Columns), shownFacts)
	case r.Whole:
		wide := min(len(r.Columns), shownColumns)
		return 30 + min(len(r.Head), rows+2)*(1+2*wide+4)
	}
	return 20 + 12*min(len(r.Columns), shownColumns)
}

// barOf returns where the bar of a cell begins and how wide it is, in hundredths of the
// span of its column and zero. The bar of a negative number lies left of zero.
func barOf(values []float64, row int) (x, wide string) {
	if row >= len(values) || math.IsNaN(values[row]) || math.IsInf(values[row], 0) {
		return "0", "0"
	}
	low, high := span(values)
	low, high = min(low, 0), max(high, 0)
	if !(high/4-low/4 > 0) {
		return "0", "0"
	}
	from, to := part(min(values[row], 0), low, high)*100, part(max(values[row], 0), low, high)*100
	return ui.Coordinate(from), ui.Coordinate(to - from)
}

// Figure writes a number for people, with commas between thousands. It rounds to four
// decimals below 1, to one from 1,000 on, and to two between, where more would only be
// noise. Years have no comma; they are known by the name of the column.
func Figure(x float64, column string) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "none"
	}
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		if x > 1000 && x < 2200 && yearly(column) {
			return strconv.FormatFloat(x, 'f', 0, 64)
		}
		return ui.Thousands(x)
	}
	digits := 2
	switch a := math.Abs(x); {
	case a >= 1e15 || a < 1e-4:
		return strconv.FormatFloat(x, 'g', 4, 64)
	case a >= 1000:
		digits = 1
	case a < 1:
		digits = 4
	}
	scale := math.Pow10(digits)
	return ui.Thousands(math.Round(x*scale) / scale)
}

// yearly reports whether the name of a column tells that it holds years.
func yearly(column string) bool { return strings.Contains(strings.ToLower(column), "year") }

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
		top := web.Map(c.Top, func(t digest.ValueCount) string {
			return ui.Visible(t.Value) + " (" + Figure(float64(t.Count), "") + ")"
		})
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
