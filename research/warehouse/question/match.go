package question

import (
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/research/warehouse/builtin"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/schema"
)

// likeness is how well two words must meet to be taken for the same: equal words, plurals,
// abbreviations, and one that is at least three quarters of the other.
const likeness = 0.725

// synonymy is how well synonyms meet; see schema.Meets.
const synonymy = 0.6

// meeting remembers how words of a question meet words of names, since names repeat.
type meeting struct {
	words [][]string // by token; nil for one that need not name anything
	known map[string][]float64
	split map[string][]string // words of names
	pairs []string            // by token: it and the one before it as one word; empty if there is none
}

func newMeeting(tokens []token) *meeting {
	m := &meeting{words: make([][]string, len(tokens)), known: map[string][]float64{}, split: map[string][]string{}, pairs: make([]string, len(tokens))}
	for i := range tokens {
		if tokens[i].names() && !tokens[i].quoted {
			m.words[i] = tokens[i].asked
		}
		if i > 0 && m.words[i] != nil && m.words[i-1] != nil {
			m.pairs[i] = tokens[i-1].word + tokens[i].word
		}
	}
	return m
}

// wordsOf returns the words of a name.
func (m *meeting) wordsOf(name string) []string {
	words, ok := m.split[name]
	if !ok {
		words = builtin.Words(name)
		m.split[name] = words
	}
	return words
}

// meets returns how well token i meets the word of a name, 0 for not at all.
func (m *meeting) meets(i int, name string) float64 {
	list, ok := m.known[name]
	if !ok {
		folded := language.Fold(name)
		for i := range m.words {
			if m.words[i] == nil {
				continue
			}
			best := 0.0
			for _, asked := range m.words[i] {
				if v := schema.Meets(asked, folded); v >= likeness || v == synonymy {
					best = max(best, v)
				} else if endsWith(folded, asked) {
					best = max(best, gluedness)
				}
			}
			if best > 0 && list == nil {
				list = make([]float64, len(m.words))
			}
			if best > 0 {
				list[i] = best
			}
		}
		m.known[name] = list
	}
	if list == nil {
		return 0
	}
	return list[i]
}

// candidate is a table, seen through a question.
type candidate struct {
	at      int // in the catalog
	named   float64
	columns float64 // how well its columns meet the other words
	subject int     // the token that names it; -1 for none
}

// prefixes and leftovers are words of tables' names that say nothing of their rows; tables with a
// leftover are copies of others.
var (
	prefixes  = setOf("dim fact fct tbl t d f raw v vw view main public dwh stg staging src")
	leftovers = setOf("archive archived backup bkp bak old tmp temp copy test log logs history hist stg staging raw snapshot deleted deprecated")
)

// thing returns the words for what a row of a table is, and whether the table is a copy.
func thing(name string) (words []string, copied bool) {
	words = builtin.Words(name)
	for len(words) > 1 && prefixes[words[0]] {
		copied = copied || leftovers[words[0]]
		words = words[1:]
	}
	for len(words) > 1 && (leftovers[words[len(words)-1]] || strings.Trim(words[len(words)-1], "0123456789") == "") {
		copied, words = true, words[:len(words)-1]
	}
	return words, copied
}

// tablesFor returns the tables that a question may be about, the best first, and all that are as
// good as the best. It reads every table once.
func tablesFor(x *catalog.Index, tokens []token, m *meeting) []candidate {
	var out []candidate
	for at := range x.Len() {
		if c := seen(x.Table(at), tokens, m); c.named > 0 || c.columns > 0 {
			c.at = at
			out = append(out, c)
		}
	}
	subject := -1 // among several tables that are named, the first is what is asked for
	for _, c := range out {
		if c.named >= leastNamed && (subject < 0 || c.subject < subject) && !divides(tokens, c.subject) {
			subject = c.subject
		}
	}
	for i := range out {
		if out[i].subject > subject && subject >= 0 || divides(tokens, out[i].subject) {
			out[i].named /= 2
		}
	}
	slices.SortStableFunc(out, func(a, b candidate) int {
		switch {
		case a.score() > b.score():
			return -1
		case a.score() < b.score():
			return 1
		}
		return 0
	})
	return out
}

// leastNamed is how much of a table's name a question has to say for the table to be what it is about.
const leastNamed = 0.5

// divides reports whether the figure is divided by what token i names, which then is not what is
// counted: orders per customer.
func divides(tokens []token, i int) bool {
	for k := i - 1; k >= 0; k-- {
		if !tokens[k].is(skip, most, fewest) && tokens[k].number == nil {
			return tokens[k].is(groups) || tokens[k].is(picks) && slices.ContainsFunc(tokens[k:], func(t token) bool { return t.is(most, fewest) })
		}
	}
	return false
}

// score weighs a candidate: what its rows are counts double.
func (c candidate) score() float64 { return 2*c.named + c.columns }

// seen returns how well a table fits the words of a question.
func seen(t *catalog.Table, tokens []token, m *meeting) candidate {
	c := candidate{subject: -1}
	words, copied := thing(t.Name)
	for i := range tokens {
		if m.words[i] == nil {
			continue
		}
		if named := named(words, i, m); named > c.named {
			c.named, c.subject = named, i
		}
	}
	if copied {
		c.named *= 0.8
	}
	for i := range tokens {
		if m.words[i] == nil || i == c.subject {
			continue
		}
		best := 0.0
		for k := range t.Columns {
			if m.met(t.Columns[k].Name, i) {
				best = max(best, coverage(m.wordsOf(t.Columns[k].Name), []int{i}, m))
			}
		}
		for _, row := range t.Samples {
			if slices.ContainsFunc(row, func(cell string) bool { return len(cell) > 1 && language.Fold(cell) == tokens[i].word }) {
				best = max(best, 0.9)
			}
		}
		c.columns += best
	}
	return c
}

// met reports whether token i can meet any word of a name. It is quick, because most names were
// seen before.
func (m *meeting) met(name string, i int) bool {
	for _, w := range m.wordsOf(name) {
		if m.meets(i, w) > 0 {
			return true
		}
	}
	return false
}

// named returns how well token i, with the tokens before it, names what a table's rows are. The
// last word of a name is what it is of: order lines are lines.
func named(words []string, i int, m *meeting) float64 {
	if len(words) == 0 {
		return 0
	}
	last := words[len(words)-1]
	head := m.meets(i, last)
	if pair := m.pairs[i]; head == 0 && pair != "" && len(words) == 1 && schema.Meets(pair, last) == 1 { // bird strikes
		return 1
	}
	if head == 0 {
		return 0
	}
	total := head
	for k, at := len(words)-2, i-1; k >= 0 && at >= 0 && m.words[at] != nil; k, at = k-1, at-1 {
		v := m.meets(at, words[k])
		if v == 0 {
			break
		}
		total += v
	}
	return total / float64(len(words))
}

// weak are words of columns' names that say little beside another.
var weak = setOf("id name code no nr number value val amount total count num of in is has at on date time type key flag minutes min hours seconds days pct percent usd eur")

// coverage returns how much of a column's name some tokens meet, each a different word of it: 1
// for all. Words that say little count half.
func coverage(words []string, at []int, m *meeting) float64 {
	total, met := 0.0, 0.0
	used := make([]bool, len(words))
	for k, w := range words {
		weight := 1.0
		if weak[w] && len(words) > 1 {
			weight = 0.5
		}
		total += weight
		used[k] = false
	}
	for _, i := range at {
		best, which := 0.0, -1
		for k, w := range words {
			if v := m.meets(i, w); !used[k] && v > best {
				best, which = v, k
			}
		}
		if which < 0 {
			return 0
		}
		used[which] = true
		weight := 1.0
		if weak[words[which]] && len(words) > 1 {
			weight = 0.5
		}
		met += weight * best
	}
	if total == 0 {
		return 0
	}
	return met / total
}

// field is a column that a question may name: of the table itself, or of one that it refers to.
type field struct {
	table  *catalog.Table
	column *catalog.Column
	words  []string
	join   int // index in scope.joins; -1 for the table itself
	use    builtin.Use
	sql    string // of a definition, in the place of a column; empty for columns
}

// spoken returns what the field is called in a sentence.
func (f *field) spoken() string {
	if f.sql != "" {
		return f.column.Name
	}
	return builtin.Spoken(f.column.Name)
}

// scope is what a question about one table may name.
type scope struct {
	table  *catalog.Table
	joins  []joined
	fields []field
}

// joined is a table that another one refers to by a key, so that each of its rows meets one row.
type joined struct {
	table  *catalog.Table
	column string // of the table that refers
	to     string
	sure   bool // a key of the catalog says so; otherwise names do, and it is asked for, see [writer.meets]
}

// scopeOf returns the columns of table at and of the tables that it refers to.
func scopeOf(x *catalog.Index, at int) *scope {
	s := &scope{table: x.Table(at)}
	s.add(s.table, -1)
	for _, j := range x.Joins(at) {
		if len(j.Columns) != 1 || len(j.To) != 1 {
			continue
		}
		i, ok, _ := x.Find(j.Table)
		if !ok || i == at {
			continue
		}
		to := x.Table(i)
		k := slices.IndexFunc(to.Columns, func(c catalog.Column) bool { return c.Name == j.To[0] })
		if k >= 0 {
			s.joins = append(s.joins, joined{to, j.Columns[0], j.To[0], j.Declared || to.Columns[k].Key})
			s.add(to, len(s.joins)-1)
		}
	}
	return s
}

// add adds the columns of a table.
func (s *scope) add(t *catalog.Table, join int) {
	common := markOf(t)
	for i := range t.Columns {
		c := &t.Columns[i]
		reference := slices.ContainsFunc(t.Foreign, func(f catalog.Foreign) bool { return slices.Contains(f.Columns, c.Name) })
		words := builtin.Words(c.Name)
		if common != "" {
			words = words[1:]
		}
		s.fields = append(s.fields, field{table: t, column: c, words: words, join: join, use: builtin.UseOf(c, reference, t.Name)})
	}
}

// mention is a column that some tokens name.
type mention struct {
	field *field
	from  int // first token
	to    int // excluded
	fit   float64
}

// mentionsAt returns the columns that the tokens from i on name best, at most maxRun tokens, and
// all that fit equally well.
func (s *scope) mentionsAt(i int, tokens []token, m *meeting) []mention {
	var best []mention
	for n := 3; n > 0; n-- {
		if i+n > len(tokens) {
			continue
		}
		at := make([]int, n)
		for k := range at {
			at[k] = i + k
		}
		if slices.ContainsFunc(at, func(k int) bool { return m.words[k] == nil || tokens[k].read }) {
			continue
		}
		for f := range s.fields {
			if fit := s.fit(&s.fields[f], at, m); fit >= leastFit {
				best = append(best, mention{&s.fields[f], i, i + n, fit})
			}
		}
		if len(best) > 0 {
			break
		}
	}
	top := 0.0
	for _, b := range best {
		top = max(top, b.fit)
	}
	return slices.DeleteFunc(best, func(b mention) bool { return b.fit < top-0.01 })
}

// leastFit is how much of a column's name has to be met; joinedFit is what a column of another
// table loses, unless the question names that table as well.
const (
	leastFit  = 0.45
	joinedFit = 0.15
)

// fit returns how well tokens name a column.
func (s *scope) fit(f *field, at []int, m *meeting) float64 {
	if f.join < 0 {
		return coverage(f.words, at, m)
	}
	words, _ := thing(f.table.Name)
	if len(at) > 1 && m.meets(at[0], words[len(words)-1]) > 0 {
		return coverage(f.words, at[1:], m)
	}
	return coverage(f.words, at, m) - joinedFit
}
