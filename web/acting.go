package web

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/sessions"
)

// ActingAs is what somebody acts as.
type ActingAs string

// Schema describes the capacities.
func (ActingAs) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Enum: []any{"person", "reviewer"},
		Description: "person, or reviewer for who may review; when left out, reviewers act as such in sessions of others"}
}

// ForReview returns a session to an actor who may review. To people who may not see it, it
// does not exist.
func (s *Server) ForReview(ctx context.Context, id string) (sessions.Session, error) {
	found, _, err := s.Party(ctx, id, "reviewer")
	return found, err
}

// Party returns the session, and whether the actor acts in it as a reviewer or as a
// person who takes part.
func (s *Server) Party(ctx context.Context, id string, as ActingAs) (found sessions.Session, reviewer bool, err error) {
	found, err = s.Session(ctx, id)
	if err != nil {
		return found, false, err
	}
	a := ActorFrom(ctx)
	switch {
	case as == "reviewer":
		return found, true, Need(a, auth.Review)
	case a.User == found.User || !a.May(auth.Review):
		return found, false, Need(a, auth.Talk)
	case as == "person":
		return found, false, fault.New(fault.Forbidden, "this is somebody else's session; act as a reviewer").At("as").Coded("not_your_session")
	}
	return found, true, nil
}
