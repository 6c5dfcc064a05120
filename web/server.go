package web

import (
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/chat"
	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/internal/telemetry"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/web/static"
)

// Options say what a server works with; all are needed but those with a default.
type Options struct {
	Pool    *pgxpool.Pool
	Engine  *chat.Engine
	Hub     *sessions.Hub
	Library *objectives.Library
	Office  research.Commands // takes what people want looked up
	Metrics *telemetry.Metrics
	Log     *slog.Logger
	Version string

	// Index is what is searched. Nil means full text of what others index.
	Index *chat.Index
	// Develop is who acts on loopback without a credential; nil demands one.
	Develop *auth.Actor
	// Ready reports what keeps the server from working; nil means nothing can.
	Ready func(*http.Request) error
	// Setup is shown to those who manage; the zero value shows nothing.
	Setup Setup
	// Theatre tries drafts of objectives; the zero value tries none.
	Rehearsals Rehearsals
	// Read reads the files that people give to interviews; nil takes none.
	Read ReadFile
	// Warehouses explore data.
	Warehouses Warehouses
	// Researchable reports whether anything is connected that something could be
	// looked up in; nil means that there is.
	Researchable func() bool
	// KeepAlive is how often a silent stream says something. Zero means 15 s.
	KeepAlive time.Duration
}

// Server answers HTTP requests. See [Server.Handler].
type Server struct {
	Options

	// publishing keeps what If-Match was held against the active objective until
	// the next one is published here.
	publishing sync.Mutex

	// reading lets so many files be read at a time as it holds.
	reading  chan struct{}
	fileWait time.Duration // for a file's turn

	// trying lets one test of a part run at a time.
	trying sync.Mutex
}

// New returns a server.
func New(o Options) *Server {
	if o.KeepAlive == 0 {
		o.KeepAlive = 15 * time.Second
	}
	if o.Index == nil {
		o.Index = chat.NewIndex(chat.IndexOptions{Pool: o.Pool, Hub: o.Hub, Library: o.Library, Log: o.Log})
	}
	return &Server{Options: o, reading: make(chan struct{}, maxReadings), fileWait: fileWait}
}

// Handler returns the whole route table.
func (s *Server) Handler() http.Handler {
	r := chi.NewRouter()
	r.Use(s.arrive, s.plainAddress, s.atThisMachine, s.uncoded, shortForms, s.sameOrigin, compressed, headed)
	r.NotFound(func(w http.ResponseWriter, r *http.Request) { s.problem(w, r, errNothingHere()) })
	r.MethodNotAllowed(s.otherMethod)

	r.Get("/livez", s.live)
	r.Get("/healthz", s.live)
	r.Get("/readyz", s.ready)
	r.Get("/version", s.version)
	r.With(s.local).Method(http.MethodGet, "/metrics", s.Metrics.Handler())
	r.Method(http.MethodGet, "/static/*", static.Handler())
	r.Get("/invite/{token}", s.handle(s.invite))
	r.Post("/invite/{token}", s.handle(s.accept))
	s.signInPages(r)
	r.Get("/share/{token}", s.handle(s.shared))
	r.Get("/share/{token}/export", s.handle(s.sharedExport))

	var described *huma.OpenAPI
	r.Group(func(r chi.Router) {
		r.Use(s.authenticate)
		r.Post(turnsAt, s.handle(s.postTurn))
		r.Get("/api/v1/sessions/{id}/events", s.handle(s.events))
		r.Get("/api/v1/runs/{id}/events", s.handle(s.runEvents))
		r.Get("/api/v1/sessions/{id}/socket", s.handle(s.socket))
		r.Get("/api/v1/sessions/{id}/export", s.handle(s.export))
		r.Post("/api/v1/sessions/{id}/files", s.handle(s.postFiles))
		s.reportRoutes(r, "/api/v1/research-tasks/{id}")
		described = s.api(r)

		r.Get("/", s.handle(s.home))
		r.Post("/start", s.handle(s.start))
		r.Get("/interviews", s.handle(s.interviews))
		r.Get("/search", s.handle(s.searchPage))
		r.Get("/research", s.handle(s.asked))
		r.Post("/research", s.handle(s.ask))
		if s.Develop != nil {
			r.Get("/styleguide", s.handle(s.styleguide))
		}
		s.chatPages(r)
		r.Post("/s/{id}/invitations", s.handle(s.askIn))
		r.Post("/s/{id}/leave", s.handle(s.leaveHere))
		r.Get("/s/{id}/files/{file}", s.handle(s.filePage))
		r.Post("/s/{id}/files/{file}/remove", s.handle(s.removeFile))
		s.briefPages(r)
		s.researchPages(r)
		s.warehousePages(r)
		s.dataPages(r)
		s.projectPages(r)
		s.runPages(r)
		s.reviewPages(r)
		s.objectivePages(r)
		s.adminPages(r)
	})
	s.describe(r, described)
	return r
}

// handle adapts a handler that returns an error: the error becomes a problem,
// or a page for people.
func (s *Server) handle(f func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
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
	writeJSON(w, http.StatusOK, map[string]string{"version": s.Version, "interviewer": s.Engine.Interviewer()})
}
