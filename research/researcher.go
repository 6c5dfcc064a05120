package research

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/embedding"
	"quaestor/internal/fault"
	"quaestor/internal/lease"
	"quaestor/internal/llm"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research/claims"
	"quaestor/research/internal/dbsqlc"
	"quaestor/research/reader"
	"quaestor/research/search"
	"quaestor/sessions"
)

// ResearcherOptions say what a researcher works with.
type ResearcherOptions struct {
	Editor  sessions.Editor
	Engines []search.Engine                                                                    // all are asked; none means that nothing can be looked up
	Pages   func(ctx context.Context, url string) (reader.Page, error)                         // reads a page of the web
	Files   func(ctx context.Context, tenant, url string) (page reader.Page, ok bool, e error) // reads what a tenant's own documents are; ok is false for an address of the web; nil for none
	Ready   func(ctx context.Context, tenant string) (bool, error)                             // whether a tenant has anything to search; nil means that having an engine is enough
	Model   *llm.Client                                                                        // plans, reads and proposes; nil leaves that to built-in rules
	Encoder embedding.Encoder                                                                  // ranks by meaning; nil ranks by words
	Log     *slog.Logger

	Daily int                                                   // tasks a tenant may begin in 24 hours; zero means 200
	Limit func(ctx context.Context, tenant string) (int, error) // what a tenant's own limit is instead; nil for Daily
	Lease time.Duration                                         // how long a worker may be silent before another takes its task; zero means 20 s
	Beat  time.Duration                                         // how often a worker shows that it is alive; zero means 2 s
}

// Researcher answers tasks step by step: plan, search, read, claims, verify, propose.
// What a step found is stored before the next begins, so that a worker that dies
// costs the step it was in and nothing else. Whoever holds a task does so by
// lease, under an attempt that fences everybody before; see [Researcher.commit].
type Researcher struct{ ResearcherOptions }

// What the zero values of [ResearcherOptions] mean.
const (
	defaultDaily = 200
	defaultLease = 20 * time.Second
	defaultBeat  = 2 * time.Second
	budgetWindow = 24 * time.Hour
)

// NewResearcher returns a researcher.
func NewResearcher(o ResearcherOptions) *Researcher {
	o.Daily = cmp.Or(o.Daily, defaultDaily)
	o.Lease = cmp.Or(o.Lease, defaultLease)
	o.Beat = cmp.Or(o.Beat, defaultBeat)
	return &Researcher{o}
}

// errSteered is why a worker begins a task again.
var errSteered = errors.New("the task was told to look elsewhere")

// desk is a task that is being worked.
type desk struct {
	*Researcher
	task       Task
	question   claims.Question
	obligation *obligations.Obligation // as it was when the work began; nil for none
	about      string                  // what is known that bears on the question; empty for nothing
	degraded   bool                    // the model failed: the rest is done by rules
}

// steps are the work, in order. A step is skipped when it is done.
var steps = []struct {
	step Step
	do   func(*desk, context.Context) error
}{
	{Planning, (*desk).plan},
	{Searching, (*desk).search},
	{Reading, (*desk).read},
	{Claiming, (*desk).claim},
	{Verifying, (*desk).verify},
	{Proposing, (*desk).propose},
}

// after reports whether s comes before t or is t.
func (s Step) reached(t Step) bool {
	at := func(step Step) int {
		return slices.IndexFunc(order, func(o Step) bool { return o == step })
	}
	return at(s) >= at(t)
}

var order = []Step{Planning, Searching, Reading, Claiming, Verifying, Proposing}

// work takes a task that was just acquired to its end. lease.ErrLost means that there is
// nothing more to do here.
func (d *Researcher) work(ctx context.Context, t Task) error {
	return d.lease(t).Hold(ctx, func(ctx context.Context) error {
		for {
			err := d.through(ctx, t)
			if !errors.Is(err, errSteered) {
				return err
			}
			if t, err = Find(ctx, d.Editor.Pool, t.Scope.Tenant, t.ID); err != nil {
				return err
			}
		}
	})
}

// through goes through the steps that are not done.
func (d *Researcher) through(ctx context.Context, t Task) error {
	w := &desk{Researcher: d, task: t}
	if err := w.prepare(ctx); err != nil {
		return fmt.Errorf("prepare: %w", err)
	}
	for _, s := range steps {
		if w.task.Step.reached(s.step) {
			continue
		}
		if err := s.do(w, ctx); err != nil {
			return fmt.Errorf("%s: %w", s.step, err)
		}
	}
	return nil
}

// prepare reads what the question is about.
func (w *desk) prepare(ctx context.Context) error {
	if w.task.Scope.Session != "" {
		if err := w.context(ctx); err != nil {
			return err
		}
	}
	w.question = claims.Question{Kind: string(w.task.Order.Kind), Text: w.task.Order.Query, Context: w.about}.For(w.obligation)
	for _, s := range w.task.Steering {
		w.question = claims.Steer(w.question, s.Text)
	}
	return refuseOwnData("query", w.question.Text)
}

// context reads the session: what it is about, and the obligation.
func (w *desk) context(ctx context.Context) error {
	var list []obligations.Obligation
	var session *sessions.Session
	s := w.task.Scope
	b := postgres.NewBatch(s.Tenant)
	sessions.Load(b, s, &session)
	obligations.Load(b, s, w.Editor.Library.Templates(ctx, s.Tenant), &list)
	if err := b.Send(ctx, w.Editor.Pool); err != nil {
		return err
	}
	if session == nil {
		return lease.ErrLost // deleted, and the task with it
	}
	w.obligation = obligations.Find(list, w.task.Order.Key)
	w.about = about(list, w.obligation)
	return nil
}

// aboutRunes bounds what a question is told of the session, in characters.
const aboutRunes = 300

// about returns what the session knows that bears on o: the values it depends on.
// A question of its own stands for itself.
func about(list []obligations.Obligation, o *obligations.Obligation) string {
	if o == nil {
		return ""
	}
	var parts []string
	for _, key := range o.Dependencies {
		var said string
		if d := obligations.Find(list, key); d != nil && d.Status == obligations.Satisfied && json.Unmarshal(d.Value, &said) == nil {
			parts = append(parts, said)
		}
	}
	return cutRunes(strings.Join(parts, ". "), aboutRunes)
}

// commit stores what f queues, the step that is done with it unless it is empty,
// and tells in the session's log what happens now. It is lease.ErrLost or errSteered,
// and nothing is stored, when the task is not this worker's or was steered.
func (w *desk) commit(ctx context.Context, step Step, doing string, f func(*postgres.Batch) error) error {
	var events []sessions.Event
	t := w.task
	err := postgres.InTx(ctx, w.Editor.Pool, t.Scope.Tenant, func(tx pgx.Tx) error {
		turn, err := lockSession(ctx, tx, t.Scope)
		if err != nil {
			return err
		}
		if err := w.fence(ctx, tx); err != nil {
			return err
		}
		b := postgres.NewBatch(t.Scope.Tenant)
		if f != nil {
			if err := f(b); err != nil {
				return err
			}
		}
		if step != "" {
			t.Step = step
			if err := w.mark(b, &t); err != nil {
				return err
			}
		}
		if err := b.Send(ctx, tx); err != nil {
			return err
		}
		events, err = w.told(ctx, tx, &t, turn, doing)
		return err
	})
	if err != nil {
		return err
	}
	if step != "" { // commits without one may run side by side
		w.task = t
	}
	w.Editor.Hub.Publish(t.Scope, events)
	return nil
}

// told appends how far the task is to the session's log.
func (w *desk) told(ctx context.Context, tx pgx.Tx, t *Task, turn int, doing string) ([]sessions.Event, error) {
	if t.Scope.Session == "" || doing == "" {
		return nil, nil
	}
	row, err := queries.TaskCounts(ctx, tx, &dbsqlc.TaskCountsParams{TenantID: t.Scope.Tenant, TaskID: t.ID})
	if err != nil {
		return nil, err
	}
	ev := t.event(turn)
	ev.Doing, ev.Sources, ev.Claims = doing, int(row.Sources), int(row.Claims)
	return t.tell(ctx, tx, turn, ev)
}

// fence locks the task's row if it is still this worker's, as it knows it.
func (w *desk) fence(ctx context.Context, tx pgx.Tx) error {
	revision, err := lease.Fenced(queries.TaskFence(ctx, tx, &dbsqlc.TaskFenceParams{TenantID: w.task.Scope.Tenant, ID: w.task.ID, Attempt: int32(w.task.Attempt)}))
	if err == nil && int(revision) != w.task.Revision {
		return errSteered
	}
	return err
}

// fail ends a task that cannot be done, in words for people.
func (d *Researcher) fail(ctx context.Context, t Task, why string) error {
	var events []sessions.Event
	err := postgres.InTx(ctx, d.Editor.Pool, t.Scope.Tenant, func(tx pgx.Tx) error {
		turn, err := lockSession(ctx, tx, t.Scope)
		if err != nil {
			return err
		}
		w := desk{Researcher: d, task: t}
		if err := w.fence(ctx, tx); err != nil && !errors.Is(err, errSteered) {
			return err
		}
		if err := queries.TaskFail(ctx, tx, &dbsqlc.TaskFailParams{TenantID: t.Scope.Tenant, ID: t.ID, ErrorMessage: &why}); err != nil {
			return err
		}
		t.Status, t.Failure, t.Note = Failed, why, ""
		events, err = t.log(ctx, tx, turn)
		return err
	})
	if err != nil {
		return fmt.Errorf("fail research task %s: %w", t.ID, err)
	}
	d.Editor.Hub.Publish(t.Scope, events)
	return nil
}

// sentence says to a person why a task failed.
func sentence(err error) string {
	var r *reader.Error
	if errors.As(err, &r) {
		return r.Detail
	}
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Message
	}
	return "something went wrong while it was looked up"
}
