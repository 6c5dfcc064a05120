package research

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research/internal/dbsqlc"
	"quaestor/research/warehouse/inquiry"
	"quaestor/sessions"
)

// Commands carries out what people ask of research outside the conversation:
// asking, cancelling and steering. Each method is one transaction.
type Commands struct {
	Editor sessions.Editor
	Queue  *Queue
	Data   *inquiry.Warehouses // nil means that no warehouse is ever asked
	Runs   *Discoveries        // nil means that there are no runs
}

// TaskRequest is a question somebody wants looked up.
type TaskRequest struct {
	Session obligations.Scope // Session may be empty
	User    string
	Request string // the client's id of the request, which makes repeating it safe; may be empty
	Key     string // the obligation it would answer; may be empty
	Kind    Kind   // empty to choose by the question
	Query   string // what to find out; optional if there is an obligation

	Warehouse string      // id, for a warehouse_question; empty to choose by the question
	Project   string      // id, for a warehouse_discovery
	Who       inquiry.Who // asks in an interview; empty for somebody who may query the warehouses anyway
}

// maxQueryRunes bounds a question, and maxSteering one instruction of where to
// look, in characters; maxSteers is how many such instructions a task takes.
const (
	maxQueryRunes = 1000
	maxSteering   = 300
	maxSteers     = 20
)

// Ask queues a task for a question and returns it. Repeating a request creates
// nothing and returns the task created the first time, with made false. A question
// about an obligation that is already being researched is a Conflict.
func (o Commands) Ask(ctx context.Context, q TaskRequest) (t Task, made bool, err error) {
	if q, err = o.route(ctx, q); err != nil {
		return Task{}, false, err
	}
	if t, err = q.task(); err != nil {
		return Task{}, false, err
	}
	if was, err := o.before(ctx, q); err != nil || was != nil {
		return orZero(was), false, err
	}
	if q.Session.Session == "" {
		err = o.askAlone(ctx, t)
	} else {
		err = o.askIn(ctx, &t)
	}
	if errors.Is(err, errRepeated) { // the same request, at the same moment
		if was, err := o.before(ctx, q); err != nil || was != nil {
			return orZero(was), false, err
		}
		return Task{}, false, running()
	}
	if err != nil {
		return Task{}, false, err
	}
	t, err = Find(ctx, o.Editor.Pool, t.Scope.Tenant, t.ID)
	return t, true, err
}

// route sends a question for one's own data to a connected warehouse, or refuses it with what
// to connect.
func (o Commands) route(ctx context.Context, q TaskRequest) (TaskRequest, error) {
	if !q.Kind.OwnData() && !OwnData(q.Query) {
		return q, nil
	}
	access, err := Access(ctx, o.Data, q.Session.Tenant, q.Who)
	if err != nil {
		return q, err
	}
	if !access.Open {
		return q, access.refusal("query")
	}
	if !q.Kind.OwnData() {
		q.Kind = WarehouseQuestion
	}
	return q, nil
}

// errRepeated is what queue returns when the insert found a task of the same
// request, or an open one for the same obligation.
var errRepeated = errors.New("the task is there already")

// orZero returns *t, or the zero task for nil.
func orZero(t *Task) Task {
	if t == nil {
		return Task{}
	}
	return *t
}

// before returns the task created earlier by a request with the same id, or nil
// when there is none. If that request asked for something else, it is
// Unprocessable.
func (o Commands) before(ctx context.Context, q TaskRequest) (*Task, error) {
	if q.Request == "" {
		return nil, nil
	}
	was, err := postgres.Find(ctx, o.Editor.Pool, q.Session.Tenant, queries.TaskByRequest, &dbsqlc.TaskByRequestParams{TenantID: q.Session.Tenant, UserID: &q.User, RequestID: &q.Request}, fromRow)
	switch {
	case err != nil:
		return nil, fmt.Errorf("find research by request: %w", err)
	case was != nil && !q.made(was):
		return nil, fault.New(fault.Unprocessable, "this request id was used for another question").At("Idempotency-Key").Coded("idempotency_mismatch")
	}
	return was, nil
}

// made reports whether t may be the result of q. Fields that q leaves empty were
// chosen by the server and match anything.
func (q TaskRequest) made(t *Task) bool {
	query := language.OneLine(q.Query)
	return t.Scope == q.Session && t.Order.Key == q.Key && (query == "" || query == t.Order.Query) && (q.Kind == "" || q.Key != "" || q.Kind == t.Order.Kind)
}

// running is the Conflict of a question that is being researched already.
func running() error {
	return fault.New(fault.Conflict, "this is being looked up already").At("obligationKey").Coded("research_running")
}

// task validates a request and returns the task to queue for it.
func (q TaskRequest) task() (Task, error) {
	query := language.OneLine(q.Query)
	switch {
	case query == "" && q.Key == "":
		return Task{}, fault.New(fault.Unprocessable, "say what to find out").At("query")
	case utf8.RuneCountInString(query) > maxQueryRunes:
		return Task{}, fault.New(fault.TooLarge, "at most %d characters", maxQueryRunes).At("query")
	case q.Key != "" && q.Session.Session == "":
		return Task{}, fault.New(fault.Unprocessable, "an obligation belongs to a session; name it").At("sessionId")
	case q.Kind != "" && !q.Kind.Valid():
		return Task{}, fault.New(fault.Unprocessable, "must be one of %s, not %q", kindNames(), q.Kind).At("taskType")
	}
	if !q.Kind.OwnData() {
		if err := refuseOwnData("query", query); err != nil {
			return Task{}, err
		}
	}
	kind := q.Kind
	if kind == "" {
		kind = kindOf(query)
	}
	return Task{ID: uuid.NewString(), Scope: q.Session, User: q.User, Request: q.Request, Status: Pending, Warehouse: q.Warehouse, Project: q.Project, Asker: q.Who,
		Order: Order{Key: q.Key, Kind: kind, Trigger: UserRequest, Query: query, Priority: requestPriority}}, nil
}

// askAlone queues a question that belongs to no session.
func (o Commands) askAlone(ctx context.Context, t Task) error {
	return postgres.InTx(ctx, o.Editor.Pool, t.Scope.Tenant, func(tx pgx.Tx) error {
		return o.queue(ctx, tx, t)
	})
}

// askIn queues a question of a session and records it in the session's log.
func (o Commands) askIn(ctx context.Context, t *Task) error {
	var events []sessions.Event
	err := postgres.InTx(ctx, o.Editor.Pool, t.Scope.Tenant, func(tx pgx.Tx) error {
		ed, err := o.Editor.Open(ctx, tx, t.Scope)
		if err != nil {
			return err
		}
		if err := t.fit(ed); err != nil {
			return err
		}
		var past History
		b := postgres.NewBatch(t.Scope.Tenant)
		LoadHistory(b, t.Scope, &past)
		if err := b.Send(ctx, tx); err != nil {
			return err
		}
		if err := past.room(t.Order.Key); err != nil {
			return err
		}
		if err := o.queue(ctx, tx, *t); err != nil {
			return err
		}
		ed.Tell = []sessions.Payload{t.event(ed.Turn)}
		_, events, err = ed.Record(ctx, tx)
		return err
	})
	if err == nil {
		o.Editor.Hub.Publish(t.Scope, events)
	}
	return err
}

// fit completes a task with what its session knows: the turn and, for an
// obligation, its kind, its priority and the query if none was given.
func (t *Task) fit(ed *sessions.Edit) error {
	if ed.Session.Status == sessions.Completed {
		return fault.New(fault.Conflict, "this session is completed; ask without it").Coded("session_completed")
	}
	t.Turn = ed.Session.Turns
	if t.Order.Key == "" {
		return nil
	}
	ob := obligations.Find(ed.List, t.Order.Key)
	if ob == nil {
		return fault.New(fault.Unprocessable, "the session has no such obligation").At("obligationKey").Coded("obligation_not_found")
	}
	t.Order.Priority = max(ob.Priority, requestPriority)
	if !t.Order.Kind.OwnData() {
		t.Order.Kind = KindFor(ob.Template)
	}
	if t.Order.Query == "" {
		t.Order.Query = query(ed.Objective.DisplayName, ob)
	}
	if t.Order.Kind.OwnData() {
		return nil
	}
	return refuseOwnData("obligationKey", t.Order.Query)
}

// room refuses a task that would exceed the session's limits, or that is about an
// obligation with open research.
func (p History) room(key string) error {
	open := p.Open()
	for _, f := range open {
		if key != "" && f.Key == key {
			return running()
		}
	}
	switch {
	case len(open) >= MaxOpen:
		return fault.New(fault.Conflict, "%d things are being looked up in this session; wait for one of them, or cancel it", len(open)).Coded("research_budget")
	case len(p) >= MaxSession:
		return fault.New(fault.Conflict, "this session has used up its %d pieces of research", MaxSession).Coded("research_budget")
	}
	return nil
}

// queue saves a task together with its job. It returns errRepeated when there is
// one for the same request or the same obligation.
func (o Commands) queue(ctx context.Context, tx pgx.Tx, t Task) error {
	made := false
	b := postgres.NewBatch(t.Scope.Tenant)
	postgres.One(b, queries.TaskInsert, t.row(), func(string) error { made = true; return nil })
	if err := b.Send(ctx, tx); err != nil {
		return fmt.Errorf("save research task: %w", err)
	}
	if !made {
		return errRepeated
	}
	return Enqueue(ctx, tx, o.Queue, []Task{t})
}

// Cancel ends an open task; what it has found so far stays. A task that is
// already over is a Conflict.
func (o Commands) Cancel(ctx context.Context, tenant, id, by string) (Task, error) {
	note := "cancelled"
	if by != "" {
		note += " by " + by
	}
	t, err := move(ctx, o, tenant, id, queries.TaskCancel, &dbsqlc.TaskCancelParams{Note: &note, TenantID: tenant, ID: id})
	if err == nil && t.Run != "" && o.Runs != nil {
		err = o.Runs.Cancel(ctx, tenant, t.Run)
	}
	return t, err
}

// Steer tells an open task where to look, such as "Germany only". The task plans
// and searches again accordingly, and keeps what it has read. A task that is
// already over is a Conflict.
func (o Commands) Steer(ctx context.Context, tenant, id, by, said string) (Task, error) {
	said = language.OneLine(said)
	switch {
	case said == "":
		return Task{}, fault.New(fault.Unprocessable, "say where to look").At("text")
	case utf8.RuneCountInString(said) > maxSteering:
		return Task{}, fault.New(fault.TooLarge, "at most %d characters", maxSteering).At("text")
	}
	if t, err := Find(ctx, o.Editor.Pool, tenant, id); err != nil || !t.Order.Kind.OwnData() {
		if err := cmp.Or(err, refuseOwnData("text", said)); err != nil {
			return Task{}, err
		}
	}
	body, err := json.Marshal([]Steer{{By: by, Text: said, At: time.Now().UTC()}})
	if err != nil {
		return Task{}, err
	}
	return move(ctx, o, tenant, id, queries.TaskSteer, &dbsqlc.TaskSteerParams{Steering: body, TenantID: tenant, ID: id})
}

// move changes an open task by a query that returns its id, or no row when the task
// is not open, and records the change in its session's log.
func move[P any](ctx context.Context, o Commands, tenant, id string, query func(context.Context, dbsqlc.DBTX, P) (string, error), arg P) (Task, error) {
	t, err := Find(ctx, o.Editor.Pool, tenant, id)
	if err != nil {
		return Task{}, err
	}
	var events []sessions.Event
	err = postgres.InTx(ctx, o.Editor.Pool, tenant, func(tx pgx.Tx) error {
		turn, err := lockSession(ctx, tx, t.Scope)
		if err != nil {
			return err
		}
		moved := false
		b := postgres.NewBatch(tenant)
		postgres.One(b, query, arg, func(string) error { moved = true; return nil })
		if err := b.Send(ctx, tx); err != nil {
			return fmt.Errorf("change research task %s: %w", id, err)
		}
		now, err := Find(ctx, tx, tenant, id)
		switch {
		case err != nil:
			return err
		case !moved && now.Open():
			return fault.New(fault.Conflict, "it was told %d times where to look; that is all it takes", maxSteers).Coded("research_budget")
		case !moved:
			return fault.New(fault.Conflict, "this research is over").Coded("research_over")
		}
		t = now
		events, err = t.log(ctx, tx, turn)
		return err
	})
	if err != nil {
		return Task{}, err
	}
	if len(events) > 0 {
		o.Editor.Hub.Publish(t.Scope, events)
	}
	return t, nil
}
