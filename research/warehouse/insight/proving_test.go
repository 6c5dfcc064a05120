package insight_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"quaestor/internal/prerequisite"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/insight"
)

// engine returns DuckDB if it is built in, which reads a world faster than PostgreSQL.
func engine() string {
	if engines["duckdb"] != nil {
		return "duckdb"
	}
	return "postgres"
}

// survey finds what is in a world, checks it, and returns what survives in the order in which people see it.
func (w *provingWorld) survey(t *testing.T) ([]insight.Insight, insight.Asker) {
	t.Helper()
	dialect, ask := engines[engine()](t, w.grown)
	slow := func(ctx context.Context, purpose, sql string) (*warehouse.Result, error) {
		if strings.Contains(sql, slowTable) {
			return nil, warehouse.NewQueryError(warehouse.TimedOut, "the statement took too long", "", nil)
		}
		return ask(ctx, purpose, sql)
	}
	finder := insight.NewFinder(dialect, w.catalog(), len(w.tables), slow)
	var out []insight.Insight
	for _, table := range w.tables {
		found, err := finder.Find(t.Context(), "w."+table.name)
		if err != nil {
			if table.name != slowTable {
				t.Errorf("%s: %v", table.name, err)
			}
			continue
		}
		out = append(out, found.Insights...)
	}
	out = insight.Assign([]warehouse.Area{{ID: "all", Name: "All"}}, out)
	kept := out[:0]
	for _, i := range out {
		review, err := insight.Check(t.Context(), &i, slow)
		if err != nil {
			t.Errorf("check %s: %v", i.Title(), err)
		}
		if i.Review = review; review.Survives() {
			kept = append(kept, i)
		} else if os.Getenv("INSIGHT_TELL") != "" {
			t.Logf("    rejected: %s: %s", story(i), i.Review.Reason)
		}
	}
	return kept, slow
}

// kindsOf are the kinds that state a planted effect.
var kindsOf = map[plant][]insight.Kind{dropPlant: {insight.Drop, insight.Shift}, // the rest may grow by as much
	shiftPlant: {insight.Shift, insight.Drop, insight.Rise}, // and the whole may change with the season
	breakPlant: {insight.TrendBreak}, outlierPlant: {insight.Outlier},
	nullPlant: {insight.NullSpike}, retentionPlant: {insight.Retention}, simpsonPlant: {insight.Simpson}}

// shows reports whether an insight states the effect of the world.
func (w *provingWorld) shows(i insight.Insight) bool {
	if i.Table != w.table || !slices.Contains(kindsOf[w.plant], i.Kind) {
		return false
	}
	within := 24.0 * 24
	if w.plant == breakPlant || w.plant == retentionPlant {
		within = 62 * 24
	}
	if !w.since.IsZero() && math.Abs(i.Period.From.Sub(w.since).Hours()) > within {
		return false
	}
	said := i.Title() + " " + i.Prose() + " " + i.Measure
	switch w.plant {
	case dropPlant, shiftPlant:
		return slices.ContainsFunc(i.Segment, func(c insight.Condition) bool {
			return c.Column == w.column && (c.Value == w.value || slices.Contains(w.others, c.Value))
		})
	case nullPlant, simpsonPlant:
		return strings.Contains(said, spoken(w.column)) || slices.ContainsFunc(i.Segment, func(c insight.Condition) bool { return c.Column == w.column })
	}
	return true
}

// echoes reports whether an insight is about the effect in other words: it is of the same table
// and begins about the same time, or names the same segment or column.
func (w *provingWorld) echoes(i insight.Insight) bool {
	if w.shows(i) || !w.since.IsZero() && !i.Period.IsZero() && math.Abs(i.Period.From.Sub(w.since).Hours()) < 100*24 {
		return true
	}
	return w.column != "" && slices.ContainsFunc(i.Segment, func(c insight.Condition) bool { return c.Column == w.column })
}

// score is how the worlds of a plant fared.
type score struct{ worlds, found, first, noisy, stated, recomputed, untrue int }

// measure surveys the worlds of the seeds from to to of a plant.
func measure(t *testing.T, p plant, from, to uint64) score {
	var s score
	for seed := from; seed < to; seed++ {
		w := newProvingWorld(p, seed)
		list, ask := w.survey(t)
		s.worlds++
		at := slices.IndexFunc(list, w.shows)
		if at >= 0 {
			s.found++
		}
		noise := slices.IndexFunc(list, func(i insight.Insight) bool { return !w.echoes(i) })
		if at >= 0 && (noise < 0 || at < noise) {
			s.first++
		}
		severe := 0
		for _, i := range list {
			if !w.echoes(i) && (i.Severity == insight.Critical || i.Severity == insight.High) {
				severe++
			}
			truthful(t, i, ask)
			stated, recomputed, untrue := w.recompute(t, i, ask)
			s.stated, s.recomputed, s.untrue = s.stated+stated, s.recomputed+recomputed, s.untrue+untrue
		}
		if severe > 0 {
			s.noisy++
		}
		if at < 0 || severe > 0 || noise >= 0 && noise < at || os.Getenv("INSIGHT_TELL") != "" {
			t.Logf("%s, seed %d (%s): %s=%s since %s; found at %d, noise at %d of %d", p, seed, w.table, w.column, w.value, w.since.Format(time.DateOnly), at, noise, len(list))
			for n, i := range list {
				if n < 6 || os.Getenv("INSIGHT_TELL") != "" {
					t.Log("    " + story(i))
				}
			}
		}
	}
	return s
}

// TestProvingGround measures the search for effects on organisations that are made up by another
// hand than that of [TestPlantedEffects]: nine in ten effects are found, none behind what is not
// one, in nothing but noise nothing is severe, and no figure is other than the test's own SQL
// says. INSIGHT_SEEDS names the first seed and how many there are, INSIGHT_PLANT one kind of
// effect, and INSIGHT_TELL has all findings told.
func TestProvingGround(t *testing.T) {
	t.Parallel()

	from, n := uint64(0), uint64(prerequisite.Scale(2, 12))
	if at := strings.Fields(os.Getenv("INSIGHT_SEEDS")); len(at) == 2 {
		from, n = seedOf(t, at[0]), seedOf(t, at[1])
	}
	var table strings.Builder
	var total score
	for _, p := range append(slices.Clone(plants), noPlant) {
		if only := os.Getenv("INSIGHT_PLANT"); only != "" && only != string(p) {
			continue
		}
		s := measure(t, p, from, from+n)
		fmt.Fprintf(&table, "%-18s %3d worlds %3d found %3d before any noise %3d with severe noise %4d figures %4d recomputed %3d untrue\n", p, s.worlds, s.found, s.first, s.noisy, s.stated, s.recomputed, s.untrue)
		if s.noisy*10 > s.worlds || p == noPlant && s.noisy > 0 {
			t.Errorf("%s: in %d of %d worlds something severe is no effect", p, s.noisy, s.worlds)
		}
		if p != noPlant {
			total.worlds, total.found, total.first = total.worlds+s.worlds, total.found+s.found, total.first+s.first
		}
	}
	t.Logf("\n%s%d of %d found, %d before any noise", table.String(), total.found, total.worlds, total.first)
	if total.found*10 < total.worlds*9 || total.first*10 < total.worlds*9 {
		t.Errorf("%d of %d effects are found, %d before any noise; want nine in ten", total.found, total.worlds, total.first)
	}
}

func seedOf(t *testing.T, s string) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
