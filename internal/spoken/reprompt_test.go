package spoken_test

import (
	"strings"
	"testing"

	"quaestor/internal/language/messages"
	"quaestor/internal/spoken"
)

func TestThirdRepromptOffersTyping(t *testing.T) {
	t.Parallel()

	for tag, word := range map[string]string{"en": "type", "de": "tippen"} {
		l := messages.In(tag)
		for _, cause := range []spoken.Cause{spoken.Silence, spoken.Noise} {
			said := map[string]bool{}
			for n := 1; n <= 3; n++ {
				m, typing := spoken.Reprompt(cause, n)
				text := m.In(l)
				if text == "" || text == m.Key || said[text] {
					t.Errorf("%s %s %d: %q", tag, cause, n, text)
				}
				said[text] = true
				if offered := strings.Contains(text, word); offered != (n == 3) || typing != offered {
					t.Errorf("%s %s %d offers typing: %t, and says %q", tag, cause, n, typing, text)
				}
			}
		}
	}
}

func TestSilenceIsLeftAloneInTheEnd(t *testing.T) {
	t.Parallel()

	if m, typing := spoken.Reprompt(spoken.Silence, 4); m.Key != "" || !typing {
		t.Errorf("silence for the fourth time: %v, typing %t", m, typing)
	}
	third, _ := spoken.Reprompt(spoken.Noise, 3)
	if m, typing := spoken.Reprompt(spoken.Noise, 7); m.Key != third.Key || !typing {
		t.Errorf("noise for the seventh time: %v, typing %t", m, typing)
	}
	if m, _ := spoken.Reprompt(spoken.Silence, 0); m.Key != "voice.silence-1" {
		t.Errorf("before the first time: %v", m)
	}
}
