package schema_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/embedding"
	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
)

// recall returns the share of the questions whose table is among ten, and tells
// which are not.
func (l *lab) recall() float64 {
	l.t.Helper()
	met, firsts := 0, 0
	for _, q := range questions {
		hits := refs(l.search(q.ask, 10))
		if slices.Contains(hits, q.want) {
			met++
		} else {
			l.t.Logf("%q wants %s and finds %v", q.ask, q.want, hits)
		}
		if len(hits) > 0 && hits[0] == q.want {
			firsts++
		}
	}
	l.t.Logf("%d of %d found, %d in the first place", met, len(questions), firsts)
	return float64(met) / float64(len(questions))
}

// Of 2,000 tables the one that answers is among ten; by words alone nearly always.
func TestQuestionsFindTheirTables(t *testing.T) {
	t.Parallel()

	e, _ := encoder(t, "one")
	l := newLab(t, e, asked(2_000)...)
	l.refresh()
	if got := l.recall(); got < 0.9 {
		t.Errorf("by words alone recall is %.3f", got)
	}
	l.encode()
	if got := l.recall(); got < 0.98 {
		t.Errorf("recall is %.3f", got)
	}
}

func TestSearchSaysWhy(t *testing.T) {
	t.Parallel()

	l := newLab(t, nil, asked(300)...)
	l.refresh()
	for words, want := range map[string]string{
		"contact email":          "column name contact_email contains 'contact', 'email'",
		"campaign answers":       "table name contains 'cmpgn' for 'campaign'; comment contains 'answered' for 'answers'",
		"STHAR_SUBE":             "column name STHAR_GCMIK contains 'sthar'; column name STHAR_SUBE contains 'sube'",
		"qty of order":           "column name qty contains 'qty'; table name contains 'order'",
		"stock movements branch": "comment contains 'stock', 'movements'; comment of column STHAR_SUBE contains 'branch'",
	} {
		hits := l.search(words, 1)
		if len(hits) != 1 || hits[0].Because != want || hits[0].Score <= 0 || hits[0].Score > 1 || !strings.HasPrefix(hits[0].Line, hits[0].Ref+" | ") {
			t.Errorf("%s finds %+v, want because %q", words, hits, want)
		}
	}
}

// As many are found as are asked for, when there are as many, and one question is
// one round trip.
func TestSearchFindsAsManyAsAsked(t *testing.T) {
	t.Parallel()

	e, _ := encoder(t, "one")
	l := newLab(t, e, asked(300)...)
	l.refresh()
	for topK, want := range map[int]int{0: 10, 1: 1, 30: 30, 1_000: 30, -5: 10} {
		if hits := l.search("customer order", topK); len(hits) != want {
			t.Errorf("topK %d finds %d, want %d", topK, len(hits), want)
		}
	}
	if hits := l.search("zzzz", 10); len(hits) != 0 {
		t.Errorf("nothing means %v", hits)
	}
	l.encode()
	if hits := l.search("zzzz", 10); len(hits) != 0 {
		t.Errorf("with vectors, too, nothing is near: %v", hits)
	}
	s := l.load()
	before := l.calls.trips.Load()
	if _, err := l.index.Search(t.Context(), s, "customer order", 10); err != nil || l.calls.trips.Load()-before != 1 {
		t.Errorf("%d round trips, %v", l.calls.trips.Load()-before, err)
	}
}

func TestHostileWordsAreHarmless(t *testing.T) {
	t.Parallel()

	e, _ := encoder(t, "one")
	l := newLab(t, e, asked(60)...)
	l.refresh()
	for _, words := range []string{"", " ", `'`, `''; DROP TABLE warehouse_tables; --`, `\`, `a:*`, `!!`, "& | ! ( ) <-> :", "\x00", "\xff\xfe", "or or or", "the of and", strings.Repeat("x", 10_240), strings.Repeat("x y ", 5_120),
		strings.Repeat("ж", 5_000), "$1", "%s%n", "🛒", "'a':*A", strings.Repeat("\u0301", 100), "a\u0301"} {
		if _, err := l.index.Search(t.Context(), l.load(), words, 10); err != nil {
			t.Errorf("search %.40q: %v", words, err)
		}
	}
	if hits := l.search("refund", 1); len(hits) != 1 {
		t.Error("nothing is left")
	}
}

// flaky is an encoder that fails after some texts.
type flaky struct {
	embedding.Encoder
	left int
	seen []string
}

func (f *flaky) Encode(ctx context.Context, texts []string) ([][]float32, error) {
	if f.left -= len(texts); f.left < 0 {
		return nil, fault.New(fault.Unavailable, "the encoder is away")
	}
	f.seen = append(f.seen, texts...)
	return f.Encoder.Encode(ctx, texts)
}

// Encoding goes on where it stopped, encodes nothing twice, and what changed again.
func TestEncodeGoesOn(t *testing.T) {
	t.Parallel()

	e, _ := encoder(t, "one")
	l := newLab(t, nil, asked(300)...)
	f := &flaky{Encoder: e, left: 150}
	l.index = l.open(f)
	l.refresh()
	n, err := l.index.Encode(t.Context(), l.tenant, l.id, nil)
	if n != 128 || !fault.Is(err, fault.Unavailable) {
		t.Errorf("%d were encoded, %v", n, err)
	}
	if hits := l.search("refund", 3); len(hits) == 0 || hits[0].Ref != "sales.returns" {
		t.Errorf("meanwhile %v are found", refs(hits))
	}
	f.left = 1 << 30
	texts := l.count(`SELECT count(*) FROM warehouse_texts`)
	if n := l.encode(); n != texts-128 || l.encode() != 0 {
		t.Errorf("%d were encoded of %d", n, texts-128)
	}
	slices.Sort(f.seen)
	if all := len(f.seen); len(slices.Compact(f.seen)) < all-20 { // some tables are alike
		t.Errorf("%d texts were encoded, %d of them differ", all, len(slices.Compact(f.seen)))
	}
	l.house.change(func(list []catalog.Table) []catalog.Table {
		list[0].Comment = "What customers bought"
		return list
	})
	l.refresh()
	if n := l.encode(); n != 1 {
		t.Errorf("%d were encoded of one that changed", n)
	}
	other, _ := encoder(t, "two")
	l.index = l.open(other)
	if hits := l.search("zzzz", 3); len(hits) != 0 {
		t.Errorf("vectors of another encoder are compared: %v", hits)
	}
	if n := l.encode(); n != texts {
		t.Errorf("%d were encoded by another encoder, want all %d", n, texts)
	}
}

func TestSecondEncodingAtOnceIsAConflict(t *testing.T) {
	t.Parallel()

	e, _ := encoder(t, "one")
	l := newLab(t, e, shop()...)
	l.refresh()
	var second error
	_, err := l.index.Encode(t.Context(), l.tenant, l.id, nil)
	if err != nil {
		t.Fatal(err)
	}
	l.index = l.open(&busy{Encoder: e, during: func() { _, second = l.index.Encode(t.Context(), l.tenant, l.id, nil) }})
	l.house.change(func(list []catalog.Table) []catalog.Table { return append(list, catalog.Table{Name: "more"}) })
	l.refresh()
	l.encode()
	if !fault.Is(second, fault.Conflict) {
		t.Errorf("a second encoding: %v", second)
	}
}

// busy is an encoder during whose work something else happens.
type busy struct {
	embedding.Encoder
	during func()
}

func (b *busy) Encode(ctx context.Context, texts []string) ([][]float32, error) {
	b.during()
	return b.Encoder.Encode(ctx, texts)
}

func TestSearchIsTheTenantsOwn(t *testing.T) {
	t.Parallel()

	e, _ := encoder(t, "one")
	l := newLab(t, e, shop()...)
	l.refresh()
	l.encode()
	other := *l
	other.tenant = postgrestest.Tenant(t, l.pool)
	other.id = other.warehouse(other.tenant)
	other.house = &house{tables: []catalog.Table{{Schema: "x", Name: "orders", Columns: []catalog.Column{{Name: "id", Type: "int"}}}}}
	other.refresh()
	other.encode()
	if hits := other.search("orders", 30); !slices.Equal(refs(hits), []string{"x.orders"}) {
		t.Errorf("found %v", refs(hits))
	}
	if hits := l.search("orders", 30); len(hits) == 0 || hits[0].Ref != "sales.orders" || slices.Contains(refs(hits), "x.orders") {
		t.Errorf("found %v", refs(hits))
	}
}

func TestLookup(t *testing.T) {
	t.Parallel()

	l := newLab(t, nil, shop()...)
	l.refresh()
	s := l.load()
	before := l.house.listed
	got := s.Lookup([]string{"sales.orders", "ORDERS", `"sales"."customers"`, "stores", "custmers", "nothing_like_it", "`web`.`stores`", "sales.ordr"})
	var found []string
	for _, d := range got.Tables {
		found = append(found, d.Ref)
	}
	if diff := cmp.Diff([]string{"sales.orders", "sales.customers", "web.stores"}, found); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	want := []warehouse.NotFound{{Ref: "stores", Candidates: []string{"sales.stores", "web.stores"}}, {Ref: "custmers", Candidates: []string{"sales.customers"}}, {Ref: "nothing_like_it"}, {Ref: "sales.ordr", Candidates: []string{"sales.orders"}}}
	if diff := cmp.Diff(want, got.NotFound); diff != "" {
		t.Errorf("not found (-want +got):\n%s", diff)
	}
	if many := s.Lookup(slices.Repeat([]string{"what"}, 30)); len(many.NotFound) != warehouse.MaxLookupTables {
		t.Errorf("%d of 30 were looked up", len(many.NotFound))
	}
	if l.house.listed != before || !strings.Contains(got.Tables[0].Text, "customer_id -> sales.customers") || !strings.Contains(got.Tables[0].Text, "Samples:") {
		t.Errorf("%s", got.Tables[0].Text)
	}
}

func TestCatalogIsRenderedOnce(t *testing.T) {
	t.Parallel()

	l := newLab(t, nil, asked(300)...)
	l.refresh()
	s := l.load()
	o := catalog.Options{Budget: 2_000, Words: []string{"order"}}
	first := s.Catalog(o)
	if first.Tokens > 2_000 || first.Left == 0 || s.Index.Render(o) != first {
		t.Errorf("%d tokens, %d left out", first.Tokens, first.Left)
	}
	if again := s.Catalog(o); unsafe.StringData(again.Text) != unsafe.StringData(first.Text) {
		t.Error("it is rendered again")
	}
	for i := range 100 {
		s.Catalog(catalog.Options{Budget: 100 + i})
	}
	if s.Catalog(o) != first {
		t.Error("another text")
	}
}

// explain says how the database would answer while it searches for words.
func (l *lab) explain(words, query string) string {
	l.t.Helper()
	var plan []string
	b := postgres.NewBatch(l.tenant)
	_, _ = b.Exec(l.t.Context(), `SELECT set_config('app.schema_search', $1, true)`, words)
	postgrestest.Rows[struct{ Line string }](b, func(r *struct{ Line string }) error {
		plan = append(plan, r.Line)
		return nil
	}, `EXPLAIN `+query)
	if err := b.Send(l.t.Context(), l.pool); err != nil {
		l.t.Fatal(err)
	}
	return strings.Join(plan, "\n")
}

// crowd gives every text a vector.
func (l *lab) crowd(encoder string) {
	l.t.Helper()
	l.withoutIndexes(func(owner *pgxpool.Pool) error {
		_, err := owner.Exec(l.t.Context(), `INSERT INTO warehouse_vectors (tenant_id, warehouse_id, kind, id, encoder, digest, embedding)
			SELECT tenant_id, warehouse_id, kind, id, $1, digest, ('[' || array_to_string(ARRAY(SELECT round(sin(n * k * 0.37 + k)::numeric, 4) FROM generate_series(1, 32) AS k), ',') || repeat(',0', 1504) || ']')::halfvec
			FROM (SELECT *, row_number() OVER () AS n FROM warehouse_texts) AS t`, encoder)
		return err
	})
}

// withoutIndexes fills the vectors while they have no indexes, and makes these anew,
// which is quicker than filling them.
func (l *lab) withoutIndexes(fill func(owner *pgxpool.Pool) error) {
	l.t.Helper()
	owner := postgrestest.Superuser(l.t, l.pool)
	own := func(sql string) {
		l.t.Helper()
		if _, err := owner.Exec(l.t.Context(), sql); err != nil {
			l.t.Fatal(err)
		}
	}
	var tables, columns string
	if err := owner.QueryRow(l.t.Context(), `SELECT pg_get_indexdef('warehouse_vectors_tables'::regclass), pg_get_indexdef('warehouse_vectors_columns'::regclass)`).Scan(&tables, &columns); err != nil {
		l.t.Fatal(err)
	}
	own(`DROP INDEX warehouse_vectors_tables; DROP INDEX warehouse_vectors_columns`)
	if err := fill(owner); err != nil {
		l.t.Fatal(err)
	}
	own(`SET max_parallel_maintenance_workers = 0; SET maintenance_work_mem = '700MB'; ` + tables + `; ` + columns + `; ANALYZE warehouse_texts, warehouse_vectors, warehouse_tables`)
}

func TestManyTablesAreSearchedByIndex(t *testing.T) {
	t.Parallel()

	e, _ := encoder(t, "one")
	l := newLab(t, e, asked(5_000)...)
	l.refresh()
	l.crowd(e.Name())
	vector := `'[0.5,0.5,0.5,0.5` + strings.Repeat(",0", 1532) + `]'::halfvec(1536)`
	of := fmt.Sprintf(`v.tenant_id = '%s' AND v.warehouse_id = '%s'`, l.tenant, l.id)
	for _, tt := range []struct{ name, search, query, index string }{
		{"words", "'refund':* | 'sick'", `SELECT v.id FROM warehouse_texts AS v WHERE ` + of + ` AND v.kind = 'table' ORDER BY ts_rank(v.words, (SELECT current_schema_search()), 1) DESC, v.id LIMIT 200`, "warehouse_texts_words"},
		{"meaning", "", `SELECT v.id, v.embedding <=> (SELECT ` + vector + `) AS distance FROM warehouse_vectors AS v WHERE ` + of + ` AND v.kind = 'table' AND v.encoder = '` + e.Name() + `' ORDER BY 2 LIMIT 100`, "warehouse_vectors_tables"},
	} {
		if plan := l.explain(tt.search, tt.query); !strings.Contains(plan, tt.index) || strings.Contains(plan, "Seq Scan") {
			t.Errorf("%s: the plan does without %s:\n%s", tt.name, tt.index, plan)
		}
	}
	if hits := l.search("sick leave", 10); len(hits) == 0 || hits[0].Ref != "personal.fehlzeit" {
		t.Errorf("found %v", refs(hits))
	}
}

func TestSearchThatIsGivenUpEnds(t *testing.T) {
	t.Parallel()

	l := newLab(t, nil, shop()...)
	l.refresh()
	s := l.load()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.index.Search(ctx, s, "orders", 10); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
