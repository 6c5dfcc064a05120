package builtin

import (
	"slices"
	"strconv"

	"quaestor/research/warehouse/catalog"
)

// table is a table of the warehouse, and what was learned of it.
type table struct {
	ref, quoted string
	say         string // as people say it
	words       []string
	rows        int64 // as far as known; catalog.UnknownRows if nobody knows
	counted     bool  // by a profile
	cols        []*column
	joins       []join
	weight      float64 // 0.3 to 1.5, of what is asked of it
	place       int     // among all tables
	at          int     // in the catalog

	looked  bool        // it was looked up
	dead    bool        // it cannot be read, or there is nothing in it
	heavy   bool        // a statement took too long, or nearly so
	part    int64       // of a heavy one, the rows that can be read in good time; 0 if it is not known
	pending [][]*column // of profiles that failed, to be asked for apart
	splits  int
	used    int  // how often it was asked
	bare    bool // it has neither times nor figures
	stale   bool // its ideas are to be thought of again
	ideas   []*idea
}

// join is a way to another table by one column.
type join struct {
	from     *column
	to       string // the other table, qualified
	key      string // its column
	declared bool
}

// newTable returns what the catalog says of table i.
func newTable(d *dialect, x *catalog.Index, i int) *table {
	c := x.Table(i)
	t := &table{ref: c.Ref(), quoted: d.quote(c.Name), say: spoken(c.Name), words: wordsOf(c.Name), rows: c.Rows, at: i, stale: true}
	if c.Schema != "" {
		t.quoted = d.quote(c.Schema) + "." + t.quoted
	}
	joins := x.Joins(i)
	for k := range c.Columns {
		of := &c.Columns[k]
		refers := slices.ContainsFunc(joins, func(j catalog.Join) bool { return slices.Contains(j.Columns, of.Name) })
		t.cols = append(t.cols, newColumn(d, of, k, refers, c.Name))
	}
	for _, j := range joins {
		if len(j.Columns) != 1 || len(j.To) != 1 {
			continue
		}
		if from := t.column(j.Columns[0]); from != nil {
			t.joins = append(t.joins, join{from: from, to: j.Table, key: j.To[0], declared: j.Declared})
		}
	}
	t.distinctAliases()
	return t
}

// distinctAliases gives each column an alias of its own.
func (t *table) distinctAliases() {
	taken := map[string]bool{}
	for _, c := range t.cols {
		alias := c.alias
		for n := 2; taken[alias]; n++ {
			alias = c.alias + "_" + strconv.Itoa(n)
		}
		c.alias, taken[alias] = alias, true
	}
}

// column returns the one called name, nil if there is none.
func (t *table) column(name string) *column {
	for _, c := range t.cols {
		if c.name == name {
			return c
		}
	}
	return nil
}

// profiled says whether something is known of t beyond the catalog.
func (t *table) profiled() bool { return t.counted && !t.dead }

// bounds of what is read of a table at once.
const (
	manyRows  = 30_000_000 // beyond these only a part is read
	partRows  = 20_000_000 // of a table with a time
	someRows  = 2_000_000  // of one without
	heavyRows = 200_000    // of one that took too long
	fewRows   = 200        // below these there are no trends
)

// clocks returns the columns that say times, the one that most likely says when a
// row came about first.
func (t *table) clocks() []*column {
	var out []*column
	for _, c := range t.cols {
		if c.clock != nil && !c.spoilt && c.clock.span() > 0 {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b *column) int { return clockRank(b) - clockRank(a) })
	return out
}

// clockRank says how likely a time is that of the row.
func clockRank(c *column) int {
	rank, w := 0, c.words
	switch c.clock.form {
	case asDay, asStamp:
		rank += 4
	case isoText, seconds, millis, micros, yyyymmdd:
		rank += 3
	case yyyymm:
		rank++
	}
	switch {
	case hasWord(w, lateTimes):
		rank -= 5
	case hasWord(w, ownTimes):
		rank += 2
	case len(w) == 1:
		rank++
	}
	return rank
}

// clock returns the main one, nil if there is none.
func (t *table) clock() *column {
	if c := t.clocks(); len(c) > 0 {
		return c[0]
	}
	return nil
}

// figures returns the columns that have figures, the most telling first.
func (t *table) figures() []*column {
	out := t.those((*column).figure)
	slices.SortStableFunc(out, func(a, b *column) int { return figureRank(b) - figureRank(a) })
	return out
}

func figureRank(c *column) int {
	w, rank := c.words, 0
	if hasWord(w, moneyWords) {
		rank += 4
	}
	switch c.role {
	case amount:
		rank += 2
	case level:
		rank += 2
	case ratio:
		rank++
	}
	if c.class == isReal {
		rank++
	}
	if hasWord(w, tellingWords) {
		rank += 3
	}
	if hasWord(w, restWords) {
		rank -= 2
	}
	if c.known && c.zeros*10 > c.filled*9 {
		rank -= 5
	}
	return rank
}

// classes returns the columns that put rows into at most so many classes, the most
// telling first.
func (t *table) classes(most int64) []*column {
	out := t.those(func(c *column) bool { return c.classes(most) })
	slices.SortStableFunc(out, func(a, b *column) int { return t.classRank(b) - t.classRank(a) })
	return out
}

func (t *table) classRank(c *column) int {
	rank, w := 0, c.words
	switch {
	case c.distinct <= 30:
		rank += 4
	case c.distinct <= 200:
		rank += 3
	case c.distinct <= 1000:
		rank++
	}
	if hasWord(w, statusWords) || hasWord(w, geoWords) || hasWord(w, codeWords) {
		rank += 2
	}
	switch c.role {
	case level, amount, calendar:
		rank -= 3
	case flag:
		rank--
	}
	if c.empty() > 0.5 {
		rank -= 3
	}
	return rank
}

// things returns the columns whose values are things that occur time and again:
// customers of orders.
func (t *table) things() []*column {
	return t.those(func(c *column) bool {
		return c.role == identifier && !c.key && !c.spoilt && c.known && c.distinct > 20 && c.repeats() >= 1.3
	})
}

// those returns the columns that f is true of.
func (t *table) those(f func(*column) bool) []*column {
	var out []*column
	for _, c := range t.cols {
		if f(c) {
			out = append(out, c)
		}
	}
	return out
}
