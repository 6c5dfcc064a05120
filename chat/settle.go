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
	emerged  obligations.Emerged
	after    []obligations.Obligation // with all of that
	told     []sessions.Payload       // events of it
	found    []obligations.Conflict
	closed   []obligations.Conflict
	tasks    []research.Task
	steered  []Steered
	news     []string // ids of the tasks whose end the person was told of
	events   []sessions.Event
	message  *sessions.Message // nil when nothing was said
	status   sessions.TurnStatus
	question *sessions.Question // nil when nothing is asked
	open     []string           // keys still open afterwards
}

// maxStale is how often a turn is worked out again because somebody else changed
// its session.
const maxStale = 5

// settle records the turn: everything it changed, or nothing. When a reviewer
// changed the session meanwhile, what the turn found is applied to what the
// reviewer left.
func (e *Engine) settle(r *run, p *Plan, u Understanding, whole bool) (string, error) {
	r.usage.add(u.Usage)
	r.usage.Spent = r.account(e.Prices, p)
	if r.degrade == "" {
		r.degrade = u.Degraded
	}
	if g := r.scene.gate; g != nil && g.claim() {
		return e.settleAtOnce(r, p, u)
	}
	if !r.began() {
		return "", errNotBegun
	}
	logged := r.deltas.Close()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), 10*time.Second) // a stopped turn is recorded too
	defer cancel()
	session, list := r.scene.Session, r.scene.Obligations
	had := r.past()
	for range maxStale {
		rec, err := e.worked(ctx, e.Pool, r, p, u, whole, session, list, had)
		if err == nil {
			err = e.write(ctx, r, rec, logged)
		}
		if err == nil {
			e.keep(r, rec) // before anybody hears that the turn is over, and begins the next
			e.Hub.Publish(r.turn.Scope, rec.events)
			return string(rec.status), nil
		}
		if !sessions.IsStale(err) {
			return "", err
		}
		if session, list, err = e.reread(ctx, r.turn.Scope); err != nil {
			return "", err
		}
		if err := had.lookedUp(ctx, e.Pool, r.turn.Scope); err != nil {
			return "", err
		}
		if session.Status == sessions.Completed {
			return "", errCompleted
		}
	}
	return e.settleLocked(ctx, r, p, u, whole, logged, had)
}

var errCompleted = errors.New("the session was completed while the turn ran")

// settleLocked records the turn while everybody else is kept out of the session:
// where people edit faster than a turn can be worked out, it gets its place in the
// queue.
func (e *Engine) settleLocked(ctx context.Context, r *run, p *Plan, u Understanding, whole, logged bool, had *past) (string, error) {
	var rec record
	var last int64
	err := postgres.InTx(ctx, e.Pool, r.turn.Scope.Tenant, func(tx pgx.Tx) error {
		session, list, err := e.locked(ctx, tx, r.turn.Scope)
		if err != nil {
			return err
		}
		if session.Status == sessions.Completed {
			return errCompleted
		}
		if rec, err = e.worked(ctx, tx, r, p, u, whole, session, list, had); err != nil {
			return err
		}
		b := postgres.NewBatch(r.turn.Scope.Tenant)
		if err := e.queue(ctx, b, r, rec, logged, &last); err != nil {
			return err
		}
		return b.Send(ctx, tx)
	})
	if err != nil {
		return "", err
	}
	sessions.Number(rec.events, last)
	e.Hub.Publish(r.turn.Scope, rec.events)
	return string(rec.status), nil
}

// queue queues the record, and the turn's jobs with it.
func (e *Engine) queue(ctx context.Context, b *postgres.Batch, r *run, rec record, logged bool, last *int64) error {
	if err := r.queue(b, rec, logged, last); err != nil {
		return err
	}
	if err := research.Enqueue(ctx, b.Tx(), e.Queue, rec.tasks); err != nil {
		return err
	}
	return foldLater(ctx, b.Tx(), e.Queue, r.turn.Scope, sessions.FoldDue(r.turn.Number, r.scene.Folded))
}

func (e *Engine) reread(ctx context.Context, s obligations.Scope) (sessions.Session, []obligations.Obligation, error) {
	var session *sessions.Session
	var list []obligations.Obligation
	b := postgres.NewBatch(s.Tenant)
	sessions.Load(b, s, &session)
	obligations.Load(b, s, e.Library.Templates(ctx, s.Tenant), &list)
	if err := b.Send(ctx, e.Pool); err != nil {
		return sessions.Session{}, nil, err
	}
	if session == nil {
		return sessions.Session{}, nil, sessions.NoSession()
	}
	return *session, list, nil
}

// past is what is known here of the conflicts and the research a session has had.
type past struct {
	conflicts []obligations.Conflict
	whole     bool // those of constraints are all there, the resolved ones too
	research  research.Past
}

func (r *run) past() *past {
	return &past{conflicts: r.scene.Conflicts, research: r.scene.Research}
}

// lookedUp reads the research anew: some of it may be over by now.
func (p *past) lookedUp(ctx context.Context, db postgres.DB, s obligations.Scope) error {
	p.research = nil
	b := postgres.NewBatch(s.Tenant)
	research.LoadPast(b, s, &p.research)
	return b.Send(ctx, db)
}

// worked is record, worked out again with every conflict of a constraint the
// session has had as soon as one seems new: a scene has only the open ones, and
// values are held against each other once.
func (e *Engine) worked(ctx context.Context, db postgres.DB, r *run, p *Plan, u Understanding, whole bool, session sessions.Session, list []obligations.Obligation, had *past) (record, error) {
	rec := e.record(r, p, u, whole, session, list, had)
	if had.whole || !slices.ContainsFunc(rec.found, constrained) {
		return rec, nil
	}
	had.conflicts, had.whole = nil, true
	b := postgres.NewBatch(r.turn.Scope.Tenant)
	obligations.LoadConflicts(b, r.turn.Scope, obligations.ConstraintConflicts, &had.conflicts)
	if err := b.Send(ctx, db); err != nil {
		return rec, err
	}
	return e.record(r, p, u, whole, session, list, had), nil
}

func constrained(c obligations.Conflict) bool { return c.Kind == obligations.Constrained }

// record works out what the turn changes. It writes nothing.
func (e *Engine) record(r *run, p *Plan, u Understanding, whole bool, session sessions.Session, list []obligations.Obligation, had *past) record {
	rec := outcome(r.scene, p, u, whole, session, list, had.conflicts)
	rec.tasks, rec.steered = r.orders(u, rec, had.research), steered(had.research, u.Steering)
	for _, f := range p.News {
		if whole {
			rec.news = append(rec.news, f.ID)
		}
	}
	rec.message = r.message(whole)
	rec.events = sessions.Events(r.turn.Number, payloads(r, rec, whole))
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
	if r.opens != nil {
		out = append(out, r.opens)
	}
	if rec.message != nil {
		out = append(out, sessions.Reply{Turn: turn, MessageID: rec.message.ID(), Role: string(sessions.FromAssistant), Content: rec.message.Content,
			Complete: whole, Interviewer: r.mind, Degraded: r.degrade})
	}
	if rec.question != nil && whole {
		out = append(out, sessions.Asking{Turn: turn, Question: *rec.question})
	}
	found := slices.DeleteFunc(slices.Clone(rec.found), func(c obligations.Conflict) bool { return !constrained(c) }) // the others are told of with what changed
	out = append(out, sessions.Clashes(rec.told, found, turn)...)
	for _, c := range rec.closed {
		out = append(out, sessions.Clashing{Turn: turn, Conflict: c})
	}
	for _, st := range rec.steered {
		out = append(out, st.event(turn))
	}
	for _, t := range rec.tasks {
		out = append(out, t.Event())
	}
	if rec.session.Memory.Differs(rec.next.Memory) {
		out = append(out, sessions.Remembered{Turn: turn, Memory: rec.next.Memory})
	}
	return append(out, done(turn, rec))
}

func done(turn int, rec record) sessions.Done {
	d := sessions.Done{Turn: turn, Reason: "answered"}
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
func (r *run) orders(u Understanding, rec record, had research.Past) []research.Task {
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
func (st Steered) event(turn int) sessions.Researching {
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

// write sends the record, in one round trip.
func (e *Engine) write(ctx context.Context, r *run, rec record, logged bool) error {
	var last int64
	b := postgres.NewBatch(r.turn.Scope.Tenant)
	if err := e.queue(ctx, b, r, rec, logged, &last); err != nil {
		return err
	}
	if err := b.Send(ctx, e.Pool); err != nil {
		return err
	}
	sessions.Number(rec.events, last)
	return nil
}

func (r *run) queue(b *postgres.Batch, rec record, logged bool, last *int64) error {
	s := r.turn.Scope
	if err := r.queueEnd(b, rec, logged); err != nil {
		return err
	}
	if err := obligations.Save(b, s, rec.changes); err != nil {
		return err
	}
	if err := obligations.SaveEmerged(b, s, rec.emerged, r.turn.Number); err != nil {
		return err
	}
	if err := obligations.SaveConflicts(b, s, rec.found, rec.closed); err != nil {
		return err
	}
	if err := r.direct(b, rec); err != nil {
		return err
	}
	research.Save(b, rec.tasks)
	if r.opens != nil {
		*last = r.ahead.stand.Last + int64(len(rec.events))
		return nil
	}
	if rec.message != nil {
		sessions.AddMessage(b, s, *rec.message)
	}
	sessions.Append(b, s, rec.events, last)
	return nil
}

// queueEnd queues the end of the turn or, where it is written at once, all of it.
func (r *run) queueEnd(b *postgres.Batch, rec record, logged bool) error {
	o := sessions.Outcome{Turn: r.turn, Version: rec.session.Version, Status: rec.status, Interviewer: r.mind,
		Degraded: r.degrade, Usage: r.usage, Session: rec.next, Trim: logged || r.turn.Attempt > 1}
	if r.opens == nil {
		return sessions.FinishTurn(b, o)
	}
	o.Took = time.Since(r.started)
	return sessions.TakeTurn(b, r.ahead.beginning, r.ahead.stand, o, rec.message, rec.events)
}
