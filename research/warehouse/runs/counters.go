package runs

import (
	"context"
	"maps"
	"strings"
	"time"

	"quaestor/internal/postgres"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/prices"
	"quaestor/research/warehouse/runs/internal/dbsqlc"
)

// after returns the run with s done and its costs added.
func (r Run) after(s *warehouse.Step, costs []cost) Run {
	r.Counters = r.Counters.after(s)
	r.Progress = max(r.Progress, percent[Exploration]+50*s.N/r.MaxSteps)
	r.Spent = with(r.Spent, costs...)
	return r
}

// after returns the counters with s done.
func (c Counters) after(s *warehouse.Step) Counters {
	c.Steps = s.N
	switch {
	case s.Type == warehouse.LookupStep:
		c.Lookups++
	case s.Type == warehouse.SearchStep:
		c.Searches++
	case s.Type != warehouse.QueryStep || s.Repeats > 0:
	case s.Error != "":
		c.Queries, c.Failed = c.Queries+1, c.Failed+1
	default:
		c.Queries, c.Successful = c.Queries+1, c.Successful+1
	}
	c.Scanned += s.Scanned
	c.Asking += s.Took
	return c
}

// upTo returns the difference d - c.
func (c Counters) upTo(d Counters) Counters {
	return Counters{Steps: d.Steps, Queries: d.Queries - c.Queries, Successful: d.Successful - c.Successful, Failed: d.Failed - c.Failed,
		Lookups: d.Lookups - c.Lookups, Searches: d.Searches - c.Searches, Scanned: d.Scanned - c.Scanned, Asking: d.Asking - c.Asking}
}

// add queues the addition of c to the run's counters.
func (c Counters) add(b *postgres.Batch, r *Run) error {
	return queries.RunCount(context.Background(), b, &dbsqlc.RunCountParams{Steps: int32(c.Steps), Progress: int32(r.Progress), Asked: int32(c.Queries), Answered: int32(c.Successful),
		Failed: int32(c.Failed), Lookups: int32(c.Lookups), Searches: int32(c.Searches), Scanned: c.Scanned, WarehouseMs: float64(c.Asking) / float64(time.Millisecond),
		TenantID: r.Tenant, ID: r.ID})
}

// cost is the cost of calls to one model, or of statements, for one purpose.
type cost struct {
	purpose Purpose
	PurposeCost
}

// price returns the cost of calls, given the model that made them. Calls without a known price
// cost nothing in USD and are counted as unpriced, so that a total is known to be incomplete.
func price(l prices.List, p Purpose, by string, s warehouse.TokenUsage) cost {
	c := cost{p, PurposeCost{TokenUsage: s}}
	if s == (warehouse.TokenUsage{}) {
		return c
	}
	usd, known := l.OfTokens(modelName(by), s)
	if c.USD = usd; !known {
		c.USD, c.Unpriced = 0, max(s.Calls, 1)
	}
	return c
}

// modelName returns the name of a model without the word that an analyst's name begins with.
func modelName(by string) string { return strings.TrimPrefix(by, "model ") }

// statements returns the cost of the statements that were sent since it was called last.
func (w *work) statements(p Purpose) cost {
	u := w.meter.take()
	c := cost{p, PurposeCost{Asked: u}}
	usd, known := w.prices.OfStatements(w.run.Warehouse, u)
	if c.WarehouseUSD = usd; !known {
		c.WarehouseUSD, c.UnpricedStatements = 0, u.Statements
	}
	return c
}

// repairCosts returns the cost of repairing the query of a step.
func (w *work) repairCosts(s *warehouse.Step) []cost {
	var out []cost
	for _, f := range s.Fixes {
		if f.Spent != (warehouse.TokenUsage{}) {
			out = append(out, price(w.prices, Fixing, f.By, f.Spent))
		}
	}
	return out
}

// add queues the addition of c to the run's spending, unless it is zero.
func (c cost) add(b *postgres.Batch, run string) error {
	if c.PurposeCost == (PurposeCost{}) {
		return nil
	}
	return queries.SpendingAdd(context.Background(), b, &dbsqlc.SpendingAddParams{TenantID: b.Tenant(), RunID: run, Purpose: string(c.purpose), TokensIn: int64(c.In),
		TokensCached: int64(c.Cached), TokensOut: int64(c.Out), Calls: int32(c.Calls), Usd: c.USD, Unpriced: int32(c.Unpriced), Statements: int32(c.Asked.Statements),
		ResultRows: c.Asked.Rows, Scanned: c.Asked.Scanned, WarehouseMs: float64(c.Asked.Took) / float64(time.Millisecond), WarehouseUsd: c.WarehouseUSD, UnpricedStatements: int32(c.UnpricedStatements)})
}

// with returns the spending with the costs added.
func with(spent map[Purpose]PurposeCost, costs ...cost) map[Purpose]PurposeCost {
	out := maps.Clone(spent)
	for _, c := range costs {
		if c.PurposeCost == (PurposeCost{}) {
			continue
		}
		if out == nil {
			out = map[Purpose]PurposeCost{}
		}
		out[c.purpose] = out[c.purpose].plus(c.PurposeCost)
	}
	return out
}
