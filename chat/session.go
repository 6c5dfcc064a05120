package chat

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// SessionRequest is a session that somebody wants to begin.
type SessionRequest struct {
	Tenant      string
	User        string
	ContextType string
	Overlay     json.RawMessage // a layer of its own on the objective; nil for none
	Language    sessions.LanguageRequest
}

// Create creates a session in the objective's own language, even when the person has an
// active one of that context type.
func (e *Engine) Create(ctx context.Context, tenant, user, contextType string) (sessions.Session, error) {
	return e.CreateFor(ctx, SessionRequest{Tenant: tenant, User: user, ContextType: contextType})
}

// CreateFor creates the session that r asks for. An overlay that does not fit gives
// [objectives.Faults] with paths that begin with "overlay", and no session; for the
// language see [sessions.ChooseLanguage].
func (e *Engine) CreateFor(ctx context.Context, r SessionRequest) (sessions.Session, error) {
	if err := checkContext(r.ContextType); err != nil {
		return sessions.Session{}, err
	}
	o, err := e.Library.Active(ctx, r.Tenant, r.ContextType)
	if err == nil && r.Overlay != nil {
		o, err = e.Library.Overlaid(ctx, o, r.Overlay)
	}
	if err != nil {
		return sessions.Session{}, err
	}
	n, err := newSession(o, r.Tenant, r.User, r.Language)
	if err != nil {
		return sessions.Session{}, err
	}
	var created *sessions.Session
	b := postgres.NewBatch(r.Tenant)
	if err := sessions.Create(b, n); err != nil {
		return sessions.Session{}, err
	}
	sessions.Load(b, n.Scope, &created)
	if err := b.Send(ctx, e.Pool); err != nil {
		return sessions.Session{}, fmt.Errorf("create session: %w", err)
	}
	return *created, nil
}

// newSession returns a session about o that begins, under a new id.
func newSession(o objectives.Objective, tenant, user string, r sessions.LanguageRequest) (sessions.New, error) {
	tag, source, err := sessions.ChooseLanguage(o.Definition, r)
	return sessions.New{Scope: obligations.Scope{Tenant: tenant, Session: uuid.NewString()}, Objective: o, User: user, Language: tag, LanguageSource: source}, err
}

// Migrate moves a session to another version of its objective and tells its readers; see
// [sessions.Migrate] for what is refused.
func (e *Engine) Migrate(ctx context.Context, s obligations.Scope, t sessions.MigrationTarget) (sessions.Migration, error) {
	m, events, err := sessions.Migrate(ctx, e.Pool, e.Library, s, t)
	if err != nil {
		return m, err
	}
	e.Hub.Publish(s, events)
	return m, nil
}

// Complete ends a session, until it is reopened (see [Engine.ReopenSession]), when the
// criteria hold and a person or a reviewer asks for it. It is a Conflict while they do not hold, while values contradict each
// other, while a turn runs, and when the session is completed already.
func (e *Engine) Complete(ctx context.Context, s obligations.Scope) (sessions.Session, error) {
	var completed *sessions.Session
	var events []sessions.Event
	err := postgres.InTx(ctx, e.Pool, s.Tenant, func(tx pgx.Tx) error {
		session, list, err := lockSession(ctx, tx, e.Library, s)
		if err != nil {
			return err
		}
		d, err := e.Library.Definition(ctx, s.Tenant, session.ObjectiveID)
		if err != nil {
			return err
		}
		if err := mayComplete(ctx, tx, session, d.Completion.Score(list)); err != nil {
			return err
		}
		session.Status, session.StopReason, session.Question = sessions.Completed, sessions.EndCompleted, nil
		turn := max(session.Turns, 1)
		events = sessions.Events(turn, []sessions.Payload{sessions.DoneEvent{Turn: turn, Reason: string(sessions.EndCompleted)}})
		return recordEdit(ctx, tx, s, events, func(b *postgres.Batch) error {
			err := sessions.Save(b, session)
			sessions.Load(b, s, &completed)
			return err
		})
	})
	if err != nil {
		return sessions.Session{}, err
	}
	e.Hub.Publish(s, events)
	return *completed, nil
}

// Find returns a session with all that its question says. It is NotFound for one that does
// not exist.
func (e *Engine) Find(ctx context.Context, s obligations.Scope) (sessions.Session, error) {
	session, list, err := readSession(ctx, e.Pool, e.Library, s, sessions.Load)
	session.Question.Complete(obligations.TemplateOf(list))
	return session, err
}

// lockSession reads a session and its obligations, and keeps other writers out until the
// transaction ends.
func lockSession(ctx context.Context, tx pgx.Tx, l *objectives.Library, s obligations.Scope) (sessions.Session, []obligations.Obligation, error) {
	return readSession(ctx, tx, l, s, sessions.Lock)
}

// readSession reads a session, with [sessions.Load] or [sessions.Lock], and its
// obligations in its language.
func readSession(ctx context.Context, db postgres.DB, l *objectives.Library, s obligations.Scope, load func(*postgres.Batch, obligations.Scope, **sessions.Session)) (sessions.Session, []obligations.Obligation, error) {
	var session *sessions.Session
	var list []obligations.Obligation
	b := postgres.NewBatch(s.Tenant)
	load(b, s, &session)
	obligations.Load(b, s, l.Templates(ctx, s.Tenant), &list)
	err := b.Send(ctx, db)
	out, err := postgres.Found(session, fault.Wrap(err, "read session %s", s.Session), sessions.NoSession())
	if err != nil {
		return out, nil, err
	}
	d, err := l.Definition(ctx, s.Tenant, out.ObjectiveID)
	if err == nil {
		out.Speak(d, list)
	}
	return out, list, err
}

// recordEdit writes what write queues, and events about it, which it numbers for
// [sessions.Hub.Publish].
func recordEdit(ctx context.Context, tx pgx.Tx, s obligations.Scope, events []sessions.Event, write func(*postgres.Batch) error) error {
	b := postgres.NewBatch(s.Tenant)
	if err := write(b); err != nil {
		return err
	}
	sessions.Append(b, s, events)
	return fault.Wrap(b.Send(ctx, tx), "record change of session %s", s.Session)
}

// mayComplete returns a Conflict that states why a session cannot be completed, if so.
func mayComplete(ctx context.Context, tx pgx.Tx, s sessions.Session, c obligations.Completeness) error {
	running, err := sessions.RunningTurn(ctx, tx, s.Scope())
	switch {
	case err != nil:
		return err
	case s.Status == sessions.Completed:
		return fault.New(fault.Conflict, "this session is completed already").Coded("session_completed")
	case running != nil:
		return fault.New(fault.Conflict, "a turn is running in this session; wait for it to end, or stop it").Coded("turn_running")
	case !c.Met && len(c.MissingKeys) > 0:
		return fault.New(fault.Conflict, "not everything that is required is known yet; still open: %s", strings.Join(c.MissingKeys, ", ")).Coded("criteria_not_met")
	case !c.Met:
		return fault.New(fault.Conflict, "what is known is not enough or not sure enough yet to complete the session").Coded("criteria_not_met")
	}
	var open []obligations.Conflict
	b := postgres.NewBatch(s.Tenant)
	obligations.LoadConflicts(b, s.Scope(), obligations.OpenConflicts, &open)
	if err := b.Send(ctx, tx); err != nil {
		return fmt.Errorf("read conflicts of session %s: %w", s.ID, err)
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
