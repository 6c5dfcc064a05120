package insight

import (
	"cmp"
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
	statements, rows := cubesOf(t.Rows, clock, sizes, pairs)
	out := Forecast{Statements: profiling + statements + own.measured, Checks: checking}
	out.Insights = min(perMeasured*float64(1+own.measured), mostInsights)
	if clock {
		out.Statements += 4 // the week, the day, and who comes back
	} else {
		out.Insights *= withoutClock
	}
	out.Statements += int(telling * out.Insights)
	out.Value = bytesOf(t.Columns)
	out.Rows = rows + int64(rowsTelling*out.Insights)
	return out
}

// cubesOf is how many statements the cubes of a table take, and how many rows these return: one for each period and each
// value of the dimensions that are asked for together, as far as there are records. rows is negative if it is not known.
func cubesOf(rows int64, clock bool, sizes []int, pairs int) (statements int, read int64) {
	periods := 1
	if clock {
		periods = usualPeriods
	}
	sizes = sizes[:min(len(sizes), maxDims)]
	ask := func(dims ...int) {
		cells := periods
		for _, d := range dims {
			cells *= sizes[d]
		}
		if cells > maxCells { // then by longer periods
			cells /= 4
		}
		statements, read = statements+1, read+int64(cells)
		if rows >= 0 {
			read -= max(int64(cells)-rows, 0)
		}
	}
	var wanted [][2]int
	for i := range sizes {
		for k := range sizes[i+1:] {
			wanted = append(wanted, [2]int{i, i + 1 + k})
		}
	}
	slices.SortStableFunc(wanted, func(a, b [2]int) int { return cmp.Compare(sizes[a[0]]*sizes[a[1]], sizes[b[0]]*sizes[b[1]]) })
	wanted = wanted[:min(len(wanted), pairs)]
	larger := make([]int, len(sizes))
	for i, n := range sizes {
		larger[i] = n + 2 // as the search does
	}
	sets := together(larger, wanted, togetherCells/periods)
	in := func(dims ...int) bool {
		return slices.ContainsFunc(sets, func(set []int) bool {
			return !slices.ContainsFunc(dims, func(d int) bool { return !slices.Contains(set, d) })
		})
	}
	ask()
	for _, set := range sets {
		ask(set...)
	}
	for i := range sizes {
		if !in(i) {
			ask(i)
		}
	}
	for _, p := range wanted {
		if !in(p[0], p[1]) {
			ask(p[0], p[1])
		}
	}
	return statements, read
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
