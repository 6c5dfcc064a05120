package reading

import (
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
	"quaestor/sessions"
)

// "Add Instagram to the sales channels" was not understood where Instagram is no choice, and
// "add: …" was told as it stood.
func TestListsGrowByTheirName(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 7)

	held := [][2]string{{"business_overview", `"We fix bikes"`}, {"competitors", `"Halfords"`}, {"team_size", "12"}, {"target_market", `"hotels"`}, {"sales_channels", `["own_premises","own_website"]`}}
	for _, test := range []struct{ in, want string }{
		{"Add Instagram to the sales channels", `sales_channels=["own_premises","own_website","Instagram"]!`},
		{"I'd like to add Instagram to the sales channels", `sales_channels=["own_premises","own_website","Instagram"]!`},
		{"you can add flyers to the sales channels", `sales_channels=["own_premises","own_website","paid_advertising"]!`},
		{"Please add to the sales channels: Instagram", `sales_channels=["own_premises","own_website","Instagram"]!`},
		{"We forgot Instagram in the sales channels", `sales_channels=["own_premises","own_website","Instagram"]!`},
		{"the sales channels also include Instagram", `sales_channels=["own_premises","own_website","Instagram"]!`},
		{"under sales channels add flyers and Instagram", `sales_channels=["own_premises","own_website","paid_advertising","Instagram"]!`},
		{"take the website out of the sales channels", `sales_channels=["own_premises"]!`},
		{"target market: add guest houses", `target_market="hotels; guest houses"!`},
		{"add Evans to competitors", `competitors="Halfords; Evans"!`},
		{"no, the team is more like 14", `team_size=14!`},
		{"Add: our team is 14 people", `team_size=14!`},
		{"Add: we also do repairs at home", `business_overview="We fix bikes; we also do repairs at home"!`},
		{"I forgot to mention that we sell helmets", `business_overview="We fix bikes; we sell helmets"!`},
	} {
		s := chattest.SceneIn(chattest.Shipped(m, "business_profile"), "", test.in)
		for i, h := range held {
			chattest.Hold(s, h[0], h[1], i+1)
		}
		s.Asked = &sessions.Question{Purpose: sessions.ToFinish}
		if u := understand(m, s); u.Intent != chat.Correction || chattest.Brief(u.Findings) != test.want {
			m.Errorf("at the end, Understand(%q) = %s, %s; want a correction, %s", test.in, u.Intent, chattest.Brief(u.Findings), test.want)
		}
	}
	for _, in := range []string{"hang on, the budget is 25k now and add the till to the connections", "add the till to the connections to other systems and change the budget to 25k"} {
		s := chattest.SceneIn(chattest.Shipped(m, "project_discovery"), "", in)
		chattest.Hold(s, "budget", "20000", 1)
		chattest.Hold(s, "integrations", `"the finance system"`, 2)
		s.Asked = &sessions.Question{Purpose: sessions.ToFinish}
		if got := understand(m, s).Findings; len(got) != 2 {
			m.Errorf("at the end, Understand(%q) finds %s, want both", in, chattest.Brief(got))
		}
	}
	s := chattest.SceneIn(chattest.Shipped(m, "business_profile"), "", "no, the revenue is more like 190k")
	chattest.Hold(s, "annual_revenue", "180000", 1)
	chattest.Hold(s, "revenue_model", `["hourly_or_daily"]`, 2)
	s.Asked = &sessions.Question{Purpose: sessions.ToFinish}
	if got, want := chattest.Brief(understand(m, s).Findings), "annual_revenue=190000!"; got != want {
		m.Errorf("a figure for one of two lines with that word: %s, want %s", got, want)
	}
	checkTold(m, "business_profile", held, []told{
		{"main_challenge", "Add Instagram to the sales channels", `sales_channels=["own_premises","own_website","Instagram"]!`},
		{"main_challenge", "Add: Instagram", `sales_channels=["own_premises","own_website","Instagram"]!`},
		{"main_challenge", "adding Instagram to the sales channels takes time", `main_challenge="adding Instagram to the sales channels takes time"`},
		{"main_challenge", "we forgot about marketing", `main_challenge="we forgot about marketing"`},
		{"main_challenge", "I forgot to order enough stock, every year", `main_challenge="I forgot to order enough stock, every year"`},
		{"primary_goal", "add two more shops to the business", `primary_goal="add two more shops to the business"`},
		{"primary_goal", "take the shop to the next level", `primary_goal="take the shop to the next level"`},
	})
}
