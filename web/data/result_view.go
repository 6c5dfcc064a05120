package data

import (
	"math"
	"strconv"
	"strings"

	"quaestor/web/ui"
)

// ResultView is what a query found: its rows, or the first and the last of them, and
// what its columns hold.
type ResultView struct {
	Rows    int // there are
	Columns []ColumnView
	Left    int // columns that there was no room for
	Head    [][]string
	Tail    [][]string // the last rows, when those between are left out
	Whole   bool       // Head are all rows
}

// ColumnView is one column of a result.
type ColumnView struct {
	Name    string
	Kind    string // number, string, boolean, timestamp …
	Says    string // what it holds, in words
	Spread  [5]float64
	Spreads bool      // Spread is known: least, quartiles and largest
	Values  []float64 // of Head; NaN where there is none. Nil for no numbers
}

// Numeric says whether its cells are numbers.
func (c *ColumnView) numeric() bool { return c.Kind == "number" }

// label is the name for people.
func (c *ColumnView) label() string { return strings.ReplaceAll(c.Name, "_", " ") }

// single says whether it is one row, which is read as a list of facts.
func (r *ResultView) single() bool { return r.Whole && len(r.Head) == 1 && len(r.Columns) > 1 }

// chartRows bounds the rows of a picture.
const chartRows = 60

// axis is the column that the others are drawn along: the first, when it is a time
// or a category and numbers stand beside it; -1 for none.
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

// distinct says whether all values are there, whole, and no two the same.
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

// measures are the columns that may be drawn: numbers behind the first, not all
// of them the same.
func (r *ResultView) measures() []int {
	var out []int
	for i := 1; i < len(r.Columns); i++ {
		if c := &r.Columns[i]; c.numeric() && varies(c.Values) {
			out = append(out, i)
		}
	}
	return out
}

func varies(values []float64) bool {
	low, high := span(values)
	return high/4-low/4 > 0
}

// span returns the least and the largest of values that are numbers; the least is
// greater when there are none.
func span(values []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			low, high = min(low, v), max(high, v)
		}
	}
	return low, high
}

// timed says whether it is drawn along time.
func (r *ResultView) timed() bool { return r.axis() == 0 && r.Columns[0].Kind == "timestamp" }

// bars are the columns whose cells have bars: the first two that may be drawn along
// a category.
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

// shown are the rows that are drawn.
func (r *ResultView) shown(whole bool) [][]string {
	if whole || len(r.Head) <= shownRows+2 {
		return r.Head
	}
	return r.Head[:shownRows]
}

// columns are those that are drawn in a table of rows.
func (r *ResultView) columns(whole bool) []ColumnView {
	if whole {
		return r.Columns
	}
	return r.Columns[:min(len(r.Columns), shownColumns)]
}

// Bounds of what the list of steps shows of a result; a step's own page shows all.
const (
	shownColumns = 8
	shownFacts   = 16
)

// rest says what the list does not show; empty for nothing.
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

// nodes estimates what drawing it takes, with at most so many rows.
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

// barOf is the width of a cell's bar, and where it begins, in hundredths of what the
// column spans; a bar of a negative number lies left of the ground.
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

// Figure writes a number for people: marks between thousands, and no more digits
// behind the point than say something. Years are written as they are.
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

// yearly says whether a column holds years, by its name.
func yearly(column string) bool { return strings.Contains(strings.ToLower(column), "year") }
