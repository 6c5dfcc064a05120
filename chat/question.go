package chat

import (
	"fmt"
	"slices"
	"strings"

	"quaestor/internal/language"
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
		return offer(o, e)
	}
	if e := ConcludedFrom(o); e != nil {
		return takeIt(d.plan.List, o, e)
	}
	return ""
}

// form asks several closed questions together.
func (d *decision) form(list []obligations.Candidate) *sessions.Question {
	q := &sessions.Question{Purpose: sessions.ToForm, Label: list[0].Obligation.Category, Prompt: "A few short ones together.", Attempt: 1}
	for _, c := range list {
		q.Fields = append(q.Fields, *d.question(c.Obligation, sessions.ToAsk))
	}
	return q
}

// finishQuestion offers to close the session. It names what is required and was declined,
// so that the person can finish without it or answer it after all.
func (d *decision) finishQuestion() *sessions.Question {
	if declined := d.declined(); len(declined) > 0 {
		return finishWithoutQuestion(declined)
	}
	q := &sessions.Question{Purpose: sessions.ToFinish, Prompt: "Shall I close it here?", Attempt: 1}
	if !d.plan.Completeness.Met {
		q.Prompt = "Some of what is needed is still open. Shall I close it here all the same?"
	}
	return q
}

// finishWithoutQuestion offers to finish without what is required and was declined.
func finishWithoutQuestion(declined []*obligations.Obligation) *sessions.Question {
	q := &sessions.Question{Purpose: sessions.ToFinish, Attempt: 1}
	var names []string
	for _, o := range declined {
		q.Missing = append(q.Missing, o.Key)
		names = append(names, "“"+o.Name()+"”")
	}
	switch n := len(names); {
	case n == 1:
		q.Prompt = "You left out " + names[0] + ", which is needed here. Shall I finish without it? If you would rather answer it now, just say so."
	case n <= maxNamed:
		q.Prompt = "You left out " + language.And(names) + ", which are needed here. Shall I finish without them? If you would rather answer them now, just say so."
	default:
		q.Prompt = fmt.Sprintf("You left out %s and %d others that are needed here. Shall I finish without them? If you would rather answer them now, just say so.", names[0], n-1)
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
	case q == nil, q.Purpose == sessions.ToFinish, q.Purpose == sessions.ToResolve:
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
	name := strings.ToLower(q.Label)
	switch q.Purpose {
	case sessions.ToConfirm:
		if o := obligations.Find(s.Obligations, q.Key); o != nil && q.Prompt != s.Objective.Wording(o.Template, q.Attempt-1) {
			return q.Prompt // it names what proposes the value
		}
		if q.Proposal != nil {
			return "For " + name + " I have “" + valueOf(s, q.Key, q.Proposal) + "”. Is that right?"
		}
	case sessions.ToResolve:
		if len(q.Values) > 1 {
			return "For " + name + " I have “" + valueOf(s, q.Key, q.Values[0]) + "” and “" + valueOf(s, q.Key, q.Values[1]) + "”. Which of them holds?"
		}
	case sessions.ToAsk, sessions.ToForm, sessions.ToFinish:
	}
	return q.Prompt
}

// valueOf returns a value of an obligation in words.
func valueOf(s *Scene, key string, value []byte) string {
	if o := obligations.Find(s.Obligations, key); o != nil {
		return ValueInWords(o.Template, value)
	}
	return ""
}
