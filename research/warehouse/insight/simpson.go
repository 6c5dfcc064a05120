package insight

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// reversal is a difference between two values of a dimension that has the opposite sign within
// every value of another.
type reversal struct {
	v        view
	by       *dim // whose values are compared
	strata   *dim
	a, b     value
	z        float64 // of the pooled difference within the strata
	overall  float64
	overallZ float64
	within   float64
	relevant float64
	q        float64
}

// sureReversals returns those that are discoveries among so many comparisons. A reversal needs a
// significant difference over all as well as the opposite one within all strata, so the
// probability of both by chance is that of their product.
func sureReversals(all []reversal, tests int) []reversal {
	p := make([]float64, len(all))
	for i, r := range all {
		p[i] = normalTail(r.z) * normalTail(r.overallZ)
	}
	var out []reversal
	for i, q := range discoveryRates(p, tests) {
		if all[i].q = q; q <= maxRate {
			out = append(out, all[i])
		}
	}
	return out
}

// group is what a measure is made of in a group of records.
type group struct{ num, den, square float64 }

func (g group) mean() float64 { return g.num / g.den }

// variance is that of one value.
func (g group) variance(share bool) float64 {
	m := g.mean()
	if share {
		return max(m*(1-m), 1e-9)
	}
	return max(g.square/g.den-m*m, 0)
}

// reversals looks for Simpson's paradox in a cube of two dimensions (Simpson 1951, Journal of the
// Royal Statistical Society B 13:238).
func (s *source) reversals(c *cube) (out []reversal, tests int) {
	for _, v := range s.views() {
		if v.m.kind == counted || v.m.kind == summed || v.m.kind == missing || !s.tells(c, v) {
			continue
		}
		for _, by := range []int{0, 1} {
			found, n := s.reversed(c, v, by)
			tests += n
			if found != nil {
				out = append(out, *found)
			}
		}
	}
	return out, tests
}

// reversed looks for the strongest reversal between two of the most frequent values of one
// dimension within the other.
func (s *source) reversed(c *cube, v view, by int) (best *reversal, tests int) {
	all, strata := map[string]group{}, map[string]map[string]group{}
	values := map[string]value{}
	for _, cell := range c.cells {
		num, den, square := v.whole(cell)
		if den <= 0 {
			continue
		}
		a, b := cell.values[by], cell.values[1-by]
		g := group{num, den, square}
		values[a.sql] = a
		t := all[a.sql]
		all[a.sql] = group{t.num + num, t.den + den, t.square + square}
		if strata[b.sql] == nil {
			strata[b.sql] = map[string]group{}
		}
		strata[b.sql][a.sql] = g
	}
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(all[b].den, all[a].den), cmp.Compare(a, b))
	})
	names = names[:min(len(names), 5)]
	for i, a := range names {
		for _, b := range names[i+1:] {
			tests++
			r := v.compare(all[a], all[b], strata, a, b)
			if r == nil || best != nil && math.Abs(r.z) <= math.Abs(best.z) {
				continue
			}
			r.v, r.by, r.strata, r.a, r.b = v, c.dims[by], c.dims[1-by], values[a], values[b]
			best = r
		}
	}
	return best, tests
}

// compare returns a reversal between values a and b, nil if there is none. Within the strata the
// difference is pooled with Mantel's and Haenszel's weights (1959).
func (v view) compare(a, b group, strata map[string]map[string]group, an, bn string) *reversal {
	isShare := v.m.kind.isShare()
	z := v.test(a, b)
	d := a.mean() - b.mean()
	if math.Abs(z) < 3.5 || !isFinite(z) {
		return nil
	}
	var sum, weight, variance, covered float64
	count, sure := 0, 0
	for _, key := range sortedKeys(strata) {
		x, y := strata[key][an], strata[key][bn]
		if x.den < 25 || y.den < 25 {
			continue
		}
		e := x.mean() - y.mean()
		if e*d >= 0 {
			return nil
		}
		count++
		if math.Abs(v.test(x, y)) > 1.645 {
			sure++
		}
		w := x.den * y.den / (x.den + y.den)
		sum, weight = sum+w*e, weight+w
		variance += w * w * (x.variance(isShare)/x.den + y.variance(isShare)/y.den)
		covered += x.den + y.den
	}
	if count < 2 || sure*2 < count || covered < 0.8*(a.den+b.den) || variance <= 0 {
		return nil
	}
	r := &reversal{z: sum / math.Sqrt(variance), overall: d, overallZ: z, within: sum / weight}
	least, scale := 0.01, 1.0
	if !isShare {
		scale = math.Max(math.Abs(a.mean()), math.Abs(b.mean()))
		least = 0.02
	}
	if math.Abs(r.z) < 3.3 || math.Abs(d)/scale < least || math.Abs(r.within)/scale < least {
		return nil
	}
	r.relevant = math.Abs(r.within) / scale
	return r
}

// test is the z or t of the difference of two groups.
func (v view) test(a, b group) float64 {
	if v.m.kind.isShare() {
		return twoShares(a.num, a.den, b.num, b.den)
	}
	return twoMeans(a.mean(), a.variance(false), a.den, b.mean(), b.variance(false), b.den)
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// tellReversal words a reversal by the direction within the strata.
func (s *source) tellReversal(ctx context.Context, r reversal, q float64) (*Insight, error) {
	m := r.v.m
	if r.within < 0 { // tell of the value that is higher within
		r.a, r.b, r.within, r.overall = r.b, r.a, -r.within, -r.overall
	}
	is := func(v value) string { return r.by.sqlText + " = " + v.sql }
	d := &draft{s: s, fields: []*field{r.by.field, r.strata.field, m.col}, of: m.counts()}
	d.measure("all_a", m.say+" with "+part{r.by, r.a}.said(), m, is(r.a), 1)
	d.measure("all_b", m.say+" with "+part{r.by, r.b}.said(), m, is(r.b), 1)
	figures, err := d.compute(ctx, m.say+" by "+r.by.name())
	if err != nil {
		return nil, err
	}
	within, strata, err := s.within2(ctx, d, r)
	if err != nil || len(within) != 3 {
		return nil, err
	}
	figures = append(figures, within...)
	if n, _ := figureOf(figures, "against"); n > 0 {
		return nil, nil
	}
	name := part{r.by, r.a}.said()
	out := &Insight{Kind: Simpson, Table: s.fact.ref, Measure: m.say, Segment: segment{{r.by, r.a}}.conditions(), Figures: figures, Strength: math.Abs(r.z), Q: q, Effect: r.within, Confidence: confidence(q, 1000),
		Key: key(string(Simpson), s.fact.ref, m.key+"/"+r.strata.column.name, segment{{r.by, r.a}, {r.by, r.b}})}
	out.Risk = min(r.relevant, 1)
	out.Severity = High
	if r.relevant < 0.05 {
		out.Severity = Medium
	}
	out.Headline = "Within every " + r.strata.name() + ", the " + m.say + " is higher with " + name + " than with “" + r.b.text + "”, although overall it is lower"
	out.Text = "Overall it is {{all_a}} with " + name + " and {{all_b}} with “" + r.b.text + "”. Within each value of " + r.strata.name() + " that has enough records of both ({{strata}} of them) it is the other way round; weighted alike, the difference is {{within}} in favour of “" + r.a.text + "”. The total only shows that both have another mix of " + r.strata.name() + "."
	out.Indicators = []string{"the difference was compared within every " + r.strata.name() + " (Simpson's paradox)"}
	s.count(out, []*field{r.by.field}, is(r.a))
	out.Chart = Series{Name: "Difference by " + r.strata.name(), Unit: m.unit(), Points: strata}
	m.mark(out)
	return out, nil
}

// within2 computes the difference within the strata: how many there are with enough records, in
// how many of them it has not the sign of the pooled one, and the pooled one.
func (s *source) within2(ctx context.Context, d *draft, r reversal) ([]Figure, []Point, error) {
	m := r.v.m
	is := func(v value) string { return r.by.sqlText + " = " + v.sql }
	base := m.base
	if m.kind == average {
		base = m.col.x + " IS NOT NULL"
	}
	if base == "" {
		base = "1 = 1"
	}
	g := r.strata.sqlText
	inner := "SELECT " + g + " AS g, " + m.in(is(r.a), 1) + " AS a, " + m.in(is(r.b), 1) + " AS b, " + sumIf(is(r.a)+" AND "+base) + " AS na, " + sumIf(is(r.b)+" AND "+base) + " AS nb" +
		d.from() + "\nGROUP BY " + g
	from := "\nFROM (" + inner + ") AS strata\nWHERE g IS NOT NULL AND na >= 25 AND nb >= 25"
	unit := Points
	if m.kind == average {
		unit = Plain
	}
	var out []Figure
	for _, x := range []Figure{
		{ID: "strata", Name: "values of " + r.strata.name() + " with enough records", Unit: Records, SQL: "SELECT COUNT(*) AS value" + from},
		{ID: "against", Name: "of these, without the difference", Unit: Records, SQL: "SELECT COALESCE(SUM(CASE WHEN a <= b THEN 1 ELSE 0 END), 0) AS value" + from},
		{ID: "within", Name: "difference within them, pooled", Unit: unit, SQL: "SELECT SUM((a - b) * (1.0 * na * nb / (na + nb))) / SUM(1.0 * na * nb / (na + nb)) AS value" + from},
	} {
		q, err := s.f.query(ctx, x.Name, x.SQL)
		if err != nil {
			return nil, nil, err
		}
		if q.Rows != 1 {
			return nil, nil, nil
		}
		x.Value = q.number(0, 0)
		out = append(out, x)
	}
	q, err := s.f.query(ctx, "the difference in each "+r.strata.name(), "SELECT g, a - b AS d"+from+"\nORDER BY g")
	if err != nil {
		return nil, nil, err
	}
	var points []Point
	for row := range min(q.Rows, 24) {
		points = append(points, Point{Label: q.text(row, 0), Value: q.number(row, 1)})
	}
	return out, points, nil
}
