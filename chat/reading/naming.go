package reading

import (
	"slices"
	"strings"
	"unicode/utf8"

	"quaestor/chat"
	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/obligations"
)

// Words name an obligation in three ways, which differ in how much is known of the words before:
//
//	namings   one of its names stands in the message, word by word, whatever is around it
//	namedIn   a few words that must be a name, as they stand before a colon or "is", have most of one
//	figureOf  a figure stands among a few words, and they have a cue of what it is of, or its unit

// naming is where words name an obligation: by its name, its key or one of its cues.
type naming struct {
	wordRange
	o     *obligations.Obligation
	label bool // by its name, which people are shown
}

// leastLabel is how many letters a name of one word has that is hardly said by chance.
const leastLabel = 5

// namings returns where obligations are named, in the order they stand.
func (r *reader) namings() []naming {
	if r.found != nil {
		return *r.found
	}
	var out []naming
	first := map[string][]int{}
	for i, w := range r.folded() {
		head := language.Head(w, 3)
		first[head] = append(first[head], i)
	}
	for k := range r.scene.Obligations {
		o := &r.scene.Obligations[k]
		bare := len(strings.Fields(language.PlainWords(o.Name())))
		for n, words := range field.Names(o.Template) {
			label := n == 0
			if label && bare == 1 && utf8.RuneCountInString(words[0]) < leastLabel {
				continue
			}
			for _, i := range first[language.Head(words[0], 3)] {
				if r.sameWords(i, words) {
					out = append(out, naming{wordRange{i, i + len(words)}, o, label})
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b naming) int { return a.from - b.from })
	r.found = &out
	return out
}

// mentioned returns the obligation that a stretch names: by most words, the earlier of two by as
// many.
func (r *reader) mentioned(in wordRange, wanted func(*obligations.Obligation) bool) (naming, bool) {
	var best naming
	for _, n := range r.namings() {
		if n.from >= in.from && n.to <= in.to && wanted(n.o) && (best.o == nil || n.len() > best.len() || n.len() == best.len() && n.label && !best.label) {
			best = n
		}
	}
	return best, best.o != nil
}

// any takes every obligation.
func anyOne(*obligations.Obligation) bool { return true }

// Named returns the obligation that the message of a scene names as people are shown it: of
// several the one with the longest name; nil for none.
func Named(s *chat.Scene) *obligations.Obligation {
	r := newReader(s)
	if n, ok := r.mentioned(r.all(), anyOne); ok && n.label {
		return n.o
	}
	return nil
}

func (h *heard) stemsIn(r wordRange) map[string]bool {
	if r.to <= r.from {
		return nil
	}
	return field.Stems(strings.ReplaceAll(strings.Join(h.folded()[r.from:r.to], " "), "'s", ""))
}

// namedIn returns the one field that a few words name as a whole; nil where there is none, or there
// are several.
func (h *heard) namedIn(r wordRange) *obligations.Obligation { return h.namedWith(r, leastStatedWhole) }

// namedWith returns the one field whose name, cues or question have that much of what a few words say,
// see [field.NamedBy]; nil where there is none, or the next is nearly as good.
func (h *heard) namedWith(r wordRange, least float64) *obligations.Obligation {
	words := h.stemsIn(r)
	for st := range words {
		if language.IsWord("deny", st) || language.IsWord("not", st) {
			delete(words, st)
		}
	}
	if len(words) == 0 {
		return nil
	}
	best, most, next := bestOf(h.scene.Obligations, func(o *obligations.Obligation) float64 {
		score := field.NamedBy(o.Template, words)
		if least == leastLabelled && field.NearlyNamedBy(o.Template, words) {
			score += nearlyName
		}
		return score
	})
	if most < least || most < next+clearlyStated {
		return nil
	}
	return best
}

// bestOf returns the first of a list with the most of something, how much that is, and how much the
// next best has; nil where none has any.
func bestOf(list []obligations.Obligation, score func(*obligations.Obligation) float64) (best *obligations.Obligation, most, next float64) {
	for i := range list {
		switch n := score(&list[i]); {
		case n > most:
			best, most, next = &list[i], n, most
		case n > next:
			next = n
		}
	}
	return best, most, next
}

// How much of a name, as [field.NamedBy] measures it, is enough: what a statement begins with may have
// words of its own. The next best field must be that much further off.
const (
	leastStated      = 0.75
	leastLabelled    = 1.28 // in front of a colon, with [nearlyName]
	leastStatedWhole = 1.3
	clearlyStated    = 0.2
)

// nearlyName is what such words have more in front of a colon.
const nearlyName = 0.3
