package schema_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quaestor/internal/fault"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/schema"
)

// shop returns a small warehouse.
func shop() []catalog.Table {
	col := func(name, typ string) catalog.Column { return catalog.Column{Name: name, Type: typ} }
	id := func(name string) catalog.Column {
		return catalog.Column{Name: name, Type: "bigint", NotNull: true, Key: true}
	}
	return []catalog.Table{
		{Schema: "sales", Name: "customers", Rows: 1_000, Columns: []catalog.Column{id("customer_id"), col("contact_email", "text"), {Name: "PLZ", Type: "text", Comment: "postal code"}}},
		{Schema: "sales", Name: "orders", Rows: 14_312, Comment: "One row an order", Columns: []catalog.Column{id("order_id"), col("customer_id", "bigint"), col("total", "numeric(10,2)")},
			Foreign: []catalog.Foreign{{Columns: []string{"customer_id"}, Table: "sales.customers", To: []string{"customer_id"}}}},
		{Schema: "sales", Name: "stores", Rows: 3, Columns: []catalog.Column{id("id"), col("city", "text")}},
		{Schema: "web", Name: "stores", Rows: catalog.UnknownRows, Columns: []catalog.Column{id("id"), col("url", "text")}},
	}
}

// ignoring leaves aside what differs from time to time.
var ignoring = cmp.Options{cmpopts.IgnoreFields(schema.Drift{}, "At", "Took"), cmpopts.EquateEmpty()}

func wantDrift(t *testing.T, got, want schema.Drift) {
	t.Helper()
	if diff := cmp.Diff(want, got, ignoring); diff != "" {
		t.Errorf("drift (-want +got):\n%s", diff)
	}
}

func TestRefreshReadsTheWarehouse(t *testing.T) {
	t.Parallel()

	l := newLab(t, nil, shop()...)
	wantDrift(t, l.refresh(), schema.Drift{Tables: 4, Added: 4, Detail: schema.DriftDetail{Added: []string{"sales.customers", "sales.orders", "sales.stores", "web.stores"}}})

	s := l.load()
	want := shop()
	for i := range want {
		if len(s.Tables[i].Samples) != 3 || len(s.Tables[i].Samples[0]) != len(want[i].Columns) {
			t.Errorf("%s has samples %v", want[i].Ref(), s.Tables[i].Samples)
		}
		s.Tables[i].Samples = nil
	}
	if diff := cmp.Diff(want, s.Tables); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
	if got := s.Relations(); len(got) != 4 || got[1].Name != "orders" || strings.Join(got[1].Columns, " ") != "order_id customer_id total" {
		t.Errorf("relations are %v", got)
	}
}

// A second refresh writes nothing but that it was.
func TestRefreshAgainWritesNothing(t *testing.T) {
	t.Parallel()

	l := newLab(t, nil, shop()...)
	l.refresh()
	before, snapshot := l.rows(), l.load()
	l.house.asked()
	l.house.change(func(list []catalog.Table) []catalog.Table {
		list[0].Rows += 50 // which is a little
		return list
	})

	wantDrift(t, l.refresh(), schema.Drift{Tables: 4})
	if diff := cmp.Diff(before, l.rows()); diff != "" {
		t.Errorf("rows were written:\n%s", diff)
	}
	if asked := l.house.asked(); len(asked) > 0 {
		t.Errorf("sampled again: %v", asked)
	}
	if l.load() != snapshot {
		t.Error("the snapshot was read again")
	}
}

func TestDriftIsExact(t *testing.T) {
	t.Parallel()

	l := newLab(t, nil, shop()...)
	l.refresh()
	l.house.asked()
	version := l.load().Version
	l.house.change(func(list []catalog.Table) []catalog.Table {
		list[0].Columns = []catalog.Column{list[0].Columns[0], {Name: "email", Type: "text"}, {Name: "PLZ", Type: "varchar(5)", Comment: "postal code"}}
		list[1].Comment = "Orders"
		list[2].Name, list[2].Rows = "shops", 3
		list[3].Rows = 50
		return append(list, catalog.Table{Schema: "web", Name: "visits", Columns: []catalog.Column{{Name: "at", Type: "timestamp"}}})
	})
	want := schema.Drift{Tables: 5, Added: 2, Removed: 1, Changed: 2, Counted: 1, Detail: schema.DriftDetail{
		Added: []string{"sales.shops", "web.visits"}, Removed: []string{"sales.stores"}, Renamed: []schema.Rename{{From: "sales.stores", To: "sales.shops"}},
		Changed: []schema.TableChange{
			{Table: "sales.customers", Added: []string{"email"}, Removed: []string{"contact_email"}, Retyped: []schema.Retype{{Column: "PLZ", From: "text", To: "varchar(5)"}}},
			{Table: "sales.orders"},
		}}}
	checked, err := l.index.Check(t.Context(), l.tenant, l.id, l.house, nil)
	if err != nil {
		t.Fatal(err)
	}
	wantDrift(t, checked, want)
	if checked.None() || len(l.house.asked()) > 0 || l.load().Version != version {
		t.Error("a check changes nothing")
	}

	wantDrift(t, l.refresh(), want)
	if diff := cmp.Diff([]string{"sales.customers", "sales.orders", "sales.shops", "web.visits"}, l.house.asked()); diff != "" {
		t.Errorf("sampled (-want +got):\n%s", diff)
	}
	if got := l.rows()["sales.stores"]; got.State != "gone" || got.Why == "" {
		t.Errorf("what is gone is %+v", got)
	}
	if s := l.load(); s.Version == version || s.Index.Len() != 5 || s.Tables[4].Name != "visits" || s.Tables[3].Rows != 50 {
		t.Errorf("the snapshot holds %v", s.Relations())
	}
	if hits := l.search("contact email", 0); !slices.Equal(refs(hits), []string{"sales.customers"}) {
		t.Errorf("found %v", hits)
	}
	if n := l.count(`SELECT count(*) FROM warehouse_texts WHERE content LIKE 'contact email%'`); n != 0 {
		t.Error("a column that nothing has is kept")
	}
	list, err := l.index.Refreshes(t.Context(), l.tenant, l.id, 10)
	if err != nil || len(list) != 2 {
		t.Fatalf("%d refreshes, %v", len(list), err)
	}
	want.Counted = 0 // which is not kept
	wantDrift(t, list[0], want)
}

// What comes back is as it was, without another look at its rows.
func TestTableComesBack(t *testing.T) {
	t.Parallel()

	l := newLab(t, nil, shop()...)
	l.refresh()
	l.house.change(func(list []catalog.Table) []catalog.Table { return list[1:] })
	l.refresh()
	if hits := l.search("PLZ", 0); len(hits) != 0 {
		t.Errorf("a table that is gone is found: %v", hits)
	}
	l.house.asked()
	l.house.change(func([]catalog.Table) []catalog.Table { return shop() })
	if d := l.refresh(); d.Added != 1 || len(l.house.asked()) != 0 {
		t.Errorf("%+v", d)
	}
	if hits := l.search("postal code", 0); !slices.Equal(refs(hits), []string{"sales.customers"}) || l.rows()["sales.customers"].State != "ok" {
		t.Errorf("found %v", hits)
	}
}

func TestFailuresStandOnTheirRows(t *testing.T) {
	t.Parallel()

	l := newLab(t, nil, append(shop(), catalog.Table{Schema: "web", Name: "view", Rows: -1})...)
	l.house.broken["sales.orders"] = "may not read\x00 orders"
	d := l.refresh()
	if d.Failed != 2 || len(d.Detail.Failed) != 2 || d.Why != "" {
		t.Errorf("%+v", d)
	}
	rows := l.rows()
	if r := rows["sales.orders"]; r.State != "failed" || !strings.Contains(r.Why, "may not read") || r.Samples != "[]" {
		t.Errorf("%+v", r)
	}
	if r := rows["web.view"]; r.State != "failed" || r.Why == "" {
		t.Errorf("%+v", r)
	}
	if got := l.load().Lookup([]string{"orders", "web.view"}); len(got.Tables) != 2 || !strings.Contains(got.Tables[0].Text, "customer_id") {
		t.Errorf("%+v", got)
	}

	l.house.asked()
	if d := l.refresh(); d.Failed != 2 || !d.None() {
		t.Errorf("%+v", d)
	}
	if diff := cmp.Diff(rows, l.rows()); diff != "" {
		t.Errorf("the same failures were written again:\n%s", diff)
	}
	delete(l.house.broken, "sales.orders")
	if d := l.refresh(); d.Failed != 1 || l.rows()["sales.orders"].State != "ok" {
		t.Errorf("%+v", d)
	}
	// Rights that were taken away hide the columns, and what was known stays.
	l.house.change(func(list []catalog.Table) []catalog.Table {
		list[0].Columns = nil
		return list
	})
	l.refresh()
	if s := l.load(); len(s.Tables[0].Columns) != 3 || l.rows()["sales.customers"].State != "failed" {
		t.Errorf("%+v", s.Tables[0])
	}
	if hits := l.search("PLZ", 0); len(hits) != 1 {
		t.Errorf("found %v", hits)
	}
}

func TestSamplesAreMaskedAndCut(t *testing.T) {
	t.Parallel()

	l := newLab(t, nil, shop()...)
	l.refresh()
	samples := l.load().Tables[0].Samples
	if strings.Contains(fmt.Sprint(samples), "example.org") || !strings.HasPrefix(samples[2][1], "~") || samples[2][2] != "plain" {
		t.Errorf("%q", samples)
	}
	if n := len([]rune(samples[1][2])); n > 256 || n < 50 {
		t.Errorf("a value has %d characters", n)
	}
	other := newLab(t, nil, shop()...)
	other.refresh()
	if other.load().Tables[0].Samples[0][1] == samples[0][1] {
		t.Error("two warehouses share their pseudonyms")
	}
}

func TestSlowSampleEnds(t *testing.T) {
	t.Parallel()

	l := newLab(t, nil, shop()...)
	l.house.broken["web.stores"] = "hangs"
	x, err := schema.New(schema.Options{Pool: l.pool, SampleTime: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Refresh(t.Context(), l.tenant, l.id, l.house, nil, nil); err != nil || l.rows()["web.stores"].Why != "No samples: It took too long." {
		t.Errorf("%v, %+v", err, l.rows()["web.stores"])
	}
}

func TestSecondRefreshAtOnceIsAConflict(t *testing.T) {
	t.Parallel()

	l := newLab(t, nil, shop()...)
	var second, elsewhere error
	other := l.warehouse(postgrestest.Tenant(t, l.pool))
	l.house.before = func(at int) {
		if at == 1 {
			l.house.mu.Lock()
			l.house.before = nil
			l.house.mu.Unlock()
			_, second = l.index.Refresh(t.Context(), l.tenant, l.id, l.house, nil, nil)
			_, elsewhere = l.index.Refresh(t.Context(), l.tenant, other, l.house, nil, nil)
		}
	}
	l.refresh()
	if !fault.Is(second, fault.Conflict) || second.Error() != "a refresh of this warehouse is running" {
		t.Errorf("a second refresh: %v", second)
	}
	if !fault.Is(elsewhere, fault.NotFound) {
		t.Errorf("a refresh of another's warehouse: %v", elsewhere)
	}
	l.refresh() // the first let go
}

// A refresh that ends between two batches loses nothing, takes nothing for gone,
// and the next goes on.
func TestRefreshGoesOn(t *testing.T) {
	t.Parallel()

	l := newLab(t, nil, wide(1_200)...)
	ctx, cancel := context.WithCancel(t.Context())
	l.house.before = func(at int) {
		if at == 700 {
			cancel()
		}
	}
	_, err := l.index.Refresh(ctx, l.tenant, l.id, l.house, nil, nil)
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if n := len(l.rows()); n != 500 {
		t.Errorf("%d tables are stored, want those of one batch", n)
	}
	if len(l.house.asked()) != 0 || len(l.search("order", 0)) == 0 {
		t.Error("what is there cannot be found")
	}

	l.house.before = nil
	if d := l.refresh(); d.Added != 700 || d.Removed != 0 || len(l.house.asked()) != 1_200 {
		t.Errorf("%+v", d)
	}
	l.house.fails = warehouse.NewQueryError(warehouse.Unreachable, "the line broke", "", nil)
	l.house.change(func(list []catalog.Table) []catalog.Table { return list[:10] })
	d, err := l.index.Refresh(t.Context(), l.tenant, l.id, l.house, nil, nil)
	if err == nil || d.Removed != 0 || !strings.Contains(d.Why, "the line broke") || l.load().Index.Len() != 1_200 {
		t.Errorf("%+v, %v", d, err)
	}
}

// wide returns n tables of 24 columns.
func wide(n int) []catalog.Table {
	out := make([]catalog.Table, n)
	for i := range out {
		t := &out[i]
		t.Schema, t.Name, t.Rows = fmt.Sprint("area", i%20), fmt.Sprintf("%s_%s_%05d", []string{"order", "visit", "stock", "ledger"}[i%4], []string{"line", "head", "item"}[i%3], i), int64(i)*7919%5_000_000
		t.Columns = []catalog.Column{{Name: "id", Type: "bigint", Key: true}, {Name: "customer_id", Type: "bigint"}}
		for c := range 22 {
			t.Columns = append(t.Columns, catalog.Column{Name: fmt.Sprint("measure_", (i+c)%500), Type: "numeric"})
		}
	}
	return out
}

// Two thousand tables take a few batches, not a statement a table.
func TestRefreshOfTwoThousandTables(t *testing.T) {
	t.Parallel()

	l := newLab(t, nil, wide(2_000)...)
	l.load0()
	before, statements := l.calls.trips.Load(), l.calls.statements.Load()
	d := l.refresh()
	trips, n := l.calls.trips.Load()-before, l.calls.statements.Load()-statements
	t.Logf("2,000 tables: %d round trips, %d statements, %v", trips, n, d.Took)
	if trips > 30 || n > 90 {
		t.Errorf("%d round trips, %d statements", trips, n)
	}
	if n := l.count(`SELECT count(*) FROM warehouse_texts WHERE kind = 'column'`); n != 502 {
		t.Errorf("%d texts of columns, want one for each that differs", n)
	}
	before = l.calls.trips.Load()
	d = l.refresh()
	if trips := l.calls.trips.Load() - before; trips > 6 || !d.None() {
		t.Errorf("again it takes %d round trips, %+v", trips, d)
	}
	t.Logf("again: %v", d.Took)
}

// load0 opens a connection, which takes statements of its own.
func (l *lab) load0() { l.count(`SELECT 1::bigint`) }

func TestStrangeNames(t *testing.T) {
	t.Parallel()

	names := []string{`we"ird`, "a.b", "🛒 cart", "select", "Straße", "tab\tle", "顧客マスタ", `back\slash`, "it's", "[x]", "`y`", "CamelCase", "camelcase", strings.Repeat("n", 900), " leading", "a\nb"}
	var tables []catalog.Table
	for _, name := range names {
		tables = append(tables, catalog.Table{Schema: `my "schema"`, Name: name, Rows: 1, Columns: []catalog.Column{{Name: name, Type: `enum('a"b')`, Comment: "🙂 \\ ' \" \x00"}, {Name: "id", Type: "int"}}})
	}
	l := newLab(t, nil, tables...)
	if d := l.refresh(); d.Added != len(names) || d.Failed != 0 {
		t.Fatalf("%+v", d)
	}
	if d := l.refresh(); !d.None() {
		t.Errorf("again: %+v", d)
	}
	s := l.load()
	for _, name := range names {
		ref := `my "schema".` + name
		if got := s.Lookup([]string{ref}); len(got.Tables) != 1 || got.Tables[0].Ref != ref {
			t.Errorf("%q is %+v", ref, got)
		}
	}
	for words, want := range map[string]string{"cart": "🛒 cart", "顧客": "顧客マスタ", "straße": "Straße", "camel case": "CamelCase"} {
		if hits := l.search(words, 3); len(hits) == 0 || hits[0].Ref != `my "schema".`+want {
			t.Errorf("%s finds %v", words, refs(hits))
		}
	}
}

func TestTableOfTenThousandColumns(t *testing.T) {
	t.Parallel()

	big := catalog.Table{Schema: "wide", Name: "features", Rows: 7}
	for i := range 10_000 {
		big.Columns = append(big.Columns, catalog.Column{Name: fmt.Sprintf("feature_%04d", i), Type: "double"})
	}
	big.Columns[9_998].Name = "churn_label"
	l := newLab(t, nil, append(shop(), big)...)
	l.refresh()
	if got := l.load().Lookup([]string{"features"}); len(got.Tables) != 1 || !strings.Contains(got.Tables[0].Text, "churn_label") {
		t.Error("not all columns are named")
	}
	if hits := l.search("which column holds the churn label?", 0); len(hits) == 0 || hits[0].Ref != "wide.features" || !strings.Contains(hits[0].Because, "churn_label") {
		t.Errorf("found %v", hits)
	}
}

func TestTenantsAreApart(t *testing.T) {
	t.Parallel()

	l := newLab(t, nil, shop()...)
	l.refresh()
	other := postgrestest.Tenant(t, l.pool)
	if _, err := l.index.Load(t.Context(), other, l.id); !fault.Is(err, fault.Conflict) {
		t.Errorf("another tenant loads: %v", err)
	}
	if list, err := l.index.Refreshes(t.Context(), other, l.id, 10); err != nil || len(list) != 0 {
		t.Errorf("another tenant sees %v, %v", list, err)
	}
	if _, err := l.index.Load(t.Context(), l.tenant, "no id"); !fault.Is(err, fault.Conflict) {
		t.Errorf("%v", err)
	}
}
