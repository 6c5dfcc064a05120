package main

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/analyst"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/estimate"
	"quaestor/research/warehouse/insight"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/runs"
	"quaestor/research/warehouse/tokens"
)

// reporting are the makes of warehouses that report the bytes which a statement scans.
var reporting = []warehouse.Kind{warehouse.BigQuery, warehouse.Snowflake, warehouse.ClickHouse}

// estimate returns what a run of an order is likely to use. It is a Conflict while the tables of the
// warehouse were not read.
func (o *explorer) estimate(ctx context.Context, tenant string, order runs.Order) (estimate.Estimate, error) {
	p, err := o.projects.Explorable(ctx, tenant, order.Project, order.Areas)
	if err == nil {
		err = p.Explores(order.Warehouse)
	}
	if err != nil {
		return estimate.Estimate{}, err
	}
	house := cmp.Or(order.Warehouse, p.Warehouse)
	steps := cmp.Or(order.MaxSteps, runs.DefaultMaxSteps)
	brief, _, index, err := o.briefOf(ctx, runs.Run{Tenant: tenant, Project: p.ID, Warehouse: house, Areas: order.Areas, MaxSteps: steps, MinSteps: order.MinSteps})
	if err != nil {
		return estimate.Estimate{}, err
	}
	w, errWarehouse := o.store.Find(ctx, tenant, house)
	client, errModel := o.modelOf(ctx, tenant, p)
	list, errPrices := o.prices.List(ctx, tenant)
	past, errPast := o.pastUse(ctx, tenant, p.ID, house)
	if err := cmp.Or(errWarehouse, errModel, errPrices, errPast); err != nil {
		return estimate.Estimate{}, err
	}
	in := estimate.Input{Steps: steps, Areas: len(brief.Areas), Tables: searched(index, p), Past: past, Warehouse: house, Reports: slices.Contains(reporting, w.Kind), Prices: list}
	if m, ok := o.analystWith(client).(*analyst.Model); ok {
		system := tokens.Count(brief.System)
		in.Model = estimate.Model{Name: client.Model(), Said: analyst.TypicalStep.Said, Gave: analyst.TypicalStep.Gave, Words: analyst.ForecastWords,
			Explore: func(steps, said, gave int) int {
				return m.Forecast(system, steps, analyst.StepSize{Said: said, Gave: gave})
			}}
	}
	return estimate.Of(in), nil
}

// searched returns the tables that a run searches for effects, the largest first where there are more
// than it may search.
func searched(x *catalog.Index, p projects.Project) []estimate.Table {
	var out []estimate.Table
	for i := range x.Len() {
		t := x.Table(i)
		if len(p.Datasets) > 0 && t.Schema != "" && !slices.Contains(p.Datasets, t.Schema) || !insight.Worth(x, i) {
			continue
		}
		f := insight.ForecastOf(x, i)
		out = append(out, estimate.Table{Rows: t.Rows, Columns: len(t.Columns), Value: f.Value, Statements: f.Statements, Read: f.Rows, Insights: f.Insights, Checks: f.Checks})
	}
	slices.SortStableFunc(out, func(a, b estimate.Table) int { return cmp.Compare(b.Rows, a.Rows) })
	return out[:min(len(out), runs.MaxSearched)]
}

// pastRuns is how many of the latest runs an estimate rests on.
const pastRuns = 5

// pastUse returns what the latest completed runs of a project over a warehouse used.
func (o *explorer) pastUse(ctx context.Context, tenant, project, house string) ([]estimate.Past, error) {
	list, err := runs.List(ctx, o.projects.Pool, tenant, runs.Filter{Project: project, Statuses: []runs.Status{runs.Completed}})
	if err != nil {
		return nil, err
	}
	var out []estimate.Past
	for _, r := range list {
		if r.Warehouse != house || len(out) == pastRuns || r.Spent[runs.Exploring].Asked.Statements == 0 {
			continue
		}
		name, isModel := strings.CutPrefix(r.Analyst, "model ")
		if !isModel {
			name = ""
		}
		use := func(p runs.Purpose) estimate.Use {
			return estimate.Use{TokenUsage: r.Spent[p].TokenUsage, Asked: r.Spent[p].Asked}
		}
		took, err := runs.Durations(ctx, o.projects.Pool, r)
		if err != nil {
			return nil, err
		}
		rest := r.Counters.Active - took[runs.Analysis]
		checking := took[runs.Validation] + took[runs.Recommending] + took[runs.Saving]
		out = append(out, estimate.Past{Exploring: max(rest-checking, 0), Checking: checking, MaxSteps: r.MaxSteps, Steps: r.Counters.Steps, Active: r.Counters.Active, Model: name,
			Explored: use(runs.Exploring), Fixed: use(runs.Fixing), Analysed: use(runs.Analysing), Checked: use(runs.Checking)})
	}
	return out, nil
}
