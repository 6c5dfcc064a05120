package reading

import (
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
)

// People say goodbye as they do at home, and some words greet as well.
func TestGoodbyesOfEveryRegion(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		language, said string
		turn           int
		leaves         bool
	}{
		{"de", "Pfiat Eana!", 5, true}, {"de", "tschau", 5, true}, {"de", "So, das war's. Servus!", 5, true}, {"de", "Auf Wiederschaun.", 5, true}, {"de", "Ciao!", 5, true},
		{"de", "Servus", 1, false}, {"de", "Servus, wir backen Brot", 1, false},
		{"en", "cheers then", 5, true}, {"en", "Ta-ra", 5, true}, {"en", "so long!", 5, true},
	} {
		d := chattest.Bakery()
		if tt.language == "en" {
			d = chattest.Trade()
		}
		s := chattest.SceneIn(d, d.Obligations[0].Key, tt.said)
		s.Session.Language, s.Turn = tt.language, tt.turn
		if u := understand(t, s); (u.Intent == chat.Leave) != tt.leaves {
			t.Errorf("turn %d, %q: %s, %s", tt.turn, tt.said, u.Intent, chattest.Brief(u.Findings))
		}
	}
}

// "Es geht schon. Machen wir weiter, aber langsam bitte." was taken for what was asked.
func TestGoingOnSlowlyIsNoAnswer(t *testing.T) {
	t.Parallel()

	s := chattest.SceneIn(chattest.Bakery(), "lage", "Es geht schon. Machen wir weiter, aber langsam bitte.")
	s.Session.Language = "de"
	if u := understand(t, s); u.Intent != chat.SmallTalk && u.Intent != chat.OffTopic || len(u.Findings)+len(u.Refused) > 0 {
		t.Errorf("%s, %s", u.Intent, chattest.Brief(u.Findings))
	}
}

// Who has had enough tells nothing of what was asked.
func TestEnoughIsNoFigure(t *testing.T) {
	t.Parallel()

	d := chattest.Bakery()
	for key, said := range map[string]string{"stunden": "ich will keine Fragen mehr beantworten", "leute": "keine Lust mehr"} {
		s := chattest.SceneIn(d, key, said)
		s.Session.Language = "de"
		if u := understand(t, s); len(u.Findings) > 0 {
			t.Errorf("%q finds %s", said, chattest.Brief(u.Findings))
		}
	}
}
