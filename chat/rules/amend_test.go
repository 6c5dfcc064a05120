package rules

import (
	"testing"

	"quaestor/chat"
	"quaestor/sessions"
)

// "Add Instagram to the sales channels" was not understood where Instagram is no choice, and
// "add: …" was told as it stood.
func TestListsGrowByTheirName(t *testing.T) {
	t.Parallel()

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
		{"target market: add guest houses", `target_market="hotels; also guest houses"!`},
		{"add Evans to competitors", `competitors="Halfords; also Evans"!`},
		{"Add: our team is 14 people", `team_size=14!`},
		{"Add: we also do repairs at home", `business_overview="We fix bikes; we also do repairs at home"!`},
		{"I forgot to mention that we sell helmets", `business_overview="We fix bikes; also we sell helmets"!`},
	} {
		s := sceneIn(shipped(t, "business_profile"), "", test.in)
		for i, h := range held {
			hold(s, h[0], h[1], i+1)
		}
		s.Asked = &sessions.Question{Purpose: sessions.ToFinish}
		if u := understand(t, s); u.Intent != chat.Correction || brief(u.Findings) != test.want {
			t.Errorf("at the end, Understand(%q) = %s, %s; want a correction, %s", test.in, u.Intent, brief(u.Findings), test.want)
		}
	}
	checkTold(t, "business_profile", held, []told{
		{"main_challenge", "Add Instagram to the sales channels", `sales_channels=["own_premises","own_website","Instagram"]!`},
		{"main_challenge", "Add: Instagram", `sales_channels=["own_premises","own_website","Instagram"]!`},
		{"main_challenge", "adding Instagram to the sales channels takes time", `main_challenge="adding Instagram to the sales channels takes time"`},
		{"main_challenge", "we forgot about marketing", `main_challenge="we forgot about marketing"`},
		{"main_challenge", "I forgot to order enough stock, every year", `main_challenge="I forgot to order enough stock, every year"`},
		{"primary_goal", "add two more shops to the business", `primary_goal="add two more shops to the business"`},
		{"primary_goal", "take the shop to the next level", `primary_goal="take the shop to the next level"`},
	})
}
