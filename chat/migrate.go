package chat

import (
	"context"

	"quaestor/obligations"
	"quaestor/sessions"
)

// Migrate takes a session over to another version of its objective and tells its
// readers; see [sessions.Migrate] for what is refused.
func (e *Engine) Migrate(ctx context.Context, s obligations.Scope, t sessions.Target) (sessions.Migration, error) {
	m, events, err := sessions.Migrate(ctx, e.Pool, e.Library, s, t)
	if err != nil {
		return m, err
	}
	e.Hub.Publish(s, events)
	return m, nil
}
