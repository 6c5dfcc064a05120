package chat

import (
	"fmt"
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

// finishQuestion offers to close the session. What is required and was declined is
// named: the person finishes without it, or answers it after all.
func (d *decision) finishQuestion() *sessions.Question {
	if declined := d.declined(); len(declined) > 0 {
		return withoutQuestion(declined)
	}
	q := &sessions.Question{Purpose: sessions.ToFinish, Prompt: "Shall I close it here?", Attempt: 1}
	if !d.plan.Completeness.Met {
		q.Prompt = "Some of what is needed is still open. Shall I close it here all the same?"
	}
	return q
}

// withoutQuestion offers to finish without what is required and was declined.
func withoutQuestion(declined []*obligations.Obligation) *sessions.Question {
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
		q.Prompt = "You left out " + strings.Join(names[:n-1], ", ") + " and " + names[n-1] + ", which are needed here. Shall I finish without them? If you would rather answer them now, just say so."
	default:
		q.Prompt = fmt.Sprintf("You left out %s and %d others that are needed here. Shall I finish without them? If you would rather answer them now, just say so.", names[0], n-1)
	}
	return q
}

// maxNamed bounds how many left-out points a question names.
const maxNamed = 3

// declined returns what is required and the person would not answer.
func (d *decision) declined() []*obligations.Obligation {
	var out []*obligations.Obligation
	for _, key := range d.plan.Completeness.MissingKeys {
		if o := obligations.Find(d.plan.List, key); o != nil && o.Status == obligations.Skipped && o.SkipReason == obligations.Declined {
			out = append(out, o)
		}
	}
	return out
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
