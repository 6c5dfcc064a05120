package chat

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"quaestor/internal/language/messages"
	transcripts "quaestor/internal/spoken"
	"quaestor/obligations"
	"quaestor/sessions"
)

// What is heard may be heard wrongly. A name, a number, a date or an address that somebody
// says is read back before the next question, in words that tell it from what sounds like it,
// and a part of it can be corrected.

// maxReadBacks is how often a value is read back in a row: once, and again whenever it was
// corrected, for a correction may be misheard, too. After the second correction, reading it back
// again would be nagging; it can be changed in writing.
const maxReadBacks = 3

// SpokenKind returns what an answer to a question is, as far as it matters how that is said;
// nil asks for prose.
func SpokenKind(q *sessions.Question) transcripts.Kind {
	if q == nil {
		return transcripts.Prose
	}
	switch q.Purpose {
	case sessions.ToConfirm, sessions.ToFinish:
		return transcripts.Choice
	case sessions.ToAsk:
		return valueKind(q)
	case sessions.ToForm, sessions.ToProbe, sessions.ToResolve, sessions.ToApprove, sessions.ToWiden:
	}
	return transcripts.Prose
}

// spokenTypes are value types that say how a text is spoken.
var spokenTypes = map[string]transcripts.Kind{"person": transcripts.Name, "organisation": transcripts.Name, "address": transcripts.Address,
	"email": transcripts.Email, "phone": transcripts.Phone, "identifier": transcripts.Identifier}

// valueKind returns what the value is that a question is about.
func valueKind(q *sessions.Question) transcripts.Kind {
	switch q.Widget {
	case obligations.ChoiceOne, obligations.MultiSelect:
		return transcripts.Choice
	case obligations.Number:
		return transcripts.Figure
	case obligations.Date:
		return transcripts.Date
	case obligations.Text:
	}
	if q.ValueType == "" {
		return transcripts.KindOf(q.Label + " " + q.Key)
	}
	if kind := spokenTypes[q.ValueType]; kind != "" {
		return kind
	}
	return transcripts.Prose
}

// HeldAloud returns the value that a question reads back, as it is corrected aloud, and what it
// is; held is empty for every other question.
func HeldAloud(q *sessions.Question) (held string, kind transcripts.Kind) {
	if q == nil || !q.ReadBack {
		return "", transcripts.Prose
	}
	return asHeld(q.Proposal), valueKind(q)
}

// asHeld returns a text or a number as text; empty for other values.
func asHeld(value json.RawMessage) string {
	var text string
	var number float64
	switch {
	case json.Unmarshal(value, &text) == nil:
		return text
	case json.Unmarshal(value, &number) == nil:
		return strconv.FormatFloat(number, 'f', -1, 64)
	}
	return ""
}

// readBack reads back what was asked and is answered aloud. Who breaks into a question before its
// middle was asked nothing, and may have answered all the same: then it is what they tell first.
func (d *decision) readBack() bool {
	s := d.scene
	if !s.Voice || s.Asked != nil && s.Asked.Purpose != sessions.ToAsk && !s.Asked.ReadBack {
		return false
	}
	for _, f := range d.plan.Understanding.Findings {
		o := obligations.Find(d.plan.List, f.Key)
		said := (f.Act == obligations.Tell || f.Act == obligations.Correct) && f.Evidence.Kind == obligations.Stated && !f.Evidence.Unfounded()
		if !said || s.Asked != nil && !slices.Contains(s.Asked.Keys(), f.Key) || o == nil || !obligations.SameValue(o.Value, f.Value) {
			continue
		}
		if q := d.readBackOf(o); q != nil {
			d.plan.Question, d.plan.AcknowledgeOnly = q, true // a model would not spell it
			d.because.Sentence = "It was heard, and may have been heard wrongly."
			return true
		}
	}
	return false
}

// readBackOf returns the question whether the value of o was heard rightly; nil where that is
// not asked.
func (d *decision) readBackOf(o *obligations.Obligation) *sessions.Question {
	q := d.question(o, sessions.ToConfirm)
	q.ReadBack, q.Attempt = true, 1
	if was := d.scene.Asked; was != nil && was.ReadBack {
		q.Attempt = was.Attempt + 1
	}
	q.Prompt = transcripts.ReadBack(MessagesOf(d.scene), heldWords(MessagesOf(d.scene), o, valueKind(q)), valueKind(q))
	if q.Prompt == "" || q.Attempt > maxReadBacks {
		return nil
	}
	return q
}

// heldWords returns the value of o as it is read back and corrected: a date as it is stored.
func heldWords(l *messages.Language, o *obligations.Obligation, kind transcripts.Kind) string {
	var text string
	if json.Unmarshal(o.Value, &text) == nil && kind != transcripts.Figure {
		return text
	}
	return sessions.DisplayIn(l, o.Template, o.Value)
}

// readPartCorrected reads a correction of a part of what was read back, "no, Schmidt with d
// t", in the same way for every interviewer. Everything else stays as it was understood.
func readPartCorrected(s *Scene, u Understanding) Understanding {
	if s.Asked == nil || !s.Asked.ReadBack {
		return u
	}
	o := obligations.Find(s.Obligations, s.Asked.Key)
	span, quote, ok := obligations.Locate(s.Message, strings.TrimSpace(s.Message))
	if o == nil || o.Value == nil || !ok {
		return u
	}
	value, ok := correctedValue(s, o)
	if !ok {
		return u
	}
	e := obligations.Evidence{Kind: obligations.Stated, Message: s.MessageID(), Span: &span, Quote: quote, By: s.Person}
	u.Intent, u.About, u.Refused = Correction, o.Key, nil
	u.Findings = slices.DeleteFunc(slices.Clone(u.Findings), func(f obligations.Finding) bool { return f.Key == o.Key })
	u.Findings = append(u.Findings, obligations.Finding{Key: o.Key, Act: obligations.Correct, Value: value, Evidence: e, Grade: obligations.Grade{Kind: e.Kind},
		Starter: s.Session.User, Owner: s.Part == sessions.OwnerRole, Source: "conversation", Reason: "the person corrected what was heard"})
	return u
}

// correctedValue returns the value of o with the part that the message corrects.
func correctedValue(s *Scene, o *obligations.Obligation) (json.RawMessage, bool) {
	held := asHeld(o.Value)
	text, ok := transcripts.Corrected(LanguageOf(s), held, s.Message, valueKind(s.Asked))
	if held == "" || !ok {
		return nil, false
	}
	value, err := json.Marshal(text)
	if o.Widget == obligations.Number {
		value = []byte(text)
	}
	return value, err == nil && o.Check(value) == nil
}
