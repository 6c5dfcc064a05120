package chat

import (
	"encoding/json"
	"slices"

	"quaestor/chat/support"
	"quaestor/obligations"
	"quaestor/sessions"
)

// Similarity returns the cosine of what two English texts mean. Nil stands for no text
// encoder.
type Similarity func(a, b string) float64

// ground flags a model's finding as far as its words do not support its value: support
// that is weak has to be read back, and without any it is a hint. What a model says that
// the person agreed to must have been put to them, and agreed to. Findings of the rules,
// which cut values out of the words, are left alone.
func ground(s *Scene, o *obligations.Obligation, f obligations.Finding, similar Similarity) obligations.Finding {
	if f.Grade.Model == nil || f.Evidence.Unfounded() {
		return f
	}
	value := f.Value
	if value == nil {
		value = o.Value
	}
	st := support.Statement{Template: o.Template, Value: value, Quote: f.Evidence.Quote, Context: contextOf(s, f.Evidence), Now: s.Now, Similar: similar,
		Asked: slices.Contains(s.Asked.Keys(), o.Key) || f.Act == obligations.Correct && o.Held() != nil}
	switch {
	case value == nil, f.Evidence.Kind != obligations.Stated && f.Evidence.Kind != obligations.Accepted:
	case f.Evidence.Kind == obligations.Accepted && !assented(s, o, st):
		f.Evidence.Flag = obligations.FlagUnsupported
	case f.Evidence.Kind == obligations.Stated:
		f.Evidence.Flag = flags[stated(s, f, st)]
	}
	return f
}

// flags are what evidence is flagged with, by how well its words support the value.
var flags = map[support.Level]string{support.None: obligations.FlagUnsupported, support.Weak: obligations.FlagDoubtful}

// stated returns how well the person's words support a value. A value that is confirmed in
// passing may have been named by the reply before, to which the person says yes; a yes that
// only names what the value is of is doubtful, because the value was not read back.
func stated(s *Scene, f obligations.Finding, st support.Statement) support.Level {
	level := support.Of(st)
	if f.Act != obligations.Confirm || level == support.Full || !support.Assents(s.Message) {
		return level
	}
	if readBack(s, st) {
		return support.Full
	}
	if _, _, named := obligations.Locate(s.Message, st.Template.Name()); named {
		return support.Weak
	}
	return level
}

// assented reports whether a value was put to the person and they agreed to it: by a yes, by
// saying it again or, of two values, by pointing at one of them.
func assented(s *Scene, o *obligations.Obligation, st support.Statement) bool {
	q := s.Asked
	switch {
	case q != nil && q.Purpose == sessions.ToApprove:
		return slices.Contains(q.About, o.Key) && readBack(s, st) && support.Assents(s.Message)
	case !slices.Contains(q.Keys(), o.Key):
		return false
	case q.Purpose == sessions.ToConfirm:
		put := obligations.SameValue(q.Proposal, st.Value) && (q.ReadBack || readBack(s, st))
		return put && (support.Assents(s.Message) || support.Of(st) == support.Full)
	case q.Purpose == sessions.ToResolve:
		return slices.ContainsFunc(q.Values, func(v json.RawMessage) bool { return obligations.SameValue(v, st.Value) })
	}
	return false
}

// readBack reports whether the reply before, or the question as it was planned, named the
// value of st.
func readBack(s *Scene, st support.Statement) bool {
	texts := []string{}
	if s.Asked != nil {
		texts = append(texts, s.Asked.Prompt)
	}
	for i := len(s.Transcript) - 1; i >= 0; i-- {
		if m := &s.Transcript[i]; m.Role == sessions.FromAssistant {
			texts = append(texts, m.Content)
			break
		}
	}
	words := ValueInWords(st.Template, st.Value)
	return slices.ContainsFunc(texts, func(text string) bool {
		if _, _, ok := obligations.Locate(text, words); ok {
			return true
		}
		st.Quote, st.Context, st.Asked = text, text, true
		return support.Of(st) > support.None
	})
}

// contextOf returns the message that a piece of evidence quotes.
func contextOf(s *Scene, e obligations.Evidence) string {
	for _, u := range utterances(s) {
		if u.User && u.ID == e.Message {
			return u.Content
		}
	}
	return e.Quote
}
