package metrics_test

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"

	"quaestor/internal/fault"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/internal/secret"
	"quaestor/internal/secret/seal"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/metrics"
	"quaestor/research/warehouse/pgwire"
	"quaestor/research/warehouse/schema"
	"quaestor/research/warehouse/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// lab is a store over a database of its own, and another database as a warehouse.
type lab struct {
	metrics.Store
	t                 *testing.T
	tenant, warehouse string
}

func newLab(t *testing.T) lab {
	t.Helper()
	at := postgrestest.URL(t)
	u, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	db, err := pgx.Connect(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(context.Background())
	for _, sql := range []string{"CREATE SCHEMA shop", "CREATE SCHEMA hidden", "CREATE TABLE hidden.vault (secret text)", "CREATE TABLE shop.orders (id int PRIMARY KEY, day date, state text, total int)",
		"INSERT INTO shop.orders VALUES (1, '2026-01-01', 'paid', 10), (2, '2026-01-02', 'paid', 30), (3, '2026-01-03', 'open', 5), (4, '2026-01-04', 'paid', 20)", "ANALYZE shop.orders"} {
		if _, err := db.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	pool := postgrestest.DB(t)
	keys, err := seal.Generate()
	if err != nil {
		t.Fatal(err)
	}
	sealer, err := seal.New(keys)
	if err != nil {
		t.Fatal(err)
	}
	index, err := schema.New(schema.Options{Pool: pool})
	if err != nil {
		t.Fatal(err)
	}
	store := connections.New(connections.Options{Pool: pool, Sealer: sealer, Connectors: []warehouse.Connector{&pgwire.Connector{Reach: wire.Reach{Sockets: true}}}, Index: index, Log: slog.New(slog.DiscardHandler)})
	l := lab{metrics.Store{Pool: pool, Connections: store}, t, postgrestest.Tenant(t, pool), ""}
	w, err := store.Create(t.Context(), l.tenant, "someone", connections.Spec{Name: "Shop", Kind: warehouse.PostgreSQL, Secret: secret.New("sesame-12345"), Schemas: []string{"shop"}, Options: map[string]string{
		wire.Host: u.Query().Get("host"), wire.Port: u.Query().Get("port"), wire.Database: strings.TrimPrefix(u.Path, "/"), wire.User: u.User.Username()}})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Refresh(t.Context(), l.tenant, w.ID); err != nil {
		t.Fatal(err)
	}
	l.warehouse = w.ID
	return l
}

// save saves a new definition, which must succeed.
func (l lab) save(s metrics.Spec) metrics.Definition {
	l.t.Helper()
	d, err := l.Save(l.t.Context(), l.tenant, l.warehouse, "anna", 0, s)
	if err != nil {
		l.t.Fatalf("%s: %v", s.Name, err)
	}
	return d
}

// revenue is a good spec.
func revenue() metrics.Spec {
	return metrics.Spec{Kind: metrics.Metric, Name: "revenue", Table: "orders", Expression: " SUM(total) ", Filters: []string{"state = 'paid'", " "}, Time: "day", Grain: metrics.Month, Owner: "Fin\u202eance", Synonyms: []string{"turn\u200bover"}}
}

func TestDefinitionsAreKeptChangedAndAsked(t *testing.T) {
	t.Parallel()

	l, ctx := newLab(t), t.Context()
	d := l.save(revenue())
	if d.Table != "shop.orders" || d.Expression != "SUM(total)" || len(d.Filters) != 1 || d.Version != 1 || d.CreatedBy != "anna" {
		t.Errorf("kept is %+v", d)
	}
	l.save(metrics.Spec{Kind: metrics.Metric, Name: "order_count", Table: "shop.orders", Expression: "count(*)"})
	l.save(metrics.Spec{Kind: metrics.Metric, Name: "average_order", Numerator: "revenue", Denominator: "order_count"})
	l.save(metrics.Spec{Kind: metrics.Dimension, Name: "state", Table: "shop.orders", Expression: "state"})

	for name, want := range map[string]string{"revenue": "60", "order_count": "4", "average_order": "15"} {
		v, err := l.Value(ctx, l.tenant, l.warehouse, name)
		if err != nil || strings.TrimRight(strings.TrimRight(strings.Trim(v.Value, `"`), "0"), ".") != strings.TrimRight(want, "0") || v.SQL == "" {
			t.Errorf("%s is %+v, %v; want %s", name, v, err, want)
		}
	}
	v, err := l.Value(ctx, l.tenant, l.warehouse, "state")
	if diff := cmp.Diff([]metrics.Member{{Value: `"paid"`, Rows: 3}, {Value: `"open"`, Rows: 1}}, v.Members); diff != "" || err != nil {
		t.Errorf("state: %v (-want +got):\n%s", err, diff)
	}

	found, err := l.Find(ctx, l.tenant, l.warehouse, "turnover by state?")
	if err != nil || len(found) != 2 || found[0].Name != "revenue" || found[1].Name != "state" {
		t.Errorf("found: %+v, %v", found, err)
	}

	changed := d.Spec
	changed.Description = "Paid orders"
	if d, err = l.Save(ctx, l.tenant, l.warehouse, "ben", d.Version, changed); err != nil || d.Version != 2 || d.ChangedBy != "ben" || d.CreatedBy != "anna" {
		t.Errorf("changed: %+v, %v", d, err)
	}
	if _, err := l.Save(ctx, l.tenant, l.warehouse, "ben", 1, changed); !fault.Is(err, fault.Conflict) {
		t.Errorf("of an old version: %v", err)
	}
	if _, err := l.Save(ctx, l.tenant, l.warehouse, "ben", 0, changed); !fault.Is(err, fault.Conflict) {
		t.Errorf("a second of the name: %v", err)
	}
	if err := l.Delete(ctx, l.tenant, l.warehouse, "revenue"); !fault.Is(err, fault.Conflict) {
		t.Errorf("delete what a ratio is made of: %v", err)
	}
	for _, name := range []string{"average_order", "revenue"} {
		if err := l.Delete(ctx, l.tenant, l.warehouse, name); err != nil {
			t.Error(err)
		}
	}
	if _, err := l.Save(ctx, l.tenant, l.warehouse, "ben", 2, changed); !fault.Is(err, fault.NotFound) {
		t.Errorf("change what is deleted: %v", err)
	}
	if list, err := l.List(ctx, l.tenant, l.warehouse); err != nil || len(list) != 2 {
		t.Errorf("left: %+v, %v", list, err)
	}
}

// Whatever the guard would refuse, and whatever is no single expression, is refused with its field.
func TestSpecsThatAreRefused(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.save(revenue())
	l.save(metrics.Spec{Kind: metrics.Metric, Name: "average", Numerator: "revenue", Denominator: "revenue"})
	with := func(change func(*metrics.Spec)) metrics.Spec {
		s := revenue()
		s.Name, s.Synonyms = "other", nil
		change(&s)
		return s
	}
	for _, tt := range []struct {
		field string
		spec  metrics.Spec
	}{
		{"kind", with(func(s *metrics.Spec) { s.Kind = "figure" })},
		{"name", with(func(s *metrics.Spec) { s.Name = "Net Revenue" })},
		{"name", with(func(s *metrics.Spec) { s.Name = "turnover" })}, // a synonym of another
		{"synonyms[0]", with(func(s *metrics.Spec) { s.Synonyms = []string{"Revenue"} })},
		{"synonyms[1]", with(func(s *metrics.Spec) { s.Synonyms = []string{"fine", "!!"} })},
		{"label", with(func(s *metrics.Spec) { s.Label = strings.Repeat("x", 201) })},
		{"grain", with(func(s *metrics.Spec) { s.Grain = "decade" })},
		{"table", with(func(s *metrics.Spec) { s.Table = "" })},
		{"table", with(func(s *metrics.Spec) { s.Table = "shop.order" })},
		{"table", with(func(s *metrics.Spec) { s.Table = "hidden.vault" })},
		{"table", with(func(s *metrics.Spec) { s.Table = "pg_catalog.pg_authid" })},
		{"table", with(func(s *metrics.Spec) { s.Table = `shop.orders" AS a; DROP TABLE shop.orders; --` })},
		{"expression", with(func(s *metrics.Spec) { s.Expression = "" })},
		{"expression", with(func(s *metrics.Spec) { s.Expression = "SUM(total" })},
		{"expression", with(func(s *metrics.Spec) { s.Expression = "SUM(total), 1" })},
		{"expression", with(func(s *metrics.Spec) { s.Expression = "1) FROM shop.orders; DROP TABLE shop.orders; --" })},
		{"expression", with(func(s *metrics.Spec) { s.Expression = "1) AS x FROM shop.orders WHERE (true" })},
		{"expression", with(func(s *metrics.Spec) { s.Expression = "pg_read_file('/etc/passwd')" })},
		{"expression", with(func(s *metrics.Spec) { s.Expression = "pg_sleep(5)" })},
		{"expression", with(func(s *metrics.Spec) { s.Expression = "(SELECT max(secret) FROM hidden.vault)" })},
		{"expression", with(func(s *metrics.Spec) { s.Expression = "(DELETE FROM shop.orders RETURNING 1)" })},
		{"filters[1]", with(func(s *metrics.Spec) { s.Filters = []string{"true", "state = 'paid') OR (true"} })},
		{"filters[0]", with(func(s *metrics.Spec) { s.Filters = []string{"total > (SELECT count(*) FROM hidden.vault)"} })},
		{"time", with(func(s *metrics.Spec) { s.Time = "now(), day" })},
		{"expression", with(func(s *metrics.Spec) { s.Expression = "SUM(totl)" })},
		{"expression", with(func(s *metrics.Spec) { s.Expression = "SUM(customers.total)" })},
		{"expression", with(func(s *metrics.Spec) { s.Expression = "total" })}, // one for each row
		{"filters[1]", with(func(s *metrics.Spec) { s.Filters = []string{"state = 'paid'", "status = 'paid' AND total > 0"} })},
		{"time", with(func(s *metrics.Spec) { s.Time = "placed_at" })},
		{"expression", metrics.Spec{Kind: metrics.Dimension, Name: "other", Table: "orders", Expression: "country"}},
		{"denominator", metrics.Spec{Kind: metrics.Metric, Name: "other", Numerator: "revenue"}},
		{"denominator", metrics.Spec{Kind: metrics.Metric, Name: "other", Numerator: "revenue", Denominator: "nothing"}},
		{"numerator", metrics.Spec{Kind: metrics.Metric, Name: "other", Numerator: "average", Denominator: "revenue"}},
		{"numerator", metrics.Spec{Kind: metrics.Metric, Name: "other", Numerator: "other", Denominator: "revenue"}},
		{"expression", with(func(s *metrics.Spec) { s.Numerator, s.Denominator = "revenue", "revenue" })},
		{"grain", metrics.Spec{Kind: metrics.Dimension, Name: "other", Table: "orders", Expression: "day", Grain: metrics.Day}},
	} {
		_, err := l.Save(t.Context(), l.tenant, l.warehouse, "eve", 0, tt.spec)
		var f *fault.Error
		if !errors.As(err, &f) || f.Kind != fault.Unprocessable || f.Field != tt.field || len(f.Message) < 15 {
			t.Errorf("%+v: %v, want a fault of %s", tt.spec, err, tt.field)
		}
	}
	dimension := revenue()
	dimension.Kind, dimension.Time, dimension.Grain = metrics.Dimension, "", ""
	if _, err := l.Save(t.Context(), l.tenant, l.warehouse, "eve", 1, dimension); err == nil {
		t.Error("what a ratio is made of became a dimension")
	}
	if list, err := l.List(t.Context(), l.tenant, l.warehouse); err != nil || len(list) != 2 {
		t.Errorf("there are %+v, %v", list, err)
	}
}

// A refusal of a column says which the table has.
func TestRefusalsNameTheColumnsThatThereAre(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	for expression, want := range map[string]string{"SUM(totl)": "perhaps total", "SUM(revenue)": "it has id, day, state and total", "total": "SUM(total)"} {
		_, err := l.Save(t.Context(), l.tenant, l.warehouse, "anna", 0, metrics.Spec{Kind: metrics.Metric, Name: "other", Table: "orders", Expression: expression})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, without %q", expression, err, want)
		}
	}
	for _, expression := range []string{"SUM(orders.total)", "SUM(total) FILTER (WHERE day > current_date - 30)", "AVG(extract(day from day))", "COUNT(*)", "(SELECT max(n) FROM (SELECT count(*) AS n FROM shop.orders) q)"} {
		if err := l.Delete(t.Context(), l.tenant, l.warehouse, l.save(metrics.Spec{Kind: metrics.Metric, Name: "fine", Table: "orders", Expression: expression}).Name); err != nil {
			t.Error(err)
		}
	}
}

// Before the tables of a warehouse were read a definition is kept, is not used, and says so. Once they
// were, it is checked.
func TestDefinitionsWaitForTheTables(t *testing.T) {
	t.Parallel()

	l, ctx := newLab(t), t.Context()
	of, err := l.Connections.Find(ctx, l.tenant, l.warehouse)
	if err != nil {
		t.Fatal(err)
	}
	unread, err := l.Connections.Create(ctx, l.tenant, "someone", connections.Spec{Name: "Unread", Kind: of.Kind, Secret: secret.New("sesame-12345"), Schemas: of.Schemas, Options: of.Options})
	if err != nil {
		t.Fatal(err)
	}
	l.warehouse = unread.ID
	if d := l.save(metrics.Spec{Kind: metrics.Metric, Name: "good", Table: "orders", Expression: "SUM(total)"}); !d.Unchecked {
		t.Errorf("saved without its tables: %+v", d)
	}
	l.save(metrics.Spec{Kind: metrics.Metric, Name: "bad", Table: "orders", Expression: "SUM(amount)"})
	if _, err := l.Save(ctx, l.tenant, l.warehouse, "anna", 0, metrics.Spec{Kind: metrics.Metric, Name: "none", Table: "orders"}); !fault.Is(err, fault.Unprocessable) {
		t.Errorf("without an expression: %v", err)
	}
	if list, err := l.Usable(ctx, l.tenant, l.warehouse); err != nil || len(list) != 0 {
		t.Errorf("usable: %+v, %v", list, err)
	}

	if err := l.Connections.Refresh(ctx, l.tenant, l.warehouse); err != nil {
		t.Fatal(err)
	}
	list, err := l.List(ctx, l.tenant, l.warehouse)
	if err != nil || len(list) != 2 || !strings.Contains(list[0].Problem, `expression: shop.orders has no column "amount"`) || list[1].Unchecked || list[1].Table != "shop.orders" {
		t.Errorf("listed: %+v, %v", list, err)
	}
	if list, err := l.Usable(ctx, l.tenant, l.warehouse); err != nil || len(list) != 1 || list[0].Name != "good" || list[0].Version != 1 {
		t.Errorf("usable: %+v, %v", list, err)
	}
	fixed := list[0].Spec
	fixed.Expression = "MAX(total)"
	if d, err := l.Save(ctx, l.tenant, l.warehouse, "anna", 1, fixed); err != nil || d.Unchecked || d.Problem != "" {
		t.Errorf("mended: %+v, %v", d, err)
	}
}

// A figure that is none is only seen when it is asked, if it comes of a column that there is.
func TestValuesThatAreNone(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.save(metrics.Spec{Kind: metrics.Metric, Name: "each", Table: "orders", Expression: "ABS(total)"})
	for name, want := range map[string]string{"each": "4 rows", "nothing": "no such metric"} {
		if v, err := l.Value(t.Context(), l.tenant, l.warehouse, name); err == nil || fault.Is(err, fault.Internal) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s is %+v, %v", name, v, err)
		}
	}
}

func TestDocumentsAreImportedAfterAPreview(t *testing.T) {
	t.Parallel()

	l, ctx := newLab(t), t.Context()
	plan, err := l.Plan(ctx, l.tenant, l.warehouse, file(t, "own.yml"))
	if err != nil {
		t.Fatal(err)
	}
	changes := map[string]metrics.Change{}
	for _, row := range plan.Rows {
		changes[row.Name] = row.Change
		if row.Change == metrics.Refused && (row.Field != "expression" || row.Problem == "") {
			t.Errorf("%s is refused for %q: %s", row.Name, row.Field, row.Problem)
		}
	}
	want := map[string]metrics.Change{"revenue": metrics.Added, "order_count": metrics.Added, "average_order": metrics.Added, "state": metrics.Added, "secrets": metrics.Refused, "killer": metrics.Refused}
	if diff := cmp.Diff(want, changes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(plan.Examples) != 2 || plan.Examples[0].Problem != "" || plan.Examples[1].Problem == "" || len(plan.Skipped) != 1 {
		t.Errorf("examples %+v, skipped %+v", plan.Examples, plan.Skipped)
	}
	if list, err := l.List(ctx, l.tenant, l.warehouse); err != nil || len(list) != 0 {
		t.Errorf("a preview stored %+v, %v", list, err)
	}

	if _, err := l.Import(ctx, l.tenant, l.warehouse, "anna", file(t, "own.yml")); err != nil {
		t.Fatal(err)
	}
	list, err := l.List(ctx, l.tenant, l.warehouse)
	if err != nil || len(list) != 4 {
		t.Fatalf("stored: %+v, %v", list, err)
	}
	examples, err := l.Examples(ctx, l.tenant, l.warehouse)
	if err != nil || len(examples) != 1 || examples[0].VerifiedBy != "anna" {
		t.Errorf("examples: %+v, %v", examples, err)
	}
	again, err := l.Import(ctx, l.tenant, l.warehouse, "ben", []byte(strings.Replace(string(file(t, "own.yml")), "Money of paid orders", "Money that came in", 1)))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range again.Rows {
		if want := map[string]metrics.Change{"revenue": metrics.Changed, "order_count": metrics.Same, "average_order": metrics.Same, "state": metrics.Same}[row.Name]; want != "" && row.Change != want {
			t.Errorf("again, %s is %s", row.Name, row.Change)
		}
	}
	if d, err := l.Named(ctx, l.tenant, l.warehouse, "revenue"); err != nil || d.Version != 2 || d.Description != "Money that came in" {
		t.Errorf("%+v, %v", d, err)
	}

	for _, name := range []string{"metricflow.yml", "manifest.json", "lookml.yml"} {
		other := newLab(t)
		plan, err := other.Import(ctx, other.tenant, other.warehouse, "anna", file(t, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, row := range plan.Rows {
			if row.Change != metrics.Added {
				t.Errorf("%s: %s is %s, %s: %s", name, row.Name, row.Change, row.Field, row.Problem)
				continue
			}
			if _, err := other.Value(ctx, other.tenant, other.warehouse, row.Name); err != nil {
				t.Errorf("%s: %s: %v", name, row.Name, err)
			}
		}
	}
}

func TestProposalsOfAWarehouse(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	before, err := l.Proposals(t.Context(), l.tenant, l.warehouse)
	if err != nil || len(before) < 3 {
		t.Fatalf("%+v, %v", before, err)
	}
	for _, s := range before {
		l.save(s)
		if _, err := l.Value(t.Context(), l.tenant, l.warehouse, s.Name); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
	if after, err := l.Proposals(t.Context(), l.tenant, l.warehouse); err != nil || len(after) != 0 {
		t.Errorf("all defined, it proposes %+v, %v", after, err)
	}
}

func TestExamplesAreVerified(t *testing.T) {
	t.Parallel()

	l, ctx := newLab(t), t.Context()
	for _, tt := range []struct{ field, question, sql string }{
		{"question", "", "SELECT 1 FROM shop.orders"}, {"sql", "Why?", ""}, {"sql", "Why?", "DROP TABLE shop.orders"}, {"sql", "Why?", "SELECT secret FROM hidden.vault"},
	} {
		var f *fault.Error
		if _, err := l.Verify(ctx, l.tenant, l.warehouse, "anna", tt.question, tt.sql); !errors.As(err, &f) || f.Field != tt.field {
			t.Errorf("%+v: %v", tt, err)
		}
	}
	first, err := l.Verify(ctx, l.tenant, l.warehouse, "anna", "How many?", "SELECT count(*) FROM shop.orders")
	if err != nil {
		t.Fatal(err)
	}
	second, err := l.Verify(ctx, l.tenant, l.warehouse, "ben", " How many? ", "SELECT count(id) FROM shop.orders")
	if err != nil || second.ID != first.ID || second.VerifiedBy != "ben" {
		t.Errorf("%+v, %v", second, err)
	}
	if err := l.Unverify(ctx, l.tenant, l.warehouse, first.ID); err != nil {
		t.Error(err)
	}
	if err := l.Unverify(ctx, l.tenant, l.warehouse, first.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("deleted twice: %v", err)
	}
}

// Another organisation sees, changes and asks nothing, whatever ids it knows.
func TestDefinitionsOfOthersAreNotThere(t *testing.T) {
	t.Parallel()

	l, ctx := newLab(t), t.Context()
	d := l.save(revenue())
	example, err := l.Verify(ctx, l.tenant, l.warehouse, "anna", "How many?", "SELECT count(*) FROM shop.orders")
	if err != nil {
		t.Fatal(err)
	}
	other := postgrestest.Tenant(t, l.Pool)
	if list, err := l.List(ctx, other, l.warehouse); err != nil || len(list) != 0 {
		t.Errorf("sees %+v, %v", list, err)
	}
	if list, err := l.Examples(ctx, other, l.warehouse); err != nil || len(list) != 0 {
		t.Errorf("sees %+v, %v", list, err)
	}
	_, errSave := l.Save(ctx, other, l.warehouse, "eve", 0, revenue())
	_, errValue := l.Value(ctx, other, l.warehouse, d.Name)
	_, errPlan := l.Plan(ctx, other, l.warehouse, file(t, "own.yml"))
	_, errVerify := l.Verify(ctx, other, l.warehouse, "eve", "How many?", "SELECT 1")
	for what, err := range map[string]error{"save": errSave, "ask": errValue, "plan": errPlan, "verify": errVerify, "delete": l.Delete(ctx, other, l.warehouse, d.Name), "unverify": l.Unverify(ctx, other, l.warehouse, example.ID)} {
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := l.List(ctx, l.tenant, "nonsense"); !fault.Is(err, fault.NotFound) {
		t.Errorf("a warehouse with no id: %v", err)
	}
}
