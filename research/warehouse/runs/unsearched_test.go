package runs_test

import (
	"slices"
	"strings"
	"testing"

	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/runs"
)

// A run whose budget is used up names each table that was not searched, and why.
func TestRunNamesTablesItsBudgetLeftOut(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.trade().reads = 1000
	r := w.work(w.order(runs.Order{Budget: runs.Budget{Bytes: 1000}}).ID)
	left := w.unsearched(r.ID)
	if len(left) != 2 || left[0].Table != "m.sales" || left[1].Table != "m.stock" || !strings.Contains(left[0].Reason, "budget") {
		t.Errorf("left out are %+v", left)
	}
	if r.Outcome != runs.PartialOutcome || !strings.Contains(r.Summary, "2 tables were not searched (m.sales, m.stock): the budget of the run was used up.") {
		t.Errorf("the run is %s: %s", r.Outcome, r.Summary)
	}
}

// A table that the warehouse shows and cannot read makes the run partial, though all others were searched, and so does
// one whose every statement fails.
func TestRunNamesTablesThatCannotBeRead(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	m := w.trade()
	m.catalog = catalog.NewIndex(append(m.tables(), catalog.Table{Schema: "m", Name: "orders", Rows: catalog.UnknownRows, Unread: "The file orders.csv cannot be read: line 17 is broken."}))
	r := w.work(w.order(runs.Order{}).ID)
	if left := w.unsearched(r.ID); len(left) != 1 || left[0].Table != "m.orders" {
		t.Errorf("left out are %+v", left)
	}
	if r.Outcome != runs.PartialOutcome || !strings.Contains(r.Summary, "m.orders was not searched. The file orders.csv cannot be read: line 17 is broken.") {
		t.Errorf("the run is %s: %s", r.Outcome, r.Summary)
	}

	failing := newWorld(t)
	failing.trade().fail = func(sql string) bool { return strings.Contains(sql, `"stock"`) }
	r = failing.work(failing.order(runs.Order{}).ID)
	if left := failing.unsearched(r.ID); len(left) != 1 || left[0].Table != "m.stock" || r.Outcome != runs.PartialOutcome {
		t.Errorf("the run is %s, left out are %+v", r.Outcome, left)
	}
}

// Sentences group tables by reason, and name a few of many.
func TestUnsearchedWords(t *testing.T) {
	t.Parallel()

	list := []runs.Unsearched{{Table: "a", Reason: "it took too long"}, {Table: "b", Reason: "The file b.csv is broken."}, {Table: "d", Reason: "d by region could not be read: too slow.", Partly: true}}
	for _, name := range strings.Fields("c1 c2 c3 c4 c5 c6 c7 c8 c9 c10") {
		list = append(list, runs.Unsearched{Table: name, Reason: "there was no time"})
	}
	want := []string{"a was not searched: it took too long.", "b was not searched. The file b.csv is broken.", "d was not searched in full. d by region could not be read: too slow.",
		"10 tables were not searched (c1, c2, c3, c4, c5, c6, c7, c8 and 2 more): there was no time."}
	if got := runs.UnsearchedWords(list); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if !runs.Lacks(list) || runs.Lacks(nil) {
		t.Error("a table that could not be read is no lack, or none is")
	}
}

func (w *world) unsearched(run string) []runs.Unsearched {
	w.t.Helper()
	_, out, err := runs.SearchedTables(w.t.Context(), w.pool, w.tenant, run)
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// tables returns those of the market.
func (m *market) tables() []catalog.Table {
	var out []catalog.Table
	for i := range m.catalog.Len() {
		out = append(out, *m.catalog.Table(i))
	}
	return out
}
