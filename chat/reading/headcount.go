package reading

import (
	"slices"
	"unicode"

	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/obligations"
)

// countsPeople reports whether t asks for a number of people.
func countsPeople(t *obligations.Template) bool {
	if t.Widget != obligations.Number || field.Unit(t) != "" {
		return false
	}
	return slices.ContainsFunc(language.Words(t.Unit+" "+t.Prompt), func(w language.Word) bool { return language.IsWord("people", language.Fold(w.Text)) })
}

// headcount returns how many people words name part by part: "just me", "me and the three girls",
// "meine Frau und ich", "4 bakers, 2 drivers and an apprentice". ok is false where it is one figure,
// and where the number of a part is not told.
func (h *heard) headcount(words []language.Word) (n float64, hedged, ok bool) {
	terms := h.terms(words)
	self, alone, figures, others, whole := false, false, 0, 0, 0.0
	for _, term := range terms {
		is := func(kind string) bool {
			return slices.ContainsFunc(term, func(w language.Word) bool { return language.IsWord(kind, language.Fold(w.Text)) })
		}
		f, one := h.onlyFigure(term)
		switch {
		case is("including") || is("us") || is("era") || is("not") || is("no") || is("asks") || is("condition"):
			return 0, false, false
		case (is("total") || is("sum")) && one:
			return f.Low, f.Approximate, self || figures > 0
		case is("oneself"):
			if self || one {
				return 0, false, false
			}
			self, alone = true, is("alone")
			n++
		case one && len(term) == f.To-f.From && len(terms) > 2: // "three: my wife, the apprentice and me"
			whole = f.Low
		case is("animal"):
		case one && (self || len(term) > f.To-f.From || len(terms) == 2) && f.Unit == "" && f.Currency == "" && f.Period == "" && !f.Percent && len(term)-(f.To-f.From) <= mostBeside:
			n, hedged = n+f.Low, hedged || f.Approximate
			figures++
		case is("somebody") && !one, h.isName(term) && !one:
			n++
			others++
		case self && one: // "my sister and me, for four years, some 24,000"
			return n, hedged, true
		default:
			return 0, false, false
		}
	}
	if whole > 0 {
		return whole, hedged, self && n == whole
	}
	return n, hedged, self && (len(terms) > 1 || alone || len(words) <= 2) || figures > 1 && others == 0
}

// mostBeside is how many words of a part say who they are, beside how many.
const mostBeside = 4

// terms parts words at what joins them, but not within a figure ("between 10 and 15").
func (h *heard) terms(words []language.Word) [][]language.Word {
	figures := h.values.Figures(words)
	var out [][]language.Word
	begun := 0
	for i := 0; i <= len(words); i++ {
		within := slices.ContainsFunc(figures, func(f language.Figure) bool { return f.From < i && i < f.To })
		if i < len(words) && (within || !language.IsWord("joins", language.Fold(words[i].Text))) {
			continue
		}
		if i > begun {
			out = append(out, words[begun:i])
		}
		begun = i + 1
	}
	return out
}

// onlyFigure returns the one number in words; false where there is none, several or a range.
func (h *heard) onlyFigure(words []language.Word) (language.Figure, bool) {
	list := slices.DeleteFunc(h.values.Figures(words), func(f language.Figure) bool {
		return f.To-f.From == 1 && language.IsWord("article", language.Fold(words[f.From].Text))
	})
	if len(list) != 1 || list[0].Low != list[0].High {
		return language.Figure{}, false
	}
	return list[0], true
}

// isName reports whether a term begins with a name, in a language that writes other things small.
func (h *heard) isName(term []language.Word) bool {
	word := language.Fold(term[0].Text)
	known := slices.ContainsFunc(language.All(), func(l *language.Lexicon) bool { return l.Knows(word) })
	l := language.Lexicons()[h.language()]
	return l != nil && !l.Has("capitals", "things") && !known && unicode.IsUpper([]rune(term[0].Text)[0])
}

// peopleIn returns the count of people in the clause around two bytes of a segment, with where it
// stands; a value without one where nobody is counted one by one.
func (h *heard) peopleIn(from, to, least, most int) valueRead {
	r := h.within(least, most)
	for r.from < r.to && h.words[r.to-1].From >= to && isMark(h.words[r.to-1].Text, ".!?") {
		r.to--
	}
	for _, s := range h.sentences() {
		if h.words[s.from].From <= from && from < h.words[s.to-1].To {
			r = wordRange{max(r.from, s.from), min(r.to, s.to)}
		}
	}
	for r.from < r.to && language.IsWord("opener", language.Fold(h.words[r.from].Text)) && !language.IsWord("alone", language.Fold(h.words[r.from].Text)) {
		r.from++
	}
	if r.from >= r.to || r.to-r.from > longestHeadcount {
		return valueRead{}
	}
	n, hedged, ok := h.headcount(h.words[r.from:r.to])
	if !ok {
		return valueRead{}
	}
	return valueRead{value: field.Encode(n), hedged: hedged, from: h.words[r.from].From, to: h.words[r.to-1].To, sure: 1}
}

// longestHeadcount bounds, in words, what people are counted in.
const longestHeadcount = 16
