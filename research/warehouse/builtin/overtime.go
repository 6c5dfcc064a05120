package builtin

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"quaestor/internal/language"
)

// overTime adds what may be asked of t along its times.
func (m *mind) overTime(t *table) {
	for n, c := range t.clocks() {
		if n == 2 {
			break
		}
		base := 1.0
		if n > 0 {
			base = 0.45 // shipped, where placed is the time of an order
		}
		if t.rows < fewRows {
			base *= 0.3
		}
		m.add(m.volume(t, c, 88*base))
		m.cycles(t, c, base)
		if c.clock.years() >= 2 {
			m.add(m.years(t, c, 66*base))
		}
		if n == 0 {
			m.series(t, c)
		}
	}
}

// measures are figures beside the number of records: of at most n columns the
// total of one that may be summed, the average of another.
func (m *mind) measures(t *table, n int, not ...*column) (list []string, said []string, cols []*column) {
	for _, c := range t.figures() {
		if len(cols) == n {
			break
		}
		if slices.Contains(not, c) {
			continue
		}
		cols = append(cols, c)
		x, name, words := m.measure(c)
		list, said = append(list, as(x, name)), append(said, words)
	}
	return list, said, cols
}

// measure is the figure that says most of c, over a column called by its alias.
func (m *mind) measure(c *column) (x, name, words string) {
	return m.d.avg(m.d.quote(c.alias), c.digits()), m.d.quote("average_" + c.alias), "average " + c.say
}

// total is the sum of c, for one that may be summed.
func (m *mind) total(c *column) string {
	return as(m.d.round("SUM("+m.d.quote(c.alias)+")", c.digits()), m.d.quote("sum_"+c.alias))
}

// inner is the query for some columns of t by their aliases, and first for further
// expressions.
func (m *mind) inner(t *table, further []string, where []string, cols ...*column) (statement, source) {
	s := statement{list: slices.Clone(further)}
	for _, c := range cols {
		s.list = append(s.list, as(c.quoted, m.d.quote(c.alias)))
	}
	src := t.source(m.d, slices.Concat(s.list, where)...)
	s.from, s.where = src.from, append(slices.Clone(src.where), where...)
	return s, src
}

// volume asks for the records of t, with figures, in each span of time.
func (m *mind) volume(t *table, c *column, base float64) *idea {
	g := c.clock.grain()
	_, said, cols := m.measures(t, 2)
	i := &idea{key: keyOf(volume, t, c), kind: volume, of: t, cols: append([]*column{c}, cols...), base: base}
	i.write = func() asking {
		s, src := m.inner(t, []string{as(c.clock.period(m.d, g), "period")}, append([]string{c.quoted + " IS NOT NULL"}, c.clock.trim(m.d, g)...), cols...)
		list := []string{"period", as("COUNT(*)", "records")}
		for _, f := range cols {
			if f.role == amount {
				list = append(list, m.total(f))
			}
			x, name, _ := m.measure(f)
			list = append(list, as(x, name))
		}
		out := statement{list: list, from: s.nested(m.d, "q"), group: "period", order: "period", limit: 2000}
		return asking{
			query:    out.write(m.d),
			thinking: fmt.Sprintf("%sThe records of %s run from %s by %s. Seen by %s%s they show the level, the trend and any breaks%s.", src.note, t.say, c.clock.said(), c.say, g, c.clock.trimSaid(g), andOf(said)),
			purpose:  "records of " + t.say + " by " + string(g) + t.ofClock(c) + andOf(said),
		}
	}
	i.learn = func(r *grid) { m.noteVolume(t, c, g, r) }
	return i
}

// ofClock names a time that is not the one by which t is told of otherwise.
func (t *table) ofClock(c *column) string {
	if c == t.clock() {
		return ""
	}
	return " of " + c.say
}

// andOf puts figures behind what is asked beside them.
func andOf(said []string) string {
	if len(said) == 0 {
		return ""
	}
	return ", with " + language.And(said)
}

// noteVolume keeps the range of a volume.
func (m *mind) noteVolume(t *table, c *column, g grain, r *grid) {
	if len(r.Columns) < 2 || r.RowCount < 3 {
		return
	}
	s := r.Columns[1]
	if s.Min == nil || s.Max == nil || *s.Min <= 0 || *s.Max < 2**s.Min {
		return
	}
	m.note(14+min(*s.Max / *s.Min, 20)/2, fmt.Sprintf("by %s%s, %s goes from %s to %s", g, t.ofClock(c), t.say, language.Count(int64(*s.Min), "record"), language.Count(int64(*s.Max), "record")))
}

// cycles asks whether times of the year, the week or the day differ.
func (m *mind) cycles(t *table, c *column, base float64) {
	span := c.clock.span()
	for _, k := range []struct {
		part   part
		least  time.Duration
		base   float64
		by     string
		why    string
		column string
	}{
		{monthOf, 700 * day, 78, "month of the year", "to see whether there is a season", "month_of_year"},
		{weekdayOf, 21 * day, 74, "day of the week", "to see whether working days differ from weekends; 1 is Monday", "weekday"},
		{hourOf, 2 * day, 78, "hour of the day", "to see when things happen", "hour_of_day"},
	} {
		x, ok := c.clock.part(m.d, k.part)
		if !ok || span < k.least {
			continue
		}
		list, said, cols := m.measures(t, 2)
		i := &idea{key: keyOf(season, t, c) + k.column, kind: season, of: t, cols: append([]*column{c}, cols...), base: k.base * base}
		i.write = func() asking {
			further, head := []string{as(x, k.column)}, []string{k.column, as("COUNT(*)", "records")}
			if y, ok := c.clock.part(m.d, yearOf); ok && k.part == monthOf {
				further = append(further, as(y, "year_of"))
				head = append(head, as(m.d.round("1.0 * COUNT(*) / COUNT(DISTINCT year_of)", 1), "records_per_year"))
			}
			s, src := m.inner(t, further, []string{c.quoted + " IS NOT NULL"}, cols...)
			out := statement{list: append(head, list...), from: s.nested(m.d, "q"), group: k.column, order: k.column, limit: 60}
			return asking{
				query:    out.write(m.d),
				thinking: fmt.Sprintf("%sRecords of %s by %s%s, %s.", src.note, t.say, k.by, andOf(said), k.why),
				purpose:  "records of " + t.say + " by " + k.by + t.ofClock(c) + andOf(said),
			}
		}
		i.learn = func(r *grid) { m.noteCycle(t, c, k.by, cols, said, r) }
		m.add(i)
	}
}

// noteCycle keeps by how much the parts of a cycle differ.
func (m *mind) noteCycle(t *table, c *column, by string, cols []*column, said []string, r *grid) {
	if t.rows < fewRows {
		return
	}
	whole := len(r.rows) == r.RowCount
	for n, words := range append([]string{"number of records"}, said...) {
		at := n + len(r.Columns) - len(said) - 1
		if n == 0 && at == r.column("records_per_year") {
			words = "number of records a year"
		}
		if n > 0 && cols[n-1].mostlyZero() {
			continue
		}
		if a, b, from, to, ok := r.ends(at); ok && a > 0 && b >= 1.25*a {
			if whole {
				from, to = from+" "+placeOf(by, r.text(r.at(at, a), 0)), to+" "+placeOf(by, r.text(r.at(at, b), 0))
			}
			m.note(30+min(b/a, 10)*2, fmt.Sprintf("the %s of %s by %s%s goes from %s to %s", words, t.say, by, t.ofClock(c), from, to))
		}
	}
}

// placeOf names a place of a cycle: in March, on Monday, at 17:00.
func placeOf(by, s string) string {
	n, err := strconv.Atoi(s)
	switch {
	case err != nil:
		return "in " + s
	case by == "month of the year" && n >= 1 && n <= 12:
		return "in " + time.Month(n).String()
	case by == "day of the week" && n >= 1 && n <= 7:
		return "on " + time.Weekday(n%7).String()
	case by == "hour of the day":
		return fmt.Sprintf("at %02d:00", n)
	default:
		return "in " + s
	}
}

// years compares the years, and says how many months of each there are.
func (m *mind) years(t *table, c *column, base float64) *idea {
	list, said, cols := m.measures(t, 2)
	i := &idea{key: keyOf(years, t, c), kind: years, of: t, cols: append([]*column{c}, cols...), base: base}
	i.write = func() asking {
		y, _ := c.clock.part(m.d, yearOf)
		further := []string{as(y, "year_of")}
		head := []string{"year_of", as("COUNT(*)", "records")}
		why := "."
		if month, ok := c.clock.part(m.d, monthOf); ok {
			further = append(further, as(month, "month_of"))
			head = append(head, as("COUNT(DISTINCT month_of)", "months_seen"))
			why = "; how many months of each were seen says which of them are whole."
		}
		s, src := m.inner(t, further, []string{c.quoted + " IS NOT NULL"}, cols...)
		out := statement{list: append(head, list...), from: s.nested(m.d, "q"), group: "year_of", order: "year_of", limit: 300}
		return asking{
			query:    out.write(m.d),
			thinking: fmt.Sprintf("%sOne year of %s beside the other%s%s", src.note, t.say, andOf(said), why),
			purpose:  "records of " + t.say + " year over year" + t.ofClock(c) + andOf(said),
		}
	}
	return i
}

// series asks for gaps and breaks.
func (m *mind) series(t *table, c *column) {
	k := c.clock
	if _, ok := k.instant(m.d); ok && k.span() >= 14*day {
		m.add(m.gaps(t, c))
	}
	if g := k.grain(); k.span() >= 5*spanOf(g) {
		if m.d.windows {
			m.add(m.jumps(t, c, g))
		}
		for n, f := range t.figures() {
			if n < 3 {
				m.add(m.figureOver(t, c, f, g, 34-6*float64(n)))
			}
		}
	}
}

// spanOf is how long a grain is.
func spanOf(g grain) time.Duration {
	return map[grain]time.Duration{hourly: time.Hour, daily: day, weekly: 7 * day, monthly: 30 * day, yearly: 365 * day}[g]
}

// gaps asks on how many days there are records.
func (m *mind) gaps(t *table, c *column) *idea {
	i := &idea{key: keyOf(gaps, t, c), kind: gaps, of: t, cols: []*column{c}, base: 42}
	i.write = func() asking {
		s, src := m.inner(t, []string{as(c.clock.period(m.d, daily), "day_of")}, []string{c.quoted + " IS NOT NULL"})
		days := statement{list: []string{"day_of", as("COUNT(*)", "records")}, from: s.nested(m.d, "d"), group: "day_of"}
		out := statement{list: []string{
			as("COUNT(*)", "days_with_records"), as("MIN(day_of)", "first_day"), as("MAX(day_of)", "last_day"),
			as("MIN(records)", "fewest_a_day"), as(m.d.avg("records", 1), "average_a_day"), as("MAX(records)", "most_a_day"),
		}, from: days.nested(m.d, "q")}
		return asking{
			query:    out.write(m.d),
			thinking: fmt.Sprintf("%sOn how many days there are records of %s, set against the first and the last day, to find gaps in the series; and how far days differ.", src.note, t.say),
			purpose:  "days with and without records of " + t.say,
		}
	}
	i.learn = func(r *grid) { m.noteGaps(t, r) }
	return i
}

// noteGaps keeps on how many days there are records, if days are missing.
func (m *mind) noteGaps(t *table, r *grid) {
	from, ok := r.time(0, 1)
	to, also := r.time(0, 2)
	if n := r.whole(0, 0); ok && also && n < int64(to.Sub(from)/day)*95/100 {
		m.note(26, fmt.Sprintf("only %s from %s to %s have records of %s", language.Count(n, "day"), from.Format(time.DateOnly), to.Format(time.DateOnly), t.say))
	}
}

// jumps asks between which spans of time the records change most.
func (m *mind) jumps(t *table, c *column, g grain) *idea {
	i := &idea{key: keyOf(jumps, t, c), kind: jumps, of: t, cols: []*column{c}, base: 52}
	i.write = func() asking {
		s, src := m.inner(t, []string{as(c.clock.period(m.d, g), "period")}, append([]string{c.quoted + " IS NOT NULL"}, c.clock.trim(m.d, g)...))
		spans := statement{list: []string{"period", as("COUNT(*)", "records")}, from: s.nested(m.d, "d"), group: "period"}
		pairs := statement{list: []string{"period", "records", as("LAG(records) OVER (ORDER BY period)", "records_before")}, from: spans.nested(m.d, "s")}
		out := statement{
			list:  []string{"period", "records_before", "records", as("records - records_before", "difference"), as(m.d.percent("(records - records_before)", "records_before"), "difference_pct")},
			from:  pairs.nested(m.d, "q"),
			where: []string{"records_before IS NOT NULL"},
			order: with(m.d.absolute, "records - records_before") + " DESC, period", limit: 10,
		}
		return asking{
			query:    out.write(m.d),
			thinking: fmt.Sprintf("%sBetween which %ss the number of records of %s changes most%s: breaks, campaigns, outages or holidays would show here.", src.note, g, t.say, c.clock.trimSaid(g)),
			purpose:  "largest changes of " + t.say + " from one " + string(g) + " to the next",
		}
	}
	i.learn = func(r *grid) {
		if pct, ok := r.number(0, 4); ok && r.RowCount >= 5 && max(pct, -pct) >= 10 {
			m.note(18+min(max(pct, -pct), 300)/20, fmt.Sprintf("the largest change of %s from one %s with records to the next is from %s to %s, at %s", t.say, g, figure(r.text(0, 1)), figure(r.text(0, 2)), dayText(r.text(0, 0))))
		}
	}
	return i
}

// dayText is a time without its time of day when that is midnight.
func dayText(s string) string {
	if at, ok := parseTime(s); ok && at.Truncate(day) == at {
		return at.Format(time.DateOnly)
	}
	return s
}

// figureOver asks how a figure moves: its ends and its middle in each span of time.
func (m *mind) figureOver(t *table, c, f *column, g grain, base float64) *idea {
	i := &idea{key: keyOf(figuresOver, t, c, f), kind: figuresOver, of: t, cols: []*column{c, f}, base: base}
	i.write = func() asking {
		s, src := m.inner(t, []string{as(c.clock.period(m.d, g), "period")}, []string{c.quoted + " IS NOT NULL", f.quoted + " IS NOT NULL"}, f)
		x := m.d.quote(f.alias)
		list := []string{"period", as("COUNT(*)", "records"), as("MIN("+x+")", "lowest"), as(m.d.avg(x, f.digits()), "average"), as("MAX("+x+")", "highest")}
		with := "the lowest, average and highest of"
		if m.quantiles() {
			list = append(list, as(m.d.percentile(x, "0.5", f.digits()), "median"), as(m.d.percentile(x, "0.9", f.digits()), "ninetieth_percentile"))
			with = "the range, average, median and ninetieth percentile of"
		}
		out := statement{list: list, from: s.nested(m.d, "q"), group: "period", order: "period", limit: 2000}
		return asking{
			query:    out.write(m.d),
			thinking: fmt.Sprintf("%sHow %s in %s moves: %s it by %s tell a shift of all from a few extremes.", src.note, f.say, t.say, with, g),
			purpose:  f.say + " in " + t.say + " by " + string(g) + ", from lowest to highest",
		}
	}
	return i
}

// quantiles says whether percentiles can be asked for.
func (m *mind) quantiles() bool {
	return m.d.quantile != "" && (m.failed[spread] == 0 || m.worked[spread])
}
