package reading

import (
	"testing"

	"quaestor/chat/chattest"
	"quaestor/obligations"
	"quaestor/sessions/objectives"
)

// "10,000 first, then another 5,000" was 5,000, "10 hours for me and 5 for my wife" were 10,
// and "2 from IT and 1 from facilities" was not taken at all.
func TestWhatBelongsTogetherIsAddedUp(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 9)

	checkTold(m, "business_profile", nil, []told{
		{"budget", "10,000 first, then another 5,000", "budget=15000"},
		{"budget", "10k plus 5k from the bank", "budget=15000"},
		{"budget", "10k now and 5k next year", "budget=15000"},
		{"budget", "5k from me, 3k from my brother and 2k from the bank", "budget=10000"},
		{"budget", "3,000 euros for a website and 2,000 for ads", "budget=5000"},
		{"budget", "10k from savings and 5k from the bank, so 15k in total", "budget=15000"},
		{"annual_revenue", "100k from bread and 50k from coffee", "annual_revenue=150000"},
		{"annual_revenue", "100k in the shop and 50k on the web", "annual_revenue=150000"},
		{"time_available", "10 hours for me and 5 for my wife", "time_available=15"},
		{"time_available", "10 hours a week me and 5 hours a week my wife", "time_available=15"},
		{"time_available", "I have 10 hours and my wife has 5", "time_available=15"},
		{"time_available", "me 10, Anna 5", "time_available=15"},
		{"time_available", "10 hours, my wife another 5", "time_available=15"},
		{"time_available", "5 hours a week each, 10 in total", "time_available=10"},
		{"team_size", "two in the office and three in the workshop", "team_size=5"},
		{"team_size", "4 bakers, 2 drivers and an apprentice", "team_size=7"},
		{"team_size", "Anna, Tom and me", "team_size=3~"},
		{"team_size", "Anna, Tom and me, that makes three", "team_size=3"},
		{"team_size", "15 staff and around 3000 pet owners", "team_size=15"},
		{"target_market_size", "15 staff and around 3000 pet owners", "target_market_size=3000~; team_size=15+"},
	})
	checkTold(m, "project_discovery", nil, []told{
		{"team_available", "2 from IT and 1 from facilities", "team_available=3"},
		{"team_available", "2 developers and 1 tester", "team_available=3"},
		{"team_available", "me, my brother and Jo from accounts, so three", "team_available=3"},
		{"user_count", "15 staff and around 3000 pet owners", "user_count=3015~"},
		{"user_count", "40 nurses and 5 doctors", "user_count=45"},
		{"user_count", "3 on the desk, 12 coaches and maybe 2000 members", "user_count=2015~"},
		{"budget", "8 grand a van times two", "budget=16000"},
		{"budget", "3 x 500 euros", "budget=1500"},
	})
}

// Sums, products, rates and what is left of a whole, in both languages.
func TestFiguresAreReckonedWith(t *testing.T) {
	t.Parallel()

	const bp = "business_profile"
	checkSpoken(t, []spokenTo{
		{"en", bp, "budget", nil, "10k now and 5k from the bank", "budget=15000"},
		{"en", bp, "budget", nil, "4,000 for the website and 2,000 for ads, 6,000 in total", "budget=6000"},
		{"en", bp, "budget", nil, "3 x 500 euros", "budget=1500"},
		{"en", bp, "budget", nil, "500 euros a month for two years", "budget=12000~"},
		{"en", bp, "annual_revenue", nil, "30 a day", `annual_revenue={"min":7800,"max":10920}~`},
		{"en", bp, "annual_revenue", nil, "400 a day, five days a week", "annual_revenue=104000~"},
		{"en", bp, "time_available", nil, "10 hours for me and 5 for my wife", "time_available=15"},
		{"en", bp, "time_available", nil, "two hours every evening", "time_available=14~"},
		{"en", bp, "team_size", nil, "4 full time and 2 part time", "team_size=6"},
		{"de", bp, "budget", nil, "10.000 jetzt und 5.000 von der Bank", "budget=15000"},
		{"de", bp, "budget", nil, "4.000 für die Website und 2.000 für Werbung, insgesamt 6.000", "budget=6000"},
		{"de", bp, "budget", nil, "dreimal 500 Euro", "budget=1500"},
		{"de", bp, "budget", nil, "500 Euro im Monat für zwei Jahre", "budget=12000~"},
		{"de", bp, "annual_revenue", nil, "400 am Tag, fünf Tage die Woche", "annual_revenue=104000~"},
		{"de", bp, "time_available", nil, "10 Stunden ich und 5 meine Frau", "time_available=15"},
		{"de", bp, "time_available", nil, "jeden Morgen eine halbe Stunde", "time_available=3.5~"},
		{"de", bp, "team_size", nil, "4 in Vollzeit und 2 in Teilzeit", "team_size=6"},
	})
}

// "40 % in the shop, the rest online" was 40 % online.
func TestTheRestOfAWhole(t *testing.T) {
	t.Parallel()

	for _, x := range []struct{ language, name, prompt, in, want string }{
		{"en", "Online share", "What share of your sales is online?", "40 % in the shop, the rest online", "60"},
		{"en", "Online share", "What share of your sales is online?", "60 % online, the rest in the shop", "60"},
		{"en", "Wholesale share", "How much of it is wholesale?", "a quarter is private people, the remainder wholesale", "75"},
		{"en", "Export share", "What share do you export?", "we export 30 percent, the rest stays here", "30"},
		{"en", "Online share", "What share of your sales is online?", "half of it", "50"},
		{"de", "Anteil online", "Welchen Anteil verkaufen Sie online?", "40 % im Laden, der Rest online", "60"},
		{"de", "Anteil online", "Welchen Anteil verkaufen Sie online?", "60 Prozent online, der Rest im Laden", "60"},
		{"de", "Exportanteil", "Wie viel Prozent gehen in den Export?", "70 Prozent bleiben hier, der Rest geht in den Export", "30"},
		{"de", "Großhandel", "Wie viel Prozent macht der Großhandel aus?", "20 % Privatleute, Rest Großhandel", "80"},
		{"de", "Anteil online", "Welchen Anteil verkaufen Sie online?", "die Hälfte", "50"},
	} {
		d := &objectives.Definition{ContextType: "test", Obligations: []obligations.Template{{Key: "x", Label: x.name, Prompt: x.prompt, Widget: obligations.Number, Unit: "percent", Min: chattest.Float(0), Max: chattest.Float(100), Priority: 5}}}
		s := chattest.SceneIn(d, "x", x.in)
		s.Session.Language = x.language
		if got := chattest.Brief(understand(t, s).Findings); got != "x="+x.want && got != "x="+x.want+"~" {
			t.Errorf("%s, asked %q, Understand(%q) finds %s, want %s", x.language, x.prompt, x.in, got, x.want)
		}
	}
}

// What is told in passing is added up as well.
func TestSharesToldInPassingAreAddedUp(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 3)

	checkTold(m, "idea_discovery", nil, []told{
		{"problem", "we have 6 hours a week me and 3 my friend", "hours_per_week=9+"},
		{"problem", "Keys get lost. I can give 6 hours a week, my sister 4.", `problem="Keys get lost"; hours_per_week=10+`},
		{"problem", "Keys get lost. I have 6 hours a week, 4 of them at weekends", `problem="Keys get lost. I have 6 hours a week, 4 of them at weekends"; hours_per_week=6+`},
	})
}

// What is part of another figure, stands against it or comes after it is not added to it.
func TestWhatStandsApartIsNotAddedUp(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 13)

	checkTold(m, "business_profile", nil, []told{
		{"budget", "10k, 5k of which is for marketing", "refused"},
		{"budget", "10k, maybe 15k", "refused"},
		{"budget", "first I thought 10k, then 5k", "refused"},
		{"budget", "5k or 10k", `budget={"min":5000,"max":10000}~`},
		{"annual_revenue", "100k in 2024 and 150k in 2025", "refused"},
		{"annual_revenue", "300k, 40k of it from weddings", "refused"},
		{"time_available", "10 hours a week, 5 of them at weekends", "time_available=10"},
		{"time_available", "10 hours in summer and 5 in winter", "time_available=10"},
		{"annual_revenue", "100k online, 50k in the shop", "refused"},
		{"annual_revenue", "100k in a good year and 50k in a bad one", "refused"},
		{"annual_revenue", "100k in the first year and 150k in the second", "refused"},
		{"time_available", "evenings after 8", "refused"},
		{"team_size", "first 3, then 5", "refused"},
		{"team_size", "12 now, 15 later", "team_size=12"},
		{"team_size", "12 staff, 4 part time", "refused"},
		{"team_size", "3 vans and 2 drivers", "team_size=2"},
		{"team_size", "12 employees in 3 shops", "team_size=12"},
		{"team_size", "we have 4 and our competitor has 20", "refused"},
	})
}

// A figure left over from the hours became the money, and "so three" the budget.
func TestFormsAddUp(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 6)

	checkForm(m, "idea_discovery", []string{"budget", "hours_per_week"}, []toldForm{
		{"My sister has 4 hours and I have 6, and we have 20,000 euros", `hours_per_week=10; budget=20000`},
		{"My sister has 4 hours and I have 6. We can spend 20,000 euros", `hours_per_week=10; budget=20000`},
		{"10,000 first, then another 5,000, 8 hours", `budget=15000; hours_per_week=8`},
		{"20 and 6", `budget=20; hours_per_week=6`},
		{"5 hours; about 50 euros", `hours_per_week=5; budget=50~`},
	})
	checkForm(m, "idea_discovery", []string{"launch_date", "budget", "hours_per_week"}, []toldForm{
		{"March, 3k, 6 hours, my sister 4", `launch_date="2027-03"; budget=3000; hours_per_week=10`},
	})
	checkForm(m, "project_discovery", []string{"timeline", "budget", "team_available"}, []toldForm{
		{"June, 20k, me and my brother and Jo from accounts, so three", `timeline="2027-06"; team_available=3~; budget=20000`},
		{"June, 20k, 2 from IT and 1 from facilities", `timeline="2027-06"; budget=20000; team_available=3`},
	})
}

// "500 euros a month" was a budget of 500.
func TestBudgetsKeepTheirRate(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 4)

	checkTold(m, "project_discovery", nil, []told{
		{"budget", "500 euros a month", "refused"},
		{"budget", "200 a week", "refused"},
		{"budget", "500 a month for a year", "budget=6000~"},
		{"budget", "500 euros a month for the next six months", "budget=3000~"},
		{"budget", "500 a month, 6000 in all", "budget=6000"},
		{"budget", "2k a year", "budget=2000"},
	})
	checkForm(m, "business_profile", []string{"timeline", "budget", "time_available"}, []toldForm{
		{"June, 500 a month, two evenings a week", `timeline="2027-06"`},
		{"June, 500 a month for a year, 5 hours", `timeline="2027-06"; time_available=5; budget=6000~`},
	})
}

// "2 evenings a week" was answered with the bounds of the question.
func TestPartsOfADayAreAskedForInHours(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 7)

	checkTold(m, "business_profile", nil, []told{
		{"time_available", "two evenings a week, 3 hours each", "time_available=6"},
		{"time_available", "two evenings a week of three hours", "time_available=6"},
		{"time_available", "2 evenings a week", "refused"},
	})
	for _, in := range []string{"2 evenings a week", "every evening", "only at weekends", "a couple of mornings"} {
		u := understand(m, chattest.SceneIn(chattest.Shipped(m, "business_profile"), "time_available", in))
		if want := "How long that is differs from person to person: about how many hours a week would it be?"; len(u.Refused) != 1 || u.Refused[0].Remedy != want {
			m.Errorf("Understand(%q) refuses %v, want %q", in, u.Refused, want)
		}
	}
}
