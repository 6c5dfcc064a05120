package reading

import (
	"strings"
	"testing"

	"quaestor/chat/chattest"
	"quaestor/obligations"
	"quaestor/sessions/objectives"
)

// Figures as people say them, that were read as others: "two or three hundred" as 2
// to 300, "two evenings a week" as the 168 hours of a week.
func TestFiguresAsPeopleSayThem(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 6)

	checkTold(m, "business_profile", nil, []told{
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
	m := chattest.Measured(t, 9)

	checkTold(m, "business_profile", nil, []told{
		{"target_market", "Independent delis, within 20 miles of us", `target_market="Independent delis, within 20 miles of us"`},
		{"budget", "sept 2027", ""},
		{"budget", "by 1 June 2027", ""},
		{"budget", "in March 2027 we get 20k", "budget=20000"},
		{"time_available", "two evenings", ""},
	})
	checkTold(m, "business_profile", [][2]string{{"competitors", `"none"`}}, []told{
		{"time_available", "I said we have no competitors, that was wrong, halfords is one", ""},
		{"time_available", "we have no hours to spare", "time_available=0"},
		{"time_available", "no time at all", "time_available=0"},
		{"time_available", "none really", "time_available=0"},
		{"budget", "well to be honest there is no budget for this yet", "budget=0"},
	})
}

// A rate is brought to the one that is asked for: "an hour a week" was the 168 hours of
// a week, and what came in a month was put down for a year.
func TestRatesAreBroughtToWhatIsAsked(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 26)

	checkTold(m, "business_profile", nil, []told{
		{"time_available", "an hour a week", "time_available=1"},
		{"time_available", "maybe an hour a week", "time_available=1~"},
		{"time_available", "an hour and a half a week", "time_available=1.5"},
		{"time_available", "an hour a day", `time_available={"min":5,"max":7}~`},
		{"time_available", "half an hour a day", `time_available={"min":2.5,"max":3.5}~`},
		{"time_available", "30 min/day", `time_available={"min":2.5,"max":3.5}~`},
		{"time_available", "2 hours every evening", "time_available=14~"},
		{"time_available", "every evening about 2 hours", "time_available=14~"},
		{"time_available", "2 hours each working day", "time_available=10~"},
		{"time_available", "an hour on weekdays", "time_available=5~"},
		{"time_available", "an hour a day, three days a week", "time_available=3"},
		{"time_available", "five days a week, 8 hours a day", "time_available=40"},
		{"time_available", "20 hours a month", "time_available=4.62~"},
		{"time_available", "about 20 hours of my own time a month", "time_available=4.62~"},
		{"time_available", "two days a month", "time_available=3.69~"},
		{"time_available", "2 hours twice a week", "time_available=4~"},
		{"time_available", "three times a week for 2 hours", "time_available=6~"},
		{"time_available", "6 hours every other week", "time_available=3~"},
		{"time_available", "an hour every other day", "time_available=3.5~"},
		{"time_available", "an hour in the mornings", `time_available={"min":5,"max":7}~`},
		{"time_available", "an hour or two a day", `time_available={"min":5,"max":14}~`},
		{"time_available", "every day for an hour", "time_available=7~"},
		{"time_available", "three hours at the weekend", "time_available=3"},
		{"time_available", "weekly 6 hours", "time_available=6"},
		{"time_available", "5 hours on Saturdays", "time_available=5"},
		{"time_available", "8, one day a week", "time_available=8"},
		{"time_available", "a few hours a week", "refused"},
		{"time_available", "some hours a week", "refused"},
		{"time_available", "two hours in a good week", "time_available=2"},
		{"time_available", "20 hours a season", "time_available=20"},
		{"annual_revenue", "about 800 euros a month", "annual_revenue=9600~"},
		{"annual_revenue", "800 per month", "annual_revenue=9600~"},
		{"annual_revenue", "£800/month", "annual_revenue=9600~"},
		{"annual_revenue", "each month we take in about 800", "annual_revenue=9600~"},
		{"annual_revenue", "monthly about 800", "annual_revenue=9600~"},
		{"annual_revenue", "10-15k a month", `annual_revenue={"min":120000,"max":180000}~`},
		{"annual_revenue", "12 grand a quarter", "annual_revenue=48000~"},
		{"annual_revenue", "roughly 5 thousand a week", "annual_revenue=260000~"},
		{"annual_revenue", "500 a day, five days a week", "annual_revenue=130000~"},
		{"annual_revenue", "300k a year", "annual_revenue=300000"},
		{"annual_revenue", "300k in a normal year", "annual_revenue=300000"},
		{"annual_revenue", "300k last year", "annual_revenue=300000"},
		{"annual_revenue", "300k, a year ago it was 250k", "refused"},
		{"annual_revenue", "800 last month", "refused"},
		{"annual_revenue", "5k in a good month", "refused"},
		{"annual_revenue", "30 an hour", "refused"},
		{"annual_revenue", "5k a week in summer", "refused"},
		{"annual_revenue", "not much, a few hundred a month", "refused"},
		{"annual_revenue", "several thousand", "refused"},
		{"annual_revenue", "two fifty", "refused"},
		{"annual_revenue", "about 100k a year, 8k a month", "annual_revenue=100000~"},
		{"annual_revenue", "800 a month in winter and 3000 in summer", "refused"},
		{"annual_revenue", "a couple of hundred a month", "annual_revenue=2400~"},
		{"annual_revenue", "400 a day, we open five days a week", "annual_revenue=104000~"},
		{"budget", "300 euros a month", "refused"},
		{"budget", "20k for a year", "budget=20000"},
		{"team_size", "12 people for a year now", "team_size=12"},
		{"team_size", "4 full time and 2 part time", "team_size=6"},
		{"team_size", "four full-timers, two part-timers", "team_size=6"},
		{"team_size", "4 people plus 2 seasonal", "team_size=6"},
		{"team_size", "12 staff, 4 part time", "refused"},
		{"team_size", "12 people and 2 vans", "team_size=12"},
	})
	checkTold(m, "idea_discovery", nil, []told{
		{"hours_per_week", "an hour a week", "hours_per_week=1"},
		{"hours_per_week", "two evenings a week", "refused"},
		{"hours_per_week", "two evenings a week, 3 hours each evening", "hours_per_week=6"},
		{"problem_severity", "it costs people an hour a week", ""},
		{"problem", "Teachers lose five hours a week to paperwork", `problem="Teachers lose five hours a week to paperwork"`},
		{"problem", "I have about 10 hours a week of paperwork", `problem="I have about 10 hours a week of paperwork"`},
		{"problem", "People forget keys. I have 10 hours a week of my own time", `problem="People forget keys. I have 10 hours a week of my own time"; hours_per_week=10+`},
		{"problem", "I waste 5 hours a week on it", `problem="I waste 5 hours a week on it"`},
		{"value_proposition", "It saves people 3 hours a week", `value_proposition="It saves people 3 hours a week"`},
	})
	checkTold(m, "business_profile", nil, []told{
		{"industry", "Baking. We take in about 25k a month", `industry="Baking"; annual_revenue=300000~+`},
		{"industry", "Baking. Our turnover is 5k a week", `industry="Baking"; annual_revenue=260000~`},
	})
}

// What is asked for a month or a week is answered in years as well.
func TestRatesOfOtherQuestions(t *testing.T) {
	t.Parallel()

	for _, test := range []struct{ prompt, unit, in, want string }{
		{"How much do you spend on rent a month?", "money", "12000 a year", "1000"},
		{"How much do you spend on rent each month?", "money", "1000", "1000"},
		{"How many orders do you get a week?", "orders", "10 a day", `{"min":50,"max":70}`},
		{"What is your weekly turnover?", "money", "52k a year", "1000"},
		{"How much do you spend on rent?", "money", "12000 a year", "12000"},
		{"How many hours a day is the shop open?", "hours", "40 hours a week", `{"min":5.71,"max":8}`},
		{"How many hours a day is the shop open?", "hours", "8 hours every day", "8"},
	} {
		tpl := obligations.Template{Key: "x", Prompt: test.prompt, Widget: obligations.Number, Unit: test.unit}
		scene := chattest.SceneIn(&objectives.Definition{Obligations: []obligations.Template{tpl}}, "x", test.in)
		if got, want := chattest.Brief(understand(t, scene).Findings), "x="+test.want; !strings.HasPrefix(got, want) {
			t.Errorf("%s, Understand(%q) finds %s, want %s", test.prompt, test.in, got, want)
		}
	}
}

// "In June" was put into the future where the question is since when.
func TestSinceWhen(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 18)

	checkTold(m, "business_profile", nil, []told{
		{"founded", "in June", `founded="2026-06"~`},
		{"founded", "June", `founded="2026-06"~`},
		{"founded", "in September", `founded="2025-09"~`},
		{"founded", "since September", `founded="2025-09"`},
		{"founded", "in the autumn", `founded="2025-09"~`},
		{"founded", "on 3 November", `founded="2025-11-03"~`},
		{"founded", "We opened in October", `founded="2025-10"~`},
		{"founded", "June 2019", `founded="2019-06"`},
		{"founded", "last spring", `founded="2026-03"~`},
		{"founded", "We open on 1 September", `founded="2026-09-01"`},
		{"founded", "not yet, we plan to open next June", `founded="2027-06"`},
		{"founded", "this autumn", `founded="2026-09"~`},
		{"founded", "in three months", `founded="2026-11"`},
		{"founded", "the summer after covid", "refused"},
		{"founded", "the spring my daughter was born", "refused"},
		{"founded", "the summer, I think", `founded="2026-06"~`},
		{"founded", "for 20 years", `founded="2006"~`},
		{"founded", "about twenty years now", `founded="2006"~`},
		{"founded", "over 20 years", `founded="2006"~`},
		{"founded", "for 18 months", `founded="2025-02"~`},
		{"founded", "20 years ago", `founded="2006"`},
		{"founded", "20 years after my father", ""},
		{"founded", "between 10 and 20 years", "refused"},
		{"founded", "ages", ""},
		{"founded", "20 years this June", `founded="2006"~`},
		{"founded", "June last year", `founded="2025-06"`},
		{"founded", "3 May last year", `founded="2025-05-03"`},
		{"founded", "last Friday", `founded="2026-08-07"`},
		{"timeline", "June next year", `timeline="2027-06"`},
		{"timeline", "in the summer of next year", `timeline="2027-06"~`},
		{"timeline", "next year", `timeline="2027"`},
		{"timeline", "last Friday", "refused"},
		{"timeline", "in June", `timeline="2027-06"`},
		{"timeline", "the summer after the exams", `timeline="2026-06"~`},
		{"timeline", "for 20 years", "refused"},
		{"industry", "Baking. We opened in June", `industry="Baking"; founded="2026-06"~+`},
	})
	checkAsked(m, "launch", []readerTest{{"in June", `"2027-06"`}, {"between March and May 2027", "refused"}})
}
