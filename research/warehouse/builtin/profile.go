package builtin

import (
	"fmt"
	"slices"

	"quaestor/internal/language"
)

// The bounds of a profile.
const (
	sliceColumns = 14  // of one statement
	slowColumns  = 5   // of one statement over a table of slowRows or more, whose values take long to tell apart
	maxProfiled  = 3   // slices of one table that are worth it before the rest
	wideColumns  = 200 // of one table that are looked at at all
)

// slowRows is from how many rows on a profile of many columns takes longer than a statement may
// where each column is sorted for its distinct values, as in PostgreSQL.
const slowRows = 1_000_000

// slice returns how many columns of t one statement profiles.
func (t *table) slice() int {
	if t.rows >= slowRows {
		return slowColumns
	}
	return sliceColumns
}

// profiles adds the profile of the columns of t that were not asked for.
func (m *mind) profiles(t *table) {
	if len(t.pending) > 0 {
		m.add(m.profile(t, t.pending[0], 100, t.counted))
		return
	}
	all := m.interesting(t)
	cols := slices.DeleteFunc(slices.Clone(all), func(c *column) bool { return c.asked })
	done := len(all) - len(cols)
	base := 110.0
	switch {
	case len(all) == 0 && !t.counted:
		m.add(m.counting(t))
		return
	case len(cols) == 0:
		return
	case done >= maxProfiled*sliceColumns:
		base = 9
	case done > 0:
		base = 40
	}
	m.add(m.profile(t, cols[:min(len(cols), t.slice())], base, done > 0))
}

// interesting returns the columns of t that something may be asked of, those that
// promise most first. In a table of few columns they stay in order.
func (m *mind) interesting(t *table) []*column {
	out := t.those(func(c *column) bool { return c.named != unused })
	if len(out) > t.slice() {
		turn, seen := map[*column]int{}, map[role]int{}
		for _, c := range out { // some of each role before all of one
			seen[c.named]++
			turn[c] = promise[c.named] * seen[c.named]
		}
		slices.SortStableFunc(out, func(a, b *column) int { return turn[a] - turn[b] })
	}
	return out[:min(len(out), wideColumns)]
}

// promise orders roles for the profile of a wide table.
var promise = map[role]int{moment: 1, amount: 2, coded: 2, level: 3, dimension: 3, code: 3, ratio: 4, flag: 4, identifier: 5, calendar: 5, label: 6, prose: 8, coordinate: 8, personal: 9, unused: 10}

// counting asks how many rows there are in a table of which nothing else is asked.
func (m *mind) counting(t *table) *idea {
	return &idea{key: keyOf("count", t), kind: profiling, of: t, base: 30,
		write: func() asking {
			return asking{
				query:    statement{list: []string{as("COUNT(*)", "records")}, from: t.quoted}.write(m.d),
				thinking: language.UpperFirst(t.say) + " has no column that can be counted or compared; how many records it has is all there is to ask.",
				purpose:  "number of records in " + t.say,
			}
		},
		whole: true,
		learn: func(g *grid) { t.rows, t.counted, t.dead = g.whole(0, 0), true, true },
	}
}

// field is one figure of a profile and where it goes.
type field struct {
	x     string
	name  string
	learn func(g *grid, at int)
}

// profile asks for the rows of t and for what some columns hold.
func (m *mind) profile(t *table, cols []*column, base float64, more bool) *idea {
	fields := []field{{"COUNT(*)", "records", func(g *grid, at int) { m.learnRows(t, g.whole(0, at)) }}}
	for _, c := range cols {
		fields = append(fields, m.fields(t, c)...)
	}
	i := &idea{key: keyOf(profiling, t, cols...), kind: profiling, of: t, cols: cols, base: base}
	i.write = func() asking { return m.profileText(t, cols, fields, more) }
	i.learn = func(g *grid) {
		t.settle(cols)
		for n, f := range fields {
			f.learn(g, n)
		}
		for _, c := range cols {
			c.known, c.seen = true, g.whole(0, 0)
			c.correct()
		}
		m.noteProfile(t, cols, more)
	}
	i.fail = func() { m.splitProfile(t, cols) }
	return i
}

// maxSplits is how often profiles of one table are split before it is given up.
const maxSplits = 6

// splitProfile asks for halves of a profile that failed, until the column that it
// fails for stands alone.
func (m *mind) splitProfile(t *table, cols []*column) {
	m.failed[profiling]--
	t.settle(cols)
	if t.splits++; t.splits > maxSplits {
		t.dead = !t.counted
		t.pending = nil
		return
	}
	if len(cols) == 1 {
		cols[0].spoilt = true
		return
	}
	half := len(cols) / 2
	t.pending = append([][]*column{cols[:half:half], cols[half:]}, t.pending...)
}

// settle notes that columns were asked for.
func (t *table) settle(cols []*column) {
	for _, c := range cols {
		c.asked = true
	}
	if len(t.pending) > 0 && slices.Equal(t.pending[0], cols) {
		t.pending = t.pending[1:]
	}
}

// learnRows keeps the number of rows.
func (m *mind) learnRows(t *table, n int64) {
	if t.whole() {
		t.rows = n
	}
	t.counted = true
	t.dead = n == 0
}

// fields returns the figures that are asked of a column.
func (m *mind) fields(t *table, c *column) []field {
	out := []field{{"COUNT(" + c.quoted + ")", c.alias + "_filled", func(g *grid, at int) { c.filled = g.whole(0, at) }}}
	if c.role != prose {
		out = append(out, field{"COUNT(DISTINCT " + c.quoted + ")", c.alias + "_distinct", func(g *grid, at int) { c.distinct = g.whole(0, at) }})
	}
	low := field{"MIN(" + c.quoted + ")", c.alias + "_from", func(*grid, int) {}}
	switch {
	case c.role == moment, c.role == coded && c.class == isText:
		high := field{"MAX(" + c.quoted + ")", c.alias + "_to", func(g *grid, at int) { c.learnTimes(g, at-1) }}
		return append(out, low, high)
	case c.role.metric():
		return append(out, m.rangeFields(c, true)...)
	case c.role == coded, c.role == calendar, c.role == coordinate, c.role == code:
		return append(out, m.rangeFields(c, false)...)
	case (c.role == dimension || c.role == label || c.role == identifier) && c.class == isText:
		size := with(m.d.length, c.quoted)
		return append(out, field{"MIN(" + size + ")", c.alias + "_shortest", func(g *grid, at int) { c.shortest = g.whole(0, at) }},
			field{"MAX(" + size + ")", c.alias + "_longest", func(g *grid, at int) { c.longest = g.whole(0, at) }})
	}
	return out
}

// rangeFields ask for the range of a number, and its mean where it has one.
func (m *mind) rangeFields(c *column, mean bool) []field {
	out := []field{
		{"MIN(" + c.quoted + ")", c.alias + "_min", func(g *grid, at int) { c.low, c.ranged = g.number(0, at) }},
		{"MAX(" + c.quoted + ")", c.alias + "_max", func(g *grid, at int) {
			high, ok := g.number(0, at)
			c.high, c.ranged = high, ok && c.ranged
		}},
	}
	if mean {
		out = append(out, field{count(c.quoted + " = 0"), c.alias + "_zeros", func(g *grid, at int) { c.zeros = g.whole(0, at) }})
		out = append(out, field{m.d.avg(c.quoted, 4), c.alias + "_mean", func(g *grid, at int) { c.mean, _ = g.number(0, at) }})
	}
	return out
}

// learnTimes keeps the range of times at two cells.
func (c *column) learnTimes(g *grid, at int) {
	from, ok := g.time(0, at)
	to, also := g.time(0, at+1)
	if !ok || !also {
		return
	}
	k := &clock{x: c.quoted, from: from, to: to}
	switch c.class {
	case isDate:
		k.form = asDay
	case isTime:
		k.form, k.hours = asStamp, from.Truncate(day) != from || to.Truncate(day) != to
	default:
		k.form = isoText
	}
	c.clock = k
}

// profileText writes a profile.
func (m *mind) profileText(t *table, cols []*column, fields []field, more bool) asking {
	s := statement{}
	for _, f := range fields {
		s.list = append(s.list, as(f.x, m.d.quote(f.name)))
	}
	src := t.source(m.d, s.list...)
	s.from, s.where = src.from, src.where
	out := asking{query: s.write(m.d)}
	if more {
		out.thinking = fmt.Sprintf("%sThe next columns of %s: how full they are, how many different values they have, and over what range.", src.note, t.say)
		out.purpose = "filled and distinct values and ranges of " + someNames(cols) + " in " + t.say
		return out
	}
	out.thinking = fmt.Sprintf("%sBefore anything is compared: how many records %s has, how full each column is, how many different values it has, and over what range.", src.note, t.say)
	out.purpose = "size, completeness and ranges of " + t.say
	return out
}

// someNames names the first columns and counts the rest.
func someNames(cols []*column) string {
	const most = 4
	var names []string
	for _, c := range cols[:min(len(cols), most)] {
		names = append(names, c.say)
	}
	if rest := len(cols) - most; rest > 0 {
		return language.And(append(names, fmt.Sprintf("%d more", rest)))
	}
	return language.And(names)
}

// noteProfile keeps what is striking about a profile.
func (m *mind) noteProfile(t *table, cols []*column, more bool) {
	if k := t.clock(); !more && !t.whole() {
		m.note(8, fmt.Sprintf("%s were read", t.read()))
	} else if !more && k != nil && k.clock != nil {
		m.note(20, fmt.Sprintf("%s has %s, from %s", t.say, language.Count(t.rows, "record"), k.clock.said()))
	} else if !more {
		m.note(8, fmt.Sprintf("%s has %s", t.say, language.Count(t.rows, "record")))
	}
	for _, c := range cols {
		if c.empty() > 0.2 && c.filled > 0 {
			m.note(18+10*c.empty(), fmt.Sprintf("%s is filled in %s of %s of %s", c.say, language.Thousands(c.filled), language.Count(c.seen, "record"), t.say))
		} else if c.filled == 0 && c.seen > 0 {
			m.note(16, fmt.Sprintf("%s is empty in all %s of %s", c.say, language.Count(c.seen, "record"), t.say))
		}
	}
}
