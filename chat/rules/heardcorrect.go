package rules

import (
	"strings"

	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// correction reads a change of something said before: of the field that its values, its
// words or the value it mentions point to.
func (h *heard) correction(seg *listening.Segment) {
	changed := false
	for i := range seg.Values {
		s := &seg.Values[i]
		if len(seg.Values) > 1 && !s.Answers && h.isHeld(s) {
			continue // the old value: "not 150 but 150,000"
		}
		o := h.changed(seg, s)
		if o == nil || h.told(o.Key) || !h.learned(o) {
			continue
		}
		v := h.valueOf(o.Template, kindOf(o.Template), []listening.Span{*s}, seg)
		if v.value == nil || o.Value != nil && obligations.SameValue(o.Value, v.value) {
			continue
		}
		act := obligations.Correct
		if o.Value == nil {
			act = obligations.Tell
		}
		changed = h.note(o.Key, v, act, 0) || changed
	}
	if changed {
		h.revising = true
		return
	}
	h.withdraw(seg)
}

// withdraw reads that something is to be forgotten, or a choice made anew: "scrap the
// budget", "make it the rustic one".
func (h *heard) withdraw(seg *listening.Segment) {
	whole := &listening.Span{Type: listening.Choice, From: seg.From, To: seg.To}
	c := h.owners(seg, whole)
	for n, i := range c.Index {
		o := &h.scene.Obligations[i]
		if o.Value == nil || len(o.Choices) == 0 || h.told(o.Key) || !h.learned(o) {
			continue
		}
		if v := h.chosenAnew(o, seg); v.value != nil && (c.Features[n].Named() || h.mentions(seg, o)) {
			h.note(o.Key, v, obligations.Correct, 0)
			return
		}
	}
	if len(seg.Values) > 0 {
		return
	}
	for i := range h.scene.Obligations {
		o := &h.scene.Obligations[i]
		if o.Value != nil && !h.told(o.Key) && h.learned(o) && (h.mentions(seg, o) || strings.Contains(" "+joinFolded(h.said.Text[seg.From:seg.To])+" ", " "+joinFolded(o.Name())+" ")) {
			h.deny(o)
			return
		}
	}
}

func (h *heard) chosenAnew(o *obligations.Obligation, seg *listening.Segment) valueRead {
	v := h.chosen(o.Template, kindOf(o.Template), nil, seg)
	if v.value != nil && obligations.SameValue(v.value, o.Value) {
		return valueRead{}
	}
	return v
}

// changed returns the obligation that a value in a correction is of: the likeliest that
// takes it, what holds a value before what does not; nil when two are as likely.
func (h *heard) changed(seg *listening.Segment, s *listening.Span) *obligations.Obligation {
	c := h.owners(seg, s)
	i, clear := c.Likeliest()
	if i < 0 || !clear {
		return nil
	}
	return &h.scene.Obligations[i]
}

// isHeld reports whether a value is one that is held by now.
func (h *heard) isHeld(s *listening.Span) bool {
	words := strings.ToLower(h.said.Text[s.From:s.To])
	for i := range h.scene.Obligations {
		o := &h.scene.Obligations[i]
		if o.Value == nil || listening.Compatible(s.Type, h.kinds[i]) == 0 {
			continue
		}
		if v := h.valueOf(o.Template, h.kinds[i], []listening.Span{*s}, &listening.Segment{From: s.From, To: s.To, Values: []listening.Span{*s}}); v.value != nil && obligations.SameValue(v.value, o.Value) {
			return true
		}
		if strings.EqualFold(words, show(o.Template, o.Value)) {
			return true
		}
	}
	return false
}

// mentions reports whether a segment names the value that o holds.
func (h *heard) mentions(seg *listening.Segment, o *obligations.Obligation) bool {
	text := " " + joinFolded(h.said.Text[seg.From:seg.To]) + " "
	held := joinFolded(show(o.Template, o.Value))
	if held != "" && strings.Contains(text, " "+held+" ") {
		return true
	}
	if o.Widget != obligations.Number {
		return false
	}
	for _, f := range h.values.Figures(h.wordsBetween(seg.From, seg.To)) {
		if obligations.SameValue(encode(f.Low), o.Value) {
			return true
		}
	}
	return false
}

func joinFolded(s string) string {
	var out []string
	for _, w := range language.Words(s) {
		out = append(out, language.Fold(w.Text))
	}
	return strings.Join(out, " ")
}
