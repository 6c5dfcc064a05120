package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"quaestor/chat"
	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/migrations"
	"quaestor/research"
	"quaestor/sessions"
)

// workCommand works jobs and answers no requests.
type workCommand struct{}

// Run works jobs until ctx ends, then finishes what it has begun. It needs an
// outside database: a private one is its server's alone.
func (workCommand) Run(ctx context.Context, s *Settings, io *streams) error {
	if s.DatabaseURL.IsZero() {
		return fault.New(fault.Invalid, "a process that only works needs the database the servers use; a private one is worked by its own server").At("DATABASE_URL")
	}
	return withDatabase(context.WithoutCancel(ctx), s, io, func(d *database, log *slog.Logger) error {
		return work(ctx, s, d, log, io)
	})
}

func work(ctx context.Context, s *Settings, d *database, log *slog.Logger, io *streams) (err error) {
	defer collect()()
	life := context.WithoutCancel(ctx)
	pool, err := postgres.Open(life, d.url, postgres.Options{MaxConns: s.MaxConns})
	if err != nil {
		return err
	}
	defer pool.Close()
	w, err := newWorks(s, pool, sessions.NewLibrary(pool), log)
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

// works are what jobs are worked with.
type works struct {
	instance string
	pool     *pgxpool.Pool
	library  *sessions.Library
	hub      *sessions.Hub
	model    chat.Interviewer // nil when none is configured
	index    *chat.Index
	rooms    *rooms
	queue    *research.Queue // not started
}

// newWorks builds what jobs are worked with, bottom up; close takes it down.
func newWorks(s *Settings, pool *pgxpool.Pool, library *sessions.Library, log *slog.Logger) (*works, error) {
	model, err := newModel(s)
	if err != nil {
		return nil, err
	}
	encoder, err := newEncoder(s)
	if err != nil {
		return nil, err
	}
	w := &works{instance: uuid.NewString(), pool: pool, library: library, model: model}
	w.hub = sessions.NewHub(pool, log, w.instance)
	w.index = chat.NewIndex(chat.IndexOptions{Pool: pool, Hub: w.hub, Library: library, Encoder: encoder, Tenants: tenantIDs(pool), Log: log})
	if w.rooms, err = furnish(s, pool, w.editor(), encoder, log); err == nil {
		w.queue, err = w.newQueue(s, log)
	}
	if err != nil {
		w.close()
		return nil, err
	}
	w.index.Schedule(w.queue)
	return w, nil
}

func (w *works) editor() sessions.Editor {
	return sessions.Editor{Pool: w.pool, Hub: w.hub, Library: w.library}
}

func (w *works) newQueue(s *Settings, log *slog.Logger) (*research.Queue, error) {
	summarizer, _ := w.model.(*chat.Model) // nil when none is configured: summaries are extracts then
	return research.NewQueue(w.pool, research.QueueOptions{Schema: migrations.RiverSchema, Log: quiet(log), Desk: w.rooms.desk,
		Add: []research.AddFunc{chat.AddWorkers(chat.FoldOptions{Pool: w.pool, Model: summarizer, Log: log}), w.index.Workers(), w.rooms.folders(s, w.pool, log),
			chat.Reassessing(chat.ReassessOptions{Pool: w.pool, Hub: w.hub, Library: w.library, Log: log, Tenants: tenantIDs(w.pool)})},
		Periodic: []*river.PeriodicJob{chat.ReassessPeriodically(0), research.SyncFoldersPeriodically()}})
}

func (w *works) close() {
	if w.rooms != nil {
		w.rooms.reader.Close()
	}
	w.hub.Close()
}
