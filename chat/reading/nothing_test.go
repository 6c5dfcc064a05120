package reading

import (
	"testing"

	"quaestor/chat/chattest"
)

// "Nobody" is nought only where people are counted, and only where nobody is left out.
func TestNobodyIsNotNoughtOfEverything(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 6)

	checkAsked(m, "team_size", []readerTest{
		{"nobody", "0"}, {"none", "0"}, {"no one", "0"}, {"Nobody else, just me", "1"}, {"none yet", "0"}, {"nobody at the moment", "0"},
	})
	for _, in := range []string{"none of us full-time", "No one besides me", "nobody else"} {
		u := understand(m, chattest.Scene("team_size", in))
		if got := chattest.Brief(u.Findings); got == "team_size=0" {
			m.Errorf("%q is taken for nobody at all", in)
		}
	}
	for _, in := range []string{"nobody else", "no employees", "Nothing fixed yet"} {
		u := understand(m, chattest.Scene("budget", in))
		if got := chattest.Brief(u.Findings); got == "budget=0" {
			m.Errorf("%q is taken for no money at all", in)
		}
	}
	checkAsked(m, "budget", []readerTest{{"none", "0"}, {"nothing", "0"}, {"nothing at the moment", "0"}, {"zero", "0"}})
}

// What holds now goes before what held.
func TestNowGoesBeforeThen(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 0)

	checkAsked(m, "team_size", []readerTest{{"we used to have 10 people, now 4", "4"}, {"We had 50 before, now it is only 30", "30"}, {"It was 10 people, now it is 4", "4"}})
	checkAsked(m, "budget", []readerTest{{"We had 50,000 euros before, now it is only 30,000", "30000"}})
	checkAsked(m, "company_size", []readerTest{{"not small business any more, rather mid-market", `"mid_market"`}, {"Rather mid-market, not enterprise", `"mid_market"`}, {"mid-market rather than enterprise", `"mid_market"`}, {"enterprise instead of mid-market", `"enterprise"`}})
}
