package review

import (
	"context"
	"encoding/json"
	"time"

	"quaestor/internal/auth"
	"quaestor/obligations"
	"quaestor/sessions/objectives"
	"quaestor/web"
)

type mergeOrder struct {
	ID   string `path:"id" doc:"id of the session"`
	Key  string `path:"key" doc:"of the obligation that goes"`
	Body struct {
		Into string `json:"into" doc:"key of the obligation that stands for both from then on"`
	}
}

type splitOrder struct {
	ID   string `path:"id" doc:"id of the session"`
	Key  string `path:"key"`
	Body struct {
		Children []childBody `json:"children" minItems:"2" maxItems:"8"`
	}
}

// childBody is what a part of an obligation that is split asks. What is absent is
// its parent's.
type childBody struct {
	Key      string               `json:"key,omitempty" doc:"made from the label or the question when absent"`
	Label    string               `json:"label,omitempty"`
	Prompt   string               `json:"prompt" doc:"the question"`
	Why      string               `json:"why,omitempty"`
	Widget   obligations.Widget   `json:"widgetType,omitempty" enum:"text,choice,multiselect,date,number" doc:"text when absent"`
	Choices  []obligations.Choice `json:"choices,omitempty"`
	Unit     string               `json:"unit,omitempty"`
	Min      *float64             `json:"min,omitempty"`
	Max      *float64             `json:"max,omitempty"`
	Priority int                  `json:"priority,omitempty" minimum:"1" maximum:"10"`
}

func (c childBody) template() obligations.Template {
	return obligations.Template{Key: c.Key, Label: c.Label, Prompt: c.Prompt, Why: c.Why, Widget: c.Widget, Choices: c.Choices, Unit: c.Unit,
		Min: c.Min, Max: c.Max, Priority: c.Priority}
}

// suggestionBody is an obligation that came up, on the wire.
type suggestionBody struct {
	SessionID   string                 `json:"sessionId"`
	UserID      string                 `json:"userId" doc:"whose session it is"`
	ContextType string                 `json:"contextType"`
	Key         string                 `json:"key"`
	Label       string                 `json:"label"`
	Prompt      string                 `json:"prompt"`
	Status      obligations.Status     `json:"status"`
	Value       json.RawMessage        `json:"value,omitempty"`
	Evidence    []obligations.Evidence `json:"evidence" doc:"the words it came up in"`
	Turn        int                    `json:"turnNumber"`
	At          time.Time              `json:"createdAt"`
}

func toSuggestionBody(p obligations.Suggestion) suggestionBody {
	t := &p.Template
	return suggestionBody{p.Scope.Session, p.User, p.ContextType, t.Key, t.Name(), t.Prompt, p.Status, p.Value, append([]obligations.Evidence{}, p.Evidence...), p.Turn, p.At}
}

// approval is the question as everybody is asked it.
type approval struct {
	ID   string `path:"id" doc:"id of the session"`
	Key  string `path:"key"`
	Body *approvalBody
}

// approvalBody has no required fields for the description's sake: what is missing is
// refused by name, with what to do.
type approvalBody struct {
	Label    string   `json:"label,omitempty" doc:"needed: two or three words for lists. The key is made of it"`
	Prompt   string   `json:"prompt,omitempty" doc:"needed: the question, in words that do not tell who brought it up or what they said"`
	Why      string   `json:"why,omitempty" doc:"what the answer is for, said when a person asks"`
	Examples []string `json:"examples,omitempty" doc:"answers of the right kind, at most 5"`
}

// wording is what the body says; nothing for none.
func (b *approvalBody) wording() obligations.Wording {
	if b == nil {
		return obligations.Wording{}
	}
	return obligations.Wording{Label: b.Label, Prompt: b.Prompt, Why: b.Why, Examples: b.Examples}
}

// suggestionGroup holds what several sessions brought up in other words.
type suggestionGroup struct {
	ContextType string           `json:"contextType"`
	Label       string           `json:"label"`
	Prompt      string           `json:"prompt"`
	Sessions    int              `json:"sessions" doc:"how many it came up in"`
	Proposals   []suggestionBody `json:"proposals" doc:"latest first"`
}

func toSuggestionGroup(list []obligations.Suggestion) suggestionGroup {
	different := map[string]bool{}
	for _, p := range list {
		different[p.Scope.Session] = true
	}
	first := &list[0]
	return suggestionGroup{first.ContextType, first.Template.Name(), first.Template.Prompt, len(different), web.Map(list, toSuggestionBody)}
}

type suggestionQuery struct {
	ContextType string `query:"contextType"`
}

// reviewed returns the scope of a session that the actor may review, and who
// that is.
func (s *Handlers) reviewed(ctx context.Context, id string) (obligations.Scope, string, error) {
	a := web.ActorFrom(ctx)
	found, err := s.Session(ctx, id)
	if err == nil {
		err = web.Need(a, auth.Review)
	}
	return found.Scope(), a.User, err
}

func (s *Handlers) mergeObligation(ctx context.Context, in *mergeOrder) (web.Page[web.ObligationBody], error) {
	scope, reviewer, err := s.reviewed(ctx, in.ID)
	if err != nil {
		return web.Page[web.ObligationBody]{}, err
	}
	if err := s.Engine.Unite(ctx, scope, in.Key, in.Body.Into, reviewer); err != nil {
		return web.Page[web.ObligationBody]{}, err
	}
	return s.listObligations(ctx, &web.SessionPath{ID: in.ID})
}

func (s *Handlers) splitObligation(ctx context.Context, in *splitOrder) (web.Page[web.ObligationBody], error) {
	scope, reviewer, err := s.reviewed(ctx, in.ID)
	if err != nil {
		return web.Page[web.ObligationBody]{}, err
	}
	if err := s.Engine.Divide(ctx, scope, in.Key, web.Map(in.Body.Children, childBody.template), reviewer); err != nil {
		return web.Page[web.ObligationBody]{}, err
	}
	return s.listObligations(ctx, &web.SessionPath{ID: in.ID})
}

func (s *Handlers) listProposals(ctx context.Context, in *suggestionQuery) (web.Page[suggestionGroup], error) {
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Review); err != nil {
		return web.Page[suggestionGroup]{}, err
	}
	list, err := obligations.Suggestions(ctx, s.Pool, a.Tenant, in.ContextType)
	return web.Page[suggestionGroup]{Items: web.Map(obligations.Group(list), toSuggestionGroup)}, err
}

func (s *Handlers) approveProposal(ctx context.Context, in *approval) (web.ObjectiveBody, error) {
	o, err := s.approve(ctx, in.ID, in.Key, in.Body.wording())
	if err != nil {
		return web.ObjectiveBody{}, err
	}
	return web.WithDefinition(o), nil
}

// approve publishes what came up in a session, in the reviewer's words.
func (s *Handlers) approve(ctx context.Context, id, key string, words obligations.Wording) (objectives.Objective, error) {
	scope, reviewer, err := s.reviewed(ctx, id)
	if err != nil {
		return objectives.Objective{}, err
	}
	s.Publishing.Lock()
	defer s.Publishing.Unlock()
	return s.Engine.Approve(ctx, scope, key, words, reviewer)
}

func (s *Handlers) dismissProposal(ctx context.Context, in *obligationPath) (web.ObligationBody, error) {
	scope, reviewer, err := s.reviewed(ctx, in.ID)
	if err != nil {
		return web.ObligationBody{}, err
	}
	if err := s.Engine.Dismiss(ctx, scope, in.Key, reviewer); err != nil {
		return web.ObligationBody{}, err
	}
	return s.getObligation(ctx, in)
}
