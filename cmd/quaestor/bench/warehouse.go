package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/analyst"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/pick"
)

// warehousePart needs nothing but itself: neither server nor database.
const warehousePart = "warehouse"

// batches is how often a case is timed; the best counts, since others use the
// machine too.
const batches = 15

// expense is what one run of a case takes.
type expense struct{ nanos, bytes, allocs float64 }

// expenseOf times f, each batch as long as given.
func expenseOf(f func(), batch time.Duration) expense {
	f()
	began := time.Now()
	f()
	n := int(max(1, batch/max(time.Since(began), 1)))
	best := time.Duration(1<<63 - 1)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range batches {
		began = time.Now()
		for range n {
			f()
		}
		best = min(best, time.Since(began))
	}
	runtime.ReadMemStats(&after)
	runs := float64(n * batches)
	return expense{float64(best) / float64(n), float64(after.TotalAlloc-before.TotalAlloc) / runs, float64(after.Mallocs-before.Mallocs) / runs}
}

// figureCase is a case, and what the predecessor published of it; zeros where it
// published nothing.
type figureCase struct {
	name     string
	run      func()
	was      expense
	faster   float64       // times, that must be reached
	fewer    float64       // allocations, times fewer, that must be reached
	within   time.Duration // that must be reached
	measured expense
}

// met says whether what must be is reached, and what must be.
func (c *figureCase) met() (must, met string) {
	var list []string
	ok := true
	if c.faster > 0 {
		list = append(list, fmt.Sprintf("%g × faster", c.faster))
		ok = ok && c.measured.nanos*c.faster <= c.was.nanos
	}
	if c.fewer > 0 {
		list = append(list, fmt.Sprintf("%g × fewer allocs", c.fewer))
		ok = ok && c.measured.allocs*c.fewer <= c.was.allocs
	}
	if c.within > 0 {
		list = append(list, "< "+c.within.String())
		ok = ok && c.measured.nanos < float64(c.within)
	}
	switch {
	case list == nil:
		return "–", "–"
	case ok:
		return strings.Join(list, ", "), "met"
	default:
		return strings.Join(list, ", "), "NOT MET"
	}
}

// measureWarehouse times what warehouse runs do without a warehouse and without a
// model, beside the predecessor's figures, and judges the goals of such runs.
func (b *bench) measureWarehouse(context.Context) error {
	batch := 20 * time.Millisecond
	if b.window <= time.Second { // a smoke run
		batch = time.Millisecond
	}
	cases := slices.Concat(digestCases(), renderCases(), pickCases(), catalogCases(), parseCases())
	t := table{left: 1, head: []string{"case", "ns/op", "B/op", "allocs/op", "predecessor ns", "allocs", "faster", "fewer allocs", "must", "met"}}
	for i := range cases {
		c := &cases[i]
		c.measured = expenseOf(c.run, batch)
		must, met := c.met()
		t.add(c.name, figure(c.measured.nanos), figure(c.measured.bytes), figure(c.measured.allocs), orDash(c.was.nanos), orDash(c.was.allocs), times(c.was.nanos, c.measured.nanos), times(c.was.allocs, c.measured.allocs), must, met)
	}
	b.tell("Warehouse runs beside their predecessor", &t, "Its figures are the best of several runs of its own functions on another machine with 2 cores, with the same data: times compare roughly, allocations exactly.",
		"maps: rows as []map[string]any; native: columns as our drivers read them. Catalogs are made with their joins, cold.")
	b.tellWarehouseGoals(batch)
	return nil
}

// times returns how many times a is b; all of it when b is less than one.
func times(a, b float64) string {
	if a == 0 {
		return "–"
	}
	return figure(a/max(b, 1)) + " ×"
}

// digestCases are digests of 12 columns.
func digestCases() []figureCase {
	var out []figureCase
	for _, c := range []struct {
		rows          int
		was           expense
		faster, fewer float64
	}{{20, expense{56_700, 39_304, 242}, 0, 0}, {2_000, expense{4_031_000, 1_826_204, 2_184}, 5, 20}, {100_000, expense{214_600_000, 79_997_692, 101_424}, 0, 0}} {
		rows := orders(c.rows)
		columns := nativeOrders(rows)
		out = append(out,
			figureCase{name: fmt.Sprintf("digest %d × 12, maps", c.rows), was: c.was, faster: c.faster, fewer: c.fewer, run: func() { digest.CompactMaps(orderNames, rows, digest.Mask{}) }},
			figureCase{name: fmt.Sprintf("digest %d × 12, native", c.rows), was: c.was, faster: c.faster, fewer: c.fewer, run: func() { digest.Compact(columns, digest.Mask{}) }})
	}
	rows := orders(2_000)
	return append(out, figureCase{name: "digest and its JSON, 2000 × 12, maps", was: expense{5_711_000, 1_854_000, 2_453}, run: func() { digest.CompactMaps(orderNames, rows, digest.Mask{}).AppendPrompt(nil) }})
}

// renderCases write steps into prompts.
func renderCases() []figureCase {
	d := digest.Compact(nativeOrders(orders(2_000)), digest.Mask{})
	buf := d.AppendPrompt(nil)
	s := erpRun(100)
	m := &analyst.Model{}
	return []figureCase{
		{name: "write 24 digests", was: expense{2_016_000, 783_000, 6_248}, run: func() {
			for range 24 {
				buf = d.AppendPrompt(buf[:0])
			}
		}},
		{name: "prepare 24 stored steps and count their tokens", run: func() {
			for i := range 24 {
				pick.Prepare(&s.Steps[i])
			}
		}},
		{name: "prompt of step 101, the steps before known", run: func() { m.Messages(s) }},
		{name: "prompt of step 101, after a restart", run: func() { analyst.Messages(s, analyst.MaxPrompt) }},
	}
}

// subject is an area with eight keywords.
var subject = warehouse.Area{Name: "Revenue", Description: "What is earned, and where", Keywords: strings.Fields("revenue refund discount basket margin coupon upsell churn")}

// candidates returns n steps with scores, of which one in twelve names a keyword.
func candidates(n int) []pick.Candidate {
	digests := [][]byte{stored(2_000, 12), stored(500, 8), stored(20, 5), stored(2_000, 4), stored(100, 10)}
	r := random(42)
	out := make([]pick.Candidate, n)
	for i := range out {
		s := queried(i+1, digests[i%len(digests)], 2_000)
		s.Thinking = s.Thinking[:200]
		if i%12 > 0 {
			s.Purpose = "sessions by device"
		}
		out[i] = pick.Prepare(&s)
		out[i].Score = r.float()
	}
	return out
}

func pickCases() []figureCase {
	var out []figureCase
	for _, c := range []struct {
		name   string
		steps  int
		budget int
		was    expense
	}{{"under budget", 100, 200_000, expense{8_244_000, 3_327_000, 24_335}}, {"20K tokens", 100, 20_000, expense{100_770_000, 35_870_000, 275_213}},
		{"200K tokens", 1_000, 200_000, expense{5.52e9, 2.08e9, 14.5e6}}, {"20K tokens", 1_000, 20_000, expense{5.09e9, 2.22e9, 15.71e6}}} {
		all := candidates(c.steps)
		out = append(out, figureCase{name: fmt.Sprintf("pick of %d steps, %s", c.steps, c.name), was: c.was, run: func() { pick.Pick(all, subject, pick.Options{Budget: c.budget}) }})
	}
	return out
}

func catalogCases() []figureCase {
	var out []figureCase
	for _, c := range []struct {
		tables, budget int
		was            expense
		within         time.Duration
	}{{100, 0, expense{102_000, 51_680, 726}, 0}, {2_000, 0, expense{2_137_000, 1_128_115, 13_935}, 0}, {10_000, 0, expense{11_173_000, 6_870_512, 69_375}, 0}, {20_000, 150_000, expense{35e9, 24.6e9, 191.7e6}, 150 * time.Millisecond}} {
		tables := schemas(c.tables)
		name := fmt.Sprintf("catalog of %d tables", c.tables)
		if c.budget > 0 {
			name += ", over budget"
		}
		out = append(out, figureCase{name: name, was: c.was, within: c.within, run: func() {
			catalog.NewIndex(slices.Clone(tables)).Render(catalog.Options{Words: subject.Keywords[:3], Budget: c.budget})
		}})
	}
	x := catalog.NewIndex(schemas(2_000))
	return append(out, figureCase{name: "catalog text of 2000 tables, joins known", was: expense{2_691_000, 1_155_000, 12_047}, run: func() { x.Render(catalog.Options{Words: subject.Keywords[:3]}) }})
}

func parseCases() []figureCase {
	const plain = `{"thinking":"Revenue by month tells whether the dip of March is one of all regions or of one.","query":"SELECT region, date_trunc('month', placed_at) AS m, sum(total) FROM sales.orders GROUP BY 1, 2","query_purpose":"revenue by month"}`
	var out []figureCase
	for _, c := range []struct {
		name, reply string
		was         expense
	}{{"plain", plain, expense{7_156, 2_408, 27}}, {"fenced", "```json\n" + plain + "\n```", expense{6_665, 2_536, 29}},
		{"after 20 KB of reasoning", strings.Repeat("The orders table has \"names\" and I wonder about it. ", 390) + plain, expense{33_800, 15_176, 35}},
		{"tool envelope", `{"name":"lookup_schema","input":{"tables":["sales.orders","sales.customers"]}}`, expense{6_078, 2_296, 45}}} {
		out = append(out, figureCase{name: "parse action, " + c.name, was: c.was, faster: 3, run: func() { _, _ = warehouse.ParseAction(c.reply, warehouse.Anything) }})
	}
	return out
}
