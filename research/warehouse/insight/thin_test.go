package insight_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/insight"
)

// TestHeavyTablesAreSampled makes sure that where questions over all records take too long, effects are looked for in a
// sample, which is said, and figures are over all records all the same.
func TestHeavyTablesAreSampled(t *testing.T) {
	t.Parallel()

	w := clinic(rand.New(rand.NewPCG(3, 41)))
	for range 16 { // as many records as are too many
		w.tables[0].rows = append(w.tables[0].rows, clinic(rand.New(rand.NewPCG(3, 41))).tables[0].rows...)
	}
	for i, row := range w.tables[0].rows {
		row[0] = int64(i + 1)
	}
	dialect, ask := engines[engine()](t, w.grown)
	sampled, refused := 0, 0
	slow := func(ctx context.Context, purpose, sql string) (*warehouse.Result, error) {
		switch thin := strings.Contains(sql, "MOD("); {
		case strings.Contains(purpose, "all measures") && !thin:
			refused++
			return nil, warehouse.NewQueryError(warehouse.TimedOut, "the statement took too long", "", nil)
		case thin:
			sampled++
		}
		return ask(ctx, purpose, sql)
	}
	f := insight.NewFinder(dialect, w.catalog(), 1, slow)
	found, err := f.Find(t.Context(), "w.termine")
	if err != nil {
		t.Fatal(err)
	}

	if refused != 1 || sampled == 0 {
		t.Errorf("%d statements over all records were refused, %d of a sample asked; want one, and some", refused, sampled)
	}
	if found.Sampled != 3 || len(found.Left) != 1 || !strings.Contains(found.Left[0], "one of 3 records") {
		t.Errorf("nothing says that a sample was searched: %v", found.Left)
	}
	for _, p := range w.plants {
		if !slices.ContainsFunc(found.Insights, p.told) {
			t.Errorf("not told: %v", p.says)
		}
	}
	for _, i := range found.Insights {
		t.Log(story(i))
		truthful(t, i, ask)
	}
}
