package insight_test

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/insight"
)

// engines load a warehouse and return how it is asked.
var engines = map[string]func(*testing.T, grown) (guard.Dialect, insight.Asker){}

// story is what a person reads of an insight.
func story(i insight.Insight) string {
	return fmt.Sprintf("[%s %s] %s — %s (%d records, risk %.3f, q %.1e, strength %.1f)", i.Severity, i.Kind, i.Title(), i.Prose(), i.Affected, i.Risk, i.Q, i.Strength)
}

// all finds everything in all tables.
func all(t *testing.T, g grown, d guard.Dialect, ask insight.Asker) []insight.Insight {
	t.Helper()
	f := insight.NewFinder(d, g.catalog(), len(g.tables), ask)
	var out []insight.Insight
	for _, table := range g.tables {
		found, err := f.Find(t.Context(), "w."+table.name)
		if err != nil {
			t.Fatalf("%s: %v", table.name, err)
		}
		for _, left := range append(found.Left, found.Missed...) {
			t.Error(left)
		}
		out = append(out, found.Insights...)
	}
	return out
}

// shows reports whether an insight is the planted effect.
func (e effect) shows(i insight.Insight) bool {
	if i.Table != "w."+e.table || string(i.Kind) != e.name {
		return false
	}
	if !e.since.IsZero() && math.Abs(i.Period.From.Sub(e.since).Hours()) > 35*24 {
		return false
	}
	text := i.Title() + " " + i.Measure
	for _, c := range i.Segment {
		text += " " + c.Column + " " + c.Value
	}
	return !slices.ContainsFunc(e.words, func(w string) bool { return !strings.Contains(text, w) })
}

// What is planted is found, ranked above noise, and every figure is what another query says.
func TestPlantedEffects(t *testing.T) {
	t.Parallel()

	for engine, load := range engines {
		for n, b := range businesses {
			t.Run(engine+" "+b.name, func(t *testing.T) {
				g, effects := grow(b, usual, uint64(n+11), true)
				dialect, ask := load(t, g)
				begin := time.Now()
				found := all(t, g, dialect, ask)
				t.Log(time.Since(begin))
				missed := 0
				for _, e := range effects {
					if !slices.ContainsFunc(found, e.shows) {
						missed++
						t.Logf("%s of %s is not found: %v", e.name, e.table, e)
					}
				}
				if missed*10 > len(effects) {
					t.Errorf("%d of %d effects are missed", missed, len(effects))
				}
				for _, i := range found {
					t.Log(story(i))
					truthful(t, i, ask)
				}
			})
		}
	}
}

// truthful asks for every figure of an insight again, and looks for numbers in its words that are
// none of them.
func truthful(t *testing.T, i insight.Insight, ask insight.Asker) {
	t.Helper()
	for _, f := range i.Figures {
		r, err := ask(t.Context(), f.Name, f.SQL)
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		if v, ok := number(r); !ok || math.Abs(v-f.Value) > 1e-6*math.Max(1, math.Abs(v)) {
			t.Errorf("%s is %v, and said to be %v", f.Name, v, f.Value)
		}
	}
	checkable(t, i, ask)
	for _, text := range []string{i.Headline, i.Text} {
		if unknown := i.Unknown(text); len(unknown) > 0 {
			t.Errorf("nothing fills %v of %s", unknown, text)
		}
		for _, c := range i.Segment {
			text = strings.ReplaceAll(text, "“"+c.Value+"”", "")
		}
		if strings.ContainsAny(placeholders.ReplaceAllString(text, ""), "0123456789") {
			t.Errorf("a number that is no figure: %s", text)
		}
	}
	r, err := ask(t.Context(), "affected", i.AffectedSQL)
	if err != nil {
		t.Error(err)
	} else if n, _ := number(r); int64(n) != i.Affected {
		t.Errorf("%v records are affected, not %d", n, i.Affected)
	}
}

// checkable asks for the figures of an insight by another way, and looks for its main figure in its chart.
func checkable(t *testing.T, i insight.Insight, ask insight.Asker) {
	t.Helper()
	review, err := insight.Check(t.Context(), &i, ask)
	if err != nil || review.Status == insight.Failed || strings.Contains(review.Reason, "Another statement") {
		t.Errorf("%s, %v: %s", i.Title(), err, review.Reason)
	}
	for _, f := range review.Figures {
		if math.Abs(f.Counted-f.Claimed) > 1e-6*math.Max(1, math.Abs(f.Claimed)) {
			t.Errorf("%s of %s is %v, and %v by another way: %s", f.ID, i.Title(), f.Claimed, f.Counted, f.SQL)
		}
	}
	if review.Status != insight.Rejected && i.Kind != insight.Concentrated && i.Kind != insight.Simpson && !i.Recomputed(review) {
		t.Errorf("the check of %s does not compute what it says: %+v", i.Headline, review.Figures)
	}
	if now, ok := i.Main(); ok && (i.Kind == insight.Difference || i.Kind == insight.NullSpike && i.Before.IsZero()) && !slices.ContainsFunc(i.Chart.Points, func(p insight.Point) bool {
		return p.Label == i.Segment[0].Label() && math.Abs(p.Value-now.Value) < 1e-6*math.Max(1, math.Abs(now.Value))
	}) {
		t.Errorf("%s, and the chart shows %v", i.Title(), i.Chart.Points)
	}
}

var placeholders = regexp.MustCompile(`\{\{[^}]*\}\}|“[^”]*”|between \d\d:00 and \d\d:00`)

// number is the one cell of a result.
func number(r *warehouse.Result) (float64, bool) {
	if r.Rows != 1 || len(r.Columns) != 1 {
		return 0, false
	}
	d := digest.Compact(r.Columns, digest.Mask{Key: []byte("0123456789abcdef0123456789abcdef")})
	var v float64
	err := json.Unmarshal(d.AllRows[0][0], &v)
	if err != nil {
		var s string
		if json.Unmarshal(d.AllRows[0][0], &s) == nil {
			v, err = strconv.ParseFloat(s, 64)
		}
	}
	return v, err == nil
}

// In noise nothing is severe.
func TestNoise(t *testing.T) {
	t.Parallel()

	for engine, load := range engines {
		for n, b := range businesses {
			t.Run(engine+" "+b.name, func(t *testing.T) {
				g, _ := grow(b, usual, uint64(n+31), false)
				dialect, ask := load(t, g)
				for _, i := range all(t, g, dialect, ask) {
					if i.Severity == insight.Critical || i.Severity == insight.High {
						t.Error(story(i))
					} else {
						t.Log(story(i))
					}
				}
			})
		}
	}
}
