package insight

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"quaestor/internal/language"
)

// tell turns a change into an insight. It is nil when the figures over all rows do not bear the
// change out.
func (s *source) tell(ctx context.Context, k *candidate, cubes []*cube) (*Insight, error) {
	if k.win.kink {
		return s.tellBreak(ctx, k)
	}
	if err := s.refine(ctx, k); err != nil {
		return nil, err
	}
	m, seg := k.v.m, k.segment()
	d := &draft{s: s, fields: seg.fields(), where: s.within(Period{k.before.From, k.in.To})}
	if m.col != nil {
		d.fields = append(d.fields, m.col)
	}
	per := k.rated()
	d.per, d.of = per, m.counts()
	now, was, g := s.within(k.in), s.within(k.before), seg.sql()
	a, b := m.in(g+" AND "+now, k.in.days()), m.in(g+" AND "+was, k.before.days())
	d.measure("now", m.say+seg.said()+", in the period", m, g+" AND "+now, k.in.days())
	d.measure("was", m.say+seg.said()+", before", m, g+" AND "+was, k.before.days())
	sign := "100.0 * (" + a + ") / NULLIF(" + b + ", 0) - 100.0"
	if k.size < 0 {
		sign = "100.0 - 100.0 * (" + a + ") / NULLIF(" + b + ", 0)"
	}
	points := "(" + a + ") - (" + b + ")"
	if k.size < 0 {
		points = "(" + b + ") - (" + a + ")"
	}
	if m.kind.isShare() {
		d.add("change", "difference in percentage points", Points, points)
	} else {
		d.add("change", "change in percent", Percent, sign)
	}
	if len(seg) > 0 {
		rest := "CASE WHEN " + g + " THEN 1 ELSE 0 END = 0 AND "
		d.add("rest_now", m.say+" of all others, in the period", m.unit(), m.in(rest+now, k.in.days()))
		d.add("rest_was", m.say+" of all others, before", m.unit(), m.in(rest+was, k.before.days()))
	}
	if m.kind == counted && len(seg) > 0 {
		d.share("share_now", "share of all "+s.fact.noun+", in the period", g, now)
		d.share("share_was", "share of all "+s.fact.noun+", before", g, was)
	}
	if k.mirror != nil {
		d.fields = append(d.fields, k.mirror.segment().fields()...)
		other := k.mirror.segment().sql()
		said := "share of " + s.fact.noun + k.mirror.segment().said()
		d.share("other_now", said+", in the period", other, now)
		d.share("other_was", said+", before", other, was)
	}
	if sum := s.mainSum(); m.kind == counted && sum != nil {
		d.fields, d.per, d.of = append(d.fields, sum.col), perDay, sum.counts()
		d.add("sum_now", sum.say+" a day, in the period", PerDay, sum.in(g+" AND "+now, k.in.days()))
		d.add("sum_was", sum.say+" a day, before", PerDay, sum.in(g+" AND "+was, k.before.days()))
	}
	figures, err := d.compute(ctx, m.say+seg.said()+" before and in the period of its change")
	if err != nil {
		return nil, err
	}
	change, ok := figureOf(figures, "change")
	if now0, has := figureOf(figures, "now"); !ok || change <= 0 || !has || math.IsNaN(now0) {
		return nil, nil
	}
	if least := 100 * leastChange * 0.8; !m.kind.isShare() && change < least {
		return nil, nil
	}
	out := s.insight(k, figures)
	out.Effect = math.Copysign(change/100, k.size)
	s.sentences(out, k, s.mixed(k, cubes), per)
	s.rate(out, k)
	s.affected(out, k)
	out.Refutations = s.checks(k)
	if m.kind == average || m.kind == summed {
		out.least = leastValues
	}
	m.mark(out)
	return out, nil
}

// insight returns what all insights about a change have.
func (s *source) insight(k *candidate, figures []Figure) *Insight {
	seg := k.segment()
	out := &Insight{Table: s.fact.ref, Measure: k.v.m.say, Segment: seg.conditions(), Period: k.in, Before: k.before, Onset: k.onset, Figures: figures, Q: k.q, Strength: math.Abs(k.win.t), Effect: k.size, Gauge: s.gauge(k.v.m, seg, k.rated())}
	out.Kind = Rise
	if k.size < 0 {
		out.Kind = Drop
	}
	switch {
	case k.v.m.kind == missing && k.size > 0:
		out.Kind = NullSpike
	case k.v.m.kind == dated:
		out.Kind = DateRate
	}
	out.Key = key(string(out.Kind), s.fact.ref, k.v.m.key, seg)
	of := k.cube.all
	if k.cell != nil {
		of = k.cell
	}
	per := k.rated()
	out.Chart = Series{Name: language.UpperFirst(k.v.m.say) + seg.said(), Unit: k.v.m.unitOf(per), Of: k.v.m.counts()}
	for p, at := range k.cube.periods[:k.until] {
		a, b := k.v.parts(of, p)
		var v float64
		switch kind := k.v.m.kind; {
		case kind == counted || kind == summed:
			v = per.days * a / Period{at, nextOf(k.cube.grain, at)}.days()
		case b == 0:
			continue
		case kind.isShare():
			v = 100 * a / b
		default:
			v = a / b
		}
		out.Chart.Points = append(out.Chart.Points, Point{At: at, Value: v})
	}
	if s.thin != "" {
		out.Indicators = append(out.Indicators, fmt.Sprintf("found in one of %d records; figures are over all", s.oneOf))
	}
	out.Indicators = append(out.Indicators, fmt.Sprintf("found by the supremum F test over windows of %ss", k.cube.grain), "the false discovery rate is corrected for the number of tests")
	return out
}

// key is what an insight is about, without how large it is or when it was seen.
func key(kind, table, measure string, seg segment) string {
	parts := []string{kind, table, measure}
	for _, p := range seg {
		parts = append(parts, p.d.t.ref+"."+p.d.column.name+"="+p.v.text)
	}
	return strings.Join(parts, "|")
}

// mainSum is the first amount that is summed; nil if there is none.
func (s *source) mainSum() *measure {
	for _, m := range s.measures {
		if m.kind == summed {
			return m
		}
	}
	return nil
}

// lasting reports whether a change goes on until the end of the data.
func (s *source) lasting(p Period) bool { return !p.To.Before(s.to.AddDate(0, 0, -3)) }

func columnOf(m *measure) *column {
	if m.col == nil {
		return nil
	}
	return m.col.column
}

// shifted reports whether a segment gained what others lost, or lost what they gained: it is large
// enough to be a part of the mix, and the others changed the other way by about as much. Where one of the others did so
// alone, all may have grown or shrunk besides.
func (s *source) shifted(k *candidate) bool {
	if k.cell == nil {
		return false
	}
	rate := func(c *cell, p Period) float64 {
		n, _, days := k.sum(c, p)
		return n / max(days, 1)
	}
	now, was, allNow, allWas := rate(k.cell, k.in), rate(k.cell, k.before), rate(k.cube.all, k.in), rate(k.cube.all, k.before)
	segment, rest := now-was, allNow-now-(allWas-was)
	if largest := max(now/max(allNow, 1e-9), was/max(allWas, 1e-9)); largest < 0.1 || segment == 0 {
		return false
	}
	against := -rest / segment
	if k.mirror != nil {
		return against > 0.3 && against < 3
	}
	return against > 0.6 && against < 1.67
}

// mixed returns the value whose share changed most in a dimension that explains a change of an
// average or a share over all records: with the averages within each value as they are, the
// change of the mix alone gives most of the change (Kitagawa 1955, Journal of the American
// Statistical Association 50:1168).
func (s *source) mixed(k *candidate, cubes []*cube) *part {
	if k.cell != nil || k.v.m.kind == counted || k.v.m.kind == summed || k.v.m.kind == missing {
		return nil
	}
	for _, c := range cubes {
		if len(c.dims) != 1 || !s.tells(c, k.v) || c.dims[0].outcome && c.dims[0].leg < 0 && k.v.m.kind.isShare() {
			continue
		}
		o := &candidate{v: k.v, cube: c}
		_, an, _ := o.sum(c.all, k.in)
		_, bn, _ := o.sum(c.all, k.before)
		if an == 0 || bn == 0 {
			continue
		}
		var mix, within, most float64
		var best *part
		for _, cell := range c.cells {
			x, xn, _ := o.sum(cell, k.in)
			y, yn, _ := o.sum(cell, k.before)
			if xn == 0 || yn == 0 {
				continue
			}
			moved := xn/an - yn/bn
			mix += moved * (x/xn + y/yn) / 2
			within += (xn/an + yn/bn) / 2 * (x/xn - y/yn)
			if math.Abs(moved) > most {
				most, best = math.Abs(moved), &part{c.dims[0], cell.values[0]}
			}
		}
		if mix*k.size > 0 && math.Abs(mix) > 2*math.Abs(within) && most > 0.03 {
			return best
		}
	}
	return nil
}

// surelyDated is how many days the beginning of a change may lie in for one of them to be told alone.
const surelyDated = 3

// tellBreak turns a change of the slope into an insight.
func (s *source) tellBreak(ctx context.Context, k *candidate) (*Insight, error) {
	m, seg := k.v.m, k.segment()
	at := k.in.From
	span := min(28*24*time.Hour, at.Sub(s.from)/3)
	first, around, last := Period{s.from, s.from.Add(span)}, Period{at.Add(-span), at}, Period{k.in.To.Add(-span), k.in.To}
	per := k.rated()
	d := &draft{s: s, fields: seg.fields(), per: per, of: m.counts()}
	if m.col != nil {
		d.fields = append(d.fields, m.col)
	}
	for _, x := range []struct {
		id, name string
		in       Period
	}{{"first", "at the beginning", first}, {"was", "before the break", around}, {"now", "at the end", last}} {
		d.measure(x.id, m.say+seg.said()+", "+x.name, m, seg.sql()+" AND "+s.within(x.in), x.in.days())
	}
	figures, err := d.compute(ctx, m.say+seg.said()+" at the beginning, at the break and at the end")
	if err != nil {
		return nil, err
	}
	a, _ := figureOf(figures, "first")
	b, _ := figureOf(figures, "was")
	c, ok := figureOf(figures, "now")
	if !ok || a <= 0 || b <= 0 {
		return nil, nil
	}
	before, after := math.Log(b/a), math.Log(max(c, 1e-9)/b)
	if (after/k.in.days()-before/max(at.Sub(s.from).Hours()/24, 1))*k.win.effect < 0 || math.Abs(after-before) < leastChange {
		return nil, nil // the figures do not bear it out
	}
	k.before = Period{s.from, at}
	out := s.insight(k, figures)
	out.Kind = TrendBreak
	out.Key = key(string(out.Kind), s.fact.ref, m.key, seg)
	subject := language.UpperFirst(m.say) + seg.said()
	day, likeliest := "{{from}}", ""
	if k.onset.days() > surelyDated {
		day, likeliest = "some day between {{onset_from}} and {{onset_until}}", ", the likeliest day,"
	}
	out.Headline = turned(subject, m.say, before, after, day)
	if course(before) == course(after) {
		out.Headline = hastened(subject, m.say, after, math.Abs(after)/k.in.days() >= math.Abs(before)/max(at.Sub(s.from).Hours()/24, 1), day)
	}
	there, each := "It was", ""
	if m.unit() == PerDay {
		each = " a " + per.word
	}
	if m.kind == counted {
		there = "There were"
	}
	out.Text = there + " {{first}}" + each + " in the first weeks, {{was}} just before {{from}}" + likeliest + " and {{now}} in the last weeks."
	s.rate(out, k)
	s.affected(out, k)
	m.mark(out)
	return out, nil
}
