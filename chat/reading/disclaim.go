package reading

import (
	"slices"
	"strings"

	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/obligations"
)

// longestDisclaimed bounds, in words, a sentence that says of a field only that what is noted of it is
// none of that.
const longestDisclaimed = 16

// disclaimed takes back what is held of a field of which a sentence says that there is none, or that what
// is noted is wrong: "390 is the base fee, no budget", "das Budget stimmt immer noch nicht", "take the
// budget out". It reports whether there was one.
func (h *heard) disclaimed() bool {
	found := false
	for _, s := range h.sentences() {
		if from, to := h.bytes(s); h.asksIn(s) || s.len() > longestDisclaimed || h.isSettled(from, to) {
			continue
		}
		for _, c := range h.clauses(s) {
			o, at := h.heldNamed(c)
			if o == nil || h.told(o.Key) || !h.disclaims(o, c, at) {
				continue
			}
			from, to := h.bytes(s)
			h.deny(o)
			h.settled = append(h.settled, byteRange{from, to})
			found = true
			break
		}
	}
	if found {
		h.hearBeside()
	}
	return found
}

// heldNamed returns the one field with a value whose whole name stands in a clause, and the first word of
// it there.
func (h *heard) heldNamed(c wordRange) (of *obligations.Obligation, at int) {
	stems := h.stemsIn(c)
	for i := range h.scene.Obligations {
		o := &h.scene.Obligations[i]
		name := field.Stems(o.Name())
		if o.Value == nil || len(name) == 0 || len(o.Choices) > 0 {
			continue
		}
		all := true
		for st := range name {
			all = all && stems[st]
		}
		if !all {
			continue
		}
		first := slices.IndexFunc(h.folded()[c.from:c.to], func(w string) bool {
			for st := range field.Stems(w) {
				if name[st] {
					return true
				}
			}
			return false
		})
		switch {
		case first < 0:
			continue
		case of != nil:
			return nil, 0
		}
		of, at = o, c.from+first
	}
	return of, at
}

// disclaims reports whether a clause says of the field whose name begins at word at that there is none,
// that what is noted is wrong, or that it is to go.
func (h *heard) disclaims(o *obligations.Obligation, c wordRange, at int) bool {
	figure := o.Widget == obligations.Number || o.Widget == obligations.Date // of a text people say that for other reasons: "no problem"
	name := len(strings.Fields(language.FoldWords(o.Name())))
	none := figure && h.spelled(h.words[at].From, h.words[c.to-1].To) <= name // and nothing else is said of it
	denied, wrong := false, false
	for i := c.from; i < c.to; i++ {
		w := h.folded()[i]
		denies := strings.HasSuffix(w, "n't") || language.IsWord("not", w) || language.IsWord("no", w)
		denied = denied || none && denies && i < at && at-i <= reachOfNone && len(h.values.Figures(h.words[i:at])) == 0
		wrong = wrong || denies && i > at // "no the budget is right" says the contrary
	}
	return denied || wrong && h.speaksOf(c, "rightness") || figure && h.entryIn("outright", c)
}

// reachOfNone is how many words a denial stands before the name of what there is none of: "not got a
// budget".
const reachOfNone = 3

// entryIn reports whether an entry of a lexicon stands anywhere in a stretch.
func (h *heard) entryIn(kind string, r wordRange) bool {
	for i := r.from; i < r.to; i++ {
		if h.entry(kind, i, r.to) > 0 {
			return true
		}
	}
	return false
}
