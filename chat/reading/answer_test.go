package reading

import (
	"slices"
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
)

// A figure alone answers no question for a text, in any language.
func TestFigureAloneIsNoText(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ language, asked, said, want string }{
		{"de", "primary_goal", "12 leute", "team_size=12"},
		{"de", "primary_goal", "wir sind 7", "team_size=7"},
		{"en", "primary_goal", "7 people", "team_size=7"},
		{"en", "primary_goal", "about 20k", ""},
		{"de", "primary_goal", "20.000 Euro", ""},
		{"de", "customer_problem", "seit 2015", "founded=\"2015\"+"},
		{"en", "customer_problem", "since 1987", "founded=\"1987\"+"},
		{"en", "offering_type", "8 people", "team_size=8"},
		{"en", "revenue_model", "about 400k a year", "annual_revenue=400000~+"},
		{"en", "primary_goal", "20 new cafés", "primary_goal=\"20 new cafés\""},
	} {
		s := chattest.SceneIn(chattest.Shipped(t, "business_profile").In(tt.language), tt.asked, tt.said)
		s.Session.Language = tt.language
		if got := chattest.Brief(understand(t, s).Findings); got != tt.want {
			t.Errorf("%q asked for %s tells %q, want %q", tt.said, tt.asked, got, tt.want)
		}
	}
}

// Who tells of a death is met, and nothing of it is noted; a machine that died is an answer.
func TestDeathIsMet(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		language, said string
		mourns         bool
	}{
		{"en", "Sorry, my dad died three weeks ago", true},
		{"en", "She died on Monday", true},
		{"de", "Mein Vater ist im Oktober gestorben.", true},
		{"en", "Our best customer base died with the factory", false},
		{"de", "Der Ofen ist kaputt", false},
	} {
		s := chattest.SceneIn(chattest.Shipped(t, "business_profile").In(tt.language), "main_challenge", tt.said)
		s.Session.Language = tt.language
		u := understand(t, s)
		met := slices.ContainsFunc(u.Beside, func(r chat.Remark) bool { return r.Act == "feeling" })
		if met != tt.mourns || tt.mourns && len(u.Findings) > 0 {
			t.Errorf("%q is understood as %s, beside %+v", tt.said, chattest.Brief(u.Findings), u.Beside)
		}
	}
}
