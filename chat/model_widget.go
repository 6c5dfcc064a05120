package chat

import (
	"quaestor/obligations"
)

// filledIn takes the widgets the person filled in with the message. They are
// typed, so no model reads them.
func (i *interpreter) filledIn() {
	for at := range i.scene.Obligations {
		o := &i.scene.Obligations[at]
		v, given := i.scene.Answers[o.Key]
		if !given {
			continue
		}
		if o.Check(v) != nil {
			i.out.Refused = append(i.out.Refused, Refusal{Key: o.Key, Text: tidy(plainText(v), maxReasonRunes), Remedy: remedy(o.Template, v)})
			continue
		}
		e := obligations.Evidence{Kind: obligations.WidgetInput, Message: i.scene.MessageID()}
		if span, words, ok := obligations.Locate(i.scene.Message, spoken(o.Template, v)); ok {
			e.Span, e.Quote = &span, words
		}
		f := obligations.Finding{Key: o.Key, Act: obligations.Tell, Value: v, Evidence: e, Grade: obligations.Grade{Kind: e.Kind}, Source: "widget"}
		if o.Value != nil && !obligations.SameValue(o.Value, v) {
			f.Act, f.Reason = obligations.Correct, "the person picked another value"
		}
		i.out.Findings = append(i.out.Findings, f)
	}
}
