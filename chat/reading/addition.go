package reading

import (
	"slices"
	"strings"

	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// latestYes is the word by which a yes to what is read back ends where more is told behind it: "yep that's
// it, plus we do a bit of fencing".
const latestYes = 5

// addsToYes adds what is told behind a yes to the text that was read back, if it answers the same
// question: "yes. hedges and lawns, battery tools only".
func (h *heard) addsToYes() {
	o := h.asked
	if !h.listener.Encoded() || o == nil || field.Kind(o.Template) != listening.Text || len(o.Choices) > 0 || o.Value == nil || !h.agreed(o.Key) || strings.Contains(h.raw, "?") {
		return
	}
	begin := -1
	for i := 1; i < len(h.words) && i <= latestYes && begin < 0; i++ {
		if isMark(h.folded()[i], ",.;:!–—-") {
			begin = i + 1
		}
	}
	for begin > 0 && begin < len(h.words) && (language.IsWord("opener", h.folded()[begin]) || language.IsWord("and", h.folded()[begin]) || language.IsWord("contrast", h.folded()[begin]) || language.IsWord("also", h.folded()[begin]) || language.IsWord("part", h.folded()[begin])) {
		begin++
	}
	if begin < 0 || begin >= len(h.words) || len(h.out.Findings) > 1 {
		return
	}
	rest := wordRange{begin, len(h.words)}
	if len(h.stemsIn(rest)) < leastAdded || h.speaksOf(rest, "no", "not", "deny", "amend", "wrongly") || h.entryIn("noteorder", rest) {
		return
	}
	from, to := h.bytes(rest)
	for i := range h.said.Segments {
		seg := &h.said.Segments[i]
		if _, set := h.phraseAt(seg); seg.From >= from && (set || answersNothing[seg.Act] && seg.Act != listening.Correction && seg.Sure >= surelyTalk) {
			return
		}
	}
	if h.isSettled(from, to) || h.fitted(o, from, to, otherAnswers).Asked < leastFit {
		return
	}
	more := h.statement(o.Template, from, to)
	if more.value == nil {
		return
	}
	more.value = field.Encode(field.Text(o.Value) + "; " + field.Text(more.value))
	more.sure = 1
	h.notedInstead(o, more)
}

// notedInstead notes a value in place of all that was found for a field; that stays where the value cannot be.
func (h *heard) notedInstead(o *obligations.Obligation, v valueRead) {
	found := h.out.Findings
	h.out.Findings = slices.DeleteFunc(slices.Clone(found), func(f obligations.Finding) bool { return f.Key == o.Key })
	if !h.note(o.Key, v, obligations.Correct, 0) {
		h.out.Findings = found
	}
}

// leastAdded is how many words that say something are told behind a yes at least.
const leastAdded = 2

// agreed reports whether what is held of a field was just said to be right.
func (h *heard) agreed(key string) bool {
	for i := range h.out.Findings {
		if f := &h.out.Findings[i]; f.Key == key && f.Act == obligations.Confirm {
			return true
		}
	}
	return false
}
