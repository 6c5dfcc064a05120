package reading

import (
	"testing"

	"quaestor/chat/chattest"
	"quaestor/sessions"
)

// toldForm is a message that answers a form, and what is found in it.
type toldForm struct{ in, want string }

func checkForm(t testing.TB, contextType string, keys []string, tests []toldForm) {
	t.Helper()
	d := chattest.Shipped(t, contextType)
	for _, test := range tests {
		s := chattest.SceneIn(d, keys[0], test.in)
		s.Asked = &sessions.Question{Purpose: sessions.ToForm}
		for _, key := range keys {
			s.Asked.Fields = append(s.Asked.Fields, sessions.Question{Purpose: sessions.ToAsk, Key: key})
		}
		if got := chattest.Brief(understand(t, s).Findings); got != test.want {
			t.Errorf("%s, Understand(%q) finds\n     %s\nwant %s", keys, test.in, got, test.want)
		}
	}
}

// "1 June" in the answer to a form was a budget of 1, and "rather not say" to one of
// three fields left out all of them, with what was said to the others.
func TestFormsAnsweredSentenceBySentence(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 7)

	checkForm(m, "project_discovery", []string{"timeline", "budget", "team_available"}, []toldForm{
		{"before the winter, let's say 1 December. no more than £25,000. me and one developer", `timeline="2026-12-01"; budget={"min":0,"max":25000}; team_available=2`},
		{"let's say 1 December. no more than £25,000. me and one developer", `timeline="2026-12-01"; budget={"min":0,"max":25000}; team_available=2`},
		{"let's say 1 December", `timeline="2026-12-01"`},
		{"no wait, the budget is 30k", "budget=30000"},
		{"Let's say 1 December, and no more than £25,000, we are 3 people", `timeline="2026-12-01"; budget={"min":0,"max":25000}; team_available=3`},
		{"March\n20k\n3", `timeline="2027-03"; budget=20000; team_available=3`},
		{"March, 20k, 3", `timeline="2027-03"; budget=20000; team_available=3`},
		{"no idea. 20k. later", `timeline unsure; budget=20000; team_available defer`},
		{"skip", `timeline skip:declined; budget skip:declined; team_available skip:declined`},
	})
	checkForm(m, "project_discovery", []string{"data_kinds", "platforms"}, []toldForm{
		{"Names and payment data, nothing scandalous. Phones for the owners, the reception PC for us", `data_kinds=["contact_details","payment"]; platforms=["phone","desktop"]`},
	})
	checkForm(m, "business_profile", []string{"team_size", "annual_revenue", "founded"}, []toldForm{
		{"just me and my dog. rather not say. ages ago, 2009 maybe", `team_size=1~; annual_revenue skip:declined; founded="2009"~`},
		{"4. 300k. 2015", `team_size=4; annual_revenue=300000; founded="2015"`},
		{"2015, 4 people", `founded="2015"; team_size=4`},
	})
	checkForm(m, "idea_discovery", []string{"who_pays", "problem_severity", "problem_frequency"}, []toldForm{
		{"the gardeners themselves, maybe councils later. it's annoying more than anything. in summer pretty much every day",
			`who_pays="users"~; problem_severity="annoying"; problem_frequency="daily"`},
	})
}

// "Between 250 and 300 thousand" was cut in two, a figure that two fields could hold
// was lost although one of them was answered, and one item that cannot be read took
// all others with it.
func TestFormsKeepWhatCanBeRead(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 22)

	checkForm(m, "business_profile", []string{"team_size", "annual_revenue", "founded"}, []toldForm{
		{"between 10 and 15 people, around 200k, last spring", `team_size={"min":10,"max":15}; annual_revenue=200000~; founded="2026-03"~`},
		{"six of us, between 250 and 300 thousand, early 2019", `annual_revenue={"min":250000,"max":300000}; founded="2019-02"~; team_size=6`},
		{"3 or 4, between 250 and 300 thousand, 2019", `team_size={"min":3,"max":4}~; annual_revenue={"min":250000,"max":300000}; founded="2019"`},
		{"Six including me, around £310,000 and we opened in March 2015", `team_size=6; annual_revenue=310000~; founded="2015-03"`},
		{"Six including me and we opened in March 2015", `team_size=6; founded="2015-03"`},
		{"6, 300k, for 20 years", `team_size=6; annual_revenue=300000; founded="2006"~`},
		{"me and the three girls, 9k a month last year, this year a bit more, 2016ish", `team_size=4; founded="2016"~; annual_revenue=108000~`},
		{"6, 300k, ages", `team_size=6; annual_revenue=300000`},
		{"6, 300k and that is all", `team_size=6; annual_revenue=300000`},
		{"about us, 6, 2015", `team_size=6; founded="2015"`},
		{"10-15k a month, about a dozen, in the nineties", `annual_revenue={"min":120000,"max":180000}~; team_size=12~; founded="1990"~`},
		{"4 full time and 2 part time, 5k a week, since covid", `team_size=6; annual_revenue=260000~`},
		{"4 full time, 2 part time, 5k a week, since covid", `team_size=6; annual_revenue=260000~`},
		{"6, no idea, 2015", `team_size=6; annual_revenue unsure; founded="2015"`},
		{"6, rather not say, 2015", `team_size=6; annual_revenue skip:declined; founded="2015"`},
		{"just me, 800 euros a month, since June", `team_size=1; annual_revenue=9600~; founded="2026-06"`},
		{"just me, 800 euros a month, June", `team_size=1; annual_revenue=9600~; founded="2026-06"~`},
		{"just me, 800 euros a month, the summer after covid", `team_size=1; annual_revenue=9600~`},
		{"6 people, 5k a week in summer, 2015", `team_size=6; founded="2015"`},
		{"4 plus 2 seasonal, 5k a week, 20 years", `team_size=6; annual_revenue=260000~; founded="2006"~`},
		{"5 or 6, 100 or 120k, 2001 or 2002", `team_size={"min":5,"max":6}~; annual_revenue={"min":100000,"max":120000}~`},
		{"8 people for 15 years", `team_size=8; founded="2011"~`},
		{"we are 12 with 300k in sales since 2010", `team_size=12; annual_revenue=300000; founded="2010"`},
		{"2019, six people, 200k", `founded="2019"; team_size=6; annual_revenue=200000`},
	})
	checkForm(m, "project_discovery", []string{"timeline", "budget", "team_available"}, []toldForm{
		{"May 2027, between 20 and 30 thousand euros, 3", `timeline="2027-05"; budget={"min":20000,"max":30000}; team_available=3`},
		{"me and two freelancers, 20 to 30 thousand, end of March", `team_available=3; budget={"min":20000,"max":30000}; timeline="2027-03-31"`},
		{"two developers, end of March, 20k", `timeline="2027-03-31"; budget=20000; team_available=2`},
		{"spring, 20-30k, two developers", `timeline="2027-03"~; budget={"min":20000,"max":30000}; team_available=2`},
		{"20k by May with 3 people", `timeline="2027-05"; team_available=3; budget=20000`},
		{"March or April 2027, 20k, 3 people", `team_available=3; budget=20000`},
		{"between 20 and 30 thousand euros", `budget={"min":20000,"max":30000}`},
		{"between March and May 2027, 20k, 3 people", `team_available=3; budget=20000`},
	})
	checkForm(m, "business_profile", []string{"timeline", "budget"}, []toldForm{
		{"between 15 and 20 thousand", `budget={"min":15000,"max":20000}`},
		{"10 or 15 thousand", `budget={"min":10000,"max":15000}~`},
		{"March 2027 and 20k", `timeline="2027-03"; budget=20000`},
		{"June 2027, 500 a month", `timeline="2027-06"`},
		{"5 thousand, in May 2027", `budget=5000; timeline="2027-05"`},
	})
	checkForm(m, "business_profile", []string{"timeline", "budget", "time_available"}, []toldForm{
		{"no rush, 5k, 2 hours a day", `budget=5000; time_available={"min":10,"max":14}~`},
		{"June, no limit, 2 hours a day", `timeline="2027-06"; time_available={"min":10,"max":14}~`},
		{"June, 500 a month, 2 hours a day", `timeline="2027-06"; time_available={"min":10,"max":14}~`},
	})
	checkForm(m, "idea_discovery", []string{"budget", "hours_per_week"}, []toldForm{
		{"3k, two evenings a week", `budget=3000`},
		{"3k and 2 hours a week", `budget=3000; hours_per_week=2`},
		{"3k, an hour a day", `budget=3000; hours_per_week={"min":5,"max":7}~`},
	})
}

// "Phone numbers" were a phone, and what was used on it was lost.
func TestFormsOfChoices(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 5)

	checkForm(m, "project_discovery", []string{"data_kinds", "platforms", "availability"}, []toldForm{
		{"Customer names and phone numbers. On tablets, during office hours", `data_kinds=["contact_details"]; platforms=["tablet"]; availability="office_hours"`},
		{"names, phone numbers, on tablets and phones, during office hours", `data_kinds=["contact_details"]; platforms=["tablet","phone"]; availability="office_hours"`},
		{"names and phone numbers and bank details, on tablets, office hours", `data_kinds=["contact_details","payment"]; platforms=["tablet"]; availability="office_hours"`},
		{"on tablets and phones during office hours, names and bank details", `platforms=["tablet","phone"]; availability="office_hours"; data_kinds=["contact_details","payment"]`},
		{"On tablets. Names. Office hours", `platforms=["tablet"]; data_kinds=["contact_details"]; availability="office_hours"`},
		{"nothing sensitive, on an iPad, 24/7", `data_kinds=["none"]; platforms=["on an iPad"]; availability="day_and_night"`},
		{"24/7, laptops, nothing sensitive", `availability="day_and_night"; platforms=["desktop"]; data_kinds=["none"]`},
		{"skip the first, tablets, office hours", `platforms=["tablet"]; availability="office_hours"`},
		{"phone", `platforms=["phone"]`},
	})
}
