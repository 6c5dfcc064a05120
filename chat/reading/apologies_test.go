package reading

import (
	"testing"

	"quaestor/chat/chattest"
)

// "I said the wrong thing before: we are in hospitality" was a target market, word for word.
func TestApologiesAreNoPartOfValues(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 9)

	checkTold(m, "business_profile", [][2]string{{"business_overview", `"We run a hotel"`}, {"industry", `"food"`}}, []told{
		{"target_market", "I said the wrong thing before: we are in hospitality", `industry="we are in hospitality"!`},
		{"target_market", "Sorry, I meant to say that we are in hospitality", `industry="we are in hospitality"!`},
		{"target_market", "I put that badly: we are in hospitality", `industry="we are in hospitality"!`},
		{"target_market", "I expressed myself badly, it's hospitality", `industry="hospitality"!`},
		{"target_market", "That came out wrong. It is hospitality.", `industry="hospitality"!`},
		{"target_market", "Sorry, I made a mistake before: we are in hospitality", `industry="we are in hospitality"!`},
		{"target_market", "oops, ignore what I said before, we are in hospitality", `industry="we are in hospitality"!`},
		{"target_market", "Sorry for being slow. Hotels and guest houses.", `target_market="Hotels and guest houses"`},
		{"target_market", "forgive me, I was distracted: hotels", `target_market="hotels"`},
		{"target_market", "sorry my english is bad, we sell to hotels", `target_market="we sell to hotels"`},
		{"target_market", "My apologies, what I wanted to say is small hotels", `industry="small hotels"!`},
	})
	checkTold(m, "business_profile", [][2]string{{"team_size", "12"}}, []told{
		{"main_challenge", "Sorry, I meant to say that we are 14 people", "team_size=14!"},
		{"main_challenge", "I gave you the wrong number before, we are 14 people", "team_size=14!"},
		{"main_challenge", "I said the wrong number before.", "team_size deny"},
		{"main_challenge", "people say sorry a lot, but nobody pays on time", `main_challenge="people say sorry a lot, but nobody pays on time"`},
		{"main_challenge", "we said the wrong thing to our clients before", `main_challenge="we said the wrong thing to our clients before"`},
		{"main_challenge", "our accountant got it wrong before, and it costs us", `main_challenge="our accountant got it wrong before, and it costs us"`},
	})
	checkTold(m, "business_profile", nil, []told{
		{"business_overview", "I said that badly: we run a hotel in the Alps", `business_overview="we run a hotel in the Alps"`},
		{"business_overview", "I meant to say that we run a hotel in the Alps", `business_overview="we run a hotel in the Alps"`},
	})
}
