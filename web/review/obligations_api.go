package review

import (
	"context"
	"strconv"

	"quaestor/obligations"
	"quaestor/sessions"
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
	found, err := s.Session(ctx, in.ID)
	if err != nil {
		return web.Page[web.HistoryBody]{}, err
	}
	if _, err := s.Obligation(ctx, found, in.Key); err != nil {
		return web.Page[web.HistoryBody]{}, err
	}
	return s.history(ctx, found, in.Key, in.Cursor, in.Limit)
}

func (s *Handlers) sessionHistory(ctx context.Context, in *historyQuery) (web.Page[web.HistoryBody], error) {
	found, err := s.Session(ctx, in.ID)
	if err != nil {
		return web.Page[web.HistoryBody]{}, err
	}
	return s.history(ctx, found, "", in.Cursor, in.Limit)
}

func (s *Handlers) history(ctx context.Context, session sessions.Session, key, cursor string, limit int) (web.Page[web.HistoryBody], error) {
	after, err := web.ParsePage(cursor)
	if err != nil {
		return web.Page[web.HistoryBody]{}, err
	}
	list, err := obligations.History(ctx, s.Pool, session.Scope(), obligations.HistoryPage{Key: key, After: after, Max: limit})
	if err != nil {
		return web.Page[web.HistoryBody]{}, err
	}
	out := web.Page[web.HistoryBody]{Items: web.Map(list, web.ToHistoryBody)}
	if len(list) == limit {
		out.NextCursor = strconv.FormatInt(list[len(list)-1].ID, 10)
	}
	return out, nil
}
