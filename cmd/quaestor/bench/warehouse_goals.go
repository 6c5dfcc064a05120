package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"quaestor/internal/llm"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/analyst"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/pick"
	"quaestor/research/warehouse/tokens"
)

// catalogBudget is how many tokens of a prompt a catalog takes, by the catalog's
// own count.
const catalogBudget = 7_500

// erpRun returns a run after n steps over 2,000 tables, as a diligent analyst makes
// them: one step in eight looks tables up, one in sixteen searches, one in twenty
// fails.
func erpRun(n int) warehouse.Situation {
	x := catalog.NewIndex(schemas(2_000))
	rules := strings.Repeat("Explore the warehouse step by step, each time with one JSON object, and say what each step is to find out. ", 125)
	s := warehouse.Situation{Brief: warehouse.Brief{System: rules + x.Render(catalog.Options{Words: subject.Keywords, Budget: catalogBudget}).Text}, MaxSteps: n + 1, MinSteps: n / 2, LookupsLeft: 17, SearchesLeft: 24}
	results := []struct {
		rows, columns int
	}{{2_000, 8}, {12, 4}, {500, 5}, {1, 3}, {2_000, 12}, {40, 3}, {15, 6}}
	digests := make([][]byte, len(results))
	for i, r := range results {
		digests[i] = stored(r.rows, r.columns)
	}
	for i := 1; i <= n; i++ {
		step := queried(i, digests[i%len(digests)], results[i%len(digests)].rows)
		switch {
		case i%8 == 1:
			step = warehouse.Step{N: i, Type: warehouse.LookupStep, Reply: `{"lookup_schema":["area0.customers"]}`}
			for k := range 3 {
				step.Tables = append(step.Tables, x.Table((i*31+k)%x.Len()).Ref())
				step.Answer += x.Describe((i*31 + k) % x.Len())
			}
		case i%16 == 4:
			step = warehouse.Step{N: i, Type: warehouse.SearchStep, Search: "late orders", TopK: 10, Reply: `{"search_tables":"late orders"}`, Answer: x.Render(catalog.Options{Budget: 300}).Text}
		case i%20 == 7:
			step.Digest, step.Error, step.Class = nil, "unknown_column: column placed_at does not exist", warehouse.UnknownColumn
		}
		s.Steps = append(s.Steps, step)
	}
	return s
}

// erp is what a run of 100 steps over 2,000 tables and 8 areas sends.
type erp struct {
	total, largest, p95 int
	stable              float64 // share of the tokens that begin as the prompt before did
	area                int     // the tokens of an area's results, at most
}

// runERP plays the run with replies that are given.
func runERP() erp {
	var out erp
	s, m := erpRun(100), &analyst.Model{}
	all := s.Steps
	var before []llm.Message
	var sizes []int
	again := 0
	for n := range all {
		s.Steps = all[:n]
		told, size := m.Messages(s)
		sizes, again, out.total = append(sizes, size), again+sameBeginning(before, told), out.total+size
		before = told
	}
	out.stable = float64(again) / float64(out.total)
	var list []pick.Candidate
	for i := range all {
		if all[i].Type == warehouse.QueryStep {
			c := pick.Prepare(&all[i])
			c.Score = float64(i*37%100) / 100
			list = append(list, c)
		}
	}
	for range 8 {
		size := tokens.Count(pick.Pick(list, subject, pick.Options{Budget: areaBudget}).Text)
		out.area, out.total = max(out.area, size), out.total+size
	}
	slices.Sort(sizes)
	out.largest, out.p95 = sizes[len(sizes)-1], sizes[len(sizes)*95/100]
	return out
}

// areaBudget is how many tokens an area's results take.
const areaBudget = 15_000

// sameBeginning returns the tokens with which now begins as before did.
func sameBeginning(before, now []llm.Message) int {
	n := 0
	for i := range min(len(before), len(now)) {
		a, b := before[i].Content, now[i].Content
		if a != b {
			same := 0
			for same < min(len(a), len(b)) && a[same] == b[same] {
				same++
			}
			return n + tokens.Count(a[:same])
		}
		n += tokens.Count(a) + 4
	}
	return n
}

// tellWarehouseGoals judges the goals of warehouse runs. Floors are those of the
// goals table, measured on another machine.
func (b *bench) tellWarehouseGoals(batch time.Duration) {
	goals := slices.Concat(catalogGoals(batch), digestGoals(batch), pickGoals(batch), erpGoals(), countGoals())
	t := table{left: 2, head: []string{"goal", "what", "measured", "floor", "must", "excellent", "verdict"}}
	for _, g := range goals {
		t.add(g.number, g.what, figure(g.value)+" "+g.unit, orDash(g.floor), orDash(g.must), orDash(g.excellent), g.verdict())
	}
	b.tell("Goals of warehouse runs", &t, "Floors in ms are of another machine with 2 cores. Goal 15 is measured beside the schema search itself.",
		"Goal 18 is a run of 100 steps over 2,000 tables with replies that are given, its floor the predecessor's own sum for such a run; tokens are of the o200k vocabulary.")
}

// millisOf returns the time of f in milliseconds.
func millisOf(f func(), batch time.Duration) float64 { return expenseOf(f, batch).nanos / 1e6 }

func catalogGoals(batch time.Duration) []goal {
	var out, sizes []goal
	for _, c := range []struct {
		tables int
		floor  float64
	}{{2_000, 0.38}, {10_000, 2.2}, {100_000, 32}} {
		x := catalog.NewIndex(schemas(c.tables))
		what := fmt.Sprintf("catalog of %d tables", c.tables)
		took := millisOf(func() { x.Render(catalog.Options{Words: subject.Keywords[:3]}) }, batch)
		out = append(out, against("13", what+", rendered", "ms", took, c.floor, 5, 1.5))
		text := x.Render(catalog.Options{Words: subject.Keywords, Budget: catalogBudget}).Text
		sizes = append(sizes, within("14", what+", in a prompt", "tokens", float64(tokens.Count(text)), 20_000, 8_000))
	}
	return append(out, sizes...)
}

func digestGoals(batch time.Duration) []goal {
	var out []goal
	for _, n := range []int{2_000, 100_000} {
		columns := nativeOrders(orders(n))[:8]
		took := millisOf(func() { digest.Compact(columns, digest.Mask{}) }, batch)
		out = append(out, goal{number: "16", what: fmt.Sprintf("digest of %d rows × 8, native", n), unit: "rows/s", value: float64(n) / took * 1000, floor: publishedRows, must: 2 * publishedRows, excellent: 5 * publishedRows, atLeast: true})
		if n == 2_000 {
			out = append(out, within("16", "its size, with head and tail", "bytes", float64(digest.Compact(columns, digest.Mask{}).PromptSize()), 2_600, 1_500))
		}
	}
	return out
}

func pickGoals(batch time.Duration) []goal {
	few, many := candidates(100), candidates(1_000)
	hundred := within("17", "pick of 100 steps", "ms", millisOf(func() { pick.Pick(few, subject, pick.Options{}) }, batch), 5, 0.2)
	thousand := within("17", "pick of 1,000 steps", "ms", millisOf(func() { pick.Pick(many, subject, pick.Options{}) }, batch), 5, 2)
	hundred.floor, thousand.floor = 0.088, 0.9
	return []goal{hundred, thousand}
}

// What the predecessor is known for: rows a second of a digest, and the tokens of a
// run of 100 steps over 2,000 tables by its own sum, at the least.
const (
	publishedRows   = 0.78e6
	publishedTokens = 5.3e6
)

func erpGoals() []goal {
	e := runERP()
	total := within("18", "input tokens of a run of 100 steps and 8 areas", "tokens", float64(e.total), 0.5*publishedTokens, 1.9e6)
	total.floor = publishedTokens
	share := goal{number: "18", what: "of it a stable prefix", unit: "%", value: 100 * e.stable, must: 50, excellent: 50, atLeast: true}
	return []goal{total, within("18", "largest call", "tokens", float64(e.largest), 0, 24_000), within("18", "call, p95", "tokens", float64(e.p95), 0, 21_000), share,
		within("18", "results of an area, at most", "tokens", float64(e.area), 0, 15_000)}
}

// countGoals times what a turn adds to be counted: text that nobody counted before.
func countGoals() []goal {
	tokens.Count("the vocabulary is loaded")
	d := stored(2_000, 8)
	var all sample
	for i := range 200 {
		s := queried(i+1_000, d, 2_000)
		text := s.Reply + string(d) + fmt.Sprint(i)
		began := time.Now()
		tokens.Count(text)
		all.add(time.Since(began))
	}
	return []goal{within("19", "counting a turn's new text, p50", "ms", ms(all.p50()), 0.2, 0.2), within("19", "the same, p99", "ms", ms(all.p99()), 1, 0.2)}
}
