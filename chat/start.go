package chat

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// StartedTurn is a turn that has begun or, when Replay is set, the turn that the same
// request began before.
type StartedTurn struct {
	Scope  obligations.Scope
	Turn   sessions.Turn
	Log    []sessions.Event // its first event; empty when Replay is set
	Replay bool
}

// Start begins a turn and returns once that is recorded; the turn goes on by itself,
// even when ctx ends. Start changes nothing and returns an error when the session is
// unknown, completed or busy with another turn, when the context type is unknown, and
// when a client message id is used again for another message.
func (e *Engine) Start(ctx context.Context, in Input) (StartedTurn, error) {
	in, err := in.Clean()
	if err != nil {
		return StartedTurn{}, err
	}
	hash := in.hash()
	if in.SessionID == "" {
		return e.startAnywhere(ctx, in, hash)
	}
	id, err := uuid.Parse(in.SessionID)
	if err != nil {
		return StartedTurn{}, sessions.NoSession()
	}
	in.SessionID = id.String() // the same id in other letters is the same session
	return e.startIn(ctx, in, hash)
}

// hash returns what makes two requests the same: message, answers and files. The session
// is not part of it, because a client that sends a message again may name the session
// where it named the context type before. Answers must be clean: equal ones are then
// encoded alike.
func (in Input) hash() []byte {
	h := sha256.New()
	parts := []any{in.Message, in.Answers}
	if len(in.Files) > 0 {
		parts = append(parts, in.Files)
	}
	body, _ := json.Marshal(parts) // strings and raw JSON that was decoded before
	_, _ = h.Write(body)
	return h.Sum(nil)
}

// beginLimit is how long the beginning of a turn is tried while the database is away. A
// person is waiting.
const beginLimit = 10 * time.Second

// startIn begins a turn in a session and tries again while the database is away. It does
// not end with ctx: a caller that left in the middle would leave behind a turn that
// nobody works.
func (e *Engine) startIn(ctx context.Context, in Input, hash []byte) (StartedTurn, error) {
	started, err := e.starting(in.SessionID)
	if err != nil {
		return StartedTurn{}, err
	}
	defer started()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), beginLimit)
	defer cancel()
	s := &start{engine: e, in: in, hash: hash, scope: obligations.Scope{Tenant: in.Tenant, Session: in.SessionID}}
	var out StartedTurn
	err = retry(ctx, func() error {
		var err error
		out, err = s.try(ctx)
		return err
	})
	if s.unsure > 0 && postgres.Away(err) {
		e.orphans.Store(true)
	}
	return out, err
}

// start is a message that is becoming a turn. One value serves all tries.
type start struct {
	engine *Engine
	in     Input
	hash   []byte
	scope  obligations.Scope
	unsure int // number of the turn that the last try sent and that may be recorded; 0 for none
}

// try reads the session, checks that the message may begin a turn in it, records the
// turn and launches it.
func (s *start) try(ctx context.Context) (StartedTurn, error) {
	e := s.engine
	l, err := e.load(ctx, s.scope, s.in.User, s.in.ClientMessageID, windowTurns-1)
	if err != nil {
		return StartedTurn{}, err
	}
	if !s.recorded(l) {
		sent, err := s.check(l)
		if errors.Is(err, errReopens) {
			err = s.reopen(ctx, l.session)
		}
		if sent != nil || err != nil {
			return replayOf(sent), err
		}
	}
	if l.scene.Files, err = e.given(ctx, s.scope, s.in.Files); err != nil {
		return StartedTurn{}, err
	}
	if err := e.detect(ctx, l, s.number(l), s.in.Message); err != nil {
		return StartedTurn{}, err
	}
	begun, err := s.record(ctx, l)
	if err != nil {
		return StartedTurn{}, err
	}
	l.scene.Voice, l.scene.Reviewer = s.in.Voice, s.in.Anyone
	if err := e.enter(ctx, l, begun.Turn, s.in.Message); err != nil {
		return StartedTurn{}, err
	}
	log := []sessions.Event{begun.Event}
	return StartedTurn{Scope: s.scope, Turn: begun.Turn, Log: log}, e.launch(begun.Turn, l.scene, log)
}

// recorded reports whether an earlier try recorded the turn although its answer was
// lost.
func (s *start) recorded(l *snapshot) bool {
	t := l.running
	return t != nil && t.Number == s.unsure && t.Instance == s.engine.Instance && bytes.Equal(t.BodyHash, s.hash)
}

// number returns the number of the turn.
func (s *start) number(l *snapshot) int {
	if s.recorded(l) {
		return s.unsure
	}
	return l.session.Turns + 1
}

// check returns an error for a message that must not begin a turn in the session, and
// the turn that the same request began before, if there is one.
func (s *start) check(l *snapshot) (sent *sessions.Turn, err error) {
	session, in := l.session, s.in
	switch {
	case session == nil, l.scene.Part == sessions.NoRole && !in.Anyone:
		return nil, sessions.NoSession()
	case !l.scene.Part.MayTalk() && !in.Anyone:
		return nil, sessions.NoTalking()
	case in.ContextType != "" && in.ContextType != session.ContextType:
		return nil, fault.New(fault.Unprocessable, "this session is about %s; leave contextType out or name that", session.ContextType).At("contextType").Coded("context_type_mismatch")
	case l.sent != nil:
		return l.sent, sameRequest(l.sent, in, s.hash)
	case session.Status == sessions.Completed && !in.Reopen:
		return nil, fault.New(fault.Conflict, "this session is completed and takes no more messages; set reopen to open its next revision with this one, or start a new one").Coded("session_completed")
	}
	if err := checkAnswers(in, obligations.TemplateOf(l.scene.Obligations)); err != nil {
		return nil, err
	}
	if l.running != nil {
		return nil, errTurnRunning()
	}
	if session.Status == sessions.Completed {
		return nil, errReopens
	}
	return nil, nil
}

// errReopens reports that a message is to reopen its session, which is completed.
var errReopens = errors.New("the message reopens the session")

// reopen opens the completed session for the message, and returns errChanged so that it is
// read again.
func (s *start) reopen(ctx context.Context, session *sessions.Session) error {
	takesPart := session.User == s.in.User || !s.in.Anyone
	_, err := s.engine.ReopenSession(ctx, s.scope, Actor{User: s.in.User, Reviewer: !takesPart}, Reopening{Revision: session.Revision})
	return cmp.Or(err, errChanged)
}

func errTurnRunning() error {
	return fault.New(fault.Conflict, "a turn is already running in this session; wait for it to end, or stop it").Coded("turn_running")
}

// sameRequest returns an error when the client message id was used for another message.
func sameRequest(t *sessions.Turn, in Input, hash []byte) error {
	if bytes.Equal(t.BodyHash, hash) && (t.User == in.User || in.Anyone) { // the same words of somebody else are another message
		return nil
	}
	return fault.New(fault.Unprocessable, "this clientMessageId was used for another message; every message needs its own").At("clientMessageId").Coded("idempotency_mismatch")
}

// replayOf returns the answer to a request that began the turn sent before, and the zero
// value for nil.
func replayOf(sent *sessions.Turn) StartedTurn {
	if sent == nil {
		return StartedTurn{}
	}
	return StartedTurn{Scope: sent.Scope, Turn: *sent, Replay: true}
}

// record records the turn. It returns errChanged when the session has changed since it
// was read.
func (s *start) record(ctx context.Context, l *snapshot) (*sessions.BegunTurn, error) {
	in := sessions.NewTurn{Scope: s.scope, Number: s.number(l), ContextType: l.session.ContextType,
		Language: l.session.Language, LanguageSource: l.session.LanguageSource, User: s.in.User, Anyone: s.in.Anyone,
		Message: s.in.Message, Files: l.scene.Files, Answers: s.in.Answers, ClientMessageID: s.in.ClientMessageID, BodyHash: s.hash,
		Instance: s.engine.Instance, Interviewer: s.engine.InterviewerOf(ctx, s.scope.Tenant)}
	if s.recorded(l) {
		return &sessions.BegunTurn{Turn: *l.running, Event: in.Event(l.running.FirstSeq)}, nil
	}
	var begun *sessions.BegunTurn
	b := postgres.NewBatch(s.scope.Tenant)
	if err := sessions.BeginTurn(b, in, &begun); err != nil {
		return nil, err
	}
	err := b.Send(ctx, s.engine.Pool)
	if s.unsure = 0; postgres.Away(err) {
		s.unsure = in.Number
	}
	switch {
	case sessions.IsTurnRunning(err):
		return nil, errTurnRunning()
	case err == nil && begun == nil, sessions.IsClientMessageUsed(err):
		return nil, errChanged
	case err != nil:
		return nil, fmt.Errorf("begin turn in session %s: %w", s.scope.Session, err)
	}
	return begun, nil
}

// startAnywhere begins a turn in the person's active session of the context type, which
// it creates if need be.
func (e *Engine) startAnywhere(ctx context.Context, in Input, hash []byte) (StartedTurn, error) {
	if in.ClientMessageID != "" {
		t, err := sessions.TurnByPersonMessage(ctx, e.Pool, in.Tenant, in.User, in.ContextType, in.ClientMessageID)
		if err == nil && t != nil {
			err = sameRequest(t, in, hash)
		}
		if err != nil || t != nil {
			return replayOf(t), err
		}
	}
	objective, err := e.Library.Active(ctx, in.Tenant, in.ContextType)
	if err != nil {
		return StartedTurn{}, err
	}
	id, err := e.activeOrNew(ctx, in, objective)
	if err != nil {
		return StartedTurn{}, err
	}
	in.SessionID = id
	return e.startIn(ctx, in, hash)
}

// activeOrNew returns the id of the person's active session, creating it if need be. Of
// two requests at the same time, only one creates it.
func (e *Engine) activeOrNew(ctx context.Context, in Input, o objectives.Objective) (string, error) {
	for range 2 {
		var active *sessions.Session
		b := postgres.NewBatch(in.Tenant)
		sessions.LoadActive(b, in.Tenant, in.User, in.ContextType, &active)
		if err := b.Send(ctx, e.Pool); err != nil || active != nil {
			return idOf(active), err
		}
		if err := checkAnswers(in, o.Definition.Template); err != nil {
			return "", err
		}
		n, err := newSession(o, in.Tenant, in.User, in.Language)
		if err != nil {
			return "", err
		}
		b = postgres.NewBatch(in.Tenant)
		if err := sessions.CreateOnly(b, n); err != nil {
			return "", err
		}
		err = b.Send(ctx, e.Pool)
		if sessions.IsStale(err) { // somebody else has just created it
			continue
		}
		return n.Scope.Session, fault.Wrap(err, "create session")
	}
	return "", fault.New(fault.Conflict, "sessions of this context come and go at this moment; try again").Coded("session_contended")
}

func idOf(s *sessions.Session) string {
	if s == nil {
		return ""
	}
	return s.ID
}
