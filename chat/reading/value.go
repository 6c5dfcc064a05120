package reading

import (
	"cmp"
	"encoding/json"
	"slices"

	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// valueRead is a value that was read, and the bytes of the message it stands in.
type valueRead struct {
	value    json.RawMessage
	from, to int
	hedged   bool
	vague    bool
	loose    bool
	unclear  bool    // the words may mean another value as well
	spanned  bool    // a value was marked in the words
	sure     float64 // that the words are the value
}

// valueIn reads a segment as a value of t. Where the model marked values that answer,
// those count; else, with wide, the whole segment.
func (h *heard) valueIn(t *obligations.Template, seg *listening.Segment, wide bool) valueRead {
	kind := field.Kind(t)
	if v := h.written(kind, seg); v.value != nil {
		return v
	}
	var starred, others []listening.Span
	for _, s := range seg.Values {
		switch {
		case s.Answers:
			starred = append(starred, s)
		case listening.Compatible(s.Type, kind) >= 0.6:
			others = append(others, s)
		}
	}
	if field.TakesSeveral(t) && len(starred) > 0 {
		starred = h.items(seg, kind)
	}
	if kind == listening.Text && wide && len(starred) > 1 && seg.Act == listening.Answer && !slices.ContainsFunc(starred, func(s listening.Span) bool { return s.Type == listening.Text }) {
		return h.valueOfSegment(t, kind, seg) // names and places in a sentence, which is the answer
	}
	if !field.TakesSeveral(t) && len(starred) > 1 && t.Widget != obligations.ChoiceOne && kind != listening.Text && kind != listening.Count {
		slices.SortStableFunc(starred, func(a, b listening.Span) int { return cmp.Compare(b.Star*b.Sure, a.Star*a.Sure) })
		starred = starred[:1]
	}
	for _, list := range [][]listening.Span{starred, others} {
		if len(list) == 0 {
			continue
		}
		if v := h.valueOf(t, kind, list, seg); v.value != nil {
			v.spanned = true
			return v
		}
	}
	if !wide {
		return valueRead{}
	}
	return h.valueOfSegment(t, kind, seg)
}

// items returns the items of a list: the values of its kind in the segment, and those
// that answer in the segments after it.
func (h *heard) items(seg *listening.Segment, kind listening.Type) []listening.Span {
	var out []listening.Span
	for i := range h.said.Segments {
		other := &h.said.Segments[i]
		if other.From < seg.From || other.Act != listening.Answer && other.Act != listening.Fact && other.From != seg.From {
			continue
		}
		for _, s := range other.Values {
			if s.Answers || other.From == seg.From && listening.Compatible(s.Type, kind) >= 0.6 {
				out = append(out, s)
			}
		}
	}
	return out
}

// valueOf reads marked words as a value of t.
func (h *heard) valueOf(t *obligations.Template, kind listening.Type, list []listening.Span, seg *listening.Segment) valueRead {
	first, last := list[0], list[len(list)-1]
	v := valueRead{from: first.From, to: last.To, sure: first.Sure}
	for _, s := range list[1:] {
		if kind == listening.Text { // one of them makes it the answer
			v.sure = max(v.sure, s.Sure)
		} else {
			v.sure = min(v.sure, s.Sure)
		}
	}
	switch t.Widget {
	case obligations.Text:
		return h.textOf(kind, list, seg, v)
	case obligations.Number, obligations.Date:
		for _, s := range list[:min(len(list), mostTried)] {
			if got := h.closed(t, s.From, s.To, seg); got.value != nil {
				got.sure = s.Sure
				return got
			}
		}
		return valueRead{}
	case obligations.ChoiceOne, obligations.MultiSelect:
		return h.chosen(t, kind, list, seg)
	}
	return valueRead{}
}

// valueOfSegment reads a whole segment as a value of t.
func (h *heard) valueOfSegment(t *obligations.Template, kind listening.Type, seg *listening.Segment) valueRead {
	switch t.Widget {
	case obligations.Text:
		if kind == listening.Time {
			return h.timeOf([]listening.Span{{From: seg.From, To: seg.To, Sure: 0.6}})
		}
		if kind != listening.Text && kind != listening.List {
			raw := kind != listening.Email && kind != listening.Phone && kind != listening.URL
			if !raw || len(language.Words(h.said.Text[seg.From:seg.To])) > 3 {
				return valueRead{}
			}
		}
		if kind == listening.List && len(language.Words(h.said.Text[seg.From:seg.To])) > 8 {
			return valueRead{}
		}
		v := h.statement(t, seg.From, seg.To)
		if v.value == nil || !field.Plausible(kind, field.Text(v.value)) {
			return valueRead{}
		}
		v.sure = 0.5
		return v
	case obligations.ChoiceOne, obligations.MultiSelect:
		return h.chosen(t, kind, nil, seg)
	case obligations.Number, obligations.Date:
		v := h.closed(t, seg.From, seg.To, seg)
		v.sure = 0.6
		return v
	}
	return valueRead{}
}

// hedgedBefore reports whether a hedge stands right before byte from.
func (h *heard) hedgedBefore(from int) bool {
	return h.hedged(h.within(max(0, from-hedgeReach), from))
}

// hedgeReach is how many bytes before a value a hedge stands at most.
const hedgeReach = 30
