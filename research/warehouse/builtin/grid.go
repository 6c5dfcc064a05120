package builtin

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"quaestor/internal/language"
	"quaestor/research/warehouse/digest"
)

// grid is a result as its digest says it: all rows when they were kept, else those
// of both ends.
type grid struct {
	digest.CompactResult
	rows []digest.Row
}

// readGrid reads a digest; nil when there is none.
func readGrid(raw json.RawMessage) *grid {
	g := &grid{}
	if len(raw) == 0 || json.Unmarshal(raw, &g.CompactResult) != nil {
		return nil
	}
	if g.rows = g.AllRows; g.rows == nil {
		g.rows = append(append(g.rows, g.HeadRows...), g.TailRows...)
	}
	return g
}

// column returns where the column called name stands, -1 when it is not there.
func (g *grid) column(name string) int {
	return slices.IndexFunc(g.Columns, func(c digest.ColumnSummary) bool { return strings.EqualFold(c.Name, name) })
}

// answers reports whether the result has the columns that a query of [statement.write]
// asks for, in their order. One that was mended may have read others.
func (g *grid) answers(query string) bool {
	names := outputs(query)
	if len(names) != len(g.Columns)+g.ColumnsLeft {
		return false
	}
	for n, c := range g.Columns {
		if !strings.EqualFold(c.Name, names[n]) {
			return false
		}
	}
	return true
}

// cell returns a cell as JSON; nil for one that is not there or null.
func (g *grid) cell(r, c int) json.RawMessage {
	if r < 0 || r >= len(g.rows) || c < 0 || c >= len(g.rows[r]) || string(g.rows[r][c]) == "null" {
		return nil
	}
	return g.rows[r][c]
}

// text returns a cell as it is read, without quotes; nothing for null.
func (g *grid) text(r, c int) string {
	raw := g.cell(r, c)
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// number returns a cell as a number.
func (g *grid) number(r, c int) (float64, bool) {
	v, err := strconv.ParseFloat(g.text(r, c), 64)
	return v, err == nil && v-v == 0
}

// whole returns a cell as a whole number, 0 when it is none.
func (g *grid) whole(r, c int) int64 {
	v, _ := g.number(r, c)
	return int64(v)
}

// time returns a cell as a time.
func (g *grid) time(r, c int) (time.Time, bool) { return parseTime(g.text(r, c)) }

// plain says whether a cell is a value as the warehouse holds it, neither a
// pseudonym nor cut.
func plain(s string) bool {
	return s != "" && !strings.Contains(s, "~") && !strings.HasSuffix(s, "…")
}

// least returns the row with the least number in column c, and that with the
// greatest; -1 when there is none.
func (g *grid) least(c int) (low, high int) {
	low, high = -1, -1
	var least, most float64
	for r := range g.rows {
		v, ok := g.number(r, c)
		if !ok {
			continue
		}
		if low < 0 || v < least {
			low, least = r, v
		}
		if high < 0 || v > most {
			high, most = r, v
		}
	}
	return low, high
}

// ends returns the least and the greatest number of column c, and how they are
// written. Of more rows than were kept it is what the summary of the column says.
func (g *grid) ends(c int) (low, high float64, from, to string, ok bool) {
	if len(g.rows) == g.RowCount {
		i, k := g.least(c)
		if i < 0 || i == k {
			return 0, 0, "", "", false
		}
		low, _ = g.number(i, c)
		high, _ = g.number(k, c)
		return low, high, figure(g.text(i, c)), figure(g.text(k, c)), true
	}
	if c < 0 || c >= len(g.Columns) || g.Columns[c].Min == nil || g.Columns[c].Max == nil {
		return 0, 0, "", "", false
	}
	low, high = *g.Columns[c].Min, *g.Columns[c].Max
	return low, high, figure(strconv.FormatFloat(low, 'f', -1, 64)), figure(strconv.FormatFloat(high, 'f', -1, 64)), true
}

// at returns the first row whose number in column c is v.
func (g *grid) at(c int, v float64) int {
	for r := range g.rows {
		if n, ok := g.number(r, c); ok && n == v {
			return r
		}
	}
	return -1
}

// figure writes a number as people read it: with commas, its digits unchanged.
func figure(s string) string {
	whole, rest, point := strings.Cut(s, ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || strings.ContainsAny(rest, "eE") {
		return s
	}
	sign := ""
	if n == 0 && strings.HasPrefix(whole, "-") {
		sign = "-"
	}
	if point {
		return sign + language.Thousands(n) + "." + rest
	}
	return sign + language.Thousands(n)
}
