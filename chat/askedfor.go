package chat

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
)

// askedFor refuses answers whose keys the session does not have, and those that cannot
// be the value of theirs; a session that is yet to begin has the obligations of the
// objective. What else is wrong with the session is left to the beginning of the turn,
// which tells strangers nothing of it.
func (e *Engine) askedFor(ctx context.Context, in Input, objective *sessions.Definition) error {
	if len(in.Answers) == 0 {
		return nil
	}
	list, err := e.obligationsFor(ctx, in)
	if err != nil || list == nil && objective == nil {
		return err
	}
	find := obligations.TemplateOf(list)
	if list == nil {
		find = objective.Template
	}
	for _, key := range slices.Sorted(maps.Keys(in.Answers)) {
		if err := fits(find(key), key, in.Answers[key]); err != nil {
			return err.At("answers." + key)
		}
	}
	return nil
}

// fits refuses what cannot be the value of an obligation; nil is one that is not asked.
func fits(t *obligations.Template, key string, v json.RawMessage) *fault.Error {
	if t == nil {
		return fault.New(fault.Unprocessable, "%s is no question of this session; answers go by the keys of its obligations", key).Coded("answer_unknown")
	}
	var wrong *fault.Error
	if errors.As(t.Check(v), &wrong) {
		return wrong.Coded("answer_unfit")
	}
	return nil
}

// obligationsFor returns the obligations of the session that in is for: the one it
// names, or the person's active one; nil when there is none they may talk in.
func (e *Engine) obligationsFor(ctx context.Context, in Input) ([]obligations.Obligation, error) {
	s := obligations.Scope{Tenant: in.Tenant, Session: in.SessionID}
	if in.SessionID == "" {
		var active *sessions.Session
		b := postgres.NewBatch(in.Tenant)
		sessions.LoadActive(b, in.Tenant, in.User, in.ContextType, &active)
		if err := b.Send(ctx, e.Pool); err != nil || active == nil {
			return nil, err
		}
		s.Session = active.ID
	} else if _, part, err := sessions.FindAs(ctx, e.Pool, s, in.User); fault.Is(err, fault.NotFound) || err == nil && !part.MayTalk() && !in.Anyone {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	var list []obligations.Obligation
	b := postgres.NewBatch(in.Tenant)
	obligations.Load(b, s, e.Library.Templates(ctx, in.Tenant), &list)
	return list, b.Send(ctx, e.Pool)
}
