package web

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/internal/telemetry"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/web/static"
)

// Options say what a server works with; all are needed but those with a default.
type Options struct {
	Pool        *pgxpool.Pool
	Hub         *sessions.Hub
	Library     *objectives.Library
	Metrics     *telemetry.Metrics
	Log         *slog.Logger
	Version     string
	Interviewer string // who interviews here: "rules" or "model NAME"

	// Develop is who acts on loopback without a credential; nil demands one.
	Develop *auth.Actor
	// Ready reports what keeps the server from working; nil means nothing can.
	Ready func(*http.Request) error
	// News counts the alerts that somebody has not read, for the way to them on every page; nil counts none.
	News func(ctx context.Context, tenant, user string) (int, error)
	// KeepAlive is how often a silent stream says something. Zero means 4 s.
	KeepAlive time.Duration
}

// Server is what all features share: who makes a request, how it is refused, how pages
// and streams are written. Features embed it.
type Server struct {
	Options

	// Publishing keeps what If-Match was held against the active objective until
	// the next one is published here.
	Publishing sync.Mutex

	streaming sync.Mutex        // guards what follows
	streams   map[[2]string]int // open streams and calls, by tenant and user
}

// Feature is a part of the product: its pages, and its operations of the API.
type Feature interface {
	// Routes registers pages, forms and streams. Whoever comes there is known.
	Routes(r chi.Router)
	// Operations registers and describes operations of /api/v1.
	Operations(a huma.API)
	// Assets returns the style sheets and scripts of its pages.
	Assets() *static.Files
}

// PublicFeature is a feature with addresses that take no credential.
type PublicFeature interface {
	Feature
	Public(r chi.Router)
}

// New returns a server without features.
func New(o Options) *Server {
	if o.KeepAlive == 0 {
		o.KeepAlive = 4 * time.Second // so that a stream ends within 5 s after its permission does
	}
	return &Server{Options: o, streams: make(map[[2]string]int)}
}

// Handler returns the routes of the server and of features.
func (s *Server) Handler(features ...Feature) http.Handler {
	r := chi.NewRouter()
	r.Use(s.arrive, s.plainAddress, s.atThisMachine, s.uncoded, shortForms, s.sameOrigin, compressed, headed)
	r.NotFound(func(w http.ResponseWriter, r *http.Request) { s.problem(w, r, errNothingHere()) })
	r.MethodNotAllowed(s.otherMethod)

	r.Get("/livez", s.live)
	r.Get("/healthz", s.live)
	r.Get("/readyz", s.ready)
	r.Get("/version", s.version)
	r.With(s.local).Method(http.MethodGet, "/metrics", s.Metrics.Handler())
	assets := make([]*static.Files, len(features))
	for i, f := range features {
		assets[i] = f.Assets()
	}
	r.Method(http.MethodGet, "/static/*", static.Handler(assets...))
	s.signInPages(r)
	for _, f := range features {
		if p, ok := f.(PublicFeature); ok {
			p.Public(r)
		}
	}
	var described *huma.OpenAPI
	r.Group(func(r chi.Router) {
		r.Use(s.authenticate, s.withNews)
		described = s.api(r, features)
		for _, f := range features {
			f.Routes(r)
		}
	})
	s.describe(r, described)
	return r
}

// Handle adapts a handler that returns an error: the error becomes a problem,
// or a page for people.
func (s *Server) Handle(f func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := f(w, r); err != nil {
			s.problem(w, r, err)
		}
	}
}

func (s *Server) live(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("ok\n"))
}

func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	if s.Ready != nil {
		if err := s.Ready(r); err != nil {
			s.problem(w, r, fault.New(fault.Unavailable, "not ready").Because(err))
			return
		}
	}
	s.live(w, r)
}

func (s *Server) version(w http.ResponseWriter, _ *http.Request) {
	WriteJSON(w, http.StatusOK, map[string]string{"version": s.Version, "interviewer": s.Interviewer})
}
