package web

import (
	"context"
	"encoding/json"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/internal/auth"
	"quaestor/obligations"
	"quaestor/sessions/objectives"
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
	return suggestionGroup{first.ContextType, first.Template.Name(), first.Template.Prompt, len(different), items(list, toSuggestionBody)}
}

type suggestionQuery struct {
	ContextType string `query:"contextType"`
}

func (s *Server) emergentRoutes(a huma.API) {
	add(a, onPost("/api/v1/sessions/{id}/obligations/{key}/merge", "obligation-merge", "Merge an obligation into another; both keys stay"), s.mergeObligation)
	add(a, onPost("/api/v1/sessions/{id}/obligations/{key}/split", "obligation-split", "Split an overloaded obligation into several"), s.splitObligation)
	add(a, onGet("/api/v1/proposals", "proposal-list", "What came up in sessions and waits for a reviewer, the same things together"), s.listProposals)
	add(a, onPost("/api/v1/sessions/{id}/obligations/{key}/approve", "proposal-approve", "Take what came up into the objective, in neutral words: its next minor version"), s.approveProposal)
	add(a, onPost("/api/v1/sessions/{id}/obligations/{key}/dismiss", "proposal-dismiss", "Say that what came up is not wanted"), s.dismissProposal)
}

// reviewed returns the scope of a session that the actor may review, and who
// that is.
func (s *Server) reviewed(ctx context.Context, id string) (obligations.Scope, string, error) {
	a := actorFrom(ctx)
	found, err := s.session(ctx, id)
	if err == nil {
		err = need(a, auth.Review)
	}
	return found.Scope(), a.User, err
}

func (s *Server) mergeObligation(ctx context.Context, in *mergeOrder) (page[obligationBody], error) {
	scope, reviewer, err := s.reviewed(ctx, in.ID)
	if err != nil {
		return page[obligationBody]{}, err
	}
	if err := s.Engine.Unite(ctx, scope, in.Key, in.Body.Into, reviewer); err != nil {
		return page[obligationBody]{}, err
	}
	return s.listObligations(ctx, &sessionPath{ID: in.ID})
}

func (s *Server) splitObligation(ctx context.Context, in *splitOrder) (page[obligationBody], error) {
	scope, reviewer, err := s.reviewed(ctx, in.ID)
	if err != nil {
		return page[obligationBody]{}, err
	}
	if err := s.Engine.Divide(ctx, scope, in.Key, items(in.Body.Children, childBody.template), reviewer); err != nil {
		return page[obligationBody]{}, err
	}
	return s.listObligations(ctx, &sessionPath{ID: in.ID})
}

func (s *Server) listProposals(ctx context.Context, in *suggestionQuery) (page[suggestionGroup], error) {
	a := actorFrom(ctx)
	if err := need(a, auth.Review); err != nil {
		return page[suggestionGroup]{}, err
	}
	list, err := obligations.Suggestions(ctx, s.Pool, a.Tenant, in.ContextType)
	return page[suggestionGroup]{Items: items(obligations.Group(list), toSuggestionGroup)}, err
}

func (s *Server) approveProposal(ctx context.Context, in *approval) (objectiveBody, error) {
	o, err := s.approve(ctx, in.ID, in.Key, in.Body.wording())
	if err != nil {
		return objectiveBody{}, err
	}
	return withDefinition(o), nil
}

// approve publishes what came up in a session, in the reviewer's words.
func (s *Server) approve(ctx context.Context, id, key string, words obligations.Wording) (objectives.Objective, error) {
	scope, reviewer, err := s.reviewed(ctx, id)
	if err != nil {
		return objectives.Objective{}, err
	}
	s.publishing.Lock()
	defer s.publishing.Unlock()
	return s.Engine.Approve(ctx, scope, key, words, reviewer)
}

func (s *Server) dismissProposal(ctx context.Context, in *obligationPath) (obligationBody, error) {
	scope, reviewer, err := s.reviewed(ctx, in.ID)
	if err != nil {
		return obligationBody{}, err
	}
	if err := s.Engine.Dismiss(ctx, scope, in.Key, reviewer); err != nil {
		return obligationBody{}, err
	}
	return s.getObligation(ctx, in)
}
