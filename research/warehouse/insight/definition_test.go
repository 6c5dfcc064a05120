package insight

import (
	"strings"
	"testing"

	"quaestor/research/warehouse/builtin"
	"quaestor/research/warehouse/guard"
)

// Definitions become measures over the fact's own columns, in the place of those that would be made.
func TestDefinitionsAreMeasures(t *testing.T) {
	t.Parallel()

	p := builtin.PiecesOf(guard.PostgreSQL)
	named := func(name string) *column { return &column{name: name, quoted: p.Quote(name), say: name} }
	total, state, day := named("total"), named("state"), named("day")
	paid := []string{`"state" = 'paid''s total' AND day > '2024-01-01'`}
	all := Definition{Name: "n", Title: "Orders", Table: "s.orders", Expression: "COUNT(*)"}
	late := Definition{Name: "late", Title: "Late", Table: "s.orders", Expression: "count(*)", Filters: []string{"total > 1.5"}}
	f := &Finder{sql: p, defined: []Definition{
		{Name: "revenue", Title: "Net revenue", Table: "S.Orders", Expression: "SUM(total)", Filters: paid}, all, late,
		{Name: "late_share", Title: "Late share", Numerator: &late, Denominator: &all},
		{Name: "basket", Title: "Basket", Numerator: &Definition{Table: "s.orders", Expression: "SUM(total)"}, Denominator: &all},
		{Name: "other", Title: "Other", Table: "s.other", Expression: "SUM(x)"},
		{Name: "odd", Title: "Odd", Table: "s.orders", Expression: "SUM(total) / COUNT(*)"},
		{Name: "distinct", Title: "Distinct", Table: "s.orders", Expression: "COUNT(DISTINCT state)"},
		{Name: "foreign", Title: "Foreign", Table: "s.orders", Expression: "SUM(customers.total)"},
	}}
	s := &source{f: f, fact: &table{ref: "s.orders", say: "orders", cols: []*column{total, state, day}}}
	x := s.field(-1, total)
	s.measures = []*measure{{kind: counted, key: "count", num: "COUNT(*)"}, {kind: average, key: "average:total", col: x}, {kind: summed, key: "sum:total", col: x}}
	s.define()

	got := ""
	for _, m := range s.measures {
		got += string(m.kind) + " " + m.key + ": " + m.num + "\n"
	}
	want := `count count: COUNT(*)
sum metric:revenue: SUM(` + p.Float(`CASE WHEN (t0."state" = 'paid''s total' AND t0."day" > '2024-01-01') THEN t0."total" END`) + `)
sum metric:late: SUM(CASE WHEN (t0."total" > 1.5) THEN 1 ELSE 0 END)
share metric:late_share: SUM(CASE WHEN (t0."total" > 1.5) THEN 1 ELSE 0 END)
average metric:basket: SUM(` + p.Float(`COALESCE(t0."total", 0)`) + `)
`
	if got != want {
		t.Errorf("measures are\n%swant\n%s", got, want)
	}
	if s.measures[0].defined == nil || len(s.left) != 3 || !strings.Contains(s.left[0], "The metric Odd is left out: only sums, averages and counts are followed.") {
		t.Errorf("left out are %q", s.left)
	}
}
