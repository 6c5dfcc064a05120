package reading

import (
	"testing"

	"quaestor/chat/chattest"
)

// Who tells everything at once is not asked for it again.
func TestAnAccountTellsItsFigures(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 8)

	soap := "We're a family-run company that makes handmade soap. My mother started it in 1998 in her kitchen, now we're 14 people, and we sell mostly to gift shops and hotels, about £800k a year. Our biggest headache is shipping costs since Brexit."
	words := "I'm a freelance translator, German to English, mostly legal stuff. I work alone, from home, since 2011. I make roughly 45 thousand euros a year before tax. Most of my work comes through two agencies."
	forms := "We want to replace the paper forms our site engineers fill in with something on their tablets. It's for about 45 engineers across three depots, and we've got around £60k for it. Has to be live before the audit in March."
	bikes := "hey so basically me and my brother fix up old bikes and sell em, weve got a little workshop near the station, also do repairs for students, been going since 2019 i think"
	checkTellings(m, "business_profile", []told{
		{"business_overview", soap, `team_size=14+; annual_revenue=800000~+; founded="1998"+; main_challenge="shipping costs since Brexit"`},
		{"business_overview", words, `annual_revenue=45000~+; founded="2011"+; team_size=1+`},
		{"business_overview", bikes, `founded="2019"~+`},
		{"business_overview", "We bake bread for cafés in Leeds. We opened the shop in 2004 and today we are about 20 people.", `team_size=20~+; founded="2004"+`},
		{"business_overview", "We run a small plumbing company in Leeds with 9 people, founded in 2003", `founded="2003"+; team_size=9+`},
		{"business_overview", "It's a family business in the third generation. We are now 60 people in two halls.", `team_size=60+`},
		{"business_overview", "We repair roofs all over the county, been in business since 1987.", `founded="1987"+`},
	})
	checkTellings(m, "project_discovery", []told{
		{"project_summary", forms, `user_count=45~+; budget=60000~+; timeline="2027-03"+`},
		{"project_summary", "A portal where parents book meetings. It should be ready by May 2027 and we have 20k for the project.", `budget=20000+; timeline="2027-05"+`},
	})
}

// Figures of others, of something else, or that could mean two things are not theirs.
func TestAnAccountOfOthersTellsNothing(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 5)

	checkTellings(m, "business_profile", []told{
		{"business_overview", "We are a gym in Bristol, around 350 members, membership is £39 a month", ""},
		{"business_overview", "We write software for law firms that are 14 people or fewer and have been going since 2000", ""},
		{"business_overview", "We sell soap in a market hall, the rent is about £20k a year", ""},
		{"business_overview", "We sell soap in a market hall and pay our landlord, about £20k a year", ""},
		{"business_overview", "We bake bread and our costs have gone up since 2020", ""},
		{"business_overview", "We run a bakery, we are 20 minutes from Leeds and open at 6", ""},
		{"business_overview", "We help people who started a business in 2020 with their taxes", ""},
		{"business_overview", "We bake bread, and we started selling online in 2015", ""},
		{"business_overview", "Our customers started their firms in 1998, and now they are 14 people", ""},
		{"business_overview", "We have 14 people who come in every morning for coffee and cake", ""},
		{"business_overview", "We run the websites for law firms with 9 people, founded by students", ""},
		{"business_overview", "We make furniture for hotels. Our biggest client has 500 employees and was founded in 1950.", ""},
		{"business_overview", "We rent out holiday flats; there are 12 flats and each earns about 20k a year.", `offering_type="rental"+`},
		{"business_overview", "We clean offices, our biggest customer has been going since 1950", ""},
	})
	checkTellings(m, "project_discovery", []told{
		{"project_summary", "A new booking system for our swimming pool, we have a call centre with 8 people", ""},
		{"project_summary", "Replace the tills. It's for about 45 sites and we have £60k of debt", ""},
		{"project_summary", "An archive of everything that has been live on our site since March", ""},
	})
}

// checkTellings checks what is found beside the answer itself.
func checkTellings(t testing.TB, contextType string, tests []told) {
	t.Helper()
	for _, test := range tests {
		u := understand(t, chattest.SceneIn(chattest.Shipped(t, contextType), test.asked, test.in))
		if len(u.Findings) == 0 || u.Findings[0].Key != test.asked {
			t.Errorf("Understand(%q) gives no %s: %s", test.in, test.asked, chattest.Brief(u.Findings))
			continue
		}
		if got := chattest.Brief(u.Findings[1:]); got != test.want {
			t.Errorf("Understand(%q) finds beside\n     %s\nwant %s", test.in, got, test.want)
		}
	}
}
