package chat

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
)

// Complete ends a session for good: the criteria hold and a person or a reviewer
// says so. It is a Conflict while they do not hold, while a turn runs, or when it
// is completed already.
func (e *Engine) Complete(ctx context.Context, s obligations.Scope) (sessions.Session, error) {
	var done sessions.Session
	var events []sessions.Event
	err := postgres.InTx(ctx, e.Pool, s.Tenant, func(tx pgx.Tx) error {
		session, list, err := e.locked(ctx, tx, s)
		if err != nil {
			return err
		}
		d, err := e.Library.Definition(ctx, s.Tenant, session.ObjectiveID)
		if err != nil {
			return err
		}
		if err := e.mayComplete(ctx, tx, session, d.Completion.Score(list)); err != nil {
			return err
		}
		done, events, err = complete(ctx, tx, session)
		return err
	})
	if err != nil {
		return done, err
	}
	e.Hub.Publish(s, events)
	return done, nil
}

// locked reads a session and its obligations and keeps other writers out.
func (e *Engine) locked(ctx context.Context, tx pgx.Tx, s obligations.Scope) (sessions.Session, []obligations.Obligation, error) {
	var session *sessions.Session
	var list []obligations.Obligation
	b := postgres.NewBatch(s.Tenant)
	sessions.Lock(b, s, &session)
	obligations.Load(b, s, e.Library.Templates(ctx, s.Tenant), &list)
	if err := b.Send(ctx, tx); err != nil {
		return sessions.Session{}, nil, fmt.Errorf("lock session %s: %w", s.Session, err)
	}
	if session == nil {
		return sessions.Session{}, nil, sessions.NoSession()
	}
	return *session, list, nil
}

// current returns a session and its obligations without a lock.
func (e *Engine) current(ctx context.Context, s obligations.Scope) (sessions.Session, []obligations.Obligation, error) {
	var session *sessions.Session
	var list []obligations.Obligation
	b := postgres.NewBatch(s.Tenant)
	sessions.Load(b, s, &session)
	obligations.Load(b, s, e.Library.Templates(ctx, s.Tenant), &list)
	if err := b.Send(ctx, e.Pool); err != nil {
		return sessions.Session{}, nil, err
	}
	if session == nil {
		return sessions.Session{}, nil, sessions.NoSession()
	}
	return *session, list, nil
}

func (e *Engine) mayComplete(ctx context.Context, tx pgx.Tx, s sessions.Session, got obligations.Completeness) error {
	running, err := sessions.RunningTurn(ctx, tx, s.Scope())
	switch {
	case err != nil:
		return err
	case s.Status == sessions.Completed:
		return fault.New(fault.Conflict, "this session is completed already").Coded("session_completed")
	case running != nil:
		return fault.New(fault.Conflict, "a turn is running in this session; wait for it to end, or stop it").Coded("turn_running")
	case !got.Met && len(got.MissingKeys) > 0:
		return fault.New(fault.Conflict, "not everything that is required is known yet; still open: %s", strings.Join(got.MissingKeys, ", ")).Coded("criteria_not_met")
	case !got.Met:
		return fault.New(fault.Conflict, "what is known is not enough or not sure enough yet to complete the session").Coded("criteria_not_met")
	}
	return noneOpen(ctx, tx, s.Scope())
}

// noneOpen refuses while values contradict each other: nobody can say which holds
// once the session is completed.
func noneOpen(ctx context.Context, tx pgx.Tx, s obligations.Scope) error {
	var open []obligations.Conflict
	b := postgres.NewBatch(s.Tenant)
	obligations.LoadConflicts(b, s, obligations.OpenConflicts, &open)
	if err := b.Send(ctx, tx); err != nil {
		return fmt.Errorf("read conflicts of session %s: %w", s.Session, err)
	}
	if len(open) == 0 {
		return nil
	}
	var keys []string
	for _, c := range open {
		keys = append(keys, c.Keys...)
	}
	slices.Sort(keys)
	return fault.New(fault.Conflict, "contradictions are open about %s; resolve them first", strings.Join(slices.Compact(keys), ", ")).Coded("conflicts_open")
}

func complete(ctx context.Context, tx pgx.Tx, s sessions.Session) (sessions.Session, []sessions.Event, error) {
	s.Status, s.StopReason, s.Question = sessions.Completed, sessions.EndCompleted, nil
	s.CompletedAt = &s.UpdatedAt
	turn := max(s.Turns, 1)
	events := sessions.Events(turn, []sessions.Payload{sessions.DoneEvent{Turn: turn, Reason: string(sessions.EndCompleted)}})
	var last int64
	b := postgres.NewBatch(s.Tenant)
	if err := sessions.Save(b, s); err != nil {
		return s, nil, err
	}
	sessions.Append(b, s.Scope(), events, &last)
	if err := b.Send(ctx, tx); err != nil {
		return s, nil, fmt.Errorf("complete session %s: %w", s.ID, err)
	}
	sessions.Number(events, last)
	return s, events, nil
}
