package web

import (
	"net/http"

	"github.com/a-h/templ"
)

// HandleForm adapts the handler of a form: the form is read before f runs, and f is not
// called when it cannot be read. Errors become what [Server.Handle] makes of them.
func (s *Server) HandleForm(f func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return s.Handle(func(w http.ResponseWriter, r *http.Request) error {
		if err := ReadForm(w, r); err != nil {
			return err
		}
		return f(w, r)
	})
}

// HandlePage returns the handler of a page: draw draws what view reads.
func HandlePage[V any](s *Server, view func(*http.Request) (V, error), draw func(V) templ.Component) http.HandlerFunc {
	return s.Handle(func(w http.ResponseWriter, r *http.Request) error {
		v, err := view(r)
		if err != nil {
			return err
		}
		return Render(w, r, draw(v))
	})
}
