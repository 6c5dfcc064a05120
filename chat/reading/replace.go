package reading

import (
	"slices"
	"strings"

	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// replaced reads changes that name what was wrong along with what is right, wherever they
// stand in a message and whatever was asked: "since 2018, not 2019", "nicht Köln, sondern
// Bonn". There may be several of them. It reports whether there was one.
func (h *heard) replaced() bool {
	found := false
	for _, s := range h.sentences() {
		if !h.deniesIn(s) {
			continue
		}
		for _, o := range h.heldTypedFirst() {
			old, v := h.replacement(o, s)
			if v.value == nil || h.told(o.Key) || h.isSettled(h.words[old.from].From, h.words[old.to-1].To) || obligations.SameValue(v.value, o.Value) || !h.note(o.Key, v, obligations.Correct, 0) {
				continue
			}
			first, last := h.firstWord(min(h.words[old.from].From, v.from)), old.to
			for last < s.to && h.words[last-1].To < v.to {
				last++
			}
			h.settled = append(h.settled, h.clauseAround(s, wordRange{first, last}))
			found = true
		}
		found = h.unheldFigure(s) || found
	}
	if found {
		h.hearBeside()
	}
	return found
}

// heldTypedFirst returns the obligations that hold a value, open texts last: a figure that an
// obligation of its own holds is no part of a text.
func (h *heard) heldTypedFirst() []*obligations.Obligation {
	var typed, texts []*obligations.Obligation
	for i := range h.scene.Obligations {
		switch o := &h.scene.Obligations[i]; {
		case o.Value == nil || o.Hinted():
		case o.Widget == obligations.Text:
			texts = append(texts, o)
		default:
			typed = append(typed, o)
		}
	}
	return append(typed, texts...)
}

// unheldFigure settles a figure that is denied and that nothing holds, with the one that is said
// instead: neither is told for anything else. Unless more is understood, the person is asked
// which answer they mean.
func (h *heard) unheldFigure(s wordRange) bool {
	var wrong, right *wordRange
	for _, f := range h.values.Figures(h.words[s.from:s.to]) {
		at := wordRange{s.from + f.From, s.from + f.To}
		switch {
		case h.isSettled(h.words[at.from].From, h.words[at.to-1].To):
		case h.isRejected(at.from):
			wrong = &at
		default:
			right = &at
		}
	}
	if wrong == nil || right == nil || gapBetween(*wrong, *right) > nearInstead || h.saysMore(s, *wrong, *right) {
		return false
	}
	h.which = true
	h.settled = append(h.settled, h.clauseAround(s, wordRange{min(wrong.from, right.from), max(wrong.to, right.to)}))
	return true
}

// saysMore reports whether a sentence says something beside two figures: "20 calls a morning
// instead of 90" may be an answer.
func (h *heard) saysMore(s, a, b wordRange) bool {
	more := 0
	for i := s.from; i < s.to; i++ {
		if (i < a.from || i >= a.to) && (i < b.from || i >= b.to) && !h.idle(i) {
			more++
		}
	}
	return more > 1
}

// nearInstead is how many words stand at most between a figure that is denied and the right one.
const nearInstead = 5

// hearBeside hears by itself what is said beside what is settled, unless that only connects.
func (h *heard) hearBeside() {
	rest := []byte(h.unsettled())
	for from := 0; from < len(h.words); {
		to := from
		says := false
		for ; to < len(h.words) && !h.isSettled(h.words[to].From, h.words[to].To); to++ {
			w := h.folded()[to]
			says = says || !isMark(w, ",.;:!?-") && !language.IsWord("loose", w) && !language.IsWord("opener", w) && !language.IsWord("no", w) && !language.IsWord("mend", w)
		}
		for i := from; i < to && !says; i++ {
			for k := h.words[i].From; k < h.words[i].To; k++ {
				rest[k] = ' '
			}
		}
		from = to + 1
	}
	h.said.Segments = nil
	if strings.TrimLeft(string(rest), " ,.;:!?-") != "" {
		h.said.Segments = h.again(string(rest)).Segments
	}
	for _, r := range h.settled {
		h.said.Set(r.from, r.to, listening.Correction)
	}
}

// firstWord returns the word that byte at is in.
func (h *heard) firstWord(at int) int {
	return max(0, slices.IndexFunc(h.words, func(w language.Word) bool { return w.To > at }))
}

// clauseAround returns a stretch of a sentence with the words that lead to it and end it, up to
// where another clause begins.
func (h *heard) clauseAround(s, r wordRange) byteRange {
	ends := func(i int) bool {
		return isMark(h.words[i].Text, ",.;:!?\n") || language.IsWord("order", h.words[i].Text) || h.folded()[i] == "and" || h.folded()[i] == "und"
	}
	for r.from > s.from && !ends(r.from-1) {
		r.from--
	}
	for r.to < s.to && !ends(r.to) {
		r.to++
	}
	return byteRange{h.words[r.from].From, h.words[r.to-1].To}
}

// isSettled reports whether some of the bytes of a stretch are read already: as a change that names
// both values, or under a heading.
func (h *heard) isSettled(from, to int) bool {
	return slices.ContainsFunc(h.settled, func(r byteRange) bool { return from < r.to && r.from < to })
}

// deniesIn reports whether a stretch says that something is not so, or instead of something.
func (h *heard) deniesIn(s wordRange) bool {
	for i := s.from; i < s.to; i++ {
		if h.rejects(i) {
			return true
		}
	}
	return false
}

// rejects reports whether word i says that what follows is wrong: "not", "statt", "instead of".
func (h *heard) rejects(i int) bool {
	w := h.folded()[i]
	return language.IsWord("not", w) || i > 0 && language.IsWord("not", h.folded()[i-1]+"_"+w)
}

// isRejected reports whether word i is said to be wrong, by one of the few words before it.
func (h *heard) isRejected(i int) bool {
	for k := i - 1; k >= max(0, i-4); k-- {
		if w := h.folded()[k]; isMark(w, ",.;:!?") || language.IsWord("contrast", w) {
			return false
		}
		if h.rejects(k) {
			return true
		}
	}
	return false
}

// replacement returns where a sentence denies what o holds, and what it says instead.
func (h *heard) replacement(o *obligations.Obligation, s wordRange) (old wordRange, v valueRead) {
	var said []saidValue
	switch {
	case len(o.Choices) > 0:
		return h.otherChoice(o, s)
	case o.Widget == obligations.Number:
		if said = h.numbersIn(o, s, 1); !deniesHeld(o, said) {
			said = h.numbersIn(o, s, thousand)
		}
	case o.Widget == obligations.Date:
		said = h.datesIn(o, s)
	case o.Widget == obligations.Text:
		return h.otherText(o, s)
	}
	at := slices.IndexFunc(said, func(m saidValue) bool { return m.denies(o) })
	if at < 0 {
		return wordRange{}, valueRead{}
	}
	best := -1
	for i, m := range said {
		if i != at && !m.denied && (best < 0 || gapBetween(m.wordRange, said[at].wordRange) < gapBetween(said[best].wordRange, said[at].wordRange)) {
			best = i
		}
	}
	if best < 0 || said[best].value == nil {
		return wordRange{}, valueRead{} // "nine days, not ten" changes no number of people
	}
	m := said[best]
	return said[at].wordRange, valueRead{value: m.value, from: h.words[m.from].From, to: h.words[m.to-1].To, hedged: m.hedged, sure: 1, spanned: true}
}

// saidValue is a figure or a date as a value of an obligation, nil where it is none, and where it
// stands.
type saidValue struct {
	wordRange
	value  []byte
	hedged bool
	denied bool
}

// denies reports whether it is what o holds, and called wrong.
func (m *saidValue) denies(o *obligations.Obligation) bool {
	return m.denied && m.value != nil && obligations.SameValue(m.value, o.Value)
}

func deniesHeld(o *obligations.Obligation, said []saidValue) bool {
	return slices.ContainsFunc(said, func(m saidValue) bool { return m.denies(o) })
}

// thousand is what people leave out who put figures right: "it's not 140, it's 150" of 140,000.
const thousand = 1000

func gapBetween(a, b wordRange) int {
	if a.from < b.from {
		return b.from - a.to
	}
	return a.from - b.to
}

// numbersIn returns the figures of a sentence as values of o, those below a thousand so many times.
func (h *heard) numbersIn(o *obligations.Obligation, s wordRange, times float64) []saidValue {
	var out []saidValue
	for _, f := range h.values.Figures(h.words[s.from:s.to]) {
		at := wordRange{s.from + f.From, s.from + f.To}
		if at.to < s.to && language.IsWord("of", h.folded()[at.to]) && h.entry("closer", at.to, s.to) == 0 {
			continue // "three of those"
		}
		if f.High < thousand {
			f.Low, f.High = f.Low*times, f.High*times
		}
		out = append(out, saidValue{at, field.Figure(o.Template, &f), f.Approximate, h.isRejected(at.from)})
	}
	return out
}

func (h *heard) datesIn(o *obligations.Obligation, s wordRange) []saidValue {
	d := language.Ahead
	if field.LooksBack(o.Template) {
		d = language.Behind
	}
	var out []saidValue
	for _, date := range h.values.Dates(h.words[s.from:s.to], h.scene.Now, d) {
		at := wordRange{s.from + date.From, s.from + date.To}
		out = append(out, saidValue{at, field.Encode(date.In(d)), date.Approximate, h.isRejected(at.from)})
	}
	return out
}

// otherChoice returns where a sentence denies the choice that o holds, and the other one it
// names.
func (h *heard) otherChoice(o *obligations.Obligation, s wordRange) (old wordRange, v valueRead) {
	for i := range o.Choices {
		c := &o.Choices[i]
		if !obligations.SameValue(field.Encode(c.Value), o.Value) {
			continue
		}
		at, ok := h.deniedWords(s, strings.Fields(language.FoldWords(c.Label)))
		if !ok {
			return wordRange{}, valueRead{}
		}
		from, to := h.words[s.from].From, h.words[s.to-1].To
		return at, valueRead{value: field.Pick(o.Template, h.choicesSaid(o.Template, from, to), 1), from: from, to: to, sure: 1, spanned: true}
	}
	return wordRange{}, valueRead{}
}

// deniedWords returns where some words stand in a sentence, denied.
func (h *heard) deniedWords(s wordRange, words []string) (wordRange, bool) {
	for i := s.from; len(words) > 0 && i+len(words) <= s.to; i++ {
		if slices.Equal(h.folded()[i:i+len(words)], words) && h.isRejected(i) {
			return wordRange{i, i + len(words)}, true
		}
	}
	return wordRange{}, false
}

// otherText returns where a short sentence denies the text that o holds, or a part of it, and
// the text with what is said instead.
func (h *heard) otherText(o *obligations.Obligation, s wordRange) (old wordRange, v valueRead) {
	if s.to-s.from > longestReplaced {
		return wordRange{}, valueRead{}
	}
	held := field.Text(o.Value)
	words := language.Words(held)
	var parts []string
	for _, w := range words {
		parts = append(parts, language.Fold(w.Text))
	}
	from, to, at := longestDenied(h, s, parts)
	if to <= from {
		return wordRange{}, valueRead{}
	}
	v = h.insteadOf(o, s, at)
	if v.value == nil || from == 0 && to == len(parts) {
		return at, v
	}
	if figures := h.values.Figures(language.Words(field.Text(v.value))); len(figures) == 1 && figures[0].Unit == "" && len(h.values.Figures(words[from:from+1])) == 1 {
		to = from + 1 // "not 2 hours, more like 3"
	}
	said := language.Words(field.Text(v.value))
	if from > 0 && at.from > 0 && language.IsWord("article", parts[from-1]) && language.IsWord("article", h.folded()[at.from-1]) {
		from-- // "yoga, not a class"
	}
	for from > 0 && language.Fold(said[0].Text) == parts[from-1] {
		from--
	}
	for to < len(parts) && language.Fold(said[len(said)-1].Text) == parts[to] { // "small businesses, not enterprise" of enterprise businesses
		to++
	}
	v.value = field.Encode(held[:words[from].From] + field.Text(v.value) + held[words[to-1].To:])
	return at, v
}

// longestDenied returns the longest run of words of a text that a sentence denies, of which
// one at least says something, and where it stands in the sentence.
func longestDenied(h *heard, s wordRange, parts []string) (from, to int, at wordRange) {
	for n := min(len(parts), s.to-s.from); n > 0; n-- {
		for i := 0; i+n <= len(parts); i++ {
			run := parts[i : i+n]
			if language.IsWord("loose", run[0]) || language.IsWord("loose", run[n-1]) || strings.ContainsAny(run[0]+run[n-1], ",.;:!?") {
				continue
			}
			if found, ok := h.deniedWords(s, run); ok {
				return i, i + n, found
			}
		}
	}
	return 0, 0, wordRange{}
}

// insteadOf reads what a sentence says in the place of the denied words: the clause before the
// denial where it ends with them ("A, not B"), or what stands behind them ("not B but A").
func (h *heard) insteadOf(o *obligations.Obligation, s, old wordRange) valueRead {
	deny := old.from - 1
	for deny > s.from && language.IsWord("loose", h.folded()[deny]) && !h.rejects(deny) {
		deny--
	}
	if deny < s.from || !h.rejects(deny) {
		return valueRead{}
	}
	if deny > s.from && language.IsWord("not", h.folded()[deny-1]+"_"+h.folded()[deny]) { // "instead of"
		deny--
	}
	if old.to == s.to {
		before := wordRange{s.from, deny}
		for i := deny - 2; i >= s.from; i-- { // only the clause that leads to it: "well, it's A, not B"
			if h.folded()[i] == "," {
				before.from = i + 1
				break
			}
		}
		return h.shortText(o, h.trimmedRange(before))
	}
	if next := h.folded()[old.to]; next != "," && !language.IsWord("contrast", next) {
		return valueRead{}
	}
	return h.shortText(o, h.trimmedRange(wordRange{old.to, s.to}))
}

// trimmedRange leaves out what leads to a value and what ends it: "it is", "but", "sondern".
func (h *heard) trimmedRange(r wordRange) wordRange {
	for r.from < r.to && h.idle(r.from) {
		r.from++
	}
	for r.from < r.to && h.idle(r.to-1) {
		r.to--
	}
	return r
}

// idle reports whether word i only leads to what is said: "it is", "no", "but".
func (h *heard) idle(i int) bool {
	w := h.folded()[i]
	return isMark(w, ",.;:!?-") || slices.ContainsFunc([]string{"opener", "speaker", "predicate", "contrast", "mend", "loose", "yes", "no", "not"}, func(kind string) bool { return language.IsWord(kind, w) })
}

// shortText reads a few words as a text of o.
func (h *heard) shortText(o *obligations.Obligation, r wordRange) valueRead {
	if r.to <= r.from || r.to-r.from > longestName {
		return valueRead{}
	}
	from, to := h.words[r.from].From, h.words[r.to-1].To
	v := valueRead{value: field.Encode(h.said.Text[from:to]), from: from, to: to, sure: 1, spanned: true}
	if kind := field.Kind(o.Template); kind != listening.Text {
		return h.valueOf(o.Template, kind, []listening.Span{{Type: kind, From: from, To: to, Sure: 1}}, &listening.Segment{From: from, To: to})
	}
	return v
}

// longestReplaced bounds, in words, a sentence that corrects a text.
const longestReplaced = 12

// longestName is how many words stand for a part of a text that was wrong.
const longestName = 6
