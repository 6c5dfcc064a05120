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

// rejection rejects a value, which opens a dispute over it.
type rejection struct {
	ObligationPath
	Body struct {
		AgentProposal json.RawMessage `json:"agentProposal,omitempty" doc:"the value that is rejected; when left out, the one that is held"`
		UserRejection string          `json:"userRejection" doc:"what is wrong with it"`
		As            web.ActingAs    `json:"as,omitempty"`
	}
}

// userValue is the value that the person holds to be right in a dispute.
type userValue struct {
	ObligationPath
	Body struct {
		UserValue json.RawMessage `json:"userValue" doc:"in the shape of the obligation's widget"`
		As        web.ActingAs    `json:"as,omitempty"`
	}
}

// settlement ends a dispute.
type settlement struct {
	ObligationPath
	Body struct {
		FinalValue json.RawMessage        `json:"finalValue,omitempty" doc:"required for a compromise; otherwise the proposal or the person's value is taken"`
		Resolution obligations.Resolution `json:"resolution" enum:"user_accepted,agent_accepted,compromise"`
		Note       string                 `json:"note,omitempty"`
		As         web.ActingAs           `json:"as,omitempty"`
	}
}

// decision sets a value as a reviewer.
type decision struct {
	ObligationPath
	Body struct {
		Value json.RawMessage `json:"value" doc:"in the shape of the obligation's widget"`
		Note  string          `json:"note,omitempty" doc:"why; kept with the value"`
	}
}

// reopening takes a value back, so that it is asked for again. Its body may be absent.
type reopening struct {
	ObligationPath
	Body *reopeningBody
}

type reopeningBody struct {
	Note string       `json:"note,omitempty"`
	As   web.ActingAs `json:"as,omitempty"`
}

// skipping leaves an obligation out, for a reason.
type skipping struct {
	ObligationPath
	Body struct {
		Reason obligations.SkipReason `json:"reason" enum:"not_applicable,no_preference,declined"`
		Note   string                 `json:"note,omitempty"`
		As     web.ActingAs           `json:"as,omitempty"`
	}
}

// choosing decides a conflict by one of side, value with key, values, or both.
type choosing struct {
	ID       string `path:"id" doc:"id of the session"`
	Conflict string `path:"conflictId"`
	Body     struct {
		Side   *int                       `json:"side,omitempty" doc:"counted from 0: that value stands"`
		Value  json.RawMessage            `json:"value,omitempty" doc:"another value is right"`
		Key    string                     `json:"key,omitempty" doc:"the obligation of value, when the conflict is over several"`
		Values map[string]json.RawMessage `json:"values,omitempty" doc:"other values are right, by obligation; obligations that are not named keep theirs"`
		Both   bool                       `json:"both,omitempty" doc:"the values of all obligations hold in spite of the conflict"`
		Note   string                     `json:"note,omitempty"`
		As     web.ActingAs               `json:"as,omitempty"`
	}
}

// conflictQuery selects the conflicts of a session by their status.
type conflictQuery struct {
	web.SessionPath
	Status string `query:"status" enum:"open,resolved" doc:"when left out, both"`
}

// confirmation agrees to a value that is held, such as one that research proposed. Its body
// may be absent.
type confirmation struct {
	ObligationPath
	Body *confirmationBody
}

type confirmationBody struct {
	Value json.RawMessage `json:"value,omitempty" doc:"the value that is meant: when another is held by now, the answer is 409. When left out, whichever is held" example:"\"Bicycle repair\""`
	As    web.ActingAs    `json:"as,omitempty"`
}

// actor returns the session, and the capacity in which the actor of the request acts in it.
func (s *Handlers) actor(ctx context.Context, id string, as web.ActingAs) (sessions.Session, chat.Actor, error) {
	found, reviewer, err := s.Party(ctx, id, as)
	return found, chat.Actor{User: web.ActorFrom(ctx).User, Reviewer: reviewer}, err
}

// change applies one operation of the engine to an obligation, and answers with the
// obligation as it is afterwards.
func (s *Handlers) change(ctx context.Context, id string, as web.ActingAs, apply func(obligations.Scope, chat.Actor) (obligations.Obligation, error)) (web.ObligationBody, error) {
	found, actor, err := s.actor(ctx, id, as)
	if err != nil {
		return web.ObligationBody{}, err
	}
	o, err := apply(found.Scope(), actor)
	if err != nil {
		return web.ObligationBody{}, err
	}
	return web.ToObligationBody(o), nil
}

// startNegotiation rejects a value. It is taken back until the dispute ends, unless a
// reviewer has decided it.
func (s *Handlers) startNegotiation(ctx context.Context, in *rejection) (web.ObligationBody, error) {
	return s.change(ctx, in.ID, in.Body.As, func(sc obligations.Scope, a chat.Actor) (obligations.Obligation, error) {
		return s.Engine.StartNegotiation(ctx, sc, a, in.Key, valueOf(in.Body.AgentProposal), in.Body.UserRejection)
	})
}

// submitUserValue records the person's value in an open dispute, which goes on.
func (s *Handlers) submitUserValue(ctx context.Context, in *userValue) (web.ObligationBody, error) {
	return s.change(ctx, in.ID, in.Body.As, func(sc obligations.Scope, a chat.Actor) (obligations.Obligation, error) {
		return s.Engine.SubmitUserValue(ctx, sc, a, in.Key, in.Body.UserValue)
	})
}

// resolveNegotiation ends a dispute with a value. Only reviewers end one that was escalated.
func (s *Handlers) resolveNegotiation(ctx context.Context, in *settlement) (web.ObligationBody, error) {
	end := chat.Settlement{Value: valueOf(in.Body.FinalValue), Resolution: in.Body.Resolution, Note: in.Body.Note}
	return s.change(ctx, in.ID, in.Body.As, func(sc obligations.Scope, a chat.Actor) (obligations.Obligation, error) {
		return s.Engine.ResolveNegotiation(ctx, sc, a, in.Key, end)
	})
}

// confirmValue confirms the value held or, in a dispute, the one proposed. A person agrees
// to it; a reviewer decides it.
func (s *Handlers) confirmValue(ctx context.Context, in *confirmation) (web.ObligationBody, error) {
	b := web.OrZero(in.Body)
	return s.change(ctx, in.ID, b.As, func(sc obligations.Scope, a chat.Actor) (obligations.Obligation, error) {
		return s.Engine.Confirm(ctx, sc, a, in.Key, valueOf(b.Value))
	})
}

// decideValue sets a value as a reviewer, over whatever was said before.
func (s *Handlers) decideValue(ctx context.Context, in *decision) (web.ObligationBody, error) {
	return s.change(ctx, in.ID, asReviewer, func(sc obligations.Scope, a chat.Actor) (obligations.Obligation, error) {
		return s.Engine.SetValue(ctx, sc, a, in.Key, in.Body.Value, in.Body.Note)
	})
}

// reopenObligation takes back a value, or the decision to skip it.
func (s *Handlers) reopenObligation(ctx context.Context, in *reopening) (web.ObligationBody, error) {
	b := web.OrZero(in.Body)
	return s.change(ctx, in.ID, b.As, func(sc obligations.Scope, a chat.Actor) (obligations.Obligation, error) {
		return s.Engine.Reopen(ctx, sc, a, in.Key, b.Note)
	})
}

// skipObligation leaves an obligation out, for a reason.
func (s *Handlers) skipObligation(ctx context.Context, in *skipping) (web.ObligationBody, error) {
	return s.change(ctx, in.ID, in.Body.As, func(sc obligations.Scope, a chat.Actor) (obligations.Obligation, error) {
		return s.Engine.Skip(ctx, sc, a, in.Key, in.Body.Reason, in.Body.Note)
	})
}

// asReviewer is the capacity of operations that only reviewers have.
const asReviewer web.ActingAs = "reviewer"

// valueOf returns an optional value of a body. JSON's null counts as absent.
func valueOf(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}

// listConflicts returns a session's conflicts of a status, all on one page: sessions have
// few.
func (s *Handlers) listConflicts(ctx context.Context, found sessions.Session, in *conflictQuery) (web.Page[obligations.Conflict], error) {
	out := web.Page[obligations.Conflict]{Items: []obligations.Conflict{}}
	var list []obligations.Conflict
	b := postgres.NewBatch(found.Tenant)
	obligations.LoadConflicts(b, found.Scope(), obligations.AllConflicts, &list)
	if err := b.Send(ctx, s.Pool); err != nil {
		return out, err
	}
	wanted := web.Where(list, func(c obligations.Conflict) bool { return in.Status == "" || c.Status == in.Status })
	out.Items = append(out.Items, wanted...)
	return out, nil
}

// resolveConflict decides a conflict. A fault in one of the values is named as the client
// sent it: under "value" when that is what the body holds, else under "values".
func (s *Handlers) resolveConflict(ctx context.Context, in *choosing) (obligations.Conflict, error) {
	found, actor, err := s.actor(ctx, in.ID, in.Body.As)
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
	c, err := s.Engine.ResolveConflict(ctx, found.Scope(), actor, in.Conflict, choice)
	var f *fault.Error
	if errors.As(err, &f) && b.Values == nil && strings.HasPrefix(f.Field, "values.") {
		err = f.At("value")
	}
	return c, err
}
