package insight

import (
	"cmp"
	"context"
	"math"
	"slices"

	"quaestor/internal/language"
	"quaestor/research/warehouse/builtin"
)

// The bounds of differences between segments.
const (
	maxDifferences = 6
	leastApart     = 0.15 // relative, of an average
	leastPart      = 0.01 // of the records that a segment has
)

// apartFrom is a segment whose measure differs from that of all others.
type apartFrom struct {
	v    view
	c    *cube
	cell *cell
	size float64 // relative, or the difference of shares
	z    float64
	p    float64
	part float64 // of the records
}

// differences looks for segments of one dimension that stand out. A dimension of many values is
// judged by their spread, so that the highest of many like ones is none. Hours and weekdays are no such sample: their
// spread is what is looked for.
func (s *source) differences(c *cube) (out []apartFrom, tests int) {
	for _, v := range s.views() {
		if v.m.kind == counted || v.m.kind == summed || !s.tells(c, v) || len(c.cells) < 2 {
			continue
		}
		num, den, square := v.whole(c.all)
		if den <= 0 {
			continue
		}
		var means []float64
		for _, cell := range c.cells {
			if n, d, _ := v.whole(cell); d >= leastWindow {
				means = append(means, n/d)
			}
		}
		middle, wide := median(means), spread(means)
		var best *apartFrom
		for _, cell := range c.cells {
			tests++
			a := v.apart(c, cell, group{num, den, square})
			if a == nil || c.dims[0].derived == "" && len(means) >= 5 && math.Abs(a.mean()-middle) < 3*wide {
				continue
			}
			if best == nil || math.Abs(a.size)*math.Sqrt(a.part) > math.Abs(best.size)*math.Sqrt(best.part) {
				best = a
			}
		}
		if best != nil {
			out = append(out, *best)
		}
	}
	return out, tests
}

// mean is the measure of the segment.
func (a *apartFrom) mean() float64 {
	n, d, _ := a.v.whole(a.cell)
	return n / d
}

// apart compares a segment with all other records; nil if it does not stand out.
func (v view) apart(c *cube, cell *cell, all group) *apartFrom {
	n, d, q := v.whole(cell)
	in, out := group{n, d, q}, group{all.num - n, all.den - d, all.square - q}
	if in.den < leastWindow*3 || out.den < leastWindow*3 || in.den < leastPart*all.den {
		return nil
	}
	a := &apartFrom{v: v, c: c, cell: cell, z: v.test(in, out), part: in.den / all.den}
	switch {
	case v.m.kind.isShare():
		a.size = in.mean() - out.mean()
		low, high := wilson(in.num, in.den)
		if out.mean() >= low && out.mean() <= high || math.Abs(a.size) < max(leastPoints*1.5, 0.3*min(out.mean(), 1-out.mean())) {
			return nil
		}
	case out.mean() == 0:
		return nil
	default:
		a.size = (in.mean() - out.mean()) / math.Abs(out.mean())
		if math.Abs(a.size) < leastApart {
			return nil
		}
	}
	a.p = normalTail(a.z)
	if math.Abs(a.z) < 5 || !isFinite(a.z) {
		return nil
	}
	return a
}

// strongest returns the differences that are worth telling, one of each measure and dimension.
func strongest(all []apartFrom, reversed []reversal) []apartFrom {
	all = slices.DeleteFunc(all, func(a apartFrom) bool {
		return slices.ContainsFunc(reversed, func(r reversal) bool { return r.v.m.key == a.v.m.key && r.by.column == a.c.dims[0].column })
	})
	weigh := func(a apartFrom) float64 { return math.Abs(a.size) * math.Sqrt(a.part) }
	slices.SortStableFunc(all, func(a, b apartFrom) int { return cmp.Compare(weigh(b), weigh(a)) })
	var out []apartFrom
	measures, dims := map[string]int{}, map[*column]int{}
	for _, a := range all {
		if slices.ContainsFunc(out, a.alike) {
			continue
		}
		if d := a.c.dims[0].column; len(out) < maxDifferences && measures[a.v.m.key] < 2 && dims[d] < 2 {
			measures[a.v.m.key]++
			dims[d]++
			out = append(out, a)
		}
	}
	return out
}

// alike reports whether another difference is that of the average of another amount in the same segment, as of the total
// cost and the cost of repair: it most likely says the same.
func (a *apartFrom) alike(o apartFrom) bool {
	amount := func(x *apartFrom) bool { return x.v.m.kind == average && x.v.m.col.role == builtin.Amount }
	return amount(a) && amount(&o) && a.c.dims[0] == o.c.dims[0] && a.cell.values[0].sql == o.cell.values[0].sql
}

// tellApart words a difference.
func (s *source) tellApart(ctx context.Context, a apartFrom, q float64) (*Insight, error) {
	m, seg := a.v.m, segment{{a.c.dims[0], a.cell.values[0]}}
	d := &draft{s: s, fields: append(seg.fields(), m.col), of: m.counts()}
	rest := "CASE WHEN " + seg.sql() + " THEN 1 ELSE 0 END = 0"
	d.measure("now", m.say+seg.said(), m, seg.sql(), 1)
	d.measure("rest", m.say+" of all others", m, rest, 1)
	d.add("part", "share of all "+s.fact.noun, Percent, "100.0 * "+sumIf(seg.sql())+" / COUNT(*)")
	figures, err := d.compute(ctx, m.say+seg.said()+" against all others")
	if err != nil {
		return nil, err
	}
	now, ok := figureOf(figures, "now")
	other, also := figureOf(figures, "rest")
	if !ok || !also || (now-other)*a.size <= 0 {
		return nil, nil
	}
	out := &Insight{Kind: Difference, Table: s.fact.ref, Measure: m.say, Segment: seg.conditions(), Figures: figures, Strength: math.Abs(a.z) / 10, Q: q, Effect: a.size, Confidence: confidence(q, 1000), Gauge: s.gauge(m, seg, perDay),
		Key: key(string(Difference), s.fact.ref, m.key+"/"+a.c.dims[0].column.name, nil)}
	if m.kind == missing && a.size > 0 {
		out.Kind = NullSpike
		out.Key = key(string(NullSpike), s.fact.ref, m.key, seg)
	}
	word := "higher"
	if a.size < 0 {
		word = "lower"
	}
	is := "is"
	if isPlural(m.say) {
		is = "are"
	}
	out.Headline = language.UpperFirst(m.say) + " " + is + " " + word + seg.said() + ": {{now}}, against {{rest}} for " + seg.others()
	if m.does.now != "" {
		out.Headline = "{{now}} of " + s.fact.noun + seg.said() + " " + m.does.now + ", against {{rest}} of " + seg.others()
	}
	out.Text = language.UpperFirst(s.fact.noun) + seg.said() + " are {{part}} of all " + s.fact.noun + "."
	out.Risk = min(math.Abs(a.size)*a.part, 1)
	switch {
	case out.Kind == NullSpike && a.size >= 0.2:
		out.Severity = High
	case math.Abs(a.size) >= 0.3 && a.part >= 0.03, m.kind.isShare() && math.Abs(a.size) >= 0.1:
		out.Severity = Medium
	default:
		out.Severity = Low
	}
	where := seg.sql()
	fields := seg.fields()
	if m.kind.isShare() {
		where, fields = where+" AND "+m.is, append(fields, m.col)
	}
	s.count(out, fields, where)
	out.Chart = Series{Name: language.UpperFirst(m.say) + " by " + a.c.dims[0].name(), Unit: m.unit(), Of: m.counts()}
	if out.Chart.Points, err = s.bars(ctx, m, a.c); err != nil {
		return nil, err
	}
	m.mark(out)
	return out, nil
}

// bars are the values of a measure by a dimension, of the values with the most records. They are over all records, as
// figures are: cubes leave out those without a time and those of periods that are not whole.
func (s *source) bars(ctx context.Context, m *measure, c *cube) ([]Point, error) {
	d := c.dims[0]
	fields := []*field{d.field}
	if m.col != nil {
		fields = append(fields, m.col)
	}
	r, err := s.f.query(ctx, m.say+" by "+d.name(), "SELECT "+d.group+" AS d0, COUNT(*) AS n, "+m.in(segment{}.sql(), 1)+" AS a0\nFROM "+s.tables(fields...)+"\nGROUP BY "+d.group)
	if err != nil {
		return nil, err
	}
	values := map[string]float64{}
	for row := range r.Rows {
		v, ok := s.value(r, row, 0)
		if x, is := r.numberOK(row, 2); ok && is {
			values[v.sql] = x
		}
	}
	var out []Point
	for _, cell := range topCells(c, 15) {
		if v, ok := values[cell.values[0].sql]; ok {
			out = append(out, Point{Label: part{d, cell.values[0]}.label(), Value: v})
		}
	}
	return out, nil
}

// topCells returns the most cells with the most records, in the order of their values.
func topCells(c *cube, most int) []*cell {
	out := slices.Clone(c.cells)
	slices.SortStableFunc(out, func(a, b *cell) int { return cmp.Compare(total(b.n), total(a.n)) })
	return out[:min(len(out), most)]
}

// sortDown sorts numbers, the greatest first.
func sortDown(v []float64) { slices.SortFunc(v, func(a, b float64) int { return cmp.Compare(b, a) }) }
