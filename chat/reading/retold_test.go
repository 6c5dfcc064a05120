package reading

import (
	"testing"

	"quaestor/chat/chattest"
)

// "I said five grand but actually I can only do three" put "I can only do three" into
// the middle of a long text in which "five grand" stood.
func TestSentencesAreNotPutIntoOthers(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 2)

	long := `"People sign up for a class and then do not show up, and I have got about five grand to spend on an app for that"`
	held := [][2]string{{"idea_summary", long}, {"problem", `"no-shows"`}}
	checkTold(m, "idea_discovery", append(held, [2]string{"budget", "5000"}), []told{
		{"current_alternatives", "wait, I said five grand but actually I can only do three", "budget=3000!"},
		{"current_alternatives", "I said five grand but it is 3000", "budget=3000!"},
		{"current_alternatives", "I said five grand, but it is four thousand", "budget=4000!"},
	})
	checkTold(m, "idea_discovery", held, []told{
		{"target_users", "I meant yoga, not a class", `idea_summary="People sign up for yoga and then do not show up, and I have got about five grand to spend on an app for that"!`},
	})
}

// "No wait, the budget is 30k" changed what was answered last, where no budget was known.
func TestCorrectionOfWhatIsNotKnownTellsIt(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 2)

	checkTold(m, "project_discovery", [][2]string{{"success_criteria", `"half of all bookings online"`}}, []told{
		{"typical_task", "no wait, the budget is 30k", "budget=30000"},
		{"typical_task", "sorry, the deadline is May 2027", `timeline="2027-05"`},
		{"typical_task", "no wait, it is a third of all bookings", `success_criteria="a third of all bookings"!`},
	})
	checkTold(m, "business_profile", [][2]string{{"team_size", "12"}}, []told{
		{"annual_revenue", "let's say 300k", "annual_revenue=300000~"},
		{"main_challenge", "let's say 14 people", "team_size=14!"},
	})
}

// What the person has to spend is their budget, said without that word.
func TestMoneyToSpend(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 1)

	checkTold(m, "idea_discovery", nil, []told{
		{"problem", "People forget their keys. I've got about five grand to spend and maybe eight hours a week", `problem="People forget their keys"; hours_per_week=8~+; budget=5000~+`},
		{"problem", "People forget their keys, and we could invest 20k", `problem="People forget their keys"; budget=20000+`},
		{"problem", "People spend 300 euros a year on locksmiths", `problem="People spend 300 euros a year on locksmiths"`},
		{"problem", "We spend 300 euros a year on locksmiths", `problem="We spend 300 euros a year on locksmiths"`},
	})
}

// What was told before and is told again with more to it, after a word of correction,
// was taken as the answer to another question.
func TestWhatIsToldAgainReplacesWhatWasTold(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 2)

	checkTold(m, "business_profile", [][2]string{{"business_overview", `"we fix bikes"`}, {"industry", `"bikes"`}}, []told{
		{"main_challenge", "actually we fix bikes and sell second hand ones", `business_overview="we fix bikes and sell second hand ones"!`},
		{"main_challenge", "actually we do not find people who can fix bikes", `main_challenge="we do not find people who can fix bikes"`},
	})
}
