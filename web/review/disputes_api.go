package review

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"quaestor/chat"
	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
)

// rejection opens a dispute.
type rejection struct {
	ID   string `path:"id" doc:"id of the session"`
	Key  string `path:"key"`
	Body struct {
		AgentProposal json.RawMessage `json:"agentProposal,omitempty" doc:"the value rejected; the one held when left out"`
		UserRejection string          `json:"userRejection" doc:"what is wrong with it"`
		As            web.ActingAs    `json:"as,omitempty"`
	}
}

// userValue is what the person says is right.
type userValue struct {
	ID   string `path:"id" doc:"id of the session"`
	Key  string `path:"key"`
	Body struct {
		UserValue json.RawMessage `json:"userValue" doc:"its shape is that of the obligation's widget"`
		As        web.ActingAs    `json:"as,omitempty"`
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
		As         web.ActingAs           `json:"as,omitempty"`
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
	Note string       `json:"note,omitempty"`
	As   web.ActingAs `json:"as,omitempty"`
}

// skipping leaves an obligation out.
type skipping struct {
	ID   string `path:"id" doc:"id of the session"`
	Key  string `path:"key"`
	Body struct {
		Reason obligations.SkipReason `json:"reason" enum:"not_applicable,declined"`
		Note   string                 `json:"note,omitempty"`
		As     web.ActingAs           `json:"as,omitempty"`
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
		As     web.ActingAs               `json:"as,omitempty"`
	}
}

type conflictQuery struct {
	ID     string `path:"id" doc:"id of the session"`
	Status string `query:"status" enum:"open,resolved" doc:"all when left out"`
}

// confirmation says yes to a value, such as one that research proposed.
type confirmation struct {
	ID   string `path:"id" doc:"id of the session"`
	Key  string `path:"key"`
	Body *confirmationBody
}

type confirmationBody struct {
	Value json.RawMessage `json:"value,omitempty" doc:"the value meant: when another is held by now, the answer is 409; whichever is held when left out" example:"\"Bicycle repair\""`
	As    web.ActingAs    `json:"as,omitempty"`
}

// actor returns the session and as whom the actor of a request acts in it.
func (s *Handlers) chatActor(ctx context.Context, id string, as web.ActingAs) (sessions.Session, chat.Actor, error) {
	found, reviewer, err := s.Party(ctx, id, as)
	return found, chat.Actor{User: web.ActorFrom(ctx).User, Reviewer: reviewer}, err
}

func (s *Handlers) startNegotiation(ctx context.Context, in *rejection) (web.ObligationBody, error) {
	return s.dispute(ctx, in.ID, in.Body.As, func(sc obligations.Scope, p chat.Actor) (obligations.Obligation, error) {
		return s.Engine.StartNegotiation(ctx, sc, p, in.Key, valueOf(in.Body.AgentProposal), in.Body.UserRejection)
	})
}

func (s *Handlers) submitUserValue(ctx context.Context, in *userValue) (web.ObligationBody, error) {
	return s.dispute(ctx, in.ID, in.Body.As, func(sc obligations.Scope, p chat.Actor) (obligations.Obligation, error) {
		return s.Engine.SubmitUserValue(ctx, sc, p, in.Key, in.Body.UserValue)
	})
}

func (s *Handlers) resolveNegotiation(ctx context.Context, in *settlement) (web.ObligationBody, error) {
	return s.dispute(ctx, in.ID, in.Body.As, func(sc obligations.Scope, p chat.Actor) (obligations.Obligation, error) {
		end := chat.Settlement{Value: valueOf(in.Body.FinalValue), Resolution: in.Body.Resolution, Note: in.Body.Note}
		return s.Engine.ResolveNegotiation(ctx, sc, p, in.Key, end)
	})
}

func (s *Handlers) confirmValue(ctx context.Context, in *confirmation) (web.ObligationBody, error) {
	var b confirmationBody
	if in.Body != nil {
		b = *in.Body
	}
	return s.dispute(ctx, in.ID, b.As, func(sc obligations.Scope, p chat.Actor) (obligations.Obligation, error) {
		return s.Engine.Confirm(ctx, sc, p, in.Key, valueOf(b.Value))
	})
}

func (s *Handlers) decideValue(ctx context.Context, in *decision) (web.ObligationBody, error) {
	return s.dispute(ctx, in.ID, "reviewer", func(sc obligations.Scope, p chat.Actor) (obligations.Obligation, error) {
		return s.Engine.SetValue(ctx, sc, p, in.Key, in.Body.Value, in.Body.Note)
	})
}

func (s *Handlers) reopenObligation(ctx context.Context, in *reopening) (web.ObligationBody, error) {
	var b reopeningBody
	if in.Body != nil {
		b = *in.Body
	}
	return s.dispute(ctx, in.ID, b.As, func(sc obligations.Scope, p chat.Actor) (obligations.Obligation, error) {
		return s.Engine.Reopen(ctx, sc, p, in.Key, b.Note)
	})
}

func (s *Handlers) skipObligation(ctx context.Context, in *skipping) (web.ObligationBody, error) {
	return s.dispute(ctx, in.ID, in.Body.As, func(sc obligations.Scope, p chat.Actor) (obligations.Obligation, error) {
		return s.Engine.Skip(ctx, sc, p, in.Key, in.Body.Reason, in.Body.Note)
	})
}

// dispute runs one operation on an obligation in the name of the actor.
func (s *Handlers) dispute(ctx context.Context, id string, as web.ActingAs, do func(obligations.Scope, chat.Actor) (obligations.Obligation, error)) (web.ObligationBody, error) {
	found, p, err := s.chatActor(ctx, id, as)
	if err != nil {
		return web.ObligationBody{}, err
	}
	o, err := do(found.Scope(), p)
	if err != nil {
		return web.ObligationBody{}, err
	}
	return web.ToObligationBody(o), nil
}

// valueOf returns a value that may be left out: null is none.
func valueOf(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}

func (s *Handlers) listConflicts(ctx context.Context, in *conflictQuery) (web.Page[obligations.Conflict], error) {
	found, err := s.Session(ctx, in.ID)
	if err != nil {
		return web.Page[obligations.Conflict]{}, err
	}
	var list []obligations.Conflict
	b := postgres.NewBatch(found.Tenant)
	obligations.LoadConflicts(b, found.Scope(), obligations.AllConflicts, &list)
	if err := b.Send(ctx, s.Pool); err != nil {
		return web.Page[obligations.Conflict]{}, err
	}
	out := web.Page[obligations.Conflict]{Items: []obligations.Conflict{}}
	for _, c := range list {
		if in.Status == "" || c.Status == in.Status {
			out.Items = append(out.Items, c)
		}
	}
	return out, nil
}

func (s *Handlers) resolveConflict(ctx context.Context, in *choosing) (obligations.Conflict, error) {
	found, p, err := s.chatActor(ctx, in.ID, in.Body.As)
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
