package chat

import (
	"errors"
	"testing"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

func TestWhatAModelMayState(t *testing.T) {
	t.Parallel()

	team := &obligations.Template{Key: "team", Label: "Team", Prompt: "How many people work there?", Widget: obligations.Number, Unit: "people"}
	s := &Scene{Objective: &objectives.Definition{Greeting: "Ten minutes will do."}, Session: sessions.Session{Language: "en"}, Message: "We turn over about 450k a year, since 2011",
		Transcript: []sessions.Message{{Role: sessions.FromUser, Content: "There are a dozen of us"}}}
	p := &Plan{List: []obligations.Obligation{{Template: team, Value: []byte("12"), Status: obligations.Satisfied}}}
	for _, tt := range []struct {
		said string
		want error
	}{
		{"Since 2011, that is a while.", nil},
		{"450,000 a year, then.", nil},
		{"Twelve people is a good size.", nil},
		{"Two more questions and we are done.", nil},
		{"It takes ten minutes.", nil},
		{"Your 45 employees must be proud.", errClaims},
		{"That makes 5 million a year.", errClaims},
		{"A margin of 3 % is thin.", errClaims},
		{"Das freut mich sehr, und wir machen gleich weiter.", errTongue},
		{"Je vous remercie pour cette réponse et nous continuons.", errTongue},
		{"Merci.", nil}, // too short to tell
	} {
		if err := factsOf(s, p).fit(tt.said); !errors.Is(err, tt.want) {
			t.Errorf("%q: %v, want %v", tt.said, err, tt.want)
		}
	}
}

// The language of a reply is the person's, unless another was asked for.
func TestTongueOfAReply(t *testing.T) {
	t.Parallel()

	german := "Wir backen Brot und haben zwei Filialen in der Stadt"
	for _, tt := range []struct {
		name  string
		scene Scene
		want  string
	}{
		{"written now", Scene{Message: german, Session: sessions.Session{Language: "en"}}, "de"},
		{"written before", Scene{Message: "12", Session: sessions.Session{Language: "en"}, Transcript: []sessions.Message{{Role: sessions.FromUser, Content: german}}}, "de"},
		{"asked for", Scene{Message: german, Session: sessions.Session{Language: "en", LanguageSource: sessions.LanguageAsked}}, "en"},
		{"the session's", Scene{Message: "12", Session: sessions.Session{Language: "de"}}, "de"},
		{"another", Scene{Message: "Nous vendons du pain et des gâteaux dans la ville depuis dix ans", Session: sessions.Session{Language: "en"}}, "fr"},
	} {
		if got := tongueOf(&tt.scene); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
