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

// Who begins by telling answers what the conversation would have opened with.
func TestFirstMessageAnswersTheOpening(t *testing.T) {
	t.Parallel()

	s := sceneOf("", "We run a bakery in a small town, with 12 staff")
	s.Turn = 1

	told := map[string]string{}
	for _, f := range understand(t, s).Findings {
		told[f.Key] = string(f.Value)
	}

	if told["business"] != `"We run a bakery in a small town"` || told["team_size"] != "12" {
		t.Errorf("told %v, want the business and the team's size", told)
	}
	s = sceneOf("", "Hello there!")
	s.Turn = 1
	if u := understand(t, s); len(u.Findings) > 0 {
		t.Errorf("a greeting tells %+v", u.Findings)
	}
}
