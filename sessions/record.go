package sessions

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/objectives"
)

// Record is everything that is stored of a session, which a replay is made from.
type Record struct {
	Session   Session
	Objective objectives.Objective
	Turns     []Turn
	Messages  []Message
	Given     []TurnFile                // files, with the turns they were given with
	Files     []File                    // those, with their texts
	History   []obligations.StoredEvent // of the obligations
	Log       []Event

	templates []obligations.Template // of the versions it was on, the latest of each key; nil means the objective's
}

// ReadRecord reads everything of a session; NotFound when it does not exist.
func ReadRecord(ctx context.Context, db postgres.DB, l *objectives.Library, s obligations.Scope) (*Record, error) {
	r := &Record{}
	var err error
	if r.Session, err = Find(ctx, db, s); err != nil {
		return nil, err
	}
	if r.Objective, err = l.Find(ctx, s.Tenant, r.Session.ObjectiveID); err != nil {
		return nil, err
	}
	for _, read := range []func() error{
		func() error {
			return pages(&r.Turns, func(last Turn) ([]Turn, error) { return Turns(ctx, db, s, last.Number) })
		},
		func() error {
			return pages(&r.Messages, func(last Message) ([]Message, error) { return wholeTurns(Transcript(ctx, db, s, last.Turn, maxTurns)) })
		},
		func() error { return r.readFiles(ctx, db, s) },
		func() error {
			return pages(&r.History, func(last obligations.StoredEvent) ([]obligations.StoredEvent, error) {
				return obligations.History(ctx, db, s, obligations.HistoryPage{After: last.ID})
			})
		},
		func() error {
			return pages(&r.Log, func(last Event) ([]Event, error) {
				events, _, err := After(ctx, db, s, last.Seq)
				return events, err
			})
		},
	} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	events := make([]obligations.Event, len(r.History))
	for i, e := range r.History {
		events[i] = e.Event
	}
	r.templates, err = ReplayTemplates(events, l.Templates(ctx, s.Tenant))
	return r, err
}

// readFiles reads the files that were given with turns.
func (r *Record) readFiles(ctx context.Context, db postgres.DB, s obligations.Scope) error {
	b := postgres.NewBatch(s.Tenant)
	LoadGiven(b, s, &r.Given)
	if err := b.Send(ctx, db); err != nil || len(r.Given) == 0 {
		return err
	}
	var ids []string
	for _, g := range r.Given {
		if !slices.Contains(ids, g.File.ID) {
			ids = append(ids, g.File.ID)
		}
	}
	var err error
	r.Files, err = PickFiles(ctx, db, s, ids)
	return err
}

// FilesOf returns the files that were given with a turn, with their texts.
func (r *Record) FilesOf(turn int) []File {
	var out []File
	for _, g := range r.Given {
		if at := slices.IndexFunc(r.Files, func(f File) bool { return f.ID == g.File.ID }); g.Turn == turn && at >= 0 {
			out = append(out, r.Files[at])
		}
	}
	return out
}

// pages appends what next returns after the last element of list, until next returns
// nothing.
func pages[T any](list *[]T, next func(last T) ([]T, error)) error {
	for {
		var last T
		if n := len(*list); n > 0 {
			last = (*list)[n-1]
		}
		more, err := next(last)
		if err != nil || len(more) == 0 {
			return err
		}
		*list = append(*list, more...)
	}
}

// wholeTurns drops the last turn of a full page, since the rest of it may be on the next
// one.
func wholeTurns(list []Message, err error) ([]Message, error) {
	if len(list) < maxTurns {
		return list, err
	}
	last := list[len(list)-1].Turn
	return slices.DeleteFunc(list, func(m Message) bool { return m.Turn == last }), err
}

// TurnSnapshot is a session as it stood after a turn.
type TurnSnapshot struct {
	Turn         int
	Obligations  []obligations.Obligation
	Completeness obligations.Completeness
	Phase        Phase
	Language     string // of the session then; empty before its first turn, and in sessions from before there was one
	Memory       Memory // recent topics left out: the log does not tell each
}

// At rebuilds the session as it was after a turn from the record alone; 0 means the last
// turn. A turn that does not exist is Invalid; a record that contradicts itself is an
// internal error.
func (r *Record) At(turn int) (TurnSnapshot, error) {
	turn = cmp.Or(turn, r.Session.Turns)
	if turn < 0 || turn > r.Session.Turns {
		return TurnSnapshot{}, fault.New(fault.Invalid, "the session has turns 1 to %d", r.Session.Turns).At("until")
	}
	out := TurnSnapshot{Turn: turn, Phase: Opening}
	var events []obligations.Event
	for _, e := range r.History {
		if e.Turn <= turn {
			events = append(events, e.Event)
		}
	}
	templates := r.templates
	if templates == nil {
		templates = r.Objective.Definition.Obligations
	}
	var err error
	if out.Obligations, err = obligations.Replay(templates, events); err != nil {
		return out, fmt.Errorf("replay session %s: %w", r.Session.ID, err)
	}
	out.Completeness = r.Objective.Definition.Completion.Score(out.Obligations)
	for _, e := range r.Log {
		if e.Turn <= turn {
			if err := out.apply(e); err != nil {
				return out, fmt.Errorf("replay session %s: event %d: %w", r.Session.ID, e.Seq, err)
			}
		}
	}
	return out, nil
}

// apply applies an event that begins a turn, or one of phase or memory.
func (s *TurnSnapshot) apply(e Event) error {
	switch e.Kind {
	case KindSession:
		var p SessionEvent
		err := json.Unmarshal(e.Data, &p)
		s.Language = p.Language
		return err
	case KindPhase:
		var p PhaseEvent
		err := json.Unmarshal(e.Data, &p)
		s.Phase = p.Phase
		return err
	case KindMemory:
		var p MemoryEvent
		err := json.Unmarshal(e.Data, &p)
		s.Memory = p.Memory
		s.Memory.RecentTopics = nil
		return err
	default:
		return nil
	}
}
