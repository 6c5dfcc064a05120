package review

import (
	"context"

	"quaestor/internal/postgres"
	"quaestor/sessions"
	"quaestor/web"
)

// gotInTouch applies the form by which a reviewer says that they got in touch with the
// person who asked for a human being.
func (s *Handlers) gotInTouch(ctx context.Context, in submission) (string, error) {
	_, err := s.meetHandover(ctx, in.session, nil)
	return sessionPath(in.session.ID), err
}

// meetHandover clears the wish of a session for a human being, in the name of the actor.
func (s *Handlers) meetHandover(ctx context.Context, session sessions.Session, _ *web.SessionPath) (web.SessionBody, error) {
	events, err := sessions.MeetHandover(ctx, s.Pool, session.Scope(), web.ActorFrom(ctx).User)
	if err != nil {
		return web.SessionBody{}, err
	}
	s.Hub.Publish(session.Scope(), events)
	session.Handover = nil
	return web.ToSessionBody(session), nil
}

// handoverView is the wish for a human being that nobody has met yet.
type handoverView struct {
	sessions.Handover
	By   string // who asked
	Said string // their message
}

// loadHandover queues a read of the message by which the person asks for a human being into
// v; it stays nil when no wish is open.
func loadHandover(b *postgres.Batch, session sessions.Session, v **handoverView) {
	if session.Handover == nil {
		return
	}
	*v = &handoverView{Handover: *session.Handover}
	sessions.LoadSaid(b, session.Scope(), session.Handover.Turn, func(m sessions.Message) { (*v).By, (*v).Said = m.User, m.Content })
}
