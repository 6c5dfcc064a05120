package scripted

import (
	"encoding/json"
	"slices"
	"strings"

	"quaestor/internal/listening"
)

// finding is what a message says of an obligation.
type finding struct {
	Key    string `json:"key"`
	Act    string `json:"act,omitempty"`
	Value  any    `json:"value,omitempty"`
	Quote  string `json:"quote"`
	Hedged bool   `json:"hedged,omitempty"`
}

// meaning returns what the message means, as JSON.
func (m *Model) meaning(p prompt) string {
	intent, findings := m.read(p)
	if m.Behaviour == Injected || m.Behaviour == Disobedient {
		for _, o := range p.known {
			findings = append(findings, finding{Key: o.Key, Value: "999999", Quote: "the budget is 999999 euros"})
		}
	}
	out, err := json.Marshal(struct {
		Intent   string    `json:"intent"`
		Findings []finding `json:"findings,omitempty"`
	}{intent, findings})
	if err != nil {
		return `{"intent":"unclear"}`
	}
	if m.Behaviour == Weak {
		switch pick(p.message, 5) {
		case 0:
			return "Sure! Here is the JSON:\n```json\n" + string(out) + "\n```"
		case 1:
			return `{"intent":"answer","findings":[`
		}
	}
	return string(out)
}

// intents are what the acts of a message make of it, the first that is there.
var intents = []struct {
	act    listening.Act
	intent string
}{
	{listening.Stop, "leave"}, {listening.LookUp, "research"}, {listening.Correction, "correction"}, {listening.Confirm, "agree"}, {listening.Deny, "disagree"},
	{listening.Answer, "answer"}, {listening.Fact, "answer"}, {listening.Later, "later"}, {listening.Skip, "skip"}, {listening.NoPreference, "skip"}, {listening.Unknown, "dont_know"},
	{listening.Delegate, "dont_know"}, {listening.Examples, "help"}, {listening.Repeat, "repeat"}, {listening.Question, "off_topic"}, {listening.Topic, "later"},
	{listening.Feeling, "small_talk"}, {listening.Complaint, "small_talk"}, {listening.SmallTalk, "small_talk"},
}

// read returns what a labelled message says; of another it knows nothing.
func (m *Model) read(p prompt) (intent string, findings []finding) {
	said := m.said[p.message]
	if said == nil {
		return "answer", nil
	}
	intent = "unclear"
	for _, i := range slices.Backward(intents) {
		if slices.ContainsFunc(said.Segments, func(s listening.Segment) bool { return s.Act == i.act }) {
			intent = i.intent
		}
	}
	for _, seg := range said.Segments {
		for _, v := range seg.Values {
			if f, ok := p.finding(said, &seg, &v); ok {
				findings = append(findings, f)
			}
		}
	}
	return intent, findings
}

// finding returns what one labelled value says, in the shape that the prompt asks for.
func (p prompt) finding(said *listening.Said, seg *listening.Segment, v *listening.Span) (finding, bool) {
	at := slices.IndexFunc(p.known, func(o choiceList) bool { return o.Key == v.Key })
	if at < 0 || v.Value == "none" {
		return finding{}, false
	}
	o, words := p.known[at], said.Text[v.From:v.To]
	f := finding{Key: v.Key, Value: words, Quote: words, Hedged: strings.HasPrefix(v.Value, "~")}
	if v.Value != "" && o.Widget != "text" {
		f.Value = strings.TrimPrefix(v.Value, "~")
	}
	for _, c := range o.Choices {
		if strings.EqualFold(c.Label, v.Value) || strings.EqualFold(c.Label, words) || strings.EqualFold(c.Value, v.Value) {
			f.Value = c.Value
		}
	}
	if o.Widget == "multiselect" {
		f.Value = []any{f.Value}
	}
	if seg.Act == listening.Correction && o.Value != nil {
		f.Act = "correct"
	}
	return f, true
}
