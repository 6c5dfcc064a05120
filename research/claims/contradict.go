package claims

import (
	"math"
	"slices"
	"strings"

	"quaestor/internal/language"
)

// When two claims are of the same thing, and when two numbers are the same.
const (
	sameThing   = 0.5 // of the words of both, for figures
	sameClaim   = 0.6 // for claims that only differ in a negation
	sameFigures = 0.1 // relative
)

// Contradict returns list with Against set: the numbers of the claims of other
// sources that say otherwise. Two claims do when they give the same thing, of
// the same unit and date, figures that no rounding explains, or when one denies
// nearly what the other states. It is symmetric and does not depend on order.
func Contradict(list []Claim) []Claim {
	out := slices.Clone(list)
	sides := make([]*passage, len(out))
	for i := range out {
		out[i].Against = nil
		sides[i] = read(out[i].Text)
		sides[i].date(out[i].Figures)
	}
	for i := range out {
		for j := range out[:i] {
			if out[i].Source != out[j].Source && otherwise(sides[i], sides[j]) {
				out[i].Against = append(out[i].Against, out[j].N)
				out[j].Against = append(out[j].Against, out[i].N)
			}
		}
	}
	for i := range out {
		slices.Sort(out[i].Against)
	}
	return out
}

// date gives the figures of p the dates that verification found for them.
func (p *passage) date(verified []Figure) {
	for i := range p.figures {
		for _, v := range verified {
			if f := &p.figures[i]; f.When == "" && v.Value == f.Value && v.Words == f.Words {
				f.When = v.When
			}
		}
	}
}

// otherwise reports whether a and b cannot both be right.
func otherwise(a, b *passage) bool {
	if !comparable(a, b) {
		return false
	}
	return differ(a, b) || opposed(a, b)
}

// light are words that say nothing of what is measured.
var light = byWord(`report reach amount total stand estimate record post generate say state announce come account hit value worth about put see show find according approximately roughly
	nearly compare currently today overall around recently now provide offer expect average annual year full figure number end level increase grow rise fall decline drop decrease shrink more less
	over under up down most least higher lower large small run operate total worldwide globally global world`)

// measured are the things a figure may be of; two claims that name different
// ones are of different things.
var measured = byWord(`revenue profit turnover income earnings loss valuation funding budget debt price cost fee salary tax share margin churn growth retention conversion penetration employees staff users customers
	subscribers members stores capacity area population size length weight age speed latency uptime limit rate interest inflation unemployment market exports imports investment spend spending orders downloads`)

// comparable reports whether a and b are about the same thing at all: names,
// places and what is measured agree.
func comparable(a, b *passage) bool {
	x, y := a.gist(), b.gist()
	if !sameSet(a.scope(), b.scope()) {
		return false
	}
	if onlyIn(x, y, measured) && onlyIn(y, x, measured) {
		return false
	}
	m, n := a.names(), b.names()
	return shared(m, n) == min(len(m), len(n)) || len(m) == 0 || len(n) == 0
}

// onlyIn reports whether x has a word of kind that y lacks.
func onlyIn(x, y, kind map[string]bool) bool {
	for w := range x {
		if kind[w] && !y[w] {
			return true
		}
	}
	return false
}

func sameSet(a, b map[string]bool) bool { return len(a) == len(b) && shared(a, b) == len(a) }

// gist returns the words of p that say what it is about.
func (p *passage) gist() map[string]bool {
	out := map[string]bool{}
	p.content(func(i int, t *token) {
		if (!light[t.stem] || measured[t.stem]) && !denyWords[t.text] && (p.axis(i).name == "" && axes[bare(t.stem)].name == "" || measured[t.stem]) {
			out[bare(t.stem)] = true
		}
	})
	return out
}

// bare takes the prefix off a word that turns another round: "unavailable".
func bare(s string) string {
	if b := turned[s]; b != "" {
		return b
	}
	return s
}

// turned maps stems with a prefix that denies them to the stems without it.
var turned = turnedStems(`unavailable unsupported unlimited unable unlikely unsafe unprofitable unlicensed unregulated unencrypted unpaid unnecessary unsuitable unpopular unsuccessful uncommon unreliable unaffected
	incompatible insufficient ineffective inefficient ineligible insecure incomplete invalid infeasible impossible impractical irrelevant noncompliant disconnected disapproved`)

func turnedStems(s string) map[string]string {
	out := map[string]string{}
	for w := range set(s) {
		for _, pre := range prefixes {
			if rest, ok := strings.CutPrefix(w, pre); ok {
				out[language.Stem(w)] = language.Stem(rest)
				break
			}
		}
	}
	return out
}

// names returns the stems of proper names within the sentences of p.
func (p *passage) names() map[string]bool {
	out := map[string]bool{}
	for i, t := range p.toks {
		if !t.upper || !t.content() || p.taken[i] || light[t.stem] || measured[t.stem] || generic[t.stem] {
			continue
		}
		if !p.begins(i) || p.acronym(i) || p.class(i+1) == word && p.toks[i+1].upper || linking[p.text(i+1)] || verbs[p.stem(i+1)] {
			out[t.stem] = true
		}
	}
	return out
}

// verbs that follow a name.
var verbs = byWord(`employ serve charge offer support report sell run operate generate grow own count list cost require use make raise say reach provide integrate allow ship store encrypt work run bring process handle publish acquire launch`)

// scope returns the words of place and part that hold a statement down: those
// after "in", "for", "across" and the like.
func (p *passage) scope() map[string]bool {
	out := map[string]bool{}
	for i, t := range p.toks {
		if scoping[t.text] && !p.taken[i] {
			for j := i + 1; j < len(p.toks) && j < i+5 && p.class(j) == word && !p.taken[j] && !scoping[p.text(j)]; j++ {
				if p.toks[j].content() && p.toks[j].upper {
					out[p.toks[j].stem] = true
				}
			}
		}
		if wide[t.text] {
			out["world"] = true
		}
	}
	return out
}

var (
	scoping = set("in across within for throughout among outside from per")
	wide    = set("worldwide globally global")
)

// differ reports whether a and b give the same thing figures that cannot both
// hold.
func differ(a, b *passage) bool {
	x, y := a.gist(), b.gist()
	n := shared(x, y)
	if n == 0 || float64(n) < sameThing*float64(len(x)+len(y)-n) {
		return false
	}
	apart := false
	for i := range a.figures {
		f := &a.figures[i]
		met, agreed := false, false
		for j := range b.figures {
			if g := &b.figures[j]; f.of(g) {
				met, agreed = true, agreed || a.reachOf(f).meets(b.reachOf(g))
			}
		}
		apart = apart || met && !agreed && !f.ambiguous && !b.anyAgrees(a, f)
	}
	return apart
}

// anyAgrees reports whether another figure of a, of the same kind as f, is one
// that q has: then both tell of several and f is one of them.
func (q *passage) anyAgrees(a *passage, f *figure) bool {
	for i := range a.figures {
		e := &a.figures[i]
		if e == f || !e.of(f) {
			continue
		}
		for j := range q.figures {
			if g := &q.figures[j]; e.of(g) && a.reachOf(e).meets(q.reachOf(g)) {
				return true
			}
		}
	}
	return false
}

// of reports whether f and g measure the same: unit, date, kind of number.
func (f *figure) of(g *figure) bool {
	return f.Unit == g.Unit && f.When == g.When && side(f.side) == side(g.side) && !f.ordinal && !g.ordinal && !g.ambiguous && (f.move == 0) == (g.move == 0) && (f.role == 'f') == (g.role == 'f')
}

// interval is what a figure may stand for.
type interval struct{ low, high float64 }

func (a interval) meets(b interval) bool { return a.low <= b.high && b.low <= a.high }

// reachOf returns the numbers f may stand for: the range it is an end of, what
// its bound leaves open, what rounding hides.
func (p *passage) reachOf(f *figure) interval {
	v := f.Value
	if f.move < 0 && v > 0 {
		v = -v
	}
	slack := math.Max(f.coarse, sameFigures/2*math.Abs(v)/(1-sameFigures/2))
	if f.Approximate {
		slack = math.Max(slack, sameFigures*math.Abs(v))
	}
	out := interval{v - slack, v + slack}
	switch {
	case f.bound == '>':
		out.high = math.Inf(1)
	case f.bound == '<':
		out.low = math.Inf(-1)
	}
	for i := range p.figures {
		g := &p.figures[i]
		if f.low && g.high && g.from > f.from && g.Unit == f.Unit {
			out.high = math.Max(out.high, g.Value+g.coarse)
			break
		}
		if f.high && g.low && g.from < f.from && g.Unit == f.Unit {
			out.low = math.Min(out.low, g.Value-g.coarse)
		}
	}
	return out
}

// opposed reports whether a and b say nearly the same but for a negation or an
// opposite.
func opposed(a, b *passage) bool {
	x, y := a.gist(), b.gist()
	n := shared(x, y)
	if n < 2 && !sameSet(x, y) || n == 0 || float64(n) < sameClaim*float64(len(x)+len(y)-n) || !sameDates(a, b) {
		return false
	}
	odd := a.oddDenials() != b.oddDenials()
	apart, same := axesOpposed(a, b)
	return same && odd != apart
}

// oddDenials reports whether p denies what it is about: a negation, a prefix
// that denies, or both twice.
func (p *passage) oddDenials() bool {
	n := p.denials
	for _, t := range p.toks {
		if turned[t.stem] != "" {
			n++
		}
	}
	return n%2 == 1
}

// axesOpposed reports whether a and b stand on different sides of an odd number
// of opposites; same is false when they speak of different ones.
func axesOpposed(a, b *passage) (apart, same bool) {
	x, y := a.sides(), b.sides()
	if len(x) != len(y) {
		return false, false
	}
	for name, s := range x {
		t, both := y[name]
		if !both {
			return false, false
		}
		if s*t < 0 {
			apart = !apart
		}
	}
	return apart, true
}

// sides returns on which side of each pair of opposites p stands; 0 for both.
func (p *passage) sides() map[string]int {
	out := map[string]int{}
	for i, t := range p.toks {
		a := p.axis(i)
		if b := turned[t.stem]; b != "" {
			a = axes[b]
		}
		if a.name == "" || p.taken[i] || plainWith[t.text] && !openWords[t.text] {
			continue
		}
		if before, seen := out[a.name]; seen && before != a.side {
			out[a.name] = 0
			continue
		}
		out[a.name] = a.side
	}
	return out
}

var openWords = set("free open best support supports supported began begin")

func sameDates(a, b *passage) bool {
	return slices.EqualFunc(a.dates, b.dates, func(d, e date) bool { return d.when == e.when })
}
