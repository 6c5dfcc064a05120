package reading

import (
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/chat/field"
	"quaestor/obligations"
)

// widgets takes the filled-in widgets, in the order of the objective, then
// refuses what no obligation asks for.
func (r *reader) widgets() {
	var strangers []string
	for key := range r.scene.Answers {
		if r.find(key) == nil {
			strangers = append(strangers, key)
		}
	}
	for i := range r.scene.Obligations {
		r.widget(&r.scene.Obligations[i])
	}
	slices.Sort(strangers)
	for _, key := range strangers {
		r.out.Refused = append(r.out.Refused, chat.InvalidAnswer{Key: key, Text: field.Clip(string(r.scene.Answers[key]), 200), Remedy: chat.MessagesOf(r.scene).Text("remedy.stranger", nil)})
	}
	if len(r.scene.Answers) > 0 {
		r.out.Intent = chat.Answer
	}
}

// restates reports whether the message only puts one widget in words, under its
// name, and that was not asked for: an earlier answer was changed where it stands.
// Its words are no answer to what was asked.
func (r *reader) restates() bool {
	if len(r.scene.Answers) != 1 {
		return false
	}
	for key := range r.scene.Answers {
		o := r.find(key)
		if o == nil || slices.Contains(r.scene.Asked.Keys(), key) || !strings.HasPrefix(r.raw, o.Name()+": ") {
			return false
		}
	}
	return true
}

// widget takes the widget of o when it was filled in.
func (r *reader) widget(o *obligations.Obligation) {
	v, ok := r.scene.Answers[o.Key]
	if !ok {
		return
	}
	if o.Check(v) != nil {
		r.out.Refused = append(r.out.Refused, chat.InvalidAnswer{Key: o.Key, Text: field.Clip(string(v), 200), Remedy: chat.RemedyOf(o.Template).In(chat.MessagesOf(r.scene))})
		return
	}
	e := obligations.Evidence{Kind: obligations.WidgetInput, Message: r.scene.MessageID(), By: r.scene.Person}
	if span, words, ok := obligations.Locate(r.raw, field.InEnglish(o.Template, v)); ok {
		e.Span, e.Quote = &span, words
	}
	f := obligations.Finding{Key: o.Key, Act: obligations.Tell, Value: v, Evidence: e, Grade: obligations.Grade{Kind: e.Kind}, Source: "widget"}
	if o.Value != nil && !obligations.SameValue(o.Value, v) {
		f.Act, f.Reason = obligations.Correct, "the person picked another value"
	}
	r.add(f)
}
