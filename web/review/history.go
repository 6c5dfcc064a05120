package review

import (
	"context"
	"fmt"
	"net/http"

	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/ui"
)

// reviewHistoryPage shows all that happened to one value, or without a key to all
// of them, a part at a time.
func (s *Handlers) reviewHistoryPage(w http.ResponseWriter, r *http.Request) error {
	session, err := s.reviewable(r)
	if err != nil {
		return err
	}
	d, list, err := s.Known(r.Context(), session)
	if err != nil {
		return err
	}
	key, cursor := r.PathValue("key"), r.URL.Query().Get("cursor")
	v := ReviewHistoryView{Nav: web.NavOf(r.Context(), ui.AtReview), Session: session, Title: d.DisplayName, Known: list, About: obligations.Find(list, key), Earlier: cursor != ""}
	if key != "" && v.About == nil {
		return fault.New(fault.NotFound, "the session has no obligation %q", web.Clip(key)).Coded("obligation_not_found")
	}
	after, err := web.ParsePage(cursor)
	if err != nil {
		return err
	}
	v.Events, err = obligations.History(r.Context(), s.Pool, session.Scope(), obligations.HistoryPage{Key: key, After: after, Max: reviewPart + 1})
	if err != nil {
		return err
	}
	if len(v.Events) > reviewPart {
		v.Events = v.Events[:reviewPart]
		v.Next = v.After(v.Events[reviewPart-1].ID)
	}
	return web.Render(w, r, ReviewHistory(v))
}

// reviewHistory bounds the lines of an audit trail one round trip reads.
const reviewHistory = 5000

// historyUntil returns a session's audit trail up to a turn, oldest first.
func (s *Handlers) historyUntil(ctx context.Context, sc obligations.Scope, turn int) ([]obligations.StoredEvent, error) {
	var out []obligations.StoredEvent
	for p := (obligations.HistoryPage{Until: turn, Max: reviewHistory}); ; {
		list, err := obligations.History(ctx, s.Pool, sc, p)
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
		if len(list) < p.Max {
			return out, nil
		}
		p.After = list[len(list)-1].ID
	}
}

// replayed returns the obligations as their history leaves them.
func (s *Handlers) replayed(ctx context.Context, sc obligations.Scope, history []obligations.StoredEvent) ([]obligations.Obligation, error) {
	events := make([]obligations.Event, len(history))
	for i, e := range history {
		events[i] = e.Event
	}
	templates, err := sessions.ReplayTemplates(events, s.Library.Templates(ctx, sc.Tenant))
	if err != nil {
		return nil, err
	}
	list, err := obligations.Replay(templates, events)
	if err != nil {
		return nil, fmt.Errorf("replay session %s: %w", sc.Session, err)
	}
	return list, nil
}
