package review

import (
	"context"
	"strconv"

	"quaestor/obligations"
	"quaestor/web"
)

// obligationPath is the address of one obligation of a session.
type obligationPath struct {
	ID  string `path:"id" doc:"id of the session"`
	Key string `path:"key"`
}

// historyQuery is a page of the history of all values.
type historyQuery struct {
	ID     string `path:"id" doc:"id of the session"`
	Cursor string `query:"cursor"`
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"200"`
}

// keyHistoryQuery is a page of the history of one value. It repeats historyQuery because the
// router fills in only the fields of the struct itself, not those of an embedded one.
type keyHistoryQuery struct {
	ID     string `path:"id" doc:"id of the session"`
	Key    string `path:"key"`
	Cursor string `query:"cursor"`
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"200"`
}

// listObligations returns all obligations of a session, in the order of its objective, on
// one page.
func (s *Handlers) listObligations(ctx context.Context, in *web.SessionPath) (web.Page[web.ObligationBody], error) {
	found, err := s.Session(ctx, in.ID)
	if err != nil {
		return web.Page[web.ObligationBody]{}, err
	}
	_, list, err := s.Known(ctx, found)
	return web.Page[web.ObligationBody]{Items: web.Map(list, web.ToObligationBody)}, err
}

// getObligation returns one obligation with its value, evidence and dispute.
func (s *Handlers) getObligation(ctx context.Context, in *obligationPath) (web.ObligationBody, error) {
	found, err := s.Session(ctx, in.ID)
	if err != nil {
		return web.ObligationBody{}, err
	}
	o, err := s.Obligation(ctx, found, in.Key)
	if err != nil {
		return web.ObligationBody{}, err
	}
	return web.ToObligationBody(*o), nil
}

// keyHistory returns a page of the history of one value.
func (s *Handlers) keyHistory(ctx context.Context, in *keyHistoryQuery) (web.Page[web.HistoryBody], error) {
	return s.history(ctx, in.ID, obligations.HistoryPage{Key: in.Key, Max: in.Limit}, in.Cursor)
}

// sessionHistory returns a page of the history of all values of a session.
func (s *Handlers) sessionHistory(ctx context.Context, in *historyQuery) (web.Page[web.HistoryBody], error) {
	return s.history(ctx, in.ID, obligations.HistoryPage{Max: in.Limit}, in.Cursor)
}

// history returns a page of a session's audit trail from a cursor on, oldest first. When
// the page names a key, the session must have that obligation. A full page has a next,
// which may be empty.
func (s *Handlers) history(ctx context.Context, id string, p obligations.HistoryPage, cursor string) (out web.Page[web.HistoryBody], err error) {
	session, err := s.Session(ctx, id)
	if err == nil && p.Key != "" {
		_, err = s.Obligation(ctx, session, p.Key)
	}
	if err != nil {
		return out, err
	}
	if p.After, err = web.ParsePage(cursor); err != nil {
		return out, err
	}
	list, err := obligations.History(ctx, s.Pool, session.Scope(), p)
	if err != nil {
		return out, err
	}
	out.Items = web.Map(list, web.ToHistoryBody)
	if len(list) == p.Max {
		out.NextCursor = strconv.FormatInt(list[len(list)-1].ID, 10)
	}
	return out, nil
}
