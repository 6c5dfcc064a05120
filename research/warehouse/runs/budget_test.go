package runs_test

import (
	"context"
	"strings"
	"testing"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/insight"
	"quaestor/research/warehouse/prices"
	"quaestor/research/warehouse/runs"
)

// A budget that analysis uses up ends the run: what was found stays, what was not checked says so, and
// nothing more is sent to the warehouse.
func TestBudgetEndsAnalysisToo(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	m := w.trade()
	m.reads = 1000
	free := w.work(w.order(runs.Order{}).ID)
	searching := free.Spent[runs.Exploring].Asked.Statements + free.Spent[runs.Analysing].Asked.Statements
	w.exec(`DELETE FROM warehouse_runs WHERE tenant_id = $1`, w.tenant)
	w.exec(`UPDATE warehouse_insight_ledger SET standing = 'resolved' WHERE tenant_id = $1`, w.tenant)
	asked := m.questions()
	r := w.work(w.order(runs.Order{Budget: runs.Budget{Bytes: int64(searching) * 1000}}).ID)

	if r.Status != runs.Completed || r.Stop != runs.StopBytes || r.Outcome != runs.PartialOutcome || !strings.Contains(r.Summary, "The warehouse has read as much for it as it may.") {
		t.Fatalf("the run is %+v", r)
	}
	found := w.insights(r.ID)
	if len(found) == 0 {
		t.Error("what was found before is gone")
	}
	for _, i := range found {
		if i.Survives || i.Review.Status != insight.Failed || !strings.Contains(i.Review.Reason, "the budget of the run was used up") {
			t.Errorf("%s is %+v", i.ID, i.Review)
		}
	}
	if s := r.Spent[runs.Checking]; s.Asked.Statements != 0 {
		t.Errorf("checks asked %d statements", s.Asked.Statements)
	}
	if got := r.Total().Asked; got.Scanned != int64(got.Statements)*1000 || got.Statements != m.questions()-asked {
		t.Errorf("%d statements with %d bytes are counted, of %d", got.Statements, got.Scanned, m.questions()-asked)
	}
	last := w.events(r.ID)[len(w.events(r.ID))-1]
	if last.Kind != runs.EventFinished || !strings.Contains(string(last.Data), `"stopReason":"budget_bytes"`) {
		t.Errorf("the last event is %s", last.Data)
	}
}

// Whatever the budget, and however many statements a connection allows at the same time, no more than one
// statement is sent beyond it.
func TestBudgetIsPassedByOneStatementAtMost(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	m := w.trade()
	m.reads = 1000
	p := &paced{market: m, allowed: warehouse.MaxAtOnce}
	w.o.Open = func(context.Context, string, string, string) (warehouse.Gateway, error) { return p, nil }
	free := w.work(w.order(runs.Order{}).ID)
	all := free.Total().Asked.Statements
	if all < 12 || p.most.Load() < 2 {
		t.Fatalf("without a budget %d statements are sent, %d at once: too few to tell anything", all, p.most.Load())
	}
	stopped := 0
	for budget := int64(500); budget < int64(all)*1000; budget += 1300 {
		w.exec(`DELETE FROM warehouse_runs WHERE tenant_id = $1`, w.tenant)
		w.exec(`UPDATE warehouse_insight_ledger SET standing = 'resolved' WHERE tenant_id = $1`, w.tenant)
		r := w.work(w.order(runs.Order{Budget: runs.Budget{Bytes: budget}}).ID)
		if got := r.Total().Asked.Scanned; got >= budget+1000 {
			t.Errorf("with a budget of %d bytes %d are read", budget, got)
		}
		if r.Stop == runs.StopBytes {
			stopped++
		}
	}
	if stopped < 5 {
		t.Errorf("%d runs stopped for their budget, which proves little", stopped)
	}
}

// The tables of a run whose budget exploration has used up are not searched, and its areas say so.
func TestBudgetThatIsUsedUpLeavesTablesUnsearched(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	m := w.trade()
	m.reads = 1000
	r := w.work(w.order(runs.Order{Budget: runs.Budget{Bytes: 1000}}).ID)

	areas, err := runs.Areas(t.Context(), w.pool, w.tenant, r.ID)
	if err != nil || len(areas) != 2 {
		t.Fatalf("areas are %+v, %v", areas, err)
	}
	for _, a := range areas {
		if a.Status != runs.AreaFailed || !strings.Contains(a.Reason, "the budget of the run was used up") {
			t.Errorf("area %s is %s: %s", a.ID, a.Status, a.Reason)
		}
	}
	if r.Stop != runs.StopBytes || r.Outcome != runs.PartialOutcome || r.Counters.Steps != 1 || m.questions() != 1 {
		t.Errorf("after %d questions the run is %+v", m.questions(), r)
	}
}

// Money for models and for the warehouse count together against a budget of money.
func TestMoneyOfTheWarehouseCounts(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.analyst.spent = warehouse.TokenUsage{In: 100, Calls: 1}
	w.pays(prices.Price{Model: "script", In: 1000}, prices.Price{Warehouse: w.house, Terabyte: 0.3e12 / 4096})
	w.analyst.says(ask("SELECT 1"), ask("SELECT 2"), ask("SELECT 3"))
	r := w.work(w.order(runs.Order{Budget: runs.Budget{USD: 1}}).ID) // 0.10 for the reply and 0.30 for the query, up to 0.80

	if r.Stop != runs.StopMoney || r.Counters.Steps != 2 || r.USD() < 0.79 || r.USD() > 0.81 || r.Total().UnpricedStatements != 0 {
		t.Errorf("after %g USD the run is %+v", r.USD(), r)
	}
}

// A run over a further warehouse of its project is compared with earlier runs over that one alone.
func TestRunOverAFurtherWarehouse(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.trade()
	const second = "33333333-3333-4333-8333-333333333333"
	w.exec(`INSERT INTO warehouses (tenant_id, id, name, kind) VALUES ($1, $2, 'Second', 'postgresql')`, w.tenant, second)
	if _, _, err := w.commands().Create(t.Context(), w.tenant, runs.Order{Project: w.project, Warehouse: second}); err == nil || !strings.Contains(err.Error(), "does not explore this warehouse") {
		t.Errorf("a warehouse that is not of the project: %v", err)
	}
	w.exec(`INSERT INTO warehouse_project_connections (tenant_id, project_id, warehouse_id) VALUES ($1, $2, $3)`, w.tenant, w.project, second)
	first := w.work(w.order(runs.Order{}).ID)
	other := w.work(w.order(runs.Order{Warehouse: second}).ID)

	if first.Beside || !other.Beside || other.Warehouse != second || len(other.Previous) != 0 {
		t.Fatalf("the run is %+v", other)
	}
	for _, i := range w.insights(other.ID) {
		if i.Survives && i.Standing != insight.New {
			t.Errorf("%s is %s, though nobody looked there before", i.ID, i.Standing)
		}
	}
	again := w.work(w.order(runs.Order{}).ID)
	if len(again.Previous) != 1 || again.Previous[0].ID != first.ID {
		t.Errorf("the third run is told of %+v", again.Previous)
	}
	for _, i := range w.insights(again.ID) {
		if i.Survives && i.Standing != insight.Again {
			t.Errorf("%s is %s, though the first run found it", i.ID, i.Standing)
		}
	}
}
