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
	"quaestor/chat/model"
	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/internal/llm"
	"quaestor/internal/telemetry"
	"quaestor/research"
	"quaestor/research/warehouse/runs"
	"quaestor/sessions/objectives"
	"quaestor/web"
	"quaestor/web/admin"
	"quaestor/web/data"
	"quaestor/web/mcp"
	objectivepages "quaestor/web/objectives"
	researchpages "quaestor/web/research"
	"quaestor/web/review"
	"quaestor/web/share"
	"quaestor/web/talk"
)

// In development nobody signs in: every request from this machine acts as this user,
// who owns this tenant.
const (
	developmentTenant = "development"
	evaluationTenant  = "evaluation" // of quaestor eval
	developmentUser   = "developer"
)

// Limits of the HTTP server. There is no write timeout: event streams last as long as
// a page is open and set a deadline for each write instead. A request has to arrive
// whole within readTimeout, files in it included.
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 30 * time.Second
	idleTimeout   = 2 * time.Minute
	closeTimeout  = 5 * time.Second // for streams to end in good order
	maxHeader     = 32 << 10
)

// newLogger returns the program's logger, at the level of the settings.
func newLogger(w io.Writer, s *Settings) *slog.Logger { return telemetry.NewLogger(w, s.level()) }

// serveCommand runs the server: pages, API and jobs in one process.
type serveCommand struct{}

// Run serves until ctx ends, then drains: see [listen].
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

// serve builds everything from the database up, starts it, serves until ctx ends, and
// closes everything in the opposite order.
func serve(ctx context.Context, s *Settings, d *database, log *slog.Logger, out io.Writer) (err error) {
	// What works on the database must outlive the signal that ends ctx: turns still
	// have to be recorded while the server drains.
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
	w, err := newWorkerParts(ctx, s, pool, library, log)
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
	engine, err := chat.New(chat.Options{Pool: pool, Hub: w.hub, Library: library, Queue: w.queue, Rules: w.rules, Model: w.models.server, Models: w.models.interviewers, Instance: w.instance, Log: log,
		Tenants: tenantIDs(pool), ModelCalls: s.ModelCalls, QuestionWait: s.QuestionWait, TurnLimit: s.TurnLimit, Prices: s.prices(), Defaults: s.defaults(), Observe: observe(metrics), Researchable: w.research.researchable(s), Warehouses: w.explorer.warehouses.ForInterviews()})
	if err != nil {
		return err
	}
	described, err := setup(s, d, w)
	if err != nil {
		return err
	}
	site := web.New(web.Options{Pool: pool, Hub: w.hub, Library: library, Metrics: metrics, Log: log, Version: version(), Interviewer: engine.Interviewer(), Develop: develop,
		News: func(ctx context.Context, tenant, user string) (int, error) {
			return runs.UnreadAlerts(ctx, pool, tenant, user)
		},
		Ready: func(r *http.Request) error { return errors.Join(ctx.Err(), pool.Ping(r.Context())) }}) // a server that drains is not ready: load balancers stop sending to it
	commands := research.Commands{Editor: w.editor(), Queue: w.queue, Data: w.explorer.warehouses.ForInterviews(), Runs: w.bridge.discoveries()}
	explored := w.explorer.pages(pool, w.queue, beginning(engine))
	explored.ReadFile = w.research.attachments()
	handler := site.Handler(
		talk.New(site, talk.Options{Engine: engine, Index: w.index, Voice: newVoice(s), Read: w.research.attachments()}),
		review.New(site, review.Options{Engine: engine, Index: w.index}),
		objectivepages.New(site, objectivepages.Options{Engine: engine, Rehearsals: rehearsals(w.rules)}),
		researchpages.New(site, researchpages.Options{Engine: engine, Commands: commands, Researchable: w.research.researchable(s)}),
		data.New(site, explored),
		admin.New(site, admin.Options{Engine: engine, Commands: commands, Setup: described, Models: w.models.store}),
		share.New(site),
		mcp.New(site, mcp.Options{Engine: engine, Connections: explored.Connections, Index: explored.Index, Projects: explored.Projects, Commands: explored.Commands, Warehouses: w.explorer.warehouses}),
	)
	w.awaitEncoder()
	return listen(ctx, s, handler, engine, out)
}

// listen answers requests until ctx ends, and then drains within DrainLimit: no turn
// begins any more, running turns are waited for, and streams are closed. Requests run
// on a context of their own, so that the signal alone breaks none of them off.
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
	// Shutdown waits for streams too. They end because their contexts have ended; one
	// whose reader does not even take that is cut off.
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

// checkFree returns a fault when the address cannot be listened on. It is checked
// before the database is started, which may take minutes, and released again: the
// server listens only when it can answer.
func (s *Settings) checkFree() error {
	l, err := s.listen()
	if err != nil {
		return err
	}
	return l.Close()
}

// listen listens on the address of the settings. The fault names the remedy.
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

// stopQueue lets running jobs finish within limit. Those that do not are cancelled; a
// later attempt takes them up again.
func stopQueue(q *research.Queue, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	if err := q.Stop(ctx); err != nil {
		return q.StopAndCancel(context.Background())
	}
	return nil
}

// prepare gives every tenant the shipped objectives. It returns the actor of requests
// without a credential: the developer in development, nil otherwise.
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

// newModel returns the interviewer that uses a model, or nil when none is configured.
// It records its calls in l; nil records none.
func newModel(s *Settings, l *model.CallLog) (chat.Interviewer, error) {
	client, err := newClient(s)
	if err != nil || client == nil {
		return nil, err
	}
	return model.New(client, l), nil
}

// newClient returns a client of the configured model, or nil when none is configured.
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

// prices returns what calls of the model cost; zero prices leave costs unknown.
func (s *Settings) prices() chat.Prices {
	return chat.Prices{Prompt: s.PromptPrice, Completion: s.ReplyPrice}
}

// tenantIDs returns what lists the ids of all tenants. Jobs go tenant by tenant,
// because row-level security shows the rows of one at a time.
func tenantIDs(pool *pgxpool.Pool) func(context.Context) ([]string, error) {
	return func(ctx context.Context) ([]string, error) {
		tenants, err := auth.Tenants(ctx, pool)
		return web.Map(tenants, func(t auth.Tenant) string { return t.ID }), err
	}
}

// observe returns what counts finished turns in the metrics.
func observe(m *telemetry.Metrics) func(chat.TurnReport) {
	return func(r chat.TurnReport) {
		kind, _, _ := strings.Cut(r.Interviewer, " ") // the label is "model" without its name, which would be unbounded
		m.Turn(telemetry.Turn{Status: r.Status, Interviewer: kind, Degraded: r.Degraded, FirstPiece: r.FirstPiece, Total: r.Total,
			Prompt: r.Usage.PromptTokens, Completion: r.Usage.CompletionTokens})
	}
}

// quiet returns a logger for the queue, whose news below a warning are of no use to
// an operator.
func quiet(log *slog.Logger) *slog.Logger {
	return slog.New(warnHandler{log.Handler()})
}

// warnHandler passes on warnings and errors alone.
type warnHandler struct{ slog.Handler }

// Enabled reports whether a record of level l is passed on.
func (h warnHandler) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelWarn && h.Handler.Enabled(ctx, l)
}
