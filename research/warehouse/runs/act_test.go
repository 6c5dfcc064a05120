package runs_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/runs"
)

func TestLookupsHaveABudget(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	var replies []string
	for i := range 31 {
		replies = append(replies, fmt.Sprintf(`{"lookup_schema":["t%02d"]}`, i))
	}
	replies[5] = `{"lookup_schema":["sales.t00"]}` // was shown: costs nothing
	w.analyst.says(append(replies, `{"lookup_schema":["t39","orders","refunds"]}`, `{"lookup_schema":["T01"]}`)...)

	r := w.work(w.order(runs.Order{}).ID)

	steps := w.steps(r.ID)
	if got := types(steps[5:7]) + " " + types(steps[30:33]); got != "lookup_schema=1 lookup_schema lookup_schema lookup_schema:budget lookup_schema=2" {
		t.Errorf("steps are %q", got)
	}
	if len(w.shop.looked) != warehouse.MaxLookups+1 || r.Counters.Lookups != 33 { // one was shown again
		t.Errorf("%d tables were looked up, %d lookups counted", len(w.shop.looked), r.Counters.Lookups)
	}
	if left := w.analyst.seen[6].LookupsLeft; left != warehouse.MaxLookups-5 {
		t.Errorf("after five lookups %d are left", left)
	}
	if s := steps[5]; !strings.Contains(s.Answer, "sales.t00: already shown at step 1") {
		t.Errorf("a table that was shown is answered with %q", s.Answer)
	}
	if s := steps[32]; !strings.Contains(s.Answer, "Here they are again") || s.Repeats != 2 {
		t.Errorf("a table that was shown long ago is answered with %q", s.Answer)
	}
}

func TestLookupTakesTenTables(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.analyst.says(`{"lookup_schema":["t00"]}`, `{"lookup_schema":["t00","t01","t02","t03","t04","t05","t06","t07","t08","t09","t10","t11","T02","nowhere"]}`)

	r := w.work(w.order(runs.Order{}).ID)

	s := w.steps(r.ID)[1]
	if len(w.shop.looked[1]) != warehouse.MaxLookupTables || len(s.Tables) != 11 || !strings.Contains(s.Answer, "these were not: t11, nowhere.") || !strings.Contains(s.Answer, "sales.t00: already shown at step 1") {
		t.Errorf("looked up %v; the answer is %q", w.shop.looked[1], s.Answer)
	}
}

func TestSearchesHaveABudget(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	var replies []string
	for i := range 31 {
		replies = append(replies, fmt.Sprintf(`{"search_tables":"t%02d","search_top_k":30}`, i))
	}
	w.analyst.says(replies...)

	r := w.work(w.order(runs.Order{}).ID)

	steps := w.steps(r.ID)
	if got := types(steps[29:]); got != "search_tables search_tables:budget complete" || len(w.shop.searched) != warehouse.MaxSearches {
		t.Errorf("steps are %q after %d searches", got, len(w.shop.searched))
	}
	if s := steps[0]; !strings.Contains(s.Answer, "sales.t00 | 2c (0.90; its name)") || !strings.Contains(s.Answer, "Searches left: 29.") {
		t.Errorf("a search is answered with %q", s.Answer)
	}
}

func TestFaultsOfTheWarehouseAreSteps(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	faults := map[string]error{
		"SELECT revoked": warehouse.NewQueryError(warehouse.NoPermission, "permission denied for table orders", "orders", nil),
		"SELECT dropped": warehouse.NewQueryError(warehouse.UnknownTable, "no table orders", "orders", nil),
		"SELECT far":     warehouse.NewQueryError(warehouse.Unreachable, "connection reset", "", nil),
		"SELECT odd":     errors.New("something \x00 odd \xff"),
	}
	for sql, err := range faults {
		w.shop.answers[sql] = func() (*warehouse.Result, error) { return nil, err }
	}
	w.shop.answers["SELECT nothing"] = func() (*warehouse.Result, error) { return nil, nil }
	w.analyst.says(ask("SELECT revoked"), ask("SELECT dropped"), ask("SELECT far"), ask("SELECT odd"), ask("SELECT nothing"), ask("SELECT 1"))

	r := w.work(w.order(runs.Order{}).ID)

	steps := w.steps(r.ID)
	if got := types(steps); got != "query:permission query:unknown_table query:connection query:other query:other query complete" {
		t.Fatalf("steps are %q", got)
	}
	if s := steps[0]; s.Error != "permission denied for table orders" || !strings.Contains(s.Answer, "permission") {
		t.Errorf("the step says %q, %q", s.Error, s.Answer)
	}
	if r.Counters.Failed != 5 || r.Counters.Successful != 1 || r.Outcome != runs.FullOutcome {
		t.Errorf("the run is %+v", r)
	}
}

func TestFaultsOfTheIndexAreSteps(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.shop.broken = errors.New("the index is away")
	w.analyst.says(`{"lookup_schema":["orders"]}`, `{"search_tables":"ord"}`)

	r := w.work(w.order(runs.Order{}).ID)

	if got := types(w.steps(r.ID)); got != "lookup_schema:other search_tables:other complete" || w.analyst.seen[2].LookupsLeft != 30 || w.analyst.seen[2].SearchesLeft != 30 {
		t.Errorf("steps are %q; %d lookups and %d searches are left", got, w.analyst.seen[2].LookupsLeft, w.analyst.seen[2].SearchesLeft)
	}
}

func TestFixesAreKeptAndPaidFor(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	fixes := []warehouse.Fix{{By: "local", Class: warehouse.UnknownColumn, Error: "no ttl", From: "SELECT ttl", To: "SELECT total", Rule: "near", Works: false},
		{By: "small", Class: warehouse.SyntaxError, Error: "near x", From: "SELECT total", To: "SELECT 1", Works: true, Spent: warehouse.TokenUsage{In: 50, Out: 5, Calls: 1}}}
	w.o.Repair = func(ctx context.Context, _ string, src warehouse.Gateway, q warehouse.Query) (warehouse.Answer, []warehouse.Fix, error) {
		a, err := src.Ask(ctx, q)
		return a, fixes, err
	}
	w.analyst.says(ask("SELECT ttl"))

	r := w.work(w.order(runs.Order{}).ID)

	if diff := cmp.Diff(fixes, w.steps(r.ID)[0].Fixes); diff != "" {
		t.Errorf("fixes (-want +got):\n%s", diff)
	}
	if got := r.Spent[runs.Fixing]; got.In != 50 || got.Calls != 1 || got.Unpriced != 1 {
		t.Errorf("fixing cost %+v", got)
	}
	n := 0
	for _, e := range w.events(r.ID) {
		if e.Kind == runs.EventFix {
			n++
		}
	}
	if n != 2 {
		t.Errorf("%d fixes were told of", n)
	}
}

func TestWideResultIsCut(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	wide := &warehouse.Result{Rows: 1}
	for i := range 10_000 {
		wide.Columns = append(wide.Columns, digest.Column{Name: fmt.Sprintf("a column of a long name %d", i), Ints: []int64{int64(i)}})
	}
	w.shop.answers["SELECT *"] = func() (*warehouse.Result, error) { return wide, nil }
	w.analyst.says(ask("SELECT *"))

	r := w.work(w.order(runs.Order{}).ID)

	if s := w.steps(r.ID)[0]; len(s.Digest) == 0 || len(s.Digest) > 128<<10 || s.Error != "" {
		t.Errorf("the digest takes %d bytes, %q", len(s.Digest), s.Error)
	}
}
