package sessions

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/internal/dbsqlc"
	"quaestor/sessions/objectives"
)

// Session is a conversation and where it stands.
type Session struct {
	ID          string
	Tenant      string
	ObjectiveID string
	ContextType string
	User        string // who started it
	Status      Status
	Phase       Phase
	Score       float64 // 0–1, see [obligations.Criteria.Score]
	Progress    float64 // 0–1
	Turns       int     // turns begun
	Version     int64   // counts changes of state; fences writers that read an older one
	StopReason  StopReason
	Question    *Question // what the person was asked last, as [Question.Complete] leaves it or as it is kept; nil if nothing
	Memory      Memory
	CreatedAt   time.Time
	UpdatedAt   time.Time
	CompletedAt *time.Time
}

// Status says whether a session takes turns.
type Status string

// The statuses.
const (
	Active    Status = "active"
	Completed Status = "completed" // final
)

// StopReason says why a session is not going on. All but completed are undone
// by the next message.
type StopReason string

// The reasons.
const (
	EndCompleted  StopReason = "completed"
	EndLeft       StopReason = "left"
	EndBudget     StopReason = "budget"
	EndRefused    StopReason = "refused"     // the person would not say what is required; earlier releases ended so
	EndHandedOver StopReason = "handed_over" // a reviewer has to go on
	EndError      StopReason = "error"
)

// Scope names the session for calls that touch its rows.
func (s *Session) Scope() obligations.Scope {
	return obligations.Scope{Tenant: s.Tenant, Session: s.ID}
}

var queries = dbsqlc.New()

// New says what a session starts from.
type New struct {
	Scope     obligations.Scope // the id is the caller's to choose
	Objective objectives.Objective
	User      string
}

// Create queues a session, its log and its obligations.
func Create(b *postgres.Batch, n New) error {
	ctx := context.Background() // a batch does no I/O before it is sent
	_ = queries.SessionInsert(ctx, b, &dbsqlc.SessionInsertParams{
		TenantID: n.Scope.Tenant, ID: n.Scope.Session, ObjectiveID: n.Objective.ID, ContextType: n.Objective.ContextType, UserID: n.User})
	_ = queries.HeadInsert(ctx, b, &dbsqlc.HeadInsertParams{TenantID: n.Scope.Tenant, SessionID: n.Scope.Session})
	return obligations.Create(b, n.Scope, n.Obligations(), 0)
}

// CreateOnly queues what [Create] does and fails the batch ([IsStale]) if the person
// has an active session of the context already. Of two at once one waits for the other.
func CreateOnly(b *postgres.Batch, n New) error {
	tenant, user, contextType := n.Scope.Tenant, n.User, n.Objective.ContextType
	_ = queries.CreateLock(context.Background(), b, tenant+"\x1f"+user+"\x1f"+contextType)
	_ = queries.SessionNone(context.Background(), b, &dbsqlc.SessionNoneParams{TenantID: tenant, UserID: user, ContextType: contextType})
	return Create(b, n)
}

// Obligations returns what the session has to learn, as it begins.
func (n New) Obligations() []obligations.Obligation {
	list := obligations.Fresh(n.Objective.Definition.Obligations, n.Objective.Origin(""))
	for i := range list {
		list[i].Origin = n.Objective.Origin(list[i].Key)
	}
	return list
}

// Find returns a session; one that is not there, or another tenant's, is
// NotFound.
func Find(ctx context.Context, db postgres.DB, s obligations.Scope) (Session, error) {
	var out *Session
	b := postgres.NewBatch(s.Tenant)
	Load(b, s, &out)
	if err := b.Send(ctx, db); err != nil {
		return Session{}, fmt.Errorf("find session %s: %w", s.Session, notID(err))
	}
	if out == nil {
		return Session{}, NoSession()
	}
	return *out, nil
}

// Load queues a read of a session into out, which stays nil when it is not
// there.
func Load(b *postgres.Batch, s obligations.Scope, out **Session) {
	postgres.One(b, queries.SessionFind, &dbsqlc.SessionFindParams{TenantID: s.Tenant, ID: s.Session}, into(out))
}

// Lock queues a read like Load that keeps other writers of the session out
// until the transaction ends. Every transaction that decides on what it reads
// begins with it.
func Lock(b *postgres.Batch, s obligations.Scope, out **Session) {
	postgres.One(b, queries.SessionLock, &dbsqlc.SessionLockParams{TenantID: s.Tenant, ID: s.Session}, into(out))
}

// LoadActive queues a read of the person's latest session of a context that
// still takes turns into out, which stays nil when there is none.
func LoadActive(b *postgres.Batch, tenant, user, contextType string, out **Session) {
	postgres.One(b, queries.SessionActive, &dbsqlc.SessionActiveParams{TenantID: tenant, UserID: user, ContextType: contextType}, into(out))
}

func into(out **Session) func(*dbsqlc.ElicitationSession) error {
	return func(r *dbsqlc.ElicitationSession) error {
		s, err := fromRow(r)
		*out = &s
		return err
	}
}

// NoSession is the answer to an id that names no session of the tenant.
func NoSession() error {
	return fault.New(fault.NotFound, "there is no such session among those you may see").At("sessionId").Coded("session_not_found")
}

// notID turns the database's word for a malformed id into NotFound: such an id
// names nothing.
func notID(err error) error {
	if postgres.Code(err) == "22P02" {
		return NoSession()
	}
	return err
}

// Page says which sessions to list, newest first.
type Page struct {
	Tenant      string
	User        string // who began them or takes part; empty means everybody's
	ContextType string // empty means all
	Status      Status // empty means all
	BeforeAt    time.Time
	BeforeID    string // with BeforeAt the cursor: the last session of the page before; zero means from the newest
	Max         int    // zero means 50, at most 200
}

// List returns a page of sessions.
func List(ctx context.Context, db postgres.DB, p Page) ([]Session, error) {
	var out []Session
	b := postgres.NewBatch(p.Tenant)
	LoadPage(b, p, &out)
	if err := b.Send(ctx, db); err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	return out, nil
}

// LoadPage queues a read of a page of sessions, which are appended to out.
func LoadPage(b *postgres.Batch, p Page, out *[]Session) {
	if p.BeforeID == "" {
		p.BeforeAt, p.BeforeID = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), "ffffffff-ffff-ffff-ffff-ffffffffffff"
	}
	if p.Max <= 0 {
		p.Max = 50
	}
	each := func(r *dbsqlc.ElicitationSession) error {
		s, err := fromRow(r)
		*out = append(*out, s)
		return err
	}
	page := dbsqlc.SessionPageParams{TenantID: p.Tenant, ContextType: postgres.OrNull(p.ContextType), Status: postgres.OrNull(string(p.Status)),
		BeforeAt: p.BeforeAt, BeforeID: p.BeforeID, Max: int32(min(p.Max, 200))}
	if p.User == "" {
		postgres.Many(b, queries.SessionPage, &page, each)
		return
	}
	postgres.Many(b, queries.SessionPageOf, &dbsqlc.SessionPageOfParams{TenantID: page.TenantID, ContextType: page.ContextType, Status: page.Status,
		BeforeAt: page.BeforeAt, BeforeID: page.BeforeID, Max: page.Max, UserID: p.User}, each)
}

// Save queues the state of a session after a change that was no turn; the
// caller holds its [Lock].
func Save(b *postgres.Batch, s Session) error {
	question, memory, err := s.documents()
	if err != nil {
		return err
	}
	_ = queries.SessionSave(context.Background(), b, &dbsqlc.SessionSaveParams{
		TenantID: s.Tenant, ID: s.ID, Status: string(s.Status), SessionPhase: string(s.Phase), CompletenessScore: s.Score, Progress: s.Progress,
		StopReason: postgres.OrNull(string(s.StopReason)), Question: question, WorkingMemorySnapshot: memory})
	return nil
}

func (s *Session) documents() (question, memory []byte, err error) {
	if s.Question != nil {
		if question, err = json.Marshal(s.Question.compact()); err != nil {
			return nil, nil, fmt.Errorf("encode question of session %s: %w", s.ID, err)
		}
	}
	if memory, err = json.Marshal(s.Memory); err != nil {
		return nil, nil, fmt.Errorf("encode memory of session %s: %w", s.ID, err)
	}
	return question, memory, nil
}

func fromRow(r *dbsqlc.ElicitationSession) (Session, error) {
	s := Session{
		ID: r.ID, Tenant: r.TenantID, ObjectiveID: r.ObjectiveID, ContextType: r.ContextType, User: r.UserID, Status: Status(r.Status),
		Phase: Phase(r.SessionPhase), Score: r.CompletenessScore, Progress: r.Progress, Turns: int(r.TurnCount), Version: r.Version,
		StopReason: StopReason(postgres.OrEmpty(r.StopReason)), CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt, CompletedAt: r.CompletedAt,
	}
	if len(r.Question) > 0 {
		if err := json.Unmarshal(r.Question, &s.Question); err != nil {
			return s, fmt.Errorf("question of session %s: %w", r.ID, err)
		}
	}
	if len(r.WorkingMemorySnapshot) > 0 {
		if err := json.Unmarshal(r.WorkingMemorySnapshot, &s.Memory); err != nil {
			return s, fmt.Errorf("memory of session %s: %w", r.ID, err)
		}
	}
	return s, nil
}
