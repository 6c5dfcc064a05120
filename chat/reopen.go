package chat

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/fault"
	"quaestor/internal/language/messages"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
)

// Reopening is a wish to work a completed session again.
type Reopening struct {
	Revision int    // the completed one that is meant; 0 means whichever the session is at
	Reason   string // told in the conversation and kept; may be empty
}

// ReopenSession opens a completed session again, as its next revision with the same values, and
// says so in a turn of its own. The revision before is kept; see [sessions.Revision].
// A session that is open already stays as it is, and so does one that is past the
// revision that is meant: asking twice reopens once. It is a Conflict while a turn runs.
// A person must take part; what a reviewer decided stays decided.
func (e *Engine) ReopenSession(ctx context.Context, s obligations.Scope, by Actor, r Reopening) (sessions.Session, error) {
	reason, err := reasoned("reason", r.Reason)
	if err != nil {
		return sessions.Session{}, err
	}
	var session sessions.Session
	var events []sessions.Event
	err = retry(ctx, func() error {
		return postgres.InTx(ctx, e.Pool, s.Tenant, func(tx pgx.Tx) error {
			o := reopening{engine: e, by: by, reason: reason}
			events = nil
			var err error
			if session, err = o.read(ctx, tx, s); err != nil || !o.due(session, r.Revision) {
				return err
			}
			session, events, err = o.record(ctx, tx, session)
			return err
		})
	})
	if err != nil {
		return sessions.Session{}, err
	}
	if events == nil { // an earlier try may have been recorded and its answer lost
		e.Hub.Recheck(s)
	}
	e.Hub.Publish(s, events)
	return session, nil
}

// reopening is one completed session that is being reopened.
type reopening struct {
	engine *Engine
	by     Actor
	reason string

	list      []obligations.Obligation
	conflicts []obligations.Conflict
	trailEnd  int64
	running   *sessions.Turn
}

// read locks the session and reads what is kept of it.
func (o *reopening) read(ctx context.Context, tx pgx.Tx, s obligations.Scope) (sessions.Session, error) {
	session, list, err := lockSession(ctx, tx, o.engine.Library, s)
	if err != nil {
		return session, err
	}
	o.list = list
	b := postgres.NewBatch(s.Tenant)
	obligations.LoadConflicts(b, s, obligations.OpenConflicts, &o.conflicts)
	obligations.LoadTrailEnd(b, s, &o.trailEnd)
	sessions.LoadRunning(b, s, &o.running)
	if err := b.Send(ctx, tx); err != nil {
		return session, fault.Wrap(err, "read session %s", s.Session)
	}
	if o.running != nil && session.Status == sessions.Completed {
		return session, errTurnRunning()
	}
	return session, nil
}

// due reports whether s is completed, and of the revision that is meant.
func (o *reopening) due(s sessions.Session, revision int) bool {
	return s.Status == sessions.Completed && (revision == 0 || revision == s.Revision)
}

// record keeps the revision, opens the next, and records the turn that says so, in one
// batch. It returns the session as it is then, and the events to publish.
func (o *reopening) record(ctx context.Context, tx pgx.Tx, before sessions.Session) (sessions.Session, []sessions.Event, error) {
	s := before.Scope()
	b := postgres.NewBatch(s.Tenant)
	next, err := sessions.Reopen(b, before, sessions.Reopening{By: o.by.User, Reviewer: o.by.Reviewer, Reason: o.reason}, o.trailEnd, o.conflicts)
	if err != nil {
		return before, nil, err
	}
	in := sessions.NewTurn{Scope: s, Number: before.Turns + 1, ContextType: before.ContextType, Language: before.Language, LanguageSource: before.LanguageSource,
		User: o.by.User, Anyone: o.by.Reviewer, BodyHash: Input{}.hash(), Instance: o.engine.Instance, Interviewer: o.engine.Rules.Name()}
	next.Turns = in.Number
	var begun *sessions.BegunTurn
	if err := sessions.BeginTurn(b, in, &begun); err != nil {
		return before, nil, err
	}
	message := sessions.Message{Turn: in.Number, Role: sessions.FromAssistant, Content: o.words(before), Complete: true}
	end := sessions.Outcome{Turn: sessions.Turn{Scope: s, Number: in.Number, Attempt: 1}, Version: next.Version, Status: sessions.TurnDone,
		Interviewer: in.Interviewer, Usage: Usage{Spent: &BudgetUse{At: time.Now()}}, Session: next} // the budget begins anew
	if err := sessions.FinishTurn(b, end); err != nil {
		return before, nil, err
	}
	sessions.AddMessage(b, s, message)
	events := sessions.Events(in.Number, []sessions.Payload{
		sessions.ReopenedEvent{Turn: in.Number, Revision: next.Revision, CompletedAt: completedAt(before), By: o.by.User, Reviewer: o.by.Reviewer, Reason: o.reason},
		sessions.MessageEvent{Turn: in.Number, MessageID: message.ID(), Role: string(message.Role), Content: message.Content, Complete: true, Interviewer: in.Interviewer},
		sessions.DoneEvent{Turn: in.Number, Reason: "answered"}})
	sessions.Append(b, s, events)
	var after *sessions.Session
	sessions.Load(b, s, &after)
	err = b.Send(ctx, tx)
	if sessions.IsFenced(err) { // it began no turn, since the person has no part in the session
		return before, nil, sessions.NoTalking()
	}
	if err != nil {
		return before, nil, fault.Wrap(err, "reopen session %s", s.Session)
	}
	return *after, append([]sessions.Event{begun.Event}, events...), nil
}

// words returns what the conversation says of the reopening, in its language.
func (o *reopening) words(before sessions.Session) string {
	l := MessagesOf(&Scene{Session: before, Obligations: o.list})
	key := "revised"
	if o.by.Reviewer {
		key = "revised.reviewer"
	}
	args := messages.Args{"revision": messages.Figure(before.Revision + 1), "earlier": messages.Figure(before.Revision),
		"day": messages.Date(completedAt(before).UTC().Format(time.DateOnly))}
	out := l.Text(key, args)
	if o.reason != "" {
		out += " " + l.Text("revised.reason", messages.Args{"reason": messages.Quote(o.reason)})
	}
	return out + "\n\n" + l.Text("revised.ask", nil)
}

// completedAt returns when a completed session was completed.
func completedAt(s sessions.Session) time.Time {
	if s.CompletedAt == nil {
		return s.UpdatedAt
	}
	return *s.CompletedAt
}
