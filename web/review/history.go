package review

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
)

// historyEvents bounds the events on a page of history: enough for nearly every value
// on one page, and few enough to draw.
const historyEvents = 100

// showHistory shows the history of the value that the address names, or without one the
// history of all values, a page at a time.
func (s *Handlers) showHistory(w http.ResponseWriter, r *http.Request, session sessions.Session) error {
	key, cursor := r.PathValue("key"), r.URL.Query().Get("cursor")
	v := historyView{Earlier: cursor != ""}
	var err error
	if v.page, _, err = s.pageOf(r.Context(), session); err != nil {
		return err
	}
	if _, v.page.Known, err = s.Known(r.Context(), session); err != nil {
		return err
	}
	if v.About = obligations.Find(v.page.Known, key); key != "" && v.About == nil {
		return fault.New(fault.NotFound, "the session has no obligation %q", web.Clip(key)).Coded("obligation_not_found")
	}
	after, err := web.ParsePage(cursor)
	if err != nil {
		return err
	}
	v.Events, err = obligations.History(r.Context(), s.Pool, session.Scope(), obligations.HistoryPage{Key: key, After: after, Max: historyEvents + 1})
	if err != nil {
		return err
	}
	if len(v.Events) > historyEvents {
		v.Events = v.Events[:historyEvents]
		v.Next = v.path() + "?cursor=" + strconv.FormatInt(v.Events[historyEvents-1].ID, 10)
	}
	return web.Render(w, r, historyPage(v))
}

// historyBatch bounds the events that one round trip reads of an audit trail. Few
// sessions have more, and this many are read in a fraction of a second.
const historyBatch = 5000

// historyUntil returns a session's whole audit trail up to a turn, oldest first.
func (s *Handlers) historyUntil(ctx context.Context, sc obligations.Scope, turn int) ([]obligations.StoredEvent, error) {
	var out []obligations.StoredEvent
	for p := (obligations.HistoryPage{Until: turn, Max: historyBatch}); ; {
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

// replayed returns the obligations as the history leaves them. The history must begin with
// the session.
func (s *Handlers) replayed(ctx context.Context, sc obligations.Scope, history []obligations.StoredEvent) ([]obligations.Obligation, error) {
	events := web.Map(history, func(e obligations.StoredEvent) obligations.Event { return e.Event })
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
