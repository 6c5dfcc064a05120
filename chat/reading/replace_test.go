package reading

import (
	"testing"

	"quaestor/chat/chattest"
)

// What names the wrong value along with the right one is changed wherever it was told, and
// answers nothing else.
func TestChangesThatNameBothValues(t *testing.T) {
	t.Parallel()

	held := [][2]string{{"founded", `"2019"`}, {"team_size", "3"}, {"budget", "300"}, {"time_available", "10"}, {"business_overview", `"I build tables"`}, {"target_market", `"dog owners"`},
		{"competitors", `"big salons mostly, and one other van called Muddy Paws"`}}
	checkTold(t, "business_profile", held, []told{
		{"main_challenge", "no wait, it's not 2 hours, more like 3. and since 2018 actually, not 2019", `founded="2018"!`},
		{"main_challenge", "we're 4 people, not 3, and we began in 2018 and not in 2019. The hardest thing is finding staff.", `team_size=4!; founded="2018"!; main_challenge="The hardest thing is finding staff"`},
		{"main_challenge", "I have 500, not 300, and 12 hours instead of 10", `budget=500!; time_available=12!`},
		{"customer_problem", "vans, not tables", `business_overview="I build vans"!`},
		{"customer_problem", "cat owners instead of dog owners", `target_market="cat owners"!`},
		{"customer_problem", "it's called Mucky Paws, not Muddy Paws", `competitors="big salons mostly, and one other van called Mucky Paws"!`},
		{"timeline", "wait, the budget is 450, not 300", "budget=450!"},
		// Answers, all of them:
		{"customer_problem", "they want speed, not price", `customer_problem="they want speed, not price"`},
		{"main_challenge", "growing steadily since the move in 2011", `main_challenge="growing steadily since the move in 2011"; growth_stage="growing"+`},
	})
}

// What people put under a heading of their own is of what the heading names.
func TestHeadings(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 1)

	checkTold(m, "business_profile", [][2]string{{"business_overview", `"I wash dogs"`}}, []told{
		{"primary_goal", "the competitors? big salons mostly, and one other van called Muddy Paws", `competitors="big salons; one other van called Muddy Paws"~`},
		{"primary_goal", "As for the budget, 5k. My goal is a second van.", `primary_goal="a second van"; budget=5000`},
		{"primary_goal", "Budget: 5k", "budget=5000"},
	})
}

// The time somebody has left is no value, and ages are no amounts.
func TestFiguresOfNothing(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 0)

	checkTold(m, "business_profile", [][2]string{{"business_overview", `"I wash dogs"`}}, []told{
		{"time_available", "fifteen minutes, then I have to go", ""},
		{"time_available", "6 hours a week, bye", "time_available=6"},
		{"primary_goal", "been at it since 2011", `founded="2011"+`},
		{"target_market", "probably people aged 30 to 60, they've got money but no time", `target_market="people aged 30 to 60, they've got money but no time"~`},
	})
}

// Who puts a figure right leaves its thousands out, as all do; what was not said so changes nothing.
func TestThousandsLeftOut(t *testing.T) {
	t.Parallel()

	d := chattest.Shipped(t, "business_profile")
	for said, want := range map[string]string{
		"it's not 140, it's 150":  "annual_revenue=150000!",
		"not 140, 150k":           "annual_revenue=150000!",
		"it's not 90, it's 150":   "",
		"nicht 140, sondern 150.": "annual_revenue=150000!",
	} {
		s := chattest.SceneIn(d, "offering_type", said)
		chattest.Hold(s, "annual_revenue", "140000", 2)
		chattest.Hold(s, "team_size", "12", 1)
		if got := chattest.Brief(understand(t, s).Findings); got != want {
			t.Errorf("%q tells %q, want %q", said, got, want)
		}
	}
}
