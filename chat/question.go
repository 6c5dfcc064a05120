package chat

import (
	"slices"
	"strings"

	"quaestor/internal/language/messages"
	"quaestor/obligations"
	"quaestor/sessions"
)

// question returns the question for o: its prompt the first time, other wordings of its
// pool after that, then with examples, and in the end with the offer to put it off, see
// [sessions.ExamplesFrom]. A value that a source proposes is put to the person with that
// source, and one that follows from other answers with those.
func (d *decision) question(o *obligations.Obligation, purpose sessions.Purpose) *sessions.Question {
	q := &sessions.Question{Purpose: purpose, Key: o.Key, Prompt: d.scene.Objective.Wording(o.Template, o.Attempts), Attempt: o.Attempts + 1}
	q.Complete(func(string) *obligations.Template { return o.Template })
	if purpose == sessions.ToConfirm {
		q.Proposal = o.Value
		if words := d.offered(o); words != "" {
			q.Prompt = words
		}
	}
	return q
}

// offered returns the question that puts a proposed value to the person; "" for a value
// that somebody gave.
func (d *decision) offered(o *obligations.Obligation) string {
	if e := ProposedBy(o); e != nil {
		return offer(MessagesOf(d.scene), o, e)
	}
	if ConcludedFrom(o) != nil {
		return takeIt(MessagesOf(d.scene), o)
	}
	return ""
}

// form asks several closed questions together.
func (d *decision) form(list []obligations.Candidate) *sessions.Question {
	q := &sessions.Question{Purpose: sessions.ToForm, Label: list[0].Obligation.Category, Prompt: unsaid(d.scene, "form"), Attempt: 1}
	for _, c := range list {
		q.Fields = append(q.Fields, *d.question(c.Obligation, sessions.ToAsk))
	}
	return q
}

// unsaid returns the first wording of a message that no reply of the session has, and the
// first of all when there is none.
func unsaid(s *Scene, key string) string {
	l := MessagesOf(s)
	for i := range maxWordings {
		text := l.Word(key, nil, messages.Manner{Turn: i})
		if !slices.ContainsFunc(s.Transcript, func(m sessions.Message) bool {
			return m.Role == sessions.FromAssistant && strings.Contains(m.Content, text)
		}) {
			return text
		}
	}
	return l.Text(key, nil)
}

// maxWordings is more than any message of a question has.
const maxWordings = 8

// finishQuestion offers to close the session. It names what is required and was declined,
// so that the person can finish without it or answer it after all.
func (d *decision) finishQuestion() *sessions.Question {
	if declined := d.declined(); len(declined) > 0 {
		return finishWithoutQuestion(MessagesOf(d.scene), declined)
	}
	q := &sessions.Question{Purpose: sessions.ToFinish, Prompt: MessagesOf(d.scene).Text("finish", nil), Attempt: 1}
	if !d.plan.Completeness.Met {
		q.Prompt = MessagesOf(d.scene).Text("finish.open", nil)
	}
	return q
}

// finishWithoutQuestion offers to finish without what is required and was declined.
func finishWithoutQuestion(l *messages.Language, declined []*obligations.Obligation) *sessions.Question {
	q := &sessions.Question{Purpose: sessions.ToFinish, Attempt: 1}
	var names messages.And
	for _, o := range declined {
		q.Missing = append(q.Missing, o.Key)
		names = append(names, l.Quoted(o.Name()))
	}
	if n := len(names); n <= maxNamed {
		q.Prompt = l.Text("finish.left-out", messages.Args{"n": messages.Figure(n), "labels": names})
	} else {
		q.Prompt = l.Text("finish.left-out-many", messages.Args{"label": messages.Text(names[0]), "n": messages.Figure(n - 1)})
	}
	return q
}

// maxNamed bounds how many points a question names. Longer lists are hard to hear.
const maxNamed = 3

// declined returns the required obligations that the person would not answer.
func (d *decision) declined() []*obligations.Obligation {
	var out []*obligations.Obligation
	for _, key := range d.plan.Completeness.MissingKeys {
		if o := obligations.Find(d.plan.List, key); o != nil && o.Status == obligations.Skipped && o.SkipReason == obligations.Declined {
			out = append(out, o)
		}
	}
	return out
}

// unanswered returns what still needs an answer of a question, or nil when nothing does.
// Of a form, those are the fields about which nothing is known.
func unanswered(q *sessions.Question, list []obligations.Obligation) *sessions.Question {
	wanted := func(key string) *obligations.Obligation { // nil when it is settled or put off
		if o := obligations.Find(list, key); o != nil && o.Open() {
			return o
		}
		return nil
	}
	switch {
	case q == nil, len(q.Keys()) == 0, q.Purpose == sessions.ToResolve:
		return nil
	case q.Key != "" && wanted(q.Key) != nil:
		return q
	}
	rest := *q
	rest.Fields = slices.DeleteFunc(slices.Clone(q.Fields), func(f sessions.Question) bool {
		o := wanted(f.Key)
		return o == nil || o.Value != nil
	})
	switch len(rest.Fields) {
	case 0:
		return nil
	case 1:
		return &rest.Fields[0]
	}
	return &rest
}

// inPlainWords returns a plan's question as a sentence, for a reply that lacks a question
// or whose question will not do.
func inPlainWords(s *Scene, q *sessions.Question) string {
	l := MessagesOf(s)
	name := messages.Text(l.Name(q.Label))
	value := func(v []byte) messages.Quote { return messages.Quote(valueOf(s, q.Key, v)) }
	switch q.Purpose {
	case sessions.ToConfirm:
		if o := obligations.Find(s.Obligations, q.Key); o != nil && q.Prompt != "" && q.Prompt != s.Objective.Wording(o.Template, q.Attempt-1) {
			return q.Prompt // it names what proposes the value
		}
		if q.Proposal != nil {
			return l.Text("plain.confirm", messages.Args{"label": name, "value": value(q.Proposal)})
		}
	case sessions.ToResolve:
		if len(q.Values) > 1 {
			return l.Text("plain.resolve", messages.Args{"label": name, "first": value(q.Values[0]), "second": value(q.Values[1])})
		}
	case sessions.ToAsk, sessions.ToForm, sessions.ToFinish, sessions.ToProbe, sessions.ToApprove, sessions.ToWiden:
	}
	return q.Prompt
}

// valueOf returns a value of an obligation in words.
func valueOf(s *Scene, key string, value []byte) string {
	if o := obligations.Find(s.Obligations, key); o != nil {
		return sessions.DisplayIn(MessagesOf(s), o.Template, value)
	}
	return ""
}
