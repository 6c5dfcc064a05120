package builtin

import (
	"fmt"
	"math"

	"quaestor/internal/language"
)

// ofFigures adds what may be asked of the figures of t.
func (m *mind) ofFigures(t *table) {
	figures := t.figures()
	for n, f := range figures[:min(len(figures), 8)] {
		fade := 1 / (1 + 0.2*float64(n))
		m.add(m.spread(t, f, 68*fade))
		m.add(m.histogram(t, f, 30*fade))
		if f.spread && f.p75 > f.p25 && f.high > f.p75+3*(f.p75-f.p25) {
			m.add(m.outliers(t, f, 56*fade))
		}
		for k, o := range figures[:min(len(figures), 5)] {
			if o != f && n < 5 {
				m.add(m.relation(t, o, f, (58-4*float64(k))*fade))
			}
		}
	}
	m.missingOnes(t)
	m.shares(t)
}

// spread asks how a figure is spread.
func (m *mind) spread(t *table, f *column, base float64) *idea {
	i := &idea{key: keyOf(spread, t, f), kind: spread, of: t, cols: []*column{f}, base: base}
	exact := m.quantiles()
	i.write = func() asking {
		s, src := m.inner(t, nil, []string{f.quoted + " IS NOT NULL"}, f)
		x := m.d.quote(f.alias)
		list := []string{as("COUNT(*)", "records"), as("MIN("+x+")", "lowest")}
		if exact {
			for _, p := range []struct{ share, name string }{{"0.01", "p1"}, {"0.25", "p25"}, {"0.5", "median"}, {"0.75", "p75"}, {"0.95", "p95"}, {"0.99", "p99"}} {
				list = append(list, as(m.d.percentile(x, p.share, f.digits()), p.name))
			}
		}
		list = append(list, as("MAX("+x+")", "highest"), as(m.d.avg(x, f.digits()), "average"), as(m.d.round(with(m.d.deviation, x), f.digits()), "deviation"), as(count(x+" = 0"), "zeros"), as(count(x+" < 0"), "negatives"))
		out := statement{list: list, from: s.nested(m.d, "q")}
		return asking{
			query:    out.write(m.d),
			thinking: fmt.Sprintf("%sWhat is usual for %s in %s, and what is extreme; its mean is %s, which a few extremes may pull.", src.note, f.say, t.say, shortNumber(f.mean)),
			purpose:  "spread of " + f.say + " in " + t.say,
		}
	}
	i.learn = func(r *grid) {
		if exact {
			m.learnSpread(t, f, r)
		}
	}
	return i
}

// learnSpread keeps the percentiles.
func (m *mind) learnSpread(t *table, f *column, r *grid) {
	var a, b, c bool
	f.p25, a = r.number(0, r.column("p25"))
	f.p75, b = r.number(0, r.column("p75"))
	f.p99, c = r.number(0, r.column("p99"))
	f.spread = a && b && c
	if f.mostlyZero() {
		return
	}
	middle, middling := r.column("median"), r.column("average")
	median, ok := r.number(0, middle)
	mean, also := r.number(0, middling)
	if ok && also && median > 0 && mean > 1.5*median {
		m.note(22+min(mean/median, 10), fmt.Sprintf("%s in %s has a median of %s but an average of %s", f.say, t.say, figure(r.text(0, middle)), figure(r.text(0, middling))))
	}
	if neg := r.whole(0, r.column("negatives")); neg > 0 && f.role == amount && neg*20 < r.whole(0, r.column("records")) {
		m.note(21, fmt.Sprintf("%s of %s have a negative %s", language.Count(neg, "record"), t.say, f.say))
	}
}

// shortNumber writes a mean with as many digits as it is worth.
func shortNumber(v float64) string {
	switch abs := math.Abs(v); {
	case abs >= 100:
		return language.Thousands(int64(math.Round(v)))
	case abs >= 1:
		return fmt.Sprintf("%.2f", v)
	default:
		return fmt.Sprintf("%.4f", v)
	}
}

// niceWidth is a round width that cuts a range in about n.
func niceWidth(low, high float64, n int) float64 {
	raw := (high - low) / float64(n)
	scale := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, step := range []float64{1, 2, 5, 10} {
		if w := step * scale; w >= raw {
			return w
		}
	}
	return 10 * scale
}

// bounds returns the range in which most values of f lie, and the width of its
// buckets.
func (f *column) bounds(n int) (low, high, width float64) {
	low, high = f.low, f.high
	if f.spread && f.p99 > low {
		high = min(high, f.p99+(f.p99-f.p25)/4)
	}
	if f.spread {
		low = max(low, f.p25-4*(f.p75-f.p25)-1e-9)
	}
	if high <= low {
		low, high = f.low, f.high
	}
	return low, high, niceWidth(low, high, n)
}

// within is the condition that f lies in the range of its buckets.
func (f *column) within(low, high float64) []string {
	out := []string{f.quoted + " IS NOT NULL"}
	if low > f.low {
		out = append(out, f.quoted+" >= "+decimal(math.Floor(low)))
	}
	if high < f.high {
		out = append(out, f.quoted+" <= "+decimal(math.Ceil(high)))
	}
	return out
}

// histogram asks how many records lie in each range of a figure.
func (m *mind) histogram(t *table, f *column, base float64) *idea {
	i := &idea{key: keyOf(histogram, t, f), kind: histogram, of: t, cols: []*column{f}, base: base}
	i.write = func() asking {
		low, high, width := f.bounds(25)
		s, src := m.inner(t, []string{as(m.d.bucket(f.quoted, decimal(width)), "range_from")}, f.within(low, high))
		out := statement{list: []string{"range_from", as("COUNT(*)", "records"), m.d.share(s.nested(m.d, "w"))}, from: s.nested(m.d, "q"), group: "range_from", order: "range_from", limit: 500}
		return asking{
			query:    out.write(m.d),
			thinking: fmt.Sprintf("%sThe shape of %s in %s, in steps of %s: one hump or several, round numbers, a cut-off.", src.note, f.say, t.say, plainNumber(width)),
			purpose:  "distribution of " + f.say + " in " + t.say,
		}
	}
	return i
}

// plainNumber writes a width without a needless point.
func plainNumber(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return language.Thousands(int64(v))
	}
	return fmt.Sprint(v)
}

// relation asks how one figure goes with another.
func (m *mind) relation(t *table, by, f *column, base float64) *idea {
	i := &idea{key: keyOf(relation, t, by, f), kind: relation, of: t, cols: []*column{by, f}, base: base}
	if m.asked[keyOf(relation, t, f, by)] {
		i.base *= 0.4
	}
	i.write = func() asking {
		low, high, width := by.bounds(12)
		s, src := m.inner(t, []string{as(m.d.bucket(by.quoted, decimal(width)), "range_from")}, append(by.within(low, high), f.quoted+" IS NOT NULL"), f)
		x := m.d.quote(f.alias)
		list := []string{"range_from", as("COUNT(*)", "records"), as(m.d.avg(x, f.digits()), "average_"+f.alias)}
		if m.quantiles() {
			list = append(list, as(m.d.percentile(x, "0.5", f.digits()), "median_"+f.alias))
		}
		out := statement{list: list, from: s.nested(m.d, "q"), group: "range_from", order: "range_from", limit: 500}
		return asking{
			query:    out.write(m.d),
			thinking: fmt.Sprintf("%sWhether %s goes with %s in %s: its average for each range of %s, in steps of %s.", src.note, f.say, by.say, t.say, by.say, plainNumber(width)),
			purpose:  f.say + " of " + t.say + " by range of " + by.say,
		}
	}
	i.learn = func(r *grid) { m.noteRelation(t, by, f, r) }
	return i
}

// noteRelation keeps by how much a figure differs between ranges of another.
func (m *mind) noteRelation(t *table, by, f *column, r *grid) {
	first, last := -1, -1
	for n := range r.rows {
		if r.whole(n, 1) >= 30 {
			if first < 0 {
				first = n
			}
			last = n
		}
	}
	a, ok := r.number(first, 2)
	b, also := r.number(last, 2)
	if !ok || !also || first == last || min(a, b) <= 0 || max(a, b) < 1.3*min(a, b) {
		return
	}
	m.note(27+min(max(a, b)/min(a, b), 8)*1.5, fmt.Sprintf("the average %s of %s goes from %s where %s is from %s to %s where it is from %s", f.say, t.say, figure(r.text(first, 2)), by.say, figure(r.text(first, 0)), figure(r.text(last, 2)), figure(r.text(last, 0))))
}

// outliers asks how many values lie far outside of the usual, and what they hold.
func (m *mind) outliers(t *table, f *column, base float64) *idea {
	i := &idea{key: keyOf(outliers, t, f), kind: outliers, of: t, cols: []*column{f}, base: base}
	var by *column
	if classes := t.classes(maxClasses); len(classes) > 0 {
		by, i.cols = classes[0], append(i.cols, classes[0])
	}
	limit := f.p75 + 3*(f.p75-f.p25)
	i.write = func() asking {
		s, src := m.inner(t, nil, []string{f.quoted + " IS NOT NULL"}, i.cols...)
		x, far := m.d.quote(f.alias), m.d.quote(f.alias)+" > "+decimal(limit)
		out := statement{list: []string{as("COUNT(*)", "records"), as(count(far), "far_out"), as(m.d.percent(count(far), "COUNT(*)"), "far_out_pct"), as("MAX("+x+")", "highest")}, from: s.nested(m.d, "q")}
		where := ""
		if by != nil {
			name := m.d.quote(by.alias)
			out.list = append([]string{name}, out.list...)
			out.group, out.order, out.limit = name, "far_out DESC, "+name, topClasses
			where = " and where they lie by " + by.say
		}
		return asking{
			query:    out.write(m.d),
			thinking: fmt.Sprintf("%sThe middle half of %s lies between %s and %s. How many records lie far out, above %s%s?", src.note, f.say, shortNumber(f.p25), shortNumber(f.p75), shortNumber(limit), where),
			purpose:  "extreme " + f.say + " in " + t.say + byOf(by),
		}
	}
	return i
}

func byOf(c *column) string {
	if c == nil {
		return ""
	}
	return " by " + c.say
}

// missingOnes asks when, or where, values are missing.
func (m *mind) missingOnes(t *table) {
	n := 0
	for _, c := range t.cols {
		if gone := c.empty(); c.spoilt || !c.known || gone < 0.02 || gone > 0.98 || c.role == unused {
			continue
		}
		by, x, words := m.along(t, c)
		if by == nil {
			continue
		}
		if n++; n > 4 {
			return
		}
		m.add(m.missing(t, c, by, x, words, 44/(1+0.5*float64(n))))
	}
}

// along returns the column by which gaps are told apart: the time, or else classes.
func (m *mind) along(t *table, c *column) (by *column, x, words string) {
	if k := t.clock(); k != nil && k != c {
		g := k.clock.grain()
		if g == daily && k.clock.span() > 40*day {
			g = weekly
		}
		if _, ok := k.clock.instant(m.d); !ok {
			g = k.clock.grain()
		}
		return k, k.clock.period(m.d, g), string(g)
	}
	for _, o := range t.classes(60) {
		if o != c {
			return o, o.quoted, o.say
		}
	}
	return nil, "", ""
}

func (m *mind) missing(t *table, c, by *column, x, words string, base float64) *idea {
	i := &idea{key: keyOf(missing, t, c, by), kind: missing, of: t, cols: []*column{c, by}, base: base}
	i.write = func() asking {
		gone := "CASE WHEN " + c.quoted + " IS NULL THEN 1 ELSE 0 END"
		s, src := m.inner(t, []string{as(x, "seen_by"), as(gone, "is_empty")}, nil)
		out := statement{list: []string{"seen_by", as("COUNT(*)", "records"), as("SUM(is_empty)", "without_it"), as(m.d.percent("SUM(is_empty)", "COUNT(*)"), "without_it_pct")}, from: s.nested(m.d, "q"), group: "seen_by", order: "seen_by", limit: 1000}
		return asking{
			query:    out.write(m.d),
			thinking: fmt.Sprintf("%s%s is filled in %s of %s records of %s. Whether that is so throughout or only at times, by %s.", src.note, language.UpperFirst(c.say), language.Thousands(c.filled), language.Thousands(c.seen), t.say, words),
			purpose:  "missing " + c.say + " in " + t.say + " by " + words,
		}
	}
	return i
}

// shares asks how often flags are set, over time or by class.
func (m *mind) shares(t *table) {
	for n, c := range t.those(func(c *column) bool { return c.role == flag && c.classes(2) }) {
		by, x, words := m.along(t, c)
		if by == nil || n == 3 {
			return
		}
		i := &idea{key: keyOf(flags, t, c, by), kind: flags, of: t, cols: []*column{c, by}, base: 50 - 10*float64(n)}
		i.write = func() asking {
			set := c.quoted + " = 1"
			if c.class == isBool && m.d.truth {
				set = c.quoted
			}
			s, src := m.inner(t, []string{as(x, "seen_by"), as("CASE WHEN "+set+" THEN 1 ELSE 0 END", "is_set")}, []string{c.quoted + " IS NOT NULL"})
			out := statement{list: []string{"seen_by", as("COUNT(*)", "records"), as("SUM(is_set)", "set_records"), as(m.d.percent("SUM(is_set)", "COUNT(*)"), "set_pct")}, from: s.nested(m.d, "q"), group: "seen_by", order: "seen_by", limit: 1000}
			return asking{
				query:    out.write(m.d),
				thinking: fmt.Sprintf("%sHow often %s is set in %s, by %s, to see whether that changes.", src.note, c.say, t.say, words),
				purpose:  "share of " + t.say + " with " + c.say + " by " + words,
			}
		}
		m.add(i)
	}
}
