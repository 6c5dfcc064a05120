package rules

import "testing"

// Figures as people say them, that were read as others: "two or three hundred" as 2
// to 300, "two evenings a week" as the 168 hours of a week.
func TestFiguresAsPeopleSayThem(t *testing.T) {
	t.Parallel()

	checkTold(t, "business_profile", nil, []told{
		{"target_market_size", "maybe two or three hundred", `target_market_size={"min":200,"max":300}~`},
		{"target_market_size", "two to three thousand", `target_market_size={"min":2000,"max":3000}`},
		{"target_market_size", "between 2 and 3 thousand", `target_market_size={"min":2000,"max":3000}`},
		{"target_market_size", "somewhere between two and three thousand shops", `target_market_size={"min":2000,"max":3000}`},
		{"budget", "couple of thousand", "budget=2000~"},
		{"budget", "couple hundred quid", "budget=200~"},
		{"budget", "five or six grand", `budget={"min":5000,"max":6000}~`},
		{"time_available", "two evenings a week so 6ish", "time_available=6~"},
		{"time_available", "10 hours a week", "time_available=10"},
		{"time_available", "ten hours per week, maybe 12 in summer", "time_available=10~"},
		{"time_available", "two days a week", "time_available=16~"},
		{"team_size", "me and one developer", "team_size=2"},
		{"team_size", "just me and my dog", "team_size=1~"},
		{"team_size", "my wife and I plus two part-timers", "team_size=4~"},
		{"team_size", "only me", "team_size=1"},
		{"team_size", "there's 12 of us", "team_size=12"},
	})
}

// What has a unit of its own, or is a date, is no figure for something else.
func TestFiguresOfSomethingElse(t *testing.T) {
	t.Parallel()

	checkTold(t, "business_profile", nil, []told{
		{"target_market", "Independent delis, within 20 miles of us", `target_market="Independent delis, within 20 miles of us"`},
		{"budget", "sept 2027", ""},
		{"budget", "by 1 June 2027", ""},
		{"budget", "in March 2027 we get 20k", "budget=20000"},
		{"time_available", "two evenings", ""},
	})
	checkTold(t, "business_profile", [][2]string{{"competitors", `"none"`}}, []told{
		{"time_available", "I said we have no competitors, that was wrong, halfords is one", ""},
		{"time_available", "we have no hours to spare", "time_available=0"},
		{"time_available", "no time at all", "time_available=0"},
		{"time_available", "none really", "time_available=0"},
		{"budget", "well to be honest there is no budget for this yet", "budget=0"},
	})
}
