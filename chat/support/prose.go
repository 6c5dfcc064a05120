package support

import (
	"slices"
	"strings"
	"unicode"

	"quaestor/internal/language"
)

// literalTypes are the types of values that stand in the words or do not: nothing is like
// a name.
var literalTypes = []string{"person", "organisation", "place", "address", "email", "phone", "url", "identifier"}

// How much of a text's words the quote must have, and how near the two must be in meaning
// when it has less. One word that was exchanged changes what is said ("tenants with ten
// flats" for landlords), so all of them count: on testdata/support three of four were enough
// for 4.6 % of the lies, and all of them cost no honest finding. Exchanged words leave a
// cosine of up to 0.87, what has nothing to do with the quote has at most 0.40.
const (
	weakShare    = 0.34
	fullLikeness = 0.92
	weakLikeness = 0.50
)

// text holds a text against the quote.
func (w *wording) text(v string) Level {
	value := cut(v)
	for i := range value {
		value[i].inside = true
	}
	if value.contentIn(0, len(value)) == 0 {
		return w.bare(value)
	}
	h := w.compare(value)
	switch {
	case h.wrong:
		return None
	case h.matched+h.missing == 0 && slices.ContainsFunc(value, func(v word) bool { return v.figure }):
		return Full // nothing but figures, which are there
	case slices.Contains(literalTypes, w.Template.ValueType) && h.missing > 0:
		return None
	case h.missing == 0 && h.matched > 0 && !h.turned:
		return Full
	}
	return w.likeness(v, h)
}

// bare supports a text without content, such as "No" or "None": it must be in the quote,
// or say yes or no as the quote does.
func (w *wording) bare(value text) Level {
	if w.literal(value) > 0 {
		return Full
	}
	if p := value.polarity(); p != 0 {
		return w.yesNo(p)
	}
	return None
}

// comparison is what of a text's words a quote has.
type comparison struct {
	matched, missing float64
	wrong            bool // a figure, a literal or a name is not there, or the quote says the opposite
	turned           bool // some of it is denied, or has an opposite, on one side only
}

func (h *comparison) share() float64 {
	if h.matched == 0 {
		return 0
	}
	return h.matched / (h.matched + h.missing)
}

// compare looks up the words of a text in the quote.
func (w *wording) compare(value text) comparison {
	h := comparison{wrong: !w.hasFigures(value) || w.opposed(value)}
	against := 0.0
	for i := range value {
		w.lookUp(value, i, &h, &against)
	}
	h.turned = against > 0 || w.veers(value)
	h.wrong = h.wrong || against > 0 && against >= h.matched/2
	return h
}

// lookUp adds what becomes of word i of a text.
func (w *wording) lookUp(value text, i int, h *comparison, against *float64) {
	at := &value[i]
	if !at.content || at.figure {
		return
	}
	where, same := w.find(at)
	switch {
	case where == quoted:
		h.matched++
		if !same {
			*against++
		}
	case value.is("light", i), value.axis(i) != "" && w.sides()[strings.TrimRight(value.axis(i), "+-")] != 0:
	case where == beside:
		h.matched += 0.5
		h.missing += 0.5
	case w.asks(at):
	default:
		h.missing++
		h.wrong = h.wrong || literal(at.Text) || !w.german && i > 0 && unicode.IsUpper([]rune(at.Text)[0]) && value[i-1].Text != "."
	}
}

// literal reports whether a word is no language: an address, a code.
func literal(s string) bool {
	return strings.ContainsAny(s, "@/_") || strings.ContainsFunc(s, unicode.IsDigit)
}

// place is where a word of a value stands.
type place int

const (
	nowhere place = iota
	beside        // in the sentence, outside of the quote
	quoted
)

// find returns where a word of a value stands in what was said, and whether it is denied
// in both or in neither.
func (w *wording) find(at *word) (where place, same bool) {
	for i := range w.said {
		q := &w.said[i]
		if !q.content || !alike(q, at) {
			continue
		}
		here := beside
		if q.inside {
			here = quoted
		}
		if here > where {
			where, same = here, false
		}
		if here == where {
			same = same || q.denied == at.denied
		}
	}
	if where < quoted && w.composed(at) {
		return quoted, true
	}
	return where, same
}

// composed reports whether a word is a compound of two words that are quoted:
// "Fahrradreparatur", where bicycles are repaired.
func (w *wording) composed(at *word) bool {
	parts := 0
	for i := range w.said {
		if q := &w.said[i]; q.inside && q.content && len(q.folded) >= minPart && strings.Contains(at.folded, language.Head(q.folded, minPart)) {
			parts++
		}
	}
	return parts > 1
}

// hasFigures reports whether every figure of a text stands in the quote.
func (w *wording) hasFigures(value text) bool {
	words := make([]language.Word, len(value))
	for i := range value {
		words[i] = value[i].Word
	}
	said := w.reader().Figures(w.quoted())
	for _, f := range w.reader().Figures(words) {
		if !slices.ContainsFunc(said, func(g language.Figure) bool { return g.Low == f.Low && g.High == f.High }) {
			return false
		}
	}
	return true
}

// axis returns the pair of opposites that word i belongs to, with its side as a sign; it
// is empty for none.
func (t text) axis(i int) string {
	v, _ := t.kind("opposite", i)
	return v
}

// sides returns on which side of each pair of opposites the quote stands; 2 for both.
func (w *wording) sides() map[string]int { return w.said.sides() }

func (t text) sides() map[string]int {
	out := map[string]int{}
	for i := 0; i < len(t); i++ {
		v, n := t.kind("opposite", i)
		if n == 0 || !t[i].inside {
			continue
		}
		side := 1
		if strings.HasSuffix(v, "-") != t[i].denied {
			side = -1
		}
		name := strings.TrimRight(v, "+-")
		if before := out[name]; before != 0 && before != side {
			side = 2
		}
		out[name] = side
		i += n - 1
	}
	return out
}

// opposed reports whether a text and the quote stand on different sides of a pair of
// opposites: more and fewer, cheap and expensive.
func (w *wording) opposed(value text) bool {
	said := w.sides()
	for name, side := range value.sides() {
		if other := said[name]; other != 0 && side != 2 && other == -side {
			return true
		}
	}
	return false
}

// veers reports whether a text takes a side of a pair of opposites where the quote takes
// none or both: what buys need not be what rents.
func (w *wording) veers(value text) bool {
	said := w.sides()
	for name, side := range value.sides() {
		if said[name] != side {
			return true
		}
	}
	return false
}

// likeness supports a text that the quote does not have the words of, by how near the
// two are in meaning. Without a text encoder, and in German, only its words count.
func (w *wording) likeness(v string, h comparison) Level {
	weak := None
	if h.share() >= weakShare {
		weak = Weak
	}
	if w.Similar == nil || w.german {
		return weak
	}
	near := w.Similar(v, w.Quote)
	switch {
	case near >= fullLikeness && h.matched > 0 && !h.turned:
		return Full
	case near >= weakLikeness:
		return Weak
	}
	return weak
}
