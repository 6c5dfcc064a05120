package insight_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/insight"
)

// outlying makes freights with a weight and a price, and invoices of them with an amount. The freights weight and price
// have an outlier there; the invoice of the latter has its price. Without a key, nothing tells freights apart but what
// is measured, and there are no invoices.
func outlying(weight, price int, keyed bool) grown {
	r := rand.New(rand.NewPCG(4, 4))
	freights := grownTable{name: "freights", columns: []catalog.Column{{Name: "freight_no", Type: "bigint", Key: keyed, NotNull: keyed}, col("loaded_at", "timestamp"), col("weight_kg", "double precision"), col("price", "double precision"), col("lane", "text")}}
	invoices := grownTable{name: "invoices", foreign: []catalog.Foreign{{Columns: []string{"freight_no"}, Table: "w.freights", To: []string{"freight_no"}}},
		columns: []catalog.Column{key("invoice_no", "bigint"), col("freight_no", "bigint"), col("sent_at", "timestamp"), col("amount", "double precision")}}
	for i := range 3000 {
		at := origin.AddDate(0, 0, r.IntN(500)).Add(time.Duration(r.IntN(86400)) * time.Second)
		kg, costs := 200*math.Exp(0.5*r.NormFloat64()), 900*math.Exp(0.5*r.NormFloat64())
		if i == weight {
			kg = 600_000
		}
		if i == price {
			costs = 2_500_000
		}
		no := int64(i + 1)
		if !keyed {
			no %= 500
		}
		freights.rows = append(freights.rows, []any{no, at, kg, costs, string(rune('a' + i%3))})
		invoices.rows = append(invoices.rows, []any{int64(90_000 + i), int64(i + 1), at.AddDate(0, 0, 3), costs})
	}
	g := grown{tables: []grownTable{freights}}
	if keyed {
		g.tables = append(g.tables, invoices)
	}
	return g
}

// outliersOf are the outlying records that are told of a warehouse.
func outliersOf(t *testing.T, g grown) []insight.Insight {
	t.Helper()
	dialect, ask := engines[engine()](t, g)
	var out []insight.Insight
	for _, i := range insight.Assign([]warehouse.Area{{ID: "all", Name: "All"}}, all(t, g, dialect, ask)) {
		if i.Kind == insight.Outlier {
			out = append(out, i)
			truthful(t, i, ask)
			review, err := insight.Check(t.Context(), &i, ask)
			if err != nil || !review.Survives() {
				t.Errorf("%s: %v %v", story(i), review, err)
			}
		}
	}
	return out
}

// TestOneRecordIsOneFinding makes sure that a record that stands out in two measures, and again in a table that refers
// to it, is told once, with all of them, and that two records are told apart.
func TestOneRecordIsOneFinding(t *testing.T) {
	t.Parallel()

	for name, c := range map[string]struct {
		weight, price int
		keyed         bool
		want          int
		words         []string // of the only finding
	}{
		"two measures and two tables":  {1500, 1500, true, 1, []string{"freight no “1501”", "weight", "price", "invoices", "invoice no “91500”", "amount"}},
		"two measures of a table only": {1500, 1500, false, 1, []string{"weight", "price"}},
		"two records":                  {700, 1500, true, 2, nil},
		"two records without a key":    {700, 1500, false, 2, nil},
	} {
		t.Run(name, func(t *testing.T) {
			found := outliersOf(t, outlying(c.weight, c.price, c.keyed))
			for _, i := range found {
				t.Log(story(i))
			}
			if len(found) != c.want {
				t.Fatalf("%d findings, want %d", len(found), c.want)
			}
			for _, w := range c.words {
				if !strings.Contains(found[0].Title(), w) {
					t.Errorf("%q does not name %s", found[0].Title(), w)
				}
			}
		})
	}
}
