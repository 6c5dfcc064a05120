package web

import (
	"context"
	"net/http"
	"sync"

	"github.com/a-h/templ"

	"quaestor/internal/auth"
	"quaestor/web/ui"
)

func Render(w http.ResponseWriter, r *http.Request, c templ.Component) error {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	return c.Render(r.Context(), w)
}

// RenderAs renders a page with a status of its own.
func RenderAs(w http.ResponseWriter, r *http.Request, status int, c templ.Component) error {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	return c.Render(r.Context(), w)
}

// Show returns the handler of a page: read finds what the page shows, draw draws it.
func Show[V any](read func(*http.Request) (V, error), draw func(V) templ.Component) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		v, err := read(r)
		if err != nil {
			return err
		}
		return Render(w, r, draw(v))
	}
}

// places are the parts of the product, with what it takes to go there.
var places = []struct {
	place ui.Place
	needs auth.Permission
}{
	{ui.AtInterviews, auth.Read},
	{ui.AtResearch, auth.Read},
	{ui.AtData, auth.Review},
	{ui.AtReview, auth.Review},
	{ui.AtObjectives, auth.Review},
	{ui.AtManage, auth.Manage},
}

// newsKey is the key of what counts the unread alerts of the actor of a request.
type newsKey struct{}

// withNews lets the pages of a request count what its actor has not read. Nothing is counted before a page asks.
func (s *Server) withNews(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.News != nil {
			a := ActorFrom(r.Context())
			count := sync.OnceValue(func() int {
				n, err := s.News(r.Context(), a.Tenant, a.User)
				if err != nil && r.Context().Err() == nil {
					s.Log.ErrorContext(r.Context(), "unread alerts are not counted", "tenant", a.Tenant, "err", err)
				}
				return n
			})
			r = r.WithContext(context.WithValue(r.Context(), newsKey{}, count))
		}
		next.ServeHTTP(w, r)
	})
}

// newsFrom counts the unread alerts of the actor of a request; 0 where nothing counts them.
func newsFrom(ctx context.Context) int {
	if count, ok := ctx.Value(newsKey{}).(func() int); ok {
		return count()
	}
	return 0
}

// NavOf says where the actor of a request may go from a page, and whether they may sign
// out. Guests stay in their interview.
func NavOf(ctx context.Context, here ui.Place) ui.Nav {
	a, n := ActorFrom(ctx), ui.Nav{Here: here}
	if credentialFrom(ctx).browser {
		n.User = a.User
	}
	for _, p := range places {
		if a.Session == "" && a.May(p.needs) {
			n.Places = append(n.Places, p.place)
			if p.place == ui.AtData {
				n.News = newsFrom(ctx)
			}
		}
	}
	return n
}
