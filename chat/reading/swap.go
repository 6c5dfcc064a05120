package reading

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// swapped exchanges the values of two obligations where the message says that they were
// mixed up: of the two it names, else, where it points at them ("those two"), of the two
// last told that take the same kind of input.
func (h *heard) swapped(seg *listening.Segment) bool {
	said := language.FoldWords(h.said.Text[seg.From:seg.To])
	points := language.Says("swap", said)
	if !points && !language.Says("mixed", said) {
		return false
	}
	var named, held []*obligations.Obligation
	for i := range h.scene.Obligations {
		o := &h.scene.Obligations[i]
		if o.Value == nil || o.Resolved() && o.Status == obligations.Skipped {
			continue
		}
		held = append(held, o)
		if h.mentions(seg, o) || strings.Contains(" "+said+" ", " "+language.FoldWords(o.Name())+" ") {
			named = append(named, o)
		}
	}
	if len(named) != 2 && points {
		slices.SortStableFunc(held, func(a, b *obligations.Obligation) int { return cmp.Compare(lastTurn(b), lastTurn(a)) })
		named = lastAlike(held)
	}
	if len(named) != 2 {
		return false
	}
	a, b := named[0], named[1]
	return h.exchange(a, b.Value, seg) && h.exchange(b, a.Value, seg)
}

// lastAlike returns the first two of list that take the same kind of input.
func lastAlike(list []*obligations.Obligation) []*obligations.Obligation {
	for i, a := range list {
		for _, b := range list[i+1:] {
			if a.Widget == b.Widget && len(a.Choices) == 0 {
				return []*obligations.Obligation{a, b}
			}
		}
	}
	return nil
}

func (h *heard) exchange(o *obligations.Obligation, v json.RawMessage, seg *listening.Segment) bool {
	return h.note(o.Key, valueRead{value: v, from: seg.From, to: seg.To, sure: 1}, obligations.Correct, 0)
}

// mostSwapped bounds, in words, a message that says that two answers were mixed up.
const mostSwapped = 24
