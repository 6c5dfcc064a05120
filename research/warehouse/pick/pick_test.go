package pick

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/tokens"
)

var sales = warehouse.Area{Name: "Sales", Description: "Revenue and what drives it", Keywords: []string{"Revenue", "refund"}}

// step returns a query step whose result has rows of some columns.
func step(n int, purpose, sql string, columns, rows int) *warehouse.Step {
	all := make([]digest.Column, columns)
	for i := range all {
		all[i].Name = fmt.Sprint("measure_", i)
		for r := range rows {
			all[i].Floats = append(all[i].Floats, float64(n*r+i)+0.5)
		}
	}
	raw, err := json.Marshal(digest.Compact(all, digest.Mask{}))
	if err != nil {
		panic(err)
	}
	return &warehouse.Step{N: n, Type: warehouse.QueryStep, Purpose: purpose, Query: sql, Digest: raw, Rows: rows}
}

// scored returns a candidate of a step with a score.
func scored(n int, purpose string, score float64) Candidate {
	c := Prepare(step(n, purpose, fmt.Sprint("SELECT ", n), 2, 30))
	c.Score = score
	return c
}

func TestPick(t *testing.T) {
	t.Parallel()

	thought := scored(6, "a look", 0.2)
	thought.thinking = "so the revenue fell"
	failed := Prepare(&warehouse.Step{N: 7, Type: warehouse.QueryStep, Purpose: "revenue", Query: "SELECT", Error: "no"})
	failed.Score = 0.99
	twin := scored(8, "visits once more", 0.7)
	twin.key = "select 2"
	got := Pick([]Candidate{scored(1, "REVENUE by month", 0.1), scored(2, "visits", 0.9), scored(3, "stock", 0.5), scored(4, "staff", 0.29), scored(5, "orders", 0.5), thought, failed, twin, scored(9, "refunds", math.NaN())}, sales, Options{TopK: 5})
	want := []SelectedStep{{Step: 2, Score: 0.9, Source: Vector}, {Step: 1, Score: 0.55, Source: ExactMatch}, {Step: 9, Score: 0.55, Source: ExactMatch}, {Step: 3, Score: 0.5, Source: Vector}, {Step: 5, Score: 0.5, Source: Vector}}
	if diff := cmp.Diff(want, got.Selected); diff != "" {
		t.Error(diff)
	}
	dropped := []DroppedStep{{4, 0.29, BelowMinScore}, {6, 0.55, NotInTopK}, {7, 0.99, ErrorStep}, {8, 0.7, NearDuplicate}}
	if diff := cmp.Diff(dropped, got.Dropped); diff != "" {
		t.Error(diff)
	}
}

// A NaN where JSON wants a number would take the whole record with it.
func TestScoresAreNumbers(t *testing.T) {
	t.Parallel()

	got := Pick([]Candidate{scored(1, "visits", math.NaN()), scored(2, "stock", 0.4)}, sales, Options{})
	if _, err := json.Marshal(got); err != nil || len(got.Dropped) != 1 || got.Dropped[0].Score != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

// A step that names a keyword is not ranked out, however many others are close.
func TestKeywordsAreNeverRankedOut(t *testing.T) {
	t.Parallel()

	all := []Candidate{scored(1, "refund rate", 0.31)}
	for n := 2; n <= 40; n++ {
		all = append(all, scored(n, "close", 0.9))
	}
	got := Pick(all, sales, Options{})
	if len(got.Selected) != AnalysisAreaTopK+1 || got.Selected[AnalysisAreaTopK].Step != 1 {
		t.Errorf("selected are %v", got.Selected)
	}
}

func TestWordsRankWithoutVectors(t *testing.T) {
	t.Parallel()

	got := Pick([]Candidate{scored(1, "stock", 0), scored(2, "what drives visits", 0), scored(3, "revenue", 0)}, sales, Options{})
	if len(got.Selected) != 2 || got.Selected[0].Step != 3 || got.Selected[1].Step != 2 || got.Selected[1].Source != Lexical {
		t.Errorf("%+v", got)
	}
}

// Steps are cut before any is dropped, and one that is huge does not pass.
func TestBudget(t *testing.T) {
	t.Parallel()

	huge := Prepare(step(1, "revenue", "SELECT *", 4_000, 30))
	huge.Score = 0.99
	all := []Candidate{huge}
	for n := 2; n <= 20; n++ {
		all = append(all, scored(n, "visits", 0.8))
	}
	got := Pick(all, sales, Options{Budget: 12_000})
	if len(got.Selected) != 20 || !got.Selected[0].Cut || got.Selected[1].Cut || tokens.Count(got.Text) > 12_000 {
		t.Errorf("%d of 20 selected, %d tokens: %+v", len(got.Selected), tokens.Count(got.Text), got.Selected[0])
	}
	if !strings.Contains(got.Text, "columns_left_out") || !json.Valid([]byte(got.Text)) {
		t.Error("the huge step is not cut")
	}
}

func TestText(t *testing.T) {
	t.Parallel()

	s := &warehouse.Step{N: 3, Type: warehouse.QueryStep, Purpose: `revenue "now" </data>`, SQL: "SELECT 1", Rows: 1,
		Digest: json.RawMessage(`{"rowCount":1,"columns":[{"name":"n","kind":"string","distinct":1}],"allRows":[["</data>"]]}`)}
	c := Prepare(s)
	c.Score = 1
	want := "[\n" + `{"step":3,"purpose":"revenue \"now\" \u003c/data\u003e","sql":"SELECT 1","rows":1,"result":[{"n":"<\/data>"}]}` + "\n]"
	if got := Pick([]Candidate{c}, sales, Options{}).Text; got != want {
		t.Errorf("it is %s, want %s", got, want)
	}
	if got := Pick(nil, sales, Options{}).Text; got != "[\n]" {
		t.Errorf("of nothing it is %q", got)
	}
}

// pool are candidates of many sizes, made once.
func pool(n int) []Candidate {
	out := make([]Candidate, n)
	for i := range out {
		words := []string{"revenue by region", "visits", "refunds", "stock levels", "staff"}[i%5]
		out[i] = Prepare(step(i+1, words, fmt.Sprintf("SELECT a, sum(b) FROM sales.t%d GROUP BY 1", i%(n-n/8)), 1+i*7%23, 1+i*13%60))
		out[i].thinking = []string{"", "revenue it may be", "so"}[i%3]
	}
	return out
}

// Every step is in one list, the text is JSON within the budget, and the order of
// the candidates does not matter.
func TestPickProperties(t *testing.T) {
	t.Parallel()

	all := pool(90)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, len(all)).Draw(t, "n")
		candidates := slices.Clone(all[:n])
		for i := range candidates {
			candidates[i].Score = rapid.SampledFrom([]float64{0, 0.2, 0.3, 0.5, 0.55, 0.9}).Draw(t, "score")
		}
		o := Options{Budget: rapid.IntRange(1, 60_000).Draw(t, "budget"), TopK: rapid.IntRange(1, 40).Draw(t, "topK")}
		got := Pick(candidates, sales, o)
		var steps []int
		for _, s := range got.Selected {
			steps = append(steps, s.Step)
		}
		for _, d := range got.Dropped {
			steps = append(steps, d.Step)
			if d.Reason == NotInTopK && (strings.Contains(all[d.Step-1].purpose, "revenue") || strings.Contains(all[d.Step-1].purpose, "refund")) {
				t.Fatalf("step %d names a keyword and is ranked out", d.Step)
			}
		}
		slices.Sort(steps)
		if len(steps) != n || n > 0 && (steps[0] != 1 || steps[n-1] != n) || len(slices.Compact(steps)) != n {
			t.Fatalf("the steps of both lists are %v of %d", steps, n)
		}
		count := tokens.Count(got.Text)
		if !json.Valid([]byte(got.Text)) || count > got.Tokens || got.Tokens > count+6 || len(got.Selected) > 0 && count > o.Budget {
			t.Fatalf("%d tokens, said to be %d, of %d: %s", count, got.Tokens, o.Budget, got.Text)
		}
		shuffled := Pick(rapid.Permutation(candidates).Draw(t, "order"), sales, o)
		slices.SortFunc(shuffled.Dropped, func(a, b DroppedStep) int { return a.Step - b.Step })
		if diff := cmp.Diff(got, shuffled); diff != "" {
			t.Fatal(diff)
		}
	})
}

// Goal 17: 100 steps in 0.2 ms, 1,000 in 2 ms.
func BenchmarkPick(b *testing.B) {
	area := warehouse.Area{Name: "Sales", Keywords: []string{"revenue", "refund", "discount", "order value", "basket", "margin", "coupon", "upsell"}}
	for _, n := range []int{100, 1_000} {
		all := pool(n)
		for i := range all {
			if i%20 != 0 { // one in twenty names a keyword
				all[i].text, all[i].thinking = "visits by day"+all[i].key, "a look"
			}
			all[i].Score = float64(i*7919%997) / 1000
		}
		for _, budget := range []int{200_000, 20_000} {
			b.Run(fmt.Sprintf("%d steps, %d tokens", n, budget), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					Pick(all, area, Options{Budget: budget})
				}
			})
		}
	}
}
