package builtin

import (
	"fmt"
	"slices"

	"quaestor/internal/language"
)

// ofThings adds what may be asked of the things that occur in t time and again: how
// often, since when, and whether they come back.
func (m *mind) ofThings(t *table) {
	things := t.things()
	slices.SortStableFunc(things, func(a, b *column) int { return thingRank(b) - thingRank(a) })
	k := t.clock()
	for n, c := range things[:min(len(things), 3)] {
		fade := 1 / (1 + 0.8*float64(n))
		m.add(m.habit(t, c, 54*fade))
		if k == nil {
			continue
		}
		if _, ok := k.clock.part(m.d, monthOf); ok && k.clock.span() >= 75*day && comesBack(c) {
			m.add(m.cohort(t, c, k, 66*fade))
			m.add(m.newcomers(t, c, k, 52*fade))
		}
	}
}

// tooOften is from how many records a thing has on it is no visitor that comes or
// stays away, but a fixture, such as an airport of flights.
const tooOften = 500

// comesBack says whether it can be asked who of c comes back: they are many, and
// occur more than once, but not all the time. People may.
func comesBack(c *column) bool {
	n := c.repeats()
	return c.distinct >= 50 && n >= 1.5 && (n <= tooOften || thingRank(c) > 0)
}

// thingRank says how telling it is whether a thing comes back: that of people is.
func thingRank(c *column) int {
	if hasWord(singulars(c.words), people) {
		return 1
	}
	return 0
}

// plural is what the things of c are called, several of them.
func plural(c *column) string { return thingsOf(c.words) }

// thingsOf is what the things are called that a key with these words tells apart: customers of customer_id.
func thingsOf(w []string) string {
	if n := len(w); n > 1 && endsInKey(w) {
		w = w[:n-1]
	}
	word := w[len(w)-1]
	switch {
	case len(word) > 2 && word[len(word)-1] == 'y' && !vowels[word[len(word)-2:len(word)-1]]:
		return word[:len(word)-1] + "ies"
	case word[len(word)-1] == 's':
		return word
	default:
		return word + "s"
	}
}

// habit asks how many records a thing has.
func (m *mind) habit(t *table, c *column, base float64) *idea {
	i := &idea{key: keyOf(habit, t, c), kind: habit, of: t, cols: []*column{c}, base: base}
	i.write = func() asking {
		s, src := m.inner(t, nil, []string{c.quoted + " IS NOT NULL"}, c)
		name := m.d.quote(c.alias)
		per := statement{list: []string{name, as("COUNT(*)", "times")}, from: s.nested(m.d, "s"), group: name}
		band := "CASE WHEN times = 1 THEN 1 WHEN times = 2 THEN 2 WHEN times <= 5 THEN 3 WHEN times <= 10 THEN 6 WHEN times <= 50 THEN 11 ELSE 51 END"
		banded := statement{list: []string{as(band, "times_from"), "times"}, from: per.nested(m.d, "p")}
		out := statement{list: []string{
			"times_from", as("MAX(times)", "times_up_to"), as("COUNT(*)", "things"), as(m.d.percent("COUNT(*)", m.d.inAll("SUM(COUNT(*))", "COUNT(*)", banded.nested(m.d, "w"))), "things_pct"), as("SUM(times)", "records"), as(m.d.percent("SUM(times)", m.d.inAll("SUM(SUM(times))", "SUM(times)", banded.nested(m.d, "w"))), "records_pct"),
		}, from: banded.nested(m.d, "q"), group: "times_from", order: "times_from", limit: 10}
		return asking{
			query:    out.write(m.d),
			thinking: fmt.Sprintf("%sHow many records of %s each %s has: how many occur once only, and how much comes from those that occur often.", src.note, t.say, c.say),
			purpose:  "records of " + t.say + " per " + c.say,
		}
	}
	i.learn = func(r *grid) {
		if pct, ok := r.number(0, 3); ok && r.whole(0, 0) == 1 && pct >= 20 {
			m.note(24+pct/8, fmt.Sprintf("%s of %s (%s%% of the different values) occur once only in %s", language.Thousands(r.whole(0, 2)), plural(c), r.text(0, 3), t.say))
		}
	}
	return i
}

// firsts is the query for the first time of each thing, as a year and a month.
func (m *mind) firsts(t *table, c, k *column) (each, first string, src source) {
	x, _ := k.clock.part(m.d, yearOf)
	y, _ := k.clock.part(m.d, monthOf)
	months := "(" + x + ") * 12 + (" + y + ") - 1"
	src = t.source(m.d, c.quoted, k.quoted)
	all := statement{list: []string{as(c.quoted, "thing"), as(months, "month_no")}, from: src.from, where: append(slices.Clone(src.where), c.quoted+" IS NOT NULL", k.quoted+" IS NOT NULL")}
	each = statement{list: []string{"thing", "month_no", as("COUNT(*)", "records")}, from: all.nested(m.d, "a"), group: "thing, month_no"}.nested(m.d, "e")
	first = statement{list: []string{"thing", as("MIN(month_no)", "first_month")}, from: all.nested(m.d, "b"), group: "thing"}.nested(m.d, "f")
	return each, first, src
}

// monthText is a count of months since year 0 as YYYYMM.
func monthText(x string) string {
	return "FLOOR(" + x + " / 12.0) * 100 + " + x + " - FLOOR(" + x + " / 12.0) * 12 + 1"
}

// cohort asks who comes back how long after the first time.
func (m *mind) cohort(t *table, c, k *column, base float64) *idea {
	i := &idea{key: keyOf(cohort, t, c, k), kind: cohort, of: t, cols: []*column{c, k}, base: base}
	i.write = func() asking {
		each, first, src := m.firsts(t, c, k)
		pairs := statement{list: []string{as("f.first_month", "first_month"), as("e.month_no - f.first_month", "months_since")}, from: each + "\nJOIN " + first + " ON f.thing = e.thing"}
		out := statement{list: []string{as(monthText("first_month"), "first_seen_month"), "months_since", as("COUNT(*)", "seen")}, from: pairs.nested(m.d, "q"), where: []string{"months_since <= 12"}, group: "first_month, months_since", order: "first_month DESC, months_since", limit: 500}
		return asking{
			query:    out.write(m.d),
			thinking: fmt.Sprintf("%sOf the %s first seen in a month (as YYYYMM, by %s), how many were seen again so many months later, newest months first.", src.note, plural(c), k.say),
			purpose:  "return of " + plural(c) + " in " + t.say + " by month of the first time",
		}
	}
	return i
}

// newcomers asks how many things of each month are new.
func (m *mind) newcomers(t *table, c, k *column, base float64) *idea {
	i := &idea{key: keyOf(newcomers, t, c, k), kind: newcomers, of: t, cols: []*column{c, k}, base: base}
	i.write = func() asking {
		each, first, src := m.firsts(t, c, k)
		pairs := statement{list: []string{as("e.month_no", "month_no"), as("e.records", "records"), as("CASE WHEN e.month_no = f.first_month THEN 1 ELSE 0 END", "is_new")}, from: each + "\nJOIN " + first + " ON f.thing = e.thing"}
		out := statement{list: []string{as(monthText("month_no"), "in_month"), as("COUNT(*)", "seen"), as("SUM(is_new)", "new_ones"), as(m.d.percent("SUM(is_new)", "COUNT(*)"), "new_pct"), as("SUM(records)", "records")}, from: pairs.nested(m.d, "q"), group: "month_no", order: "month_no", limit: 600}
		return asking{
			query:    out.write(m.d),
			thinking: fmt.Sprintf("%sHow many %s are seen in each month (as YYYYMM), and how many of them for the first time: whether growth comes from new ones or from those that stay.", src.note, plural(c)),
			purpose:  "new and returning " + plural(c) + " in " + t.say + " by month",
		}
	}
	return i
}
