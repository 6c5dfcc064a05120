package estimate_test

import (
	"testing"
	"time"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/estimate"
	"quaestor/research/warehouse/prices"
)

// model is one whose prompts have a hundred tokens for each step before.
var model = estimate.Model{Name: "clerk", Said: 100, Gave: 200, Words: func(n int) (int, int) { return 1000 * n, 50 * n },
	Explore: func(steps, _, _ int) (in int) {
		for i := range steps {
			in += 1000 + 100*i
		}
		return in
	}}

func TestEstimateFromTheCatalog(t *testing.T) {
	t.Parallel()

	in := estimate.Input{Steps: 10, Areas: 2, Tables: []estimate.Table{{Rows: 1e6, Columns: 3, Statements: 20, Insights: 2, Checks: 3}}, Model: model, Warehouse: "w", Reports: true,
		Prices: prices.NewList(prices.Price{Model: "clerk", In: 10, Out: 20})}
	e := estimate.Of(in)
	if e.Runs != 0 || len(e.Lines) != 3 || e.Lines[0].Phase != "exploration" || !e.ModelPriced || e.WarehousePriced {
		t.Fatalf("%+v", e)
	}
	if u := e.Lines[1].Use; u.Asked.Statements != 20 || u.Asked.Scanned != 20*1e6*3*8 || u.In != 2000 || u.Out != 100 {
		t.Errorf("analysis uses %+v", u)
	}
	if u := e.Lines[2].Use; u.Asked.Statements != 6 {
		t.Errorf("validation uses %+v", u)
	}
	if e.Total.USD <= 0 || e.Total.WarehouseUSD != 0 || e.Total.Use.In != e.Lines[0].Use.In+2000 {
		t.Errorf("in all it uses %+v", e.Total)
	}
	in.Model = estimate.Model{}
	if e = estimate.Of(in); !e.ModelPriced || e.Total.Use.TokenUsage != (warehouse.TokenUsage{}) || e.Lines[0].Use.Asked.Statements != 10 {
		t.Errorf("without a model it is %+v", e)
	}
}

// Earlier runs with the same model tell about this one, and others do not.
func TestEstimateFromEarlierRuns(t *testing.T) {
	t.Parallel()

	use := func(in, out, statements int) estimate.Use {
		return estimate.Use{TokenUsage: warehouse.TokenUsage{In: in, Out: out, Calls: 10}, Asked: warehouse.StatementUsage{Statements: statements, Took: time.Second}}
	}
	past := estimate.Past{MaxSteps: 20, Steps: 10, Active: time.Minute, Model: "clerk", Explored: use(20_000, 1000, 8), Analysed: use(500, 50, 30), Checked: use(0, 0, 6)}
	other := past
	other.Model = ""
	e := estimate.Of(estimate.Input{Steps: 40, Model: model, Past: []estimate.Past{past, other}})
	if e.Runs != 1 {
		t.Fatalf("it rests on %d runs", e.Runs)
	}
	// Half of the steps are made before it ends by itself: 20, twice as many as before.
	if u := e.Lines[0].Use; u.Asked.Statements != 16 || u.Out != 2000 || u.In != 20_000*(20*1000+100*190)/(10*1000+100*45) {
		t.Errorf("exploration uses %+v", u)
	}
	if e.Lines[1].Use.Asked.Statements != 30 || e.Lines[2].Use.Asked.Statements != 6 {
		t.Errorf("the rest uses %+v", e.Lines[1:])
	}
	if e.Low >= 1 || e.High <= 1 {
		t.Errorf("the range is %g to %g", e.Low, e.High)
	}
}

// Minutes go by the pace of earlier runs, phase by phase: only exploration takes longer with more steps. So do the bytes
// that the warehouse scans.
func TestEstimateKeepsThePace(t *testing.T) {
	t.Parallel()

	use := func(statements int, scanned int64, took time.Duration) estimate.Use {
		return estimate.Use{Asked: warehouse.StatementUsage{Statements: statements, Scanned: scanned, Took: took}}
	}
	past := estimate.Past{MaxSteps: 20, Steps: 20, Active: 10 * time.Minute, Exploring: 4 * time.Minute, Checking: time.Minute,
		Explored: use(18, 18e9, time.Minute), Analysed: use(90, 45e9, 4*time.Minute), Checked: use(30, 3e9, time.Minute)}
	e := estimate.Of(estimate.Input{Steps: 60, Past: []estimate.Past{past}})
	for i, want := range []struct {
		minutes float64
		bytes   int64
	}{{12, 54e9}, {5, 45e9}, {1, 3e9}} {
		if l := e.Lines[i]; l.Time.Minutes() != want.minutes || l.Use.Asked.Scanned != want.bytes {
			t.Errorf("%s takes %v and scans %d bytes, want %g minutes and %d", l.Phase, l.Time, l.Use.Asked.Scanned, want.minutes, want.bytes)
		}
	}
	past.Exploring, past.Checking = 0, 0 // a run from before phases were measured
	if l := estimate.Of(estimate.Input{Steps: 20, Past: []estimate.Past{past}}).Lines; l[0].Time != 100*time.Second || l[2].Time != 100*time.Second {
		t.Errorf("by statements alone it takes %v and %v", l[0].Time, l[2].Time)
	}
}
