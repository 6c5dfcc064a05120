package claims

import (
	"slices"
	"strings"
)

// axis is a pair of opposites; side is +1 or -1.
type axis struct {
	name string
	side int
}

// axes maps stems to the opposites they belong to. A claim may not move a
// statement from one side to the other.
var axes = opposites(
	"direction", "grow increas rise climb gain expand surg jump soar accelerat improv up rais upward widen doubl tripl rebound recover strengthen boom skyrocket",
	"declin decreas fall shrink reduc drop slump plung contract down lower cut slow worsen dip tumbl slid sank halv downward narrow weaken crash slowdown shrinkag reduction",
	"amount", "more higher larger greater bigger most highest largest biggest maximum above over exceed great larg high big major",
	"less fewer smaller least lowest smallest minimum below under few small low minor",
	"price", "cheaper cheap cheapest affordabl inexpensiv free", "dearer expensiv costlier pricier dearest paid",
	"speed", "faster quicker fastest quickest fast quick rapid", "slower slowest",
	"age", "newer younger newest youngest", "older oldest",
	"quality", "better best stronger strongest superior advantag strength", "worse worst weaker weakest inferior disadvantag weaknes",
	"time", "after later since", "before earlier until prior",
	"part", "early earlier begin start", "late end",
	"leave", "allow permit legal lawful enabl", "prohibit ban forbid illegal unlawful disabl disallow block restrict outlaw",
	"need", "requir mandatory compulsory obligatory must necessary", "optional voluntary exempt waiv",
	"holding", "includ with compris contain", "exclud without except",
	"state", "open launch start open-source activ introduc begin", "clos discontinu retir shut ceas stop end deprecat sunset suspend abandon cancel",
	"profit", "profit profitabl surplus", "los deficit",
	"success", "succeed succes pass win approv accept", "fail failur reject refus deni deny defeat",
	"trade", "buy purchas acquir import", "sell export divest",
	"degree", "always all every entir full complet", "sometim partial rare seldom",
	"public", "public", "privat",
	"view", "support favor agre confirm", "oppos disagre dispu contradict reject",
)

func opposites(list ...string) map[string]axis {
	out := map[string]axis{}
	for side, name, rest := 1, "", list; len(rest) > 0; {
		if side == 1 {
			name, rest = rest[0], rest[1:]
		}
		for w := range set(rest[0]) {
			if _, taken := out[w]; !taken {
				out[w] = axis{name, side}
			}
		}
		side, rest = -side, rest[1:]
	}
	return out
}

// axis returns the opposites that token i belongs to; a name of "" means none.
func (p *passage) axis(i int) axis {
	if p.class(i) != word {
		return axis{}
	}
	if a, ok := axes[p.text(i)]; ok {
		return a
	}
	return axes[p.stem(i)]
}

// denyWords are negations; what they deny follows them.
var denyWords = set(`not no never none nobody nothing neither nor without cannot can't hardly barely rarely seldom scarcely lack lacks lacked lacking unable non nowhere
	isn't aren't wasn't weren't doesn't don't didn't hasn't haven't hadn't won't wouldn't couldn't shouldn't mustn't ain't needn't fails failed fail
	nicht kein keine keinen keiner nie niemals ohne pas jamais sans nunca sin geen niet`)

// notOnly are the words after which a negation denies nothing.
var notOnly = set("only just merely simply least later")

// reach is how many content words a negation holds for.
const reach = 5

// readDenials marks what the negations of p deny.
func (p *passage) readDenials() {
	for i, t := range p.toks {
		if t.class != word || !denyWords[t.text] || p.taken[i] || notOnly[p.text(i+1)] || p.is(i, "no") && p.is(i+1, ".") {
			continue
		}
		if p.is(i, "no") && (p.is(i+1, "longer")) || !p.is(i-1, "no") {
			p.denials++
		}
		p.deny(i)
	}
}

// deny marks the content words after the negation at token i within its clause.
func (p *passage) deny(i int) {
	left := reach
	if p.is(i, "without") || p.is(i, "non") || p.is(i, "sans") || p.is(i, "ohne") {
		left = 2
	}
	for j := i + 1; j < len(p.toks) && left > 0 && p.clause[j] == p.clause[i]; j++ {
		if p.is(j, ",") && left < reach {
			return
		}
		if p.toks[j].content() {
			p.denied[j] = true
			left--
		}
	}
}

// doubts are the words that make a statement less than a fact.
var doubts = set(`may might could would if unless expected expects forecast forecasts forecasted projected projects predicted predicts predict planned reportedly allegedly rumoured rumored likely potentially possibly
	perhaps probably hopes aims intends proposed unconfirmed speculated hypothetical hypothetically should assuming anticipated anticipates estimates`)

// doubted reports whether a clause of p among list is put as less than a fact.
func (p *passage) doubted(list []int) bool {
	for i, t := range p.toks {
		if doubts[t.text] && !p.taken[i] && (list == nil || slices.Contains(list, p.clause[i])) && !(t.text == "may" && t.upper) {
			return true
		}
	}
	return false
}

// clauseWords lists, for each clause, the stems of its content words; those that
// are opposites are left out, for they must not decide what is compared.
func (p *passage) clauseWords() map[int]map[string]bool {
	out := map[int]map[string]bool{}
	p.content(func(i int, t *token) {
		if p.axis(i).name == "" {
			if out[p.clause[i]] == nil {
				out[p.clause[i]] = map[string]bool{}
			}
			out[p.clause[i]][t.stem] = true
		}
	})
	return out
}

// align returns the clauses of q that say what words say, the closest first:
// each next one adds words that those before it do not have.
func (q *passage) align(words map[string]bool) []int {
	have := q.clauseWords()
	left := map[string]bool{}
	for w := range words {
		left[w] = true
	}
	var out []int
	for len(left) > 0 {
		best, most := -1, 0
		for c := 0; c <= q.last(); c++ {
			if n := shared(left, have[c]); n > most {
				best, most = c, n
			}
		}
		if best < 0 {
			break
		}
		out = append(out, best)
		for w := range have[best] {
			delete(left, w)
		}
	}
	if out == nil {
		for c := 0; c <= q.last(); c++ {
			out = append(out, c)
		}
	}
	return out
}

func (p *passage) last() int {
	if len(p.clause) == 0 {
		return -1
	}
	return p.clause[len(p.clause)-1]
}

// samePolarity returns why c turns round what q says, or "".
func (c *passage) samePolarity(q *passage) string {
	if c.denials > q.denials {
		return "a negation that the source does not have"
	}
	if w := c.prefixed(q); w != "" {
		return "the source says the opposite of " + w
	}
	if c.swapsThan(q) {
		return "the comparison is the other way round"
	}
	if w := c.swapsNames(q); w != "" {
		return "who " + w + " whom is the other way round"
	}
	words := c.clauseWords()
	for n := 0; n <= c.last(); n++ {
		if why := c.sameClause(q, n, q.align(words[n])); why != "" {
			return why
		}
	}
	return ""
}

// sameClause compares clause n of c with the clauses of q that say the same.
func (c *passage) sameClause(q *passage, n int, list []int) string {
	denied, plain := q.stances(list)
	for i, t := range c.toks {
		if c.clause[i] != n || t.class != word || c.taken[i] {
			continue
		}
		if a := c.axis(i); a.name != "" && !q.onSide(a, list) && !plainWith[t.text] {
			return "the source does not say " + t.text
		}
		switch s := t.stem; {
		case !t.content():
		case c.denied[i] && plain[s] && !denied[s]:
			return "the source does not deny " + t.text
		case !c.denied[i] && denied[s] && !plain[s]:
			return "the source denies " + t.text
		}
	}
	if len(list) > 0 && q.doubted(list[:1]) && !c.doubted(nil) {
		return "the source is less sure"
	}
	return ""
}

// plainWith are words of [axes] too common to turn anything round by
// themselves.
var plainWith = set("with over up public all every under great large high big full start started end ended open begin best support supports supported more most major cut free since active later")

// stances returns the stems that the clauses deny, and those they state.
func (q *passage) stances(list []int) (denied, plain map[string]bool) {
	denied, plain = map[string]bool{}, map[string]bool{}
	for i, t := range q.toks {
		switch {
		case !t.content() || !slices.Contains(list, q.clause[i]):
		case q.denied[i]:
			denied[t.stem] = true
		default:
			plain[t.stem] = true
		}
	}
	return denied, plain
}

// onSide reports whether a clause of the list, or any when it is nil, has a word
// on the side of a.
func (q *passage) onSide(a axis, list []int) bool {
	for i := range q.toks {
		if q.axis(i) == a && (list == nil || slices.Contains(list, q.clause[i])) {
			return true
		}
	}
	return false
}

var prefixes = []string{"un", "non", "in", "im", "il", "ir", "dis", "de", "mis"}

// prefixed returns a word of c whose opposite by prefix is in q while the word
// itself is not.
func (c *passage) prefixed(q *passage) string {
	have := q.stemSet()
	for _, t := range c.toks {
		if t.class != word || have[t.stem] || len(t.stem) < 4 {
			continue
		}
		for _, pre := range prefixes {
			rest, cutOff := strings.CutPrefix(t.stem, pre)
			if have[pre+t.stem] || cutOff && len(rest) > 3 && have[rest] {
				return t.text
			}
		}
	}
	return ""
}

// swapsThan reports whether c compares the other way round than q: what stands
// behind "than" in one stands before it in the other.
func (c *passage) swapsThan(q *passage) bool {
	left, right := c.than()
	before, behind := q.than()
	if right == nil || behind == nil {
		return false
	}
	return shared(right, behind) == 0 && shared(right, before) > 0 && shared(left, behind) > 0
}

// than returns the content words before and behind "than" when no figure
// follows it.
func (p *passage) than() (left, right map[string]bool) {
	for i := range p.toks {
		if !p.is(i, "than") || p.taken[i] {
			continue
		}
		left, right = map[string]bool{}, map[string]bool{}
		p.content(func(j int, t *token) {
			if p.sentence[j] != p.sentence[i] || p.axis(j).name != "" {
				return
			}
			if j < i {
				left[t.stem] = true
			} else {
				right[t.stem] = true
			}
		})
	}
	return left, right
}

// swapsNames returns a word between two names that stand the other way round in
// q: "Acme acquired Globex" for "Globex acquired Acme" or "Acme was acquired by
// Globex". One place in q that agrees is enough.
func (c *passage) swapsNames(q *passage) string {
	for i, t := range c.toks {
		if t.upper || !t.content() || c.taken[i] {
			continue
		}
		before, behind := c.namesAround(i)
		if len(before) == 0 || len(behind) == 0 {
			continue
		}
		turned, agreed := false, false
		for j := range q.toks {
			if q.toks[j].stem != t.stem {
				continue
			}
			left, right := q.namesAround(j)
			same := shared(before, left) > 0 && shared(behind, right) > 0
			crossed := shared(before, right) > 0 && shared(behind, left) > 0
			passive := c.passive(i) != q.passive(j)
			turned = turned || crossed && !same && !passive || same && !crossed && passive
			agreed = agreed || same && !passive || crossed && passive
		}
		if turned && !agreed {
			return t.text
		}
	}
	return ""
}

// namesAround returns the stems of the capitalised words close before and behind
// token i, within its clause and its cell of a table.
func (p *passage) namesAround(i int) (before, behind map[string]bool) {
	return p.namesFrom(i, -1), p.namesFrom(i, 1)
}

func (p *passage) namesFrom(i, step int) map[string]bool {
	out := map[string]bool{}
	for j, left := i+step, 10; left > 0 && j >= 0 && j < len(p.toks); j, left = j+step, left-1 {
		if p.clause[j] != p.clause[i] || p.is(j, "|") || p.is(j, ":") {
			break
		}
		if t := &p.toks[j]; t.upper && t.content() {
			out[t.stem] = true
		}
	}
	return out
}

// passive reports whether "by" follows the word at i.
func (p *passage) passive(i int) bool { return p.is(i+1, "by") || p.is(i+2, "by") }
