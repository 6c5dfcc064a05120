package research

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research/internal/dbsqlc"
)

// Task is a piece of research on its way.
type Task struct {
	ID       string
	Scope    obligations.Scope // its session is empty for a question of its own
	Order    Order
	User     string // who asked; empty when nobody did
	Request  string // the sender's own id of the request; empty for none
	Status   Status
	Step     Step // the last one that is done; empty before the first
	Plan     Plan
	Steering []Steer
	Revision int             // how often it was steered
	Turn     int             // that asked for it; 0 outside the conversation
	Told     int             // turn in which the person was told what came of it; 0 before that
	Note     string          // why it waits; empty for none
	Outcome  Outcome         // empty until it is completed
	Summary  string          // what came of it in a few sentences, from verified claims only; empty until it is completed
	Proposal *Proposal       // nil when it proposes nothing
	Result   json.RawMessage // nil until it is completed; see [Result]
	Failure  string          // in words; empty unless it failed
	Attempt  int             // rises with every worker that takes it
	Created  time.Time
	Started  *time.Time
	Ended    *time.Time
}

// Open reports whether the task is still to be done.
func (t *Task) Open() bool { return t.Status == Pending || t.Status == Running }

// Status is where a task stands.
type Status string

// The statuses. From pending a task goes to running or cancelled, from running
// back to pending when it has to wait, or to one of the other three, which are
// final.
const (
	Pending   Status = "pending"
	Running   Status = "running"
	Completed Status = "completed"
	Failed    Status = "failed"
	Cancelled Status = "cancelled"
)

// Step is a part of the work whose result is stored before the next begins.
type Step string

// The steps in their order.
const (
	Planning  Step = "plan"    // what to ask
	Searching Step = "search"  // who may know
	Reading   Step = "read"    // what they say
	Claiming  Step = "claims"  // what of that bears on the question
	Verifying Step = "verify"  // whether they say it
	Proposing Step = "propose" // what follows for the obligation
)

// Outcome is what came of a task.
type Outcome string

// The outcomes.
const (
	Found         Outcome = "found"
	Contradicting Outcome = "contradicting" // sources say different things
	NoEvidence    Outcome = "no_evidence"   // nothing that stands in a source bears on the question
)

// Plan is what a task means to ask.
type Plan struct {
	Revision int      `json:"revision"` // of the steering it takes into account
	Queries  []string `json:"queries"`
	By       string   `json:"by"` // "rules" or "model NAME"
}

// Steer is where somebody wants a task to look.
type Steer struct {
	By   string    `json:"by"`
	Text string    `json:"text"`
	At   time.Time `json:"at"`
}

// Proposal is the value that a task proposes for its obligation.
type Proposal struct {
	Key    string          `json:"obligationKey"`
	Value  json.RawMessage `json:"value"`
	Claims []int           `json:"claims"` // numbers of those it rests on
	By     string          `json:"by"`     // "rules" or "model NAME"
}

var queries = dbsqlc.New()

// Save queues new tasks. Their jobs are [Enqueue]'s.
func Save(b *postgres.Batch, tasks []Task) {
	for _, t := range tasks {
		postgres.One(b, queries.TaskInsert, t.row(), nil)
	}
}

// row returns t as it is stored.
func (t Task) row() *dbsqlc.TaskInsertParams {
	return &dbsqlc.TaskInsertParams{
		TenantID: t.Scope.Tenant, ID: t.ID, SessionID: text(t.Scope.Session), ObligationKey: text(t.Order.Key), TaskType: string(t.Order.Kind), Trigger: string(t.Order.Trigger),
		Query: t.Order.Query, Priority: int32(t.Order.Priority), Turn: int32(t.Turn), Note: text(t.Note), UserID: text(t.User), RequestID: text(t.Request)}
}

// Load queues a read of a session's tasks, oldest first, into list.
func Load(b *postgres.Batch, s obligations.Scope, list *[]Task) {
	loadTasks(b, list, queries.TaskList, &dbsqlc.TaskListParams{TenantID: s.Tenant, SessionID: &s.Session})
}

// loadTasks queues a query of tasks, which are appended to list.
func loadTasks[P any](b *postgres.Batch, list *[]Task, query func(context.Context, dbsqlc.DBTX, P) ([]*dbsqlc.DiscoveryResearchTask, error), arg P) {
	postgres.Many(b, query, arg, func(r *dbsqlc.DiscoveryResearchTask) error {
		t, err := fromRow(r)
		*list = append(*list, t)
		return err
	})
}

// List returns a session's tasks, oldest first.
func List(ctx context.Context, db postgres.DB, s obligations.Scope) ([]Task, error) {
	var out []Task
	b := postgres.NewBatch(s.Tenant)
	Load(b, s, &out)
	if err := b.Send(ctx, db); err != nil {
		return nil, fmt.Errorf("list research tasks of session %s: %w", s.Session, err)
	}
	return out, nil
}

// Filter says which of a tenant's tasks are wanted.
type Filter struct {
	User   string // who asked; empty for everybody's
	Status Status // empty for any

	BeforeAt time.Time // only tasks older than this one; zero for the newest
	BeforeID string
	Max      int // zero means 50
}

// Page returns a tenant's tasks, newest first.
func Page(ctx context.Context, db postgres.DB, tenant string, f Filter) ([]Task, error) {
	if f.BeforeAt.IsZero() {
		f.BeforeAt, f.BeforeID = time.Now().Add(24*time.Hour), "ffffffff-ffff-ffff-ffff-ffffffffffff"
	}
	if f.Max == 0 {
		f.Max = 50
	}
	var out []Task
	b := postgres.NewBatch(tenant)
	loadTasks(b, &out, queries.TaskPage, &dbsqlc.TaskPageParams{TenantID: tenant, BeforeAt: f.BeforeAt, BeforeID: f.BeforeID, UserID: f.User, Status: string(f.Status), Most: int32(f.Max)})
	if err := b.Send(ctx, db); err != nil {
		return nil, fmt.Errorf("list research tasks: %w", err)
	}
	return out, nil
}

// Find returns a tenant's task.
func Find(ctx context.Context, db postgres.DB, tenant, id string) (Task, error) {
	t, err := oneTask(ctx, db, tenant, queries.TaskFind, &dbsqlc.TaskFindParams{TenantID: tenant, ID: id})
	if err != nil && postgres.Code(err) != "22P02" {
		return Task{}, fmt.Errorf("find research task %s: %w", id, err)
	}
	if t == nil {
		return Task{}, noTask()
	}
	return *t, nil
}

func noTask() error {
	return fault.New(fault.NotFound, "there is no such research task").Coded("research_task_not_found")
}

// oneTask returns the task that a query gives; nil when it gives none.
func oneTask[P any](ctx context.Context, db postgres.DB, tenant string, query func(context.Context, dbsqlc.DBTX, P) (*dbsqlc.DiscoveryResearchTask, error), arg P) (*Task, error) {
	var out *Task
	b := postgres.NewBatch(tenant)
	postgres.One(b, query, arg, func(r *dbsqlc.DiscoveryResearchTask) error {
		t, err := fromRow(r)
		out = &t
		return err
	})
	if err := b.Send(ctx, db); err != nil {
		return nil, err
	}
	return out, nil
}

func fromRow(r *dbsqlc.DiscoveryResearchTask) (Task, error) {
	t := Task{ID: r.ID, Scope: obligations.Scope{Tenant: r.TenantID, Session: untext(r.SessionID)}, User: untext(r.UserID), Request: untext(r.RequestID),
		Status: Status(r.Status), Step: Step(untext(r.Step)), Revision: int(r.Revision), Turn: int(r.Turn), Note: untext(r.Note), Outcome: Outcome(untext(r.Outcome)),
		Summary: untext(r.Summary), Result: r.Result, Failure: untext(r.ErrorMessage), Attempt: int(r.Attempt),
		Order:   Order{Key: untext(r.ObligationKey), Kind: Kind(r.TaskType), Trigger: Trigger(r.Trigger), Query: r.Query, Priority: int(r.Priority)},
		Created: r.CreatedAt, Started: r.StartedAt, Ended: r.CompletedAt}
	if r.Told != nil {
		t.Told = int(*r.Told)
	}
	for _, part := range []struct {
		body []byte
		into any
	}{{r.Plan, &t.Plan}, {r.Steering, &t.Steering}, {r.Proposal, &t.Proposal}} {
		if len(part.body) == 0 {
			continue
		}
		if err := json.Unmarshal(part.body, part.into); err != nil {
			return t, fmt.Errorf("research task %s: %w", r.ID, err)
		}
	}
	if len(t.Steering) == 0 {
		t.Steering = nil
	}
	return t, nil
}

// text and untext are a column's value that may be null.
func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func untext(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
