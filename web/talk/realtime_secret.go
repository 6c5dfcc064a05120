package talk

import (
	"context"
)

// RealtimeSecretBody is a key for one call of a client of OpenAI Realtime, as OpenAI answers.
type RealtimeSecretBody struct {
	Value     string               `json:"value" doc:"a ticket, shown once: the key with which a browser opens one call at /v1/realtime"`
	ExpiresAt int64                `json:"expires_at" doc:"seconds since 1970"`
	Session   RealtimeSessionBrief `json:"session"`
}

// RealtimeSessionBrief is the session of a key.
type RealtimeSessionBrief struct {
	Type  string `json:"type" doc:"realtime"`
	ID    string `json:"id"`
	Model string `json:"model" doc:"the id of the session: what a client names as its model"`
}

// RealtimeSettings are those of a client of OpenAI Realtime, as far as they are read.
type RealtimeSettings struct {
	Model string `json:"model" doc:"the id of a session, or the key of an objective, of which one begins"`
}

type newRealtimeSecret struct {
	Body struct {
		Session RealtimeSettings `json:"session" doc:"settings as a client of OpenAI Realtime has them; only the model is read"`
	}
}

// createRealtimeSecret makes what a server of the client's own would get from OpenAI for its pages:
// a key for one call. The model is the id of a session, or the key of an objective, of which a
// session begins. Other settings of the client are not taken.
func (s *Handlers) createRealtimeSecret(ctx context.Context, in *newRealtimeSecret) (RealtimeSecretBody, error) {
	id, err := s.modelSession(ctx, in.Body.Session.Model)
	if err != nil {
		return RealtimeSecretBody{}, err
	}
	session, err := s.talkable(ctx, id)
	if err != nil {
		return RealtimeSecretBody{}, err
	}
	ticket, err := s.createCallTicket(ctx, session, nil)
	return RealtimeSecretBody{ticket.Ticket, ticket.ExpiresAt.Unix(), RealtimeSessionBrief{"realtime", session.ID, session.ID}}, err
}
