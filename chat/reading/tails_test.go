package reading

import (
	"testing"
)

// "restaurants, if you ask me" was a target market.
func TestWhatClosesASentenceIsNoValue(t *testing.T) {
	t.Parallel()

	const bp, pd = "business_profile", "project_discovery"
	checkSpoken(t, []spokenTo{
		{"en", bp, "target_market", nil, "young families, I think", `target_market="young families"~`},
		{"en", bp, "target_market", nil, "hotels obviously", `target_market="hotels"`},
		{"en", bp, "target_market", nil, "restaurants, if you ask me", `target_market="restaurants"~`},
		{"en", bp, "target_market", nil, "mostly students, not me", `target_market="mostly students"`},
		{"en", bp, "target_market", nil, "small cafés, I'd say, but don't quote me on that", `target_market="small cafés"~`},
		{"en", bp, "target_market", nil, "pensioners or so", `target_market="pensioners"~`},
		{"en", bp, "industry", nil, "agriculture, I suppose you'd call it", `industry="agriculture"~`},
		{"en", pd, "decision_maker", nil, "Geoff, obviously", `decision_maker="Geoff"`},
		{"en", pd, "decision_maker", nil, "my boss, not me", `decision_maker="my boss"`},
		{"en", bp, "annual_revenue", nil, "80 thousand, if you ask me", "annual_revenue=80000~"},
		{"en", bp, "budget", nil, "20000 perhaps", "budget=20000~"},
		{"de", bp, "target_market", nil, "junge Familien, glaub ich", `target_market="junge Familien"~`},
		{"de", bp, "target_market", nil, "Studenten, würd ich sagen", `target_market="Studenten"~`},
		{"de", bp, "target_market", nil, "Handwerker, wenn Sie mich fragen", `target_market="Handwerker"~`},
		{"de", bp, "target_market", nil, "Hotels oder so", `target_market="Hotels"~`},
		{"de", bp, "target_market", nil, "Rentner halt", `target_market="Rentner"`},
		{"de", bp, "industry", nil, "Einzelhandel würde ich mal sagen", `industry="Einzelhandel"~`},
		{"de", bp, "industry", nil, "Gartenbau natürlich", `industry="Gartenbau"`},
		{"de", pd, "decision_maker", nil, "mein Chef, nicht ich", `decision_maker="mein Chef"`},
		{"de", bp, "annual_revenue", nil, "80.000, wenn Sie mich fragen", "annual_revenue=80000~"},
		// What stands in the middle, or is all there is, stays.
		{"en", bp, "target_market", nil, "people who obviously love cheese", `target_market="people who obviously love cheese"`},
		{"de", bp, "target_market", nil, "Leute, die natürlich leben wollen", `target_market="Leute, die natürlich leben wollen"`},
	})
}
