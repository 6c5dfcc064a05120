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
