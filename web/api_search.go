package web

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/internal/auth"
	"quaestor/sessions"
)

type searchQuery struct {
	Words   string             `query:"q" required:"true" doc:"as a search engine takes them: words, \"a phrase\", or, -without; in words and in meaning"`
	Kind    sessions.FoundKind `query:"kind" enum:"obligation,message,session" doc:"all when absent"`
	Session string             `query:"session" doc:"id of the session to search; all one's own when absent, everybody's for reviewers"`
	Limit   int                `query:"limit" minimum:"1" maximum:"100" default:"20"`
}

func (s *Server) searchRoutes(a huma.API) {
	add(a, onGet("/api/v1/search", "search", "Find obligations, messages and sessions by words and by meaning"), s.search)
}

// search finds what is in the actor's own sessions, or in anybody's for
// reviewers. What was said a few seconds ago may not be found yet.
func (s *Server) search(ctx context.Context, in *searchQuery) (page[sessions.Hit], error) {
	a := actorFrom(ctx)
	if err := need(a, auth.Read); err != nil {
		return page[sessions.Hit]{}, err
	}
	q := sessions.Query{Tenant: a.Tenant, User: a.User, Kind: in.Kind, Words: in.Words, Max: in.Limit}
	if a.May(auth.Review) {
		q.User = ""
	}
	if in.Session != "" {
		found, err := s.session(ctx, in.Session)
		if err != nil {
			return page[sessions.Hit]{}, err
		}
		q.Session, q.User = found.ID, ""
	}
	hits, err := s.Index.Search(ctx, q)
	return page[sessions.Hit]{Items: append([]sessions.Hit{}, hits...)}, err
}
