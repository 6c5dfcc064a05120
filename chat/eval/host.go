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

// Host is a session in which a simulated person talks.
type Host interface {
	// Say runs one turn and returns its result. An empty message without answers
	// lets the interviewer open.
	Say(ctx context.Context, message string, answers map[string]json.RawMessage) (TurnResult, error)
}

// TurnResult is the result of one turn.
type TurnResult struct {
	Turn        int
	Interviewer string
	Degraded    string                   // why the model did not answer; empty when it did
	Reply       string                   // the interviewer's words
	Question    *sessions.Question       // what was asked, as the person sees it; nil for nothing
	Conflicts   []obligations.Conflict   // found or resolved in this turn
	List        []obligations.Obligation // after the turn, as stored
	Audit       []obligations.Event      // what the turn added to the audit trail, in order
	Reason      string                   // "answered", or why the session ended or paused
	FirstWords  time.Duration            // from the message to the first words of the reply
	TakenBack   bool                     // words of the reply were taken back

	sent time.Time
}

// EngineHost is a session of a chat engine and its database: the product as it is, with
// either interviewer.
type EngineHost struct {
	engine  *chat.Engine
	scope   obligations.Scope
	user    string
	limit   time.Duration
	seen    int64 // number of the last event of the log read
	audited int64 // id of the last audit event read
}

var _ Host = (*EngineHost)(nil)

// turnLimit is how long an EngineHost waits for a turn: longer than the engine lets it run.
const turnLimit = 3 * time.Minute

// NewEngineHost creates a session of a context type for user.
func NewEngineHost(ctx context.Context, e *chat.Engine, tenant, user, contextType string) (*EngineHost, error) {
	return NewEngineHostIn(ctx, e, tenant, user, contextType, "")
}

// NewEngineHostIn is [NewEngineHost] in a language that is asked for; empty leaves it open.
func NewEngineHostIn(ctx context.Context, e *chat.Engine, tenant, user, contextType, language string) (*EngineHost, error) {
	s, err := e.CreateFor(ctx, chat.SessionRequest{Tenant: tenant, User: user, ContextType: contextType, Language: sessions.LanguageRequest{Asked: language}})
	if err != nil {
		return nil, err
	}
	return &EngineHost{engine: e, scope: s.Scope(), user: user, limit: turnLimit}, nil
}

// Scope identifies the session.
func (r *EngineHost) Scope() obligations.Scope { return r.scope }

// Say implements [Host]. A turn that ends with the event error is an error.
func (r *EngineHost) Say(ctx context.Context, message string, answers map[string]json.RawMessage) (TurnResult, error) {
	sent := time.Now()
	started, err := r.engine.Start(ctx, chat.Input{Tenant: r.scope.Tenant, User: r.user, SessionID: r.scope.Session, Message: message, Answers: answers})
	if err != nil {
		return TurnResult{}, err
	}
	h := TurnResult{Turn: started.Turn.Number, sent: sent}
	if err := r.listen(ctx, &h); err != nil {
		return h, fmt.Errorf("turn %d of session %s: %w", h.Turn, r.scope.Session, err)
	}
	return h, r.load(ctx, &h)
}

// listen follows the log to the end of the turn.
func (r *EngineHost) listen(ctx context.Context, h *TurnResult) error {
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
			if err := h.add(e); err != nil {
				return err
			}
			if e.Turn == h.Turn && e.Kind.Last() {
				return nil
			}
		}
	}
}

// add notes what one event of the log contains.
func (h *TurnResult) add(e sessions.Event) error {
	var err error
	switch e.Kind {
	case sessions.KindDelta:
		if h.FirstWords == 0 {
			h.FirstWords = time.Since(h.sent)
		}
		var d sessions.DeltaEvent
		err = json.Unmarshal(e.Data, &d)
		h.TakenBack = h.TakenBack || d.Attempt > 1
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
	case sessions.KindSession, sessions.KindObligation, sessions.KindNegotiation, sessions.KindCompleteness,
		sessions.KindPhase, sessions.KindResearch, sessions.KindMemory, sessions.KindHandover, sessions.KindRecording, sessions.KindSpeech:
	}
	return err
}

// load reads what is stored after the turn.
func (r *EngineHost) load(ctx context.Context, h *TurnResult) error {
	b := postgres.NewBatch(r.scope.Tenant)
	obligations.Load(b, r.scope, r.engine.Library.Templates(ctx, r.scope.Tenant), &h.List)
	if err := b.Send(ctx, r.engine.Pool); err != nil {
		return fmt.Errorf("read obligations of session %s: %w", r.scope.Session, err)
	}
	var err error
	h.Audit, err = auditTrail(ctx, r.engine.Pool, r.scope, &r.audited)
	return err
}

// auditTrail reads the audit events of a session after the one with the id after, page by
// page, and sets after to the id of the last.
func auditTrail(ctx context.Context, db postgres.DB, s obligations.Scope, after *int64) ([]obligations.Event, error) {
	var out []obligations.Event
	for {
		page, err := obligations.History(ctx, db, s, obligations.HistoryPage{After: *after})
		if err != nil || len(page) == 0 {
			return out, err
		}
		for _, e := range page {
			out = append(out, e.Event)
		}
		*after = page[len(page)-1].ID
	}
}
