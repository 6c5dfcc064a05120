package talk

import (
	"context"
	"time"

	"quaestor/internal/auth"
	"quaestor/sessions"
	"quaestor/web"
)

// CallTicketBody is a ticket for one call on the wire. The secret is not stored.
type CallTicketBody struct {
	Ticket    string    `json:"ticket" doc:"shown once; opens one call"`
	SessionID string    `json:"sessionId"`
	ExpiresAt time.Time `json:"expiresAt"`
}

// createCallTicket makes a ticket with which a telephone, or a page without a token, opens one
// call in the name of who makes it.
func (s *Handlers) createCallTicket(ctx context.Context, session sessions.Session, _ *web.SessionPath) (CallTicketBody, error) {
	a := web.ActorFrom(ctx)
	// A reviewer who takes no part could make a ticket that opens nothing.
	if _, err := s.mayTalk(web.WithActor(ctx, bearerOf(session.Tenant, a.User, session.ID)), session.ID); err != nil {
		return CallTicketBody{}, err
	}
	secret, ticket, err := auth.NewTicket(auth.Call, session.Tenant)
	if err != nil {
		return CallTicketBody{}, err
	}
	made, err := sessions.CreateCallTicket(ctx, s.Pool, session.Scope(), a.User, ticket.Hash, time.Now())
	return CallTicketBody{secret, session.ID, made.ExpiresAt}, err
}
