package talk

import (
	"context"

	"quaestor/internal/auth"
	"quaestor/sessions"
	"quaestor/web"
)

type searchQuery struct {
	Words   string             `query:"q" required:"true" doc:"as a search engine takes them: words, \"a phrase\", or, -without; in words and in meaning"`
	Kind    sessions.FoundKind `query:"kind" enum:"obligation,message,session" doc:"all when absent"`
	Session string             `query:"session" doc:"id of the session to search; all one's own when absent, everybody's for reviewers"`
	Limit   int                `query:"limit" minimum:"1" maximum:"100" default:"20"`
}

// search finds what is in the actor's own sessions, or in anybody's for
// reviewers. What was said a few seconds ago may not be found yet.
func (s *Handlers) search(ctx context.Context, in *searchQuery) (web.Page[sessions.Hit], error) {
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Read); err != nil {
		return web.Page[sessions.Hit]{}, err
	}
	q := sessions.Query{Tenant: a.Tenant, User: a.User, Kind: in.Kind, Words: in.Words, Max: in.Limit}
	if a.May(auth.Review) {
		q.User = ""
	}
	if in.Session != "" {
		found, err := s.Session(ctx, in.Session)
		if err != nil {
			return web.Page[sessions.Hit]{}, err
		}
		q.Session, q.User = found.ID, ""
	}
	hits, err := s.Index.Search(ctx, q)
	return web.Page[sessions.Hit]{Items: append([]sessions.Hit{}, hits...)}, err
}
