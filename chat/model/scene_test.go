package model_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"quaestor/chat"
	"quaestor/chat/model"
	"quaestor/internal/llm"
	"quaestor/internal/llm/llmtest"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// modelSetup starts a scripted model and an interviewer on it.
func modelSetup(t testing.TB) (*model.Model, *llmtest.Server) {
	t.Helper()
	srv := llmtest.New(t)
	c, err := llm.New(llm.Options{BaseURL: srv.URL(), Model: "m", Retries: -1, FirstToken: 2 * time.Second, Idle: time.Second})
	if err != nil {
		t.Fatalf("llm.New: %v", err)
	}
	t.Cleanup(c.Close)
	return model.New(c, nil), srv
}

// bounded is a context that ends before the test run would.
func bounded(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func ptr[T any](v T) *T { return &v }

// shopDefinition is an objective with one obligation of each kind.
func shopDefinition() *objectives.Definition {
	return &objectives.Definition{
		ContextType: "shop", Version: "1.0.0", DisplayName: "Shop profile", Description: "Understand a shop as it is today.",
		Greeting: "Hello, and thank you for making the time. You can skip a question or correct anything you said.",
		Obligations: []obligations.Template{
			{Key: "overview", FieldPath: "overview", Label: "What the shop does", Prompt: "What does your shop do?", Why: "So that every later question fits.", Widget: obligations.Text, Priority: 9, Category: "The shop"},
			{Key: "team_size", FieldPath: "team.size", Label: "Team size", Prompt: "How many people work there?", Why: "Plans differ with the number of hands.", Widget: obligations.Number, Unit: "people", Integer: true, Min: ptr(1.0), Max: ptr(500.0), Priority: 8, Category: "The shop", Examples: []string{"Four", "Between 10 and 12"}},
			{Key: "pricing", FieldPath: "pricing", Label: "Pricing", Prompt: "How do you set your prices?", Widget: obligations.ChoiceOne, Priority: 5, Category: "Money", Choices: []obligations.Choice{
				{Value: "cost_plus", Label: "Costs plus a margin", Synonyms: []string{"markup"}}, {Value: "match_competitors", Label: "In line with competitors", Synonyms: []string{"going rate"}}}},
			{Key: "channels", FieldPath: "channels", Label: "Sales channels", Prompt: "Where do you sell?", Widget: obligations.MultiSelect, AllowOther: true, Priority: 6, Category: "Money", Choices: []obligations.Choice{
				{Value: "store", Label: "In the shop"}, {Value: "online", Label: "Online", Synonyms: []string{"website"}}, {Value: "market", Label: "On markets"}}},
			{Key: "opening", FieldPath: "opening", Label: "Opening date", Prompt: "When did or will it open?", Widget: obligations.Date, Priority: 4, Category: "The shop"},
			{Key: "segment", FieldPath: "segment", Label: "Customers", Prompt: "Who are your customers?", Widget: obligations.Text, Priority: 7, Category: "Money", FollowUpStrategy: "Ask about the last three customers."},
		},
		Phases: objectives.Phases{
			Opening: objectives.PhaseConfig{Goal: "Make the person comfortable."}, Exploration: objectives.PhaseConfig{Goal: "Learn how the shop works.", Entry: "Now piece by piece."},
			Validation: objectives.PhaseConfig{Goal: "Check what is doubtful.", Entry: "Let me check a few things."}, Closing: objectives.PhaseConfig{Goal: "Sum up.", Entry: "That is nearly everything."}},
		Completion: obligations.Criteria{MinSatisfied: 5, MinConfidence: 70, Required: []string{"overview", "team_size"}},
	}
}

// shopScene is turn 3 of a conversation about a shop, in which the team size is
// asked and message is said.
func shopScene(message string) *chat.Scene {
	d := shopDefinition()
	s := &chat.Scene{
		Scope: obligations.Scope{Tenant: "t", Session: "s"}, Turn: 3, Now: time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC), Person: "u1", Objective: d,
		Session:     sessions.Session{ID: "s", Tenant: "t", ContextType: "shop", Phase: sessions.Exploration, Turns: 3},
		Obligations: obligations.Fresh(d.Obligations, obligations.Origin{Layer: obligations.Shipped}),
		Transcript: []sessions.Message{
			{Turn: 1, Role: sessions.FromAssistant, Content: "Hello. What does your shop do?"},
			{Turn: 2, Role: sessions.FromUser, Content: "We sell handmade cheese to restaurants."},
			{Turn: 2, Role: sessions.FromAssistant, Content: "Cheese for restaurants, noted. How many people work there?"},
		},
		Message: message,
	}
	ask(s, "team_size", sessions.ToAsk)
	return s
}

// ask makes a question about key the one asked last.
func ask(s *chat.Scene, key string, purpose sessions.Purpose) {
	o := obligations.Find(s.Obligations, key)
	s.Asked = &sessions.Question{Purpose: purpose, Key: key, Label: o.Name(), Prompt: o.Prompt, Widget: o.Widget, Choices: o.Choices, Why: o.Why, Attempt: 1}
	if purpose == sessions.ToConfirm {
		s.Asked.Proposal = o.Value
	}
}

// hold gives key a value that the person stated, satisfied unless it is doubtful.
func hold(s *chat.Scene, key, value string, status obligations.Status) {
	o := obligations.Find(s.Obligations, key)
	o.Value, o.Status, o.Confidence = json.RawMessage(value), status, 92
	o.Evidence = []obligations.Evidence{{Kind: obligations.Stated, Turn: 2, Message: "2-user", Quote: "handmade cheese", Span: &obligations.Span{Start: 8, End: 23}}}
	if status == obligations.Partial {
		o.Confidence = 60
	}
}

// doc is an object of a scripted answer.
type doc = map[string]any

// said is a finding as a model writes it, with what changes.
func said(key, act string, value any, quote string, more ...doc) doc {
	f := doc{"key": key, "act": act, "value": value, "quote": quote, "hedged": false, "vague": false, "confidence": 0.9, "skip_reason": nil, "premises": []string{}, "reason": "said so"}
	for _, m := range more {
		for k, v := range m {
			f[k] = v
		}
	}
	return f
}

// reading is a whole answer of a model.
func reading(intent string, findings ...doc) doc {
	if findings == nil {
		findings = []doc{}
	}
	return doc{"intent": intent, "about": nil, "findings": findings, "research": []doc{}, "proposals": []doc{}, "topic": nil, "follow_ups": []doc{}, "relationships": []doc{}, "preferences": []doc{}, "style": nil}
}

// understood asks the scripted model about s and screens what it says, as a turn
// does.
func understood(t *testing.T, s *chat.Scene, answer doc) chat.Understanding {
	t.Helper()
	m, srv := modelSetup(t)
	srv.OnUnderstand(llmtest.Reply{JSON: answer})
	u, err := m.Understand(bounded(t), s)
	if err != nil {
		t.Fatalf("Understand: %v", err)
	}
	if got := srv.Requests()[0].LastUser(); got != s.Message {
		t.Fatalf("the last message sent is %q, want the person's own %q", got, s.Message)
	}
	return chat.Screen(s, u, nil)
}
