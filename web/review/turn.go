package review

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"quaestor/chat"
	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
)

// showTurn shows how a turn was answered.
func (s *Handlers) showTurn(w http.ResponseWriter, r *http.Request, session sessions.Session) error {
	n := turnNumber(r.PathValue("turn"))
	if n < 1 || n > session.Turns {
		return fault.New(fault.NotFound, "the session has turns 1 to %d", session.Turns).Coded("turn_not_found")
	}
	v, err := s.turnView(r.Context(), session, n)
	if err != nil {
		return err
	}
	return web.Render(w, r, turnPage(v))
}

// turnView reads a turn that the session has. The number of round trips is fixed, but for
// one more for every [historyBatch] events before the turn.
func (s *Handlers) turnView(ctx context.Context, session sessions.Session, n int) (turnView, error) {
	p, d, err := s.pageOf(ctx, session)
	v := turnView{page: p}
	if err != nil {
		return v, err
	}
	scope := session.Scope()
	b := postgres.NewBatch(scope.Tenant)
	obligations.Load(b, scope, s.Library.Templates(ctx, scope.Tenant), &v.Known)
	sessions.LoadTurnEvents(b, scope, n, &v.Events)
	sessions.LoadCalls(b, scope, n, &v.Calls)
	sessions.LoadComments(b, scope, time.Time{}, "", maxComments, &v.Comments)
	if err := b.Send(ctx, s.Pool); err != nil {
		return v, fmt.Errorf("read turn %d of session %s: %w", n, scope.Session, err)
	}
	session.Speak(d, v.Known)
	v.Comments = slices.DeleteFunc(v.Comments, func(c sessions.Comment) bool { return c.Turn != n })
	history, err := s.historyUntil(ctx, scope, n)
	if err != nil {
		return v, err
	}
	v.Changed = web.Where(history, func(e obligations.StoredEvent) bool { return e.Turn == n })
	list, err := sessions.Transcript(ctx, s.Pool, scope, n-1, 2)
	if err != nil {
		return v, err
	}
	v.Messages = slices.DeleteFunc(list, func(m sessions.Message) bool { return m.Turn != n })
	details, err := s.summarise(ctx, session, n)
	if err == nil {
		v.Details = *details
	}
	return v, err
}

// summarise returns what a turn took. The usage of a turn holds what the session had cost
// by then, so that its own cost is the difference to the turn before.
func (s *Handlers) summarise(ctx context.Context, session sessions.Session, n int) (*turnSummary, error) {
	t, err := sessions.FindTurn(ctx, s.Pool, session.Scope(), n)
	if err != nil {
		return nil, err
	}
	out := &turnSummary{Turn: t}
	if len(t.Usage) == 0 || json.Unmarshal(t.Usage, &out.Usage) != nil || out.Usage.Spent == nil {
		return out, nil
	}
	cost := out.Usage.Spent.Money
	if n > 1 {
		before, err := sessions.FindTurn(ctx, s.Pool, session.Scope(), n-1)
		if err != nil {
			return nil, err
		}
		if spent := chat.SpentOf(before.Usage); spent != nil {
			cost -= spent.Money
		}
	}
	out.Cost = &cost
	return out, nil
}
