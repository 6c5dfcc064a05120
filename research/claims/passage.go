package claims

import (
	"slices"
	"strings"
)

// passage is a text that was read: its tokens and what they say.
type passage struct {
	src      string
	toks     []token
	clause   []int // of each token: stretches parted by . ; : and by "but", "while"
	sentence []int // of each token
	taken    []bool
	dates    []date
	figures  []figure
	literals []string // stems that must be in a source to the letter: "iso27001", "half", "third"
	denied   []bool   // of each token: a negation holds for it
	denials  int      // how many negations
}

// read reads s.
func read(s string) *passage {
	p := &passage{src: s, toks: cut(s)}
	p.taken, p.denied = make([]bool, len(p.toks)), make([]bool, len(p.toks))
	p.part()
	p.readDates()
	p.readFigures()
	p.readLiterals()
	p.readDenials()
	return p
}

// text is the word at token i; empty outside.
func (p *passage) text(i int) string {
	if i < 0 || i >= len(p.toks) {
		return ""
	}
	return p.toks[i].text
}

func (p *passage) stem(i int) string {
	if i < 0 || i >= len(p.toks) {
		return ""
	}
	return p.toks[i].stem
}

// raw is the word at token i as it is written.
func (p *passage) raw(i int) string {
	if i < 0 || i >= len(p.toks) {
		return ""
	}
	return p.src[p.toks[i].from:p.toks[i].to]
}

// class of token i; outside it is a sign.
func (p *passage) class(i int) class {
	if i < 0 || i >= len(p.toks) {
		return sign
	}
	return p.toks[i].class
}

func (p *passage) is(i int, text string) bool {
	return i >= 0 && i < len(p.toks) && p.toks[i].text == text
}

// glued reports whether token i follows the one before it without a space.
func (p *passage) glued(i int) bool {
	return i > 0 && i < len(p.toks) && p.toks[i-1].to == p.toks[i].from
}

// joints are the words that part what is said of one thing from what is said of
// another.
var joints = set("but while whereas although though however yet")

// part numbers clauses and sentences.
func (p *passage) part() {
	p.clause, p.sentence = make([]int, len(p.toks)), make([]int, len(p.toks))
	clause, sentence := 0, 0
	for i, t := range p.toks {
		if i > 0 && strings.Contains(p.src[p.toks[i-1].to:t.from], "\n\n") {
			clause, sentence = clause+1, sentence+1
		}
		if joints[t.text] || p.newSubject(i) {
			clause++
		}
		p.clause[i], p.sentence[i] = clause, sentence
		switch {
		case t.class == sign && (t.text == "!" || t.text == "?" || t.text == "." && endsAt(p.src, t.from)):
			clause, sentence = clause+1, sentence+1
		case t.text == ";", t.text == ":" && !p.glued(i+1):
			clause++
		}
	}
}

// newSubject reports whether "and" at token i begins another statement: a verb
// follows its subject within two words.
func (p *passage) newSubject(i int) bool {
	if !p.is(i, "and") && !p.is(i, "or") {
		return false
	}
	for j := i + 2; j <= i+3; j++ {
		if linking[p.text(j)] || p.axis(j).name == "direction" && p.class(j-1) == word {
			return true
		}
	}
	return false
}

var linking = set("is are was were has have had does do did can cannot can't could will would must may isn't aren't doesn't don't won't")

// content calls f for each content word.
func (p *passage) content(f func(i int, t *token)) {
	for i := range p.toks {
		if t := &p.toks[i]; t.content() && !p.taken[i] {
			f(i, t)
		}
	}
}

// words returns the distinct stems of content words that are no part of a figure
// or date, in order.
func (p *passage) words() []string {
	var out []string
	p.content(func(_ int, t *token) {
		if !slices.Contains(out, t.stem) {
			out = append(out, t.stem)
		}
	})
	return out
}

// stemSet returns every stem of p, the ones of figures and dates included.
func (p *passage) stemSet() map[string]bool {
	out := map[string]bool{}
	for i := range p.toks {
		if p.toks[i].class == word {
			out[p.toks[i].stem] = true
		}
	}
	return out
}

// literalWords are numbers in disguise.
var literalWords = set(`half halves third thirds quarter fourth fourths fifth double doubled doubling twice triple tripled triples thrice quadruple quadrupled dozens hundreds thousands millions billions
	first second sixth seventh eighth ninth tenth majority minority`)

// readLiterals notes what must stand in a source to the letter: names with
// digits, fractions, ranks, numbers nobody can read.
func (p *passage) readLiterals() {
	for i, t := range p.toks {
		switch {
		case p.taken[i]:
		case t.class == number, t.class == word && hasDigit(t.text), literalWords[t.text]:
			p.literals = append(p.literals, t.text)
		}
	}
}

// near returns the content stems around token i: up to reach words to either
// side within its clause, except token i itself.
func (p *passage) near(i, reach int) map[string]bool {
	out := map[string]bool{}
	for _, step := range []int{-1, 1} {
		left := reach
		for j := i + step; left > 0 && j >= 0 && j < len(p.toks) && p.clause[j] == p.clause[i]; j += step {
			if p.toks[j].content() && !p.taken[j] {
				out[p.toks[j].stem] = true
				left--
			}
		}
	}
	return out
}

// shared counts what a and b have in common.
func shared(a, b map[string]bool) int {
	n := 0
	for w := range a {
		if b[w] {
			n++
		}
	}
	return n
}
