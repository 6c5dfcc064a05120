package chat

import (
	"testing"

	"quaestor/obligations"
	"quaestor/sessions"
)

// People may say what to talk about first, in either language.
func TestWishesForATopic(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ language, message, want string }{
		{"en", "can we talk about the budget first?", "budget"},
		{"en", "let us do the competitors now", "competitors"},
		{"en", "I'd rather start with pricing", "pricing_strategy"},
		{"en", "we start at six in the morning", ""},
		{"en", "we now sell cakes", ""},
		{"de", "Können wir zuerst über das Budget reden?", "budget"},
		{"de", "Ich würde lieber mit den Preisen anfangen", "pricing_strategy"},
		{"de", "Wir fangen jetzt um sechs an", ""},
	} {
		s, _ := shippedPlan(t, "business_profile", tt.language, "industry")
		s.Message, s.Asked = tt.message, &sessions.Question{Purpose: sessions.ToAsk, Key: "industry"}
		if got := readTopic(s, Understanding{}).First; got != tt.want {
			t.Errorf("%q: %q, want %q", tt.message, got, tt.want)
		}
	}
	s, _ := shippedPlan(t, "business_profile", "en", "industry")
	s.Message = "can we talk about the budget first?"
	u := Understanding{Intent: Answer, Findings: []obligations.Finding{{Key: "industry", Act: obligations.Tell}}}
	if got := readTopic(s, u).First; got != "" {
		t.Errorf("an answer is taken for a wish: %q", got)
	}
}
