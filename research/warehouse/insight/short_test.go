package insight_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"quaestor/internal/prerequisite"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/insight"
)

// shortWorld is a table of a few months that goes another way, or has another level, from a day on.
type shortWorld struct {
	grown
	days  int
	noise float64 // of a day, as a part of its records
	turn  time.Time
}

// newShortWorld makes 60 to 200 days of events with a weekly rhythm and, beside chance, a noise of 5 to 20 % a day.
// They grow or shrink slowly until the turn, and at the end are a half to two thirds away from where they would have
// been: at once if it is a step.
func newShortWorld(seed uint64, step bool) *shortWorld {
	r := rand.New(rand.NewPCG(seed, 77))
	w := &shortWorld{days: 60 + r.IntN(141), noise: 0.05 + 0.15*r.Float64()}
	begin := time.Date(2024+r.IntN(3), time.Month(1+r.IntN(12)), 1+r.IntN(28), 0, 0, 0, 0, time.UTC)
	at := int(float64(w.days) * (0.35 + 0.3*r.Float64()))
	w.turn = begin.AddDate(0, 0, at)
	weekly := [7]float64{0.5 + 0.3*r.Float64(), 1, 1.1, 1, 0.9 + 0.2*r.Float64(), 1.2, 0.5 + 0.3*r.Float64()}
	before := (0.5*r.Float64() - 0.25) / float64(w.days)
	lost := -math.Log(0.5 - 0.17*r.Float64())
	if r.IntN(2) == 0 {
		lost = -lost * 0.7
	}
	t := grownTable{name: "pickups", columns: []catalog.Column{key("id", "bigint"), col("picked_up_at", "timestamp"), col("lane", "text"), col("weight_kg", "double precision")}}
	mean := 60 + 80*r.Float64()
	for d := range w.days {
		level := before * float64(d)
		switch {
		case d >= at && step:
			level -= lost * 0.6
		case d >= at:
			level -= lost * float64(d-at) / float64(w.days-at)
		}
		day := begin.AddDate(0, 0, d)
		many := mean * weekly[day.Weekday()] * math.Exp(level+w.noise*r.NormFloat64())
		for range max(0, int(math.Round(many+math.Sqrt(many)*r.NormFloat64()))) {
			when := day.Add(time.Duration(6*3600+r.IntN(14*3600)) * time.Second)
			t.rows = append(t.rows, []any{int64(len(t.rows) + 1), when, string(rune('a' + r.IntN(4))), 5 + 3*r.ExpFloat64()})
		}
	}
	w.tables = []grownTable{t}
	return w
}

// TestBreaksLieWhereTheyAreSaidTo makes sure that in a year and a half to three years of data, too, nine in ten of the
// breaks that are told lie where they are said to.
func TestBreaksLieWhereTheyAreSaidTo(t *testing.T) {
	t.Parallel()

	told, there := 0, 0
	for seed := range uint64(prerequisite.Scale(20, 200)) {
		w := newProvingWorld(breakPlant, 300+seed)
		found, _ := w.survey(t)
		for _, i := range found {
			if i.Kind != insight.TrendBreak || i.Table != w.table || len(i.Segment) > 0 {
				continue
			}
			told++
			from, to := i.Period.From, i.Period.From.AddDate(0, 0, 1)
			if !i.Onset.IsZero() {
				from, to = i.Onset.From, i.Onset.To
			}
			const week = 7 * 24 * time.Hour // a period of such data
			if w.since.Before(from.Add(-week)) || !w.since.Before(to.Add(week)) {
				t.Logf("seed %d: since %s: %s", seed, w.since.Format(time.DateOnly), story(i))
				continue
			}
			there++
		}
	}
	t.Logf("%d of %d breaks lie where they are said to", there, told)
	if told == 0 || there*10 < told*9 {
		t.Errorf("%d of %d breaks lie where they are said to; want nine in ten", there, told)
	}
}

// dated is the first finding of how many records there are, and by how many days its dates miss the turn.
func (w *shortWorld) dated(found []insight.Insight) (i insight.Insight, off, width float64, ok bool) {
	at := slices.IndexFunc(found, func(i insight.Insight) bool {
		return len(i.Segment) == 0 && i.Measure == "pickups" && slices.Contains([]insight.Kind{insight.TrendBreak, insight.Drop, insight.Rise}, i.Kind)
	})
	if at < 0 {
		return i, 0, 0, false
	}
	i = found[at]
	from, to := i.Period.From, i.Period.From
	if !i.Onset.IsZero() {
		from, to = i.Onset.From, i.Onset.To.AddDate(0, 0, -1)
	}
	days := func(d time.Duration) float64 { return d.Hours() / 24 }
	return i, max(0, days(from.Sub(w.turn)), days(w.turn.Sub(to))), days(to.Sub(from)), true
}

// quantile is the value below which a part of v lies.
func quantile(v []float64, part float64) float64 {
	s := slices.Sorted(slices.Values(v))
	return s[min(int(part*float64(len(s))), len(s)-1)]
}

// TestShortDataIsDatedAsFarAsItTells makes sure that in a few months of data a turn is dated to the day, or said to lie
// between two days that it does lie between.
func TestShortDataIsDatedAsFarAsItTells(t *testing.T) {
	t.Parallel()

	for name, least := range map[string]int{"slope": 75, "level": 80} { // percent that are found: a false discovery is worse than none
		step := name == "level"
		t.Run(name, func(t *testing.T) {
			seeds := prerequisite.Scale(40, 200)
			var off, width []float64
			for seed := range seeds {
				w := newShortWorld(uint64(seed), step)
				dialect, ask := engines[engine()](t, w.grown)
				found := all(t, w.grown, dialect, ask)
				i, by, wide, ok := w.dated(found)
				if !ok {
					t.Logf("seed %d: %d days, noise %.2f, %s: not found", seed, w.days, w.noise, w.turn.Format(time.DateOnly))
					continue
				}
				off, width = append(off, by), append(width, wide/float64(w.days))
				t.Logf("seed %d: %d days, noise %.2f, %s: off %.0f of %.0f: %s", seed, w.days, w.noise, w.turn.Format(time.DateOnly), by, wide, story(i))
				truthful(t, i, ask)
			}
			t.Logf("%d of %d are found; off by %.0f days (median), %.0f (90 %%), %.0f (most); said to lie within %.2f of all days (median), %.2f (90 %%)",
				len(off), seeds, quantile(off, 0.5), quantile(off, 0.9), quantile(off, 1), quantile(width, 0.5), quantile(width, 0.9))
			if len(off)*100 < seeds*least {
				t.Errorf("%d of %d are found", len(off), seeds)
			}
			if m, most := quantile(off, 0.5), quantile(off, 0.9); m > 1 || most > 3 {
				t.Errorf("the median date is off by %v days, nine in ten by up to %v; want 1 and 3", m, most)
			}
			if m := quantile(width, 0.5); m > 0.25 {
				t.Errorf("the median turn is said to lie somewhere in %.0f %% of the data", 100*m)
			}
		})
	}
}
