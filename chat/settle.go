package chat

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
)

// record is all a turn writes, worked out before anything is written.
type record struct {
	session  sessions.Session // as it was read
	next     sessions.Session
	changes  []obligations.Change
	emerged  obligations.EmergentChanges
	after    []obligations.Obligation // with all of that
	told     []sessions.Payload       // events of it
	found    []obligations.Conflict
	closed   []obligations.Conflict
	tasks    []research.Task
	steered  []SteeredTask
	news     []string // ids of the tasks whose end the person was told of
	events   []sessions.Event
	message  *sessions.Message // nil when nothing was said
	status   sessions.TurnStatus
	question *sessions.Question // nil when nothing is asked
	open     []string           // keys still open afterwards
}

// settleLimit is how long recording a turn is tried while the database is away.
const settleLimit = time.Minute

// settle records the turn: everything it changed, or nothing. It is tried again while
// the database is away. A stopped turn is recorded, too.
func (e *Engine) settle(r *run, p *Plan, u Understanding, whole bool) (string, error) {
	r.usage.add(u.Usage)
	r.usage.Spent = r.account(e.Prices, p)
	if r.degrade == "" {
		r.degrade = u.Degraded
	}
	end := &ending{run: r, plan: p, understanding: u, whole: whole, logged: r.deltas.Close()}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), settleLimit)
	defer cancel()
	defer context.AfterFunc(e.life, cancel)() // another server goes on with it
	var status sessions.TurnStatus
	err := insist(ctx, func() error {
		var events []sessions.Event
		var err error
		if status, events, err = e.record(ctx, end); err == nil {
			e.Hub.Publish(r.turn.Scope, events)
		}
		return err
	})
	return string(status), err
}

// ending is a turn that is about to be recorded.
type ending struct {
	*run
	plan          *Plan
	understanding Understanding
	whole         bool // nobody stopped it
	logged        bool // pieces of the reply are in the log
}

var errCompleted = errors.New("the session was completed while the turn ran")

// record writes the turn's end in one transaction that holds the session: what the
// turn found is applied to what the session is now, for a reviewer may have changed it
// meanwhile. When an earlier try was recorded, and its answer lost, it returns the
// status alone.
func (e *Engine) record(ctx context.Context, end *ending) (sessions.TurnStatus, []sessions.Event, error) {
	var rec record
	var last int64
	scope := end.turn.Scope
	err := postgres.InTx(ctx, e.Pool, scope.Tenant, func(tx pgx.Tx) error {
		now, err := e.stand(ctx, tx, end.run)
		if err != nil || now.over {
			rec.status = now.status
			return err
		}
		if rec, err = e.worked(ctx, tx, end, now); err != nil {
			return err
		}
		b := postgres.NewBatch(scope.Tenant)
		if err := end.queue(b, rec, &last); err != nil {
			return err
		}
		if err := b.Send(ctx, tx); err != nil {
			return err
		}
		return e.enqueue(ctx, tx, end, rec)
	})
	switch {
	case err != nil:
		return "", nil, err
	case rec.events == nil:
		e.Hub.Recheck(scope)
	default:
		sessions.Number(rec.events, last)
	}
	return rec.status, rec.events, nil
}

// sessionState is a session as a turn finds it at its end.
type sessionState struct {
	session     sessions.Session
	obligations []obligations.Obligation
	conflicts   []obligations.Conflict // that it has had: the open ones, or all of constraints
	allOf       bool                   // conflicts are all of constraints, the resolved ones too
	research    research.History

	over   bool // the turn was recorded before
	status sessions.TurnStatus
}

// stand locks the session and returns how it stands: as the turn read it, or anew if
// somebody else changed it since. A turn that is another attempt's is fenced.
func (e *Engine) stand(ctx context.Context, tx pgx.Tx, r *run) (*sessionState, error) {
	s := r.turn.Scope
	var session *sessions.Session
	var turn *sessions.Turn
	b := postgres.NewBatch(s.Tenant)
	sessions.Lock(b, s, &session)
	sessions.LoadTurn(b, s, r.turn.Number, &turn)
	if err := b.Send(ctx, tx); err != nil {
		return &sessionState{}, err
	}
	switch {
	case session == nil:
		return &sessionState{}, sessions.NoSession()
	case turn == nil || turn.Attempt != r.turn.Attempt:
		return &sessionState{}, sessions.ErrFenced
	case turn.Status == sessions.TurnDone || turn.Status == sessions.TurnStopped:
		return &sessionState{over: true, status: turn.Status}, nil
	case turn.Status != sessions.TurnRunning:
		return &sessionState{}, sessions.ErrFenced
	case session.Status == sessions.Completed:
		return &sessionState{}, errCompleted
	}
	now := &sessionState{session: *session, obligations: r.scene.Obligations, conflicts: r.scene.Conflicts, research: r.scene.Research}
	if session.Version == r.scene.Session.Version {
		return now, nil
	}
	now.obligations, now.research = nil, nil
	b = postgres.NewBatch(s.Tenant)
	obligations.Load(b, s, e.Library.Templates(ctx, s.Tenant), &now.obligations)
	research.LoadHistory(b, s, &now.research)
	return now, b.Send(ctx, tx)
}

// enqueue inserts the turn's jobs, which most turns have none of.
func (e *Engine) enqueue(ctx context.Context, tx pgx.Tx, end *ending, rec record) error {
	if err := research.Enqueue(ctx, tx, e.Queue, rec.tasks); err != nil {
		return err
	}
	return foldLater(ctx, tx, e.Queue, end.turn.Scope, sessions.FoldDue(end.turn.Number, end.scene.Folded))
}

// worked is what the turn changes, worked out again with every conflict of a
// constraint the session has had as soon as one seems new: a scene has only the open
// ones, and values are held against each other once.
func (e *Engine) worked(ctx context.Context, db postgres.DB, end *ending, now *sessionState) (record, error) {
	rec := end.changes(now)
	if now.allOf || !slices.ContainsFunc(rec.found, constrained) {
		return rec, nil
	}
	now.conflicts, now.allOf = nil, true
	b := postgres.NewBatch(end.turn.Scope.Tenant)
	obligations.LoadConflicts(b, end.turn.Scope, obligations.ConstraintConflicts, &now.conflicts)
	if err := b.Send(ctx, db); err != nil {
		return rec, err
	}
	return end.changes(now), nil
}

func constrained(c obligations.Conflict) bool { return c.Kind == obligations.Constrained }

// changes works out what the turn changes in a session as it stands. It writes nothing.
func (end *ending) changes(now *sessionState) record {
	rec := outcome(end.scene, end.plan, end.understanding, end.whole, now.session, now.obligations, now.conflicts)
	rec.tasks, rec.steered = end.orders(end.understanding, rec, now.research), steered(now.research, end.understanding.Steering)
	for _, f := range end.plan.News {
		if end.whole {
			rec.news = append(rec.news, f.ID)
		}
	}
	rec.message = end.message(end.whole)
	rec.events = sessions.Events(end.turn.Number, payloads(end.run, rec, end.whole))
	return rec
}

// outcome is the rules' part of a record: what a turn of sc changes in a session
// that stands as session and list say, and has had these conflicts.
func outcome(sc *Scene, p *Plan, u Understanding, whole bool, session sessions.Session, list []obligations.Obligation, had []obligations.Conflict) record {
	turn := sc.Turn
	rec := record{session: session, status: sessions.TurnDone, question: p.Question}
	findings, ends := slices.Clone(u.Findings), p.Ends
	if !whole { // what was cut off was not asked
		rec.status, rec.question, ends = sessions.TurnStopped, sc.Asked, ""
	} else {
		findings = append(findings, p.asked()...)
	}
	rec.changes = obligations.Apply(list, findings, turn)
	neitherHolds(sc, u, rec.changes)
	rec.after = obligations.Merge(list, rec.changes)
	again := obligations.Reassess(rec.after, sc.Objective.Constraints, had, turn)
	if len(again.Changes) > 0 {
		rec.changes = obligations.Combine(rec.changes, again.Changes)
		rec.after = obligations.Merge(list, rec.changes)
	}
	if whole {
		u.Signals = p.Signals(u, rec.after)
		rec.emerged = Propose(sc, u, rec.after)
	}
	if len(rec.emerged.Born) > 0 {
		rec.after = obligations.Merge(append(rec.after, rec.emerged.Born...), rec.emerged.Changes)
	}
	rec.found, rec.closed = settleConflicts(sc, p, u, rec.changes, turn, whole)
	rec.weigh(again, p, turn, whole)

	rec.next, rec.told = sessions.Advance(session, sc.Objective, rec.after, rec.changes, turn)
	rec.told = append(rec.told, cameUp(rec.emerged, turn)...)
	rec.next.Question, rec.next.StopReason, rec.next.Memory = rec.question, ends, session.Memory.Note(u.Signals)
	if ends == sessions.EndLeft { // who comes back may answer what was asked
		rec.next.Question = unanswered(sc.Asked, rec.after)
	}
	if ends == sessions.EndCompleted {
		rec.next.Status = sessions.Completed
	}
	rec.open = sc.Objective.Completion.Score(rec.after).OpenKeys
	return rec
}

// weigh adds the conflicts of constraints: those found, raised if the plan did
// so, and those that are over and that nobody had to decide.
func (rec *record) weigh(again obligations.Reassessment, p *Plan, turn int, whole bool) {
	for _, c := range again.Found {
		c.ID = uuid.NewString()
		if whole && p.Conflict != nil && constrained(*p.Conflict) && p.Conflict.Constraint == c.Constraint {
			c.Raised = turn
		}
		rec.found = append(rec.found, c)
	}
	for _, c := range again.Closed {
		rec.closed = slices.DeleteFunc(rec.closed, func(d obligations.Conflict) bool { return d.ID == c.ID })
		rec.closed = append(rec.closed, c)
	}
}

func (r *run) message(whole bool) *sessions.Message {
	text := r.deltas.Text()
	if text == "" {
		return nil
	}
	return &sessions.Message{Turn: r.turn.Number, Role: sessions.FromAssistant, Content: text, Complete: whole}
}

// payloads lists the events of a turn in their order.
func payloads(r *run, rec record, whole bool) []sessions.Payload {
	turn := r.turn.Number
	var out []sessions.Payload
	if rec.message != nil {
		out = append(out, sessions.MessageEvent{Turn: turn, MessageID: rec.message.ID(), Role: string(sessions.FromAssistant), Content: rec.message.Content,
			Complete: whole, Interviewer: r.answers, Degraded: r.degrade})
	}
	if rec.question != nil && whole {
		out = append(out, sessions.QuestionEvent{Turn: turn, Question: *rec.question})
	}
	found := slices.DeleteFunc(slices.Clone(rec.found), func(c obligations.Conflict) bool { return !constrained(c) }) // the others are told of with what changed
	out = append(out, sessions.ConflictEvents(rec.told, found, turn)...)
	for _, c := range rec.closed {
		out = append(out, sessions.ConflictEvent{Turn: turn, Conflict: c})
	}
	for _, st := range rec.steered {
		out = append(out, st.event(turn))
	}
	for _, t := range rec.tasks {
		out = append(out, t.Event())
	}
	if rec.session.Memory.Differs(rec.next.Memory) {
		out = append(out, sessions.MemoryEvent{Turn: turn, Memory: rec.next.Memory})
	}
	return append(out, done(turn, rec))
}

func done(turn int, rec record) sessions.DoneEvent {
	d := sessions.DoneEvent{Turn: turn, Reason: "answered"}
	switch {
	case rec.status == sessions.TurnStopped:
		d.Reason = "stopped"
	case rec.next.StopReason != "":
		d.Reason, d.Unresolved = string(rec.next.StopReason), rec.open
	}
	return d
}

// settleConflicts returns the conflicts this turn found, and those it raised or
// that the person decided.
func settleConflicts(s *Scene, p *Plan, u Understanding, changes []obligations.Change, turn int, whole bool) (found, changed []obligations.Conflict) {
	for _, c := range changes {
		if c.Conflict == nil {
			continue
		}
		c.Conflict.ID = uuid.NewString()
		if whole && p.Conflict != nil && slices.Equal(p.Conflict.Keys, c.Conflict.Keys) {
			c.Conflict.Raised = turn
		}
		found = append(found, *c.Conflict)
	}
	for _, c := range s.Conflicts {
		switch {
		case decided(s, u, c):
			c.Status, c.Resolution = obligations.ConflictResolved, "the person said which holds"
			changed = append(changed, c)
		case agreed(c, changes):
			c.Status, c.Resolution = obligations.ConflictResolved, "the people agree now, or the value's rule decides"
			changed = append(changed, c)
		case whole && p.Conflict != nil && p.Conflict.ID == c.ID && c.Raised == 0:
			c.Raised = turn
			changed = append(changed, c)
		}
	}
	return found, changed
}

// neitherHolds closes the conflicts that arise when somebody who was asked which of
// two values holds gives a third: that is the answer, and not another question.
func neitherHolds(s *Scene, u Understanding, changes []obligations.Change) {
	for _, ch := range changes {
		if c := ch.Conflict; c != nil && c.Kind == obligations.BetweenPersons && c.Status == obligations.ConflictOpen && decided(s, u, *c) {
			c.Status, c.Resolution = obligations.ConflictResolved, "who was asked said that another value holds"
		}
	}
}

// decided reports whether the person was asked about the conflict and said which
// side holds.
func decided(s *Scene, u Understanding, c obligations.Conflict) bool {
	if s.Asked == nil || s.Asked.Purpose != sessions.ToResolve || !slices.Contains(c.Keys, s.Asked.Key) {
		return false
	}
	return slices.ContainsFunc(u.Findings, func(f obligations.Finding) bool {
		return slices.Contains(c.Keys, f.Key) && (f.Act == obligations.Confirm || f.Act == obligations.Correct || f.Act == obligations.Tell)
	})
}

// agreed reports whether people who differed about a value hold one now, or its
// rule has decided between them.
func agreed(c obligations.Conflict, changes []obligations.Change) bool {
	if c.Kind != obligations.BetweenPersons {
		return false
	}
	return slices.ContainsFunc(changes, func(ch obligations.Change) bool {
		o := ch.After
		return slices.Contains(c.Keys, o.Key) && len(o.Stands) > 1 && obligations.Reconcile(o.Stands, o.Merge).Settled
	})
}

// orders returns the tasks of the research the turn calls for. What a person asks
// for is theirs.
func (r *run) orders(u Understanding, rec record, had research.History) []research.Task {
	var out []research.Task
	for _, o := range agenda(r.scene, u, rec.after, rec.changes, had).Orders {
		t := research.Task{ID: uuid.NewString(), Scope: r.turn.Scope, Order: o, Status: research.Pending, Turn: r.turn.Number}
		if o.Trigger == research.UserRequest {
			t.User = r.scene.Person
		}
		if r.scene.Sourceless {
			t.Note = research.NoSources
		}
		out = append(out, t)
	}
	return out
}

// event is what the session's log says of a task that is told something.
func (st SteeredTask) event(turn int) sessions.ResearchEvent {
	if st.Cancel {
		return st.Task.Cancelled().Event(turn)
	}
	return st.Task.Event(turn, st.Text)
}

// direct queues what the person says of research under way, and that they were
// told of what is over.
func (r *run) direct(b *postgres.Batch, rec record) error {
	s := r.turn.Scope
	for _, st := range rec.steered {
		if st.Cancel {
			research.QueueCancel(b, s, st.Task.ID)
			continue
		}
		if err := research.QueueSteer(b, s, st.Task.ID, research.Steer{By: r.scene.Person, Text: st.Text, At: r.scene.Now}); err != nil {
			return err
		}
	}
	research.Tell(b, s, rec.news, r.turn.Number)
	return nil
}

// queue queues what the turn writes.
func (end *ending) queue(b *postgres.Batch, rec record, last *int64) error {
	s := end.turn.Scope
	err := sessions.FinishTurn(b, sessions.Outcome{Turn: end.turn, Version: rec.session.Version, Status: rec.status, Interviewer: end.answers,
		Degraded: end.degrade, Usage: end.usage, Session: rec.next, Trim: end.logged || end.turn.Attempt > 1})
	if err != nil {
		return err
	}
	if err := obligations.Save(b, s, rec.changes); err != nil {
		return err
	}
	if err := obligations.SaveEmerged(b, s, rec.emerged, end.turn.Number); err != nil {
		return err
	}
	if err := obligations.SaveConflicts(b, s, rec.found, rec.closed); err != nil {
		return err
	}
	if err := end.direct(b, rec); err != nil {
		return err
	}
	research.Save(b, rec.tasks)
	if rec.message != nil {
		sessions.AddMessage(b, s, *rec.message)
	}
	sessions.Append(b, s, rec.events, last)
	return nil
}
