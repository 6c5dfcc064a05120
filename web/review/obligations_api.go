package review

import (
	"context"
	"strconv"

	"quaestor/obligations"
	"quaestor/web"
)

type obligationPath struct {
	ID  string `path:"id" doc:"id of the session"`
	Key string `path:"key"`
}

type historyQuery struct {
	ID     string `path:"id" doc:"id of the session"`
	Cursor string `query:"cursor"`
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"200"`
}

type keyHistoryQuery struct {
	ID     string `path:"id" doc:"id of the session"`
	Key    string `path:"key"`
	Cursor string `query:"cursor"`
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"200"`
}

func (s *Handlers) listObligations(ctx context.Context, in *web.SessionPath) (web.Page[web.ObligationBody], error) {
	found, err := s.Session(ctx, in.ID)
	if err != nil {
		return web.Page[web.ObligationBody]{}, err
	}
	_, list, err := s.Known(ctx, found)
	return web.Page[web.ObligationBody]{Items: web.Map(list, web.ToObligationBody)}, err
}

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

func (s *Handlers) keyHistory(ctx context.Context, in *keyHistoryQuery) (web.Page[web.HistoryBody], error) {
	return s.history(ctx, in.ID, obligations.HistoryPage{Key: in.Key, Max: in.Limit}, in.Cursor)
}

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
