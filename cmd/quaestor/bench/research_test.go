package main

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quaestor/research/search"
)

func TestGoalsOfResearch(t *testing.T) {
	t.Parallel()

	e := &errand{tuned: queueing{rate: 10_000}, ours: queueing{rate: 5000}, orderedTrips: 6, refusedTrips: 2}
	e.tuned.pickup.add(2*time.Millisecond, 10*time.Millisecond)
	e.pickup.add(3*time.Millisecond, 120*time.Millisecond)
	e.ordered.add(5 * time.Millisecond)
	e.refused.add(4500 * time.Microsecond)
	r := results{errand: e}

	got := map[string]string{}
	for _, g := range r.goals() {
		got[g.number+" "+g.what] = g.ratio() + " " + g.verdict()
	}

	want := map[string]string{
		"11 research pick-up, p50":                     "1.50 × excellent",
		"11 research pick-up, p99":                     "12.0 × short",
		"12 empty research jobs/s":                     "0.50 × ok",
		"12 an order adds to its turn, p50":            "– excellent",
		"4 round trips of a turn that orders research": "– short",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestResearchIsNotJudgedUnmeasured(t *testing.T) {
	t.Parallel()

	if got := (&results{}).errandGoals(); got != nil {
		t.Errorf("errandGoals() without a measurement = %v", got)
	}
}

// A question that was asked before is not ordered again, so nothing would be
// measured.
func TestQuestionsOfASessionDiffer(t *testing.T) {
	t.Parallel()

	seen := map[string]bool{}
	for turn := 1; turn <= 2*ordersASession; turn++ {
		if q := question(turn); seen[q] {
			t.Errorf("turn %d asks again: %s", turn, q)
		} else {
			seen[q] = true
		}
	}
}

func TestSilenceIsAnAnswer(t *testing.T) {
	t.Parallel()

	s, err := startSilence()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	engine, err := search.NewSearXNG(search.Options{Base: s.url})
	if err != nil {
		t.Fatal(err)
	}

	hits, err := engine.Search(t.Context(), search.Query{Words: "lighthouses in Norway"})
	if err != nil || len(hits) != 0 {
		t.Errorf("Search = %v, %v, want nothing and no error", hits, err)
	}
}
