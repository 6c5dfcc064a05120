package sessions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/internal/dbsqlc"
)

// Turn is one exchange: what the person said and the reply to it.
type Turn struct {
	Scope       obligations.Scope
	Number      int
	Attempt     int // from 1; rises with every take-over, and only the latest may settle the turn
	Status      TurnStatus
	User        string
	BodyHash    []byte                     // of the request that began it
	Answers     map[string]json.RawMessage // widgets the person filled in
	FirstSeq    int64                      // number of its first event
	Instance    string                     // id of the server that works on it
	Stopping    bool                       // the person asked to stop it
	Interviewer string
	Degraded    string
	Usage       json.RawMessage
	StartedAt   time.Time
	FinishedAt  *time.Time
}

// TurnStatus is where a turn stands. Running becomes one of the others, once.
type TurnStatus string

// The statuses.
const (
	TurnRunning TurnStatus = "running"
	TurnDone    TurnStatus = "done"
	TurnStopped TurnStatus = "stopped"
	TurnFailed  TurnStatus = "failed"
)

// NewTurn is what [BeginTurn] records.
type NewTurn struct {
	Scope           obligations.Scope
	Number          int    // of the turn: one more than the session has
	ContextType     string // of the session
	Language        string // of the session from this turn on, see [Session.Detect]; empty leaves it as it is
	LanguageSource  LanguageSource
	User            string
	Anyone          bool   // the person may talk in sessions that others began
	Message         string // empty when the interviewer opens
	Files           []File // given with the message; the session has them already
	Answers         map[string]json.RawMessage
	ClientMessageID string // makes the request safe to repeat; may be empty
	BodyHash        []byte
	Instance        string
	Interviewer     string
}

// BegunTurn is a turn that was recorded.
type BegunTurn struct {
	Turn  Turn
	Event Event // its first, "session"
}

// BeginTurn queues the start of a turn: its number, its message and its first event. out
// stays nil when the session does not exist, accepts no turn of this person, or has had
// another turn since it was read. The batch fails when another turn is running
// ([IsTurnRunning]) or the client message id was used before ([IsClientMessageUsed]).
func BeginTurn(b *postgres.Batch, in NewTurn, out **BegunTurn) error {
	answers, err := in.answers()
	if err != nil {
		return err
	}
	event := in.Event(0)
	postgres.One(b, queries.TurnBegin, &dbsqlc.TurnBeginParams{
		Number: int32(in.Number), TenantID: in.Scope.Tenant, SessionID: in.Scope.Session,
		AnyPerson: in.Anyone, UserID: in.User, ClientMessageID: postgres.OrNull(in.ClientMessageID),
		BodyHash: in.BodyHash, Answers: answers, InstanceID: in.Instance, Content: in.Message,
		Event: string(event.Data), Language: postgres.OrNull(in.Language), LanguageSource: postgres.OrNull(string(in.LanguageSource)),
	}, func(lastSeq int64) error {
		t := Turn{Scope: in.Scope, Number: in.Number, Attempt: 1, Status: TurnRunning, User: in.User, BodyHash: in.BodyHash, Answers: in.Answers, FirstSeq: lastSeq, Instance: in.Instance}
		*out = &BegunTurn{t, in.Event(lastSeq)}
		return nil
	})
	give(b, in)
	return nil
}

// Event returns the turn's first event under its number in the log. It is made before
// the turn is stored, with number 0, and again once the number is known.
func (in NewTurn) Event(seq int64) Event {
	e := newEvent(in.Number, SessionEvent{SessionID: in.Scope.Session, Turn: in.Number, ContextType: in.ContextType, Language: in.Language, LanguageSource: in.LanguageSource, Message: in.Message, User: in.User, Files: attachments(in.Files),
		ClientID: in.ClientMessageID, Interviewer: in.Interviewer})
	e.Seq = seq
	return e
}

// answers returns the filled-in widgets as they are stored; nil when there are none.
func (in NewTurn) answers() ([]byte, error) {
	if len(in.Answers) == 0 {
		return nil, nil
	}
	out, err := json.Marshal(in.Answers)
	return out, fault.Wrap(err, "encode answers")
}

// IsTurnRunning reports whether a batch failed because another turn of the session is
// running.
func IsTurnRunning(err error) bool { return postgres.Constraint(err) == "turns_one_running" }

// IsClientMessageUsed reports whether a batch failed because the client message
// id began a turn before.
func IsClientMessageUsed(err error) bool { return postgres.Constraint(err) == "turns_client_message" }

// Outcome is how a turn ends: what [FinishTurn] records.
type Outcome struct {
	Turn        Turn
	Version     int64      // of the session as it was read
	Status      TurnStatus // done or stopped
	Interviewer string
	Degraded    string  // why the model did not answer; empty when it did, or none is configured
	Usage       any     // what a model was given and gave; nil for none
	Session     Session // the state the session moves to
	Trim        bool    // pieces of the reply were logged; they are deleted, since the whole is
}

// params returns the outcome as the parameters of TurnSettle.
func (o Outcome) params() (*dbsqlc.TurnSettleParams, error) {
	question, memory, err := o.Session.documents()
	if err != nil {
		return nil, err
	}
	usage, err := json.Marshal(o.Usage)
	if err != nil {
		return nil, fmt.Errorf("encode usage of turn %d: %w", o.Turn.Number, err)
	}
	s, now := o.Turn.Scope, o.Session
	return &dbsqlc.TurnSettleParams{
		TenantID: s.Tenant, SessionID: s.Session, Number: int32(o.Turn.Number), Attempt: int32(o.Turn.Attempt), Version: o.Version,
		Status: string(o.Status), Interviewer: postgres.OrNull(o.Interviewer), Degraded: postgres.OrNull(o.Degraded), Usage: usage,
		SessionStatus: string(now.Status), SessionPhase: string(now.Phase), CompletenessScore: now.Score, Progress: now.Progress,
		StopReason: postgres.OrNull(string(now.StopReason)), Question: question, WorkingMemorySnapshot: memory}, nil
}

// FinishTurn queues the end of a turn. The batch fails when the turn belongs to another
// attempt by now ([IsFenced]) or the session changed since it was read ([IsStale]).
func FinishTurn(b *postgres.Batch, o Outcome) error {
	end, err := o.params()
	if err != nil {
		return err
	}
	_ = queries.TurnSettle(context.Background(), b, end)
	if o.Trim {
		_ = queries.DeltaTrim(context.Background(), b, &dbsqlc.DeltaTrimParams{TenantID: end.TenantID, SessionID: end.SessionID, FirstSeq: o.Turn.FirstSeq, Turn: int32(o.Turn.Number)})
	}
	return nil
}

// ErrFenced reports that a turn belongs to another attempt or is over.
var ErrFenced = errors.New("the turn is another attempt's, or over")

// IsFenced reports whether a turn could not end because it belongs to another attempt or
// is over. QF001 is raised by the statement that settles a turn.
func IsFenced(err error) bool { return errors.Is(err, ErrFenced) || postgres.Code(err) == "QF001" }

// IsStale reports whether a batch failed because a session is no longer as it was read:
// a turn could not end or be taken over, or the person has an active session by now.
// QF002 is raised by the statements that check it.
func IsStale(err error) bool { return postgres.Code(err) == "QF002" }

// LoadTurn queues a read of a turn into out, which stays nil when there is no such turn.
func LoadTurn(b *postgres.Batch, s obligations.Scope, number int, out **Turn) {
	loadTurn(b, out, queries.TurnFind, &dbsqlc.TurnFindParams{TenantID: s.Tenant, SessionID: s.Session, Number: int32(number)})
}

// FindTurn returns a turn. One that does not exist is NotFound.
func FindTurn(ctx context.Context, db postgres.DB, s obligations.Scope, number int) (Turn, error) {
	if number != int(int32(number)) {
		return Turn{}, noTurn(number)
	}
	t, err := oneTurn(ctx, db, s, queries.TurnFind, &dbsqlc.TurnFindParams{TenantID: s.Tenant, SessionID: s.Session, Number: int32(number)})
	if err == nil && t == nil {
		return Turn{}, noTurn(number)
	}
	if err != nil {
		return Turn{}, err
	}
	return *t, nil
}

// noTurn is the answer to a number that no turn of the session has.
func noTurn(number int) error {
	return fault.New(fault.NotFound, "the session has no turn %d", number).Coded("turn_not_found")
}

// maxTurns bounds what one read of turns returns.
const maxTurns = 1000

// Turns returns the turns after the given one in order, at most 1000.
func Turns(ctx context.Context, db postgres.DB, s obligations.Scope, after int) ([]Turn, error) {
	out, err := postgres.List(ctx, db, s.Tenant, queries.TurnPage, &dbsqlc.TurnPageParams{TenantID: s.Tenant, SessionID: s.Session, After: int32(after), Max: int32(maxTurns)}, fromTurnRow)
	return out, fault.Wrap(notID(err), "list turns of session %s", s.Session)
}

// LoadRunning queues a read of the running turn into out, which stays nil when no turn
// is running.
func LoadRunning(b *postgres.Batch, s obligations.Scope, out **Turn) {
	loadTurn(b, out, queries.TurnRunning, &dbsqlc.TurnRunningParams{TenantID: s.Tenant, SessionID: s.Session})
}

// RunningTurn returns the running turn; nil when no turn is running.
func RunningTurn(ctx context.Context, db postgres.DB, s obligations.Scope) (*Turn, error) {
	return oneTurn(ctx, db, s, queries.TurnRunning, &dbsqlc.TurnRunningParams{TenantID: s.Tenant, SessionID: s.Session})
}

// LoadSent queues a read of the turn that began with a client's message into out, which
// stays nil when there is none.
func LoadSent(b *postgres.Batch, s obligations.Scope, clientMessageID string, out **Turn) {
	loadTurn(b, out, queries.TurnByClientMessage, &dbsqlc.TurnByClientMessageParams{TenantID: s.Tenant, SessionID: s.Session, ClientMessageID: &clientMessageID})
}

// TurnByPersonMessage returns the turn that began with a person's message, in the latest
// session of the context that has one; nil when there is none.
func TurnByPersonMessage(ctx context.Context, db postgres.DB, tenant, user, contextType, id string) (*Turn, error) {
	return oneTurn(ctx, db, obligations.Scope{Tenant: tenant}, queries.TurnByPersonMessage,
		&dbsqlc.TurnByPersonMessageParams{TenantID: tenant, UserID: user, ContextType: contextType, ClientMessageID: &id})
}

// turnQuery is a generated query of at most one turn.
type turnQuery[P any] func(context.Context, dbsqlc.DBTX, P) (*dbsqlc.Turn, error)

// loadTurn queues a query into out, which stays nil when it gives no turn.
func loadTurn[P any](b *postgres.Batch, out **Turn, query turnQuery[P], arg P) {
	postgres.One(b, query, arg, func(r *dbsqlc.Turn) error {
		t, err := fromTurnRow(r)
		*out = &t
		return err
	})
}

// oneTurn returns the turn that a query gives; nil when it gives none.
func oneTurn[P any](ctx context.Context, db postgres.DB, s obligations.Scope, query turnQuery[P], arg P) (*Turn, error) {
	t, err := postgres.Find(ctx, db, s.Tenant, query, arg, fromTurnRow)
	return t, fault.Wrap(notID(err), "find turn of session %s", s.Session)
}

// fromTurnRow returns a turn as it is stored.
func fromTurnRow(r *dbsqlc.Turn) (Turn, error) {
	t := Turn{
		Scope: obligations.Scope{Tenant: r.TenantID, Session: r.SessionID}, Number: int(r.Number), Attempt: int(r.Attempt), Status: TurnStatus(r.Status),
		User: r.UserID, BodyHash: r.BodyHash, FirstSeq: r.FirstSeq, Instance: r.InstanceID, Stopping: r.StopRequested, Interviewer: postgres.OrEmpty(r.Interviewer),
		Degraded: postgres.OrEmpty(r.Degraded), Usage: r.Usage, StartedAt: r.StartedAt, FinishedAt: r.FinishedAt,
	}
	if len(r.Answers) > 0 {
		if err := json.Unmarshal(r.Answers, &t.Answers); err != nil {
			return t, fmt.Errorf("answers of turn %d: %w", r.Number, err)
		}
	}
	return t, nil
}

// StopTurn records that the person wants a turn stopped, and reports whether it is
// running. The server that works on it looks for the mark.
func StopTurn(ctx context.Context, db postgres.DB, s obligations.Scope, number int) (bool, error) {
	running := false
	if number != int(int32(number)) {
		return false, nil
	}
	b := postgres.NewBatch(s.Tenant)
	postgres.One(b, queries.TurnStop, &dbsqlc.TurnStopParams{TenantID: s.Tenant, SessionID: s.Session, Number: int32(number)}, func(string) error { running = true; return nil })
	err := b.Send(ctx, db)
	return running, fault.Wrap(notID(err), "stop turn %d of session %s", number, s.Session)
}

// FailTurn ends a turn that could not be answered and appends its event. It does
// nothing, and returns false, when the turn belongs to another attempt.
func FailTurn(ctx context.Context, pool *pgxpool.Pool, t Turn, f ErrorEvent) (e Event, ended bool, err error) {
	s := t.Scope
	events := Events(t.Number, []Payload{f})
	err = postgres.InTx(ctx, pool, s.Tenant, func(tx pgx.Tx) error {
		// The session first, as every writer takes it: a turn that begins holds it
		// and waits for the one that ends.
		if _, err := queries.SessionLock(ctx, tx, &dbsqlc.SessionLockParams{TenantID: s.Tenant, ID: s.Session}); err != nil {
			if errors.Is(err, pgx.ErrNoRows) { // gone, and its turns with it
				return nil
			}
			return err
		}
		_, err := queries.TurnFail(ctx, tx, &dbsqlc.TurnFailParams{TenantID: s.Tenant, SessionID: s.Session, Number: int32(t.Number), Attempt: int32(t.Attempt), Degraded: &f.Code})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		ended = true
		b := postgres.NewBatch(s.Tenant)
		_ = queries.DeltaTrim(ctx, b, &dbsqlc.DeltaTrimParams{TenantID: s.Tenant, SessionID: s.Session, FirstSeq: t.FirstSeq, Turn: int32(t.Number)})
		Append(b, s, events)
		return b.Send(ctx, tx)
	})
	return events[0], ended, fault.Wrap(err, "fail turn %d of session %s", t.Number, s.Session)
}
