package claims

import (
	"math"
	"strings"
)

// figure is a number in a passage, with what stands around it.
type figure struct {
	Figure
	from, to  int     // tokens, to excluded, with unit
	literal   string  // digits as written
	ambiguous bool    // see [numeral]
	coarse    float64 // see [numeral]
	bound     byte    // '<' at most, '>' at least, 0 neither
	move      int     // +1 "grew 12 %", -1 "fell by 12 %", 0 a level
	role      byte    // 'f' "from 12", 't' "to 15", 0 neither
	low, high bool    // an end of a range
	ordinal   bool    // "3rd"
	side      byte    // of its date, see [date]
}

// readFigures notes the numbers of p, in order, with unit, bounds and date.
func (p *passage) readFigures() {
	for i := 0; i < len(p.toks); {
		f, ok := p.figureAt(i)
		if !ok {
			i++
			continue
		}
		for j := f.from; j < f.to; j++ {
			p.taken[j] = p.taken[j] || p.measures(j)
		}
		p.figures = append(p.figures, f)
		i = f.to
	}
	for i := range p.figures {
		p.pair(i)
		p.surround(&p.figures[i])
	}
	for i := range p.figures {
		p.dateOf(&p.figures[i])
	}
}

// measures reports whether token i is part of a number or a measured unit, not
// a word of its own as "active users" are.
func (p *passage) measures(i int) bool {
	w := p.text(i)
	_, small := smallNumbers[w]
	return p.class(i) != word || small || scales[w] > 0 || unitWords[w] != "" || currencyCodes[p.raw(i)] != "" || ordinalEnd[w] || unitParts[w]
}

var unitParts = set("cent point points basis percentage")

// figureAt reads a number and its unit at token i.
func (p *passage) figureAt(i int) (figure, bool) {
	if p.taken[i] || p.class(i) == sign || p.class(i) == word && p.fraction(i) {
		return figure{}, false
	}
	n, ok := p.numeralAt(i)
	if !ok {
		return figure{}, false
	}
	f := figure{from: i, to: n.next, literal: p.text(i), ambiguous: n.ambiguous, coarse: n.coarse}
	f.Value = n.value
	if p.class(i) == number && ordinalEnd[p.text(n.next)] && p.glued(n.next) {
		f.ordinal, f.Unit, f.to = true, "th", n.next+1
	} else {
		p.unitOf(&f)
	}
	if p.is(f.from-1, "-") && (f.from == 1 || !p.glued(f.from-1)) && p.glued(f.from) {
		f.Value, f.from = -f.Value, f.from-1
	}
	f.Words = strings.TrimSpace(p.src[p.toks[f.from].from:p.toks[f.to-1].to])
	return f, true
}

// fraction reports whether the word at i counts nothing: "one" as a pronoun.
func (p *passage) fraction(i int) bool {
	return p.is(i, "one") && (p.is(i+1, "of") || stopwords[p.text(i-1)] && p.is(i-1, "this"))
}

// unitOf reads the currency before f or the unit after it.
func (p *passage) unitOf(f *figure) {
	if c := p.currencyBefore(f.from); c != "" {
		back := 1
		if dollars[p.text(f.from-2)] != "" && p.is(f.from-1, "$") && p.glued(f.from-1) {
			back = 2
		}
		f.from -= back
		f.Unit, f.to = p.rates(c, f.to)
		return
	}
	if p.is(f.to, "+") && p.glued(f.to) {
		f.bound, f.to = '>', f.to+1
	}
	f.Unit, f.to = p.unitAfter(f.to)
}

// pair reads figures i and i+1 as the ends of a range: "10–15 %", "between 10
// and 15 million". The unit and the scale of the upper end hold for both.
func (p *passage) pair(i int) {
	if i+1 >= len(p.figures) {
		return
	}
	a, b := &p.figures[i], &p.figures[i+1]
	gap := b.from - a.to
	dash := p.is(a.to, "-") && gap == 1 && p.glued(a.to) == p.glued(b.from)
	if b.Value < 0 && gap == 0 && p.glued(b.from) { // "10-15": the dash was read as a minus
		b.Value, b.from, dash = -b.Value, b.from+1, true
	}
	between := p.is(a.to, "and") && p.leads(a.from, "between")
	to := p.is(a.to, "to")
	if !dash && !(gap == 1 && (between || to)) || a.ordinal || b.ordinal {
		return
	}
	if a.Unit == "" || b.Unit == "" {
		if s := b.Value / significand(b.Value); s > 1 && a.Value < significand(b.Value) && p.scaledIn(b) && !p.scaledIn(a) {
			a.Value, a.coarse = a.Value*s, a.coarse*s
		}
		if a.Unit == "" {
			a.Unit = b.Unit
		} else if currencySigns[p.text(a.from)] != "" || !physical(a.Unit) {
			b.Unit = a.Unit
		}
	}
	if a.Unit == b.Unit && a.Value < b.Value && !(to && p.moved(a.from)) {
		a.low, b.high = true, true
	}
}

// moved reports whether what stands before token i grew or fell "from" it, so
// that "to" is no range.
func (p *passage) moved(i int) bool {
	for j := i - 1; j >= 0 && j >= i-5; j-- {
		if p.axis(j).name == "direction" {
			return true
		}
	}
	return false
}

// leads reports whether w stands up to three tokens before token i.
func (p *passage) leads(i int, w string) bool {
	return p.is(i-1, w) || p.is(i-2, w) || p.is(i-3, w)
}

func (p *passage) scaledIn(f *figure) bool {
	for j := f.from; j < f.to; j++ {
		if p.class(j) == word && scales[p.text(j)] >= 1e3 {
			return true
		}
	}
	return false
}

// significand is v without its thousands: 15 of 15,000,000.
func significand(v float64) float64 {
	for math.Abs(v) >= 1000 {
		v /= 1000
	}
	return v
}

// surround notes bounds, approximations, movement and role of f.
func (p *passage) surround(f *figure) {
	i := f.from
	for range 4 {
		back, kind := p.qualifier(i, f)
		if back == 0 {
			break
		}
		switch kind {
		case '~':
			f.Approximate = true
		case '<', '>':
			f.bound = byte(kind)
		}
		for j := i - back; j < i; j++ {
			p.taken[j] = p.taken[j] || stopwords[p.text(j)] || kind != 0
		}
		i -= back
	}
	p.after(f)
	switch {
	case p.is(i-1, "to") && !f.high:
		f.role = 't'
	case p.is(i-1, "from") && !f.low:
		f.role = 'f'
	}
	f.move = p.moveOf(f, i)
}

// bounds before a figure, longest first.
var boundsBefore = []struct {
	words string
	kind  rune
}{
	{"no more than", '<'}, {"not more than", '<'}, {"no less than", '>'}, {"no fewer than", '>'}, {"not less than", '>'}, {"not fewer than", '>'}, {"a maximum of", '<'}, {"a minimum of", '>'}, {"as many as", '<'}, {"as much as", '<'},
	{"more than", '>'}, {"greater than", '>'}, {"larger than", '>'}, {"higher than", '>'}, {"longer than", '>'}, {"less than", '<'}, {"fewer than", '<'}, {"lower than", '<'}, {"smaller than", '<'}, {"shorter than", '<'},
	{"at least", '>'}, {"at most", '<'}, {"up to", '<'}, {"upwards of", '>'}, {"north of", '>'}, {"south of", '<'}, {"well over", '>'}, {"just over", '>'}, {"just under", '<'}, {"capped at", '<'}, {"starting at", '>'}, {"starts at", '>'}, {"start at", '>'}, {"maximum of", '<'}, {"minimum of", '>'},
	{"over", '>'}, {"above", '>'}, {"exceeding", '>'}, {"exceeds", '>'}, {"exceed", '>'}, {"exceeded", '>'}, {"under", '<'}, {"below", '<'}, {"within", '<'}, {"maximum", '<'}, {"minimum", '>'}, {"> =", '>'}, {"< =", '<'}, {"≥", '>'}, {"≤", '<'}, {">", '>'}, {"<", '<'},
	{"about", '~'}, {"around", '~'}, {"approximately", '~'}, {"approx .", '~'}, {"approx", '~'}, {"roughly", '~'}, {"nearly", '~'}, {"almost", '~'}, {"circa", '~'}, {"ca .", '~'}, {"some", '~'}, {"an estimated", '~'}, {"estimated", '~'}, {"~", '~'}, {"close to", '~'},
	{"+", '+'}, {"a total of", 0}, {"a record", 0}, {"a further", 0},
}

// qualifier reads what stands right before token i; back is its length in
// tokens, 0 for none.
func (p *passage) qualifier(i int, f *figure) (back int, kind rune) {
	for _, b := range boundsBefore {
		n := strings.Count(b.words, " ") + 1
		if i-n >= 0 && p.spells(i-n, b.words) {
			return n, b.kind
		}
	}
	if p.is(i-1, "from") && money(f.Unit) && !f.low && !p.headedTo(f) && !p.moved(i) {
		return 1, '>'
	}
	return 0, 0
}

// headedTo reports whether a "to" follows f in its clause.
func (p *passage) headedTo(f *figure) bool {
	for j := f.to; j < len(p.toks) && j < f.to+6 && p.clause[j] == p.clause[f.from]; j++ {
		if p.is(j, "to") {
			return true
		}
	}
	return false
}

// spells reports whether the words of s stand at token i.
func (p *passage) spells(i int, s string) bool {
	for w := range strings.SplitSeq(s, " ") {
		if !p.is(i, w) {
			return false
		}
		i++
	}
	return true
}

var boundsAfter = []struct {
	words string
	kind  byte
}{
	{"or more", '>'}, {"or less", '<'}, {"or fewer", '<'}, {"or higher", '>'}, {"or lower", '<'}, {"and above", '>'}, {"and up", '>'}, {"at least", '>'}, {"at most", '<'}, {"or over", '>'}, {"+", '>'}, {"or so", '~'}, {"or thereabouts", '~'},
}

// after reads the bounds behind f: "12 or more", "500+ users".
func (p *passage) after(f *figure) {
	for _, b := range boundsAfter {
		if !p.spells(f.to, b.words) {
			continue
		}
		if b.kind == '~' {
			f.Approximate = true
		} else {
			f.bound = b.kind
		}
		return
	}
}

// moveOf says whether f is a change and which way: "grew by 12 %", "12 %
// decline", "+12 %". What stands before f begins at token i.
func (p *passage) moveOf(f *figure, i int) int {
	if p.is(f.from-1, "+") && f.from > 0 {
		return 1
	}
	for j := i - 1; j >= 0 && j >= i-4 && p.clause[j] == p.clause[f.from]; j-- {
		if p.is(j, "to") || p.is(j, "from") || p.is(j, "at") || p.class(j) == number || p.is(j, "of") && j < i-1 {
			break
		}
		if a := p.axis(j); a.name == "direction" {
			return a.side
		}
	}
	if f.Unit != "%" && f.Unit != "x" && f.Unit != "pp" {
		return 0
	}
	for j := f.to; j < len(p.toks) && j < f.to+3 && p.clause[j] == p.clause[f.from]; j++ {
		if a := p.axis(j); a.name == "direction" || a.name == "amount" {
			return a.side
		}
		if p.class(j) == sign || p.is(j, "of") || p.is(j, "and") || p.is(j, "to") {
			break
		}
	}
	return 0
}

// dateOf gives f the date it is of: one that follows at once, else one that
// stands before it, else the next one.
func (p *passage) dateOf(f *figure) {
	var before, behind *date
	for i := range p.dates {
		d := &p.dates[i]
		switch {
		case strings.HasPrefix(d.when, "--") || p.sentence[d.from] != p.sentence[f.from]:
		case d.to <= f.from:
			before = d
		case behind == nil:
			behind = d
		}
	}
	if d := p.closer(f, before, behind); d != nil {
		f.When, f.side = d.when, d.side
	}
}

// closer picks the date before or behind f: the one that no other figure and no
// comma parts from it.
func (p *passage) closer(f *figure, before, behind *date) *date {
	switch {
	case before == nil:
		return behind
	case behind == nil:
		return before
	case p.apart(f.to, behind.from) && !p.apart(before.to, f.from):
		return before
	case p.apart(f.to, behind.from):
		return before
	case !p.apart(before.to, f.from) && f.from-before.to < behind.from-f.to:
		return before
	}
	return behind
}

// apart reports whether a figure, a comma or a new clause stands among tokens
// from to (excluded).
func (p *passage) apart(from, to int) bool {
	for j := from; j < to; j++ {
		if p.is(j, ",") || p.clause[j] != p.clause[from] {
			return true
		}
	}
	for _, f := range p.figures {
		if f.from >= from && f.to <= to {
			return true
		}
	}
	return false
}
