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
	session sessions.Session // as it was read
	next    sessions.Session
	changes []obligations.Change
	found   []obligations.Conflict
	closed  []obligations.Conflict
	tasks   []research.Task
	events  []sessions.Event
	message *sessions.Message // nil when nothing was said
	status  sessions.TurnStatus
	open    []string // keys still open afterwards
}

// maxStale is how often a turn is worked out again because somebody else changed
// its session.
const maxStale = 5

// settle records the turn: everything it changed, or nothing. When a reviewer
// changed the session meanwhile, what the turn found is applied to what the
// reviewer left.
func (e *Engine) settle(r *run, p *Plan, u Understanding, whole bool) (string, error) {
	r.usage.add(u.Usage)
	if r.degrade == "" {
		r.degrade = u.Degraded
	}
	logged := r.deltas.Close()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), 10*time.Second) // a stopped turn is recorded too
	defer cancel()
	session, list := r.scene.Session, r.scene.Obligations
	for range maxStale {
		rec := e.record(r, p, u, whole, session, list)
		err := e.write(ctx, r, rec, logged)
		if err == nil {
			e.Hub.Publish(r.turn.Scope, rec.events)
			return string(rec.status), nil
		}
		if !sessions.IsStale(err) {
			return "", err
		}
		if session, list, err = e.reread(ctx, r.turn.Scope); err != nil {
			return "", err
		}
		if session.Status == sessions.Completed {
			return "", errors.New("the session was completed while the turn ran")
		}
	}
	return "", errors.New("the session kept changing while the turn was to be recorded")
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

// record works out what the turn changes. It writes nothing.
func (e *Engine) record(r *run, p *Plan, u Understanding, whole bool, session sessions.Session, list []obligations.Obligation) record {
	sc, turn := r.scene, r.turn.Number
	rec := record{session: session, status: sessions.TurnDone}
	findings := slices.Clone(u.Findings)
	question, ends := p.Question, p.Ends
	if !whole { // what was cut off was not asked
		rec.status, question, ends = sessions.TurnStopped, sc.Asked, ""
	} else {
		findings = append(findings, p.asked()...)
	}
	rec.changes = obligations.Apply(list, findings, turn)
	after := obligations.Merge(list, rec.changes)
	rec.found, rec.closed = settleConflicts(sc, p, u, rec.changes, turn, whole)

	next, told := sessions.Advance(session, sc.Objective, after, rec.changes, turn)
	next.Question, next.StopReason, next.Memory = question, ends, session.Memory.Note(u.Signals)
	if ends == sessions.EndCompleted {
		next.Status = sessions.Completed
	}
	rec.next, rec.open = next, sc.Objective.Completion.Score(after).OpenKeys
	rec.tasks = e.orders(r, u, after, rec.changes)
	rec.message = r.message(whole)
	rec.events = sessions.Events(turn, payloads(r, rec, question, told, whole))
	return rec
}

func (r *run) message(whole bool) *sessions.Message {
	text := r.deltas.Text()
	if text == "" {
		return nil
	}
	return &sessions.Message{Turn: r.turn.Number, Role: sessions.FromAssistant, Content: text, Complete: whole}
}

// payloads lists the events of a turn in their order.
func payloads(r *run, rec record, question *sessions.Question, told []sessions.Payload, whole bool) []sessions.Payload {
	turn := r.turn.Number
	var out []sessions.Payload
	if rec.message != nil {
		out = append(out, sessions.Reply{Turn: turn, MessageID: rec.message.ID(), Role: string(sessions.FromAssistant), Content: rec.message.Content,
			Complete: whole, Interviewer: r.mind, Degraded: r.degrade})
	}
	if question != nil && whole {
		out = append(out, sessions.Asking{Turn: turn, Question: *question})
	}
	out = append(out, told...)
	for _, c := range rec.closed {
		out = append(out, sessions.Clashing{Turn: turn, Conflict: c})
	}
	for _, t := range rec.tasks {
		out = append(out, sessions.Researching{Turn: turn, TaskID: t.ID, Key: t.Order.Key, Type: string(t.Order.Kind), Query: t.Order.Query,
			Status: string(t.Status), Why: string(t.Order.Trigger), Note: t.Note})
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
		case whole && p.Conflict != nil && p.Conflict.ID == c.ID && c.Raised == 0:
			c.Raised = turn
			changed = append(changed, c)
		}
	}
	return found, changed
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

// orders returns the research the turn calls for.
func (e *Engine) orders(r *run, u Understanding, after []obligations.Obligation, changes []obligations.Change) []research.Task {
	t := research.Turn{List: after, Changes: changes, Queued: r.queued, Context: r.scene.Objective.DisplayName}
	for _, f := range u.Findings {
		if f.Act == obligations.Unsure {
			t.Unsure = append(t.Unsure, f.Key)
		}
	}
	for _, w := range u.Research {
		t.Wishes = append(t.Wishes, research.Wish(w))
	}
	var out []research.Task
	for _, o := range research.Due(t) {
		out = append(out, research.Task{ID: uuid.NewString(), Scope: r.turn.Scope, Order: o, Status: research.Pending, Turn: r.turn.Number})
	}
	return out
}

// write sends the record: one batch, and one more round trip when research jobs
// go with it.
func (e *Engine) write(ctx context.Context, r *run, rec record, logged bool) error {
	var last int64
	b := postgres.NewBatch(r.turn.Scope.Tenant)
	if err := r.queue(b, rec, logged, &last); err != nil {
		return err
	}
	var err error
	if len(rec.tasks) == 0 {
		err = b.Send(ctx, e.Pool)
	} else {
		err = pgx.BeginFunc(ctx, e.Pool, func(tx pgx.Tx) error {
			if err := b.Send(ctx, tx); err != nil {
				return err
			}
			return research.Enqueue(ctx, tx, e.Queue, rec.tasks)
		})
	}
	if err == nil {
		sessions.Number(rec.events, last)
	}
	return err
}

func (r *run) queue(b *postgres.Batch, rec record, logged bool, last *int64) error {
	s := r.turn.Scope
	err := sessions.FinishTurn(b, sessions.Outcome{Turn: r.turn, Version: rec.session.Version, Status: rec.status, Interviewer: r.mind,
		Degraded: r.degrade, Usage: r.usage, Session: rec.next, Trim: logged || r.turn.Attempt > 1})
	if err != nil {
		return err
	}
	if err := obligations.Save(b, s, rec.changes); err != nil {
		return err
	}
	if err := obligations.SaveConflicts(b, s, rec.found, rec.closed); err != nil {
		return err
	}
	if rec.message != nil {
		sessions.AddMessage(b, s, *rec.message)
	}
	research.Save(b, rec.tasks)
	sessions.Append(b, s, rec.events, last)
	return nil
}
