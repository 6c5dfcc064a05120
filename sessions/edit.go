package sessions

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/objectives"
)

// Editor changes sessions outside their turns: reviewers, research and the
// re-evaluation do.
type Editor struct {
	Pool    *pgxpool.Pool
	Hub     *Hub
	Library *objectives.Library
}

// Edit is one change of a session that is no turn, made while other writers are
// kept out. A turn that runs meanwhile goes on: it finds the session changed when
// it ends, and is applied to what the edit left.
type Edit struct {
	Session   Session
	Objective *objectives.Definition
	List      []obligations.Obligation
	Conflicts []obligations.Conflict // all the session has had
	Turn      int                    // the last turn, 1 before the first

	Findings []obligations.Finding                      // what is said
	Closed   []obligations.Conflict                     // what is decided
	Must     func(after []obligations.Obligation) error // nil for no condition on what comes of it
	Signals  Signals                                    // what is worth remembering
	Tell     []Payload                                  // what is told beside what changed
	Write    func(*postgres.Batch) error                // further rows of the same transaction; nil for none
}

// Change applies what decide says to a session, records it with its history and
// its events, and returns the obligations after it. An error of decide changes
// nothing.
func (e Editor) Change(ctx context.Context, s obligations.Scope, decide func(*Edit) error) ([]obligations.Obligation, error) {
	var list []obligations.Obligation
	var events []Event
	err := postgres.InTx(ctx, e.Pool, s.Tenant, func(tx pgx.Tx) error {
		ed, err := e.Open(ctx, tx, s)
		if err != nil {
			return err
		}
		if err := decide(ed); err != nil {
			return err
		}
		list, events, err = ed.Record(ctx, tx)
		return err
	})
	if err != nil {
		return nil, err
	}
	e.Hub.Publish(s, events)
	return list, nil
}

// Open locks a session and reads what an edit needs of it.
func (e Editor) Open(ctx context.Context, tx pgx.Tx, s obligations.Scope) (*Edit, error) {
	var session *Session
	ed := &Edit{}
	b := postgres.NewBatch(s.Tenant)
	Lock(b, s, &session)
	obligations.Load(b, s, e.Library.Templates(ctx, s.Tenant), &ed.List)
	obligations.LoadConflicts(b, s, obligations.AllConflicts, &ed.Conflicts)
	if err := b.Send(ctx, tx); err != nil {
		return nil, fmt.Errorf("lock session %s: %w", s.Session, err)
	}
	if session == nil {
		return nil, NoSession()
	}
	d, err := e.Library.Definition(ctx, s.Tenant, session.ObjectiveID)
	ed.Session, ed.Objective, ed.Turn = *session, d, max(session.Turns, 1)
	return ed, err
}

// Record works out what the edit changes and writes it; nothing when it changes
// nothing. It returns the obligations after it and the events, numbered, for
// [Hub.Publish] once tx is committed.
func (ed *Edit) Record(ctx context.Context, tx pgx.Tx) ([]obligations.Obligation, []Event, error) {
	changes := obligations.Apply(ed.List, ed.Findings, ed.Turn)
	again := obligations.Reassess(obligations.Merge(ed.List, changes), ed.Objective.Constraints, ed.known(), ed.Turn)
	changes = obligations.Combine(changes, again.Changes)
	after := obligations.Merge(ed.List, changes)
	if ed.Must != nil {
		if err := ed.Must(after); err != nil {
			return nil, nil, err
		}
	}
	out := edited{edit: ed, changes: changes, found: identified(changes, again.Found), closed: append(ed.Closed, again.Closed...)}
	out.next, out.told = ed.Session, ed.Tell
	out.next.Memory = ed.Session.Memory.Note(ed.Signals)
	if len(changes)+len(out.closed)+len(out.found) > 0 {
		var told []Payload
		out.next, told = Advance(out.next, ed.Objective, after, changes, ed.Turn)
		out.told = append(ConflictEvents(told, slices.Concat(again.Found, out.closed), ed.Turn), out.told...)
	}
	if ed.Session.Memory.Differs(out.next.Memory) {
		out.told = append(out.told, MemoryEvent{Turn: ed.Turn, Memory: out.next.Memory})
	}
	if len(out.told) == 0 && ed.Write == nil {
		return after, nil, nil
	}
	events := Events(ed.Turn, out.told)
	err := out.write(ctx, tx, events)
	return after, events, err
}

// ConflictEvents puts the events of conflicts in their place: before how far the
// session is.
func ConflictEvents(told []Payload, list []obligations.Conflict, turn int) []Payload {
	at := slices.IndexFunc(told, func(p Payload) bool { _, ok := p.(CompletenessEvent); return ok })
	for _, c := range slices.Backward(list) {
		told = slices.Insert(told, max(at, 0), Payload(ConflictEvent{Turn: turn, Conflict: c}))
	}
	return told
}

// known returns all conflicts as they stand after the edit's own decisions.
func (ed *Edit) known() []obligations.Conflict {
	out := slices.Clone(ed.Conflicts)
	for _, c := range ed.Closed {
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

// edited is what an edit came to.
type edited struct {
	edit          *Edit
	next          Session
	changes       []obligations.Change
	found, closed []obligations.Conflict
	told          []Payload
}

func (out edited) write(ctx context.Context, tx pgx.Tx, events []Event) error {
	s := out.next.Scope()
	var last int64
	b := postgres.NewBatch(s.Tenant)
	if err := Save(b, out.next); err != nil {
		return err
	}
	if err := obligations.Save(b, s, out.changes); err != nil {
		return err
	}
	if err := obligations.SaveConflicts(b, s, out.found, out.closed); err != nil {
		return err
	}
	if out.edit.Write != nil {
		if err := out.edit.Write(b); err != nil {
			return err
		}
	}
	obligations.MarkReassessed(b, s)
	Append(b, s, events, &last)
	if err := b.Send(ctx, tx); err != nil {
		return fmt.Errorf("change session %s: %w", s.Session, err)
	}
	Number(events, last)
	return nil
}
