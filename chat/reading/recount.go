package reading

import (
	"slices"

	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/obligations"
)

// recounted reads a figure that puts right what holds another one that the message names: the sum of
// that and more, "40 come in, plus 3 of us, 43 together", or, where that was said of another period
// than was asked for, the one that holds now. It reports whether there was one.
func (h *heard) recounted() bool {
	if len(h.words) > longestMended {
		return false
	}
	figures := h.values.Figures(h.words)
	if len(figures) == 1 && h.numberWrong(figures[0]) {
		return true
	}
	if len(figures) < 2 || h.asks(h.spoken(h.all())) {
		return false
	}
	for _, o := range h.heldTypedFirst() {
		if o.Widget != obligations.Number || h.told(o.Key) {
			continue
		}
		holds := func(f language.Figure) bool {
			return f.Low == f.High && obligations.SameValue(field.Encode(f.Low), o.Value)
		}
		at := slices.IndexFunc(figures, holds)
		if at < 0 {
			continue
		}
		right := h.wholeOf(figures, at)
		if right < 0 {
			right = h.ofOtherPeriod(o, figures, at)
		}
		if right < 0 {
			continue
		}
		f := figures[right]
		_, _, same, _ := field.OfPeriod(o.Template, &f)
		v := valueRead{value: field.Figure(o.Template, &f), hedged: f.Approximate || !same, sure: 1, spanned: true}
		first, last := min(f.From, figures[at].From), max(f.To, figures[at].To)
		v.from, v.to = h.bytes(wordRange{first, last})
		if v.value == nil || obligations.SameValue(v.value, o.Value) || !h.note(o.Key, v, obligations.Correct, 0) {
			continue
		}
		from, to := h.sentenceAt(first).from, h.sentenceAt(last-1).to
		start, end := h.bytes(wordRange{from, to})
		h.settled = append(h.settled, byteRange{start, end})
		h.hearBeside()
		return true
	}
	return false
}

// numberWrong reads "the number isn't quite right, 43", whatever was asked: it puts right the count that
// was told last, unless several were told at once.
func (h *heard) numberWrong(f language.Figure) bool {
	s := h.sentenceAt(f.From)
	before := wordRange{s.from, f.From}
	if s.from != 0 && before.len() == 0 || before.len() > longestNumberWrong || !h.speaksOf(before, "thenumber") || !h.speaksOf(before, "not", "wrongly") {
		return false
	}
	var last *obligations.Obligation
	for i := range h.scene.Obligations {
		o := &h.scene.Obligations[i]
		switch {
		case o.Value == nil || o.Hinted() || o.Widget != obligations.Number || o.Unit == "money" || h.told(o.Key):
		case last == nil || lastTurn(o) > lastTurn(last):
			last = o
		case lastTurn(o) == lastTurn(last):
			return false
		}
	}
	if last == nil {
		return false
	}
	v := valueRead{value: field.Figure(last.Template, &f), hedged: f.Approximate, sure: 1, spanned: true}
	v.from, v.to = h.bytes(wordRange{s.from, s.to})
	if v.value == nil || obligations.SameValue(v.value, last.Value) || !h.note(last.Key, v, obligations.Correct, 0) {
		return false
	}
	h.settled = append(h.settled, byteRange{v.from, v.to})
	h.hearBeside()
	return true
}

// longestNumberWrong bounds, in words, what says that a number is wrong in front of the right one.
const longestNumberWrong = 9

// wholeOf returns the figure that is called a total and is the sum of all others, that at one place among
// them; -1 for none.
func (h *heard) wholeOf(figures []language.Figure, at int) int {
	if len(figures) < 3 || !h.speaksOf(h.all(), "total") {
		return -1
	}
	for i, f := range figures {
		sum := 0.0
		for k, other := range figures {
			if k != i {
				sum += other.Low
			}
		}
		if i != at && f.Low == f.High && f.Low == sum {
			return i
		}
	}
	return -1
}

// ofOtherPeriod returns the figure that holds now, where the one at a place was of another period than o
// asks for: "the 6 thousand were a month, now it is 15 thousand a month"; -1 for none.
func (h *heard) ofOtherPeriod(o *obligations.Obligation, figures []language.Figure, at int) int {
	asked := field.Period(o.Template)
	if asked == "" || at+1 >= len(figures) {
		return -1
	}
	n := slices.IndexFunc(figures[at+1:], func(f language.Figure) bool { return f.Period != "" })
	if n < 0 {
		return -1
	}
	between := wordRange{figures[at].From, figures[at+1+n].From}
	other := false
	for i := between.from; i < between.to; i++ {
		period, _ := periodOf(h.folded(), i)
		other = other || period != "" && period != asked
	}
	if other && h.speaksOf(between, "nowadays") {
		return at + 1 + n
	}
	return -1
}

// sentenceAt returns the sentence that word i is in.
func (h *heard) sentenceAt(i int) wordRange {
	for _, s := range h.sentences() {
		if i >= s.from && i < s.to {
			return s
		}
	}
	return wordRange{i, i + 1}
}
