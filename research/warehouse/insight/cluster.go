package insight

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"quaestor/research/warehouse/builtin"
)

// Records of one customer, shop or machine are like each other: a hundred weeks of a shop are not a hundred
// independent values. Whether an effect is more than chance is therefore judged once more with the variance between
// those whom the records belong to (cluster-robust variance: Liang and Zeger 1986, Biometrika 73:13; degrees of
// freedom by Satterthwaite 1946, Biometrics Bulletin 2:110).
const (
	sureApart    = 1e-4 // probability of a difference that is told
	sureReversed = 1e-3 // of either side of a reversal
	sureChanged  = 0.01 // of a change, corrected for the windows that were tried
	fewest       = 2    // clusters of a group, without which there is nothing to compare
)

// clusters are the columns that tell apart whom records belong to, at most two: what the table of a dimension is of,
// and who recurs most.
func (s *source) clusters(dims ...*dim) []*field {
	var out []*field
	add := func(f *field) {
		if len(out) < maxEntities && !slices.ContainsFunc(out, func(o *field) bool { return o.x == f.x }) {
			out = append(out, f)
		}
	}
	for _, d := range dims {
		if d.leg < 0 {
			continue
		}
		l := s.legs[d.leg]
		own, of, _ := strings.Cut(l.on, " = ")
		if l.parent >= 0 {
			of = own
		}
		if float64(l.t.rows) < 0.9*float64(s.fact.rows) {
			add(&field{x: of, leg: l.parent, t: l.t, column: &column{}})
			if l.parent >= 0 {
				out[len(out)-1].leg = d.leg
			}
		}
	}
	for _, e := range s.entities() {
		add(e.field)
	}
	for _, c := range s.fact.cols { // an order of several lines, a session of several events
		if c.role == builtin.Identifier && !c.key && !c.spoilt && c.values >= 20 && float64(c.values) < 0.9*float64(min(s.fact.rows, sampledRows)) {
			add(s.field(-1, c))
		}
	}
	return out
}

// steady reports whether a change of a segment is more than the coming and going of a few, each of whom has many records.
func (s *source) steady(ctx context.Context, k *candidate) (bool, error) {
	if k.cell == nil || k.win.kink {
		return true, nil
	}
	seg := k.segment()
	var dims []*dim
	for _, p := range seg {
		dims = append(dims, p.d)
	}
	tried := float64(k.until) * math.Log(float64(k.until))
	for _, c := range s.clusters(dims...) {
		z, err := s.robustChange(ctx, k, c)
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		if err == nil && isFinite(z) && normalTail(z)*tried > sureChanged {
			return false, nil
		}
	}
	return true, nil
}

// robustChange is the z of a change of a segment against all others, with the variance between clusters: that of
// the sum of what each contributes to the change, linearised (the delta method).
func (s *source) robustChange(ctx context.Context, k *candidate, by *field) (float64, error) {
	m, seg := k.v.m, k.segment().sql()
	rest := "CASE WHEN " + seg + " THEN 1 ELSE 0 END = 0"
	in, before := s.within(k.in), s.within(k.before)
	counts := m.kind == counted || m.kind == summed
	var inner, parts []string
	var stat float64
	for i, cell := range []struct {
		where, when string
		of          Period
		own         bool
		sign        float64
	}{{seg, in, k.in, true, 1}, {seg, before, k.before, true, -1}, {rest, in, k.in, false, -1}, {rest, before, k.before, false, 1}} {
		num, den, days := k.sum(k.cell, cell.of)
		if !cell.own {
			a, b, _ := k.sum(k.cube.all, cell.of)
			num, den = a-num, b-den
		}
		if num <= 0 || den <= 0 || days <= 0 {
			return math.NaN(), nil
		}
		condition := cell.where + " AND " + cell.when
		sign := decimal(cell.sign) + ".0 * "
		if counts {
			stat += cell.sign * math.Log(num/days)
			x := sumIf(condition)
			if m.kind == summed {
				x = "SUM(CASE WHEN " + condition + " THEN " + m.value + " ELSE 0 END)"
			}
			inner = append(inner, fmt.Sprintf("%s AS y%d", x, i))
			parts = append(parts, fmt.Sprintf("%sy%d / %s", sign, i, point(num)))
			continue
		}
		stat += cell.sign * num / den
		y, n := m.sums(condition)
		inner = append(inner, fmt.Sprintf("%s AS y%d, %s AS n%d", y, i, n, i))
		parts = append(parts, fmt.Sprintf("%s(y%d - %s * n%d) / %s", sign, i, point(num/den), i, point(den)))
	}
	fields := append(k.segment().fields(), by)
	if m.col != nil {
		fields = append(fields, m.col)
	}
	span := Period{minTime(k.before.From, k.in.From), k.in.To}
	sql := "SELECT SUM(u * u) AS v\nFROM (SELECT " + strings.Join(parts, " + ") + " AS u\n      FROM (SELECT " + by.x + " AS who, " + strings.Join(inner, ", ") +
		"\n            FROM " + strings.ReplaceAll(s.tables(fields...), "\n", "\n            ") + "\n            WHERE " + s.seen(s.within(span)) + "\n            GROUP BY " + by.x + ") AS each_one) AS parts"
	r, err := s.f.query(ctx, "whether the change of "+m.say+k.segment().said()+" is that of many", sql)
	if err != nil || r.Rows != 1 {
		return math.NaN(), err
	}
	return stat / math.Sqrt(r.number(0, 0)), nil
}

// sums are the numerator and the denominator of an average or a share over the records that meet a condition.
func (m *measure) sums(condition string) (num, den string) {
	if m.kind == average {
		return "SUM(CASE WHEN " + condition + " THEN " + m.value + " ELSE 0 END)", sumIf(condition + " AND " + m.col.x + " IS NOT NULL")
	}
	if m.base != "" {
		condition += " AND " + m.base
	}
	return sumIf(condition + " AND " + m.is), sumIf(condition)
}

// moment is what a group of records comes to, with the variance of its mean between clusters.
type moment struct {
	mean, variance, n float64
	clusters          float64
}

// moments asks for the mean of a measure, in the unit of its sums, in each of the groups that keys make, with the
// variance between clusters.
func (s *source) moments(ctx context.Context, m *measure, by *field, fields []*field, where string, keys ...string) (map[string]moment, error) {
	y, n := m.sums("1 = 1")
	var list, names, grouped []string
	for i, x := range keys {
		name := fmt.Sprintf("in_group_%d", i)
		list, names, grouped = append(list, x+" AS "+name), append(names, name), append(grouped, s.f.sql.Group(name, x))
	}
	inner := "SELECT " + strings.Join(list, ", ") + ", " + by.x + " AS who, " + y + " AS y, " + n + " AS n\n      FROM " + strings.ReplaceAll(s.tables(append(fields, by, m.col)...), "\n", "\n      ") +
		"\n      WHERE " + by.x + " IS NOT NULL AND " + s.seen(where) + "\n      GROUP BY " + strings.Join(grouped, ", ") + ", " + by.x
	group := strings.Join(names, ", ")
	y, n = s.f.sql.Float("y"), s.f.sql.Float("n")
	sql := "SELECT " + group + ", SUM(" + y + ") AS sy, SUM(" + n + ") AS sn, SUM((" + y + ") * (" + y + ")) AS yy, SUM((" + y + ") * (" + n + ")) AS yn, SUM((" + n + ") * (" + n + ")) AS nn, COUNT(*) AS c\nFROM (" + inner + ") AS each_one\nWHERE n > 0\nGROUP BY " + group
	r, err := s.f.query(ctx, "how "+m.say+" differs between those whom the records belong to", sql)
	if err != nil {
		return nil, err
	}
	out := map[string]moment{}
	for row := range r.Rows {
		key := ""
		for i := range keys {
			v, _ := s.value(r, row, i)
			key += v.sql + "\x00"
		}
		at := func(i int) float64 { return r.number(row, len(keys)+i) }
		g := moment{n: at(1), clusters: at(5)}
		if g.n <= 0 {
			continue
		}
		g.mean = at(0) / g.n
		if g.clusters > 1 {
			g.variance = max(at(2)-2*g.mean*at(3)+g.mean*g.mean*at(4), 0) / (g.n * g.n) * g.clusters / (g.clusters - 1)
		}
		out[key] = g
	}
	return out, nil
}

// chance is the probability of a difference of two groups as large as theirs or larger, by the variance between
// clusters; 0 if one of them is a single cluster, about which alone the difference is.
func chance(a, b moment) float64 {
	if a.clusters < fewest || b.clusters < fewest {
		return 0
	}
	v := a.variance + b.variance
	if v <= 0 {
		return 0
	}
	df := v * v / (a.variance*a.variance/(a.clusters-1) + b.variance*b.variance/(b.clusters-1))
	return studentTail((a.mean-b.mean)/math.Sqrt(v), df)
}

// apartEach reports whether a segment differs from all others by more than chance between clusters.
func (s *source) apartEach(ctx context.Context, a apartFrom) (bool, error) {
	seg := segment{{a.c.dims[0], a.cell.values[0]}}
	for _, c := range s.clusters(a.c.dims[0]) {
		groups, err := s.moments(ctx, a.v.m, c, seg.fields(), "1 = 1", "CASE WHEN "+seg.sql()+" THEN 1 ELSE 0 END")
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		if err == nil && chance(groups["1\x00"], groups["0\x00"]) > sureApart {
			return false, nil
		}
	}
	return true, nil
}

// reversedEach reports whether both sides of a reversal are more than chance between clusters.
func (s *source) reversedEach(ctx context.Context, r reversal) (bool, error) {
	a, b := r.by.sqlText+" = "+r.a.sql, r.by.sqlText+" = "+r.b.sql
	fields := []*field{r.by.field, r.strata.field}
	for _, c := range s.clusters(r.by, r.strata) {
		side := "CASE WHEN " + a + " THEN 1 ELSE 0 END"
		whole, err := s.moments(ctx, r.v.m, c, fields, "("+a+" OR "+b+")", side)
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		if err != nil {
			continue
		}
		if chance(whole["1\x00"], whole["0\x00"]) > sureReversed {
			return false, nil
		}
		strata, err := s.moments(ctx, r.v.m, c, fields, "("+a+" OR "+b+")", r.strata.sqlText, side)
		if err == nil && pooledChance(strata) > sureReversed {
			return false, nil
		}
	}
	return true, ctx.Err()
}

// pooledChance is the probability of the difference between both sides within the strata, pooled with Mantel's and
// Haenszel's weights, by the variance between clusters.
func pooledChance(strata map[string]moment) float64 {
	var sum, variance, clusters float64
	for _, key := range sortedKeys(strata) {
		of, ok := strings.CutSuffix(key, "1\x00")
		if !ok || !strings.HasSuffix(of, "\x00") {
			continue
		}
		x, y := strata[key], strata[of+"0\x00"]
		if x.n < 25 || y.n < 25 {
			continue
		}
		w := x.n * y.n / (x.n + y.n)
		sum, variance = sum+w*(x.mean-y.mean), variance+w*w*(x.variance+y.variance)
		clusters += min(x.clusters, y.clusters)
	}
	if variance <= 0 || clusters <= fewest {
		return 0
	}
	return studentTail(sum/math.Sqrt(variance), clusters-fewest)
}
