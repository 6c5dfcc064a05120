package runs

import (
	"testing"

	"quaestor/research/warehouse/insight"
)

// TestAreasLowerTheOutcome holds that a run is partial when an area fails, and failed when all of them do, or all that
// have findings.
func TestAreasLowerTheOutcome(t *testing.T) {
	t.Parallel()

	good, bad := func(id string) Area { return Area{ID: id, Status: AreaComplete} }, func(id string) Area { return Area{ID: id, Status: AreaFailed} }
	in := func(areas ...string) (out []Insight) {
		for _, a := range areas {
			out = append(out, Insight{Insight: insight.Insight{Area: a}})
		}
		return out
	}
	for _, c := range []struct {
		name  string
		was   Outcome
		areas []Area
		found []Insight
		want  Outcome
	}{
		{"all are complete", FullOutcome, []Area{good("a"), good("b")}, in("a"), FullOutcome},
		{"one of two with findings", FullOutcome, []Area{bad("a"), good("b")}, in("a", "b"), PartialOutcome},
		{"all with findings", FullOutcome, []Area{bad("a"), good("b")}, in("a", "a"), NoOutcome},
		{"one that found nothing", FullOutcome, []Area{bad("a"), good("b")}, nil, PartialOutcome},
		{"every area", FullOutcome, []Area{bad("a"), bad("b")}, nil, NoOutcome},
		{"exploration stopped early", PartialOutcome, []Area{bad("a")}, in("a"), PartialOutcome},
		{"no areas", FullOutcome, nil, nil, FullOutcome},
	} {
		if got := worst(c.was, c.areas, c.found); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
