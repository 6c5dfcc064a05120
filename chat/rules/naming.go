package rules

import (
	"slices"
	"strings"
	"unicode/utf8"

	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// naming is where words name an obligation: by its name, its key or one of its cues.
type naming struct {
	wordRange
	o     *obligations.Obligation
	label bool // by its name, which people are shown
}

// names are the ways to name t, in folded words: its name first, without its article.
func names(t *obligations.Template) [][]string {
	var out [][]string
	for _, text := range append([]string{t.Name(), strings.ReplaceAll(t.Key, "_", " ")}, t.Cues...) {
		words := strings.Fields(plainWords(text))
		if len(words) > 1 && isOne("owner", words[0]) {
			words = words[1:]
		}
		if len(words) > 0 {
			out = append(out, words)
		}
	}
	return out
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
		bare := len(strings.Fields(plainWords(o.Name())))
		for n, words := range names(o.Template) {
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

// ofItsOwn reports whether all stems are of the words of t: its name, question, key and cues.
func ofItsOwn(t *obligations.Template, stems map[string]bool) bool {
	own := listening.Stems(strings.Join(append([]string{t.Name(), t.Prompt, strings.ReplaceAll(t.Key, "_", " ")}, t.Cues...), " "))
	for st := range stems {
		if !own[st] {
			return false
		}
	}
	return true
}
