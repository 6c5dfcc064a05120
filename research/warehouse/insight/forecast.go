package insight

import (
	"quaestor/research/warehouse/builtin"
	"quaestor/research/warehouse/catalog"
)

// Forecast is what the search of a table is likely to take and to find, by what the catalog says alone.
type Forecast struct {
	Statements int     // of the search
	Insights   float64 // that it finds
	Checks     float64 // statements that check one of them
}

// What a search takes that does not follow from columns: averages over the shops whose estimates are
// tested against runs, in cmd/quaestor. How many effects a table has cannot be known before.
const (
	profiling    = 3    // statements for each table that is read: its rows, its values, its key
	telling      = 4    // statements for each insight: figures, the day, the records it is about, whom they belong to
	perMeasured  = 0.6  // insights for each column that is measured, in a table with a time
	withoutClock = 0.25 // the part of them in a table without
	checking     = 3    // statements that check an insight
	mostInsights = 9
)

// ForecastOf returns what the search of table i of a catalog is likely to take.
func ForecastOf(x *catalog.Index, i int) Forecast {
	t := x.Table(i)
	own := rolesOf(x, i)
	dims, clock, read := own.dims, own.clock, 1
	for _, j := range x.Joins(i) {
		k, ok, _ := x.Find(j.Table)
		if !ok || k == i || read > maxLegs {
			continue
		}
		read++
		to := rolesOf(x, k)
		dims += to.dims
		clock = clock || to.clock
	}
	dims = min(dims, maxDims)
	paired := min(dims, pairDims)
	pairs := min(paired*(paired-1)/2, maxPairs)
	if t.Rows > manyRows {
		pairs = min(pairs, fewPairs)
	}
	out := Forecast{Statements: profiling*read + 1 + dims + pairs + own.measured, Checks: checking}
	out.Insights = min(perMeasured*float64(1+own.measured), mostInsights)
	if clock {
		out.Statements += 4 // the week, the day, and who comes back
	} else {
		out.Insights *= withoutClock
	}
	out.Statements += int(telling * out.Insights)
	return out
}

// roles counts the columns of a table by what they are for.
type roles struct {
	dims, measured int
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
			if !c.Key && (c.Distinct == 0 || c.Distinct >= 2 && c.Distinct <= 60) {
				out.dims++
			}
		case builtin.Label: // most are names, of which there are too many
			if !c.Key && c.Distinct >= 2 && c.Distinct <= 40 {
				out.dims++
			}
		}
	}
	return out
}
