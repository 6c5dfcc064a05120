package sessions

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/internal/dbsqlc"
	"quaestor/sessions/objectives"
)

// Session is a conversation about one objective and where it stands.
type Session struct {
	ID          string
	Tenant      string
	ObjectiveID string
	ContextType string
	User        string // the person who began it
	Language    string // BCP 47 tag, one that the objective speaks; empty in sessions from before there was one
	Status      Status
	Phase       Phase
	Score       float64 // 0–1, see [obligations.Criteria.Score]
	Progress    float64 // 0–1
	Turns       int     // turns begun
	Version     int64   // counts changes of state; a writer that read an older version is refused
	StopReason  StopReason
	Question    *Question // the open question, stored without what its template says (see [Question.Complete]); nil for none
	Memory      Memory
	CreatedAt   time.Time
	UpdatedAt   time.Time
	CompletedAt *time.Time

	LanguageSource LanguageSource // where Language is known from; empty without one

	Revision     int       // counts how often it is worked towards completion, from 1; see [Reopen]
	RevisedTurns int       // turns of the revisions before this one
	Handover     *Handover // the wish for a human being that nobody has met yet; nil for none
}

// Status is whether a session still takes turns.
type Status string

// The statuses.
const (
	Active    Status = "active"
	Completed Status = "completed" // until it is reopened as its next revision, see [Reopen]
)

// StopReason is why a session does not go on. The next message undoes every reason but
// completed.
type StopReason string

// The reasons.
const (
	EndCompleted  StopReason = "completed"
	EndLeft       StopReason = "left"
	EndBudget     StopReason = "budget"
	EndRefused    StopReason = "refused"     // the person declined to answer what is required; only older sessions have it
	EndHandedOver StopReason = "handed_over" // a reviewer continues
	EndError      StopReason = "error"
)

// Scope returns the tenant and the id of the session, which name its rows.
func (s *Session) Scope() obligations.Scope {
	return obligations.Scope{Tenant: s.Tenant, Session: s.ID}
}

// lastTurn returns the number of the last turn that began; 1 before the first, since
// events need a turn.
func (s *Session) lastTurn() int { return max(s.Turns, 1) }

var queries = dbsqlc.New()

// New is what [Create] makes a session of.
type New struct {
	Scope     obligations.Scope // the caller chooses the id
	Objective objectives.Objective
	User      string

	Language       string // one that the objective speaks; see [ChooseLanguage]
	LanguageSource LanguageSource
}

// Create queues a session with its log and its obligations.
func Create(b *postgres.Batch, n New) error {
	ctx := context.Background() // a batch does no I/O before it is sent
	_ = queries.SessionInsert(ctx, b, &dbsqlc.SessionInsertParams{
		TenantID: n.Scope.Tenant, ID: n.Scope.Session, ObjectiveID: n.Objective.ID, ContextType: n.Objective.ContextType, UserID: n.User,
		Language: postgres.OrNull(n.Language), LanguageSource: postgres.OrNull(string(n.LanguageSource))})
	_ = queries.HeadInsert(ctx, b, &dbsqlc.HeadInsertParams{TenantID: n.Scope.Tenant, SessionID: n.Scope.Session})
	return obligations.Create(b, n.Scope, n.Obligations(), 0)
}

// CreateOnly queues what [Create] does, and fails the batch ([IsStale]) when the person
// already has an active session of the context. Of two at the same time, the second
// waits for the first.
func CreateOnly(b *postgres.Batch, n New) error {
	tenant, user, contextType := n.Scope.Tenant, n.User, n.Objective.ContextType
	_ = queries.CreateLock(context.Background(), b, tenant+"\x1f"+user+"\x1f"+contextType)
	_ = queries.SessionNone(context.Background(), b, &dbsqlc.SessionNoneParams{TenantID: tenant, UserID: user, ContextType: contextType})
	return Create(b, n)
}

// Obligations returns what the session has to learn, before anything was said.
func (n New) Obligations() []obligations.Obligation {
	list := obligations.Fresh(n.Objective.Definition.Obligations, n.Objective.Origin(""))
	for i := range list {
		list[i].Origin = n.Objective.Origin(list[i].Key)
	}
	return list
}

// Find returns a session. One that does not exist, or belongs to another tenant, is
// NotFound.
func Find(ctx context.Context, db postgres.DB, s obligations.Scope) (Session, error) {
	var out *Session
	b := postgres.NewBatch(s.Tenant)
	Load(b, s, &out)
	err := b.Send(ctx, db)
	return postgres.Found(out, fault.Wrap(notID(err), "find session %s", s.Session), NoSession())
}

// Load queues a read of a session into out, which stays nil when it does not exist.
func Load(b *postgres.Batch, s obligations.Scope, out **Session) {
	postgres.One(b, queries.SessionFind, &dbsqlc.SessionFindParams{TenantID: s.Tenant, ID: s.Session}, into(out))
}

// Lock queues a read like [Load] that keeps other writers of the session waiting until
// the transaction ends. A transaction that decides on what it reads must begin with it.
func Lock(b *postgres.Batch, s obligations.Scope, out **Session) {
	postgres.One(b, queries.SessionLock, &dbsqlc.SessionLockParams{TenantID: s.Tenant, ID: s.Session}, into(out))
}

// findLocked is [Find] for a transaction that changes something of the session and tells of
// it in the log: it begins with this, so that it takes the locks in the order of every writer.
func findLocked(ctx context.Context, tx pgx.Tx, s obligations.Scope) (Session, error) {
	var out *Session
	b := postgres.NewBatch(s.Tenant)
	Lock(b, s, &out)
	err := b.Send(ctx, tx)
	return postgres.Found(out, fault.Wrap(notID(err), "lock session %s", s.Session), NoSession())
}

// LoadActive queues a read of the person's latest session of a context that still takes
// turns into out, which stays nil when there is none.
func LoadActive(b *postgres.Batch, tenant, user, contextType string, out **Session) {
	postgres.One(b, queries.SessionActive, &dbsqlc.SessionActiveParams{TenantID: tenant, UserID: user, ContextType: contextType}, into(out))
}

// into returns a reader that decodes the row of a session into out.
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

// notID returns NotFound for the database's complaint about a malformed id (22P02),
// since no session has such an id, and any other error as it is.
func notID(err error) error {
	if postgres.Code(err) == "22P02" {
		return NoSession()
	}
	return err
}

// Filter selects sessions to list, newest first.
type Filter struct {
	Tenant      string
	User        string // the person who began them or takes part; empty means any
	ContextType string // empty means all
	Status      Status // empty means all
	Handover    bool   // only those in which a wish for a human being is open
	BeforeAt    time.Time
	BeforeID    string // the last session of the previous page; both zero means from the newest
	Max         int    // zero means 50, at most 200
}

// List returns a page of sessions.
func List(ctx context.Context, db postgres.DB, p Filter) ([]Session, error) {
	var out []Session
	b := postgres.NewBatch(p.Tenant)
	LoadPage(b, p, &out)
	err := b.Send(ctx, db)
	return out, fault.Wrap(err, "list sessions")
}

// LoadPage queues a read of a page of sessions, which are appended to out.
func LoadPage(b *postgres.Batch, p Filter, out *[]Session) {
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
		Handover: p.Handover, BeforeAt: p.BeforeAt, BeforeID: p.BeforeID, Max: int32(min(p.Max, 200))}
	if p.User == "" {
		postgres.Many(b, queries.SessionPage, &page, each)
		return
	}
	postgres.Many(b, queries.SessionPageOf, &dbsqlc.SessionPageOfParams{TenantID: page.TenantID, ContextType: page.ContextType, Status: page.Status,
		Handover: page.Handover, BeforeAt: page.BeforeAt, BeforeID: page.BeforeID, Max: page.Max, UserID: p.User}, each)
}

// Save queues the state of a session after a change outside its turns. The caller holds
// its [Lock].
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

// documents returns the parts of a session that are stored as JSON.
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

// fromRow returns a session as it is stored.
func fromRow(r *dbsqlc.ElicitationSession) (Session, error) {
	s := Session{
		ID: r.ID, Tenant: r.TenantID, ObjectiveID: r.ObjectiveID, ContextType: r.ContextType, User: r.UserID, Status: Status(r.Status),
		Phase: Phase(r.SessionPhase), Score: r.CompletenessScore, Progress: r.Progress, Turns: int(r.TurnCount), Version: r.Version,
		StopReason: StopReason(postgres.OrEmpty(r.StopReason)), CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt, CompletedAt: r.CompletedAt,
		Language: postgres.OrEmpty(r.Language), LanguageSource: LanguageSource(postgres.OrEmpty(r.LanguageSource)),
		Revision: int(r.Revision), RevisedTurns: int(r.RevisedTurns),
		Handover: handoverOf(r),
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
