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
	"quaestor/internal/fault"
	"quaestor/migrations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/sessions/settings"
)

// workCommand works jobs and answers no requests.
type workCommand struct{}

// Run works jobs until ctx ends, then finishes what it has begun. It needs an
// outside database: a private one is its server's alone.
func (workCommand) Run(ctx context.Context, s *Settings, io *streams) error {
	if s.DatabaseURL.IsZero() {
		return fault.New(fault.Invalid, "a process that only works needs the database the servers use; a private one is worked by its own server").At("DATABASE_URL")
	}
	return withDatabase(ctx, s, io, func(d *database, log *slog.Logger) error {
		return work(ctx, s, d, log, io)
	})
}

func work(ctx context.Context, s *Settings, d *database, log *slog.Logger, io *streams) (err error) {
	life := context.WithoutCancel(ctx) // what was begun is finished after ctx
	pool, err := s.openPool(life, d.url)
	if err != nil {
		return err
	}
	defer pool.Close()
	w, err := newWorks(ctx, s, pool, objectives.NewLibrary(pool), log)
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

// workerParts are what jobs are worked with.
type workerParts struct {
	instance string
	pool     *pgxpool.Pool
	library  *objectives.Library
	hub      *sessions.Hub
	model    chat.Interviewer // nil when none is configured
	calls    *model.CallLog   // nil when no prompts are kept
	index    *chat.Index
	rooms    *researchParts
	sky      *explorer
	queue    *research.Queue // not started
	warmed   func()          // waits until the text encoder is there
}

// newWorks builds what jobs are worked with, bottom up; close takes it down.
func newWorks(ctx context.Context, s *Settings, pool *pgxpool.Pool, library *objectives.Library, log *slog.Logger) (*workerParts, error) {
	encoder, err := newEncoder(s)
	if err != nil {
		return nil, err
	}
	calls := newCallLog(s, pool, log)
	model, err := newModel(s, calls)
	if err != nil {
		closeCalls(calls)
		return nil, err
	}
	w := &workerParts{instance: uuid.NewString(), pool: pool, library: library, model: model, calls: calls, warmed: warm(encoder, log)}
	w.hub = sessions.NewHub(pool, log, w.instance)
	w.index = chat.NewIndex(chat.IndexOptions{Pool: pool, Hub: w.hub, Library: library, Encoder: encoder, Tenants: tenantIDs(pool), Log: log})
	if w.rooms, err = newResearchParts(s, pool, w.editor(), encoder, log); err == nil {
		w.sky, err = newObservatory(s, pool, encoder, log)
	}
	if err == nil {
		w.queue, err = w.newQueue(ctx, s, log)
	}
	if err != nil {
		w.close()
		return nil, err
	}
	w.index.Schedule(w.queue)
	return w, nil
}

func (w *workerParts) editor() sessions.Editor {
	return sessions.Editor{Pool: w.pool, Hub: w.hub, Library: w.library}
}

func (w *workerParts) newQueue(ctx context.Context, s *Settings, log *slog.Logger) (*research.Queue, error) {
	summarizer, _ := w.model.(chat.Summarizer) // nil when none is configured: summaries are extracts then
	return research.NewQueue(ctx, w.pool, research.QueueOptions{Schema: migrations.RiverSchema, Log: quiet(log), Desk: w.rooms.desk,
		Lanes: w.sky.lanes(),
		Add: append(w.sky.workers(), chat.Folding(chat.FoldOptions{Pool: w.pool, Model: summarizer, Log: log}), w.index.Workers(), w.rooms.folders(s, w.pool, log),
			settings.Sweeping(settings.SweepOptions{Pool: w.pool, Server: s.defaults(), RiverSchema: migrations.RiverSchema, Log: log, Tenants: tenantIDs(w.pool)}),
			chat.Reassessing(chat.ReassessOptions{Editor: w.editor(), Log: log, Tenants: tenantIDs(w.pool)}),
			model.Pruning(model.PruneOptions{Pool: w.pool, Tenants: tenantIDs(w.pool), Keep: keptPrompts(s, w.pool)})),
		Periodic: []*river.PeriodicJob{chat.ReassessPeriodically(), model.PrunePeriodically(), research.SyncFoldersPeriodically(), settings.SweepPeriodically(), w.sky.runner.Rescue()}})
}

func (w *workerParts) close() {
	w.warmed()
	if w.rooms != nil {
		w.rooms.reader.Close()
	}
	if w.sky != nil {
		w.sky.close()
	}
	w.hub.Close()
	closeCalls(w.calls)
}

// newCallLog returns what keeps the calls of the model; nil when none are kept, or
// none is configured.
func newCallLog(s *Settings, pool *pgxpool.Pool, log *slog.Logger) *model.CallLog {
	if s.Model == "" || s.KeepPrompts == 0 {
		return nil
	}
	return model.NewCallLog(model.CallLogOptions{Pool: pool, Log: log, Prices: s.prices()})
}

// lastCalls is how long calls that are not written yet may take when the process
// ends.
const lastCalls = 5 * time.Second

func closeCalls(l *model.CallLog) {
	if l == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), lastCalls)
	defer cancel()
	l.Close(ctx)
}
