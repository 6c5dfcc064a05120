package runs_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/prices"
	"quaestor/research/warehouse/runs"
)

func TestRunEndsWithWhatItFound(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.analyst.spent = warehouse.TokenUsage{In: 100, Cached: 60, Out: 10, Calls: 1}
	w.pays(prices.Price{Model: "script", In: 1000, Cached: 1000, Out: 1000})
	w.analyst.says(`{"lookup_schema":["orders","nowhere"]}`, `{"search_tables":"ref"}`, ask("SELECT 1"), ask("SELECT 2"), `{"done":true,"summary":"Sales grow."}`)

	r := w.work(w.order(runs.Order{By: "ada", MaxSteps: 10}).ID)

	steps := w.steps(r.ID)
	if got, want := types(steps), "lookup_schema search_tables query query complete"; got != want {
		t.Fatalf("steps are %q, want %q", got, want)
	}
	if r.Status != runs.Completed || r.Stop != runs.StopComplete || r.Outcome != runs.FullOutcome || r.Progress != 100 || r.Analyst != "script" || r.Pack != "generic@1" || len(r.PromptHash) != 32 {
		t.Errorf("the run is %+v", r)
	}
	if want := "5 steps, 2 of 2 queries answered over 1 table. The analyst was done.\n\nSales grow."; r.Summary != want {
		t.Errorf("summary is %q, want %q", r.Summary, want)
	}
	counters := r.Counters
	counters.Active = 0
	if diff := cmp.Diff(runs.Counters{Steps: 5, Queries: 2, Successful: 2, Lookups: 1, Searches: 1, Dropped: 2, Scanned: 8192, Asking: 4 * time.Millisecond}, counters); diff != "" {
		t.Errorf("counters (-want +got):\n%s", diff)
	}
	want := map[runs.Purpose]runs.PurposeCost{runs.Exploring: {TokenUsage: warehouse.TokenUsage{In: 500, Cached: 300, Out: 50, Calls: 5}, USD: 0.55,
		Asked: warehouse.StatementUsage{Statements: 2, Rows: 60, Scanned: 8192, Took: 4 * time.Millisecond}, UnpricedStatements: 2}}
	if diff := cmp.Diff(want, r.Spent, cmp.Comparer(func(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 })); diff != "" {
		t.Errorf("spent (-want +got):\n%s", diff)
	}
	if got := kinds(w.events(r.ID)); got != "queued started initialization context schema exploration analysis validation recommendations saving finished" {
		t.Errorf("events are %q", got)
	}
	if w.shop.closed != 1 || r.Ended == nil || r.Started == nil {
		t.Errorf("the warehouse was closed %d times; the run began %v and ended %v", w.shop.closed, r.Started, r.Ended)
	}
}

// A digest is stored as it was made, byte by byte.
func TestDigestIsStoredByteByByte(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	odd := &warehouse.Result{Columns: []digest.Column{{Name: "b", Strings: []string{"x\x00y", "ü\u2028<&>", "it's"}}, {Name: "a", Floats: []float64{1e21, -0.5, 3}}, {Name: "b", Decimals: []string{"1.10", "2", "3"}}}, Rows: 3}
	w.shop.answers["SELECT odd"] = func() (*warehouse.Result, error) { return odd, nil }
	w.analyst.says(ask("SELECT odd"))

	r := w.work(w.order(runs.Order{}).ID)

	s := w.steps(r.ID)[0]
	want, err := json.Marshal(digest.Compact(odd.Columns, digest.Mask{}))
	if err != nil {
		t.Fatal(err)
	}
	if string(s.Digest) != string(want) {
		t.Errorf("digest is %s, want %s", s.Digest, want)
	}
}

// What identifies people has one name in all digests of a run, and another in
// another run.
func TestMaskIsOfTheRun(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	people := make([]string, 40)
	for i := range people {
		people[i] = fmt.Sprintf("person%d@example.org", i)
	}
	w.shop.answers["SELECT people"] = func() (*warehouse.Result, error) {
		return &warehouse.Result{Columns: []digest.Column{{Name: "email", Strings: people}}, Rows: len(people)}, nil
	}
	w.shop.answers["SELECT people again"] = w.shop.answers["SELECT people"]
	w.analyst.says(ask("SELECT people"), ask("SELECT people again"))

	first, second := w.steps(w.work(w.order(runs.Order{}).ID).ID), w.steps(w.work(w.order(runs.Order{}).ID).ID)

	if strings.Contains(string(first[0].Digest), "person3@") {
		t.Errorf("a person is named in %s", first[0].Digest)
	}
	if string(first[0].Digest) != string(first[1].Digest) || string(first[0].Digest) == string(second[0].Digest) {
		t.Errorf("names are %s, %s and in another run %s", first[0].Digest, first[1].Digest, second[0].Digest)
	}
}

func TestReplyThatCannotBeReadIsAskedForAgain(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.analyst.script = map[int][]string{1: {"I am done.", `{"plan":"x"}`, `{"query":"SELECT`, ask("SELECT 1")}}

	r := w.work(w.order(runs.Order{}).ID)

	s := w.steps(r.ID)[0]
	if s.Type != warehouse.QueryStep || s.Corrections != 3 || s.Error != "" || s.Query != "SELECT 1" {
		t.Errorf("the step is %+v", s)
	}
	for i, want := range []struct{ correction, rejected string }{{"", ""}, {"no JSON object", "I am done."}, {"asks for nothing", `{"plan":"x"}`}, {"not closed", `{"query":"SELECT`}} {
		if got := w.analyst.seen[i]; !strings.Contains(got.Correction, want.correction) || got.Rejected != want.rejected || len(got.Steps) != 0 {
			t.Errorf("call %d is corrected with %q about %q, want %+v", i, got.Correction, got.Rejected, want)
		}
	}
}

func TestExplorationEndsEarly(t *testing.T) {
	t.Parallel()

	unreachable := func() (*warehouse.Result, error) {
		return nil, warehouse.NewQueryError(warehouse.Unreachable, "no route", "", nil)
	}
	many := func(n int, reply string) []string { return slices.Repeat([]string{reply}, n) }
	for _, tt := range []struct {
		name    string
		order   runs.Order
		replies []string
		steps   string
		stop    runs.StopReason
		outcome runs.Outcome
		calls   int
	}{
		{"unparseable", runs.Order{}, append([]string{ask("SELECT 1")}, many(9, "prose")...), "query error:reply error:reply error:reply", runs.StopUnparseable, runs.PartialOutcome, 13},
		{"model away", runs.Order{}, append([]string{ask("SELECT 1")}, many(9, "!")...), "query error:model error:model error:model", runs.StopModel, runs.PartialOutcome, 4},
		{"model away from the first", runs.Order{}, many(9, "!"), "error:model error:model error:model", runs.StopModel, runs.NoOutcome, 3},
		{"errors between", runs.Order{MaxSteps: 6}, []string{"!", "!", ask("SELECT 1"), "!", "prose", `{"done":true}`}, "error:model error:model query error:model error:reply complete", runs.StopComplete, runs.FullOutcome, 9},
		{"errors of both kinds", runs.Order{}, []string{ask("SELECT 1"), "!", "prose", "!"}, "query error:model error:reply error:model", runs.StopUnparseable, runs.PartialOutcome, 7},
		{"all steps", runs.Order{MaxSteps: 3}, []string{ask("SELECT 1"), ask("SELECT 2"), ask("SELECT 3")}, "query query query", runs.StopMaxSteps, runs.FullOutcome, 3},
		{"nothing new", runs.Order{}, many(9, ask("SELECT 1")), "query query=1 query=1 query=1", runs.StopRepeating, runs.FullOutcome, 4},
		{"nothing new in turns", runs.Order{}, []string{ask("SELECT 1"), `{"lookup_schema":["orders"]}`, `{"search_tables":"ord"}`, ask(" SELECT  1;"), `{"lookup_schema":["sales.orders"]}`, `{"search_tables":"ORD"}`},
			"query lookup_schema search_tables query=1 lookup_schema=2 search_tables=3", runs.StopRepeating, runs.FullOutcome, 6},
		{"warehouse away", runs.Order{}, []string{ask("SELECT 1"), ask("SELECT far"), ask("SELECT far"), ask("SELECT far")}, "query query:connection query:connection query:connection", runs.StopWarehouse, runs.PartialOutcome, 4},
		{"tokens", runs.Order{Budget: runs.Budget{Tokens: 300}}, []string{ask("SELECT 1"), ask("SELECT 2"), ask("SELECT 3"), ask("SELECT 4")}, "query query query", runs.StopTokens, runs.PartialOutcome, 3},
		{"money", runs.Order{Budget: runs.Budget{USD: 0.2}}, []string{ask("SELECT 1"), ask("SELECT 2"), ask("SELECT 3"), ask("SELECT 4")}, "query query", runs.StopMoney, runs.PartialOutcome, 2},
		{"too early", runs.Order{MinSteps: 4}, append(many(5, `{"done":true,"summary":"x"}`), "!"), "complete_rejected complete_rejected complete_rejected complete", runs.StopComplete, runs.NoOutcome, 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			w := newWorld(t)
			w.analyst.spent = warehouse.TokenUsage{In: 100, Out: 10, Calls: 1}
			w.pays(prices.Price{Model: "script", In: 1000})
			w.shop.answers["SELECT far"] = unreachable
			w.analyst.says(tt.replies...)

			r := w.work(w.order(tt.order).ID)

			if got := types(w.steps(r.ID)); got != tt.steps || r.Stop != tt.stop || r.Outcome != tt.outcome || r.Status != runs.Completed {
				t.Errorf("steps are %q, the run stopped by %q with %q, %s; want %q, %q, %q", got, r.Stop, r.Outcome, r.Status, tt.steps, tt.stop, tt.outcome)
			}
			if tt.stop == runs.StopModel && !strings.HasSuffix(r.Summary, "The analyst gave no replies any more. What was wrong last: the analyst gave no reply: the model is away") {
				t.Errorf("summary is %q", r.Summary)
			}
			if got := w.analyst.calls(); got != tt.calls {
				t.Errorf("the analyst was asked %d times, want %d", got, tt.calls)
			}
		})
	}
}

func TestTimeIsABudget(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.analyst.says(ask("SELECT 1"), ask("SELECT 2"))
	run := w.order(runs.Order{Budget: runs.Budget{Time: time.Hour}})
	w.exec(`UPDATE warehouse_runs SET active_ms = 3600000 WHERE tenant_id = $1 AND id = $2`, w.tenant, run.ID)

	if r := w.work(run.ID); r.Stop != runs.StopTime || r.Counters.Steps != 0 {
		t.Errorf("the run stopped by %q after %d steps", r.Stop, r.Counters.Steps)
	}
}

func TestEndIsRefusedBeforeTheLeastSteps(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.analyst.says(`{"done":true}`, ask("SELECT 1"), `{"done":true}`)

	r := w.work(w.order(runs.Order{MinSteps: 3, MaxSteps: 5}).ID)

	if got := types(w.steps(r.ID)); got != "complete_rejected query complete" {
		t.Fatalf("steps are %q", got)
	}
	if next := w.analyst.seen[1]; !strings.Contains(next.Correction, "2 more are to be made") || next.Rejected != "" {
		t.Errorf("the analyst is told %q about %q", next.Correction, next.Rejected)
	}
	if next := w.analyst.seen[2]; next.Correction != "" {
		t.Errorf("the correction %q stays", next.Correction)
	}
}

func TestRepeatedQueryIsAnsweredFromItsStep(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	gone := func() (*warehouse.Result, error) {
		return nil, warehouse.NewQueryError(warehouse.UnknownColumn, "no column x", "x", nil)
	}
	slow := func() (*warehouse.Result, error) {
		return nil, warehouse.NewQueryError(warehouse.TimedOut, "30 s", "", nil)
	}
	w.shop.answers["SELECT x"], w.shop.answers["SELECT y"] = gone, slow
	w.analyst.says(ask("SELECT 1"), ask("SELECT x"), ask("SELECT\n 1 ;"), ask("SELECT x"), `{"search_tables":"ref"}`, ask("SELECT y"), ask("SELECT y"))

	r := w.work(w.order(runs.Order{}).ID)

	steps := w.steps(r.ID)
	if got, want := types(steps), "query query:unknown_column query=1 query=2:unknown_column search_tables query:timeout query:timeout complete"; got != want {
		t.Fatalf("steps are %q, want %q", got, want)
	}
	if string(steps[2].Digest) != string(steps[0].Digest) || steps[2].SQL != steps[0].SQL || steps[2].Scanned != 0 || !strings.Contains(steps[2].Answer, "step 1") {
		t.Errorf("the repeated step is %+v", steps[2])
	}
	if correction := w.analyst.seen[3].Correction; correction != steps[2].Answer || w.analyst.seen[2].Correction != "" {
		t.Errorf("after a repeated query the analyst is corrected with %q", correction)
	}
	if n := w.shop.questions(); n != 4 {
		t.Errorf("the warehouse was asked %d times, want 4", n)
	}
	if c := r.Counters; c.Queries != 4 || c.Successful != 1 || c.Failed != 3 {
		t.Errorf("counters are %+v", c)
	}
}

func TestNextRunIsToldOfTheOneBefore(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.analyst.says(ask("SELECT 1"))
	first := w.work(w.order(runs.Order{}).ID)
	w.analyst.seen = nil

	w.work(w.order(runs.Order{}).ID)

	second := w.find(w.lastRun())
	if len(second.Previous) != 1 || second.Previous[0].ID != first.ID || second.Previous[0].Summary != first.Summary || !slices.Equal(second.Previous[0].Asked, []string{"to see SELECT 1"}) || w.analyst.seen[0].Instructions.System != "Look into the shop. 1 runs before." {
		t.Errorf("it is told %+v and %q", second.Previous, w.analyst.seen[0].Instructions.System)
	}
}

// lastRun returns the id of the run that was made last.
func (w *world) lastRun() string {
	w.t.Helper()
	list, err := runs.List(background, w.pool, w.tenant, runs.Filter{Max: 1})
	if err != nil || len(list) != 1 {
		w.t.Fatalf("List = %v, %v", list, err)
	}
	return list[0].ID
}
