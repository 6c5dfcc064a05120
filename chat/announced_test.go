package chat

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Whatever a pattern matches, the text contains one of its words, in any spelling.
func TestAnnouncementsNeedTheirWords(t *testing.T) {
	t.Parallel()

	parts := rapid.SampledFrom([]string{"One more thing: ", "another IMPORTANT point we mustn’t forget is - ", "you must not forGET about ", "don't forget: ", "never Forget ",
		"You should also aſk me about ", "you need to really ASK ", "you haven't yet as\u212aed about: ", "the delivery", " ", "matter", "Ask", "ſ"})
	rapid.Check(t, func(t *rapid.T) {
		message := strings.Join(rapid.SliceOf(parts).Draw(t, "parts"), "")
		for _, a := range announcements {
			if a.MatchString(message) && !a.possible(strings.ToLower(message)) {
				t.Errorf("%q matches %v without its words", message, a.Regexp)
			}
		}
	})
}
