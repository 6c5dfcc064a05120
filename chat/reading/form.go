package reading

import (
	"cmp"
	"math"
	"slices"

	"quaestor/chat/field"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// fieldAnswer is a value that may be the answer to a field of a form.
type fieldAnswer struct {
	key   string
	value valueRead
	fits  float64
}

// formAnswers reads a message as the answer to each field of a form, and gives every
// stretch of it to the field that it answers best.
func (h *heard) formAnswers() {
	h.inOrder()
	var found []fieldAnswer
	first := h.firstOpen()
	for _, key := range h.scene.Asked.Keys() {
		if o := h.find(key); o != nil && o.Value == nil && !h.told(key) {
			if kind := field.Kind(o.Template); o.Key == first.Key || o.Closed() && kind != listening.YesNo && kind != listening.Choice {
				found = append(found, h.as(o, 0).answersTo(o)...)
			} else if kind == listening.Choice {
				found = append(found, h.labelSaid(o)...)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b fieldAnswer) int { return cmp.Compare(b.fits, a.fits) })
	var taken []valueRead
	for _, a := range found {
		overlaps := slices.ContainsFunc(taken, func(v valueRead) bool { return a.value.from < v.to && v.from < a.value.to })
		if !overlaps && !h.told(a.key) && !h.quotes(a.value.from, a.value.to) && h.note(a.key, a.value, obligations.Tell, fitOf(a.fits, 1)) {
			taken = append(taken, a.value)
		}
	}
	slices.SortStableFunc(h.out.Findings, func(a, b obligations.Finding) int { return cmp.Compare(saidAt(a), saidAt(b)) })
}

// saidAt is the byte where the words of a finding begin; those without any come last.
func saidAt(f obligations.Finding) int {
	if f.Evidence.Span == nil {
		return math.MaxInt
	}
	return f.Evidence.Span.Start
}

// labelSaid returns the choice of o that the message says in full.
func (h *heard) labelSaid(o *obligations.Obligation) []fieldAnswer {
	for i := range h.said.Segments {
		seg := &h.said.Segments[i]
		if v := field.Pick(o.Template, h.choicesSaid(o.Template, seg.From, seg.To), 1); v != nil {
			return []fieldAnswer{{o.Key, valueRead{value: v, from: seg.From, to: seg.To, sure: 1}, 1}}
		}
	}
	return nil
}

// answersTo returns what the message says that may answer a question for o, as it was
// heard in answer to that.
func (h *heard) answersTo(o *obligations.Obligation) []fieldAnswer {
	kind := field.Kind(o.Template)
	var out []fieldAnswer
	for i := range h.said.Segments {
		seg := &h.said.Segments[i]
		best := 0.0
		for _, s := range seg.Values {
			if s.Answers {
				if like := listening.Compatible(s.Type, kind); like >= 0.6 {
					best = max(best, s.Star*like)
				}
			}
		}
		if v := h.valueIn(o.Template, seg, false); v.value != nil && best > 0 {
			out = append(out, fieldAnswer{o.Key, v, best})
		}
	}
	return out
}
