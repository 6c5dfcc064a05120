package reading

import (
	"slices"
	"strings"

	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// cued reads a sentence that says of which field it speaks by one of its cues, whatever verb that has:
// "we sell to pubs", "they choose us because we turn up on time". What is held already is left alone,
// and so is what may answer the question that was asked.
func (h *heard) cued(s wordRange) (statement, bool) {
	at, o := h.cueIn(s)
	before := wordRange{s.from, at.from}
	if o == nil || slices.ContainsFunc(h.folded()[s.from:at.to], func(w string) bool { return strings.HasSuffix(w, "n't") }) || h.speaksOf(before, "deny", "not", "former", "condition") || h.mayAnswerAsked(s) {
		return statement{}, false
	}
	whole := wordRange{h.jointBefore(at.from, s.from), s.to}
	value := wordRange{at.to, s.to}
	for value.from < value.to {
		if w := h.folded()[value.from]; !isMark(w, ",:") && !language.IsWord("being", w) && !language.IsWord("reason", w) && !language.IsWord("lead", w) {
			break
		}
		value.from++
	}
	value.to = h.newTopic(value)
	whole.to = value.to
	if value.from == value.to || len(h.stemsIn(value)) == 0 { // "the rent is holding us back"
		value, whole.to = wordRange{whole.from, at.from}, at.to
		if value.from == value.to || !language.IsWord("being", h.folded()[value.to-1]) {
			return statement{}, false
		}
		value.to--
	}
	if value.from == value.to || len(h.stemsIn(value)) == 0 {
		return statement{}, false
	}
	return statement{of: o, whole: whole, value: value}, true
}

// cueIn returns the longest cue of several words that stands in a sentence, and whose it is: of an open
// field that was not asked for and is told in words.
func (h *heard) cueIn(s wordRange) (at wordRange, of *obligations.Obligation) {
	for k := range h.scene.Obligations {
		o := &h.scene.Obligations[k]
		if o.Value != nil && !o.Hinted() || h.asked != nil && h.asked.Key == o.Key || h.told(o.Key) || !toldInWords(o.Template) {
			continue
		}
		for _, cue := range o.Cues {
			words := strings.Fields(language.FoldWords(cue))
			if len(words) < fewestOfCue || len(words) <= at.len() {
				continue
			}
			for i := s.from; i+len(words) <= s.to; i++ {
				if h.saysAt(i, words) {
					at, of = wordRange{i, i + len(words)}, o
				}
			}
		}
	}
	return at, of
}

// cuedBy returns the one field of which a cue of several words is nearly all that a few words say: "the
// biggest problem"; nil where there is none.
func (h *heard) cuedBy(r wordRange) (of *obligations.Obligation) {
	stems := h.stemsIn(r)
	for k := range h.scene.Obligations {
		o := &h.scene.Obligations[k]
		for _, cue := range o.Cues {
			words := strings.Fields(language.FoldWords(cue))
			own := listening.Stems(cue)
			if len(words) < fewestOfCue || len(own) == 0 || len(stems) > len(own)+1 {
				continue
			}
			for i := r.from; i+len(words) <= r.to; i++ {
				if h.saysAt(i, words) && of != nil && of != o {
					return nil
				} else if h.saysAt(i, words) {
					of = o
				}
			}
		}
	}
	return of
}

// fewestOfCue is how many words a cue has that says by itself of which field a sentence speaks.
const fewestOfCue = 2

// toldInWords reports whether words and no figure, date or yes answer the question for t.
func toldInWords(t *obligations.Template) bool {
	switch t.Widget {
	case obligations.Text, obligations.MultiSelect:
		return true
	case obligations.ChoiceOne:
		return field.Kind(t) != listening.YesNo
	}
	return false
}

// saysAt reports whether some folded words stand at word i, whatever their endings.
func (h *heard) saysAt(i int, words []string) bool {
	for k, w := range words {
		if got := h.folded()[i+k]; got != w && language.Stem(got) != language.Stem(w) {
			return false
		}
	}
	return true
}

// mayAnswerAsked reports whether a sentence may as well answer the open question that was asked.
func (h *heard) mayAnswerAsked(s wordRange) bool {
	if h.asked == nil || !h.asking() || h.told(h.asked.Key) || !isOpen(h.asked.Template) {
		return false
	}
	return !h.listener.Encoded() || h.fitted(h.asked, h.words[s.from].From, h.words[s.to-1].To, otherAnswers).Asked >= hardlyFits
}

// jointBefore returns where the clause begins that word i is in: behind a comma or an "and", else at from.
func (h *heard) jointBefore(i, from int) int {
	for k := i - 1; k > from; k-- {
		if w := h.folded()[k]; isMark(w, ",;") || language.IsWord("and", w) || language.IsWord("contrast", w) {
			return k + 1
		}
	}
	return from
}

// newTopic returns where some words go on with another thought: behind a comma, "that's why they come",
// or with the speaker ("and we have a shop").
func (h *heard) newTopic(r wordRange) int {
	r.to = h.newSubject(r)
	for i := r.from + 1; i < r.to-1; i++ {
		if isMark(h.folded()[i], ";") || isMark(h.folded()[i], ",") && (language.IsWord("topic", h.folded()[i+1]) || language.IsWord("contrast", h.folded()[i+1])) {
			return i
		}
	}
	return r.to
}
