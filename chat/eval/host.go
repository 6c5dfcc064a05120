package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"quaestor/chat"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
)

// Host is one session that a simulated person talks in.
type Host interface {
	// Say takes one turn and returns what it brought. An empty message without
	// answers lets the interviewer open.
	Say(ctx context.Context, message string, answers map[string]json.RawMessage) (Heard, error)
}

// Heard is what one turn brought.
type Heard struct {
	Turn        int
	Interviewer string
	Degraded    string                   // why the model did not answer; empty when it did
	Reply       string                   // the interviewer's words
	Question    *sessions.Question       // what was asked, as the person sees it; nil for nothing
	Conflicts   []obligations.Conflict   // found or settled in this turn
	List        []obligations.Obligation // after the turn, as they are stored
	Audit       []obligations.Event      // what the turn wrote to the audit trail, in order
	Phase       sessions.Phase
	Reason      string // "answered", or the reason the session ended or paused for
}

// Room is a session of a chat engine, with its database: the Host of the product
// itself, whoever interviews.
type Room struct {
	engine *chat.Engine
	scope  obligations.Scope
	user   string
	limit  time.Duration
	seen   int64 // number of the last event of the log read
	audit  int64 // id of the last audit event read
}

var _ Host = (*Room)(nil)

// turnLimit is how long a turn may take before a Room gives it up: more than the
// engine gives it.
const turnLimit = 3 * time.Minute

// Enter begins a session of a context in e for user and returns its room.
func Enter(ctx context.Context, e *chat.Engine, tenant, user, contextType string) (*Room, error) {
	s, err := e.Create(ctx, tenant, user, contextType)
	if err != nil {
		return nil, err
	}
	return &Room{engine: e, scope: s.Scope(), user: user, limit: turnLimit}, nil
}

// Scope names the room's session.
func (r *Room) Scope() obligations.Scope { return r.scope }

// Say implements [Host]. A turn that ends with the event error is an error.
func (r *Room) Say(ctx context.Context, message string, answers map[string]json.RawMessage) (Heard, error) {
	started, err := r.engine.Start(ctx, chat.Input{Tenant: r.scope.Tenant, User: r.user, SessionID: r.scope.Session, Message: message, Answers: answers})
	if err != nil {
		return Heard{}, err
	}
	h := Heard{Turn: started.Turn.Number}
	if err := r.listen(ctx, &h); err != nil {
		return h, fmt.Errorf("turn %d of session %s: %w", h.Turn, r.scope.Session, err)
	}
	return h, r.look(ctx, &h)
}

// listen follows the log to the end of the turn.
func (r *Room) listen(ctx context.Context, h *Heard) error {
	sub := r.engine.Hub.Subscribe(r.engine.Pool, r.scope, r.seen)
	defer sub.Close()
	ctx, cancel := context.WithTimeout(ctx, r.limit)
	defer cancel()
	for {
		events, err := sub.Next(ctx, r.limit)
		switch {
		case err != nil:
			return err
		case len(events) == 0:
			return fmt.Errorf("nothing came for %v", r.limit)
		}
		for _, e := range events {
			r.seen = max(r.seen, e.Seq)
			if err := h.take(e); err != nil {
				return err
			}
			if e.Turn == h.Turn && e.Kind.Last() {
				return nil
			}
		}
	}
}

// take notes what one event of the log says.
func (h *Heard) take(e sessions.Event) error {
	var err error
	switch e.Kind {
	case sessions.KindMessage:
		var m sessions.MessageEvent
		err = json.Unmarshal(e.Data, &m)
		h.Reply, h.Interviewer, h.Degraded = m.Content, m.Interviewer, m.Degraded
	case sessions.KindQuestion:
		var q sessions.QuestionEvent
		err = json.Unmarshal(e.Data, &q)
		h.Question = &q.Question
	case sessions.KindConflict:
		var c sessions.ConflictEvent
		err = json.Unmarshal(e.Data, &c)
		h.Conflicts = append(h.Conflicts, c.Conflict)
	case sessions.KindError:
		var f sessions.ErrorEvent
		if err = json.Unmarshal(e.Data, &f); err == nil {
			err = errors.New(f.Code + ": " + f.Detail)
		}
	case sessions.KindDone:
		var d sessions.DoneEvent
		err = json.Unmarshal(e.Data, &d)
		h.Reason = d.Reason
	case sessions.KindSession, sessions.KindDelta, sessions.KindObligation, sessions.KindNegotiation, sessions.KindCompleteness,
		sessions.KindPhase, sessions.KindResearch, sessions.KindMemory:
	}
	return err
}

// look reads what is stored after the turn.
func (r *Room) look(ctx context.Context, h *Heard) error {
	session, err := sessions.Find(ctx, r.engine.Pool, r.scope)
	if err != nil {
		return err
	}
	h.Phase = session.Phase
	b := postgres.NewBatch(r.scope.Tenant)
	obligations.Load(b, r.scope, r.engine.Library.Templates(ctx, r.scope.Tenant), &h.List)
	if err := b.Send(ctx, r.engine.Pool); err != nil {
		return fmt.Errorf("read obligations of session %s: %w", r.scope.Session, err)
	}
	return r.trail(ctx, h)
}

// trail reads the audit events since the last turn, page by page.
func (r *Room) trail(ctx context.Context, h *Heard) error {
	for {
		page, err := obligations.History(ctx, r.engine.Pool, r.scope, obligations.HistoryPage{After: r.audit})
		if err != nil || len(page) == 0 {
			return err
		}
		for _, e := range page {
			h.Audit = append(h.Audit, e.Event)
		}
		r.audit = page[len(page)-1].ID
	}
}
