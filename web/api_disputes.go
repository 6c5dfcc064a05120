package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/chat"
	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
)

// rejection opens a dispute.
type rejection struct {
	ID   string `path:"id" doc:"id of the session"`
	Key  string `path:"key"`
	Body struct {
		AgentProposal json.RawMessage `json:"agentProposal,omitempty" doc:"the value rejected; the one held when left out"`
		UserRejection string          `json:"userRejection" doc:"what is wrong with it"`
		As            actingAs        `json:"as,omitempty"`
	}
}

// userValue is what the person says is right.
type userValue struct {
	ID   string `path:"id" doc:"id of the session"`
	Key  string `path:"key"`
	Body struct {
		UserValue json.RawMessage `json:"userValue" doc:"its shape is that of the obligation's widget"`
		As        actingAs        `json:"as,omitempty"`
	}
}

// settlement ends a dispute.
type settlement struct {
	ID   string `path:"id" doc:"id of the session"`
	Key  string `path:"key"`
	Body struct {
		FinalValue json.RawMessage        `json:"finalValue,omitempty" doc:"needed for a compromise; else the proposal or the person's value"`
		Resolution obligations.Resolution `json:"resolution" enum:"user_accepted,agent_accepted,compromise"`
		Note       string                 `json:"note,omitempty"`
		As         actingAs               `json:"as,omitempty"`
	}
}

// decision is a reviewer's value.
type decision struct {
	ID   string `path:"id" doc:"id of the session"`
	Key  string `path:"key"`
	Body struct {
		Value json.RawMessage `json:"value" doc:"its shape is that of the obligation's widget"`
		Note  string          `json:"note,omitempty" doc:"why; kept with the value"`
	}
}

// reopening asks for an obligation to be asked again.
type reopening struct {
	ID   string `path:"id" doc:"id of the session"`
	Key  string `path:"key"`
	Body *reopeningBody
}

type reopeningBody struct {
	Note string   `json:"note,omitempty"`
	As   actingAs `json:"as,omitempty"`
}

// skipping leaves an obligation out.
type skipping struct {
	ID   string `path:"id" doc:"id of the session"`
	Key  string `path:"key"`
	Body struct {
		Reason obligations.SkipReason `json:"reason" enum:"not_applicable,declined"`
		Note   string                 `json:"note,omitempty"`
		As     actingAs               `json:"as,omitempty"`
	}
}

// choosing decides a conflict.
type choosing struct {
	ID       string `path:"id" doc:"id of the session"`
	Conflict string `path:"conflictId"`
	Body     struct {
		Side   *int                       `json:"side,omitempty" doc:"counted from 0: that value stands"`
		Value  json.RawMessage            `json:"value,omitempty" doc:"another value is right"`
		Key    string                     `json:"key,omitempty" doc:"whose value it is, when the conflict is over several"`
		Values map[string]json.RawMessage `json:"values,omitempty" doc:"other values are right, by obligation; those of obligations that are not named stand"`
		Both   bool                       `json:"both,omitempty" doc:"the values of several obligations hold all the same"`
		Note   string                     `json:"note,omitempty"`
		As     actingAs                   `json:"as,omitempty"`
	}
}

type conflictQuery struct {
	ID     string `path:"id" doc:"id of the session"`
	Status string `query:"status" enum:"open,resolved" doc:"all when left out"`
}

func (s *Server) disputeRoutes(a huma.API) {
	const obligation = "/api/v1/sessions/{id}/obligations/{key}"
	add(a, route{http.MethodPost, obligation + "/negotiation", "negotiation-start", "Reject a value and say why: a dispute begins", 0}, s.startNegotiation)
	add(a, route{http.MethodPost, obligation + "/negotiation/value", "negotiation-value", "Name the right value in a dispute", 0}, s.submitUserValue)
	add(a, route{http.MethodPost, obligation + "/negotiation/resolve", "negotiation-resolve", "End a dispute with a value both sides hold", 0}, s.resolveNegotiation)
	add(a, route{http.MethodPut, obligation + "/value", "obligation-decide", "Decide a value as a reviewer", 0}, s.decideValue)
	add(a, route{http.MethodPost, obligation + "/reopen", "obligation-reopen", "Take a value back, so that it is asked again", 0}, s.reopenObligation)
	add(a, route{http.MethodPost, obligation + "/skip", "obligation-skip", "Leave an obligation out, for a reason", 0}, s.skipObligation)
	add(a, route{http.MethodGet, "/api/v1/sessions/{id}/conflicts", "conflict-list", "Values that cannot all hold, oldest first", 0}, s.listConflicts)
	add(a, route{http.MethodPost, "/api/v1/sessions/{id}/conflicts/{conflictId}/resolve", "conflict-resolve", "Say which of the values holds", 0}, s.resolveConflict)
}

// actingAs is what somebody acts as.
type actingAs string

// Schema describes the capacities.
func (actingAs) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Enum: []any{"person", "reviewer"},
		Description: "person, or reviewer for who may review; when left out, reviewers act as such in sessions of others"}
}

// party returns the session and as whom the actor acts in it: a person who takes
// part, or a reviewer.
func (s *Server) party(ctx context.Context, id string, as actingAs) (sessions.Session, chat.Actor, error) {
	found, err := s.session(ctx, id)
	if err != nil {
		return found, chat.Actor{}, err
	}
	a := actorFrom(ctx)
	p := chat.Actor{User: a.User}
	switch {
	case as == "reviewer":
		p.Reviewer, err = true, need(a, auth.Review)
	case a.User == found.User || !a.May(auth.Review):
		err = need(a, auth.Talk)
	case as == "person":
		err = fault.New(fault.Forbidden, "this is somebody else's session; act as a reviewer").At("as").Coded("not_your_session")
	default:
		p.Reviewer = true
	}
	return found, p, err
}

func (s *Server) startNegotiation(ctx context.Context, in *rejection) (obligationBody, error) {
	return s.dispute(ctx, in.ID, in.Body.As, func(sc obligations.Scope, p chat.Actor) (obligations.Obligation, error) {
		return s.Engine.StartNegotiation(ctx, sc, p, in.Key, valueOf(in.Body.AgentProposal), in.Body.UserRejection)
	})
}

func (s *Server) submitUserValue(ctx context.Context, in *userValue) (obligationBody, error) {
	return s.dispute(ctx, in.ID, in.Body.As, func(sc obligations.Scope, p chat.Actor) (obligations.Obligation, error) {
		return s.Engine.SubmitUserValue(ctx, sc, p, in.Key, in.Body.UserValue)
	})
}

func (s *Server) resolveNegotiation(ctx context.Context, in *settlement) (obligationBody, error) {
	return s.dispute(ctx, in.ID, in.Body.As, func(sc obligations.Scope, p chat.Actor) (obligations.Obligation, error) {
		end := chat.Settlement{Value: valueOf(in.Body.FinalValue), Resolution: in.Body.Resolution, Note: in.Body.Note}
		return s.Engine.ResolveNegotiation(ctx, sc, p, in.Key, end)
	})
}

func (s *Server) decideValue(ctx context.Context, in *decision) (obligationBody, error) {
	return s.dispute(ctx, in.ID, "reviewer", func(sc obligations.Scope, p chat.Actor) (obligations.Obligation, error) {
		return s.Engine.SetValue(ctx, sc, p, in.Key, in.Body.Value, in.Body.Note)
	})
}

func (s *Server) reopenObligation(ctx context.Context, in *reopening) (obligationBody, error) {
	var b reopeningBody
	if in.Body != nil {
		b = *in.Body
	}
	return s.dispute(ctx, in.ID, b.As, func(sc obligations.Scope, p chat.Actor) (obligations.Obligation, error) {
		return s.Engine.Reopen(ctx, sc, p, in.Key, b.Note)
	})
}

func (s *Server) skipObligation(ctx context.Context, in *skipping) (obligationBody, error) {
	return s.dispute(ctx, in.ID, in.Body.As, func(sc obligations.Scope, p chat.Actor) (obligations.Obligation, error) {
		return s.Engine.Skip(ctx, sc, p, in.Key, in.Body.Reason, in.Body.Note)
	})
}

// dispute runs one operation on an obligation in the name of the actor.
func (s *Server) dispute(ctx context.Context, id string, as actingAs, do func(obligations.Scope, chat.Actor) (obligations.Obligation, error)) (obligationBody, error) {
	found, p, err := s.party(ctx, id, as)
	if err != nil {
		return obligationBody{}, err
	}
	o, err := do(found.Scope(), p)
	if err != nil {
		return obligationBody{}, err
	}
	return toObligationBody(o), nil
}

// valueOf returns a value that may be left out: null is none.
func valueOf(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}

func (s *Server) listConflicts(ctx context.Context, in *conflictQuery) (page[obligations.Conflict], error) {
	found, err := s.session(ctx, in.ID)
	if err != nil {
		return page[obligations.Conflict]{}, err
	}
	var list []obligations.Conflict
	b := postgres.NewBatch(found.Tenant)
	obligations.LoadConflicts(b, found.Scope(), obligations.AllConflicts, &list)
	if err := b.Send(ctx, s.Pool); err != nil {
		return page[obligations.Conflict]{}, err
	}
	out := page[obligations.Conflict]{Items: []obligations.Conflict{}}
	for _, c := range list {
		if in.Status == "" || c.Status == in.Status {
			out.Items = append(out.Items, c)
		}
	}
	return out, nil
}

func (s *Server) resolveConflict(ctx context.Context, in *choosing) (obligations.Conflict, error) {
	found, p, err := s.party(ctx, in.ID, in.Body.As)
	if err != nil {
		return obligations.Conflict{}, err
	}
	b := in.Body
	choice := chat.ConflictDecision{Side: b.Side, Values: b.Values, Both: b.Both, Note: b.Note}
	if v := valueOf(b.Value); v != nil {
		if choice.Values != nil {
			return obligations.Conflict{}, fault.New(fault.Unprocessable, "name values by value and key, or by values").At("values")
		}
		choice.Values = map[string]json.RawMessage{b.Key: v}
	}
	c, err := s.Engine.ResolveConflict(ctx, found.Scope(), p, in.Conflict, choice)
	var f *fault.Error
	if errors.As(err, &f) && b.Values == nil && strings.HasPrefix(f.Field, "values.") {
		err = f.At("value")
	}
	return c, err
}
