package reading

import (
	"encoding/json"
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
	"quaestor/obligations"
)

func TestVolunteered(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 6)

	tests := []struct{ asked, in, want string }{
		{"business", "We're a bakery in Leeds with 12 staff, budget about 20k, launching in May", `business="We're a bakery in Leeds with 12 staff"; team_size=12+; budget=20000~+; launch="2027-05"+`},
		{"business", "We bake bread. Our budget is $20,000 and we have 12 employees.", `business="We bake bread"; budget=20000; team_size=12+`},
		{"business", "We make software, and we are a small business", `business="We make software"; company_size="small_business"+`},
		{"team_size", "12, and our budget is 20k", `team_size=12; budget=20000+`},
		{"team_size", "12 staff and a budget of 20k", `team_size=12; budget=20000+`},
		{"team_size", "12 people with a runway of two years", `team_size=12; runway=24+`},
		{"budget", "about 20k, we want to launch next spring", `budget=20000~; launch="2027-03"~+`},
		{"launch", "in May, the business was founded in 2019", `launch="2027-05"; founded="2019"+`},
		{"launch", "March 31, 2027 and the budget is between 10 and 20k", `launch="2027-03-31"; budget={"min":10000,"max":20000}+`},
		{"business", "We sell bread online and in our shop. Our competitors are Acme, Bolt and Zed. Growth was 12%.", `business="We sell bread online and in our shop"; growth=12+; competitors="Acme, Bolt and Zed"`},
		{"business", "we sell to companies with 500 employees", `business="we sell to companies with 500 employees"`},
		{"", "our budget is 30k", `budget=30000`},
		{"", "We have 12 staff", `team_size=12+`},
	}
	for _, test := range tests {
		u := understand(m, chattest.Scene(test.asked, test.in))
		if got := chattest.Brief(u.Findings); got != test.want {
			m.Errorf("asked %s, Understand(%q) finds\n     %s\nwant %s", test.asked, test.in, got, test.want)
		}
	}
}

// TestNothingByAccident holds sentences with figures, dates and words of choices
// that are not about the person's own obligations.
func TestNothingByAccident(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 3)

	for _, test := range []struct{ asked, in string }{
		{"business", "small bakeries with 12 staff"},
		{"business", "software for people who have a budget of 20k"},
		{"business", "We help enterprise customers launch rockets"},
		{"business", "They founded a school with 300 pupils"},
		{"business", "We follow the rule of 3 in all we do"},
		{"business", "It costs 20k to build a house"},
		{"business", "a marketplace for small business owners"},
		{"business", "budget airlines"},
		{"business", "we may march on in 2027"},
		{"business", "Our competitors have 12 staff"},
		{"business", "we deliver 24/7 in 12 cities"},
		{"business", "a launch pad for 3 founders"},
		{"business", "We rent out rooms; customers spend about 50 a night"},
	} {
		u := understand(m, chattest.Scene(test.asked, test.in))
		for _, f := range u.Findings {
			if f.Key != test.asked {
				m.Errorf("Understand(%q) fills %s by accident", test.in, chattest.Brief(u.Findings))
			}
		}
	}
}

// "There are three of us doing this", said of competitors, was a team of three.
func TestAllInTheTradeAreNoTeam(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 5)

	checkTold(m, "business_profile", [][2]string{{"team_size", "12"}}, []told{
		{"competitors", "there are three of us doing this in the valley", `competitors="there are three of us doing this in the valley"`},
		{"competitors", "There are five of us in town", `competitors="There are five of us in town"`},
		{"competitors", "about four of us in the region offer this", `competitors="about four of us in the region offer this"`},
		{"differentiator", "there are only two of us who do this in Wales", `differentiator="there are only two of us who do this in Wales"`},
		{"competitors", "no, there are none", `competitors="none"`},
		{"main_challenge", "there are 14 of us", "team_size=14+"},
		{"main_challenge", "there are only 14 of us doing all the work", `main_challenge="there are only 14 of us doing all the work"; team_size=14+`},
		{"main_challenge", "There is nobody to take over", `main_challenge="There is nobody to take over"`},
		{"team_size", "there's 12 of us", "team_size=12"},
	})
}

// TestBeforeItsTime holds that dependencies order the questions, not the answers:
// what a person says unasked is taken although what it depends on is open.
func TestBeforeItsTime(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 1)

	u := understand(m, chattest.Scene("team_size", "12, our customers are dentists"))
	if got, want := chattest.Brief(u.Findings), `team_size=12; target_market="dentists"`; got != want {
		m.Errorf("finds %s, want %s", got, want)
	}
	u = understand(m, chattest.Scene("business", "My target market is small businesses in healthcare"))
	if got, want := chattest.Brief(u.Findings), `target_market="small businesses in healthcare"`; got != want {
		m.Errorf("an answer to another question: %s, want %s", got, want)
	}
}

func TestHeldValues(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 1)

	s := chattest.Scene("business", "We bake, and our budget is now 30k")
	chattest.Hold(s, "budget", "20000", 2)
	if got, want := chattest.Brief(understand(m, s).Findings), `business="We bake"; budget=30000!`; got != want {
		m.Errorf("a value that changed: %s, want %s", got, want)
	}
	s = chattest.Scene("business", "We bake, with a budget of 30k")
	chattest.Hold(s, "budget", "20000", 2)
	if got, want := chattest.Brief(understand(m, s).Findings), `business="We bake"; budget=30000+`; got != want {
		m.Errorf("a passing remark: %s, want %s", got, want)
	}
}

func TestFollowUps(t *testing.T) {
	t.Parallel()

	u := understand(t, chattest.Scene("business", "We bake bread and have a tight deadline"))
	if len(u.Signals.FollowUps) != 1 || u.Signals.FollowUps[0].Key != "launch" {
		t.Errorf("a deadline without a date gives follow-ups %v, want one on launch", u.Signals.FollowUps)
	}
	u = understand(t, chattest.Scene("business", "stuff"))
	if len(u.Signals.FollowUps) != 1 || u.Signals.FollowUps[0].Key != "business" {
		t.Errorf("a vague answer gives follow-ups %v, want one on business", u.Signals.FollowUps)
	}
	u = understand(t, chattest.Scene("team_size", "12"))
	if len(u.Signals.Done) != 1 || len(u.Signals.FollowUps) != 0 || u.Signals.Topic != "team_size" {
		t.Errorf("a firm answer gives %+v, want it done", u.Signals)
	}
}

func TestPreferences(t *testing.T) {
	t.Parallel()

	if u := understand(t, chattest.Scene("business", "can you give an example?")); len(u.Signals.Preferences) > 0 {
		t.Errorf("asking for one example teaches %v", u.Signals.Preferences)
	}
	if u := understand(t, chattest.Scene("business", "I like examples")); u.Signals.Preferences[chat.PrefersExamples] != "true" {
		t.Errorf("liking examples teaches %v", u.Signals.Preferences)
	}
	if u := understand(t, chattest.Scene("business", "We bake bread. Keep it short please.")); u.Signals.Preferences[chat.Brevity] != "true" {
		t.Errorf("asking for short replies teaches %v", u.Signals.Preferences)
	}
	if u := understand(t, chattest.Scene("business", "yeah, we're bakers, kinda cool stuff")); u.Signals.Style != "casual" {
		t.Errorf("casual words give style %q", u.Signals.Style)
	}
}

func TestWidgets(t *testing.T) {
	t.Parallel()

	s := chattest.Scene("", "")
	s.Answers = map[string]json.RawMessage{"team_size": json.RawMessage("12"), "company_size": json.RawMessage(`"huge"`), "nothing": json.RawMessage("1")}
	u := understand(t, s)
	if got, want := chattest.Brief(u.Findings), "team_size=12"; got != want || u.Findings[0].Evidence.Kind != obligations.WidgetInput || u.Intent != chat.Answer {
		t.Errorf("widgets give %s (%s), want %s", got, u.Intent, want)
	}
	if len(u.Refused) != 2 || u.Refused[0].Key != "company_size" || u.Refused[1].Key != "nothing" {
		t.Errorf("widgets refuse %v, want company_size and nothing", u.Refused)
	}
}

func TestResearchWishes(t *testing.T) {
	t.Parallel()

	s := chattest.Scene("competitors", "Could you look that up?")
	chattest.Hold(s, "business", `"a bakery in Leeds"`, 2)
	u := understand(t, s)
	if len(u.Research) != 1 || u.Research[0].Key != "competitors" || u.Research[0].Query != "Competitors; Do you have competitors Context: business a bakery in Leeds" {
		t.Errorf("wishes %v", u.Research)
	}
	s = chattest.Scene("team_size", "can you find out what bakeries in Leeds charge?")
	if u := understand(t, s); len(u.Research) != 1 || u.Research[0].Key != "" || u.Research[0].Query != "what bakeries in Leeds charge" {
		t.Errorf("wishes %v", u.Research)
	}
}
