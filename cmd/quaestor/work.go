package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"quaestor/chat"
	"quaestor/chat/model"
	"quaestor/chat/rules"
	"quaestor/internal/fault"
	"quaestor/migrations"
	"quaestor/research"
	"quaestor/research/warehouse/packdrafts"
	"quaestor/research/warehouse/runs"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/sessions/settings"
)

// workCommand runs a process that works jobs and answers no requests.
type workCommand struct{}

// Run works jobs until ctx ends, then finishes those it has begun. It needs an
// outside database, because a private one belongs to its server.
func (workCommand) Run(ctx context.Context, s *Settings, io *streams) error {
	if s.DatabaseURL.IsZero() {
		return fault.New(fault.Invalid, "a process that only works needs the database the servers use; a private one is worked by its own server").At("DATABASE_URL")
	}
	return withDatabase(ctx, s, io, func(d *database, log *slog.Logger) error {
		return work(ctx, s, d, log, io)
	})
}

// work builds the parts, works jobs until ctx ends and takes the parts down.
func work(ctx context.Context, s *Settings, d *database, log *slog.Logger, io *streams) (err error) {
	life := context.WithoutCancel(ctx) // jobs that were begun are finished after ctx has ended
	pool, err := s.openPool(life, d.url)
	if err != nil {
		return err
	}
	defer pool.Close()
	w, err := newWorkerParts(ctx, s, pool, objectives.NewLibrary(pool), log)
	if err != nil {
		return err
	}
	defer w.close()
	if err := w.queue.Start(life); err != nil {
		return fmt.Errorf("start queue: %w", err)
	}
	defer func() { err = errors.Join(err, stopQueue(w.queue, s.DrainLimit)) }()
	if _, err := fmt.Fprintln(io.out, "Quaestor works jobs; it answers no requests."); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// workerParts is what jobs are worked with: all of a server but its pages and its
// API. A server has them too, since it works jobs beside answering requests.
type workerParts struct {
	instance string
	pool     *pgxpool.Pool
	library  *objectives.Library
	hub      *sessions.Hub
	models   *tenantModels
	calls    *model.CallLog // nil when no prompts are kept
	index    *chat.Index
	research *researchParts
	explorer *explorer
	bridge   *bridged
	queue    *research.Queue // built, not started
	rules    *rules.Interviewer

	awaitEncoder func() // returns when the text encoder has been loaded, or could not be
}

// newWorkerParts builds what jobs are worked with, from the database up. The caller
// closes it; what was built before an error is closed here.
func newWorkerParts(ctx context.Context, s *Settings, pool *pgxpool.Pool, library *objectives.Library, log *slog.Logger) (*workerParts, error) {
	encoder, err := newEncoder(s)
	if err != nil {
		return nil, err
	}
	calls := newCallLog(s, pool, log)
	models, err := newTenantModels(s, pool, calls, log)
	if err != nil {
		closeCalls(calls)
		return nil, err
	}
	listener := newListener(encoder)
	w := &workerParts{instance: uuid.NewString(), pool: pool, library: library, models: models, calls: calls, awaitEncoder: loadEncoder(listener, log), rules: rules.New(listener)}
	w.hub = sessions.NewHub(pool, log, w.instance)
	w.index = chat.NewIndex(chat.IndexOptions{Pool: pool, Hub: w.hub, Library: library, Encoder: encoder, Tenants: tenantIDs(pool), Log: log})
	// Each part is closed by close once it is set, so only the first error matters.
	if w.explorer, err = newExplorer(s, pool, encoder, models, log); err == nil {
		w.bridge = &bridged{w.explorer, func() *research.Queue { return w.queue }}
		w.research, err = newResearchParts(s, pool, w.editor(), encoder, models.talking, w.bridge, log)
	}
	if err == nil {
		w.explorer.drafts.Read, w.explorer.drafts.Tenants = w.research.reader.Read, tenantIDs(pool)
		w.queue, err = w.newQueue(ctx, s, log)
	}
	if err != nil {
		w.close()
		return nil, err
	}
	w.index.Schedule(w.queue)
	return w, nil
}

// editor returns what writes to sessions outside a turn.
func (w *workerParts) editor() sessions.Editor {
	return sessions.Editor{Pool: w.pool, Hub: w.hub, Library: w.library}
}

// newQueue returns the queue with the workers of all kinds of jobs and the periodic
// ones among them. [regular] lists the latter for the pages.
func (w *workerParts) newQueue(ctx context.Context, s *Settings, log *slog.Logger) (*research.Queue, error) {
	return research.NewQueue(ctx, w.pool, research.QueueOptions{Schema: migrations.RiverSchema, Log: quiet(log), Researcher: w.research.researcher,
		Lanes: w.explorer.lanes(),
		Add: append(w.explorer.workers(), chat.Folding(chat.FoldOptions{Pool: w.pool, Models: w.models.interviewers, Log: log}), w.index.Workers(), w.research.folders(s, w.pool, log),
			settings.Sweeping(settings.SweepOptions{Pool: w.pool, Server: s.defaults(), RiverSchema: migrations.RiverSchema, Log: log, Tenants: tenantIDs(w.pool)}),
			chat.Reassessing(chat.ReassessOptions{Editor: w.editor(), Log: log, Tenants: tenantIDs(w.pool)}),
			model.Pruning(model.PruneOptions{Pool: w.pool, Tenants: tenantIDs(w.pool), Keep: keptPrompts(s, w.pool)})),
		Periodic: []*river.PeriodicJob{chat.ReassessPeriodically(), model.PrunePeriodically(), research.SyncFoldersPeriodically(), settings.SweepPeriodically(), w.explorer.runner.Rescue(), packdrafts.RescuePeriodically(), runs.SchedulePeriodically()}})
}

// close closes the parts in the opposite order of their making. The queue must have
// stopped.
func (w *workerParts) close() {
	w.awaitEncoder()
	if w.research != nil {
		w.research.reader.Close()
	}
	if w.explorer != nil {
		w.explorer.close()
	}
	w.models.store.Close()
	w.hub.Close()
	closeCalls(w.calls)
}

// newCallLog returns the log of calls of models, for reviewers. It is nil when no prompts
// are to be kept.
func newCallLog(s *Settings, pool *pgxpool.Pool, log *slog.Logger) *model.CallLog {
	if s.KeepPrompts == 0 {
		return nil
	}
	return model.NewCallLog(model.CallLogOptions{Pool: pool, Log: log, Prices: s.prices()})
}

// callsTimeout is how long writing the last calls may take when the process ends. What
// is not written by then is lost, which costs a reviewer a look and nobody an answer.
const callsTimeout = 5 * time.Second

// closeCalls writes what is left in the log of calls. nil is allowed.
func closeCalls(l *model.CallLog) {
	if l == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), callsTimeout)
	defer cancel()
	l.Close(ctx)
}
