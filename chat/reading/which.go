package reading

import (
	"encoding/json"
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/sessions"
)

// valuesSaid returns which of some values the message names, and which it calls wrong. Where it names
// several, it means the one that a clause says alone, or most of whose words it says.
func (h *heard) valuesSaid(values []json.RawMessage) (right, wrong []int) {
	add := func(i int, denied bool) {
		if denied {
			wrong = append(wrong, i)
		} else {
			right = append(right, i)
		}
	}
	if !h.asked.Closed() {
		for i, denied := range h.textsSaid(h.shown(values)) {
			add(i, denied)
		}
		if len(right) > 1 {
			right = h.mostSaid(values, right)
		}
		return right, wrong
	}
	for i, v := range values {
		named, denied := h.valueSaid(v)
		if named {
			add(i, denied)
		}
	}
	switch {
	case len(right) > 1 && len(h.asked.Choices) == 0:
		right = h.saidAlone(values, right)
	case len(h.asked.Choices) > 0 && len(right) != 1 && len(wrong) == 0:
		right = nil
		for i, denied := range h.textsSaid(h.shown(values)) {
			add(i, denied)
		}
		if len(right) > 1 {
			right = h.mostSaid(values, right)
		}
	}
	slices.Sort(right)
	return right, wrong
}

// shown returns values in the words in which the person was shown them.
func (h *heard) shown(values []json.RawMessage) []string {
	out := make([]string, len(values))
	for i, v := range values {
		if out[i] = field.Text(v); len(h.asked.Choices) > 0 {
			out[i] = field.InWords(chat.MessagesOf(h.scene), sessions.Currency{}, h.asked.Template, v)
		}
	}
	return out
}

// saidWhole returns the value that is a text or a choice and that the message repeats word for word; of two
// where one is part of the other, the longer one. It returns -1 for none, and where the message denies something
// beside it.
func (h *heard) saidWhole(values []json.RawMessage) int {
	if h.asked.Closed() && len(h.asked.Choices) == 0 {
		return -1
	}
	said, best, longest := language.PlainWords(h.raw), -1, ""
	for i, text := range h.shown(values) {
		form := language.PlainWords(text)
		switch {
		case form == "" || form != said && (!strings.Contains(form, " ") || !h.saysBeside(form)):
		case best >= 0 && !strings.Contains(form, longest) && !strings.Contains(longest, form):
			return -1 // both are said
		case len(form) > len(longest):
			best, longest = i, form
		}
	}
	return best
}

// saysBeside reports whether the message has some plain words in a row, and denies nothing beside them.
func (h *heard) saysBeside(form string) bool {
	before, behind, ok := strings.Cut(" "+language.PlainWords(h.raw)+" ", " "+form+" ")
	rest := cut(before + " " + behind)
	return ok && !rest.speaksOf(rest.all(), "not", "no", "wrongly", "former", "both", "neither")
}

// mostSaid returns of those values whose words the message says the one of which it says clearly more
// than of any other, or all of them where there is none such.
func (h *heard) mostSaid(values []json.RawMessage, named []int) []int {
	said := listening.Stems(h.raw)
	shown := h.shown(values)
	best, share, second := -1, 0.0, 0.0
	for _, i := range named {
		own, n := listening.Stems(shown[i]), 0
		for st := range own {
			if said[st] {
				n++
			}
		}
		of := float64(n) / float64(max(len(own), 1))
		if of > share {
			best, share, second = i, of, share
		} else {
			second = max(second, of)
		}
	}
	if best >= 0 && share >= mostOfText && second <= share/2 {
		return []int{best}
	}
	return named
}

// mostOfText is the share of its words from which a text counts as said where words of another one are said, too.
const mostOfText = 0.7

// saidAlone returns of those values that the message names the one that a clause consists of, where the
// others stand in clauses that say something of them: "five thousand, the 300 is what others take".
// It returns all of them where there is none such.
func (h *heard) saidAlone(values []json.RawMessage, named []int) []int {
	about := listening.Stems(askedWords(h.asked.Template) + " " + h.asked.Name() + " " + strings.Join(h.asked.Cues, " ") + " " + h.asked.Unit)
	var alone []int
	for _, i := range named {
		for _, m := range h.mentionsOf(values[i]) {
			c := h.clauseAt(m)
			others := slices.ContainsFunc(named, func(k int) bool {
				return k != i && slices.ContainsFunc(h.mentionsOf(values[k]), func(at wordRange) bool { return at.from >= c.from && at.from < c.to })
			})
			if !others && h.saysOnly(wordRange{c.from, m.from}, about) && h.saysOnly(wordRange{m.to, c.to}, about) {
				alone = append(alone, i)
				break
			}
		}
	}
	if len(alone) == 1 {
		return alone
	}
	return named
}

// saysOnly reports whether words say nothing but what some stems are of.
func (h *heard) saysOnly(r wordRange, about map[string]bool) bool {
	r = h.courteous(r)
	for i := r.from; i < r.to; i++ {
		if n := max(h.entry("closer", i, r.to), h.entry("leadin", i, r.to), h.entry("courtesy", i, r.to)); n > 0 {
			i += n - 1
			continue
		}
		if h.idle(i) || language.IsWord("article", h.folded()[i]) || h.lexical("people", h.folded()[i]) {
			continue
		}
		if language.IsWord("asks", h.folded()[i]) {
			return false
		}
		for st := range listening.Stems(h.words[i].Text) {
			if !about[st] {
				return false
			}
		}
	}
	return true
}

// mentionsOf returns where the message says a number or a date.
func (h *heard) mentionsOf(v json.RawMessage) []wordRange {
	list := h.numbersIn(h.asked, h.all(), 1)
	if h.asked.Widget == obligations.Date {
		list = h.datesIn(h.asked, h.all())
	}
	var out []wordRange
	for _, m := range list {
		if m.value != nil && obligations.SameValue(m.value, v) {
			out = append(out, m.wordRange)
		}
	}
	return out
}

// clauseAt returns the clause in which some words begin.
func (h *heard) clauseAt(at wordRange) wordRange {
	for _, c := range h.clauses(h.all()) {
		if at.from >= c.from && at.from < c.to {
			return wordRange{c.from, max(c.to, at.to)}
		}
	}
	return at
}

// spans reports whether a value is the range between two of some values: who names both of them says
// of neither that it holds.
func spans(v json.RawMessage, values []json.RawMessage) bool {
	var r struct{ Min, Max *float64 }
	if json.Unmarshal(v, &r) != nil || r.Min == nil || r.Max == nil {
		return false
	}
	is := func(n float64) bool {
		return slices.ContainsFunc(values, func(x json.RawMessage) bool { return obligations.SameValue(x, field.Encode(n)) })
	}
	return is(*r.Min) && is(*r.Max)
}

// saysRange reports whether the message says a range between two of some values.
func (h *heard) saysRange(values []json.RawMessage) bool {
	return h.asked.Widget == obligations.Number && slices.ContainsFunc(h.numbersIn(h.asked, h.all(), 1), func(m saidValue) bool { return m.value != nil && spans(m.value, values) })
}

// pointedOnly returns which of n values a clause points at that says nothing else, by its place, its age
// or its number: "the latter", "option 2". The last such clause counts; -1 for none.
func (h *heard) pointedOnly(n int) int {
	out := -1
	for _, c := range h.clauses(h.all()) {
		if h.asksIn(c) {
			continue
		}
		if i := h.placeIn(c, n); i >= 0 {
			out = i
		}
	}
	return out
}

// placeIn returns which of n values a clause points at and says nothing else; -1 for none.
func (h *heard) placeIn(c wordRange, n int) int {
	c = h.courteous(c)
	place, ordered := -1, false
	for i := c.from; i < c.to; i++ {
		w := h.folded()[i]
		switch {
		case h.entry("courtesy", i, c.to)+h.entry("closer", i, c.to) > 0:
			i += max(h.entry("courtesy", i, c.to), h.entry("closer", i, c.to)) - 1
		case language.IsWord("former-one", w):
			place = 0
		case language.IsWord("latter-one", w):
			place = n - 1
		case language.IsWord("ordering", w):
			ordered = true
		case ordered && place < 0 && h.countedTo(i, n) > 0:
			place = h.countedTo(i, n) - 1
		case h.idle(i), language.IsWord("article", w), language.IsWord("topic", w), w == "the":
		default:
			return -1
		}
	}
	if place >= 0 && n == 2 && h.speaksOf(c, "not", "wrongly") {
		return 1 - place
	}
	return place
}

// countedTo returns the number that word i is, where it is one from 1 to n; otherwise 0.
func (h *heard) countedTo(i, n int) int {
	for _, f := range h.values.Figures(h.words[i : i+1]) {
		if k := int(f.Low); f.Low == f.High && float64(k) == f.Low && k >= 1 && k <= n {
			return k
		}
	}
	return 0
}

// valueSaid reports whether the message names a value of what was asked, and denies it.
func (h *heard) valueSaid(v json.RawMessage) (named, denied bool) {
	var said []saidValue
	switch h.asked.Widget {
	case obligations.Number:
		said = h.numbersIn(h.asked, h.all(), 1)
	case obligations.Date:
		said = h.datesIn(h.asked, h.all())
	case obligations.ChoiceOne, obligations.MultiSelect:
		for _, c := range h.choicesSaid(h.asked.Template, 0, len(h.raw)) {
			if c.Score >= 1 && slices.Contains(field.Texts(v), h.asked.Choices[c.Choice].Value) {
				named, denied = true, denied || c.Negated || h.speaksOf(h.all(), "wrongly") && len(h.clauses(h.all())) == 1
			}
		}
		return named, denied
	case obligations.Text:
	}
	for _, m := range said {
		if m.value != nil && obligations.SameValue(m.value, v) {
			named, denied = true, denied || m.denied || h.wronglyIn(m.wordRange)
		}
	}
	return named, denied
}

// wronglyIn reports whether the clause that some words are in calls them wrong or gone.
func (h *heard) wronglyIn(at wordRange) bool {
	for _, c := range h.clauses(h.all()) {
		if at.from >= c.from && at.from < c.to {
			return h.speaksOf(c, "wrongly", "former", "former-one", "elses")
		}
	}
	return false
}

// textsSaid returns the texts of which the message has most of the words that tell them apart, and
// whether it denies them.
func (h *heard) textsSaid(values []string) map[int]bool {
	count := map[string]int{}
	for _, v := range values {
		for st := range listening.Stems(v) {
			count[st]++
		}
	}
	out := map[int]bool{}
	for _, s := range h.clauses(h.all()) {
		if h.asksIn(s) && language.IsWord("asks", h.folded()[s.from]) {
			continue
		}
		said := listening.Stems(h.text(s))
		best, most := -1, 0
		for i, v := range values {
			n := 0
			for st := range listening.Stems(v) {
				if said[st] && count[st] == 1 {
					n++
				}
			}
			switch {
			case n > most:
				best, most = i, n
			case n == most:
				best = -1
			}
		}
		if best < 0 {
			continue
		}
		if _, ok := out[best]; !ok {
			out[best] = h.speaksOf(s, "not", "no", "wrongly", "former")
		}
	}
	return out
}

// pointed returns which of n values a short message points at, by its place or age; -1 for none.
func (h *heard) pointed(n int) int {
	if h.count() > mostPointing || h.asks(h.spoken(h.all())) {
		return -1
	}
	first, last := h.speaksOf(h.all(), "former-one"), h.speaksOf(h.all(), "latter-one")
	if first == last {
		return -1
	}
	if h.speaksOf(h.all(), "wrongly", "not", "abandon") && n == 2 { // "not the first one"
		first = !first
	}
	if first {
		return 0
	}
	return n - 1
}

// mostPointing bounds, in words, a message that only points at a value.
const mostPointing = 6
