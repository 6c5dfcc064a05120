package chat

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
)

// Party is who changes values outside the conversation.
type Party struct {
	User     string
	Reviewer bool // acts as one: decides what was escalated, and may undo what a reviewer decided
}

// clerk changes sessions outside their turns.
type clerk struct {
	pool    *pgxpool.Pool
	hub     *sessions.Hub
	library *sessions.Library
}

func (e *Engine) clerk() clerk { return clerk{e.Pool, e.Hub, e.Library} }

// edit is one change of a session that is no turn, made while other writers are
// kept out. A turn that runs meanwhile goes on: it finds the session changed when
// it ends, and is applied to what the edit left.
type edit struct {
	by        Party
	session   sessions.Session
	objective *sessions.Definition
	list      []obligations.Obligation
	conflicts []obligations.Conflict // all the session has had
	turn      int

	findings []obligations.Finding                      // what is said
	closed   []obligations.Conflict                     // what is decided
	must     func(after []obligations.Obligation) error // nil for no condition on what comes of it
}

// change applies what decide says to a session, records it with its history and
// its events, and returns the obligations after it. An error of decide changes
// nothing. A session that is completed takes no changes.
func (c clerk) change(ctx context.Context, s obligations.Scope, by Party, decide func(*edit) error) ([]obligations.Obligation, error) {
	var list []obligations.Obligation
	var events []sessions.Event
	err := postgres.InTx(ctx, c.pool, s.Tenant, func(tx pgx.Tx) error {
		ed, err := c.open(ctx, tx, s)
		if err != nil {
			return err
		}
		if ed.session.Status == sessions.Completed {
			return fault.New(fault.Conflict, "this session is completed; what it found stands").Coded("session_completed")
		}
		ed.by = by
		if err := decide(ed); err != nil {
			return err
		}
		list, events, err = ed.record(ctx, tx)
		return err
	})
	if err != nil {
		return nil, err
	}
	c.hub.Publish(s, events)
	return list, nil
}

// open locks a session and reads what an edit needs of it.
func (c clerk) open(ctx context.Context, tx pgx.Tx, s obligations.Scope) (*edit, error) {
	var session *sessions.Session
	ed := &edit{}
	b := postgres.NewBatch(s.Tenant)
	sessions.Lock(b, s, &session)
	obligations.Load(b, s, c.library.Templates(ctx, s.Tenant), &ed.list)
	obligations.LoadConflicts(b, s, obligations.AllConflicts, &ed.conflicts)
	if err := b.Send(ctx, tx); err != nil {
		return nil, fmt.Errorf("lock session %s: %w", s.Session, err)
	}
	if session == nil {
		return nil, sessions.NoSession()
	}
	d, err := c.library.Definition(ctx, s.Tenant, session.ObjectiveID)
	ed.session, ed.objective, ed.turn = *session, d, max(session.Turns, 1)
	return ed, err
}

// record works out what the edit changes and writes it; nothing when it changes
// nothing.
func (ed *edit) record(ctx context.Context, tx pgx.Tx) ([]obligations.Obligation, []sessions.Event, error) {
	changes := obligations.Apply(ed.list, ed.findings, ed.turn)
	again := obligations.Reassess(obligations.Merge(ed.list, changes), ed.objective.Constraints, ed.known(), ed.turn)
	changes = obligations.Combine(changes, again.Changes)
	after := obligations.Merge(ed.list, changes)
	if ed.must != nil {
		if err := ed.must(after); err != nil {
			return nil, nil, err
		}
	}
	found := identified(changes, again.Found)
	closed := append(ed.closed, again.Closed...)
	if len(changes)+len(closed)+len(found) == 0 {
		return after, nil, nil
	}
	next, told := sessions.Advance(ed.session, ed.objective, after, changes, ed.turn)
	events := sessions.Events(ed.turn, clashing(told, slices.Concat(again.Found, closed), ed.turn))
	err := ed.write(ctx, tx, next, changes, found, closed, events)
	return after, events, err
}

// clashing puts the events of conflicts in their place: before how far the
// session is.
func clashing(told []sessions.Payload, list []obligations.Conflict, turn int) []sessions.Payload {
	at := slices.IndexFunc(told, func(p sessions.Payload) bool { _, ok := p.(sessions.Scored); return ok })
	for _, c := range slices.Backward(list) {
		told = slices.Insert(told, max(at, 0), sessions.Payload(sessions.Clashing{Turn: turn, Conflict: c}))
	}
	return told
}

// known returns all conflicts as they stand after the edit's own decisions.
func (ed *edit) known() []obligations.Conflict {
	out := slices.Clone(ed.conflicts)
	for _, c := range ed.closed {
		if i := slices.IndexFunc(out, func(o obligations.Conflict) bool { return o.ID == c.ID }); i >= 0 {
			out[i] = c
		}
	}
	return out
}

// identified gives new conflicts their ids and returns all of them.
func identified(changes []obligations.Change, found []obligations.Conflict) []obligations.Conflict {
	var out []obligations.Conflict
	for _, c := range changes {
		if c.Conflict != nil {
			c.Conflict.ID = uuid.NewString()
			out = append(out, *c.Conflict)
		}
	}
	for i := range found {
		found[i].ID = uuid.NewString()
	}
	return append(out, found...)
}

func (ed *edit) write(ctx context.Context, tx pgx.Tx, next sessions.Session, changes []obligations.Change, found, closed []obligations.Conflict, events []sessions.Event) error {
	s := next.Scope()
	var last int64
	b := postgres.NewBatch(s.Tenant)
	if err := sessions.Save(b, next); err != nil {
		return err
	}
	if err := obligations.Save(b, s, changes); err != nil {
		return err
	}
	if err := obligations.SaveConflicts(b, s, found, closed); err != nil {
		return err
	}
	obligations.MarkReassessed(b, s)
	sessions.Append(b, s, events, &last)
	if err := b.Send(ctx, tx); err != nil {
		return fmt.Errorf("change session %s: %w", s.Session, err)
	}
	sessions.Number(events, last)
	return nil
}
