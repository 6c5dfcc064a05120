package review

import (
	"context"
	"strconv"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
)

// ObligationPath is the address of one obligation of a session. It is exported because the
// router fills in no field of an embedded struct that is not.
type ObligationPath struct {
	web.SessionPath
	Key string `path:"key"`
}

// HistoryPage names a page of the history of values. It is exported as [ObligationPath] is.
type HistoryPage struct {
	Cursor string `query:"cursor"`
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"200"`
}

// historyQuery is a page of the history of all values.
type historyQuery struct {
	web.SessionPath
	HistoryPage
}

// keyHistoryQuery is a page of the history of one value.
type keyHistoryQuery struct {
	ObligationPath
	HistoryPage
}

// listObligations returns all obligations of a session, in the order of its objective, on
// one page.
func (s *Handlers) listObligations(ctx context.Context, found sessions.Session, _ *web.SessionPath) (web.Page[web.ObligationBody], error) {
	_, list, err := s.Known(ctx, found)
	return web.Page[web.ObligationBody]{Items: web.Map(list, web.ToObligationBody)}, err
}

// getObligation returns one obligation with its value, evidence and dispute.
func (s *Handlers) getObligation(ctx context.Context, found sessions.Session, in *ObligationPath) (web.ObligationBody, error) {
	o, err := s.Obligation(ctx, found, in.Key)
	if err != nil {
		return web.ObligationBody{}, err
	}
	return web.ToObligationBody(*o), nil
}

// keyHistory returns a page of the history of one value.
func (s *Handlers) keyHistory(ctx context.Context, found sessions.Session, in *keyHistoryQuery) (web.Page[web.HistoryBody], error) {
	if _, err := s.Obligation(ctx, found, in.Key); err != nil {
		return web.Page[web.HistoryBody]{}, err
	}
	return s.history(ctx, found, obligations.HistoryPage{Key: in.Key, Max: in.Limit}, in.Cursor)
}

// sessionHistory returns a page of the history of all values of a session.
func (s *Handlers) sessionHistory(ctx context.Context, found sessions.Session, in *historyQuery) (web.Page[web.HistoryBody], error) {
	return s.history(ctx, found, obligations.HistoryPage{Max: in.Limit}, in.Cursor)
}

// history returns a page of a session's audit trail from a cursor on, oldest first. A full
// page has a next, which may be empty.
func (s *Handlers) history(ctx context.Context, session sessions.Session, p obligations.HistoryPage, cursor string) (out web.Page[web.HistoryBody], err error) {
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
