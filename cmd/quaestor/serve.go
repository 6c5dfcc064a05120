package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/chat"
	"quaestor/chat/rules"
	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/internal/llm"
	"quaestor/internal/telemetry"
	"quaestor/research"
	"quaestor/sessions/objectives"
	"quaestor/web"
	"quaestor/web/admin"
	"quaestor/web/data"
	objectivepages "quaestor/web/objectives"
	researchpages "quaestor/web/research"
	"quaestor/web/review"
	"quaestor/web/share"
	"quaestor/web/talk"
)

// developmentTenant is whose owner everybody on this machine is in development.
const (
	developmentTenant = "development"
	developmentUser   = "developer"
)

// Limits of the HTTP server. Streams have a deadline for each write instead of
// one for the whole answer.
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 30 * time.Second
	idleTimeout   = 2 * time.Minute
	closeTimeout  = 5 * time.Second // for streams to say that they end
	maxHeader     = 32 << 10
)

func newLogger(w io.Writer, s *Settings) *slog.Logger { return telemetry.NewLogger(w, s.level()) }

// serveCommand runs the server.
type serveCommand struct{}

// Run serves until ctx ends, then drains.
func (serveCommand) Run(ctx context.Context, s *Settings, io *streams) error {
	if err := s.check(); err != nil {
		return err
	}
	if err := s.checkFree(); err != nil {
		return err
	}
	return withDatabase(ctx, s, io, func(d *database, log *slog.Logger) error {
		return serve(ctx, s, d, log, io.out)
	})
}

// serve builds everything top to bottom, starts it, waits for ctx and takes it
// down in the opposite order.
func serve(ctx context.Context, s *Settings, d *database, log *slog.Logger, out io.Writer) (err error) {
	// What works on the database outlives the signal that ends ctx: turns still have
	// to be recorded while the server drains.
	life := context.WithoutCancel(ctx)
	pool, err := s.openPool(life, d.url)
	if err != nil {
		return err
	}
	defer pool.Close()
	library := objectives.NewLibrary(pool)
	develop, err := prepare(ctx, s, pool, library)
	if err != nil {
		return givenUp(ctx, err)
	}
	w, err := newWorks(ctx, s, pool, library, log)
	if err != nil {
		return err
	}
	defer w.close()
	if err := w.queue.Start(life); err != nil {
		return fmt.Errorf("start queue: %w", err)
	}
	defer func() { err = errors.Join(err, stopQueue(w.queue, s.DrainLimit)) }()
	metrics := telemetry.NewMetrics(version())
	if w.calls != nil {
		metrics.CallsDropped(w.calls.Dropped)
	}
	engine, err := chat.New(chat.Options{Pool: pool, Hub: w.hub, Library: library, Queue: w.queue, Rules: rules.New(), Model: w.model, Instance: w.instance, Log: log,
		Tenants: tenantIDs(pool), HeadStart: s.HeadStart, TurnLimit: s.TurnLimit, Prices: s.prices(), Defaults: s.defaults(), Observe: observe(metrics), Researchable: w.rooms.researchable(s)})
	if err != nil {
		return err
	}
	arranged, err := setup(s, d, w)
	if err != nil {
		return err
	}
	site := web.New(web.Options{Pool: pool, Hub: w.hub, Library: library, Metrics: metrics, Log: log, Version: version(), Interviewer: engine.Interviewer(), Develop: develop,
		Ready: func(r *http.Request) error { return errors.Join(ctx.Err(), pool.Ping(r.Context())) }}) // not while it drains: no more requests should come
	commands := research.Commands{Editor: w.editor(), Queue: w.queue}
	handler := site.Handler(
		talk.New(site, talk.Options{Engine: engine, Index: w.index, Read: w.rooms.attachments()}),
		review.New(site, review.Options{Engine: engine, Index: w.index}),
		objectivepages.New(site, objectivepages.Options{Engine: engine, Rehearsals: rehearsals()}),
		researchpages.New(site, researchpages.Options{Engine: engine, Commands: commands, Researchable: w.rooms.researchable(s)}),
		data.New(site, w.sky.pages(pool, w.queue)),
		admin.New(site, admin.Options{Engine: engine, Commands: commands, Setup: arranged}),
		share.New(site),
	)
	w.warmed()
	return listen(ctx, s, handler, engine, out)
}

// listen answers requests until ctx ends; then no turn begins any more, running
// ones are waited for, and streams are closed.
func listen(ctx context.Context, s *Settings, handler http.Handler, engine *chat.Engine, out io.Writer) error {
	l, err := s.listen()
	if err != nil {
		engine.Drain(ctx)
		return err
	}
	requests, endRequests := context.WithCancel(context.WithoutCancel(ctx))
	defer endRequests()
	h := &http.Server{Handler: handler, ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		BaseContext: func(net.Listener) context.Context { return requests }}
	failed := make(chan error, 1)
	go func() { failed <- h.Serve(l) }() // ends with Shutdown below, which is waited for
	fmt.Fprintf(out, "Quaestor is ready: http://%s (interviewer: %s)\n", l.Addr(), engine.Interviewer())
	select {
	case err = <-failed:
	case <-ctx.Done():
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.DrainLimit)
	defer cancel()
	engine.Drain(drain)
	endRequests()
	closing, cancelClosing := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancelClosing()
	if h.Shutdown(closing) != nil {
		_ = h.Close()
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// checkFree refuses an address that cannot be listened on. It is looked at before the
// database is started, and let go again: nobody is to wait at a door that opens
// minutes later, or never.
func (s *Settings) checkFree() error {
	l, err := s.listen()
	if err != nil {
		return err
	}
	return l.Close()
}

func (s *Settings) listen() (net.Listener, error) {
	l, err := net.Listen("tcp", s.Addr)
	switch {
	case err == nil:
		return l, nil
	case errors.Is(err, syscall.EADDRINUSE):
		err = fault.New(fault.Conflict, "another program listens on %s already; end it, or choose another port", s.Addr).At(setting("addr"))
	case errors.Is(err, fs.ErrPermission):
		err = fault.New(fault.Forbidden, "this user may not listen on %s; choose a port of 1024 or more", s.Addr).At(setting("addr"))
	default:
		err = fault.New(fault.Invalid, "%s is no address of this machine; listen on 127.0.0.1, or on an address it has", s.Addr).At(setting("addr"))
	}
	return nil, err
}

func stopQueue(q *research.Queue, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	if err := q.Stop(ctx); err != nil {
		return q.StopAndCancel(context.Background())
	}
	return nil
}

// prepare gives every tenant the shipped objectives and returns who acts without
// a credential in development, nil otherwise.
func prepare(ctx context.Context, s *Settings, pool *pgxpool.Pool, library *objectives.Library) (*auth.Actor, error) {
	var develop *auth.Actor
	if s.Auth == "development" {
		t, err := auth.EnsureTenant(ctx, pool, developmentTenant)
		if err != nil {
			return nil, err
		}
		develop = &auth.Actor{Tenant: t.ID, User: developmentUser, Role: auth.Owner}
	}
	tenants, err := auth.Tenants(ctx, pool)
	if err != nil {
		return nil, err
	}
	for _, t := range tenants {
		if err := library.Ship(ctx, t.ID); err != nil {
			return nil, fmt.Errorf("objectives of tenant %s: %w", t.Name, err)
		}
	}
	return develop, nil
}

// newModel returns the interviewer with a model, or nil when none is configured.
// Its calls are handed to l; nil keeps none.
func newModel(s *Settings, l *chat.CallLog) (chat.Interviewer, error) {
	client, err := newClient(s)
	if err != nil || client == nil {
		return nil, err
	}
	return chat.NewModel(client).Recorded(l), nil
}

// newClient returns a client of the model that is configured; nil for none.
func newClient(s *Settings) (*llm.Client, error) {
	if s.Model == "" {
		return nil, nil
	}
	client, err := llm.New(llm.Options{BaseURL: s.ModelURL, Key: s.ModelKey, Model: s.Model})
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	return client, nil
}

func (s *Settings) prices() chat.Prices {
	return chat.Prices{Prompt: s.PromptPrice, Completion: s.ReplyPrice}
}

func tenantIDs(pool *pgxpool.Pool) func(context.Context) ([]string, error) {
	return func(ctx context.Context) ([]string, error) {
		tenants, err := auth.Tenants(ctx, pool)
		ids := make([]string, len(tenants))
		for i, t := range tenants {
			ids[i] = t.ID
		}
		return ids, err
	}
}

func observe(m *telemetry.Metrics) func(chat.TurnReport) {
	return func(r chat.TurnReport) {
		kind, _, _ := strings.Cut(r.Interviewer, " ") // "model NAME" is one label
		m.Turn(telemetry.Turn{Status: r.Status, Interviewer: kind, Degraded: r.Degraded, FirstPiece: r.FirstPiece, Total: r.Total,
			Prompt: r.Usage.PromptTokens, Completion: r.Usage.CompletionTokens})
	}
}

// quiet keeps the queue's chatter out of the log: its warnings stay.
func quiet(log *slog.Logger) *slog.Logger {
	return slog.New(atLeast{log.Handler()})
}

type atLeast struct{ slog.Handler }

// Enabled lets warnings and errors pass.
func (h atLeast) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelWarn && h.Handler.Enabled(ctx, l)
}
