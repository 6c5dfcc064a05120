package insight_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"quaestor/internal/prerequisite"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/insight"
)

// found returns what survives the check in all tables of a world, in the order in which people see it.
func (w *freshWorld) found(t *testing.T) ([]insight.Insight, insight.Asker) {
	t.Helper()
	dialect, ask := engines[engine()](t, w.grown)
	var out []insight.Insight
	finder := insight.NewFinder(dialect, w.catalog(), len(w.tables), ask)
	for _, table := range w.tables {
		f, err := finder.Find(t.Context(), "w."+table.name)
		if err != nil {
			t.Errorf("%s: %v", table.name, err)
		}
		out = append(out, f.Insights...)
	}
	out = insight.Assign([]warehouse.Area{{ID: "all", Name: "All"}}, out)
	kept := out[:0]
	for _, i := range out {
		review, err := insight.Check(t.Context(), &i, ask)
		if err != nil {
			t.Errorf("check %s: %v", i.Title(), err)
		}
		if i.Review = review; review.Survives() {
			kept = append(kept, i)
		} else if os.Getenv("INSIGHT_TELL") != "" {
			t.Logf("    rejected: %s: %s", story(i), review.Reason)
		}
	}
	return kept, ask
}

// tells reports whether an insight states the effect of the world.
func (w *freshWorld) tells(i insight.Insight) bool {
	if i.Table != w.table || !slices.Contains(kindsOf[w.plant], i.Kind) && !(w.plant == shiftPlant && w.table == "w.shopWeeks" && i.Kind == insight.Drop) {
		return false
	}
	within := 24.0
	if w.plant == breakPlant || w.plant == retentionPlant {
		within = 62
	}
	if !w.since.IsZero() && math.Abs(i.Period.From.Sub(w.since).Hours()) > within*24 {
		return false
	}
	if len(w.columns) == 0 {
		return true
	}
	for _, c := range i.Segment {
		if slices.Contains(w.columns, c.Column) && (len(w.values) == 0 || slices.Contains(w.values, c.Value)) {
			return true
		}
	}
	if len(w.values) > 0 {
		return false
	}
	said := plainly(i.Title() + " " + i.Prose() + " " + i.Measure)
	return slices.ContainsFunc(w.columns, func(c string) bool { return strings.Contains(said, strings.TrimSuffix(plainly(c), "ms")) }) // its unit is told apart
}

// plainly is a text without what separates words, in small letters.
func plainly(s string) string {
	return strings.ToLower(strings.NewReplacer(" ", "", "_", "").Replace(s))
}

// echoed reports whether an insight is about the effect in other words.
func (w *freshWorld) echoed(i insight.Insight) bool {
	if w.tells(i) || !w.since.IsZero() && !i.Period.IsZero() && math.Abs(i.Period.From.Sub(w.since).Hours()) < 100*24 {
		return true
	}
	return slices.ContainsFunc(i.Segment, func(c insight.Condition) bool { return slices.Contains(w.columns, c.Column) })
}

// count counts the rows of an insight's segment in a period, of the table alone.
func (w *freshWorld) count(i insight.Insight, p insight.Period) (n int, ok bool) {
	at := slices.IndexFunc(w.tables, func(t grownTable) bool { return "w."+t.name == i.Table })
	t := w.tables[at]
	column := func(name string) int {
		for k, c := range t.columns {
			if c.Name == name {
				return k
			}
		}
		return -1
	}
	clock := slices.IndexFunc(t.columns, func(c catalog.Column) bool { return c.Type == "timestamp" || c.Type == "date" })
	for _, row := range t.rows {
		day := row[clock].(time.Time)
		in := !day.Before(p.From) && day.Before(p.To)
		for _, c := range i.Segment {
			k := column(c.Column)
			if k < 0 {
				return 0, false
			}
			in = in && fmt.Sprint(row[k]) == c.Value
		}
		if in {
			n++
		}
	}
	return n, true
}

// untrue counts figures of an insight that the rows of the world do not bear out: how many records a day there were.
func (w *freshWorld) untrue(t *testing.T, i insight.Insight) (counted, untrue int) {
	t.Helper()
	if i.Kind == insight.TrendBreak || i.Period.IsZero() || !strings.EqualFold(plainly(i.Measure), plainly(strings.TrimPrefix(i.Table, "w."))) {
		return 0, 0
	}
	for id, p := range map[string]insight.Period{"now": i.Period, "was": i.Before} {
		for _, f := range i.Figures {
			times := map[insight.Unit]float64{insight.PerDay: 1, insight.PerWeek: 7, insight.PerMonth: 30}[f.Unit]
			if n, ok := w.count(i, p); ok && f.ID == id && times > 0 {
				counted++
				if want := times * float64(n) / daysOf(p); math.Abs(want-f.Value) > 1e-6*max(1, want) {
					untrue++
					t.Errorf("%s: %s is %v by the rows", story(i), f.Name, want)
				}
			}
		}
	}
	return counted, untrue
}

// TestFreshGround measures the search on weeks of shops, events without a table of people, German
// names in camel case, and states in words: nine in ten effects of each kind are found and stand
// before noise, and of noise alone nothing is severe. INSIGHT_SEEDS, INSIGHT_PLANT and
// INSIGHT_TELL are those of [TestProvingGround].
func TestFreshGround(t *testing.T) {
	t.Parallel()

	from, n := uint64(0), uint64(prerequisite.Scale(2, 12))
	if at := strings.Fields(os.Getenv("INSIGHT_SEEDS")); len(at) == 2 {
		from, n = seedOf(t, at[0]), seedOf(t, at[1])
	}
	var table strings.Builder
	var sum score
	for _, p := range append(slices.Clone(plants), noPlant) {
		if only := os.Getenv("INSIGHT_PLANT"); only != "" && only != string(p) {
			continue
		}
		s := freshly(t, p, from, from+n)
		fmt.Fprintf(&table, "%-18s %3d worlds %3d found %3d before any noise %3d with severe noise %4d counted %3d untrue\n", p, s.worlds, s.found, s.first, s.noisy, s.recomputed, s.untrue)
		if s.noisy*10 > s.worlds || p == noPlant && s.noisy > 0 {
			t.Errorf("%s: in %d of %d worlds something severe is no effect", p, s.noisy, s.worlds)
		}
		if p != noPlant {
			sum.worlds, sum.found, sum.first = sum.worlds+s.worlds, sum.found+s.found, sum.first+s.first
		}
	}
	t.Logf("\n%s%d of %d found, %d before any noise", table.String(), sum.found, sum.worlds, sum.first)
	if sum.found*10 < sum.worlds*9 || sum.first*10 < sum.worlds*9 {
		t.Errorf("%d of %d effects are found, %d before any noise; want nine in ten", sum.found, sum.worlds, sum.first)
	}
}

// freshly searches the worlds of the seeds from to to of a plant.
func freshly(t *testing.T, p plant, from, to uint64) score {
	var s score
	for seed := from; seed < to; seed++ {
		w := newFreshWorld(p, seed)
		list, ask := w.found(t)
		s.worlds++
		at, noise := slices.IndexFunc(list, w.tells), slices.IndexFunc(list, func(i insight.Insight) bool { return !w.echoed(i) })
		if at >= 0 {
			s.found++
		}
		if at >= 0 && (noise < 0 || at < noise) {
			s.first++
		}
		severe := false
		for _, i := range list {
			severe = severe || !w.echoed(i) && (i.Severity == insight.Critical || i.Severity == insight.High)
			truthful(t, i, ask)
			counted, untrue := w.untrue(t, i)
			s.recomputed, s.untrue = s.recomputed+counted, s.untrue+untrue
		}
		if severe {
			s.noisy++
		}
		if at < 0 && p != noPlant || severe || noise >= 0 && noise < at || os.Getenv("INSIGHT_TELL") != "" {
			t.Logf("%s, seed %d (%s): %v=%v since %s; found at %d, noise at %d of %d", p, seed, w.table, w.columns, w.values, w.since.Format(time.DateOnly), at, noise, len(list))
			for n, i := range list {
				if n < 6 || os.Getenv("INSIGHT_TELL") != "" {
					t.Log("    " + story(i))
				}
			}
		}
	}
	return s
}
