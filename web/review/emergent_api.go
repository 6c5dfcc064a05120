package review

import (
	"context"
	"encoding/json"
	"time"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/web"
)

// mergeOrder merges the obligation in the address into another of the same session.
type mergeOrder struct {
	web.SessionPath
	Key  string `path:"key" doc:"of the obligation that is merged"`
	Body struct {
		Into string `json:"into" doc:"key of the obligation that stands for both afterwards"`
	}
}

// splitOrder replaces the obligation in the address by several that ask for less each.
type splitOrder struct {
	ObligationPath
	Body struct {
		Children []childBody `json:"children" minItems:"2" maxItems:"8"`
	}
}

// childBody is one of the obligations that another is split into. A field that is absent
// is taken from the parent.
type childBody struct {
	Key      string               `json:"key,omitempty" doc:"when absent, made from the label or the question"`
	Label    string               `json:"label,omitempty"`
	Prompt   string               `json:"prompt" doc:"the question"`
	Why      string               `json:"why,omitempty"`
	Widget   obligations.Widget   `json:"widgetType,omitempty" enum:"text,choice,multiselect,date,number" doc:"when absent, text"`
	Choices  []obligations.Choice `json:"choices,omitempty"`
	Unit     string               `json:"unit,omitempty"`
	Min      *float64             `json:"min,omitempty"`
	Max      *float64             `json:"max,omitempty"`
	Priority int                  `json:"priority,omitempty" minimum:"1" maximum:"10"`
}

// template leaves unset fields empty, which the engine fills from the parent.
func (c childBody) template() obligations.Template {
	return obligations.Template{Key: c.Key, Label: c.Label, Prompt: c.Prompt, Why: c.Why, Widget: c.Widget, Choices: c.Choices, Unit: c.Unit,
		Min: c.Min, Max: c.Max, Priority: c.Priority}
}

// suggestionBody is an emergent question of one session on the wire.
type suggestionBody struct {
	SessionID   string                 `json:"sessionId"`
	UserID      string                 `json:"userId" doc:"who began the session"`
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

// toSuggestionBody makes evidence an array even when there is none, as its schema promises.
func toSuggestionBody(p obligations.Suggestion) suggestionBody {
	t := &p.Template
	return suggestionBody{p.Scope.Session, p.User, p.ContextType, t.Key, t.Name(), t.Prompt, p.Status, p.Value, append([]obligations.Evidence{}, p.Evidence...), p.Turn, p.At}
}

// approval makes an emergent question part of the objective.
type approval struct {
	ObligationPath
	Body *approvalBody
}

// approvalBody is the question in the words that everybody is asked it in. No field is
// required by its schema, because the engine refuses a missing one with what to write.
type approvalBody struct {
	Label    string   `json:"label,omitempty" doc:"required: two or three words for lists; the key is made from them"`
	Prompt   string   `json:"prompt,omitempty" doc:"required: the question, in words that do not reveal who brought it up or what they said"`
	Why      string   `json:"why,omitempty" doc:"what the answer is for, told when a person asks"`
	Examples []string `json:"examples,omitempty" doc:"sample answers, at most 5"`
}

// suggestionGroup holds the emergent questions that ask the same thing, in whatever words.
type suggestionGroup struct {
	ContextType string           `json:"contextType"`
	Label       string           `json:"label"`
	Prompt      string           `json:"prompt"`
	Sessions    int              `json:"sessions" doc:"number of sessions it came up in"`
	Proposals   []suggestionBody `json:"proposals" doc:"latest first"`
}

// toSuggestionGroup takes the label and the question of the first, which is the latest. The
// list must not be empty. A session that brought the same up twice counts once.
func toSuggestionGroup(list []obligations.Suggestion) suggestionGroup {
	different := map[string]bool{}
	for _, p := range list {
		different[p.Scope.Session] = true
	}
	first := &list[0]
	return suggestionGroup{first.ContextType, first.Template.Name(), first.Template.Prompt, len(different), web.Map(list, toSuggestionBody)}
}

// suggestionQuery selects proposals by the context of their sessions; empty means all.
type suggestionQuery struct {
	ContextType string `query:"contextType"`
}

// mergeObligation merges one obligation into another, and answers with all of them.
func (s *Handlers) mergeObligation(ctx context.Context, found sessions.Session, in *mergeOrder) (web.Page[web.ObligationBody], error) {
	if err := s.Engine.Unite(ctx, found.Scope(), in.Key, in.Body.Into, web.ActorFrom(ctx).User); err != nil {
		return web.Page[web.ObligationBody]{}, err
	}
	return s.listObligations(ctx, found, nil)
}

// splitObligation splits an obligation into several, and answers with all of them.
func (s *Handlers) splitObligation(ctx context.Context, found sessions.Session, in *splitOrder) (web.Page[web.ObligationBody], error) {
	if err := s.Engine.Divide(ctx, found.Scope(), in.Key, web.Map(in.Body.Children, childBody.template), web.ActorFrom(ctx).User); err != nil {
		return web.Page[web.ObligationBody]{}, err
	}
	return s.listObligations(ctx, found, nil)
}

// listProposals returns the emergent questions of all of a tenant's sessions. Those that
// ask the same thing are one item.
func (s *Handlers) listProposals(ctx context.Context, in *suggestionQuery) (web.Page[suggestionGroup], error) {
	list, err := obligations.Suggestions(ctx, s.Pool, web.ActorFrom(ctx).Tenant, in.ContextType)
	return web.Page[suggestionGroup]{Items: web.Map(obligations.Group(list), toSuggestionGroup)}, err
}

// approveProposal publishes an emergent question, and answers with the new version of the
// objective.
func (s *Handlers) approveProposal(ctx context.Context, found sessions.Session, in *approval) (web.ObjectiveBody, error) {
	b := web.OrZero(in.Body)
	o, err := s.approve(ctx, found.Scope(), in.Key, obligations.Wording{Label: b.Label, Prompt: b.Prompt, Why: b.Why, Examples: b.Examples}, web.ActorFrom(ctx).User)
	if err != nil {
		return web.ObjectiveBody{}, err
	}
	return web.WithDefinition(o), nil
}

// approve publishes a new version of the objective that asks an emergent question of
// everybody, in the reviewer's words. It waits for others that publish on this server, which
// have checked their If-Match against the active version.
func (s *Handlers) approve(ctx context.Context, scope obligations.Scope, key string, words obligations.Wording, reviewer string) (objectives.Objective, error) {
	s.Publishing.Lock()
	defer s.Publishing.Unlock()
	return s.Engine.Approve(ctx, scope, key, words, reviewer)
}

// dismissProposal rejects an emergent question, and answers with the skipped obligation.
func (s *Handlers) dismissProposal(ctx context.Context, found sessions.Session, in *ObligationPath) (web.ObligationBody, error) {
	if err := s.Engine.Dismiss(ctx, found.Scope(), in.Key, web.ActorFrom(ctx).User); err != nil {
		return web.ObligationBody{}, err
	}
	return s.getObligation(ctx, found, in)
}
