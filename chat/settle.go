package chat

import (
	"cmp"
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

// turnRecord is everything a turn writes, worked out before anything is written.
type turnRecord struct {
	session  sessions.Session // as it was read
	next     sessions.Session
	changes  []obligations.Change
	emerged  obligations.EmergentChanges
	after    []obligations.Obligation // with all of that
	told     []sessions.Payload       // events about it
	found    []obligations.Conflict
	closed   []obligations.Conflict
	tasks    []research.Task
	steered  []SteeredTask
	news     []string // ids of the tasks whose result the person was told
	events   []sessions.Event
	message  *sessions.Message // nil when nothing was said
	status   sessions.TurnStatus
	question *sessions.Question      // nil when nothing is asked
	handover *sessions.HandoverEvent // reviewers learn that the person asks for a human being; nil when they do not, or know
	open     []string                // keys still open afterwards
}

// settleLimit is how long recording a turn is tried while the database is away: a restart
// of PostgreSQL takes seconds, a failover up to a minute.
const settleLimit = time.Minute

// turnEnd is a turn that is about to be recorded.
type turnEnd struct {
	*run
	plan          *Plan
	understanding Understanding
	whole         bool // the person did not stop it
	logged        bool // pieces of the reply are in the log
}

// settle records the turn: everything it changed, or nothing. A stopped turn is recorded,
// too. While the database is away settle tries again.
func (e *Engine) settle(r *run, p *Plan, u Understanding, whole bool) (string, error) {
	r.usage.add(u.Usage)
	r.usage.Spent = r.account(e.Prices, p)
	r.degrade = cmp.Or(r.degrade, u.Degraded)
	end := &turnEnd{run: r, plan: p, understanding: u, whole: whole, logged: r.deltas.Close()}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), settleLimit)
	defer cancel()
	defer context.AfterFunc(e.life, cancel)() // another server continues the turn
	var status sessions.TurnStatus
	err := retry(ctx, func() error {
		var events []sessions.Event
		var err error
		if status, events, err = e.record(ctx, end); err == nil {
			e.Hub.Publish(r.turn.Scope, events)
		}
		return err
	})
	return string(status), err
}

var errCompleted = errors.New("the session was completed while the turn ran")

// record writes the turn's end in one transaction that holds the session. What the turn
// found is applied to what the session is now, since a reviewer may have changed it
// meanwhile. When an earlier try was recorded and its answer lost, record returns only
// the status.
func (e *Engine) record(ctx context.Context, end *turnEnd) (sessions.TurnStatus, []sessions.Event, error) {
	var rec turnRecord
	scope := end.turn.Scope
	err := postgres.InTx(ctx, e.Pool, scope.Tenant, func(tx pgx.Tx) error {
		now, err := e.current(ctx, tx, end.run)
		if err != nil || now.over {
			rec.status = now.status
			return err
		}
		if rec, err = e.workOut(ctx, tx, end, now); err != nil {
			return err
		}
		b := postgres.NewBatch(scope.Tenant)
		if err := end.queue(b, rec); err != nil {
			return err
		}
		if err := b.Send(ctx, tx); err != nil {
			return err
		}
		return e.enqueue(ctx, tx, end, rec)
	})
	if err != nil {
		return "", nil, err
	}
	if rec.events == nil {
		e.Hub.Recheck(scope)
	}
	return rec.status, rec.events, nil
}

// sessionState is a session as a turn finds it at its end.
type sessionState struct {
	session        sessions.Session
	obligations    []obligations.Obligation
	conflicts      []obligations.Conflict // the open ones or, with allConstraints, all of constraints
	allConstraints bool
	research       research.History

	over   bool // the turn was recorded before
	status sessions.TurnStatus
}

// current locks the session and returns its state: as the turn read it, or read again if
// somebody has changed it since. A turn that belongs to another attempt is fenced.
func (e *Engine) current(ctx context.Context, tx pgx.Tx, r *run) (*sessionState, error) {
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
	if err := b.Send(ctx, tx); err != nil {
		return now, err
	}
	d, err := e.Library.Definition(ctx, s.Tenant, session.ObjectiveID)
	if err == nil {
		session.Speak(d, now.obligations)
	}
	return now, err
}

// enqueue inserts the turn's jobs; most turns have none.
func (e *Engine) enqueue(ctx context.Context, tx pgx.Tx, end *turnEnd, rec turnRecord) error {
	if err := research.Enqueue(ctx, tx, e.Queue, rec.tasks); err != nil {
		return err
	}
	return enqueueFold(ctx, tx, e.Queue, end.turn.Scope, sessions.FoldDue(end.turn.Number, end.scene.Folded))
}

// workOut returns what the turn changes. A scene holds open conflicts only, but values
// are raised against each other once: when a conflict of a constraint seems new, the
// record is worked out again with all that the session has had.
func (e *Engine) workOut(ctx context.Context, db postgres.DB, end *turnEnd, now *sessionState) (turnRecord, error) {
	rec := end.changes(now)
	if now.allConstraints || !slices.ContainsFunc(rec.found, constrained) {
		return rec, nil
	}
	now.conflicts, now.allConstraints = nil, true
	b := postgres.NewBatch(end.turn.Scope.Tenant)
	obligations.LoadConflicts(b, end.turn.Scope, obligations.ConstraintConflicts, &now.conflicts)
	if err := b.Send(ctx, db); err != nil {
		return rec, err
	}
	return end.changes(now), nil
}

// constrained reports whether a conflict comes from a constraint of the objective.
func constrained(c obligations.Conflict) bool { return c.Kind == obligations.Constrained }

// changes works out what the turn changes in a session in that state. It writes nothing.
func (end *turnEnd) changes(now *sessionState) turnRecord {
	rec := outcome(end.scene, end.plan, end.understanding, end.whole, now.session, now.obligations, now.conflicts)
	rec.tasks, rec.steered = end.newTasks(end.understanding, rec, now.research), steered(now.research, end.understanding.Steering)
	if end.whole {
		for _, f := range end.plan.News {
			rec.news = append(rec.news, f.ID)
		}
	}
	if text := end.deltas.Text(); text != "" {
		rec.message = &sessions.Message{Turn: end.turn.Number, Role: sessions.FromAssistant, Content: text, Complete: end.whole}
	}
	rec.events = sessions.Events(end.turn.Number, end.payloads(rec))
	return rec
}

// outcome is the part of a record that rules decide: what a turn of sc changes in the
// given session, whose obligations are list and which has had these conflicts. Of a reply
// that was cut off, the question does not count as asked.
func outcome(sc *Scene, p *Plan, u Understanding, whole bool, session sessions.Session, list []obligations.Obligation, had []obligations.Conflict) turnRecord {
	turn := sc.Turn
	rec := turnRecord{session: session, status: sessions.TurnDone, question: p.Question}
	findings, ends := slices.Clone(u.Findings), p.Ends
	if !whole {
		rec.status, rec.question, ends = sessions.TurnStopped, sc.Asked, ""
	} else {
		findings = append(findings, p.asked()...)
	}
	rec.changes = obligations.Apply(list, findings, turn)
	closeThirdValues(sc, u, rec.changes)
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
	rec.addConstraints(again, p, turn, whole)

	rec.next, rec.told = sessions.Advance(session, sc.Objective, rec.after, rec.changes, turn)
	rec.told = append(rec.told, emergedPayloads(rec.emerged, turn)...)
	rec.next.Question, rec.next.StopReason, rec.next.Memory = rec.question, ends, session.Memory.Note(u.Signals)
	if ends == sessions.EndLeft { // a person who comes back may answer what was asked
		rec.next.Question = unanswered(sc.Asked, rec.after)
	}
	if ends == sessions.EndCompleted {
		rec.next.Status = sessions.Completed
	}
	rec.handover = handover(sc, &u, &session)
	rec.open = sc.Objective.Completion.Score(rec.after).OpenKeys
	return rec
}

// addConstraints adds the conflicts of constraints: those that are new, raised if the
// plan did that, and those that have ended without anybody's decision.
func (rec *turnRecord) addConstraints(again obligations.Reassessment, p *Plan, turn int, whole bool) {
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

// payloads returns the events of the turn in their order.
func (end *turnEnd) payloads(rec turnRecord) []sessions.Payload {
	turn := end.turn.Number
	var out []sessions.Payload
	if rec.message != nil {
		out = append(out, sessions.MessageEvent{Turn: turn, MessageID: rec.message.ID(), Role: string(sessions.FromAssistant), Content: rec.message.Content,
			Complete: end.whole, Interviewer: end.answers, Degraded: end.degrade})
	}
	if rec.question != nil && end.whole {
		out = append(out, sessions.QuestionEvent{Turn: turn, Question: *rec.question})
	}
	found := slices.DeleteFunc(slices.Clone(rec.found), func(c obligations.Conflict) bool { return !constrained(c) }) // the others are part of rec.told
	out = append(out, sessions.ConflictEvents(rec.told, found, turn)...)
	for _, c := range rec.closed {
		out = append(out, sessions.ConflictEvent{Turn: turn, Conflict: c})
	}
	for _, st := range rec.steered {
		out = append(out, st.event(turn))
	}
	if f := end.understanding.Figure; f != nil && f.Said != "" {
		out = append(out, f.Task.Against(turn, f.Said))
	}
	for _, t := range rec.tasks {
		out = append(out, t.Event())
	}
	if rec.session.Memory.Differs(rec.next.Memory) {
		out = append(out, sessions.MemoryEvent{Turn: turn, Memory: rec.next.Memory})
	}
	if rec.handover != nil {
		out = append(out, *rec.handover)
	}
	done := sessions.DoneEvent{Turn: turn, Reason: "answered"}
	switch {
	case rec.status == sessions.TurnStopped:
		done.Reason = "stopped"
	case rec.next.StopReason != "":
		done.Reason, done.Unresolved = string(rec.next.StopReason), rec.open
	}
	return append(out, done)
}

// settleConflicts returns the conflicts that this turn found, and the ones it changed by
// raising them or because the person decided.
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

// closeThirdValues closes the conflicts that arise when somebody who was asked which of
// two values holds gives a third. That is an answer and needs no further question.
func closeThirdValues(s *Scene, u Understanding, changes []obligations.Change) {
	for _, ch := range changes {
		if c := ch.Conflict; c != nil && c.Kind == obligations.BetweenPersons && c.Status == obligations.ConflictOpen && decided(s, u, *c) {
			c.Status, c.Resolution = obligations.ConflictResolved, "who was asked said that another value holds"
		}
	}
}

// decided reports whether the person was asked about the conflict and said which value
// holds.
func decided(s *Scene, u Understanding, c obligations.Conflict) bool {
	if s.Asked == nil || s.Asked.Purpose != sessions.ToResolve || !slices.Contains(c.Keys, s.Asked.Key) {
		return false
	}
	return slices.ContainsFunc(u.Findings, func(f obligations.Finding) bool {
		return slices.Contains(c.Keys, f.Key) && (f.Act == obligations.Confirm || f.Act == obligations.Correct || f.Act == obligations.Tell)
	})
}

// agreed reports whether people who contradicted each other agree by now, or the merge
// rule of the value decides between them.
func agreed(c obligations.Conflict, changes []obligations.Change) bool {
	if c.Kind != obligations.BetweenPersons {
		return false
	}
	return slices.ContainsFunc(changes, func(ch obligations.Change) bool {
		o := ch.After
		return slices.Contains(c.Keys, o.Key) && len(o.Stands) > 1 && obligations.Reconcile(o.Stands, o.Merge).Settled
	})
}

// newTasks returns the tasks for the research that the turn calls for. A task that a
// person asked for belongs to them.
func (r *run) newTasks(u Understanding, rec turnRecord, past research.History) []research.Task {
	var out []research.Task
	for _, o := range agenda(r.scene, u, rec.after, rec.changes, past).Orders {
		t := research.Task{ID: uuid.NewString(), Scope: r.turn.Scope, Order: o, Status: research.Pending, Turn: r.turn.Number}
		if o.Trigger == research.UserRequest {
			t.User = r.scene.Person
		}
		if o.Kind.OwnData() {
			t.Asker = r.scene.Data.Who
			if i := slices.IndexFunc(past, func(f research.TaskSummary) bool { return f.ID == o.Of }); i >= 0 {
				t.Warehouse = past[i].Warehouse
			}
		} else if r.scene.Sourceless {
			t.Note = research.NoSources
		}
		out = append(out, t)
	}
	return out
}

// event returns the event about a task that is told something.
func (st SteeredTask) event(turn int) sessions.ResearchEvent {
	if st.Cancel {
		return st.Task.Cancelled().Event(turn)
	}
	return st.Task.Event(turn, st.Text)
}

// queue queues the rows that the turn writes.
func (end *turnEnd) queue(b *postgres.Batch, rec turnRecord) error {
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
	for _, st := range rec.steered {
		if st.Cancel {
			research.QueueCancel(b, s, st.Task.ID)
			continue
		}
		if err := research.QueueSteer(b, s, st.Task.ID, research.Steer{By: end.scene.Person, Text: st.Text, At: end.scene.Now}); err != nil {
			return err
		}
	}
	if f := end.understanding.Figure; f != nil && f.Said != "" {
		if err := research.QueueDispute(b, s, f.Task.ID, research.Steer{By: end.scene.Person, Text: f.Said, At: end.scene.Now}); err != nil {
			return err
		}
	}
	if rec.handover != nil {
		sessions.AskHandover(b, s, rec.handover.Turn)
	}
	research.Tell(b, s, rec.news, end.turn.Number)
	research.Save(b, rec.tasks)
	if rec.message != nil {
		sessions.AddMessage(b, s, *rec.message)
	}
	sessions.Append(b, s, rec.events)
	return nil
}
