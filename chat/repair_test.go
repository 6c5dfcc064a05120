package chat_test

import (
	"encoding/json"
	"testing"

	"quaestor/chat"
	"quaestor/internal/llm/llmtest"
	"quaestor/sessions"
)

// A model's question that breaks the rules is always replaced by the plan's own.
func TestReplyAsksWhatThePlanAsks(t *testing.T) {
	t.Parallel()

	const own = "What does your shop sell?"
	for _, tt := range []struct{ name, said, want, repaired string }{
		{"good", "Welcome. So what do you sell?", "Welcome. So what do you sell?", ""},
		{"in the plan's words", "Welcome. " + own, "Welcome. " + own, ""},
		{"in another language", "Willkommen. Was verkauft Ihr Laden?", "Willkommen. Was verkauft Ihr Laden?", ""},
		{"nothing asked", "Welcome.", "Welcome.\n\n" + own, "no_question"},
		{"two questions", "Welcome. What do you sell? Who buys it?", "Welcome.\n\n" + own, "several_at_once"},
		{"two in one", "Welcome. What do you sell and who buys it?", "Welcome.\n\n" + own, "double_barrel"},
		{"leading", "Surely you sell bread?", "Hello. " + own, "leading"},
		{"jargon", "Welcome. What is your value proposition?", "Welcome.\n\n" + own, "jargon"},
		{"two rules", "Welcome. Surely you have stakeholders?", "Welcome.\n\n" + own, "leading,jargon"},
		{"lines", "Welcome.\nGood to see you.\nWhat do you sell? Bread?", "Welcome.\nGood to see you.\n\n" + own, "several_at_once"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			model := llmtest.New(t)
			model.OnReply(llmtest.Reply{Text: tt.said})
			d := newHarness(t, setup{model: model})

			m := payload[sessions.MessageEvent](t, d.take(d.input("")), sessions.KindMessage)

			turn, err := sessions.FindTurn(t.Context(), d.pool, d.scope, 1)
			if err != nil {
				t.Fatal(err)
			}
			var u chat.Usage
			if err := json.Unmarshal(turn.Usage, &u); err != nil {
				t.Fatal(err)
			}
			if m.Content != tt.want || !m.Complete || m.Degraded != "" || u.Repaired != tt.repaired {
				t.Errorf("%q becomes %q, repaired %q, degraded %q; want %q, %q", tt.said, m.Content, u.Repaired, m.Degraded, tt.want, tt.repaired)
			}
		})
	}
}
