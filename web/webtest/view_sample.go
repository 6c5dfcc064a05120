package webtest

import (
	"encoding/json"
	"testing"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web/talk"
)

const Bakery = "We bake bread 🥖 at night for forty cafés.\nThere are nine of us."

func Encoded(t *testing.T, v any) json.RawMessage {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Sample is a conversation after two turns.
func Sample(t *testing.T) talk.ChatView {
	t.Helper()
	span, quote, ok := obligations.Locate(Bakery, "nine of us")
	if !ok {
		t.Fatal("the sample does not contain its quote")
	}
	list := []obligations.Obligation{
		{
			Template: &obligations.Template{Key: "team_size", Label: "Team", Prompt: "How many are you?", Widget: obligations.Number, Unit: "people", Category: "Figures", Priority: 5},
			Status:   obligations.Satisfied, Confidence: 92, Value: Encoded(t, 9),
			Evidence: []obligations.Evidence{{Kind: obligations.Stated, By: "ann", Message: "2-user", Span: &span, Quote: quote}},
		},
		{
			Template: &obligations.Template{Key: "offer", Prompt: "What do you sell?", Widget: obligations.ChoiceOne, Choices: []obligations.Choice{{Value: "goods", Label: "Goods"}, {Value: "saas", Label: "Software"}}, Category: "Offer", Priority: 8},
			Status:   obligations.InProgress,
		},
		{
			Template: &obligations.Template{Key: "market", Label: "Market", Prompt: "Who buys?", Widget: obligations.Text, Category: "Figures", Priority: 9},
			Status:   obligations.Partial, Confidence: 40, Value: Encoded(t, "Cafés"),
			Evidence: []obligations.Evidence{{Kind: obligations.Stated, By: "bob", Quote: "only cafés", Flag: obligations.FlagQuoteNotFound}},
		},
		{
			Template: &obligations.Template{Key: "revenue", Label: "Revenue", Prompt: "What do you take?", Widget: obligations.Number, Unit: "money", Priority: 3},
			Status:   obligations.Skipped, SkipReason: obligations.Declined,
		},
	}
	return talk.ChatView{
		Session: sessions.Session{ID: "s-1", ContextType: "business_profile", Status: sessions.Active, Phase: sessions.Exploration},
		Title:   "Business profile", Description: "A business as it is.",
		Messages: []sessions.Message{
			{Turn: 1, Role: sessions.FromAssistant, Content: "Hello. What do you **do**?", Complete: true},
			{Turn: 2, Role: sessions.FromUser, User: "ann", Content: Bakery, Complete: true},
			{Turn: 2, Role: sessions.FromAssistant, Content: "Thank you. What do you", Complete: false},
		},
		Obligations: list, Previous: map[string]json.RawMessage{"team_size": Encoded(t, 7)},
		Completeness: obligations.Criteria{Required: []string{"offer", "market"}}.Score(list),
		Question:     &sessions.Question{Purpose: sessions.ToAsk, Key: "offer", Prompt: "What do you sell?", Widget: obligations.ChoiceOne, Choices: list[1].Choices, Why: "To fit the questions.", Attempt: 1},
		Interviewer:  "rules", LastSeq: 42, User: "ann", ClientMessageID: "0b7a2d5e-1111-4222-8333-444455556666",
	}
}
