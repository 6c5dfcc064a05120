package builtin

import (
	"fmt"
	"slices"

	"quaestor/internal/language"
)

// ofStates adds what may be asked of states and events, and of the time between
// two times of a row.
func (m *mind) ofStates(t *table) {
	k := t.clock()
	n := 0
	for _, c := range t.classes(30) {
		if c.role == flag || c.distinct < 3 && !hasWord(c.words, statusWords) {
			continue
		}
		if n++; n > 4 {
			break
		}
		state := hasWord(c.words, statusWords)
		if things := t.things(); state && len(things) > 0 {
			m.add(m.funnel(t, c, things[0]))
		}
		if k != nil && c.distinct <= maxCross {
			base := 40 / (1 + 0.3*float64(n-1))
			if state {
				base += 8
			}
			m.add(m.mix(t, c, k, base))
		}
	}
	m.spans(t)
}

// funnel asks how many things come to each state.
func (m *mind) funnel(t *table, c, thing *column) *idea {
	i := &idea{key: keyOf(funnel, t, c, thing), kind: funnel, of: t, cols: []*column{c, thing}, base: 57}
	i.write = func() asking {
		s, src := m.inner(t, nil, []string{c.quoted + " IS NOT NULL"}, c, thing)
		name, of := m.d.quote(c.alias), m.d.quote(thing.alias)
		out := statement{list: []string{name, as("COUNT(*)", "records"), as("COUNT(DISTINCT "+of+")", "different_"+thing.alias), as(m.d.round("1.0 * COUNT(*) / NULLIF(COUNT(DISTINCT "+of+"), 0)", 2), "records_each")}, from: s.nested(m.d, "q"), group: name, order: "COUNT(DISTINCT " + of + ") DESC, " + name, limit: 30}
		return asking{
			query:    out.write(m.d),
			thinking: fmt.Sprintf("%sHow many %s come to each %s in %s, and how often, to see where they drop out.", src.note, plural(thing), c.say, t.say),
			purpose:  plural(thing) + " by " + c.say + " in " + t.say,
		}
	}
	return i
}

// mix asks how the classes of c share the records over time.
func (m *mind) mix(t *table, c, k *column, base float64) *idea {
	g := k.clock.grain()
	if g == daily && k.clock.span() > 60*day {
		g = weekly
	}
	if (g == weekly || g == daily) && c.distinct*int64(k.clock.span()/spanOf(g)) > 1500 {
		g = monthly
	}
	if g == monthly && c.distinct*int64(k.clock.span()/spanOf(g)) > 1500 || k.clock.form == yearOnly {
		g = yearly
	}
	i := &idea{key: keyOf(mix, t, c, k), kind: mix, of: t, cols: []*column{c, k}, base: base}
	i.write = func() asking {
		s, src := m.inner(t, []string{as(k.clock.period(m.d, g), "period")}, []string{k.quoted + " IS NOT NULL"}, c)
		name := m.d.quote(c.alias)
		list := []string{"period", name, as("COUNT(*)", "records")}
		if m.d.windows {
			list = append(list, as(m.d.percent("COUNT(*)", "SUM(COUNT(*)) OVER (PARTITION BY period)"), "share_pct"))
		}
		out := statement{list: list, from: s.nested(m.d, "q"), group: "period, " + name, order: "period, COUNT(*) DESC, " + name, limit: 2000}
		return asking{
			query:    out.write(m.d),
			thinking: fmt.Sprintf("%sWhether the mix of %s in %s changes by %s, or only the whole.", src.note, c.say, t.say, g),
			purpose:  "mix of " + c.say + " in " + t.say + " by " + string(g),
		}
	}
	return i
}

// spans asks how long it takes from one time of a row to another.
func (m *mind) spans(t *table) {
	times := t.clocks()
	times = slices.DeleteFunc(slices.Clone(times), func(c *column) bool { return c.clock.form != asStamp && c.clock.form != asDay || clockRank(c) < 0 })
	for n, a := range times {
		for _, b := range times[n+1:] {
			if n > 1 {
				return
			}
			from, to := a, b
			if b.clock.from.Before(a.clock.from) && b.at < a.at {
				from, to = b, a
			}
			m.add(m.elapsed(t, from, to, 54/(1+0.5*float64(n))))
		}
	}
}

func (m *mind) elapsed(t *table, a, b *column, base float64) *idea {
	i := &idea{key: keyOf(elapsed, t, a, b), kind: elapsed, of: t, cols: []*column{a, b}, base: base}
	i.write = func() asking {
		x := withBoth(m.d.days, a.quoted, b.quoted)
		s, src := m.inner(t, []string{as(x, "days_between")}, []string{a.quoted + " IS NOT NULL", b.quoted + " IS NOT NULL"})
		list := []string{as("COUNT(*)", "records"), as(count("days_between < 0"), "backwards"), as(m.d.round("MIN(days_between)", 2), "fewest_days"), as(m.d.avg("days_between", 2), "average_days")}
		if m.quantiles() {
			list = append(list, as(m.d.percentile("days_between", "0.5", 2), "median_days"), as(m.d.percentile("days_between", "0.95", 2), "p95_days"))
		}
		list = append(list, as(m.d.round("MAX(days_between)", 2), "most_days"))
		out := statement{list: list, from: s.nested(m.d, "q")}
		return asking{
			query:    out.write(m.d),
			thinking: fmt.Sprintf("%sHow many days lie between %s and %s in %s; one before the other the wrong way round would be a fault in the data.", src.note, a.say, b.say, t.say),
			purpose:  "days from " + a.say + " to " + b.say + " in " + t.say,
		}
	}
	i.learn = func(r *grid) {
		if n := r.whole(0, 1); n > 0 {
			m.note(28, fmt.Sprintf("in %s of %s, %s lies before %s", language.Count(n, "record"), t.say, b.say, a.say))
		}
		if m.quantiles() && r.text(0, 4) != "" {
			m.note(23, fmt.Sprintf("from %s to %s of %s the median is %s days, and %s days for the slowest twentieth or more", a.say, b.say, t.say, figure(r.text(0, 4)), figure(r.text(0, 5))))
		}
	}
	return i
}
