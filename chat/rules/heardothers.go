package rules

import (
	"slices"
	"strings"
	"unicode/utf8"

	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// tellOthers assigns the values of a segment that answer nothing asked to the
// obligations they are of: those it is not sure of are held in doubt, so that they are
// read back rather than asked for.
func (h *heard) tellOthers(seg *listening.Segment) {
	for i := range seg.Values {
		s := &seg.Values[i]
		if s.Answers && seg.Act == listening.Answer && h.asked != nil && h.told(h.asked.Key) {
			continue
		}
		o, sure := h.ownerOf(seg, s)
		if o == nil || h.told(o.Key) || sure < leastOther || !h.learned(o) {
			continue
		}
		v := h.valueOf(o.Template, kindOf(o.Template), []listening.Span{*s}, seg)
		if v.value == nil || o.Unit == "money" && s.Type != listening.Amount {
			continue
		}
		if o.Value != nil && !o.Hinted() && (obligations.SameValue(o.Value, v.value) || sure < sureOther) {
			continue // it might be another's; a correction says so
		}
		v.loose = true
		fit := obligations.Confidence(0)
		if sure < sureOther {
			fit = min(max(leastHeld, obligations.Of(sure)), mostDoubtful)
		}
		h.note(o.Key, v, obligations.Tell, fit)
	}
}

// tellChoices holds in doubt the choices of other obligations that a segment names word
// for word.
func (h *heard) tellChoices(seg *listening.Segment) {
	var folded []string
	for _, w := range h.wordsBetween(seg.From, seg.To) {
		folded = append(folded, language.Fold(w.Text))
	}
	for i := range h.scene.Obligations {
		o := &h.scene.Obligations[i]
		if len(o.Choices) == 0 || o.Value != nil || o.Resolved() || h.told(o.Key) || h.asked != nil && h.asked.Key == o.Key || !h.learned(o) || h.kinds[i] == listening.YesNo {
			continue
		}
		var said []string
		for k := range o.Choices {
			if c := &o.Choices[k]; utf8.RuneCountInString(c.Label) >= leastNamed && saidOf(c, folded) > 1 && !h.sharedChoice(o, c) {
				said = append(said, c.Value)
			}
		}
		if len(said) == 0 || len(said) > 1 && o.Widget != obligations.MultiSelect {
			continue
		}
		v := valueRead{value: encode(said[0]), from: seg.From, to: seg.To, loose: true}
		if o.Widget == obligations.MultiSelect {
			v.value = encode(said)
		}
		h.note(o.Key, v, obligations.Tell, mostDoubtful)
	}
}

// leastNamed is how many letters a choice has that is hardly said by chance.
const leastNamed = 4

// sharedChoice reports whether a choice is one of another obligation, too.
func (h *heard) sharedChoice(o *obligations.Obligation, c *obligations.Choice) bool {
	for i := range h.scene.Obligations {
		if other := &h.scene.Obligations[i]; other.Key != o.Key && slices.ContainsFunc(other.Choices, func(x obligations.Choice) bool { return strings.EqualFold(x.Label, c.Label) }) {
			return true
		}
	}
	return false
}

// From where a value that was not asked for is held in doubt, and for sure. Of the values
// above the second, training/fields.py printed 77 to 86 of 100 right in English.
const (
	leastOther = 0.25
	sureOther  = 0.6
)

// ownerOf returns the obligation that a value is of, and how likely that is; nil for
// none.
func (h *heard) ownerOf(seg *listening.Segment, s *listening.Span) (*obligations.Obligation, float64) {
	c := h.owners(seg, s)
	i, sure := c.Choose()
	if i < 0 {
		return nil, 0
	}
	return &h.scene.Obligations[i], sure
}

// fields returns the obligations as a listener knows them.
func (r *reader) fields() []listening.Field {
	last := ""
	if list := r.answeredLast(); len(list) > 0 {
		last = list[0].Key
	}
	out := make([]listening.Field, len(r.scene.Obligations))
	for i := range out {
		o := &r.scene.Obligations[i]
		f := listening.Field{Key: o.Key, Type: kindOf(o.Template), Name: o.Name(), Question: o.Prompt, Cues: o.Cues, Unit: o.Unit, Open: o.Value == nil && o.Status != obligations.Skipped,
			Asked: r.asked != nil && r.asked.Key == o.Key, Last: o.Key == last}
		for _, c := range o.Choices {
			f.Options = append(append(f.Options, c.Label), c.Synonyms...)
		}
		if o.Value != nil {
			f.Held = show(o.Template, o.Value)
		}
		out[i] = f
	}
	return out
}
