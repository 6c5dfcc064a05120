package reading

import (
	"testing"

	"quaestor/chat/chattest"
)

// told is a message to an interview of a shipped objective: what was asked, what
// is held (the last one was answered last), what is said and what is found.
type told struct{ asked, in, want string }

func checkTold(t testing.TB, contextType string, held [][2]string, tests []told) {
	t.Helper()
	d := chattest.Shipped(t, contextType)
	for _, test := range tests {
		s := chattest.SceneIn(d, test.asked, test.in)
		for i, h := range held {
			if h[0] != test.asked {
				chattest.Hold(s, h[0], h[1], i+1)
			}
		}
		u := understand(t, s)
		got := chattest.Brief(u.Findings)
		if test.want == "refused" && got == "" && len(u.Refused) > 0 {
			continue
		}
		if got != test.want {
			t.Errorf("%s, asked %s, Understand(%q) finds\n     %s\nwant %s", contextType, test.asked, test.in, got, test.want)
		}
	}
}

// "No, actually 14 staff", said while a text was asked, changed what was answered
// last: what a correction names is what it changes, and one that names nothing
// changes what was answered last.
func TestCorrectionsChangeWhatTheyName(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 20)

	checkTold(m, "business_profile", [][2]string{{"team_size", "12"}, {"budget", "20000"}, {"annual_revenue", "250000"}, {"founded", `"2015"`}, {"time_available", "5"}, {"timeline", `"2027-03"`},
		{"target_market_size", "800"}, {"target_market", `"cafés in Leeds"`}, {"industry", `"food"`}}, []told{
		{"main_challenge", "no, actually 14 staff", "team_size=14!"},
		{"main_challenge", "No, actually 14 employees", "team_size=14!"},
		{"main_challenge", "sorry, 14 people", "team_size=14!"},
		{"main_challenge", "actually, we are 14 people", "team_size=14!"},
		{"main_challenge", "no wait, there are 14 of us", "team_size=14!"},
		{"main_challenge", "correction: 14 staff", "team_size=14!"},
		{"main_challenge", "I meant 14 staff", "team_size=14!"},
		{"main_challenge", "make that 14 employees", "team_size=14!"},
		{"main_challenge", "no, the team is 14", "team_size=14!"},
		{"main_challenge", "no, the budget is 25000", "budget=25000!"},
		{"main_challenge", "actually a budget of 25000", "budget=25000!"},
		{"main_challenge", "sorry, 25000 for the budget", "budget=25000!"},
		{"main_challenge", "no, actually 300000 turnover", "annual_revenue=300000!"},
		{"main_challenge", "actually our turnover is 300000", "annual_revenue=300000!"},
		{"main_challenge", "no, we opened in 2016", `founded="2016"!`},
		{"main_challenge", "actually founded in 2016", `founded="2016"!`},
		{"main_challenge", "sorry, 8 hours a week", "time_available=8!"},
		{"main_challenge", "no, actually 8 hours per week", "time_available=8!"},
		{"main_challenge", "no, the deadline is May 2027", `timeline="2027-05"!`},
		{"main_challenge", "I meant 900 potential customers", "target_market_size=900!"},
		{"main_challenge", "no, our customers are restaurants", `target_market="restaurants"!`},
		{"main_challenge", "actually we sell to restaurants", `target_market="restaurants"!`},
		// What names nothing is about what was answered last.
		{"main_challenge", "no, actually catering", `industry="catering"!`},
		{"main_challenge", "sorry, I meant catering", `industry="catering"!`},
		{"main_challenge", "correction: catering", `industry="catering"!`},
		{"main_challenge", "no, catering", `industry="catering"!`},
	})
	// What opens like a correction and answers the question stays its answer.
	checkTold(m, "business_profile", [][2]string{{"primary_goal", `"a second shop"`}, {"time_available", "5"}, {"target_market", `"cafés"`}, {"team_size", "12"}}, []told{
		{"main_challenge", "Actually we spend 20 hours a week on paperwork", `main_challenge="we spend 20 hours a week on paperwork"`},
		{"main_challenge", "Well, actually our staff keep leaving", `main_challenge="our staff keep leaving"`},
		{"success_measure", "Actually we hope to see more bookings", `success_measure="we hope to see more bookings"`},
		{"customer_problem", "Actually we serve them in a hurry", `customer_problem="we serve them in a hurry"`},
		{"competitors", "no, there are none", `competitors="none"`},
		{"budget", "no, actually 14 staff", "team_size=14!"},
		{"budget", "actually 14000", "budget=14000"},
	})
	checkTold(m, "business_profile", [][2]string{{"budget", "20000"}, {"team_size", "12"}}, []told{
		{"main_challenge", "no, 14 staff, and our budget is 25000", "team_size=14!; budget=25000!"},
		{"main_challenge", "no, actually 14", "team_size=14!"},
		{"main_challenge", "sorry, 14", "team_size=14!"},
		{"main_challenge", "make it 14", "team_size=14!"},
	})
	checkTold(m, "idea_discovery", [][2]string{{"market_size", "5000"}, {"budget", "3000"}, {"hours_per_week", "6"}, {"launch_date", `"2027-01"`}, {"problem_frequency", `"weekly"`}, {"target_users", `"parents"`},
		{"riskiest_assumption", `"they pay"`}}, []told{
		{"success_picture", "no, actually 10 hours a week", "hours_per_week=10!"},
		{"success_picture", "sorry, 10 hours", "hours_per_week=10!"},
		{"success_picture", "no, a budget of 4000", "budget=4000!"},
		{"success_picture", "actually the launch is in June 2027", `launch_date="2027-06"!`},
		{"success_picture", "no, 7000 people have this problem", "market_size=7000!"},
		{"success_picture", "actually it's for grandparents", `target_users="grandparents"!`},
		{"success_picture", "no, actually they come back", `riskiest_assumption="they come back"!`},
		{"success_picture", "sorry, it comes up every day", `problem_frequency="daily"!`},
	})
	checkTold(m, "project_discovery", [][2]string{{"user_count", "40"}, {"budget", "60000"}, {"team_available", "3"}, {"timeline", `"2027-02"`}, {"decision_maker", `"the board"`}, {"user_groups", `"clerks"`},
		{"out_of_scope", `"payroll"`}}, []told{
		{"biggest_risk", "no, actually a team of 4", "team_available=4!"},
		{"biggest_risk", "sorry, 4 developers", "team_available=4!"},
		{"biggest_risk", "no, 55 active users", "user_count=55!"},
		{"biggest_risk", "I meant 55 people will use it", "user_count=55!"},
		{"biggest_risk", "actually the budget is 70000", "budget=70000!"},
		{"biggest_risk", "no, the deadline is April 2027", `timeline="2027-04"!`},
		{"biggest_risk", "actually our sponsor is the director", `decision_maker="the director"!`},
		{"biggest_risk", "no, actually travel expenses", `out_of_scope="travel expenses"!`},
	})
}

// A fact about one thing that was said while a text about another was asked became
// the answer to that, or part of it.
func TestVolunteeredFactsAreNotTheAnswerToAnotherQuestion(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 22)

	checkTold(m, "business_profile", nil, []told{
		{"target_market", "Our revenue is 300000 euros a year", "annual_revenue=300000"},
		{"target_market", "Our revenue is about 300000 euros a year", "annual_revenue=300000~"},
		{"target_market", "We make 300000 euros a year", "annual_revenue=300000+"},
		{"target_market", "Our turnover is 300k", "annual_revenue=300000"},
		{"target_market", "We take in 300000 a year", "annual_revenue=300000+"},
		{"target_market", "We have 12 employees", "team_size=12"},
		{"target_market", "There are 12 of us", "team_size=12+"},
		{"target_market", "Our team is 12 people", "team_size=12"},
		{"target_market", "We were founded in 2015", `founded="2015"+`},
		{"target_market", "Our competitors are Acme and Bolt", `competitors="Acme and Bolt"`},
		{"target_market", "Our goal is to open a second shop", `primary_goal="open a second shop"`},
		{"industry", "We sell to cafés", `target_market="cafés"+`},
		{"industry", "We sell to cafés and hotels", `target_market="cafés and hotels"+`},
		{"industry", "Our customers are cafés", `target_market="cafés"`},
		{"industry", "We serve small hotels in Wales", `target_market="small hotels in Wales"+`},
		{"industry", "Our budget is 20000", "budget=20000"},
		{"industry", "Our yearly revenue is 300000 euros", "annual_revenue=300000"},
		{"industry", "We have a budget of 20000 euros", "budget=20000+"},
		{"customer_problem", "We sell to cafés", `target_market="cafés"+`},
		{"customer_problem", "We compete with Acme", `competitors="Acme"+`},
		{"main_challenge", "Our deadline is May 2027", `timeline="2027-05"`},
		{"main_challenge", "We have 8 hours a week", "time_available=8+"},
		// With the answer, both are taken; and what answers stays the answer.
		{"industry", "Baking. We sell to cafés.", `industry="Baking"; target_market="cafés"+`},
		{"industry", "We are in the baking trade", `industry="We are in the baking trade"`},
		{"target_market", "Cafés and hotels within 20 miles", `target_market="Cafés and hotels within 20 miles"`},
		{"target_market", "small firms with 12 employees", `target_market="small firms with 12 employees"`},
		{"business_overview", "We sell bread to cafés", `business_overview="We sell bread to cafés"`},
		{"main_challenge", "We have too few staff", `main_challenge="We have too few staff"`},
		{"main_challenge", "Our revenue is too low", `main_challenge="Our revenue is too low"`},
		{"success_measure", "When our revenue is 300000 euros a year", `success_measure="When our revenue is 300000 euros a year"`},
		{"primary_goal", "Our team should be happier", `primary_goal="Our team should be happier"`},
	})
	checkTold(m, "idea_discovery", nil, []told{
		{"problem", "It's for parents of toddlers", `target_users="parents of toddlers"+`},
		{"problem", "Our budget is 3000 euros", "budget=3000"},
		{"value_proposition", "I have 6 hours a week", "hours_per_week=6+"},
		{"current_alternatives", "My background is in nursing", `team_strengths="in nursing"`},
		{"riskiest_assumption", "We want to launch in June 2027", `launch_date="2027-06"+`},
		{"problem", "Parents forget the dose", `problem="Parents forget the dose"`},
	})
	checkTold(m, "project_discovery", nil, []told{
		{"business_need", "Our budget is 60000 euros", "budget=60000"},
		{"desired_outcome", "The deadline is March 2027", `timeline="2027-03"`},
		{"typical_task", "The board has the final say", `typical_task="The board has the final say"`},
		{"typical_task", "We have a team of 4", "team_available=4+"},
		{"core_requirements", "Our users are clerks in the town hall", `user_groups="clerks in the town hall"`},
		{"core_requirements", "It must be able to print labels", `core_requirements="It must be able to print labels"`},
	})
}
