package reading

import (
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
)

// understood is what a message is taken for when a question of an objective is open.
type understood struct {
	asked, in string
	intent    chat.Intent
	want      string // findings in brief
}

func checkWanted(t testing.TB, contextType string, tests []understood) {
	t.Helper()
	d := chattest.Shipped(t, contextType)
	for _, test := range tests {
		u := understand(t, chattest.SceneIn(d, test.asked, test.in))
		if got := chattest.Brief(u.Findings); u.Intent != test.intent || got != test.want {
			t.Errorf("%s, asked %s, Understand(%q) =\n     %s, %s\nwant %s, %s", contextType, test.asked, test.in, u.Intent, got, test.intent, test.want)
		}
	}
}

// "We don't have time", said of what holds the business back, ended the interview.
func TestExcusesAreAnswersWhereTheyAnswer(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 11)

	checkWanted(m, "business_profile", []understood{
		{"main_challenge", "We don't have time", chat.Answer, `main_challenge="We don't have time"`},
		{"main_challenge", "no time", chat.Answer, `main_challenge="no time"`},
		{"main_challenge", "just no time", chat.Answer, `main_challenge="no time"`},
		{"main_challenge", "we have no time for marketing", chat.Answer, `main_challenge="we have no time for marketing"`},
		{"main_challenge", "We run out of time", chat.Answer, `main_challenge="We run out of time"`},
		{"main_challenge", "no time, no money", chat.Answer, `main_challenge="no time, no money"`},
		{"customer_problem", "they have no time", chat.Answer, `customer_problem="they have no time"`},
		{"business_overview", "We have a call centre for taxi firms", chat.Answer, `business_overview="We have a call centre for taxi firms"`},
		{"business_overview", "we have a train station café", chat.Answer, `business_overview="we have a train station café"`},
		{"business_overview", "We have a meeting room business", chat.Answer, `business_overview="We have a meeting room business"`},
		{"main_challenge", "I don't have any more time, sorry", chat.Leave, ""},
		{"main_challenge", "no time now", chat.Leave, ""},
		{"main_challenge", "no time, sorry", chat.Leave, ""},
		{"main_challenge", "I have a meeting now", chat.Leave, ""},
		{"target_market", "no time", chat.Leave, ""},
		{"target_market", "We don't have time", chat.Leave, ""},
		{"industry", "I have a meeting in five minutes", chat.Leave, ""},
		{"industry", "we have a call at nine", chat.Leave, ""},
		{"industry", "I have no more time", chat.Leave, ""},
		{"industry", "I've run out of time", chat.Leave, ""},
	})
	checkWanted(m, "project_discovery", []understood{
		{"project_summary", "New booking system for our swimming pool, we have a call centre with 8 people and it's a nightmare", chat.Answer,
			`project_summary="New booking system for our swimming pool, we have a call centre with 8 people and it's a nightmare"`},
		{"typical_task", "We have a meeting at nine, read out the list, and then everyone drives off", chat.Answer,
			`typical_task="We have a meeting at nine, read out the list, and then everyone drives off"`},
		{"biggest_risk", "no time", chat.Answer, `biggest_risk="no time"`},
		{"typical_task", "can we go back to the project?", chat.OffTopic, ""},
		{"typical_task", "talk to the client, write the offer, wait", chat.Answer, `typical_task="talk to the client, write the offer, wait"`},
		{"decision_maker", "my wife handles that", chat.Answer, `decision_maker="my wife handles that"`},
		{"typical_task", "paper forms and phone calls, who can see this?", chat.Answer, `typical_task="paper forms and phone calls"`},
		{"typical_task", "what happens next is that Debbie types it up", chat.Answer, `typical_task="what happens next is that Debbie types it up"`},
		{"typical_task", "what happens when we are done is that Debbie types it all up", chat.Answer, `typical_task="what happens when we are done is that Debbie types it all up"`},
		{"typical_task", "Customer calls, I say hang on, look it up in the book, call back", chat.Answer, `typical_task="Customer calls, I say hang on, look it up in the book, call back"`},
	})
}

// "I don't want to do this right now, my baby just woke up" was a target market.
func TestPeopleWhoCannotGoOn(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 51)

	for _, in := range []string{
		"I don't have any more time, sorry", "I don't want to do this right now, my baby just woke up", "my baby just woke up, I have to go", "I have to stop, the kids are home",
		"got to run, the kids are home", "Sorry, I can't do this now", "not a good time", "this is a bad time", "I don't feel like doing this today", "I'm busy right now",
		"That's enough for today, I have to pick up my kids", "bye, my bus is here", "gn", "have to dash", "I'll be back later", "can we stop?", "I have to get back to work", "back in 5 mins", "I'm on a train", "a customer just came in", "I have to go. My phone is dying.", "Gotta run, I'm late for work", "gotta go pick up the kids", "I need to feed the baby", "dinner time, bye", "too tired for this now", "can we do this another time?", "I must go now, someone is at the door", "I have to leave, it's getting late",
	} {
		for _, key := range []string{"business", "target_market", "competitors", "team_size"} {
			u := understand(m, chattest.Scene(key, in))
			if u.Intent != chat.Leave || len(u.Findings) > 0 {
				m.Errorf("asked %s, Understand(%q) = %s, %s; want leave", key, in, u.Intent, chattest.Brief(u.Findings))
			}
		}
	}
}

// "I need to leave for a meeting" was a target market.
func TestWhoIsCalledAwayLeaves(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 38)

	for _, in := range []string{
		"I need to leave for a meeting", "I have to run to my next meeting", "I've got to rush to an appointment", "I need to go to a meeting now", "got to catch a train", "I have to catch my bus",
		"I've got to head off", "I am off to a meeting", "I'm about to leave for lunch", "my next meeting is starting", "I'm being called away", "I'm needed in the shop", "I need to leave in five minutes",
		"I haven't got time for this now", "I don't have time for this right now", "I have no time right now", "this is too much for me today", "I don't feel like it any more", "I've had enough for today",
		"I am too tired for this", "I'm too tired to go on", "I must run, there is a meeting", "I need a break", "I have to go to a meeting", "gotta run my dog needs a wee", "I have to go the kids are home",
	} {
		for _, key := range []string{"business", "target_market", "competitors", "team_size"} {
			u := understand(m, chattest.Scene(key, in))
			if u.Intent != chat.Leave || len(u.Findings) > 0 {
				m.Errorf("asked %s, Understand(%q) = %s, %s; want leave", key, in, u.Intent, chattest.Brief(u.Findings))
			}
		}
	}
	checkWanted(m, "business_profile", []understood{
		{"main_challenge", "I have to leave the shop for meetings all the time", chat.Answer, `main_challenge="I have to leave the shop for meetings all the time"`},
		{"main_challenge", "I am too tired to do the books in the evening", chat.Answer, `main_challenge="I am too tired to do the books in the evening"`},
		{"main_challenge", "I need a break", chat.Answer, `main_challenge="I need a break"`},
		{"primary_goal", "I need to leave the day to day work to others", chat.Answer, `primary_goal="I need to leave the day to day work to others"`},
		{"customer_problem", "they have to go home the dog is waiting", chat.Answer, `customer_problem="they have to go home the dog is waiting"`},
		{"primary_goal", "I need to leave my job", chat.Answer, `primary_goal="I need to leave my job"`},
		{"customer_problem", "they need to leave for a meeting and have nowhere to park", chat.Answer, `customer_problem="they need to leave for a meeting and have nowhere to park"`},
		{"target_market", "people on their way to work", chat.Answer, `target_market="people on their way to work"`},
	})
}

// The goodbye was kept with the answer before it.
func TestGoodbyesAreNoPartOfAnswers(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 6)

	checkWanted(m, "business_profile", []understood{
		{"differentiator", "we are the only ones in the county who make it by hand, and it's vegan. That's enough for today, I have to pick up my kids", chat.Leave,
			`differentiator="we are the only ones in the county who make it by hand, and it's vegan"`},
		{"differentiator", "It is made by hand. I have to go, my train is here.", chat.Leave, `differentiator="made by hand"`},
		{"differentiator", "My kids love it. Gotta go", chat.Leave, `differentiator="My kids love it"`},
		{"customer_problem", "the kids have nothing to do after school, got to go", chat.Leave, `customer_problem="the kids have nothing to do after school"`},
		{"main_challenge", "we are too busy right now", chat.Answer, `main_challenge="we are too busy right now"`},
		{"main_challenge", "customers are waiting", chat.Answer, `main_challenge="customers are waiting"`},
		{"main_challenge", "I need more time", chat.Answer, `main_challenge="I need more time"`},
		{"primary_goal", "we don't want to stop", chat.Answer, `primary_goal="we don't want to stop"`},
		{"main_challenge", "I have to look after my mother", chat.Answer, `main_challenge="I have to look after my mother"`},
		{"main_challenge", "We can't do this anymore", chat.Answer, `main_challenge="We can't do this anymore"`},
		{"differentiator", "It is made by hand. My kids are home, got to go", chat.Leave, `differentiator="made by hand"`},
		{"target_market", "I have to go, but mostly dentists", chat.Leave, `target_market="mostly dentists"`},
		{"team_size", "I have to go, we are 12", chat.Leave, "team_size=12"},
		{"main_challenge", "I have to do everything myself", chat.Answer, `main_challenge="I have to do everything myself"`},
		{"main_challenge", "I have to train my people myself. Got to go", chat.Leave, `main_challenge="I have to train my people myself"`},
		{"customer_problem", "the kids are home and parents have to work", chat.Answer, `customer_problem="the kids are home and parents have to work"`},
	})
}
