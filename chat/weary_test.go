package chat

import (
	"testing"

	"quaestor/sessions"
)

// Who is tired, or has lost somebody, is asked one thing at a time; whose customers are is not.
func TestWeary(t *testing.T) {
	t.Parallel()

	for message, want := range map[string]bool{
		"hi. ok lets do this. it was a long day": true, "I'm tired, sorry": true, "My husband died in May": true, "Mein Mann ist im Februar gestorben.": true, "ich bin müde": true,
		"Tired mothers are our customers": false, "The old market died": false, "Unsere Kunden sind müde": false, "We sell coffins": false,
	} {
		s := &Scene{Transcript: []sessions.Message{{Role: sessions.FromUser, Content: message}}}
		if Weary(s) != want {
			t.Errorf("Weary after %q = %v", message, !want)
		}
	}
}
