package reading

import (
	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/obligations"
)

// longestPutIn bounds, in words, an order to note a choice.
const longestPutIn = 10

// putIn notes the choice that a sentence orders to be noted, "please put services", "tragen Sie bitte
// Dienstleistung ein", for the one field that has it. It reports whether there was one.
func (h *heard) putIn() bool {
	for _, s := range h.sentences() {
		from, to := h.bytes(s)
		c := h.courteous(s)
		if h.asksIn(s) || s.len() > longestPutIn || h.isSettled(from, to) || h.deniesIn(s) {
			continue
		}
		for c.from < c.to && (language.IsWord("opener", h.folded()[c.from]) || language.IsWord("and", h.folded()[c.from])) {
			c.from++
		}
		if c.from >= c.to || !language.IsWord("putin", h.folded()[c.from]) {
			continue
		}
		var of *obligations.Obligation
		var v valueRead
		for i := range h.scene.Obligations {
			o := &h.scene.Obligations[i]
			if o.Widget != obligations.ChoiceOne || len(o.Choices) < 3 || h.told(o.Key) {
				continue
			}
			value := field.Pick(o.Template, h.choicesSaid(o.Template, from, to), 1)
			if value == nil {
				continue
			}
			if of != nil {
				of = nil
				break
			}
			of, v = o, valueRead{value: value, from: from, to: to, sure: 1}
		}
		if of == nil || of.Value != nil && obligations.SameValue(of.Value, v.value) {
			continue
		}
		act := obligations.Correct
		if of.Value == nil {
			act = obligations.Tell
		}
		if h.note(of.Key, v, act, 0) {
			h.settled = append(h.settled, byteRange{from, to})
			h.hearBeside()
			return true
		}
	}
	return false
}
