package insight

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quaestor/research/warehouse/builtin"
	"quaestor/research/warehouse/catalog"
)

// Forecast is what the search of a table is likely to take and to find, by what the catalog says alone.
type Forecast struct {
	Statements int     // of the search
	Rows       int64   // that come back of them
	Insights   float64 // that it finds
	Checks     float64 // statements that check one of them
	Value      float64 // bytes of a value, on average over the columns
}

// What a search takes that does not follow from columns: averages over the shops whose estimates are
// tested against runs, in cmd/quaestor. How many effects a table has cannot be known before.
const (
	profiling    = 3    // statements for its profile: its rows, its values, its key; others have theirs when they are searched
	telling      = 4    // statements for each insight: figures, the day, the records it is about, whom they belong to
	perMeasured  = 0.6  // insights for each column that is measured, in a table with a time
	withoutClock = 0.25 // the part of them in a table without
	checking     = 3    // statements that check an insight
	mostInsights = 9
	usualPeriods = 75 // days, weeks or months of a table with a time
	usualValues  = 7  // of a dimension that the catalog says nothing of
	rowsTelling  = 40 // rows for each insight: its figures, and the days around its beginning
)

// ForecastOf returns what the search of table i of a catalog is likely to take.
func ForecastOf(x *catalog.Index, i int) Forecast {
	t := x.Table(i)
	own := rolesOf(x, i)
	dims, clock, sizes := own.dims, own.clock, own.sizes
	read := map[int]bool{i: true}
	at := []int{i}
	for depth := range 2 { // what it refers to, and what that refers to
		var next []int
		for _, from := range at {
			for _, j := range x.Joins(from) {
				k, ok, _ := x.Find(j.Table)
				if !ok || read[k] || len(read) > maxLegs || depth > 0 && !j.Declared { // what names suggest often does not hold
					continue
				}
				read[k], next = true, append(next, k)
				to := rolesOf(x, k)
				dims += to.dims
				sizes = append(sizes, to.sizes...)
				clock = clock || to.clock
			}
		}
		at = next
	}
	dims = min(dims, maxDims)
	paired := min(dims, pairDims)
	pairs := min(paired*(paired-1)/2, maxPairs)
	if t.Rows > manyRows {
		pairs = min(pairs, fewPairs)
	}
	out := Forecast{Statements: profiling + 1 + dims + pairs + own.measured, Checks: checking}
	out.Insights = min(perMeasured*float64(1+own.measured), mostInsights)
	if clock {
		out.Statements += 4 // the week, the day, and who comes back
	} else {
		out.Insights *= withoutClock
	}
	out.Statements += int(telling * out.Insights)
	out.Value = bytesOf(t.Columns)
	out.Rows = rowsOf(t.Rows, clock, sizes, pairs) + int64(rowsTelling*out.Insights)
	return out
}

// rowsOf is how many rows the cubes of a table have: a row for each period and each value of a dimension, or of two of
// them, as far as there are records. rows is negative if it is not known.
func rowsOf(rows int64, clock bool, sizes []int, pairs int) int64 {
	periods := 1
	if clock {
		periods = usualPeriods
	}
	most := int64(maxCells)
	if rows >= 0 {
		most = min(most, rows)
	}
	sizes = sizes[:min(len(sizes), maxDims)]
	out := min(int64(periods), most)
	var products []int
	for i, a := range sizes {
		out += min(int64(periods*a), most)
		for _, b := range sizes[i+1:] {
			products = append(products, a*b)
		}
	}
	slices.Sort(products)
	for _, p := range products[:min(len(products), pairs)] {
		cells := int64(periods * p)
		if cells > maxCells { // then by longer periods
			cells /= 4
		}
		out += min(cells, most)
	}
	return out
}

// roles counts the columns of a table by what they are for.
type roles struct {
	dims, measured int
	sizes          []int // how many values each of the dims has
	clock          bool
}

func rolesOf(x *catalog.Index, i int) (out roles) {
	t := x.Table(i)
	joins := x.Joins(i)
	for _, c := range t.Columns {
		refers := false
		for _, j := range joins {
			refers = refers || len(j.Columns) == 1 && j.Columns[0] == c.Name
		}
		switch role := builtin.RoleOf(c.Name, c.Type, c.Key, refers, t.Name); role {
		case builtin.Moment:
			out.clock = true
		case builtin.Amount, builtin.Level, builtin.Ratio:
			out.measured++
		case builtin.Dimension, builtin.Code, builtin.Flag:
			if !c.Key && (c.Distinct == 0 && !manyValued(t, &c) || c.Distinct >= 2 && c.Distinct <= 60) {
				out.dims, out.sizes = out.dims+1, append(out.sizes, valuesOf(t, &c))
			}
		case builtin.Label: // most are names, of which there are too many
			if !c.Key && c.Distinct >= 2 && c.Distinct <= 40 {
				out.dims, out.sizes = out.dims+1, append(out.sizes, valuesOf(t, &c))
			}
		}
	}
	return out
}

// manyValued reports whether a text has too many values to make segments, as far as a sample tells: it is a code, or
// other columns of its table have few values, which are known.
func manyValued(t *catalog.Table, c *catalog.Column) bool {
	code := builtin.RoleOf(c.Name, c.Type, c.Key, false, t.Name) == builtin.Code
	return builtin.IsText(c.Type) && (len(t.Categories) > 0 || code) && len(t.Categories[c.Name]) == 0
}

// valuesOf is how many values a column has: as the warehouse estimates them, else as they were sampled.
func valuesOf(t *catalog.Table, c *catalog.Column) int {
	switch {
	case c.Distinct > 0:
		return int(c.Distinct)
	case len(t.Categories[c.Name]) > 0:
		return len(t.Categories[c.Name])
	}
	return usualValues
}

// bytesOf is how many bytes a value of some columns has on average, by the widths that the names of their types tell:
// UInt8, int4, smallint. Texts are as long as words are.
func bytesOf(columns []catalog.Column) float64 {
	const usual, word = 8.0, 8.0
	if len(columns) == 0 {
		return usual
	}
	var sum float64
	for _, c := range columns {
		bits := bitsOfType.FindStringSubmatch(strings.ToLower(c.Type))
		switch {
		case builtin.IsText(c.Type):
			sum += word
		case bits != nil:
			n, _ := strconv.Atoi(bits[1])
			sum += float64(n) / 8
		case builtin.IsTruth(c.Type), strings.HasPrefix(strings.ToLower(c.Type), "tinyint"):
			sum++
		case strings.EqualFold(c.Type, "smallint"):
			sum += 2
		case strings.EqualFold(c.Type, "integer"), strings.EqualFold(c.Type, "int"), strings.EqualFold(c.Type, "date"), c.Type == "DateTime", c.Type == "Nullable(DateTime)": // of ClickHouse
			sum += 4
		default:
			sum += usual
		}
	}
	return sum / float64(len(columns))
}

// bitsOfType matches types whose names have their size in bits.
var bitsOfType = regexp.MustCompile(`(?:int|float)(8|16|32|64|128|256)\b`)
