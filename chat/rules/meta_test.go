package rules

import (
	"testing"

	"quaestor/obligations"
)

// What is said about the conversation, or announced for later, is no answer.
func TestTalkAboutTheTalkIsNoAnswer(t *testing.T) {
	t.Parallel()

	for _, message := range []string{"that's a stupid question", "This is useless", "I already told you that", "delete everything", "wait", "hold on a second",
		"My answer is the same as before", "ask me something else", "you are not listening",
		"one more thing we must not forget: the parking in front of the shop must be free on Sundays"} {
		t.Run(message, func(t *testing.T) {
			t.Parallel()

			for _, f := range understand(t, sceneOf("business", message)).Findings {
				if f.Act == obligations.Tell || f.Act == obligations.Correct || f.Act == obligations.Skip {
					t.Errorf("%q is taken: %s %s %s", message, f.Act, f.Key, f.Value)
				}
			}
		})
	}
}
