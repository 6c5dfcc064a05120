package research

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research/internal/dbsqlc"
	"quaestor/research/warehouse/inquiry"
)

// Task is one piece of research.
type Task struct {
	ID       string
	Scope    obligations.Scope // Session is empty for a question that belongs to no session
	Order    Order
	User     string // who asked; empty when nobody did
	Request  string // the client's id of the request; may be empty
	Status   Status
	Step     TaskStep // the last completed one; empty before the first
	Plan     Plan
	Steering []Steer
	Revision int             // how often it was steered
	Turn     int             // in which it was requested; 0 outside the conversation
	Told     int             // turn in which the person was told the outcome; 0 before that
	Note     string          // why it waits; may be empty
	Outcome  Outcome         // empty until it is completed
	Summary  string          // of the findings in a few sentences, from verified claims only; empty until it is completed
	Proposal *Proposal       // nil when it proposes nothing
	Result   json.RawMessage // nil until it is completed; see [Result]
	Failure  string          // in words; empty unless it failed
	Attempt  int             // rises with every worker that takes it

	Warehouse string      // id, for a question about one's own data; empty to choose by the question
	Project   string      // id, for a discovery; empty for the one of the warehouse
	Run       string      // id of a discovery's run; empty before it has one
	Asker     inquiry.Who // asks a warehouse in an interview; empty for somebody who may query it anyway

	Created time.Time
	Started *time.Time
	Ended   *time.Time
}

// Open reports whether the task is pending or running.
func (t *Task) Open() bool { return t.Status == Pending || t.Status == Running }

// Status is the status of a task.
type Status string

// The statuses. A pending task becomes running or cancelled. A running one becomes
// pending again when it has to wait, or reaches one of the three final statuses.
const (
	Pending   Status = "pending"
	Running   Status = "running"
	Completed Status = "completed"
	Failed    Status = "failed"
	Cancelled Status = "cancelled"
)

// TaskStep is a step of the work, whose result is stored before the next step begins.
type TaskStep string

// The steps, in order.
const (
	Planning  TaskStep = "plan"    // which queries to search for
	Searching TaskStep = "search"  // which pages may have an answer
	Reading   TaskStep = "read"    // the text of the best pages
	Claiming  TaskStep = "claims"  // statements that bear on the question
	Verifying TaskStep = "verify"  // check of each statement against its source
	Proposing TaskStep = "propose" // value for the obligation
)

// Outcome is the result of a completed task.
type Outcome string

// The outcomes.
const (
	Found         Outcome = "found"
	Contradicting Outcome = "contradicting" // the sources contradict each other
	NoEvidence    Outcome = "no_evidence"   // no source says anything that bears on the question
)

// Plan is what a task will search for.
type Plan struct {
	Revision int      `json:"revision"` // the task's revision it was made for
	Queries  []string `json:"queries"`
	By       string   `json:"by"` // "rules" or "model NAME"
}

// Steer is what somebody told a task: where it is to look or, once it is over, what they say against
// what came of it.
type Steer struct {
	By       string    `json:"by"`
	Text     string    `json:"text"`
	At       time.Time `json:"at"`
	Disputes bool      `json:"disputes,omitempty"` // it is said against what came of the task
}

// Disputed returns what was said against what came of the task last; empty for nothing.
func (t *Task) Disputed() string {
	for _, s := range slices.Backward(t.Steering) {
		if s.Disputes {
			return s.Text
		}
	}
	return ""
}

// Proposal is the value a task proposes for its obligation.
type Proposal struct {
	Key    string          `json:"obligationKey"`
	Value  json.RawMessage `json:"value"`
	Claims []int           `json:"claims"` // numbers of the claims it is based on
	By     string          `json:"by"`     // "rules" or "model NAME"
}

// queries are the generated queries of this package.
var queries = dbsqlc.New()

// Save queues the insertion of new tasks. [Enqueue] inserts their jobs.
func Save(b *postgres.Batch, tasks []Task) {
	for _, t := range tasks {
		postgres.One(b, queries.TaskInsert, t.row(), nil)
	}
}

// row returns the row of t for the insertion.
func (t Task) row() *dbsqlc.TaskInsertParams {
	return &dbsqlc.TaskInsertParams{
		TenantID: t.Scope.Tenant, ID: t.ID, SessionID: text(t.Scope.Session), ObligationKey: text(t.Order.Key), TaskType: string(t.Order.Kind), Trigger: string(t.Order.Trigger),
		Query: t.Order.Query, Priority: int32(t.Order.Priority), Turn: int32(t.Turn), Note: text(t.Note), UserID: text(t.User), RequestID: text(t.Request),
		WarehouseID: text(t.Warehouse), ProjectID: text(t.Project), Asker: text(string(t.Asker))}
}

// Load queues a read of a session's tasks, oldest first, into list.
func Load(b *postgres.Batch, s obligations.Scope, list *[]Task) {
	loadTasks(b, list, queries.TaskList, &dbsqlc.TaskListParams{TenantID: s.Tenant, SessionID: &s.Session})
}

// loadTasks queues a query for tasks and appends them to list.
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

// Filter selects tasks of a tenant.
type Filter struct {
	User   string // who asked; empty for everybody's
	Status Status // empty for any

	BeforeAt time.Time // only tasks older than this one; zero for the newest
	BeforeID string
	Max      int // zero means 50
}

// Page returns the tenant's tasks that f selects, newest first.
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

// Find returns a tenant's task; one that does not exist is NotFound.
func Find(ctx context.Context, db postgres.DB, tenant, id string) (Task, error) {
	t, err := postgres.Find(ctx, db, tenant, queries.TaskFind, &dbsqlc.TaskFindParams{TenantID: tenant, ID: id}, fromRow)
	if err != nil && postgres.Code(err) != "22P02" {
		return Task{}, fmt.Errorf("find research task %s: %w", id, err)
	}
	if t == nil {
		return Task{}, noTask()
	}
	return *t, nil
}

// noTask is the fault of a task that does not exist.
func noTask() error {
	return fault.New(fault.NotFound, "there is no such research task").Coded("research_task_not_found")
}

// fromRow converts a row of the table of tasks.
func fromRow(r *dbsqlc.DiscoveryResearchTask) (Task, error) {
	t := Task{ID: r.ID, Scope: obligations.Scope{Tenant: r.TenantID, Session: untext(r.SessionID)}, User: untext(r.UserID), Request: untext(r.RequestID),
		Status: Status(r.Status), Step: TaskStep(untext(r.Step)), Revision: int(r.Revision), Turn: int(r.Turn), Note: untext(r.Note), Outcome: Outcome(untext(r.Outcome)),
		Summary: untext(r.Summary), Result: r.Result, Failure: untext(r.ErrorMessage), Attempt: int(r.Attempt),
		Order:     Order{Key: untext(r.ObligationKey), Kind: Kind(r.TaskType), Trigger: Trigger(r.Trigger), Query: r.Query, Priority: int(r.Priority)},
		Warehouse: untext(r.WarehouseID), Project: untext(r.ProjectID), Run: untext(r.RunID), Asker: inquiry.Who(untext(r.Asker)),
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

// text and untext convert between an empty string and a column's NULL.
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
