package builtin

import (
	"fmt"
	"slices"
	"time"

	"quaestor/internal/language"
)

// The bounds of a segment.
const (
	maxClasses = 1000 // of a column that is compared class by class
	topClasses = 15   // that are shown
	maxCross   = 20   // classes of one of two columns that are crossed
)

// bySegment adds what may be asked of the classes of t.
func (m *mind) bySegment(t *table) {
	classes := t.classes(maxClasses)
	for n, c := range classes[:min(len(classes), 8)] {
		fade := 1 / (1 + 0.16*float64(n))
		m.add(m.segment(t, c, 84*fade))
		if t.clock() != nil {
			m.add(m.mover(t, c, 62*fade))
		}
		if n < 5 && c.empty() < 0.9 {
			m.crosses(t, c, classes[n+1:min(len(classes), 6)], 46*fade)
		}
	}
	for n, c := range m.spreadOut(t) {
		if n < 3 && m.d.windows {
			m.add(m.tail(t, c, 50-8*float64(n)))
		}
	}
}

// spreadOut returns the columns of so many values that what the largest hold is
// worth asking.
func (m *mind) spreadOut(t *table) []*column {
	return t.those(func(c *column) bool {
		return c.known && !c.spoilt && c.distinct > 60 && c.repeats() >= 1.5 && (c.role == dimension || c.role == label || c.role == identifier || c.role == code)
	})
}

// segment asks for the largest classes of a column: their share of the records, and
// figures of each.
func (m *mind) segment(t *table, c *column, base float64) *idea {
	list, said, cols := m.measures(t, 2, c)
	i := &idea{key: keyOf(segment, t, c), kind: segment, of: t, cols: append([]*column{c}, cols...), base: base}
	i.write = func() asking {
		name := m.d.quote(c.alias)
		s, src := m.inner(t, nil, nil, i.cols...)
		head := []string{name, as("COUNT(*)", "records"), m.d.share(s.nested(m.d, "w"))}
		for _, f := range cols {
			if f.role == amount {
				head = append(head, m.total(f))
			}
		}
		out := statement{list: append(head, list...), from: s.nested(m.d, "q"), group: name, order: "COUNT(*) DESC, " + name, limit: topClasses}
		return asking{
			query:    out.write(m.d),
			thinking: fmt.Sprintf("%sHow the records of %s divide by %s%s. %s", src.note, t.say, c.say, differ(said), m.classesSaid(c)),
			purpose:  "shares of " + t.say + " by " + c.say + andOf(said),
		}
	}
	i.learn = func(r *grid) { m.noteSegment(t, c, cols, said, r) }
	return i
}

// differ says in what classes are compared.
func differ(said []string) string {
	if len(said) == 0 {
		return ""
	}
	return ", and how they differ in " + language.And(said)
}

// classesSaid says how many classes a column has, and how many of them are shown.
func (m *mind) classesSaid(c *column) string {
	if c.distinct <= topClasses {
		return fmt.Sprintf("There are %s.", language.Count(c.distinct, "value"))
	}
	return fmt.Sprintf("Of %s the %d largest are shown.", language.Count(c.distinct, "value"), topClasses)
}

// noteSegment keeps the largest class, and by how much classes of some size differ.
func (m *mind) noteSegment(t *table, c *column, cols []*column, said []string, r *grid) {
	top := r.text(0, 0)
	c.topShare, _ = r.number(0, 2)
	if share, ok := r.number(0, 2); ok && plain(top) && share < 99.9 {
		even := 100 / float64(max(c.distinct, 1))
		m.note(22+min(share/even, 12), fmt.Sprintf("%s is the largest %s of %s, with %s%% of the records", top, c.say, t.say, r.text(0, 2)))
	}
	for n, words := range said {
		skip := n
		n += len(r.Columns) - 3 - len(said) // totals stand before them
		low, high := r.least(n + 3)
		if low < 0 || low == high || !plain(r.text(low, 0)) || !plain(r.text(high, 0)) {
			continue
		}
		a, _ := r.number(low, n+3)
		b, _ := r.number(high, n+3)
		if c.role.metric() || cols[skip].mostlyZero() { // a quantity and its total; an average made by a few
			continue
		}
		if a > 0 && b >= 1.2*a && r.whole(low, 1) >= 30 && r.whole(high, 1) >= 30 {
			m.note(32+min(b/a, 8)*2, fmt.Sprintf("among the largest by %s, %s of %s goes from %s (%s) to %s (%s)", c.say, words, t.say, figure(r.text(low, n+3)), r.text(low, 0), figure(r.text(high, n+3)), r.text(high, 0)))
		}
	}
}

// mover asks which classes grew or fell most between the halves of the time.
func (m *mind) mover(t *table, c *column, base float64) *idea {
	k := t.clock()
	list, said, cols := m.measures(t, 1, c)
	if len(cols) > 0 {
		list = m.halves(cols[0])
	}
	i := &idea{key: keyOf(mover, t, c), kind: mover, of: t, cols: append([]*column{c, k}, cols...), base: base}
	at := k.clock.middle()
	if k.clock.form == yearOnly || k.clock.form == yyyymm || k.clock.span() > 400*day {
		at = monthly.start(at.AddDate(0, 0, 15))
	}
	i.write = func() asking {
		name := m.d.quote(c.alias)
		half := "CASE WHEN " + k.clock.before(m.d, at) + " THEN 1 ELSE 2 END"
		s, src := m.inner(t, []string{as(half, "half")}, []string{k.quoted + " IS NOT NULL"}, append([]*column{c}, cols...)...)
		sums := statement{list: append([]string{name, as(count("half = 1"), "earlier"), as(count("half = 2"), "later")}, list...), from: s.nested(m.d, "h"), group: name}
		in := func(half, condition string) string {
			return as(m.d.percent(half, m.d.inAll("SUM("+half+")", count(condition), s.nested(m.d, "w"))), half+"_share_pct")
		}
		shares := statement{list: []string{name, "earlier", "later", in("earlier", "half = 1"), in("later", "half = 2")}, from: sums.nested(m.d, "s")}
		if len(cols) > 0 {
			shares.list = append(shares.list, "average_earlier", "average_later")
		}
		out := statement{list: []string{"*"}, from: shares.nested(m.d, "q"), order: with(m.d.absolute, "later_share_pct - earlier_share_pct") + " DESC, " + name, limit: topClasses}
		return asking{
			query:    out.write(m.d),
			thinking: fmt.Sprintf("%sThe time is cut in two at %s. Whose share of the records of %s grew or fell most from the first half to the second, by %s%s?", src.note, at.Format(time.DateOnly), t.say, c.say, andOf(said)),
			purpose:  "shift of shares of " + t.say + " by " + c.say + " between the halves of the time",
		}
	}
	i.learn = func(r *grid) { m.learnMover(t, c, at, r) }
	return i
}

// halves are the averages of f in both halves.
func (m *mind) halves(f *column) []string {
	x := m.d.quote(f.alias)
	return []string{
		as(m.d.avg("CASE WHEN half = 1 THEN "+x+" END", f.digits()), "average_earlier"),
		as(m.d.avg("CASE WHEN half = 2 THEN "+x+" END", f.digits()), "average_later"),
	}
}

// learnMover keeps the class that moved most, to be followed.
func (m *mind) learnMover(t *table, c *column, at time.Time, r *grid) {
	value := r.text(0, 0)
	if c.mover = nil; !plain(value) || c.class != isText {
		return
	}
	quoted, ok := text(value)
	if !ok {
		return
	}
	was, ok := r.number(0, 3)
	is, also := r.number(0, 4)
	if !ok || !also || max(is-was, was-is) < 1 || max(is, was) < 1.1*min(is, was) {
		return
	}
	c.mover = &moved{value: value, quoted: quoted, earlier: r.text(0, 3), later: r.text(0, 4)}
	if r.whole(0, 1)+r.whole(0, 2) >= fewRows {
		m.note(24+min(max(is-was, was-is), 20), fmt.Sprintf("the share of %s in %s (%s) went from %s%% before %s to %s%% since", value, t.say, c.say, r.text(0, 3), at.Format(time.DateOnly), r.text(0, 4)))
	}
}

// moved is a class whose share changed, in percent.
type moved struct {
	value, quoted  string
	earlier, later string
}

// crosses asks for classes of one column within those of another.
func (m *mind) crosses(t *table, c *column, others []*column, base float64) {
	if c.mover != nil {
		m.add(m.follow(t, c))
	}
	for n, o := range others {
		if c.distinct > maxCross || o.distinct > maxCross {
			continue
		}
		m.add(m.cross(t, c, o, base/(1+0.3*float64(n))))
	}
}

// cross asks for the largest pairs of classes.
func (m *mind) cross(t *table, a, b *column, base float64) *idea {
	list, said, cols := m.measures(t, 2, a, b)
	i := &idea{key: keyOf(cross, t, a, b), kind: cross, of: t, cols: append([]*column{a, b}, cols...), base: base}
	i.write = func() asking {
		first, second := m.d.quote(a.alias), m.d.quote(b.alias)
		s, src := m.inner(t, nil, []string{a.quoted + " IS NOT NULL", b.quoted + " IS NOT NULL"}, i.cols...)
		head := []string{first, second, as("COUNT(*)", "records")}
		if m.d.windows {
			head = append(head, as(m.d.percent("COUNT(*)", "SUM(COUNT(*)) OVER (PARTITION BY "+first+")"), "share_within_pct"))
		}
		out := statement{list: append(head, list...), from: s.nested(m.d, "q"), group: first + ", " + second, order: first + ", COUNT(*) DESC, " + second, limit: 400}
		return asking{
			query:    out.write(m.d),
			thinking: fmt.Sprintf("%sWhether the mix of %s is the same for every %s in %s%s.", src.note, b.say, a.say, t.say, andOf(said)),
			purpose:  "mix of " + b.say + " within " + a.say + " in " + t.say,
		}
	}
	return i
}

// follow asks when the class that moved most did so.
func (m *mind) follow(t *table, c *column) *idea {
	k, v := t.clock(), c.mover
	g := k.clock.grain()
	list, said, cols := m.measures(t, 1, c)
	i := &idea{key: keyOf(follow, t, c) + "\x00" + v.value, kind: follow, of: t, cols: append([]*column{c, k}, cols...), base: 58}
	i.write = func() asking {
		s, src := m.inner(t, []string{as(k.clock.period(m.d, g), "period")}, []string{c.quoted + " = " + v.quoted, k.quoted + " IS NOT NULL"}, cols...)
		out := statement{list: append([]string{"period", as("COUNT(*)", "records")}, list...), from: s.nested(m.d, "q"), group: "period", order: "period", limit: 2000}
		return asking{
			query:    out.write(m.d),
			thinking: fmt.Sprintf("%sBy %s, %s moved most: its share went from %s%% to %s%%. Seen by %s it shows when, and whether at once or bit by bit.", src.note, c.say, v.value, v.earlier, v.later, g),
			purpose:  "records of " + t.say + " where " + c.say + " is " + v.value + " by " + string(g) + andOf(said),
		}
	}
	return i
}

// tail asks how much of t the largest values of a column hold.
func (m *mind) tail(t *table, c *column, base float64) *idea {
	i := &idea{key: keyOf(tail, t, c), kind: tail, of: t, cols: []*column{c}, base: base}
	var by *column
	if f := t.figures(); len(f) > 0 {
		if n := slices.IndexFunc(f, func(f *column) bool { return f.role == amount && f.low >= 0 && hasWord(f.words, moneyWords) }); n >= 0 {
			by, i.cols = f[n], append(i.cols, f[n])
		}
	}
	i.write = func() asking {
		name, held, what := m.d.quote(c.alias), "COUNT(*)", "records"
		if by != nil {
			held, what = "SUM("+m.d.quote(by.alias)+")", by.say
		}
		s, src := m.inner(t, nil, []string{c.quoted + " IS NOT NULL"}, i.cols...)
		sums := statement{list: []string{name, as(held, "held")}, from: s.nested(m.d, "s"), group: name}
		ranked := statement{list: []string{"held", as("ROW_NUMBER() OVER (ORDER BY held DESC)", "place"), as("COUNT(*) OVER ()", "of_all")}, from: sums.nested(m.d, "r")}
		share := func(condition, name string) string {
			return as(m.d.percent("SUM(CASE WHEN "+condition+" THEN held ELSE 0 END)", "SUM(held)"), name)
		}
		out := statement{list: []string{
			as("COUNT(*)", "holders"), as("SUM(held)", "held_in_all"), as("MAX(held)", "held_by_largest"), share("place = 1", "largest_pct"), share("place <= 10", "top_10_pct"),
			share("place * 100 <= of_all", "top_1_in_100_pct"), share("place * 10 <= of_all", "top_1_in_10_pct"), share("place * 2 > of_all", "smaller_half_pct"),
		}, from: ranked.nested(m.d, "q")}
		return asking{
			query:    out.write(m.d),
			thinking: fmt.Sprintf("%sHow much of the %s of %s the largest %s hold, of %s: whether much hangs on a few.", src.note, what, t.say, c.say, language.Count(c.distinct, "value")),
			purpose:  "concentration of " + what + " of " + t.say + " by " + c.say,
		}
	}
	i.learn = func(r *grid) {
		if share, ok := r.number(0, 6); ok && c.distinct >= 50 && share > 30 {
			held := "the records"
			if by != nil {
				held = "the " + by.say
			}
			m.note(20+share/4, fmt.Sprintf("the largest tenth by %s holds %s%% of %s of %s", c.say, r.text(0, 6), held, t.say))
		}
	}
	return i
}
