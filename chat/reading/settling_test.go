package reading

import (
	"encoding/json"
	"testing"

	"quaestor/chat/chattest"
	"quaestor/obligations"
	"quaestor/sessions"
)

// settling is a message in answer to which of two values is right, and what is found in it.
type settling struct{ key, held, other, in, want string }

// TestSettledByValueInAnySpelling holds that a value settles which of two is right however it is
// written, whatever is said of the other one.
func TestSettledByValueInAnySpelling(t *testing.T) {
	t.Parallel()
	checkSettled(t, false, []settling{
		{"budget", "7000", "450", "SEVEN THOUSAND. The 450 is what my neighbour paid.", "budget=7000 confirmed"},
		{"budget", "7000", "450", "7k, 450 is only the deposit", "budget=7000 confirmed"},
		{"budget", "450", "7000", "seven thousand! the 450 is for the stall", "budget=7000!"},
		{"budget", "450", "7000", "7000", "budget=7000!"},
		{"budget", "450", "7000", "It's the seven thousand, 450 is what the van costs to tax.", "budget=7000!"},
		{"budget", "450", "7000", "7,000 of course; the 450 was what the other firm asks", "budget=7000!"},
		{"team_size", "40", "12", "Twelve. 40 is how many the whole market hall has.", "team_size=12!"},
		{"team_size", "40", "12", "a dozen", "team_size=12!"},
		{"team_size", "40", "12", "it's 12 people, the forty are my sister's", "team_size=12!"},
		{"budget", "7000", "450", "450 is what the neighbours pay", "budget=7000 confirmed"},
		// Which of them it is remains open:
		{"team_size", "40", "12", "12 and 40, both happen", ""},
		{"team_size", "40", "12", "12 or 40, I couldn't say", ""},
		{"team_size", "40", "12", "I'd have to count", ""},
	})
	checkSettled(t, true, []settling{
		{"budget", "9000", "600", "Neuntausend. Die 600 nehmen die anderen.", "budget=9000 confirmed"},
		{"budget", "9000", "600", "9 Tausend! Die sechshundert zahlt mein Bruder.", "budget=9000 confirmed"},
		{"budget", "600", "9000", "9.000 €, die 600 sind nur die Anzahlung", "budget=9000!"},
		{"budget", "600", "9000", "NEUNTAUSEND", "budget=9000!"},
		{"leute", "31", "8", "Acht. 31 sind es im ganzen Haus.", "leute=8!"},
		{"leute", "31", "8", "acht natürlich, die 31 sind die vom Nachbarn", "leute=8!"},
		{"leute", "31", "8", "8 oder 31, kommt drauf an", ""},
		{"leute", "31", "8", "die Konkurrenz hat 31", "leute=8 confirmed"},
	})
}

// TestSettledByWords holds that a text settles which of two is right by its words or clearly the
// most of them, and by its place.
func TestSettledByWords(t *testing.T) {
	t.Parallel()
	vans, books := `"Two vans and a trailer; the old till"`, `"a trailer and the old till my uncle left"`
	checkSettled(t, false, []settling{
		{"competitors", vans, books, "Two vans and a trailer; the old till", "competitors=" + vans + " confirmed"},
		{"competitors", vans, books, "a trailer and the old till my uncle left", "competitors=" + books + "!"},
		{"competitors", vans, books, "A trailer and the old till my uncle left!", "competitors=" + books + "!"},
		{"competitors", `"Rivers Ltd"`, `"Rivers Ltd and the Monday market"`, "Rivers Ltd and the Monday market", `competitors="Rivers Ltd and the Monday market"!`},
		{"competitors", `"Rivers Ltd"`, `"Rivers Ltd and the Monday market"`, "Rivers Ltd", `competitors="Rivers Ltd" confirmed`},
		{"competitors", `"Rivers Ltd"`, `"Rivers Ltd and the Monday market"`, "the one with the Monday market", `competitors="Rivers Ltd and the Monday market"!`},
		{"competitors", vans, books, "the one my uncle left", "competitors=" + books + "!"},
		{"competitors", vans, books, "the second one… and what's my launch down as?", "competitors=" + books + " confirmed"},
		{"competitors", vans, books, "The former. How much longer is this going to take?", "competitors=" + vans + " confirmed"},
		{"competitors", vans, books, "the last one please, and can you hurry up a bit today", "competitors=" + books + " confirmed"},
		{"competitors", vans, books, "Number two", "competitors=" + books + " confirmed"},
		{"competitors", vans, books, "option 1", "competitors=" + vans + " confirmed"},
		{"competitors", vans, books, "the top one", "competitors=" + vans + " confirmed"},
		{"competitors", vans, books, "not the second one, and what have you got for my launch?", "competitors=" + vans + " confirmed"},
		{"company_size", `"enterprise"`, `"small_business"`, "the second one, thanks. what did you put for my launch?", `company_size="small_business" confirmed`},
		{"company_size", `"enterprise"`, `"small_business"`, "small business, it's others who are enterprise", `company_size="small_business"!`},
		// These say nothing of it:
		{"company_size", `"enterprise"`, `"small_business"`, "hm, how long will this take?", ""},
		{"competitors", vans, books, "what's the second question?", ""},
	})
	ofen, kasse := `"ein zweiter Ofen, mehr Platz"`, `"Platz für die neue Kasse"`
	checkSettled(t, true, []settling{
		{"vorhaben", ofen, kasse, "Ein zweiter Ofen, mehr Platz.", "vorhaben=" + ofen + " confirmed"},
		{"vorhaben", ofen, kasse, "Platz für die neue Kasse", "vorhaben=" + kasse + "!"},
		{"vorhaben", ofen, kasse, "das mit der Kasse", "vorhaben=" + kasse + "!"},
		{"vorhaben", ofen, kasse, "das Zweite bitte … und was steht beim Beginn?", "vorhaben=" + kasse + " confirmed"},
		{"vorhaben", ofen, kasse, "Ersteres", "vorhaben=" + ofen + " confirmed"},
		{"vorhaben", ofen, kasse, "Letzteres. Wie lange dauert das hier noch?", "vorhaben=" + kasse + " confirmed"},
		{"vorhaben", ofen, kasse, "nicht das erste", "vorhaben=" + kasse + " confirmed"},
		{"vorhaben", ofen, kasse, "Nummer zwei", "vorhaben=" + kasse + " confirmed"},
		{"vorhaben", ofen, kasse, "wie war die zweite Frage?", ""},
	})
}

// checkSettled says each message in answer to which of two values is right.
func checkSettled(t *testing.T, german bool, tests []settling) {
	t.Helper()
	m := chattest.Measured(t, 0)
	for _, test := range tests {
		s := chattest.Scene(test.key, test.in)
		if german {
			s = chattest.SceneIn(chattest.Bakery(), test.key, test.in)
			s.Session.Language = "de"
		}
		chattest.Hold(s, test.key, test.held, 3)
		s.Asked = chattest.Ask(obligations.Find(s.Obligations, test.key), sessions.ToResolve)
		s.Asked.Values = []json.RawMessage{json.RawMessage(test.held), json.RawMessage(test.other)}
		if got := chattest.Brief(understand(m, s).Findings); got != test.want {
			m.Errorf("%s or %s, Understand(%q) = %s, want %s", test.held, test.other, test.in, got, test.want)
		}
	}
}
