package catalog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// shop is a small warehouse: two schemas, declared and suggested joins, a family of
// tables, leftovers.
func shop() []Table {
	id := func(name string) Column { return Column{Name: name, Type: "bigint", NotNull: true, Key: true} }
	col := func(name, typ string) Column { return Column{Name: name, Type: typ} }
	out := []Table{
		{Schema: "sales", Name: "orders", Rows: 14_312, Comment: "One row an order", Columns: []Column{id("order_id"), col("customer_id", "integer"), col("storeId", "bigint"), col("placed_at", "timestamp"), col("total", "numeric(10,2)"), col("status", "text")},
			Foreign: []Foreign{{Columns: []string{"customer_id"}, Table: "sales.customers", To: []string{"customer_id"}}},
			Samples: [][]string{{"1", "7", "2", "2026-03-01", "12.50", "paid"}}},
		{Schema: "sales", Name: "customers", Rows: 2_100_000, Columns: []Column{id("customer_id"), col("country", "varchar(2)")}},
		{Schema: "sales", Name: "stores", Rows: 542, Columns: []Column{id("id"), col("city", "text")}},
		{Schema: "web", Name: "stores", Rows: 3, Columns: []Column{id("id"), col("order_id", "text")}},
		{Schema: "web", Name: "visits", Rows: UnknownRows, Columns: []Column{col("order_id", "bigint"), col("store_id", "bigint"), col("product_id", "bigint")}},
		{Schema: "sales", Name: "orders_archive", Rows: 9_000_000, Columns: []Column{id("order_id")}},
	}
	for month := 1; month <= 4; month++ {
		out = append(out, Table{Schema: "web", Name: fmt.Sprintf("events_20260%d", month), Rows: 1_000_000, Columns: []Column{col("at", "timestamp"), col("name", "text")}})
	}
	return out
}

func TestRender(t *testing.T) {
	t.Parallel()

	got := NewIndex(shop()).Render(Options{Words: []string{"Country", "order", "city"}})
	want := `sales.customers | 2c | 2.1M rows | country
sales.orders | 6c | 14.3K rows | order | -> sales.customers, ~> sales.stores
sales.orders_archive | 1c | 9M rows | order | ~> sales.orders
sales.stores | 2c | 542 rows | city
web.events_202601 … events_202604 (4 tables) | 2c | 4M rows
web.stores | 2c | 3 rows | order
web.visits | 3c | unknown rows | order | ~> sales.orders, web.stores
`
	if diff := cmp.Diff(want, got.Text); diff != "" {
		t.Error(diff)
	}
	if got.Tables != 10 || got.Shown != 10 || got.Left != 0 {
		t.Errorf("%+v", got)
	}
}

// Leftovers go first, then what has nothing of the subject, then the smallest; and
// what went is counted.
func TestRenderOverBudget(t *testing.T) {
	t.Parallel()

	x := NewIndex(shop())
	whole := x.Render(Options{Words: []string{"order"}})
	got := x.Render(Options{Words: []string{"order"}, Budget: whole.Tokens})
	if strings.Contains(got.Text, "archive") || !strings.Contains(got.Text, "web.visits") || !strings.Contains(got.Text, "+ 1 more tables: use search_tables") {
		t.Error(got.Text)
	}
	tight := x.Render(Options{Words: []string{"order"}, Budget: 60})
	if lines := strings.Split(tight.Text, "\n"); !strings.HasPrefix(lines[0], "sales.orders ") || !strings.HasPrefix(lines[len(lines)-2], "+ ") {
		t.Error(tight.Text)
	}
}

func TestRowCounts(t *testing.T) {
	t.Parallel()

	for n, want := range map[int64]string{-1: "unknown", 0: "0", 542: "542", 999: "999", 1000: "1K", 14_312: "14.3K", 999_949: "999.9K", 999_950: "1M", 2_100_000: "2.1M", 1_000_000_000: "1B", 1_249_000_000_000: "1.2T", 4_000_000_000_000_000: "4000T"} {
		if got := string(appendRows(nil, n)); got != want {
			t.Errorf("%d is written %s, want %s", n, got, want)
		}
	}
}

func TestJoins(t *testing.T) {
	t.Parallel()

	x := NewIndex(shop())
	i, _, _ := x.Find("web.visits")
	want := []Join{
		{Columns: []string{"order_id"}, Table: "sales.orders", To: []string{"order_id"}},
		{Columns: []string{"store_id"}, Table: "web.stores", To: []string{"id"}}, // the one in its own schema
	}
	if diff := cmp.Diff(want, x.Joins(i)); diff != "" {
		t.Error(diff)
	}
	if i, _, _ := x.Find("web.stores"); len(x.Joins(i)) != 0 {
		t.Errorf("a text refers to a number: %v", x.Joins(i))
	}
}

func TestReference(t *testing.T) {
	t.Parallel()

	for name, want := range map[string]string{"customer_id": "customer", "customerId": "customer", "CUSTOMER_ID": "customer", "CustomerID": "customer", "id_customer": "customer", "customer_key": "customer", "id": "", "_id": "", "paid": "", "order_line_id": "order_line"} {
		if got := reference(name); got != want {
			t.Errorf("%s refers to %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{"customers": "customer", "dim_customer": "customer", "Categories": "category", "boxes": "box", "addresses": "address", "status": "status", "fact_sales": "sale"} {
		if got := thing(name); got != want {
			t.Errorf("a row of %s is a %q, want %q", name, got, want)
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()

	x := NewIndex(shop())
	for ref, want := range map[string]string{"sales.orders": "sales.orders", "SALES.Orders": "sales.orders", "orders": "sales.orders", ` "sales"."orders" `: "sales.orders", "`web`.`visits`": "web.visits", "[sales].[orders]": "sales.orders", "\"shop\".sales.`orders`": "sales.orders", "\"sales.orders": "", "[sales.orders]": "sales.orders", "a.b.c": "", "": "", "shop.sales.orders": "sales.orders", "nothing": "", "stores": "sales.stores, web.stores"} {
		i, ok, candidates := x.Find(ref)
		got := strings.Join(candidates, ", ")
		if ok {
			got = x.Table(i).Ref()
		}
		if got != want {
			t.Errorf("%s is %q, want %q", ref, got, want)
		}
	}
}

func TestDescribe(t *testing.T) {
	t.Parallel()

	x := NewIndex(shop())
	i, _, _ := x.Find("orders")
	want := `## sales.orders (14.3K rows)
One row an order
- order_id bigint NOT NULL [primary_key]
- customer_id integer [foreign_key]
- storeId bigint [foreign_key]
- placed_at timestamp [time]
- total numeric(10,2) [metric]
- status text [dimension]
customer_id -> sales.customers (customer_id)
storeId ~> sales.stores (id)
Samples:
1 | 7 | 2 | 2026-03-01 | 12.50 | paid
`
	if diff := cmp.Diff(want, x.Describe(i)); diff != "" {
		t.Error(diff)
	}
}

// Of a table with 10,000 columns every one is named.
// TestKeysAreNoMetrics makes sure that what tells rows apart is not described as something to be averaged, where the
// warehouse declares no keys.
func TestKeysAreNoMetrics(t *testing.T) {
	t.Parallel()

	x := NewIndex([]Table{{Name: "customers", Rows: 5, Columns: []Column{{Name: "id", Type: "BIGINT"}, {Name: "order_id", Type: "BIGINT"}, {Name: "age", Type: "BIGINT"}}}})
	if got := x.Describe(0); !strings.Contains(got, "- id BIGINT\n- order_id BIGINT\n- age BIGINT [metric]") {
		t.Error(got)
	}
}

func TestDescribeWideTable(t *testing.T) {
	t.Parallel()

	wide := Table{Name: "wide"}
	for i := range 10_000 {
		wide.Columns = append(wide.Columns, Column{Name: fmt.Sprintf("c%d", i), Type: "int"})
	}
	got := NewIndex([]Table{wide}).Describe(0)
	if !strings.Contains(got, "and 9950 more: c50 int, ") || !strings.HasSuffix(got, "c9999 int\n") || strings.Count(got, "\n") != 52 {
		t.Errorf("%.200s", got)
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()

	for s, want := range map[string]int{"": 0, "sales": 1, "sales.orders": 4, " | 24c": 3, "14.3K": 4, "->": 2} {
		if got := Tokens(s); got != want {
			t.Errorf("%q has %d, want %d", s, got, want)
		}
	}
}

// Every table is shown or counted, nothing is over budget, and the same tables in
// any order give the same text.
func TestRenderProperties(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-c_]{1,6}(_20[0-9]{2})?`), 0, 40, rapid.ID[string]).Draw(t, "names")
		tables := make([]Table, len(names))
		for i, name := range names {
			tables[i] = Table{Schema: rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "schema"), Name: name, Rows: rapid.Int64Range(-1, 1e7).Draw(t, "rows"), Columns: []Column{{Name: rapid.SampledFrom([]string{"a_id", "b", "id"}).Draw(t, "column"), Type: "int"}}}
		}
		o := Options{Budget: rapid.IntRange(0, 400).Draw(t, "budget"), Words: []string{"b"}}
		shuffled := rapid.Permutation(tables).Draw(t, "order")
		got := NewIndex(tables).Render(o)
		if got.Shown+got.Left != got.Tables || got.Tables != len(tables) {
			t.Fatalf("%+v", got)
		}
		if got.Left > 0 && !strings.Contains(got.Text, leftOut(got.Left)) {
			t.Fatalf("left out in silence: %s", got.Text)
		}
		if whole := Tokens(leftOut(1_000_000)); o.Budget >= whole && Tokens(got.Text) > o.Budget {
			t.Fatalf("%d tokens of %d", Tokens(got.Text), o.Budget)
		}
		if again := NewIndex(shuffled).Render(o); again.Text != got.Text {
			t.Fatalf("in another order it is\n%s\nand was\n%s", again.Text, got.Text)
		}
	})
}

// wide returns n tables of 24 columns in 20 schemas, each with a join.
func wide(n int) []Table {
	out := make([]Table, n)
	for i := range out {
		t := &out[i]
		t.Schema, t.Name, t.Rows = fmt.Sprint("area", i%20), fmt.Sprintf("%s_%s%d", []string{"order", "visit", "stock", "ledger"}[i%4], []string{"line", "head", "item"}[i%3], i), int64(i)*7919%5_000_000
		t.Columns = []Column{{Name: "id", Type: "bigint", Key: true}, {Name: "customer_id", Type: "bigint"}}
		for c := range 22 {
			t.Columns = append(t.Columns, Column{Name: fmt.Sprint("measure_", c), Type: "numeric"})
		}
	}
	if n > 0 {
		out[0].Schema, out[0].Name = "area0", "customers"
	}
	return out
}

func BenchmarkRender(b *testing.B) {
	words := []string{"order", "stock", "refund"}
	for _, n := range []int{100, 2_000, 10_000, 100_000} {
		x := NewIndex(wide(n))
		b.Run(fmt.Sprintf("%d tables", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				x.Render(Options{Words: words})
			}
		})
	}
	x := NewIndex(wide(20_000))
	b.Run("20000 tables over budget", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			x.Render(Options{Words: words, Budget: 150_000})
		}
	})
}

func BenchmarkNewIndex(b *testing.B) {
	for _, n := range []int{2_000, 100_000} {
		b.Run(fmt.Sprintf("%d tables", n), func(b *testing.B) {
			tables := wide(n)
			b.ReportAllocs()
			for b.Loop() {
				NewIndex(tables)
			}
		})
	}
}

// Names that differ in capitals, or hold quotes and dots, are told apart.
func TestFindStrangeNames(t *testing.T) {
	t.Parallel()

	x := NewIndex([]Table{{Schema: "a", Name: "Orders"}, {Schema: "a", Name: "orders"}, {Schema: "b", Name: `we"ird`}, {Schema: "b", Name: "x.y"}, {Schema: "c.d", Name: "z"}, {Schema: "b", Name: "VISITS"}})
	for ref, want := range map[string]string{"a.orders": "a.orders", "orders": "a.orders", "a.Orders": "a.Orders", "A.ORDERS": "a.Orders, a.orders", "ORDERS": "a.Orders, a.orders",
		`b.we"ird`: `b.we"ird`, `"b"."we""ird"`: `b.we"ird`, `b."x.y"`: "b.x.y", "b.x.y": "b.x.y", "x.y": "b.x.y", `"c.d".z`: "c.d.z", "visits": "b.VISITS"} {
		i, ok, candidates := x.Find(ref)
		got := strings.Join(candidates, ", ")
		if ok {
			got = x.Table(i).Ref()
		}
		if got != want {
			t.Errorf("%s is %q, want %q", ref, got, want)
		}
	}
}

func FuzzFind(f *testing.F) {
	x := NewIndex(shop())
	for _, ref := range []string{"", ".", `"`, `""`, "[", "[]", "a.", ".a", "`sales`.`orders`", `"sales"orders`, "🛒.[x]]y]"} {
		f.Add(ref)
	}
	f.Fuzz(func(t *testing.T, ref string) {
		i, ok, candidates := x.Find(ref)
		if ok && (i < 0 || i >= x.Len() || candidates != nil) || !ok && len(candidates) == 1 {
			t.Errorf("%q is %d, %t, %v", ref, i, ok, candidates)
		}
	})
}

func TestLineLeadsToATableOnce(t *testing.T) {
	t.Parallel()

	to := func(column, table string) Foreign {
		return Foreign{Columns: []string{column}, Table: table, To: []string{"id"}}
	}
	x := NewIndex([]Table{
		{Schema: "s", Name: "airports", Rows: 3, Columns: []Column{{Name: "id", Type: "int", Key: true}}},
		{Schema: "s", Name: "carriers", Rows: 3, Columns: []Column{{Name: "id", Type: "int", Key: true}}},
		{Schema: "s", Name: "flights", Rows: 9, Columns: []Column{{Name: "a", Type: "int"}, {Name: "b", Type: "int"}, {Name: "c", Type: "int"}},
			Foreign: []Foreign{to("a", "s.airports"), to("b", "s.airports"), to("c", "s.carriers")}},
	})
	if got, want := x.Line(2), "s.flights | 3c | 9 rows | -> s.airports, s.carriers"; !strings.HasPrefix(got, want) || strings.Count(got, "airports") != 1 {
		t.Errorf("%q, want %q", got, want)
	}
}
