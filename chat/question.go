package chat

import (
	"quaestor/obligations"
	"quaestor/sessions"
)

// question words what is asked of o: its prompt the first time, other wordings
// of its pool after that, examples from the second attempt on.
func (d *decision) question(o *obligations.Obligation, purpose sessions.Purpose) *sessions.Question {
	q := &sessions.Question{Purpose: purpose, Key: o.Key, Prompt: d.scene.Objective.Wording(o.Template, o.Attempts), Attempt: o.Attempts + 1}
	q.Complete(func(string) *obligations.Template { return o.Template })
	if purpose == sessions.ToConfirm {
		q.Proposal = o.Value
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
