package review

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"quaestor/chat"
	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/ui"
)

// reviewTurn shows how a turn was answered.
func (s *Handlers) reviewTurn(w http.ResponseWriter, r *http.Request) error {
	session, err := s.reviewable(r)
	if err != nil {
		return err
	}
	n, err := strconv.ParseInt(r.PathValue("turn"), 10, 32)
	if err != nil || n < 1 || int(n) > session.Turns {
		return fault.New(fault.NotFound, "the session has turns 1 to %d", session.Turns).Coded("turn_not_found")
	}
	v, err := s.reviewTurnView(r.Context(), session, int(n))
	if err != nil {
		return err
	}
	return web.Render(w, r, ReviewTurn(v))
}

// reviewTurnView reads a turn in a fixed number of round trips for each 5,000 lines
// of the history before it.
func (s *Handlers) reviewTurnView(ctx context.Context, session sessions.Session, n int) (ReviewTurnView, error) {
	v := ReviewTurnView{Nav: web.NavOf(ctx, ui.AtReview), Session: session}
	d, err := s.Library.Definition(ctx, session.Tenant, session.ObjectiveID)
	if err != nil {
		return v, err
	}
	v.Title = d.DisplayName
	scope := session.Scope()
	var comments []sessions.Comment
	b := postgres.NewBatch(scope.Tenant)
	obligations.Load(b, scope, s.Library.Templates(ctx, scope.Tenant), &v.Known)
	sessions.LoadTurnEvents(b, scope, n, &v.Events)
	sessions.LoadCalls(b, scope, n, &v.Calls)
	sessions.LoadComments(b, scope, time.Time{}, "", maxComments, &comments)
	if err := b.Send(ctx, s.Pool); err != nil {
		return v, fmt.Errorf("read turn %d of session %s: %w", n, scope.Session, err)
	}
	history, err := s.historyUntil(ctx, scope, n)
	if err != nil {
		return v, err
	}
	v.Changed = slices.DeleteFunc(history, func(e obligations.StoredEvent) bool { return e.Turn != n })
	v.Comments = slices.DeleteFunc(comments, func(c sessions.Comment) bool { return c.Turn != n })
	list, err := sessions.Transcript(ctx, s.Pool, scope, n-1, 2)
	if err != nil {
		return v, err
	}
	v.Messages = slices.DeleteFunc(list, func(m sessions.Message) bool { return m.Turn != n })
	details, err := s.turnDetails(ctx, session, n)
	if err == nil {
		v.Details = *details
	}
	return v, err
}

// turnDetails tells what a turn took.
func (s *Handlers) turnDetails(ctx context.Context, session sessions.Session, n int) (*TurnDetails, error) {
	t, err := sessions.FindTurn(ctx, s.Pool, session.Scope(), n)
	if err != nil {
		return nil, err
	}
	out := &TurnDetails{Turn: t}
	var u chat.Usage
	if len(t.Usage) > 0 && json.Unmarshal(t.Usage, &u) == nil {
		out.Calls, out.PromptTokens, out.CompletionTokens, out.Repaired = u.Calls, u.PromptTokens, u.CompletionTokens, u.Repaired
	}
	if u.Spent == nil {
		return out, nil
	}
	cost := u.Spent.Money
	if n > 1 {
		before, err := sessions.FindTurn(ctx, s.Pool, session.Scope(), n-1)
		if err != nil {
			return nil, err
		}
		if was := chat.SpentOf(before.Usage); was != nil {
			cost -= was.Money
		}
	}
	out.Money, out.Spent = &cost, &u.Spent.Money
	return out, nil
}
