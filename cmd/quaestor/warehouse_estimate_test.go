package main

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"quaestor/internal/llm/llmtest"
	"quaestor/research/warehouse/analyst"
	"quaestor/research/warehouse/estimate"
	"quaestor/research/warehouse/prices"
	"quaestor/research/warehouse/runs"
)

// busy is a shop with a year and a half of orders, their lines, products and customers.
var busy = []string{
	"CREATE TABLE shop.customers (id int PRIMARY KEY, country text, segment text, signed_up timestamptz)",
	"INSERT INTO shop.customers SELECT i, (ARRAY['DE','FR','US','IT'])[1 + i % 4], (ARRAY['new','old','lapsed'])[1 + i % 3], timestamptz '2023-01-01' + i * interval '5 hours' FROM generate_series(1, 1500) i",
	"CREATE TABLE shop.products (id int PRIMARY KEY, category text, brand text, price numeric(10,2))",
	"INSERT INTO shop.products SELECT i, (ARRAY['tea','cups','cake'])[1 + i % 3], 'brand ' || i % 7, 2 + i % 40 FROM generate_series(1, 200) i",
	"CREATE TABLE shop.orders (id int PRIMARY KEY, customer_id int REFERENCES shop.customers, status text, channel text, total numeric(10,2), placed_at timestamptz, shipped_at timestamptz)",
	`INSERT INTO shop.orders SELECT i, 1 + i % 1500, (ARRAY['paid','sent','returned'])[1 + (i * i / 3) % 3], (ARRAY['web','phone'])[1 + (i / 5) % 2], 5 + (i * 7919) % 90,
		timestamptz '2024-01-01' + i * interval '70 minutes', CASE WHEN i % 9 > 0 THEN timestamptz '2024-01-03' + i * interval '70 minutes' END FROM generate_series(1, 12000) i WHERE NOT (i > 8000 AND i % 4 = 0)`,
	"CREATE TABLE shop.lines (id int PRIMARY KEY, order_id int REFERENCES shop.orders, product_id int REFERENCES shop.products, pieces int, amount numeric(10,2))",
	"INSERT INTO shop.lines SELECT o.id * 2 + k, o.id, 1 + (o.id * 31 + k) % 200, 1 + o.id % 5, 3 + (o.id * 104729) % 60 FROM shop.orders o, generate_series(0, 1) k",
	"ANALYZE",
}

// diligent answers as models do: a reason, a statement of a few lines, now and then a look at a table;
// and it words what was found.
func diligent(r llmtest.Request) llmtest.Reply {
	said := r.LastUser()
	if _, data, ok := strings.Cut(said, "<insights>\n"); ok {
		var told struct {
			Insights []struct{ ID, Headline, Text string } `json:"insights"`
		}
		raw, _, _ := strings.Cut(data, "\n</insights>")
		if err := json.Unmarshal([]byte(raw), &told); err != nil {
			return llmtest.Status(500, 0)
		}
		var out []map[string]string
		for _, i := range told.Insights {
			out = append(out, map[string]string{"id": i.ID, "headline": i.Headline, "text": i.Text})
		}
		return llmtest.Reply{JSON: map[string]any{"wordings": out}}
	}
	n := 0
	if _, rest, ok := strings.Cut(said, "Steps done: "); ok {
		_, _ = fmt.Sscanf(rest, "%d", &n)
	}
	switch {
	case n%8 == 1:
		return llmtest.Reply{Text: fmt.Sprintf(`{"thinking": "Before I go on I want to know which columns this table has, and what its values look like.", "lookup_schema": [%q]}`, []string{"shop.orders", "shop.customers", "shop.lines", "shop.products"}[n/8%4])}
	case n%11 == 5:
		return llmtest.Reply{Text: fmt.Sprintf(`{"thinking": "Is there anything about returns or complaints?", "search_tables": "returned orders complaints %d", "search_top_k": 5}`, n)}
	}
	sql := fmt.Sprintf("SELECT status, date_trunc('month', placed_at) AS month, COUNT(*) AS orders, SUM(total) AS revenue, AVG(total) AS mean FROM shop.orders WHERE total > %d GROUP BY status, month ORDER BY month, status LIMIT %d", n, 6+n%9)
	return llmtest.Reply{Text: fmt.Sprintf(`{"thinking": "Revenue may differ from status to status, and with the months. I compare the orders above a total of %d, since small ones hide what large ones do.", "query": %q, "query_purpose": "Orders and revenue by status and month, above a total of %d"}`, n, sql, n)}
}

// TestEstimatesAreNearWhatRunsUse compares the estimate of a run with what it used, on models that
// follow a script, for several settings: from the catalog alone, and from an earlier run with another
// number of steps.
func TestEstimatesAreNearWhatRunsUse(t *testing.T) {
	for _, tt := range []struct {
		name  string
		shop  []string
		order runs.Order
		model bool
		again int // steps of a second run, whose estimate rests on the first
	}{
		{"a first look with a model", busy, runs.Order{MaxSteps: 20}, true, 60},
		{"thorough, with a model", busy, runs.Order{MaxSteps: 60}, true, 30},
		{"a small shop with a model", small, runs.Order{MaxSteps: 40}, true, 20},
		{"without a model", busy, runs.Order{MaxSteps: 40}, false, 20},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := newMart(t, tt.shop...)
			model := llmtest.New(t)
			model.Handle(diligent)
			settings := Settings{ModelWindow: analyst.DefaultWindow}
			if tt.model {
				settings.Model, settings.ModelURL = "clerk", model.URL()
			}
			o := newRemoteServer(t, settings, nil)
			t.Cleanup(model.Close)
			house, project := o.connect(m.draft())
			if err := o.explorer.store.Refresh(t.Context(), o.tenant, house); err != nil {
				t.Fatal(err)
			}
			for _, p := range []prices.Price{{Model: "clerk", In: 3, Cached: 0.3, Out: 15}, {Warehouse: house, Hour: 4}} {
				if _, err := o.explorer.prices.Set(t.Context(), o.tenant, "someone", p); err != nil {
					t.Fatal(err)
				}
			}
			order := tt.order
			order.Project, order.MinSteps, order.By = project, order.MaxSteps, "someone"
			for n, steps := range []int{order.MaxSteps, tt.again} {
				order.MaxSteps, order.MinSteps = steps, steps
				said, err := o.explorer.estimate(t.Context(), o.tenant, order)
				if err != nil {
					t.Fatal(err)
				}
				if said.Runs != n || !said.ModelPriced || !said.WarehousePriced {
					t.Errorf("it rests on %d runs: %+v", said.Runs, said)
				}
				run, _, err := o.commands.Create(t.Context(), o.tenant, order)
				if err != nil {
					t.Fatal(err)
				}
				r, _ := o.over(run.ID)
				checkEstimate(t, said, r)
				checkMinutes(t, o, said, r)
			}
		})
	}
}

// checkMinutes compares the time that is said with that of the run, at the pace that the run had: what each phase took
// for each of its statements. How fast this machine is at the moment plays no part in that.
func checkMinutes(t *testing.T, o *remoteServer, said estimate.Estimate, r runs.Run) {
	t.Helper()
	took, err := runs.Durations(t.Context(), o.explorer.projects.Pool, r)
	if err != nil {
		t.Fatal(err)
	}
	var sum, used float64
	for _, l := range said.Lines {
		p := map[string]runs.Purpose{"exploration": runs.Exploring, "analysis": runs.Analysing, "validation": runs.Checking}[l.Phase]
		phase := map[string]runs.Phase{"exploration": runs.Exploration, "analysis": runs.Analysis, "validation": runs.Validation}[l.Phase]
		seconds := took[phase].Seconds()
		sum, used = sum+seconds*float64(l.Use.Asked.Statements)/float64(max(r.Spent[p].Asked.Statements, 1)), used+seconds
	}
	t.Logf("at its pace: said %g s, took %g s", sum, used)
	if used <= 0 || math.Abs(sum-used) > 0.25*used {
		t.Errorf("at the pace of the run, %g s were said, it took %g s", sum, used)
	}
}

// checkEstimate compares an estimate with what a run used, within a quarter.
func checkEstimate(t *testing.T, said estimate.Estimate, r runs.Run) {
	t.Helper()
	used := r.Total()
	for _, l := range said.Lines {
		p := map[string]runs.Purpose{"exploration": runs.Exploring, "analysis": runs.Analysing, "validation": runs.Checking}[l.Phase]
		t.Logf("%s: said %d statements, %d+%d tokens; used %d, %d+%d", l.Phase, l.Use.Asked.Statements, l.Use.In, l.Use.Out, r.Spent[p].Asked.Statements, r.Spent[p].In, r.Spent[p].Out)
	}
	for _, c := range []struct {
		what       string
		said, used float64
	}{
		{"statements", float64(said.Total.Use.Asked.Statements), float64(used.Asked.Statements)},
		{"tokens in", float64(said.Total.Use.In), float64(used.In)},
		{"tokens out", float64(said.Total.Use.Out), float64(used.Out)},
		{"money for the model", said.Total.USD, used.USD},
	} {
		t.Logf("%s: said %g, used %g", c.what, c.said, c.used)
		if math.Abs(c.said-c.used) > 0.25*c.used {
			t.Errorf("%s: %g was said, %g was used", c.what, c.said, c.used)
		}
	}
}
