package research

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research/internal/dbsqlc"
	"quaestor/sessions"
)

// Commands takes what people want of research outside the conversation.
type Commands struct {
	Editor sessions.Editor
	Queue  *Queue
}

// TaskRequest is something somebody wants looked up.
type TaskRequest struct {
	Session obligations.Scope // its session may be empty: a question of its own
	User    string
	Request string // the sender's own id, which makes asking twice safe; may be empty
	Key     string // obligation it would answer; empty for none
	Kind    Kind   // empty lets Quaestor choose
	Query   string // what to find out; for an obligation it may be empty
}

// maxQueryRunes bounds a question, in characters; maxSteering what is said about
// where to look; maxSteers how often.
const (
	maxQueryRunes = 1000
	maxSteering   = 300
	maxSteers     = 20
)

// Ask queues a task for a question and returns it. The same request again makes
// none and returns the task it made before. A question about an obligation that is
// being researched is a Conflict.
func (o Commands) Ask(ctx context.Context, q TaskRequest) (t Task, made bool, err error) {
	if t, err = q.task(); err != nil {
		return Task{}, false, err
	}
	if was, err := o.before(ctx, q); err != nil || was != nil {
		return orNone(was), false, err
	}
	if q.Session.Session == "" {
		err = o.askAlone(ctx, t)
	} else {
		err = o.askIn(ctx, &t)
	}
	if errors.Is(err, errRepeated) { // at the same moment
		if was, err := o.before(ctx, q); err != nil || was != nil {
			return orNone(was), false, err
		}
		return Task{}, false, running()
	}
	if err != nil {
		return Task{}, false, err
	}
	t, err = Find(ctx, o.Editor.Pool, t.Scope.Tenant, t.ID)
	return t, true, err
}

var errRepeated = errors.New("the task is there already")

func orNone(t *Task) Task {
	if t == nil {
		return Task{}
	}
	return *t
}

// before returns the task that an earlier request of the same id made; nil when
// there is none. One that asked for something else is Unprocessable.
func (o Commands) before(ctx context.Context, q TaskRequest) (*Task, error) {
	if q.Request == "" {
		return nil, nil
	}
	was, err := oneTask(ctx, o.Editor.Pool, q.Session.Tenant, queries.TaskByRequest, &dbsqlc.TaskByRequestParams{TenantID: q.Session.Tenant, UserID: &q.User, RequestID: &q.Request})
	switch {
	case err != nil:
		return nil, fmt.Errorf("find research by request: %w", err)
	case was != nil && !q.made(was):
		return nil, fault.New(fault.Unprocessable, "this request id was used for another question").At("Idempotency-Key").Coded("idempotency_mismatch")
	}
	return was, nil
}

// made reports whether t may have come of q: what q leaves out was chosen.
func (q TaskRequest) made(t *Task) bool {
	query := oneLine(q.Query)
	return t.Scope == q.Session && t.Order.Key == q.Key && (query == "" || query == t.Order.Query) && (q.Kind == "" || q.Key != "" || q.Kind == t.Order.Kind)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func running() error {
	return fault.New(fault.Conflict, "this is being looked up already").At("obligationKey").Coded("research_running")
}

// task checks a question and makes a task of it.
func (q TaskRequest) task() (Task, error) {
	query := oneLine(q.Query)
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
	if err := refuseOwnData("query", query); err != nil {
		return Task{}, err
	}
	kind := q.Kind
	if kind == "" {
		kind = kindOf(query)
	}
	return Task{ID: uuid.NewString(), Scope: q.Session, User: q.User, Request: q.Request, Status: Pending,
		Order: Order{Key: q.Key, Kind: kind, Trigger: UserRequest, Query: query, Priority: wishPriority}}, nil
}

// askAlone queues a question that belongs to no session.
func (o Commands) askAlone(ctx context.Context, t Task) error {
	return postgres.InTx(ctx, o.Editor.Pool, t.Scope.Tenant, func(tx pgx.Tx) error {
		return o.queue(ctx, tx, t)
	})
}

// askIn queues a question of a session, and tells it in its log.
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

// fit completes a task by the session it is asked in.
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
	t.Order.Kind, t.Order.Priority = KindFor(ob.Template), max(ob.Priority, wishPriority)
	if t.Order.Query == "" {
		t.Order.Query = query(ed.Objective.DisplayName, ob)
	}
	return refuseOwnData("obligationKey", t.Order.Query)
}

// room refuses one more task of a session.
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

// queue saves a task with its job; errRepeated when there is one for the same
// request or the same obligation.
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

// Cancel ends a task that is still open; what it found so far stays. It is a
// Conflict when the task is over.
func (o Commands) Cancel(ctx context.Context, tenant, id, by string) (Task, error) {
	note := "cancelled"
	if by != "" {
		note += " by " + by
	}
	return move(ctx, o, tenant, id, queries.TaskCancel, &dbsqlc.TaskCancelParams{Note: &note, TenantID: tenant, ID: id})
}

// Steer tells an open task where to look, such as "Germany only": it plans and
// searches again with that, and keeps what it has read. It is a Conflict when the
// task is over.
func (o Commands) Steer(ctx context.Context, tenant, id, by, said string) (Task, error) {
	said = oneLine(said)
	switch {
	case said == "":
		return Task{}, fault.New(fault.Unprocessable, "say where to look").At("text")
	case utf8.RuneCountInString(said) > maxSteering:
		return Task{}, fault.New(fault.TooLarge, "at most %d characters", maxSteering).At("text")
	}
	if err := refuseOwnData("text", said); err != nil {
		return Task{}, err
	}
	body, err := json.Marshal([]Steer{{By: by, Text: said, At: time.Now().UTC()}})
	if err != nil {
		return Task{}, err
	}
	return move(ctx, o, tenant, id, queries.TaskSteer, &dbsqlc.TaskSteerParams{Steering: body, TenantID: tenant, ID: id})
}

// move changes an open task by a query that returns its id, and records that in the
// session's log.
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
