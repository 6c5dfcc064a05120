package talk

import (
	"context"

	"quaestor/chat"
	"quaestor/sessions"
	"quaestor/web"
)

// getAgenda returns the course of an interview.
func (s *Handlers) getAgenda(ctx context.Context, found sessions.Session, _ *web.SessionPath) (chat.Agenda, error) {
	_, list, err := s.Known(ctx, found)
	return chat.AgendaOf(list, found.Question), err
}
