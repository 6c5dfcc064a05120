package chat

import (
	"slices"
	"strings"

	"quaestor/obligations"
	"quaestor/sessions"
)

// question words what is asked of o: its prompt the first time, other wordings of
// its pool after that, examples later and the offer to put it off in the end, see
// [sessions.ExamplesFrom].
func (d *decision) question(o *obligations.Obligation, purpose sessions.Purpose) *sessions.Question {
	q := &sessions.Question{Purpose: purpose, Key: o.Key, Prompt: d.scene.Objective.Wording(o.Template, o.Attempts), Attempt: o.Attempts + 1}
	q.Complete(func(string) *obligations.Template { return o.Template })
	if purpose == sessions.ToConfirm {
		q.Proposal = o.Value
		if e := proposedBy(o); e != nil {
			q.Prompt = offer(o, e)
		}
	}
	return q
}

// form puts several closed questions together.
func (d *decision) form(list []obligations.Candidate) *sessions.Question {
	q := &sessions.Question{Purpose: sessions.ToForm, Label: list[0].Obligation.Category, Prompt: "A few short ones together.", Attempt: 1}
	for _, c := range list {
		q.Fields = append(q.Fields, *d.question(c.Obligation, sessions.ToAsk))
	}
	return q
}

// finishQuestion offers to close the session.
func (d *decision) finishQuestion() *sessions.Question {
	q := &sessions.Question{Purpose: sessions.ToFinish, Prompt: "Shall I close it here?", Attempt: 1}
	if !d.plan.Completeness.Met {
		q.Prompt = "Some of what is needed is still open. Shall I close it here all the same?"
	}
	return q
}

// remaining returns what of a question still wants an answer in a plan's list.
func (d *decision) remaining(q *sessions.Question) *sessions.Question {
	return unanswered(q, d.plan.List)
}

// unanswered returns what of a question still wants an answer: of a form the fields
// nothing is known of. Nil when nothing does.
func unanswered(q *sessions.Question, list []obligations.Obligation) *sessions.Question {
	wanted := func(key string) *obligations.Obligation { // nil for one that is settled or was put off
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

// plainly puts a plan's question in words, for a reply that has none of its own or
// none that will do.
func plainly(s *Scene, q *sessions.Question) string {
	name := strings.ToLower(q.Label)
	switch q.Purpose {
	case sessions.ToConfirm:
		if o := obligations.Find(s.Obligations, q.Key); o != nil && proposedBy(o) != nil {
			return q.Prompt
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

// valueOf words a value of an obligation.
func valueOf(s *Scene, key string, value []byte) string {
	if o := obligations.Find(s.Obligations, key); o != nil {
		return spoken(o.Template, value)
	}
	return ""
}
