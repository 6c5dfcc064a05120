package metrics_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"quaestor/research/warehouse/metrics"
)

// shop is what the tests' organisation has defined.
var shop = []metrics.Definition{
	define(metrics.Metric, "revenue", "turnover", "Umsatz", "net sales"),
	define(metrics.Metric, "sales"),
	define(metrics.Metric, "average_order_value", "AOV"),
	define(metrics.Metric, "order_count", "orders"),
	define(metrics.Dimension, "country", "market", "Land", "Länder"),
	define(metrics.Dimension, "state"),
	define(metrics.Metric, "us"),
}

func define(kind metrics.Kind, name string, synonyms ...string) metrics.Definition {
	return metrics.Definition{Spec: metrics.Spec{Kind: kind, Name: name, Synonyms: synonyms, Table: "shop.orders", Expression: "x"}}
}

func ExampleFind() {
	revenue := metrics.Definition{Spec: metrics.Spec{Kind: metrics.Metric, Name: "revenue", Synonyms: []string{"turnover"}, Table: "shop.orders", Expression: "SUM(total)",
		Filters: []string{"state = 'paid'"}, Grain: metrics.Month, Owner: "Finance"}}
	for _, m := range metrics.Find([]metrics.Definition{revenue}, "How did turnover develop?") {
		fmt.Println(m.Says())
	}
	// Output: "turnover" is the revenue (metric): SUM(total) of shop.orders where state = 'paid', by month. Owner: Finance.
}

func TestFind(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		question string
		want     string // name=words, in order
	}{
		{"What was our revenue by country?", "revenue=revenue country=country"},
		{"REVENUE per Market, please", "revenue=REVENUE country=Market"},
		{"Wie war der Umsatz je Land?", "revenue=Umsatz country=Land"},
		{"Umsatz aller Lander", "revenue=Umsatz country=Lander"},
		{"net sales and sales", "revenue=net sales sales=sales"},
		{"average order value of orders", "average_order_value=average order value order_count=orders"},
		{"average_order_value", "average_order_value=average_order_value"},
		{"AOV in all countries", "average_order_value=AOV country=countries"},
		{"revenues, and revenue again", "revenue=revenues"},
		{"what is the status?", ""},
		{"the user is in the USA", ""},
		{"restated stately reorders", ""},
		{"", ""},
		{"\x00\xff", ""},
	} {
		var got []string
		for _, m := range metrics.Find(shop, tt.question) {
			got = append(got, m.Name+"="+m.Words)
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("Find(%q) (-want +got):\n%s", tt.question, diff)
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add("revenue by country", "turnover")
	f.Add("", "")
	f.Fuzz(func(t *testing.T, question, synonym string) {
		last := 0
		for _, m := range metrics.Find(append(shop, define(metrics.Metric, "added", synonym)), question) {
			if m.From < last || m.To <= m.From || question[m.From:m.To] != m.Words {
				t.Fatalf("%q: %d to %d, %q", question, m.From, m.To, m.Words)
			}
			if utf8.ValidString(question) && !utf8.ValidString(m.Words) {
				t.Fatalf("%q is cut within a letter", m.Words)
			}
			last = m.To
		}
	})
}
