package metrics_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/fault"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/metrics"
)

// read parses a file of testdata.
func read(t *testing.T, name string) metrics.Document {
	t.Helper()
	d, err := metrics.Parse(file(t, name))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return d
}

func file(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestFormatsAreRead(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		file    string
		format  metrics.Format
		specs   []string // as [metrics.Spec.Line]
		skipped []string // NAME: a part of the reason
	}{
		{"metricflow.yml", metrics.MetricFlow, []string{
			"days_with_orders (metric): COUNT(DISTINCT day) of orders, by month of day.",
			"revenue (metric): SUM(total) of orders where state = 'paid', by month of day. Money of paid orders. Owner: Finance.",
			"orders_placed (metric): SUM(1) of orders where day >= '2026-01-01', by month of day.",
			"average_order (metric): revenue / orders_placed.",
			"ordered_at (dimension): day of orders.",
			"state (dimension): state of orders. Where an order stands. Owner: Sales.",
		}, []string{`growth: is of type "derived"`, "by_region: customer__region", `typical: "median"`, `elsewhere: "nowhere"`}},
		{"manifest.json", metrics.Manifest, []string{
			"order_number (metric): COUNT(id) of shop.orders, by day of day.",
			"average_order (metric): revenue / order_number.",
			"revenue (metric): SUM(total) of shop.orders where state = 'paid', by day of day. Owner: Finance.",
			"day (dimension): day of shop.orders.",
			"state (dimension): state of shop.orders. Café 😀 <b>.",
		}, nil},
		{"lookml.yml", metrics.LookML, []string{
			"count (metric): COUNT(*) of shop.orders.",
			"revenue (metric): SUM((total)) of shop.orders where ((state) = 'paid').",
			"large (metric): COUNT(*) of shop.orders where total >= 20 and state IN ('paid', 'open').",
			"mean (metric): (SUM(total)) / NULLIF((COUNT(*)), 0) of shop.orders.",
			"sum_total (metric): SUM(total) of shop.orders.",
			"state (dimension): state of shop.orders. Where an order stands.",
			"total (dimension): total of shop.orders.",
			"is_paid (dimension): (state) = 'paid' of shop.orders.",
			"day (dimension): day of shop.orders.",
		}, []string{"orders.share: has filters", `orders.recent: "-paid"`, "orders.loop: refer to each other", `orders.middle: "median"`, "orders.from_elsewhere: customers.region"}},
	} {
		d := read(t, tt.file)
		var got []string
		for _, s := range d.Specs {
			got = append(got, s.Line())
		}
		if diff := cmp.Diff(tt.specs, got); diff != "" || d.Format != tt.format {
			t.Errorf("%s is %s (-want +got):\n%s", tt.file, d.Format, diff)
		}
		if len(d.Skipped) != len(tt.skipped) {
			t.Errorf("%s skips %+v", tt.file, d.Skipped)
		}
		for _, want := range tt.skipped {
			name, why, _ := strings.Cut(want, ": ")
			if !strings.Contains(fmt.Sprintf("%+v", d.Skipped), "Name:"+name) || !strings.Contains(fmt.Sprintf("%+v", d.Skipped), why) {
				t.Errorf("%s skips %+v, want %s", tt.file, d.Skipped, want)
			}
		}
	}
}

// What is written is read as it was.
func TestOwnFormatIsWrittenAndRead(t *testing.T) {
	t.Parallel()

	d := read(t, "own.yml")
	if len(d.Skipped) != 1 || !strings.Contains(d.Skipped[0].Why, "expresion") {
		t.Errorf("skipped: %+v", d.Skipped)
	}
	var list []metrics.Definition
	for _, s := range d.Specs {
		list = append(list, metrics.Definition{Spec: s})
	}
	written, err := metrics.Write(list, []metrics.Example{{Question: d.Examples[0].Question, SQL: d.Examples[0].SQL}, {Question: d.Examples[1].Question, SQL: d.Examples[1].SQL}})
	if err != nil {
		t.Fatal(err)
	}
	again, err := metrics.Parse(written)
	if err != nil {
		t.Fatal(err)
	}
	again.Skipped = d.Skipped
	if diff := cmp.Diff(d, again); diff != "" {
		t.Errorf("(-read +written and read):\n%s", diff)
	}
}

func TestTextsThatDefineNothing(t *testing.T) {
	t.Parallel()

	bomb := "a: &a [x, x, x, x, x, x, x, x, x]\n"
	for i := range 8 {
		bomb += fmt.Sprintf("%c: &%c [*%c, *%c, *%c, *%c, *%c, *%c, *%c, *%c]\n", 'b'+i, 'b'+i, 'a'+i, 'a'+i, 'a'+i, 'a'+i, 'a'+i, 'a'+i, 'a'+i, 'a'+i)
	}
	for name, text := range map[string]string{
		"nothing": "", "a word": "hello", "a list": "- 1\n- 2", "no YAML": "metrics: [", "an empty object": "{}", "other JSON": `{"semantic_models": 7}`, "tabs": "metrics:\n\t- name: x",
		"not UTF-8": "metrics: \xff", "a NUL": "metrics: \x00", "aliases of aliases": bomb + "metrics: *i", "metrics of numbers": "metrics: 7", "too much YAML": "# " + strings.Repeat("x", 1<<20),
	} {
		if d, err := metrics.Parse([]byte(text)); err == nil && len(d.Skipped) == 0 || len(d.Specs) > 0 || fault.Is(err, fault.Internal) {
			t.Errorf("%s gives %+v, %v", name, d, err)
		}
	}
}

// Fields that each refer many times to the next would come to more text than there is memory.
func TestFieldsThatMultiply(t *testing.T) {
	t.Parallel()

	var b strings.Builder
	b.WriteString("views:\n- name: v\n  measures:\n  - {name: top, type: sum, sql: '${d0}'}\n  dimensions:\n")
	for i := range 8 {
		fmt.Fprintf(&b, "  - {name: d%d, sql: '%s'}\n", i, strings.Repeat(fmt.Sprintf("${d%d}+", i+1), 50))
	}
	b.WriteString("  - {name: d8, sql: x}\n")
	d, err := metrics.Parse([]byte(b.String()))
	if err != nil || !strings.Contains(fmt.Sprint(d.Skipped), "more than 4000 bytes") {
		t.Errorf("%+v, %v", d, err)
	}
}

// A megabyte of tiny parts took seconds and gigabytes, and was told of part by part.
func TestDocumentOfTooManyParts(t *testing.T) {
	t.Parallel()

	for _, text := range []string{"metrics:\n" + strings.Repeat("- a\n", 200_000), "metrics:\n" + strings.Repeat("- {name: a}\n", 80_000), "views:\n" + strings.Repeat("- {name: a}\n", 80_000), strings.Repeat("---\nexamples: [a]\n", 50_000)} {
		if d, err := metrics.Parse([]byte(text)); !fault.Is(err, fault.TooLarge) || len(d.Skipped) > 0 {
			t.Errorf("%.20q and so on is %d specs, %d parts left out, %v", text, len(d.Specs), len(d.Skipped), err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range []string{"metricflow.yml", "manifest.json", "lookml.yml", "own.yml"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := metrics.Parse(text)
		if err != nil && fault.KindOf(err) == fault.Internal {
			t.Fatalf("%q: %v", text, err)
		}
		for _, s := range d.Specs {
			_ = s.Check()
			_ = s.Statement(guard.PostgreSQL)
		}
	})
}

// orders is a table that proposals are made of.
var orders = catalog.Table{Schema: "shop", Name: "Orders", Rows: 1000, Columns: []catalog.Column{
	{Name: "id", Type: "bigint", Key: true}, {Name: "customer_id", Type: "bigint"}, {Name: "ordered_at", Type: "timestamp"}, {Name: "total_amount", Type: "numeric(10,2)", Comment: "With tax"},
	{Name: "delivery_days rate", Type: "double precision"}, {Name: "paid", Type: "int"}, {Name: "state", Type: "text", Distinct: 4}, {Name: "note", Type: "text", Distinct: 900}, {Name: "sequence", Type: "int"}}}

func TestProposals(t *testing.T) {
	t.Parallel()

	small := catalog.Table{Schema: "shop", Name: "states", Rows: 4, Columns: []catalog.Column{{Name: "name", Type: "text", Distinct: 4}}}
	var got []string
	for _, s := range metrics.Propose(guard.PostgreSQL, []catalog.Table{small, orders}) {
		if err := s.Check(); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
		got = append(got, s.Line())
	}
	want := []string{
		`orders_count (metric): COUNT(*) of shop.Orders, by month of "ordered_at". Rows of shop.Orders.`,
		`orders_ordered_at (dimension): "ordered_at" of shop.Orders.`,
		`orders_total_amount (metric): SUM("total_amount") of shop.Orders, by month of "ordered_at". With tax.`,
		`orders_average_delivery_days_rate (metric): AVG("delivery_days rate") of shop.Orders, by month of "ordered_at".`,
		`orders_state (dimension): "state" of shop.Orders.`,
		`states_count (metric): COUNT(*) of shop.states. Rows of shop.states.`,
		`states_name (dimension): "name" of shop.states.`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What is proposed, and a ratio of it, may run in every dialect whose guard needs no server.
func TestStatementsPassTheGuardOfEachDialect(t *testing.T) {
	t.Parallel()

	for _, d := range []guard.Dialect{guard.PostgreSQL, guard.Redshift, guard.MySQL, guard.MariaDB, guard.BigQuery, guard.Snowflake, guard.SQLServer, guard.ClickHouse} {
		columns := []string{}
		for _, c := range orders.Columns {
			columns = append(columns, c.Name)
		}
		g, err := guard.New(guard.Policy{Dialect: d, Relations: []guard.Relation{{Schema: "shop", Name: "Orders", Columns: columns}}, Schemas: []string{"shop"}})
		if err != nil {
			t.Fatal(err)
		}
		proposed := metrics.Propose(d, []catalog.Table{orders})
		for _, s := range proposed {
			s.Filters = []string{"state = 'paid'", "total_amount > 0 OR total_amount IS NULL"}
			for _, sql := range []string{s.Statement(d), s.Members(d)} {
				if _, err := g.Check(sql); err != nil {
					t.Errorf("%s: %s: %v", d, sql, err)
				}
			}
		}
		ratio := metrics.Spec{Kind: metrics.Metric, Name: "r", Numerator: "a", Denominator: "b"}
		if sql := ratio.Statement(d, proposed[0], proposed[2]); !strings.Contains(sql, "NULLIF") {
			t.Errorf("%s: a ratio is %s", d, sql)
		} else if _, err := g.Check(sql); err != nil {
			t.Errorf("%s: %s: %v", d, sql, err)
		}
	}
}
