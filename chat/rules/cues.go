package rules

import (
	"slices"
	"strings"

	"quaestor/obligations"
)

// cueHit is a place where words announce an obligation.
type cueHit struct {
	o        *obligations.Obligation
	from, to int // words, to excluded
	label    bool
}

// cueHits finds the cues and labels of list among the words of u, in linear
// time.
func cueHits(u *utterance, list []*obligations.Obligation) []cueHit {
	index := map[string][]int{}
	for i, w := range u.words {
		index[w.stem] = append(index[w.stem], i)
	}
	var out []cueHit
	for _, o := range list {
		for _, cue := range cuesOf(o.Template) {
			for _, i := range index[cue.stems[0]] {
				if i+len(cue.stems) <= len(u.words) && u.like(i, cue.stems) {
					out = append(out, cueHit{o, i, i + len(cue.stems), cue.label})
				}
			}
		}
	}
	return out
}

// cue is the stems of a phrase that announces an obligation.
type cue struct {
	stems []string
	label bool
}

// names reports whether h is the name of its obligation, be it one of its cues as well.
func (h cueHit) names(u *utterance) bool {
	return h.label || slices.Equal(cut(h.o.Name()), strings.Fields(u.join(h.from, h.to)))
}

// cuesOf returns the cues of t, its label last when it is distinct enough to
// announce anything.
func cuesOf(t *obligations.Template) []cue {
	var out []cue
	for _, words := range phrases(t.Cues...) {
		out = append(out, cue{stems(words), false})
	}
	for _, words := range phrases(t.Name(), strings.ReplaceAll(t.Key, "_", " ")) {
		known := slices.ContainsFunc(out, func(c cue) bool { return slices.Equal(c.stems, stems(words)) })
		if !known && (len(words) > 1 || len(words[0]) >= 5) {
			out = append(out, cue{stems(words), true})
		}
	}
	return out
}

// mentioned returns the obligation whose name or cue stands among words from to
// (excluded): the longest one, the earlier of two as long. Held ones come first
// when held is wanted.
func (r *reader) mentioned(from, to int, wanted func(*obligations.Obligation) bool) (cueHit, bool) {
	var best cueHit
	for _, h := range r.cueHitsIn(from, to) {
		if !wanted(h.o) {
			continue
		}
		if best.o == nil || h.to-h.from > best.to-best.from || (h.to-h.from == best.to-best.from && h.label && !best.label) {
			best = h
		}
	}
	return best, best.o != nil
}

// cueHitsIn returns the announcements that lie within words from to (excluded).
func (r *reader) cueHitsIn(from, to int) []cueHit {
	all := r.cueHits()
	first, _ := slices.BinarySearchFunc(all, from, func(h cueHit, from int) int { return h.from - from })
	last, _ := slices.BinarySearchFunc(all, to, func(h cueHit, to int) int { return h.from - to })
	if first >= last {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(all[first:last]), func(h cueHit) bool { return h.to > to })
}

// cueHits finds all announcements in the message, once, in the order they
// stand.
func (r *reader) cueHits() []cueHit {
	if r.cues == nil {
		list := make([]*obligations.Obligation, len(r.scene.Obligations))
		for i := range r.scene.Obligations {
			list[i] = &r.scene.Obligations[i]
		}
		r.cues = cueHits(r.u, list)
		slices.SortStableFunc(r.cues, func(a, b cueHit) int { return a.from - b.from })
		if r.cues == nil {
			r.cues = []cueHit{}
		}
	}
	return r.cues
}
