package web

import (
	"context"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
)

// obligationBody is an obligation on the wire.
type obligationBody struct {
	obligations.Obligation
	Band        obligations.Band  `json:"band"`
	OriginLayer obligations.Layer `json:"originLayer"`
}

func toObligationBody(o obligations.Obligation) obligationBody {
	named := *o.Template // templates are shared
	named.Label = o.Name()
	o.Template = &named
	return obligationBody{o, o.Confidence.Band(), o.Origin.Layer}
}

// historyBody is a line of the audit trail on the wire.
type historyBody struct {
	ID            int64                  `json:"id"`
	Key           string                 `json:"key"`
	Type          obligations.EventType  `json:"eventType"`
	OldStatus     obligations.Status     `json:"oldStatus,omitempty"`
	NewStatus     obligations.Status     `json:"newStatus,omitempty"`
	OldConfidence obligations.Confidence `json:"oldConfidence"`
	NewConfidence obligations.Confidence `json:"newConfidence"`
	Source        string                 `json:"source"`
	Metadata      obligations.Meta       `json:"metadata"`
	Turn          int                    `json:"turnNumber"`
	CreatedAt     time.Time              `json:"createdAt"`
}

func toHistoryBody(e obligations.StoredEvent) historyBody {
	return historyBody{e.ID, e.Key, e.Type, e.OldStatus, e.NewStatus, e.OldConfidence, e.NewConfidence, e.Source, e.Meta, e.Turn, e.At}
}

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

func (s *Server) obligationRoutes(a huma.API) {
	add(a, onGet("/api/v1/sessions/{id}/obligations", "obligation-list", "What the session must learn, and what is known"), s.listObligations)
	add(a, onGet("/api/v1/sessions/{id}/obligations/{key}", "obligation-get", "One obligation"), s.getObligation)
	add(a, onGet("/api/v1/sessions/{id}/obligations/{key}/history", "obligation-history", "How a value came to be, oldest first"), s.keyHistory)
	add(a, onGet("/api/v1/sessions/{id}/history", "session-history", "How all values came to be, oldest first"), s.sessionHistory)
}

func (s *Server) listObligations(ctx context.Context, in *sessionPath) (page[obligationBody], error) {
	found, err := s.session(ctx, in.ID)
	if err != nil {
		return page[obligationBody]{}, err
	}
	_, list, err := s.known(ctx, found)
	return page[obligationBody]{Items: items(list, toObligationBody)}, err
}

func (s *Server) getObligation(ctx context.Context, in *obligationPath) (obligationBody, error) {
	found, err := s.session(ctx, in.ID)
	if err != nil {
		return obligationBody{}, err
	}
	o, err := s.obligation(ctx, found, in.Key)
	if err != nil {
		return obligationBody{}, err
	}
	return toObligationBody(*o), nil
}

func (s *Server) obligation(ctx context.Context, session sessions.Session, key string) (*obligations.Obligation, error) {
	_, list, err := s.known(ctx, session)
	if err != nil {
		return nil, err
	}
	o := obligations.Find(list, key)
	if o == nil {
		return nil, fault.New(fault.NotFound, "the session has no obligation %q", clip(key)).Coded("obligation_not_found")
	}
	return o, nil
}

func (s *Server) keyHistory(ctx context.Context, in *keyHistoryQuery) (page[historyBody], error) {
	found, err := s.session(ctx, in.ID)
	if err != nil {
		return page[historyBody]{}, err
	}
	if _, err := s.obligation(ctx, found, in.Key); err != nil {
		return page[historyBody]{}, err
	}
	return s.history(ctx, found, in.Key, in.Cursor, in.Limit)
}

func (s *Server) sessionHistory(ctx context.Context, in *historyQuery) (page[historyBody], error) {
	found, err := s.session(ctx, in.ID)
	if err != nil {
		return page[historyBody]{}, err
	}
	return s.history(ctx, found, "", in.Cursor, in.Limit)
}

func (s *Server) history(ctx context.Context, session sessions.Session, key, cursor string, limit int) (page[historyBody], error) {
	after, err := parsePage(cursor)
	if err != nil {
		return page[historyBody]{}, err
	}
	list, err := obligations.History(ctx, s.Pool, session.Scope(), obligations.HistoryPage{Key: key, After: after, Max: limit})
	if err != nil {
		return page[historyBody]{}, err
	}
	out := page[historyBody]{Items: items(list, toHistoryBody)}
	if len(list) == limit {
		out.NextCursor = strconv.FormatInt(list[len(list)-1].ID, 10)
	}
	return out, nil
}
