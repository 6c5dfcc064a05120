package chat

import (
	"context"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// reviewOutcome is what a decision changes in the obligations of a session.
type reviewOutcome struct {
	changes []obligations.Change
	born    []obligations.Obligation
}

// review has decide change which obligations a session has, while nobody else writes the
// session, records that and tells the readers. A turn that runs meanwhile is worked out
// again on top of it. A completed session is a Conflict unless evenCompleted is set.
func review(ctx context.Context, e sessions.Editor, s obligations.Scope, evenCompleted bool, decide func(list []obligations.Obligation, turn int) (reviewOutcome, error)) error {
	var events []sessions.Event
	err := postgres.InTx(ctx, e.Pool, s.Tenant, func(tx pgx.Tx) error {
		events = nil
		session, list, err := lockSession(ctx, tx, e.Library, s)
		if err != nil {
			return err
		}
		if session.Status == sessions.Completed && !evenCompleted {
			return fault.New(fault.Conflict, "this session is completed").Coded("session_completed")
		}
		out, err := decide(list, max(session.Turns, 1))
		if err != nil || len(out.changes)+len(out.born) == 0 {
			return err
		}
		d, err := e.Library.Definition(ctx, s.Tenant, session.ObjectiveID)
		if err != nil {
			return err
		}
		events, err = out.record(ctx, tx, session, d, list)
		return err
	})
	if err == nil && len(events) > 0 {
		e.Hub.Publish(s, events)
	}
	return err
}

// record writes the outcome and returns the events about it.
func (out reviewOutcome) record(ctx context.Context, tx pgx.Tx, session sessions.Session, d *objectives.Definition, list []obligations.Obligation) ([]sessions.Event, error) {
	var found []obligations.Conflict
	for i := range out.changes {
		if conflict := out.changes[i].Conflict; conflict != nil {
			conflict.ID = uuid.NewString()
			found = append(found, *conflict)
		}
	}
	s, turn := session.Scope(), max(session.Turns, 1)
	after := obligations.Merge(append(slices.Clone(list), out.born...), out.changes)
	next, told := sessions.Advance(session, d, after, out.changes, turn)
	next.Question = standingQuestion(next.Question, after)
	events := sessions.Events(turn, append(emergedPayloads(obligations.EmergentChanges{Born: out.born}, turn), told...))
	return events, recordEdit(ctx, tx, s, events, func(b *postgres.Batch) error {
		if len(out.born) > 0 {
			if err := obligations.Create(b, s, out.born, turn); err != nil {
				return err
			}
		}
		if err := obligations.SaveDecided(b, s, out.changes); err != nil {
			return err
		}
		if err := obligations.SaveConflicts(b, s, found, nil); err != nil {
			return err
		}
		return sessions.Save(b, next)
	})
}

// standingQuestion returns q, or nil when what it asks is not asked any more. The next
// turn then chooses anew.
func standingQuestion(q *sessions.Question, after []obligations.Obligation) *sessions.Question {
	for _, key := range q.Keys() {
		if o := obligations.Find(after, key); o == nil || o.MergedInto != "" || o.SplitInto != nil {
			return nil
		}
	}
	return q
}

func (e *Engine) editor() sessions.Editor {
	return sessions.Editor{Pool: e.Pool, Hub: e.Hub, Library: e.Library}
}

// Unite merges an obligation of a session into another because a reviewer says so; see
// [obligations.Unite] for what is refused.
func (e *Engine) Unite(ctx context.Context, s obligations.Scope, from, into, reviewer string) error {
	return review(ctx, e.editor(), s, false, func(list []obligations.Obligation, turn int) (reviewOutcome, error) {
		changes, err := obligations.Unite(list, from, into, byReviewer(turn, reviewer, "merged "+from+" into "+into))
		return reviewOutcome{changes: changes}, err
	})
}

// Divide splits an obligation of a session because a reviewer says so; see
// [obligations.Divide] for what is refused.
func (e *Engine) Divide(ctx context.Context, s obligations.Scope, key string, children []obligations.Template, reviewer string) error {
	return review(ctx, e.editor(), s, false, func(list []obligations.Obligation, turn int) (reviewOutcome, error) {
		changes, born, err := obligations.Divide(list, key, children, byReviewer(turn, reviewer, "split "+key))
		return reviewOutcome{changes, born}, err
	})
}

// byReviewer returns a decision whose reason names the reviewer.
func byReviewer(turn int, reviewer, what string) obligations.ReviewDecision {
	return obligations.ReviewDecision{Turn: turn, Source: "reviewer", Reason: reviewer + " " + what}
}

// Approve adds an emergent question to the tenant's objective, in words that are not the
// person's. It publishes the next minor version with it, unless the objective asks for it
// already, marks the proposal as approved, and returns the version that is active then.
// Words that must not be published are Unprocessable, see [obligations.Wording.Check].
func (e *Engine) Approve(ctx context.Context, s obligations.Scope, key string, words obligations.Wording, reviewer string) (objectives.Objective, error) {
	p, err := e.proposal(ctx, s, key)
	if err != nil {
		return objectives.Objective{}, err
	}
	words = visible(words)
	if err := words.Check(p.quotes); err != nil {
		return objectives.Objective{}, err
	}
	active, err := e.Library.Active(ctx, s.Tenant, p.session.ContextType)
	if err != nil {
		return active, err
	}
	d, published, grown := grownBy(active.Definition, &p.template, words)
	if grown {
		if active, err = e.Library.Publish(ctx, s.Tenant, obligations.TenantLayer, d); err != nil {
			return active, err
		}
	}
	r := byReviewer(0, reviewer, "approved it")
	r.Published = published
	return active, e.decide(ctx, s, key, true, r)
}

// visible returns a wording without invisible characters.
func visible(w obligations.Wording) obligations.Wording {
	out := obligations.Wording{Label: Visible(w.Label), Prompt: Visible(w.Prompt), Why: Visible(w.Why)}
	for _, example := range w.Examples {
		out.Examples = append(out.Examples, Visible(example))
	}
	return out.Tidy()
}

// Dismiss rejects an emergent question. Its session skips it.
func (e *Engine) Dismiss(ctx context.Context, s obligations.Scope, key, reviewer string) error {
	return e.decide(ctx, s, key, false, byReviewer(0, reviewer, "dismissed it"))
}

// decide records a decision about an emergent question, even in a completed session.
func (e *Engine) decide(ctx context.Context, s obligations.Scope, key string, approve bool, r obligations.ReviewDecision) error {
	return review(ctx, e.editor(), s, true, func(list []obligations.Obligation, turn int) (reviewOutcome, error) {
		r.Turn = turn
		changes, err := obligations.Decide(list, key, approve, r)
		return reviewOutcome{changes: changes}, err
	})
}

// proposal is an emergent question that waits for a reviewer.
type proposal struct {
	session  sessions.Session
	template obligations.Template
	quotes   []string           // what people said of it, and then all else that they said; none may be published
	evidence int                // how many of quotes are the words it came up in and was answered in
	said     []sessions.Message // of people, oldest first
}

// proposal reads an emergent question, the words that it rests on, and what else was said.
func (e *Engine) proposal(ctx context.Context, s obligations.Scope, key string) (proposal, error) {
	session, list, err := readSession(ctx, e.Pool, e.Library, s, sessions.Load)
	if err != nil {
		return proposal{}, err
	}
	if _, err := obligations.Decide(list, key, true, obligations.ReviewDecision{Turn: 1}); err != nil {
		return proposal{}, err
	}
	p := proposal{session: session, template: *obligations.Find(list, key).Template}
	for i := range list {
		if o := &list[i]; o.Key != key && o.MergedInto != key {
			continue
		}
		history, err := obligations.History(ctx, e.Pool, s, obligations.HistoryPage{Key: list[i].Key})
		if err != nil {
			return proposal{}, err
		}
		for _, h := range history {
			for _, ev := range h.Meta.Evidence {
				p.quotes = append(p.quotes, ev.Quote)
			}
		}
	}
	return p, p.hear(ctx, e)
}

// grownBy returns the next minor version of d, which asks for t in these words, and the
// key under which it does. It returns d and false when d asks for that already.
func grownBy(d *objectives.Definition, t *obligations.Template, words obligations.Wording) (objectives.Definition, string, bool) {
	worded := obligations.Worded(t, words, d.Obligations)
	for i := range d.Obligations {
		if o := &d.Obligations[i]; obligations.Alike(o, &worded, obligations.Vector{}, obligations.Vector{}).Same() {
			return *d, o.Key, false
		}
	}
	out := *d
	out.Obligations = append(slices.Clone(d.Obligations), worded)
	out.Version = objectives.NextVersion([]string{d.Version}, objectives.Minor)
	return out, worded.Key, true
}
