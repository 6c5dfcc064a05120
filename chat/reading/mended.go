package reading

import (
	"slices"

	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/obligations"
	"quaestor/sessions"
)

// mended reads a figure or a date that is put right as soon as it is said, in answer to what was
// asked: "£18k, no wait 16", "June. Sorry, July".
func (h *heard) mended() {
	if h.asked == nil || h.purpose() != sessions.ToAsk || h.told(h.asked.Key) || h.count() > longestMended {
		return
	}
	v := valueRead{sure: 1, spanned: true}
	switch h.asked.Widget {
	case obligations.Number:
		list := slices.DeleteFunc(h.values.Figures(h.words), func(f language.Figure) bool { return field.Figure(h.asked.Template, &f) == nil })
		for i := len(list) - 1; i > 0; i-- {
			was, is := list[i-1], list[i]
			if h.contrasts(was.To, is.From) {
				v.value, v.hedged = field.Figure(h.asked.Template, &was), was.Approximate
				v.from, v.to = h.words[was.From].From, h.words[is.To-1].To
				break
			}
			if h.mends(was.To, is.From) || was.From > 0 && language.IsWord("not", h.folded()[was.From-1]) && h.parts(was.To, is.From) {
				v.value, v.hedged = field.Figure(h.asked.Template, inScaleOf(was, is)), is.Approximate
				v.from, v.to = h.words[was.From].From, h.words[is.To-1].To
				break
			}
		}
	case obligations.Date:
		toward := language.Ahead
		if field.LooksBack(h.asked.Template) {
			toward = language.Behind
		}
		list := h.values.Dates(h.words, h.scene.Now, toward)
		for i := len(list) - 1; i > 0; i-- {
			if was, is := list[i-1], list[i]; h.mends(was.To, is.From) {
				v.value, v.hedged = field.Encode(is.In(toward)), is.Approximate
				v.from, v.to = h.words[was.From].From, h.words[is.To-1].To
				break
			}
		}
	}
	if v.value != nil && h.note(h.asked.Key, v, obligations.Tell, 0) {
		h.settled = append(h.settled, byteRange{v.from, v.to})
	}
}

// longestMended bounds, in words, a message that puts right what it has just said.
const longestMended = 30

// mends reports whether the words between two figures say no more than that the second holds, and
// not the first.
func (h *heard) mends(from, to int) bool {
	retracted := false
	for i := to - 1; i >= from; i-- {
		switch word := h.folded()[i]; {
		case isMark(word, ",.;:!…-–—"):
			if retracted && i-from <= longestAfter {
				return true // "182,000 last year I think, no 178"
			}
		case language.IsWord("retracts", word):
			retracted = true
		case !language.IsWord("mend", word) && !language.IsWord("article", word) && !language.IsWord("or", word):
			return false
		}
	}
	return retracted
}

// longestAfter is how many words may follow a figure before it is put right.
const longestAfter = 5

// contrasts reports whether the words between two figures say no more than that the second does not
// hold: "12 people, not 15".
func (h *heard) contrasts(from, to int) bool {
	nots := 0
	for i := from; i < to; i++ {
		switch word := h.folded()[i]; {
		case language.IsWord("not", word):
			nots++
		case !isMark(word, ",.;:!…-–—") && !language.IsWord("people", word) && !language.IsWord("and", word):
			return false
		}
	}
	return nots == 1
}

// parts reports whether the words between two figures only lead from one to the other: "not 5, more
// like 6".
func (h *heard) parts(from, to int) bool {
	for i := from; i < to; i++ {
		if word := h.folded()[i]; !isMark(word, ",.;:!…-–—") && !language.IsWord("mend", word) && !language.IsWord("retracts", word) && !language.IsWord("contrast", word) && !language.IsWord("like", word) {
			return false
		}
	}
	return true
}

// inScaleOf returns a figure as it is meant that puts another right: in its currency, and in
// thousands where that was and it says nothing of its own scale ("£18k, no wait 16").
func inScaleOf(was, is language.Figure) *language.Figure {
	if is.Currency == "" {
		is.Currency = was.Currency
	}
	if is.Unit == "" {
		is.Unit = was.Unit
	}
	if is.Period == "" {
		is.Period = was.Period
	}
	if was.Low >= 1000 && is.High < was.Low/20 && is.High*1000 < 20*was.Low && is.High*1000 > was.Low/20 {
		is.Low, is.High = 1000*is.Low, 1000*is.High
	}
	return &is
}
