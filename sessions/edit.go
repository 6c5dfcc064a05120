package sessions

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
	"quaestor/sessions/objectives"
)

// Editor changes sessions outside their turns, for reviewers, research and
// re-evaluation.
type Editor struct {
	Pool    *pgxpool.Pool
	Hub     *Hub
	Library *objectives.Library
}

// Edit is one change of a session outside its turns. It holds the session's lock, so
// other writers wait. A turn that is running is not disturbed: it notices the change
// when it ends, and is applied to the changed session.
type Edit struct {
	Session   Session
	Objective *objectives.Definition
	List      []obligations.Obligation
	Conflicts []obligations.Conflict // open and resolved
	Turn      int                    // the last turn, or 1 before the first

	Findings []obligations.Finding                      // to apply to the obligations
	Closed   []obligations.Conflict                     // conflicts that the edit resolves
	Must     func(after []obligations.Obligation) error // refuses a result with an error; nil accepts any
	Signals  Signals                                    // for the memory
	Tell     []Payload                                  // events beside those of the changes
	Write    func(*postgres.Batch) error                // queues further statements of the transaction; nil for none
}

// Change applies what decide puts into the edit, records it with its history and its
// events, and returns the obligations afterwards. When decide fails nothing changes.
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

// Open locks a session and reads what an edit starts from.
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
	if err != nil {
		return nil, err
	}
	ed.Session, ed.Objective, ed.Turn = *session, session.Speak(d, ed.List), session.lastTurn()
	return ed, nil
}

// Record works out what the edit changes and writes that; an edit that changes nothing
// writes nothing. It returns the obligations afterwards and the numbered events, which
// the caller publishes with [Hub.Publish] once tx is committed.
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
	out := editResult{edit: ed, changes: changes, found: identified(changes, again.Found), closed: append(ed.Closed, again.Closed...)}
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

// ConflictEvents inserts the events of conflicts before the event of completeness, which
// they explain.
func ConflictEvents(told []Payload, list []obligations.Conflict, turn int) []Payload {
	at := slices.IndexFunc(told, func(p Payload) bool { _, ok := p.(CompletenessEvent); return ok })
	for _, c := range slices.Backward(list) {
		told = slices.Insert(told, max(at, 0), Payload(ConflictEvent{Turn: turn, Conflict: c}))
	}
	return told
}

// known returns all conflicts with the edit's own resolutions.
func (ed *Edit) known() []obligations.Conflict {
	out := slices.Clone(ed.Conflicts)
	for _, c := range ed.Closed {
		if i := slices.IndexFunc(out, func(o obligations.Conflict) bool { return o.ID == c.ID }); i >= 0 {
			out[i] = c
		}
	}
	return out
}

// identified gives new conflicts their ids and returns them together with the others.
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

// editResult is what an edit comes to.
type editResult struct {
	edit          *Edit
	next          Session
	changes       []obligations.Change
	found, closed []obligations.Conflict
	told          []Payload
}

// write stores the result and appends its events.
func (out editResult) write(ctx context.Context, tx pgx.Tx, events []Event) error {
	s := out.next.Scope()
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
	Append(b, s, events)
	return fault.Wrap(b.Send(ctx, tx), "change session %s", s.Session)
}
