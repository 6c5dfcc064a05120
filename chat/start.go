package chat

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/settings"
)

// Started is a turn that has begun, or, when Replay is set, the one the same
// request began before.
type Started struct {
	Scope  obligations.Scope
	Turn   sessions.Turn
	Log    []sessions.Event // its first event, or all of them if it is over; empty in a replay
	Replay bool
}

// windowTurns is how many of the latest turns a scene holds: those that are not
// folded into a summary, and two more for a fold that is late.
const windowTurns = sessions.KeepTurns + sessions.FoldTurns + 2

// Start begins a turn and returns once it is recorded; the turn goes on by
// itself, whatever becomes of ctx. It refuses, and changes nothing, when the
// session is unknown, completed or busy with another turn, when the context type
// is unknown, or when a client message id is used again for something else.
func (e *Engine) Start(ctx context.Context, in Input) (Started, error) {
	in, err := in.Clean()
	if err != nil {
		return Started{}, err
	}
	hash := in.hash()
	if in.SessionID == "" {
		return e.startAnywhere(ctx, in, hash)
	}
	id, err := uuid.Parse(in.SessionID)
	if err != nil {
		return Started{}, sessions.NoSession()
	}
	in.SessionID = id.String() // the same id in other letters is the same session
	if err := e.askedFor(ctx, in, nil); err != nil {
		return Started{}, err
	}
	return e.startIn(ctx, in, hash)
}

// hash is what makes two requests the same: what is said, answered and handed in. Who
// sends a message again may know the session by then, and name it where the context
// was named before. The answers of a cleaned input are written in one way only.
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

// beginLimit bounds the beginning of a turn.
const beginLimit = 10 * time.Second

// startIn begins a turn in a session: one batch that begins and reads it all. Once
// it is sent it is seen through, for a caller that leaves in the middle of it
// would leave a turn behind that nobody works.
func (e *Engine) startIn(ctx context.Context, in Input, hash []byte) (Started, error) {
	if err := e.open(); err != nil {
		return Started{}, err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), beginLimit)
	defer cancel()
	l := e.loader(ctx, obligations.Scope{Tenant: in.Tenant, Session: in.SessionID})
	beginning := e.beginning(in, l.scope, hash)
	var err error
	if beginning.Files, err = e.given(ctx, in); err != nil {
		return Started{}, err
	}
	l.scene.Files = beginning.Files
	b := postgres.NewBatch(in.Tenant)
	if err := sessions.BeginTurn(b, beginning, &l.begun); err != nil {
		return Started{}, err
	}
	kept := e.kept.take(l.scope)
	if kept == nil {
		l.queueState(b)
	}
	if kept == nil || kept.rest == nil {
		l.queueRest(b)
	}
	early := e.workAhead(in, beginning, kept)
	defer early.drop()
	switch over, err := e.atOnce(early); {
	case over:
		return Started{Scope: l.scope, Turn: early.turn, Log: early.log}, nil
	case err != nil:
		return e.explain(ctx, in, hash, err)
	}
	if err := b.Send(ctx, e.Pool); err != nil {
		if postgres.Code(err) == "" { // not the database's word: whether the turn began is unknown
			e.astray.Store(true)
		}
		return e.explain(ctx, in, hash, err)
	}
	if l.begun == nil {
		return e.explain(ctx, in, hash, nil)
	}
	if err := l.recall(kept); err != nil {
		e.astray.Store(true)
		return Started{}, err
	}
	return e.launch(l, in, early)
}

// recall completes the scene with what was kept of it or, if the session was
// changed since, with what is stored.
func (l *loader) recall(k *left) error {
	switch {
	case k == nil:
		return nil
	case k.fits(l.begun):
		k.into(l.scene)
		l.recalled = true
		return nil
	}
	b := postgres.NewBatch(l.scope.Tenant)
	l.queueState(b)
	if k.rest != nil {
		l.queueRest(b)
	}
	if err := b.Send(l.ctx, l.engine.Pool); err != nil {
		return fmt.Errorf("read session %s: %w", l.scope.Session, err)
	}
	return nil
}

func (e *Engine) beginning(in Input, s obligations.Scope, hash []byte) sessions.Beginning {
	return sessions.Beginning{Scope: s, ContextType: in.ContextType, User: in.User, Anyone: in.Anyone, Message: in.Message, Answers: in.Answers,
		ClientMessageID: in.ClientMessageID, BodyHash: hash, Instance: e.Instance, Interviewer: e.Interviewer()}
}

// explain says why a turn did not begin, or finds the turn the same request
// began before.
func (e *Engine) explain(ctx context.Context, in Input, hash []byte, cause error) (Started, error) {
	s := obligations.Scope{Tenant: in.Tenant, Session: in.SessionID}
	session, part, err := sessions.FindAs(ctx, e.Pool, s, in.User)
	switch {
	case err != nil:
		return Started{}, err
	case part == sessions.NoPart && !in.Anyone:
		return Started{}, sessions.NoSession()
	case !part.MayTalk() && !in.Anyone:
		return Started{}, sessions.NoTalking()
	}
	otherContext := in.ContextType != "" && in.ContextType != session.ContextType
	if in.ClientMessageID != "" && !otherContext {
		t, err := sessions.TurnByClientMessage(ctx, e.Pool, s, in.ClientMessageID)
		if err != nil || t != nil {
			return replay(t, in, hash, err)
		}
	}
	switch {
	case sessions.IsTurnRunning(cause):
		return Started{}, fault.New(fault.Conflict, "a turn is already running in this session; wait for it to end, or stop it").Coded("turn_running")
	case cause != nil:
		return Started{}, fmt.Errorf("begin turn in session %s: %w", s.Session, cause)
	}
	if otherContext {
		return Started{}, fault.New(fault.Unprocessable, "this session is about %s; leave contextType out or name that", session.ContextType).At("contextType").Coded("context_type_mismatch")
	}
	return Started{}, fault.New(fault.Conflict, "this session is completed and takes no more messages; start a new one").Coded("session_completed")
}

func replay(t *sessions.Turn, in Input, hash []byte, err error) (Started, error) {
	switch {
	case err != nil:
		return Started{}, err
	case !bytes.Equal(t.BodyHash, hash), t.User != in.User && !in.Anyone: // somebody else's message is another message, whatever it says
		return Started{}, fault.New(fault.Unprocessable, "this clientMessageId was used for another message; every message needs its own").At("clientMessageId").Coded("idempotency_mismatch")
	}
	return Started{Scope: t.Scope, Turn: *t, Replay: true}, nil
}

// startAnywhere goes on with the person's active session of the context, or
// makes one.
func (e *Engine) startAnywhere(ctx context.Context, in Input, hash []byte) (Started, error) {
	if in.ClientMessageID != "" {
		t, err := sessions.TurnByPersonMessage(ctx, e.Pool, in.Tenant, in.User, in.ContextType, in.ClientMessageID)
		if err != nil || t != nil {
			return replay(t, in, hash, err)
		}
	}
	objective, err := e.Library.Active(ctx, in.Tenant, in.ContextType)
	if err != nil {
		return Started{}, err
	}
	if err := e.askedFor(ctx, in, objective.Definition); err != nil {
		return Started{}, err
	}
	id, err := e.activeOrNew(ctx, in, objective)
	if err != nil {
		return Started{}, err
	}
	in.SessionID = id
	return e.startIn(ctx, in, hash)
}

// activeOrNew returns the id of the person's active session, made if need be;
// of two requests at once one makes it.
func (e *Engine) activeOrNew(ctx context.Context, in Input, o sessions.Objective) (string, error) {
	for range 2 {
		var active *sessions.Session
		var set settings.Saved
		b := postgres.NewBatch(in.Tenant)
		sessions.LoadActive(b, in.Tenant, in.User, in.ContextType, &active)
		settings.Load(b, &set)
		if err := b.Send(ctx, e.Pool); err != nil || active != nil {
			return idOf(active), err
		}
		n := sessions.New{Scope: obligations.Scope{Tenant: in.Tenant, Session: uuid.NewString()}, Objective: o, User: in.User}
		b = postgres.NewBatch(in.Tenant)
		if err := sessions.CreateOnly(b, n); err != nil {
			return "", err
		}
		err := b.Send(ctx, e.Pool)
		if sessions.IsStale(err) { // somebody made it meanwhile
			continue
		}
		if err != nil {
			return "", fmt.Errorf("create session: %w", err)
		}
		e.kept.put(n.Scope, fresh(n, set))
		return n.Scope.Session, nil
	}
	return "", fault.New(fault.Conflict, "sessions of this context come and go at this moment; try again").Coded("session_contended")
}

func idOf(s *sessions.Session) string {
	if s == nil {
		return ""
	}
	return s.ID
}

// Create makes a session of its own, even when the person has an active one.
func (e *Engine) Create(ctx context.Context, tenant, user, contextType string) (sessions.Session, error) {
	if err := checkContext(contextType); err != nil {
		return sessions.Session{}, err
	}
	o, err := e.Library.Active(ctx, tenant, contextType)
	if err != nil {
		return sessions.Session{}, err
	}
	return e.create(ctx, tenant, user, o)
}

// create makes a session about an objective and reads it back.
func (e *Engine) create(ctx context.Context, tenant, user string, o sessions.Objective) (sessions.Session, error) {
	n := sessions.New{Scope: obligations.Scope{Tenant: tenant, Session: uuid.NewString()}, Objective: o, User: user}
	var made *sessions.Session
	var set settings.Saved
	b := postgres.NewBatch(tenant)
	if err := sessions.Create(b, n); err != nil {
		return sessions.Session{}, err
	}
	sessions.Load(b, n.Scope, &made)
	settings.Load(b, &set)
	if err := b.Send(ctx, e.Pool); err != nil {
		return sessions.Session{}, fmt.Errorf("create session: %w", err)
	}
	e.kept.put(n.Scope, fresh(n, set))
	return *made, nil
}

// loader reads a scene.
type loader struct {
	engine *Engine
	ctx    context.Context //nolint:containedctx // of the call that loads, for definitions that are not cached
	scope  obligations.Scope
	begun  *sessions.Begun
	scene  *Scene // lives on with the turn, and the call must not

	recalled bool // all of it stands as the turn before left it
}

func (e *Engine) loader(ctx context.Context, s obligations.Scope) *loader {
	return &loader{engine: e, ctx: ctx, scope: s, scene: &Scene{}}
}

// queue adds what a scene is made of to the batch.
func (l *loader) queue(b *postgres.Batch) {
	l.queueState(b)
	l.queueRest(b)
}

// queueState adds what a turn can leave to the next one, see [left].
func (l *loader) queueState(b *postgres.Batch) {
	obligations.Load(b, l.scope, l.engine.Library.Templates(l.ctx, l.scope.Tenant), &l.scene.Obligations)
	obligations.LoadConflicts(b, l.scope, obligations.OpenConflicts, &l.scene.Conflicts)
	sessions.LoadWindow(b, l.scope, windowTurns, &l.scene.Transcript)
}

func (l *loader) queueRest(b *postgres.Batch) {
	sessions.LoadSummary(b, l.scope, &l.scene.Summary, &l.scene.Folded)
	research.LoadPast(b, l.scope, &l.scene.Research)
	settings.Load(b, &l.scene.policy)
}

// finish completes the scene after the batch was sent.
func (l *loader) finish(s sessions.Session, t sessions.Turn, message string) error {
	d, err := l.engine.Library.Definition(l.ctx, s.Tenant, s.ObjectiveID)
	if err != nil {
		return err
	}
	sc := l.scene
	l.engine.enter(sc, s, t, d, message)
	if !sc.accounted() {
		return nil
	}
	before, err := l.engine.spentBefore(l.ctx, l.scope, t.Number)
	sc.Spent = before.Until(sc.Now)
	return err
}

// enter completes what was read of a scene with the turn that begins in it, all but
// what the session has used up.
func (e *Engine) enter(sc *Scene, s sessions.Session, t sessions.Turn, d *sessions.Definition, message string) {
	sc.Scope, sc.Turn, sc.Attempt, sc.Now, sc.Person = t.Scope, t.Number, t.Attempt, time.Now(), t.User
	sc.Session, sc.Objective, sc.Memory, sc.Asked = s, d, s.Memory, s.Question
	sc.Asked.Complete(obligations.TemplateOf(sc.Obligations))
	sc.Message, sc.Answers, sc.told = message, t.Answers, &told{}
	sc.Sourceless = e.Researchable != nil && !e.Researchable()
	sc.Bounds = sc.policy.Over(e.Defaults).Budget()
	for i := range sc.Transcript { // the message of this turn is not part of what came before
		if sc.Transcript[i].Turn >= t.Number {
			sc.Transcript = sc.Transcript[:i]
			break
		}
	}
}

// launch starts working a turn that has begun, or lets it go on where it was worked
// ahead.
func (e *Engine) launch(l *loader, in Input, early *run) (Started, error) {
	out := Started{Scope: l.scope, Turn: l.begun.Turn, Log: []sessions.Event{l.begun.Event}}
	if early != nil && e.letBegin(early, l) {
		return out, nil
	}
	early.drop()
	if err := l.finish(l.begun.Session, out.Turn, in.Message); err != nil {
		e.astray.Store(true)
		return Started{}, err
	}
	l.scene.Voice, l.scene.Part = in.Voice, l.begun.Part
	r := e.newRun(out.Turn, l.scene)
	if err := e.admit(r); err != nil {
		e.abandon(r, err)
		return Started{}, err
	}
	e.Hub.Publish(l.scope, out.Log)
	e.wg.Go(func() { e.work(r) })
	return out, nil
}
