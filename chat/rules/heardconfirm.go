package rules

import (
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// confirmed reads an assent to what was read back.
func (h *heard) confirmed(seg *listening.Segment, confirming bool) {
	if !confirming {
		h.tellings(seg)
		return
	}
	if h.told(h.asked.Key) {
		return
	}
	h.out.About = h.asked.Key
	h.acceptBytes(h.asked, seg.From, seg.To)
}

// acceptBytes adds a finding that the person agreed to what was proposed, in the words
// between two bytes.
func (h *heard) acceptBytes(o *obligations.Obligation, from, to int) {
	if e, ok := h.quote(from, to); ok {
		h.accepted(o, h.proposal(), obligations.Confirm, e, false)
	}
}

// denial reads a no to what was read back, and the right value with it.
func (h *heard) denial(seg *listening.Segment, confirming bool) {
	if !confirming {
		h.correction(seg)
		return
	}
	v := h.valueIn(h.asked.Template, seg, false)
	if v.value == nil {
		v = h.afterNo(seg)
	}
	if v.value != nil && !obligations.SameValue(v.value, h.proposal()) {
		if !h.told(h.asked.Key) || h.denied(h.asked.Key) {
			h.out.Findings = slices.DeleteFunc(h.out.Findings, func(f obligations.Finding) bool { return f.Key == h.asked.Key })
			h.note(h.asked.Key, v, obligations.Correct, 0)
		}
		return
	}
	if !h.told(h.asked.Key) {
		h.deny(h.asked)
	}
}

// afterNo reads what is said right after a no as the value itself: "no, fifteen".
func (h *heard) afterNo(seg *listening.Segment) valueRead {
	words := h.wordsBetween(seg.From, seg.To)
	if len(words) < 2 || len(words) > 9 {
		return valueRead{}
	}
	first := 1
	for first < len(words) && strings.ContainsAny(words[first].Text, ",.;:!") {
		first++
	}
	if first >= len(words) {
		return valueRead{}
	}
	rest := &listening.Segment{Act: listening.Answer, From: words[first].From, To: seg.To, Sure: seg.Sure}
	for _, s := range seg.Values {
		if s.From >= rest.From {
			rest.Values = append(rest.Values, s)
		}
	}
	t := h.asked.Template
	if t.Closed() {
		return h.valueIn(t, rest, true)
	}
	for _, l := range language.Lexicons() {
		if !l.Has("no", language.Fold(words[0].Text)) || strings.HasSuffix(words[0].Text, "t") {
			continue
		}
		if kindOf(t) != listening.Text && len(words)-first <= 5 {
			return valueRead{value: encode(trimmed(h.said.Text[rest.From:rest.To])), from: rest.From, to: rest.To, sure: 0.8}
		}
	}
	return valueRead{}
}

// plainAssent reads a yes or a no that stands at the beginning of a message whose acts
// say neither.
func (h *heard) plainAssent() {
	for _, l := range language.Lexicons() {
		if len(h.words) == 0 {
			return
		}
		first := language.Fold(h.words[0].Text)
		switch {
		case l.Has("yes", first) && len(h.words) < 6:
			h.acceptBytes(h.asked, h.words[0].From, h.words[0].To)
			return
		case l.Has("no", first) && first != "none":
			seg := &listening.Segment{Act: listening.Deny, From: 0, To: len(h.said.Text)}
			for _, s := range h.said.Segments {
				seg.Values = append(seg.Values, s.Values...)
			}
			h.denial(seg, true)
			return
		}
	}
	// Another value said instead of a yes: "more like fifteen".
	for i := range h.said.Segments {
		seg := &h.said.Segments[i]
		if seg.Act == listening.Answer || seg.Act == listening.Correction {
			if v := h.valueIn(h.asked.Template, seg, false); v.value != nil && v.spanned {
				act := obligations.Correct
				if obligations.SameValue(v.value, h.proposal()) {
					h.acceptBytes(h.asked, seg.From, seg.To)
					return
				}
				h.note(h.asked.Key, v, act, 0)
				return
			}
		}
	}
}
