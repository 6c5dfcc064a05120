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
	"quaestor/internal/language"
	"quaestor/internal/lease"
	"quaestor/internal/llm"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research/claims"
	"quaestor/research/internal/dbsqlc"
	"quaestor/research/reader"
	"quaestor/research/search"
	"quaestor/research/warehouse/inquiry"
	"quaestor/sessions"
)

// ResearcherOptions configures a researcher.
type ResearcherOptions struct {
	Editor  sessions.Editor
	Engines []search.Engine                                                                    // every query goes to all of them; without any, tasks wait
	Pages   func(ctx context.Context, url string) (reader.Page, error)                         // reads a web page
	Files   func(ctx context.Context, tenant, url string) (page reader.Page, ok bool, e error) // reads a tenant's own document; ok is false if the address is not of one; nil if there are no documents
	Ready   func(ctx context.Context, tenant string) (bool, error)                             // reports whether a tenant has anything to search; nil means that an engine is enough
	Model   *llm.Client                                                                        // plans, reads and proposes for all tenants, where Models is nil; nil leaves it to the built-in rules
	Encoder embedding.Encoder                                                                  // ranks by meaning; if nil, ranking is by words
	Log     *slog.Logger

	Data        *inquiry.Warehouses // answers questions about an organisation's own data; nil means that there is none
	Discoveries *Discoveries        // starts and follows runs; nil means that there are none

	Models func(ctx context.Context, tenant string) *llm.Client // a tenant's own model, asked when a task is taken up; nil means Model for all

	Daily int                                                   // tasks a tenant may begin in 24 hours; zero means 200
	Limit func(ctx context.Context, tenant string) (int, error) // a tenant's own limit in place of Daily; may be nil
	Lease time.Duration                                         // how long a worker may be silent before another takes its task; zero means 20 s
	Beat  time.Duration                                         // how often a worker shows that it is alive; zero means 2 s, or a quarter of Lease if that is less
}

// Researcher works tasks step by step: plan, search, read, claims, verify, propose.
// The result of a step is stored before the next begins, so that a worker that dies
// loses no more than the step it was in. A worker holds a task by a lease, under an
// attempt number that fences off earlier workers; see [Researcher.commit]. It is
// safe for concurrent use.
type Researcher struct{ ResearcherOptions }

// The defaults of [ResearcherOptions].
const (
	defaultDaily = 200
	defaultLease = 20 * time.Second
	defaultBeat  = 2 * time.Second
	budgetWindow = 24 * time.Hour
)

// NewResearcher returns a researcher, with defaults for options left zero.
func NewResearcher(o ResearcherOptions) *Researcher {
	o.Daily = cmp.Or(o.Daily, defaultDaily)
	o.Lease = cmp.Or(o.Lease, defaultLease)
	o.Beat = cmp.Or(o.Beat, min(defaultBeat, o.Lease/4))
	return &Researcher{o}
}

// errSteered makes a worker begin a task again, with the new instructions.
var errSteered = errors.New("the task was told to look elsewhere")

// taskRun is a task while it is being worked on.
type taskRun struct {
	*Researcher
	task       Task
	question   claims.ResearchQuestion
	list       []obligations.Obligation // of the session, as they were when the work began
	obligation *obligations.Obligation  // the one of the task among them; nil for none
	about      string                   // what the session knows that bears on the question; may be empty
	model      *llm.Client              // the tenant's; nil leaves the work to the built-in rules
	language   string                   // in which findings are told, a BCP 47 tag
	degraded   bool                     // the model failed; the built-in rules do the rest
}

// steps are the steps of the work, in order. A step that is done is skipped.
var steps = []struct {
	step TaskStep
	do   func(*taskRun, context.Context) error
}{
	{Planning, (*taskRun).plan},
	{Searching, (*taskRun).search},
	{Reading, (*taskRun).read},
	{Claiming, (*taskRun).claim},
	{Verifying, (*taskRun).verify},
	{Proposing, (*taskRun).propose},
}

// reached reports whether s is t or comes after it.
func (s TaskStep) reached(t TaskStep) bool {
	at := func(step TaskStep) int {
		return slices.IndexFunc(order, func(o TaskStep) bool { return o == step })
	}
	return at(s) >= at(t)
}

// order lists the steps in order.
var order = []TaskStep{Planning, Searching, Reading, Claiming, Verifying, Proposing}

// work carries a task that was just acquired to its end. lease.ErrLost means that
// the task is over or belongs to another worker.
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

// through carries out the steps that are not done yet.
func (d *Researcher) through(ctx context.Context, t Task) error {
	w := &taskRun{Researcher: d, task: t, model: d.modelOf(ctx, t.Scope.Tenant), language: "en"}
	if err := w.prepare(ctx); err != nil {
		return fmt.Errorf("prepare: %w", err)
	}
	if w.task.Order.Kind.OwnData() {
		return w.data(ctx)
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

// prepare loads what the question is about.
func (w *taskRun) prepare(ctx context.Context) error {
	if w.task.Scope.Session != "" {
		if err := w.context(ctx); err != nil {
			return err
		}
	}
	w.question = claims.ResearchQuestion{Kind: string(w.task.Order.Kind), Text: w.task.Order.Query, Context: w.about}.For(w.obligation)
	for _, s := range w.task.Steering {
		w.question = claims.Steer(w.question, s.Text)
	}
	if w.task.Order.Kind.OwnData() {
		return nil
	}
	return refuseOwnData("query", w.question.Text)
}

// context loads the session: what it is about, and the obligation.
func (w *taskRun) context(ctx context.Context) error {
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
	d, err := w.Editor.Library.Definition(ctx, s.Tenant, session.ObjectiveID)
	if err != nil {
		return err
	}
	w.language = cmp.Or(session.Language, w.language)
	session.Speak(d, list)
	w.list, w.obligation = list, obligations.Find(list, w.task.Order.Key)
	w.about = about(list, w.obligation)
	return nil
}

// aboutRunes bounds the context of a question, in characters.
const aboutRunes = 300

// about returns what the session knows that bears on o: the values of the
// obligations it depends on. A question without an obligation has no context.
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
	return language.Clip(strings.Join(parts, ". "), aboutRunes)
}

// commit stores in one transaction what f queues and, unless step is empty, that
// the step is done; it also records in the session's log what is being done now.
// It returns lease.ErrLost or errSteered, and stores nothing, when the task no
// longer belongs to this worker or was steered.
func (w *taskRun) commit(ctx context.Context, step TaskStep, doing string, f func(*postgres.Batch) error) error {
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
	if step != "" { // commits without a step may run concurrently
		w.task = t
	}
	w.Editor.Hub.Publish(t.Scope, events)
	return nil
}

// told appends the task's progress to the session's log.
func (w *taskRun) told(ctx context.Context, tx pgx.Tx, t *Task, turn int, doing string) ([]sessions.Event, error) {
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

// fence locks the task's row. It returns lease.ErrLost if the task no longer belongs
// to this attempt, and errSteered if it was steered meanwhile.
func (w *taskRun) fence(ctx context.Context, tx pgx.Tx) error {
	revision, err := lease.Fenced(queries.TaskFence(ctx, tx, &dbsqlc.TaskFenceParams{TenantID: w.task.Scope.Tenant, ID: w.task.ID, Attempt: int32(w.task.Attempt)}))
	if err == nil && int(revision) != w.task.Revision {
		return errSteered
	}
	return err
}

// fail ends a task that cannot be done, with a reason written for people.
func (d *Researcher) fail(ctx context.Context, t Task, why string) error {
	t.Status, t.Failure, t.Note = Failed, why, ""
	err := d.move(ctx, t, func(tx pgx.Tx) error {
		return queries.TaskFail(ctx, tx, &dbsqlc.TaskFailParams{TenantID: t.Scope.Tenant, ID: t.ID, ErrorMessage: &why})
	})
	if err != nil {
		return fmt.Errorf("fail research task %s: %w", t.ID, err)
	}
	return nil
}

// sentence is the reason for a failure, written for people.
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
