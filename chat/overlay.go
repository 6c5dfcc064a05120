package chat

import (
	"context"
	"encoding/json"

	"quaestor/sessions"
)

// CreateOverlaid makes a session of its own whose objective has a layer that is
// this session's alone. An overlay that does not fit gives [objectives.Faults] with
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
	return e.create(ctx, tenant, user, o)
}
