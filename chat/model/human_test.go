package model_test

import (
	"strings"
	"testing"

	"quaestor/chat"
	"quaestor/internal/llm/llmtest"
)

// A person who asks for a human being is told that there is a note, and whom they can reach,
// whether the model or the rules heard the wish.
func TestReplyKnowsOfTheWishForHuman(t *testing.T) {
	t.Parallel()

	for _, test := range []struct {
		name, message string
		u             chat.Understanding
		told          bool
	}{
		{"heard by its words", "Can I speak to a human?", chat.Understanding{Intent: chat.OffTopic}, true},
		{"heard by the model", "Je veux parler à quelqu'un", chat.Understanding{Intent: chat.OffTopic, Beside: []chat.Remark{chat.WishForHuman("Je veux parler à quelqu'un")}}, true},
		{"none", "We speak to people at the market", chat.Understanding{Intent: chat.Answer}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()

			m, srv := modelSetup(t)
			srv.OnReply(llmtest.Reply{Pieces: []string{"Of course."}})
			s := shopScene(test.message)
			s.Contact = "Jane Doe, +1 555 0100"
			u := chat.Screen(s, test.u, nil)
			if told := chat.AsksForHuman(&u); told != test.told || told && u.Intent != chat.AskMeta {
				t.Fatalf("understood as %+v", u)
			}
			if _, err := m.Reply(bounded(t), s, chat.Decide(s, u), func(string) error { return nil }); err != nil {
				t.Fatal(err)
			}
			var prompt strings.Builder
			for _, r := range srv.Requests() {
				for _, msg := range r.Messages {
					prompt.WriteString(msg.Content)
				}
			}
			for _, words := range []string{"forAPersonToTalkTo", "Jane Doe, +1 555 0100", "The person asks for a human being."} {
				if strings.Contains(prompt.String(), words) != test.told {
					t.Errorf("the prompt has %q: %t, want %t", words, !test.told, test.told)
				}
			}
		})
	}
}

func TestModelHearsTheWishForHuman(t *testing.T) {
	t.Parallel()

	m, srv := modelSetup(t)
	srv.OnUnderstand(llmtest.Reply{Pieces: []string{`{"intent":"off_topic","human":true}`}})
	u, err := m.Understand(bounded(t), shopScene("Je veux parler à quelqu'un"))
	if err != nil || !chat.AsksForHuman(&u) {
		t.Errorf("understood as %+v, %v, want a wish for a human being", u, err)
	}
}
