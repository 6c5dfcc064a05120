package rules

import (
	"testing"

	"quaestor/sessions"
)

// toldForm is a message that answers a form, and what is found in it.
type toldForm struct{ in, want string }

func checkForm(t *testing.T, contextType string, keys []string, tests []toldForm) {
	t.Helper()
	d := shipped(t, contextType)
	for _, test := range tests {
		s := sceneIn(d, keys[0], test.in)
		s.Asked = &sessions.Question{Purpose: sessions.ToForm}
		for _, key := range keys {
			s.Asked.Fields = append(s.Asked.Fields, sessions.Question{Purpose: sessions.ToAsk, Key: key})
		}
		if got := brief(understand(t, s).Findings); got != test.want {
			t.Errorf("%s, Understand(%q) finds\n     %s\nwant %s", keys, test.in, got, test.want)
		}
	}
}

// "1 June" in the answer to a form was a budget of 1, and "rather not say" to one of
// three fields left out all of them, with what was said to the others.
func TestFormsAnsweredSentenceBySentence(t *testing.T) {
	t.Parallel()

	checkForm(t, "project_discovery", []string{"timeline", "budget", "team_available"}, []toldForm{
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
	checkForm(t, "project_discovery", []string{"data_kinds", "platforms"}, []toldForm{
		{"Names and payment data, nothing scandalous. Phones for the owners, the reception PC for us", `data_kinds=["contact_details","payment"]; platforms=["phone","desktop"]`},
	})
	checkForm(t, "business_profile", []string{"team_size", "annual_revenue", "founded"}, []toldForm{
		{"just me and my dog. rather not say. ages ago, 2009 maybe", `team_size=1~; annual_revenue skip:declined; founded="2009"~`},
		{"4. 300k. 2015", `team_size=4; annual_revenue=300000; founded="2015"`},
		{"2015, 4 people", `founded="2015"; team_size=4`},
	})
	checkForm(t, "idea_discovery", []string{"who_pays", "problem_severity", "problem_frequency"}, []toldForm{
		{"the gardeners themselves, maybe councils later. it's annoying more than anything. in summer pretty much every day",
			`who_pays="users"~; problem_severity="annoying"; problem_frequency="daily"`},
	})
}
