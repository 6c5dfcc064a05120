package web

import (
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"quaestor/internal/fault"
	"quaestor/internal/language"
)

// headed answers HEAD as GET without its body. What flows has no head of its own: a
// stream would be held open for nobody.
func headed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead && !flows(r.URL.Path) {
			chi.RouteContext(r.Context()).RouteMethod = http.MethodGet
		}
		next.ServeHTTP(w, r)
	})
}

// flows reports whether reading an address gives a stream.
func flows(path string) bool {
	return strings.HasPrefix(path, "/api/v1/") && (strings.HasSuffix(path, "/events") || strings.HasSuffix(path, "/socket"))
}

// otherMethod answers a method that an address has no route for.
func (s *Server) otherMethod(w http.ResponseWriter, r *http.Request) {
	allowed := allowedAt(r)
	if len(allowed) == 0 {
		s.problem(w, r, errNothingHere())
		return
	}
	w.Header().Set("Allow", strings.Join(append(allowed, http.MethodOptions), ", "))
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	s.problem(w, r, fault.New(fault.Invalid, "%s is not possible here; this address takes %s", r.Method, language.And(allowed)).Coded("method_not_allowed"))
}

func errNothingHere() error { return fault.New(fault.NotFound, "there is nothing at this address") }

// allowedAt returns the methods that a request's address takes.
func allowedAt(r *http.Request) []string {
	routes, path := chi.RouteContext(r.Context()).Routes, r.URL.Path
	if r.URL.RawPath != "" {
		path = r.URL.RawPath
	}
	var out []string
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		switch {
		case method == http.MethodHead && slices.Contains(out, http.MethodGet) && !flows(r.URL.Path),
			routes.Match(chi.NewRouteContext(), method, path):
			out = append(out, method)
		}
	}
	return out
}

// turnsAt takes turns, and answers them as a stream.
const turnsAt = "/api/discovery-chat"
