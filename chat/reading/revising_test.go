package reading

import (
	"strings"
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
	"quaestor/obligations"
	"quaestor/sessions"
)

// A figure told in the first message rests on the same words as the text around it.
// Changing it in the text alone would leave the figure wrong.
func TestCorrectionsWhileSomethingElseIsAsked(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 8)

	bakery := [][2]string{{"target_market", `"families"`}, {"business_overview", `"We run a bakery with 12 staff"`}, {"team_size", "12"}}
	checkTold(m, "business_profile", bakery, []told{
		{"customer_problem", "actually it's 14, not 12", "team_size=14!"},
		{"customer_problem", "wait, I said 12 staff, that was wrong, 14", "team_size=14!"},
		{"customer_problem", "I said 12 staff, which is wrong, it's 14", "team_size=14!"},
		{"customer_problem", "they want fresh bread. btw we have 15 employees now", `customer_problem="they want fresh bread"; team_size=15!`},
		{"customer_problem", "they want fresh bread. By the way, we have 15 employees now", `customer_problem="they want fresh bread"; team_size=15!`},
		{"customer_problem", "they want fresh bread. Oh and we now have 15 staff", `customer_problem="they want fresh bread"; team_size=15!`},
		{"customer_problem", "they want fresh bread. btw we have 15 employees", `customer_problem="they want fresh bread"; team_size=15+`},
		{"customer_problem", "it's not 12, it's 14", "team_size=14!"},
		{"customer_problem", "It's not 12 people but 14. They want fresh bread.", `team_size=14!; customer_problem="They want fresh bread"`},
		{"customer_problem", "oh and I forgot two part-timers so make that 14 staff", "team_size=14!"},
		{"customer_problem", "they want fresh bread, and the team size should be 14", `customer_problem="they want fresh bread"; team_size=14!`},
		{"customer_problem", "I said 12 staff, and that is outdated, we are about twenty", "team_size=20!"},
		{"customer_problem", "not quite. the target market is wrong, should be students", `target_market="students"!`},
		{"customer_problem", "No! The team size should be 14, and the target market is students. They want fresh bread.", `team_size=14!; customer_problem="They want fresh bread"; target_market="students"!`},
		// Answers, all of them:
		{"customer_problem", "They lose their orders, so make it 3 steps", `customer_problem="They lose their orders, so make it 3 steps"`},
		{"customer_problem", "They forget things, so make it easy to order", `customer_problem="They forget things, so make it easy to order"`},
		{"customer_problem", "Last year we had 9 staff", `customer_problem="Last year we had 9 staff"`},
		{"customer_problem", "We should be 20 staff next year", `customer_problem="We should be 20 staff next year"; team_size=20+`}, // asked which
		{"customer_problem", "it's not the price, it's the quality", `customer_problem="not the price, it's the quality"`},
		{"customer_problem", "they said the bread was wrong for them", `customer_problem="they said the bread was wrong for them"`},
		{"customer_problem", "they want bread at 12, not at 14", `customer_problem="they want bread at 12, not at 14"`},
	})
	checkTold(m, "idea_discovery", [][2]string{{"hours_per_week", "2"}}, []told{
		{"revenue_idea", "it's not 2 hours, it's about 5 hours a week. free with paid extras I guess", `hours_per_week=5!~; revenue_idea=["free_and_paid"]`},
	})
	checkTold(m, "project_discovery", [][2]string{{"user_count", "4"}}, []told{
		{"typical_task", "Oh wait, I misread that. 4 is the project team. Users are about 45.", "team_available=4+; user_count=45!~"},
		{"typical_task", "I misread that", "user_count deny"},
		{"typical_task", "They misread that often", `typical_task="They misread that often"`},
	})
}

// What somebody says is different settles it: they are not asked which of the two
// holds.
func TestPlainCorrectionsRaiseNothing(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 1)

	checkTold(m, "project_discovery", [][2]string{{"project_summary", `"I did not want to stop"`}}, []told{
		{"business_need", "For heaven's sake. The project is a new booking system for our swimming pool", `project_summary="a new booking system for our swimming pool"!`},
		{"business_need", "As I said, the project is a new booking system", `project_summary="a new booking system"!`},
		{"business_need", "The project is a new booking system", `project_summary="a new booking system"`}, // may be either, and is asked
	})
	checkTold(m, "project_discovery", [][2]string{{"project_summary", `"Booking"`}}, []told{{"", "no no, I didn't want to stop", ""}})
}

// ending is a scene at "Shall I close it here?".
func ending(t testing.TB, contextType, in string, held [][2]string) *chat.Scene {
	t.Helper()
	s := chattest.SceneIn(chattest.Shipped(t, contextType), "", in)
	for i, h := range held {
		chattest.Hold(s, h[0], h[1], i+1)
	}
	s.Asked = &sessions.Question{Purpose: sessions.ToFinish, Prompt: "Shall I close it here?", Attempt: 1}
	return s
}

func TestCorrectionsAtTheEnd(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 21)

	held := map[string][][2]string{
		"business_profile": {{"business_overview", `"We fix bikes"`}, {"industry", `"Bicycles"`}, {"revenue_model", `["hourly"]`}, {"target_market", `"Commuters"`}, {"team_size", "6"}, {"budget", "20000"}},
		"idea_discovery":   {{"idea_summary", `"An app for sharing tools"`}, {"revenue_idea", `["one_time"]`}, {"success_picture", `"300 borrowers"`}},
		"project_discovery": {{"project_summary", `"Tablets"`}, {"user_count", "4"}, {"decision_maker", `"The contracts director"`},
			{"desired_outcome", `"No lost forms"`}},
	}
	for _, test := range []struct {
		contextType, in string
		intent          chat.Intent
		want            string
	}{
		{"project_discovery", "Nearly. Number of users should be 45, not 4, and who decides is just Sue Barton", chat.Correction, `user_count=45!; decision_maker="Sue Barton"!`},
		{"project_discovery", "Almost, but the number of users is 45", chat.Correction, "user_count=45!"},
		{"project_discovery", "The number of users is 45.", chat.Correction, "user_count=45!"},
		{"business_profile", "yes but change the team size to 8", chat.Correction, "team_size=8!"},
		{"business_profile", "Change the team size to 8 and the budget to 30k", chat.Correction, "team_size=8!; budget=30000!"},
		{"business_profile", "no. payment is wrong, they pay by invoice", chat.Correction, `revenue_model=["invoice"]!`},
		{"business_profile", "not yet, one more thing: we also deliver to schools", chat.Correction, `business_overview="We fix bikes; we also deliver to schools"!`},
		{"business_profile", "what the business does is wrong as well, that should be: we fix up and sell second hand bikes", chat.Correction, `business_overview="we fix up and sell second hand bikes"!`},
		{"business_profile", "change the first one to: we fix up and sell second hand bikes", chat.Correction, `business_overview="we fix up and sell second hand bikes"!`},
		{"business_profile", "the second one should be Cycling", chat.Correction, `industry="Cycling"!`},
		{"business_profile", "the first one is wrong", chat.Disagree, "business_overview deny"},
		{"business_profile", "the last line is wrong, it's 8", chat.Correction, "team_size=8!"},
		{"idea_discovery", "How it would earn money should be free with paid extras, and the sign of success is 1000 people using it every week", chat.Correction,
			`revenue_idea=["free_and_paid"]!; success_picture="1000 people using it every week"!`},
		{"business_profile", "The team is 8 people. The rest is fine.", chat.Correction, "team_size=8!"},
		{"business_profile", "the target market is also students", chat.Correction, `target_market="Commuters; students"!`},
		{"business_profile", "no, 14 staff, and our budget is 25000", chat.Correction, "team_size=14!; budget=25000!"},
		{"business_profile", "Add to the target market: students", chat.Correction, `target_market="Commuters; students"!`},
		{"business_profile", "Also add to the target market: students", chat.Correction, `target_market="Commuters; students"!`},
		{"business_profile", "no, a budget of 4000", chat.Correction, "budget=4000!"},
		{"business_profile", "no, catering", chat.Disagree, ""}, // which line it is for cannot be told
		{"business_profile", "Our revenue is 300000 euros a year", chat.Answer, "annual_revenue=300000"},
		{"business_profile", "Our revenue is too low", chat.Unclear, ""},
		{"project_discovery", "the decision maker is wrong", chat.Disagree, "decision_maker deny"},
		{"project_discovery", "the users are wrong", chat.Unclear, ""}, // none are held
		{"business_profile", "the target customers are wrong", chat.Disagree, "target_market deny"},
		{"business_profile", "our customers are wrong", chat.Unclear, ""},
		{"business_profile", "Our customers are annoyed", chat.Answer, `target_market="annoyed"`}, // asked which
		{"business_profile", "The target market is students", chat.Correction, `target_market="students"!`},
		{"business_profile", "not quite. team size is wrong, should be 8", chat.Correction, "team_size=8!"},
		{"project_discovery", "no, I didn't mean that. The desired outcome is the public and the front desk staff", chat.Correction, `desired_outcome="the public and the front desk staff"!`},
		{"business_profile", "I'm back, sorry about yesterday", chat.SmallTalk, ""},
		{"business_profile", "Hello. Sorry, why do you need to know that?", chat.AskWhy, ""},
		{"project_discovery", "Oh wait, I misread that. Users are about 45.", chat.Correction, "user_count=45!~"},
		{"business_profile", "yes", chat.Finish, ""},
		{"business_profile", "Nothing to change", chat.Finish, ""},
		{"business_profile", "no changes", chat.Finish, ""},
		{"business_profile", "I don't want to change anything", chat.Finish, ""},
		{"business_profile", "Everything is right, no changes", chat.Finish, ""},
		{"business_profile", "No, that's fine", chat.Finish, ""},
		{"business_profile", "no", chat.Disagree, ""},
		{"business_profile", "Nearly", chat.Disagree, ""},
	} {
		u := understand(m, ending(m, test.contextType, test.in, held[test.contextType]))
		if u.Intent != test.intent || chattest.Brief(u.Findings) != test.want {
			m.Errorf("at the end, Understand(%q) = %s, %s; want %s, %s", test.in, u.Intent, chattest.Brief(u.Findings), test.intent, test.want)
		}
	}
}

func TestAgreeingWithAChangeElsewhere(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 1)

	s := chattest.Scene("budget", "yes but change the team size to 8")
	chattest.Hold(s, "team_size", "20", 3)
	chattest.Hold(s, "budget", "20000", 4)
	s.Asked = chattest.Ask(obligations.Find(s.Obligations, "budget"), sessions.ToConfirm)
	if got, want := chattest.Brief(understand(m, s).Findings), "budget=20000 confirmed; team_size=8!"; got != want {
		m.Errorf("finds %s, want %s", got, want)
	}
}

// "My last answer" names what was told last, while something else is asked too.
func TestLastAnswerIsNamed(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 2)

	for _, test := range []struct{ in, want string }{
		{"Change my last answer to sell the shop", `primary_goal="sell the shop"!`},
		{"My previous answer was wrong, it should be sell the shop", `primary_goal="sell the shop"!`},
		{"I always get the last answer from the supplier", ""},
	} {
		s := chattest.SceneIn(chattest.Shipped(m, "business_profile"), "main_challenge", test.in)
		chattest.Hold(s, "business_overview", `"We fix bikes"`, 1)
		chattest.Hold(s, "primary_goal", `"A second shop"`, 2)
		got := chattest.Brief(understand(m, s).Findings)
		if test.want != "" && got != test.want || test.want == "" && strings.Contains(got, "primary_goal") {
			m.Errorf("Understand(%q) finds %s, want %s", test.in, got, test.want)
		}
	}
}
