package question

import (
	"slices"
	"strings"
	"time"

	"quaestor/internal/language"
	"quaestor/research/warehouse/builtin"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/metrics"
	"quaestor/research/warehouse/schema"
)

// Text is a question in words.
type Text struct {
	Words    string
	Language string    // a BCP 47 tag; decides how figures and dates are read where languages differ
	Now      time.Time // the day of the question
	Names    []string  // what the warehouse is called, which is no word of the question

	Defined  []metrics.Definition // what the organisation has defined over the warehouse
	Verified []metrics.Example    // questions about it whose queries somebody has verified
}

// reader reads one question.
type reader struct {
	Text
	index  *catalog.Index
	tokens []token
	m      *meeting
	out    *Reading
	spent  map[int]bool // tokens that need no further reading
}

// Read returns how a question is understood over a catalog, or why it is not. It is pure, and takes
// time proportional to the columns of the catalog. A metric that the question names is what is
// computed; one whose name is that of its table only if nothing else is computed of the table.
func Read(q Text, x *catalog.Index) (*Reading, *Unclear) {
	clause := oneWord(clauseOf(q.Words, q.Names...))
	for named := metrics.Find(q.Defined, clause); ; {
		out, u := readNamed(q, x, clause, named)
		rest := withoutTables(named)
		if u == nil || u.Why != Beside || len(rest) == len(named) {
			return out, u
		}
		named = rest // the orders of "average amount of orders" are rows, and no metric
	}
}

// read reads a question whose clause names some definitions. The token at turned is a name, whatever
// else it may be; see [readNamed].
func read(q Text, x *catalog.Index, clause string, named []metrics.Match, turned int) (*Reading, *Unclear) {
	r := &reader{Text: q, index: x, out: &Reading{}, spent: map[int]bool{}}
	if u := r.definitions(clause, named); u != nil {
		return nil, u
	}
	if turned != noToken {
		r.turn(turned)
	}
	r.tokens = topBy(glue(r.tokens, x))
	if u := r.measure(); u != nil {
		return nil, u
	}
	r.m = newMeeting(r.tokens)
	for _, step := range []func() *Unclear{r.table, r.period, r.columns, r.recurring, r.group, r.figure, r.rest, r.ofRatio} {
		if u := step(); u != nil {
			return nil, u
		}
	}
	return r.out, nil
}

// measure finds what is to be computed. Counting wins over a total: "the total number of orders".
func (r *reader) measure() *Unclear {
	var found []Measure
	for i := range r.tokens {
		t := &r.tokens[i]
		if t.is(beyond) {
			return &Unclear{Why: TooMuch, Word: t.text}
		}
		switch m := Measure(t.sign); m {
		case Count, Sum, Average, Highest, Lowest, Share:
			if !slices.Contains(found, m) {
				found = append(found, m)
			}
		}
		r.out.Distinct = r.out.Distinct || t.is(different)
		if Measure(t.was) == Sum && r.has(picks) && !slices.Contains(found, Sum) { // which customers have the highest total
			found = append(found, Sum)
		}
	}
	if slices.Contains(found, Count) {
		found = slices.DeleteFunc(found, func(m Measure) bool { return m == Sum })
	}
	if slices.Contains(found, Sum) || slices.Contains(found, Average) || r.out.metric != nil { // the highest total of a group
		if i := slices.IndexFunc(found, func(m Measure) bool { return m == Highest || m == Lowest }); i >= 0 && r.has(picks) {
			for k := range r.tokens {
				if Measure(r.tokens[k].sign) == found[i] {
					r.tokens[k].sign = map[Measure]sign{Highest: most, Lowest: fewest}[found[i]]
				}
			}
			found = slices.Delete(found, i, i+1)
		}
	}
	switch {
	case r.out.metric != nil:
		return r.beside()
	case len(found) > 1:
		return &Unclear{Why: TooMuch, Word: string(found[1])}
	case len(found) == 1:
		r.out.Measure = found[0]
	case !r.has(asks, picks, most, fewest) && !slices.ContainsFunc(r.tokens, func(t token) bool { return t.names() }):
		return &Unclear{Why: NoMeasure}
	}
	return nil
}

// has reports whether a token has one of some signs.
func (r *reader) has(signs ...sign) bool {
	return slices.ContainsFunc(r.tokens, func(t token) bool { return t.is(signs...) })
}

// maxClosest is how many names are given that come closest.
const maxClosest = 3

// table chooses the table that the question is about.
func (r *reader) table() *Unclear {
	if r.out.metric != nil {
		return r.metricTable()
	}
	list := tablesFor(r.index, r.tokens, r.m)
	if len(list) == 0 {
		return &Unclear{Why: NoTable, Word: r.subjectOr()}
	}
	best := list[0]
	rivals := slices.DeleteFunc(slices.Clone(list), func(c candidate) bool { return c.score() <= best.score()-0.05 })
	if rivals = r.reaching(rivals); len(rivals) > 1 {
		return &Unclear{Why: ManyTables, Word: r.subject(best), Closest: r.refs(rivals)}
	}
	best = r.withFigure(rivals[0], list)
	if best.named < leastNamed && best.columns < 0.9*leastFit {
		return &Unclear{Why: NoTable, Word: r.subjectOr(), Closest: r.refs(list)}
	}
	r.out.scope, r.out.fit = scopeOf(r.index, best.at), best.score()
	if best.named >= leastNamed {
		r.readTable(best)
	}
	return nil
}

// maxRivals is how many tables that fit equally well are looked at further.
const maxRivals = 8

// reaching leaves those of several tables from which most of what is named can be reached, in their own columns and in
// those of the tables that they refer to: a total by region is of orders, whose customers have a region.
func (r *reader) reaching(rivals []candidate) []candidate {
	if len(rivals) < 2 || len(rivals) > maxRivals {
		return rivals
	}
	best, out := -1, rivals
	for _, c := range rivals {
		s, n := scopeOf(r.index, c.at), 0
		for i := range r.tokens {
			if i != c.subject && len(s.mentionsAt(i, r.tokens, r.m)) > 0 {
				n++
			}
		}
		if n > best {
			best, out = n, nil
		}
		if n == best {
			out = append(out, c)
		}
	}
	return out
}

// withFigure returns the table that has the figure which is asked for and refers to the one that is named, if that has no
// such figure itself: the average total of customers is of their orders.
func (r *reader) withFigure(best candidate, list []candidate) candidate {
	has := func(s *scope) bool {
		for i := range r.tokens {
			if slices.ContainsFunc(s.mentionsAt(i, r.tokens, r.m), func(b mention) bool { return b.field.join < 0 && b.field.numeric() }) {
				return true
			}
		}
		return false
	}
	if r.out.Measure == "" || !r.figured() || has(scopeOf(r.index, best.at)) {
		return best
	}
	var out []candidate
	for _, c := range list[:min(len(list), maxRivals)] {
		s := scopeOf(r.index, c.at)
		if has(s) && slices.ContainsFunc(s.joins, func(j joined) bool { return j.table == r.index.Table(best.at) }) {
			out = append(out, c)
		}
	}
	if len(out) != 1 {
		return best
	}
	return out[0]
}

// readTable marks the tokens that name the table, and those that name tables it refers to.
func (r *reader) readTable(c candidate) {
	words, _ := thing(r.out.scope.table.Name)
	for i, k := c.subject, len(words)-1; i >= 0 && k >= 0 && r.m.words[i] != nil && r.m.meets(i, words[k]) > 0; i, k = i-1, k-1 {
		r.tokens[i].read = true
	}
	if r.m.pairs[c.subject] != "" && len(words) == 1 && schema.Meets(r.m.pairs[c.subject], words[0]) == 1 {
		r.tokens[c.subject-1].read, r.tokens[c.subject].read = true, true
	}
	for i := range r.tokens { // said again
		if r.m.words[i] != nil && !r.tokens[i].read && len(words) == 1 && r.m.meets(i, words[0]) >= likeness {
			r.tokens[i].read = true
		}
	}
}

// subject returns the word that names a candidate.
func (r *reader) subject(c candidate) string {
	if c.subject < 0 {
		return r.subjectOr()
	}
	return r.tokens[c.subject].text
}

// unread returns the first word that names nothing yet.
func (r *reader) unread() string {
	for i := range r.tokens {
		if r.tokens[i].names() && !r.tokens[i].read {
			return r.tokens[i].text
		}
	}
	return ""
}

// refs returns the names of the best candidates.
func (r *reader) refs(list []candidate) []string {
	var out []string
	for _, c := range list[:min(len(list), maxClosest)] {
		out = append(out, r.index.Table(c.at).Ref())
	}
	return out
}

// columns reads which columns are named, and what for: as a condition, to divide by, as the time,
// or to compute of.
func (r *reader) columns() *Unclear {
	for i := 0; i < len(r.tokens); i++ {
		t := &r.tokens[i]
		if !t.names() || t.read || t.quoted {
			continue
		}
		list := r.out.scope.mentionsAt(i, r.tokens, r.m)
		list = r.fitting(i, list)
		if len(list) == 0 {
			continue
		}
		if len(list) > 1 {
			return &Unclear{Why: ManyColumns, Word: t.text, Closest: columnsOf(list)}
		}
		if u := r.use(list[0]); u != nil {
			return u
		}
		i = list[0].to - 1
	}
	return nil
}

// fitting leaves those of several columns that can be meant where they stand: by or which divides by
// classes, and a figure is computed of numbers.
func (r *reader) fitting(i int, list []mention) []mention {
	if len(list) < 2 {
		return list
	}
	groups := r.before(i, groups, picks)
	out := slices.DeleteFunc(slices.Clone(list), func(b mention) bool {
		if b.to < len(r.tokens) && r.tokens[b.to].quoted { // the value that stands in it is a text
			return !builtin.IsText(b.field.column.Type)
		}
		if groups {
			return b.field.use != builtin.UseClass && b.field.use != builtin.UseFlag && b.field.use != builtin.UseIdentifier
		}
		return r.figured() && r.out.Column == nil && !b.field.numeric()
	})
	if len(out) == 0 {
		return list
	}
	return out
}

// figured reports whether the measure needs a column.
func (r *reader) figured() bool {
	switch r.out.Measure {
	case Sum, Average, Highest, Lowest, "":
		return true
	}
	return false
}

// columnsOf returns the names of columns.
func columnsOf(list []mention) []string {
	var out []string
	for _, b := range list[:min(len(list), maxClosest)] {
		out = append(out, b.field.table.Ref()+"."+b.field.column.Name)
	}
	return out
}

// before reports whether a sign stands before token i, with nothing but words that say nothing and
// numbers between.
func (r *reader) before(i int, signs ...sign) bool { return r.signBefore(i, signs...) >= 0 }

// signBefore returns the token that has one of the signs before token i, or -1.
func (r *reader) signBefore(i int, signs ...sign) int {
	for k := i - 1; k >= 0; k-- {
		switch t := &r.tokens[k]; {
		case t.is(signs...):
			return k
		case t.is(skip, most, fewest, different, sign(Average), sign(Sum)) || t.number != nil:
		default:
			return -1
		}
	}
	return -1
}

// use decides what a column that is named is for.
func (r *reader) use(b mention) *Unclear {
	f := b.field
	if r.out.metric != nil && f.join >= 0 {
		return r.out.metric.unclear(Outside, r.tokens[b.from].text)
	}
	state := b.to == b.from+1 && states[r.tokens[b.from].word]
	mark := func() {
		for k := b.from; k < b.to; k++ {
			r.tokens[k].read = true
		}
	}
	if op, k := r.comparison(b); op != "" && builtin.IsNumber(f.column.Type) {
		mark()
		r.spent[k] = true
		r.out.Filters = append(r.out.Filters, Filter{field: f, op: op, number: *r.tokens[k].number})
		return nil
	}
	negated := r.signBefore(b.from, not)
	switch {
	case r.out.Group == nil && (r.before(b.from, groups, picks) || r.germanBy(b.from)):
		if r.out.scope.weekdayNumbers(f) {
			return nil // it is told by the time; see [reader.group]
		}
		if f.use == builtin.UseText || f.use == builtin.UseNothing {
			return &Unclear{Why: NoColumn, Word: r.tokens[b.from].text}
		}
		r.out.Group = &Group{field: f}
	case f.use == builtin.UseFlag:
		r.out.Filters = append(r.out.Filters, Filter{field: f, op: with, not: negated >= 0 || r.before(b.from, without)})
		r.spend(negated)
	case f.use == builtin.UseTime || f.use == builtin.UseCoded && r.out.Clock == nil && !f.numeric():
		if r.out.Clock == nil || r.out.Clock != f {
			r.out.Clock = f
		}
	case f.numeric() && (state || r.before(b.from, with, without)):
		r.out.Filters = append(r.out.Filters, Filter{field: f, op: with, not: negated >= 0 || r.before(b.from, without)})
		r.spend(negated)
	case f.numeric() && r.figured() && r.out.Column == nil:
		r.out.Column = f
	case r.out.Measure == Count && r.out.Column == nil && (r.out.Distinct || f.use == builtin.UseIdentifier && !r.named()):
		r.out.Column, r.out.Distinct = f, true
	case r.out.metric != nil && f.numeric():
		return r.out.metric.unclear(Beside, r.tokens[b.from].text)
	case r.before(b.from, with, without) && f.use != builtin.UseIdentifier:
		r.out.Filters = append(r.out.Filters, Filter{field: f, op: with, not: r.before(b.from, without)})
	default:
		return nil // perhaps it is a value, or says in which column the next one stands
	}
	mark()
	return nil
}

// germanBy reports whether "nach" stands before token i, which divides before a column and says
// where to before a value.
func (r *reader) germanBy(i int) bool {
	k := r.signBefore(i, to)
	return k >= 0 && r.tokens[k].word == "nach"
}

// named reports whether the question names its table.
func (r *reader) named() bool {
	return slices.ContainsFunc(r.tokens, func(t token) bool { return t.names() && t.read })
}

// spend marks a token as read; -1 is none.
func (r *reader) spend(i int) {
	if i >= 0 {
		r.spent[i] = true
	}
}

// comparison returns how a column is compared with a number: "a delay of more than 60", "more than
// 60 minutes of delay", "delay over 60". It returns the token of the number.
func (r *reader) comparison(b mention) (sign, int) {
	compare := []sign{above, atLeast, below, atMost}
	for k := b.to; k < len(r.tokens); k++ { // behind it
		t := &r.tokens[k]
		if t.is(compare...) && k+1 < len(r.tokens) && r.tokens[k+1].number != nil && !r.spent[k+1] {
			return t.sign, k + 1
		}
		if !t.is(skip, with) && !isUnit(t.word) {
			break
		}
	}
	for k := b.from - 1; k > 0; k-- { // before it
		t := &r.tokens[k]
		if t.number != nil && r.tokens[k-1].is(compare...) && !r.spent[k] {
			return r.tokens[k-1].sign, k
		}
		if !t.is(skip) && !isUnit(t.word) {
			break
		}
	}
	return "", 0
}

// units are words behind a number that need not name anything beside the column.
var units = setOf("minute minutes min mins hour hours day days second seconds euro euros eur dollar dollars usd percent km kilometers kilometres mile miles minuten stunden tage sekunden prozent kilometer meilen grad degrees kg gram grams pounds")

func isUnit(word string) bool { return units[word] }

// group reads by what figures are divided: a span of time, and how many groups are asked for.
func (r *reader) group() *Unclear {
	for i := range r.tokens {
		t := &r.tokens[i]
		span := spans[t.word]
		if (t.names() || t.is(skip)) && !t.read && span != "" && (r.before(i, groups, picks) || strings.HasSuffix(t.word, "ly") || r.germanBy(i)) {
			if r.out.Group != nil {
				return &Unclear{Why: TooMuch, Word: t.text}
			}
			t.read = true
			r.out.Group = &Group{span: span}
		}
	}
	if r.out.Group == nil {
		if r.has(picks, groups) && !r.has(asks) && r.out.Measure != Share {
			for i := range r.tokens {
				if r.tokens[i].names() && !r.tokens[i].read && r.before(i, groups, picks) {
					return &Unclear{Why: NoColumn, Word: r.tokens[i].text, Closest: classesOf(r.out.scope)}
				}
			}
		}
		return nil
	}
	r.out.Group.Fewest = r.has(fewest) || r.out.Measure == Lowest && r.has(picks)
	for i := range r.tokens {
		if t := &r.tokens[i]; t.number != nil && i > 0 && r.tokens[i-1].is(most, fewest) && *t.number >= 1 && *t.number <= mostGroups {
			r.out.Group.N = int(*t.number)
			r.spent[i] = true
		}
	}
	s := r.out.Group.span
	if s != "" && r.out.Clock == nil || cyclic(s) && partOf(r.out.Clock) != "" {
		r.out.Clock = nil
		if u := r.clock(s); u != nil {
			return u
		}
	}
	if s == byHour {
		r.hourly()
	}
	return nil
}

// mostGroups is how many groups are told at most, and usualGroups how many if none are asked for.
const (
	mostGroups  = 10
	usualGroups = 5
)

// classesOf returns the columns that put rows of a table into classes.
func classesOf(s *scope) []string {
	var out []string
	for _, f := range s.fields {
		if f.join < 0 && f.use == builtin.UseClass && len(out) < maxClosest {
			out = append(out, f.table.Ref()+"."+f.column.Name)
		}
	}
	return out
}

// figure completes the measure: rows are counted unless a column is computed of.
func (r *reader) figure() *Unclear {
	o := r.out
	if o.metric != nil {
		return r.extreme()
	}
	if o.Measure == "" {
		switch {
		case o.Column != nil && o.Column.use == builtin.UseAmount:
			o.Measure = Sum
		case o.Column != nil:
			o.Measure = Average
		case o.Group != nil && r.has(most, fewest), r.rowsDivided():
			o.Measure = Count
		default:
			return &Unclear{Why: NoMeasure, Word: r.subjectOr(), Closest: figuresOf(o.scope)}
		}
	}
	switch o.Measure {
	case Sum, Average, Highest, Lowest:
		if o.Column == nil {
			return &Unclear{Why: NoColumn, Word: r.subjectOr(), Closest: figuresOf(o.scope)}
		}
		if o.Measure == Sum && o.Column.use == builtin.UseRatio {
			return &Unclear{Why: NotAdditive, Word: o.Column.column.Name}
		}
	case Count:
		if !r.named() && o.Column == nil {
			return &Unclear{Why: NoTable, Word: r.subjectOr(), Closest: []string{o.scope.table.Ref()}}
		}
	}
	return nil
}

// figuresOf returns the columns of a table that figures can be computed of.
func figuresOf(s *scope) []string {
	var out []string
	for i := range s.fields {
		if f := &s.fields[i]; f.join < 0 && f.numeric() && len(out) < maxClosest {
			out = append(out, f.table.Ref()+"."+f.column.Name)
		}
	}
	return out
}

// rest looks at what names nothing yet: values to look up. Two figures, or a number that is compared
// with nothing, are more than can be read.
func (r *reader) rest() *Unclear {
	o := r.out
	for i := 0; i < len(r.tokens); i++ {
		t := &r.tokens[i]
		switch {
		case t.number != nil && !r.spent[i] && !r.loneOne(i):
			return &Unclear{Why: NoColumn, Word: t.text, Closest: figuresOf(o.scope)}
		case t.is(not) && !r.spent[i] && !r.negatesValue(i):
			return &Unclear{Why: TooMuch, Word: t.text}
		}
		if !t.names() || t.read || isUnit(t.word) && i > 0 && r.tokens[i-1].number != nil || r.isJoin(i) || verbs[t.word] && o.Measure == Count {
			continue
		}
		end := i + 1
		for end < len(r.tokens) && !t.quoted && r.tokens[end].names() && !r.tokens[end].read && !r.tokens[end].quoted {
			end++
		}
		if end == i+1 && end < len(r.tokens) && r.tokens[end].quoted && len(o.scope.mentionsAt(i, r.tokens, r.m)) > 0 {
			end++ // the column that the value stands in
		}
		if u := r.elsewhere(i, end); u != nil {
			return u
		}
		l := r.lookup(i, end)
		if len(l.fields) == 0 && l.whole {
			i = end - 1
			continue
		}
		if len(l.fields) == 0 {
			return &Unclear{Why: NoSuchValue, Word: l.Text, Closest: classesOf(o.scope)}
		}
		o.Lookups = append(o.Lookups, l)
		i = end - 1
	}
	if len(o.Lookups) > maxLookups {
		return &Unclear{Why: TooMuch, Word: o.Lookups[maxLookups].Text}
	}
	if o.Measure == Share && len(o.Filters)+len(o.Lookups) == 0 && o.Recurring.Zero() {
		return &Unclear{Why: NoColumn, Word: r.subjectOr(), Closest: classesOf(o.scope)}
	}
	return nil
}

// maxLookups is how many words of a question may be values.
const maxLookups = 3

// loneOne reports whether a number is part of a phrase such as "one of".
func (r *reader) loneOne(i int) bool {
	return *r.tokens[i].number == 1 && !strings.ContainsAny(r.tokens[i].text, "0123456789")
}

// negatesValue reports whether the token behind a "not" is one that is looked up.
func (r *reader) negatesValue(i int) bool {
	for k := i + 1; k < len(r.tokens); k++ {
		if t := &r.tokens[k]; t.names() {
			return !t.read
		} else if !t.is(skip, from, to) {
			return false
		}
	}
	return false
}

// isJoin reports whether token i names a table that the question's table refers to.
func (r *reader) isJoin(i int) bool {
	if r.m.words[i] == nil {
		return false
	}
	for _, j := range r.out.scope.joins {
		words, _ := thing(j.table.Name)
		if named(words, i, r.m) >= 0.5 {
			return true
		}
	}
	return false
}

// lookup returns the words from one token to another as a value. If the first of them names a column,
// the value stands in that: "status open".
func (r *reader) lookup(first, end int) Lookup {
	l := Lookup{not: r.before(first, not, without), whole: !r.before(first, not, without) && r.whole(first, end)}
	only := r.out.scope.mentionsAt(first, r.tokens, r.m)
	if len(only) > 0 && only[0].to < end {
		first = only[0].to
	} else {
		only = nil
	}
	parts := make([]string, 0, end-first)
	for k := first; k < end; k++ {
		parts = append(parts, r.tokens[k].text)
	}
	l.Text = strings.Join(parts, " ")
	for _, s := range []sign{from, to} {
		if r.before(first, s) {
			l.hint = s
		}
	}
	for i := range r.out.scope.fields {
		f := &r.out.scope.fields[i]
		if len(only) > 0 && !slices.ContainsFunc(only, func(b mention) bool { return b.field == f }) {
			continue
		}
		if builtin.IsText(f.column.Type) && (f.use == builtin.UseClass || f.use == builtin.UseIdentifier || len(only) > 0 && f.use != builtin.UseText) && len(l.fields) < maxLookedUp {
			l.fields = append(l.fields, f)
		}
	}
	return l
}

// owners are words for whoever the data are of, and of what keeps them.
var owners = setOf("company business firm firma shop store organisation organization enterprise unternehmen geschaeft laden betrieb webshop warehouse database data db dwh system systems datenbank daten systeme")

// whole reports whether the words from one token to another say whose the data are, as in "our shop", or where they
// are: in the warehouse of that name.
func (r *reader) whole(first, end int) bool {
	var said []string
	for i := first; i < end; i++ {
		said = append(said, r.tokens[i].word)
	}
	own := false
	for i := first - 1; i >= 0 && r.tokens[i].is(skip, from, to); i-- {
		own = own || slices.ContainsFunc(strings.Fields(r.tokens[i].word), func(w string) bool { return ours[w] })
	}
	for _, n := range r.Names {
		words := strings.Fields(language.Fold(n))
		rest := slices.DeleteFunc(slices.Clone(said), func(w string) bool { return slices.Contains(words, w) })
		if all := len(said)-len(rest) >= len(words); (own || all) && !slices.ContainsFunc(rest, func(w string) bool { return !owners[w] }) {
			return true
		}
	}
	return own && !slices.ContainsFunc(said, func(w string) bool { return !owners[w] })
}

// ours are words for what belongs to whoever asks.
var ours = setOf("our ours my unser unsere unserer unserem unseren unseres mein meine")

// maxLookedUp is how many columns are asked for a value.
const maxLookedUp = 24

// verifiedFit is how well a catalog fits a question that somebody has verified over it: better than
// any that the question only names.
const verifiedFit = 10

// fit returns how well the tables of a catalog fit a question, and whether it can be read there.
func fit(q Text, x *catalog.Index, name string) (float64, bool) {
	q.Names = append(slices.Clone(q.Names), name)
	if verified(q) != nil {
		return verifiedFit, true
	}
	out, unclear := Read(q, x)
	if unclear == nil {
		return out.fit, true
	}
	if unclear.Metric != "" {
		return metricFit, false
	}
	r := &reader{Text: q, index: x}
	r.tokens = tokensOf(clauseOf(q.Words, q.Names...), q.Language, q.Now)
	list := tablesFor(x, r.tokens, newMeeting(r.tokens))
	if len(list) == 0 {
		return 0, false
	}
	return list[0].score(), false
}
