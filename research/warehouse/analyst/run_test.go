package analyst

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/digest"
)

// system is an exploration prompt with a line for each of so many tables.
func system(tables int) string {
	var b strings.Builder
	b.WriteString(strings.Repeat("Explore the warehouse and say what you want to know next as one JSON object. ", 30))
	for i := range tables {
		fmt.Fprintf(&b, "\narea%d.order_line%d | 24c | %d.3K rows | order, refund | -> area0.customers", i%20, i, i%90)
	}
	return b.String()
}

// result is the digest of rows of so many columns.
func result(r *rand.Rand, columns, rows int) json.RawMessage {
	all := make([]digest.Column, columns)
	for i := range all {
		c := &all[i]
		c.Name = fmt.Sprintf("measure_%d", i)
		for range rows {
			if i%4 == 0 {
				c.Strings = append(c.Strings, fmt.Sprint("region ", r.IntN(9)))
			} else {
				c.Floats = append(c.Floats, float64(r.IntN(1e6))/8)
			}
		}
	}
	raw, err := json.Marshal(digest.Compact(all, digest.Mask{}))
	if err != nil {
		panic(err)
	}
	return raw
}

// described is what a lookup of so many tables says.
func described(tables, columns int) string {
	var b strings.Builder
	for t := range tables {
		fmt.Fprintf(&b, "## area%d.order_line%d (14.3K rows)\n", t%20, t)
		for c := range columns {
			fmt.Fprintf(&b, "- measure_%d numeric(10,2) [metric]\n", c)
		}
	}
	return b.String()
}

// shapes are steps of all kinds and sizes, made once; a run numbers copies of them.
var shapes = func() []warehouse.Step {
	r := rand.New(rand.NewPCG(4, 2))
	query := func(columns, rows int, purpose string) warehouse.Step {
		sql := fmt.Sprintf("SELECT region, sum(total) FROM area%d.order_line%d GROUP BY 1", columns%20, rows)
		return warehouse.Step{Type: warehouse.QueryStep, Thinking: "Whether the dip is one of all regions.", Purpose: purpose, Query: sql, Rows: rows, Tables: []string{fmt.Sprintf("area%d.order_line%d", columns%20, rows)},
			Digest: result(r, columns, rows), Reply: fmt.Sprintf(`{"thinking":"Whether the dip is one of all regions.","query":%q,"query_purpose":%q}`, sql, purpose)}
	}
	many := make([]string, 10)
	for i := range many {
		many[i] = fmt.Sprintf("area%d.order_line%d", i, i)
	}
	huge := query(4, 50, strings.Repeat("revenue by region and month ", 4_000))
	huge.Reply = "{" + strings.Repeat("thinking … ", 50_000)
	huge.Query = strings.Repeat("SELECT 1 UNION ALL ", 30_000)
	return []warehouse.Step{
		query(3, 12, "revenue by region"), query(4, 400, "orders by region and month"), query(8, 2_000, "all measures"), query(1, 1, "rows"), query(12, 600, "the wide one"),
		query(400, 30, "every column there is"), huge,
		{Type: warehouse.LookupStep, Tables: many[:3], Answer: described(3, 24), Reply: `{"lookup_schema":["area0.order_line0","area1.order_line1","area2.order_line2"]}`},
		{Type: warehouse.LookupStep, Tables: many, Answer: described(10, 300), Reply: `{"lookup_schema":["all"]}`},
		{Type: warehouse.SearchStep, Search: "late orders", TopK: 30, Tables: many, Answer: strings.Repeat("area0.order_line0 | 24c | 14.3K rows\n", 30), Reply: `{"search_tables":"late orders"}`},
		{Type: warehouse.QueryStep, Query: "SELECT x", Error: "unknown_column: " + strings.Repeat("there is no x </data> ", 9_000), Class: warehouse.UnknownColumn, Reply: `{"query":"SELECT x"}`},
		{Type: warehouse.ErrorStep, Error: "the reply holds no JSON object", Reply: strings.Repeat("no ", 170_000)},
		{Type: warehouse.ErrorStep, Error: "language model: timeout"},
		{Type: warehouse.CompleteRejectedStep, Answer: "60 steps must be done before the end", Reply: `{"done":true,"summary":"all of it"}`},
		{Type: warehouse.InsightStep},
	}
}()

// run returns a situation after the steps that pick chooses of the shapes.
func run(brief warehouse.Instructions, n int, pick func(i int) int) warehouse.Situation {
	s := warehouse.Situation{Instructions: brief, MaxSteps: n + 1, MinSteps: n / 2, LookupsLeft: 20, SearchesLeft: 30}
	for i := range n {
		step := shapes[pick(i)]
		step.N = i + 1
		s.Steps = append(s.Steps, step)
	}
	return s
}
