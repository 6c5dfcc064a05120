package builtin

import (
	"fmt"
	"slices"
	"strings"

	"quaestor/internal/language"
)

// ofKeys adds what may be asked of the keys of t: whether they tell rows apart,
// whether what they refer to is there, and what it is called.
func (m *mind) ofKeys(t *table) {
	m.keyRepeats(t)
	for _, j := range t.joins {
		to := m.tableFor(j.to)
		if j.from.spoilt || to == nil || to.dead {
			continue
		}
		key := to.column(j.key)
		if key == nil || key.spoilt {
			continue
		}
		if t.whole() && to.whole() {
			m.add(m.orphans(t, j, to, key))
		}
		if to.profiled() && key.known && key.distinct >= key.filled {
			m.names(t, j, to, key)
		}
	}
	m.probing(t)
}

// keyRepeats asks for values that stand twice in what should tell rows apart.
func (m *mind) keyRepeats(t *table) {
	if !t.whole() {
		return
	}
	var keys []*column
	for _, c := range t.cols {
		if c.key {
			keys = append(keys, c)
		}
	}
	switch {
	case len(keys) > 0: // the warehouse may declare what it does not enforce
		if len(keys) == 1 && keys[0].known && keys[0].distinct == keys[0].seen {
			return
		}
		m.add(m.repeats(t, keys, 30))
	default:
		for _, c := range t.cols {
			if c.role == identifier && c.known && !c.spoilt && c.filled > 0 && c.distinct < c.filled && float64(c.distinct) > 0.9*float64(c.filled) {
				m.add(m.repeats(t, []*column{c}, 40))
				return
			}
		}
		m.wholeRows(t)
	}
}

// wholeRows asks for rows that stand twice, in a table without a key.
func (m *mind) wholeRows(t *table) {
	if len(t.cols) < 2 || len(t.cols) > 16 || t.rows > 5_000_000 {
		return
	}
	for _, c := range t.cols {
		if c.class == isOther || c.spoilt || c.known && c.distinct == c.seen {
			return
		}
	}
	m.add(m.repeats(t, t.cols, 44))
}

func (m *mind) repeats(t *table, cols []*column, base float64) *idea {
	i := &idea{key: keyOf(repeats, t, cols...), kind: repeats, of: t, cols: cols, base: base, whole: true}
	whole := len(cols) == len(t.cols) && len(cols) > 1
	i.write = func() asking {
		var names []string
		for _, c := range cols {
			names = append(names, c.quoted)
		}
		s := statement{list: []string{as("COUNT(*)", "times")}, from: t.quoted, group: strings.Join(names, ", "), having: "COUNT(*) > 1"}
		if !whole {
			s.where = []string{names[0] + " IS NOT NULL"}
		}
		out := statement{list: []string{as("COUNT(*)", "repeated_values"), as("SUM(times)", "records_with_them"), as("SUM(times - 1)", "surplus_records"), as("MAX(times)", "most_often")}, from: s.nested(m.d, "q")}
		if whole {
			return asking{out.write(m.d), fmt.Sprintf("%s has no key. Are there records that stand in it twice, alike in every column? They would count double everywhere else.", language.UpperFirst(t.say)), "records of " + t.say + " that stand there twice"}
		}
		return asking{out.write(m.d), fmt.Sprintf("%s should tell the records of %s apart; do some of its values stand there twice?", language.UpperFirst(someNames(cols)), t.say), "repeated " + someNames(cols) + " in " + t.say}
	}
	i.learn = func(r *grid) {
		if n := r.whole(0, 2); n > 0 && whole {
			m.note(26, fmt.Sprintf("%s of %s stand there more than once, alike in every column", language.Count(r.whole(0, 1), "record"), t.say))
		} else if n > 0 {
			m.note(30, fmt.Sprintf("%s of %s occur more than once in %s", language.Count(r.whole(0, 0), "value"), someNames(cols), t.say))
		}
	}
	return i
}

// orphans asks for records that refer to what is not there.
func (m *mind) orphans(t *table, j join, to *table, key *column) *idea {
	i := &idea{key: keyOf(orphans, t, j.from) + "\x00" + to.ref, kind: orphans, of: t, cols: []*column{j.from}, base: 34, whole: true}
	if !j.declared {
		i.base = 40
	}
	i.write = func() asking {
		keys := statement{list: []string{"DISTINCT " + as(key.quoted, "target"), as("1", "known")}, from: to.quoted}
		out := statement{
			list: []string{as("COUNT(*)", "records"), as("COUNT(l.reference)", "with_reference"), as(count("l.reference IS NOT NULL AND (r.known IS NULL OR r.known <> 1)"), "without_target")},
			from: statement{list: []string{as(j.from.quoted, "reference")}, from: t.quoted}.nested(m.d, "l") + "\nLEFT JOIN " + keys.nested(m.d, "r") + " ON r.target = l.reference",
		}
		return asking{
			query:    out.write(m.d),
			thinking: fmt.Sprintf("Each %s of %s should be found in %s. Records whose %s is not there would drop out of every join.", j.from.say, t.say, to.say, j.from.say),
			purpose:  "records of " + t.say + " whose " + j.from.say + " is not in " + to.say,
		}
	}
	i.learn = func(r *grid) {
		if n := r.whole(0, 2); n > 0 {
			m.note(31, fmt.Sprintf("%s of %s refer by %s to what is not in %s", language.Count(n, "record"), t.say, j.from.say, to.say))
		}
	}
	return i
}

// names asks for the figures of t by what the things it refers to are called or
// put into.
func (m *mind) names(t *table, j join, to *table, key *column) {
	n := 0
	for _, c := range to.called(key) {
		base := 64 / (1 + 0.25*float64(n))
		if c.role == label {
			base *= 0.9
		}
		if n++; n > 4 {
			return
		}
		m.add(m.named(t, j, to, key, c, base))
		if k := t.clock(); k != nil && n < 3 {
			m.add(m.namedOver(t, j, to, key, c, base*0.5))
		}
	}
}

// said names the column of a join whose name does not say where it leads: origin,
// of flights to airports.
func (j *join) said(to *table) string {
	for _, w := range j.from.words {
		if slices.ContainsFunc(to.words, func(o string) bool { return alike(w, o) }) || w == j.key {
			return ""
		}
	}
	return " (" + j.from.say + ")"
}

// called returns the columns of t that say what its rows are: classes first, then
// names.
func (t *table) called(key *column) []*column {
	out := slices.DeleteFunc(t.classes(maxClasses), func(c *column) bool { return c == key || c.topShare > 95 })
	slices.SortStableFunc(out, func(a, b *column) int { return t.callRank(b) - t.callRank(a) })
	for _, c := range t.cols {
		if c.role == label && !c.spoilt && c.known && c != key && !c.classes(maxClasses) {
			out = append(out, c)
		}
	}
	return out
}

// callRank is classRank, but that a handful of classes says less than some dozens.
func (t *table) callRank(c *column) int {
	rank := t.classRank(c)
	if c.distinct < 8 {
		rank -= 3
	}
	return rank
}

// joined is the query for columns of t beside one of another table.
func (m *mind) joined(t *table, j join, to *table, key, c *column, further []string, where []string, cols []*column) (statement, source) {
	s, src := m.inner(t, append([]string{as(j.from.quoted, "reference")}, further...), where, cols...)
	keys := statement{list: []string{as(key.quoted, "target"), as(c.quoted, "called")}, from: to.quoted}
	return statement{from: s.nested(m.d, "l") + "\nJOIN " + keys.nested(m.d, "r") + " ON r.target = l.reference"}, src
}

func (m *mind) named(t *table, j join, to *table, key, c *column, base float64) *idea {
	list, said, cols := m.measures(t, 2, j.from)
	i := &idea{key: keyOf(named, t, j.from, c) + "\x00" + to.ref, kind: named, of: t, cols: append([]*column{j.from, c}, cols...), base: base}
	i.write = func() asking {
		out, src := m.joined(t, j, to, key, c, nil, nil, cols)
		name := m.d.quote(slug(to.say+"_"+c.alias, "called_by"))
		out.list = []string{as("r.called", name), as("COUNT(*)", "records"), m.d.share(out.from)}
		for _, f := range cols {
			if f.role == amount {
				out.list = append(out.list, m.total(f))
			}
		}
		out.list = append(out.list, list...)
		out.group, out.order, out.limit = "r.called", "COUNT(*) DESC, r.called", topClasses
		return asking{
			query:    out.write(m.d),
			thinking: fmt.Sprintf("%sEach %s of %s stands in %s, which says its %s. How the records divide by that%s.", src.note, j.from.say, t.say, to.say, c.say, differ(said)),
			purpose:  "shares of " + t.say + " by " + c.say + " of " + to.say + j.said(to) + andOf(said),
		}
	}
	i.learn = func(r *grid) { m.noteNamed(t, to, c, j, said, r) }
	return i
}

// noteNamed keeps by how much what things are called makes a difference.
func (m *mind) noteNamed(t, to *table, c *column, j join, said []string, r *grid) {
	for n, words := range said {
		at := len(r.Columns) - len(said) + n
		low, high := r.least(at)
		if low < 0 || low == high || !plain(r.text(low, 0)) || !plain(r.text(high, 0)) {
			continue
		}
		a, _ := r.number(low, at)
		b, _ := r.number(high, at)
		if a > 0 && b >= 1.2*a && r.whole(low, 1) >= 30 && r.whole(high, 1) >= 30 {
			m.note(33+min(b/a, 8)*2, fmt.Sprintf("among the largest by %s of %s%s, %s of %s goes from %s (%s) to %s (%s)", c.say, to.say, j.said(to), words, t.say, figure(r.text(low, at)), r.text(low, 0), figure(r.text(high, at)), r.text(high, 0)))
		}
	}
}

// namedOver asks how the mix of what t refers to moves.
func (m *mind) namedOver(t *table, j join, to *table, key, c *column, base float64) *idea {
	k := t.clock()
	g := k.clock.grain()
	if k.clock.span() > 400*day {
		g = yearly
	} else if k.clock.span() > 60*day {
		g = monthly
	}
	if k.clock.form == yearOnly {
		g = yearly
	}
	i := &idea{key: keyOf(named, t, j.from, c, k) + "\x00" + to.ref, kind: named, of: t, cols: []*column{j.from, c, k}, base: base}
	i.write = func() asking {
		out, src := m.joined(t, j, to, key, c, []string{as(k.clock.period(m.d, g), "period")}, []string{k.quoted + " IS NOT NULL"}, nil)
		out.list = []string{"l.period", as("r.called", m.d.quote(slug(to.say+"_"+c.alias, "called_by"))), as("COUNT(*)", "records")}
		out.group, out.order, out.limit = "l.period, r.called", "l.period, COUNT(*) DESC, r.called", 1500
		return asking{
			query:    out.write(m.d),
			thinking: fmt.Sprintf("%sWhether the mix of %s of %s%s in %s changes by %s.", src.note, c.say, to.say, j.said(to), t.say, g),
			purpose:  t.say + " by " + c.say + " of " + to.say + j.said(to) + " and by " + string(g),
		}
	}
	if c.distinct > 60 {
		i.base = 0.5 * base
	}
	return i
}
