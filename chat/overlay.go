package chat

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
)

// CreateOverlaid makes a session of its own whose objective has a layer that is
// this session's alone. An overlay that does not fit gives [sessions.Faults] with
// paths that begin with "overlay", and no session.
func (e *Engine) CreateOverlaid(ctx context.Context, tenant, user, contextType string, overlay json.RawMessage) (sessions.Session, error) {
	if err := checkContext(contextType); err != nil {
		return sessions.Session{}, err
	}
	base, err := e.Library.Active(ctx, tenant, contextType)
	if err != nil {
		return sessions.Session{}, err
	}
	o, err := e.Library.Overlaid(ctx, base, overlay)
	if err != nil {
		return sessions.Session{}, err
	}
	s := obligations.Scope{Tenant: tenant, Session: uuid.NewString()}
	b := postgres.NewBatch(tenant)
	if err := sessions.Create(b, sessions.New{Scope: s, Objective: o, User: user}); err != nil {
		return sessions.Session{}, err
	}
	if err := b.Send(ctx, e.Pool); err != nil {
		return sessions.Session{}, fmt.Errorf("create session: %w", err)
	}
	return sessions.Find(ctx, e.Pool, s)
}
