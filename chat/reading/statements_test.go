package reading

import (
	"testing"

	"quaestor/chat/chattest"
)

// Whoever names a field and says what it is answers that field, whatever was asked.
func TestStatements(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 0)

	const bp, pd = "business_profile", "project_discovery"
	for _, tt := range []heardFreely{
		{"en", bp, "success_measure", "", "the thing that holds us back is the rent, landlord wants 15% more from march", "main_challenge=", "success_measure"},
		{"en", bp, "offering_type", `main_challenge="mostly walk ins"`, "the obstacle is the rent", `main_challenge="the rent"!`, "offering_type"},
		{"en", bp, "primary_goal", "", "our competitors are the big chains in the retail park", "competitors=", "primary_goal"},
		{"de", bp, "main_challenge", "", "Unser Ziel ist ein zweiter Laden in Fürth.", "primary_goal=", "main_challenge"},
		{"de", bp, "industry", "", "Unser Budget ist etwa 20.000 Euro", "budget=20000", "industry"},
		{"en", pd, "current_systems", "", "the sponsor is Ute from operations", "decision_maker=", "current_systems"},
		{"en", "idea_discovery", "target_users", `problem="Expensive tools stand in a cellar for years"`, "Actually, the problem is that nobody has room for tools", `problem="that nobody has room for tools"!`, "target_users"},
		// Labels correct what is held, also where something else is read back.
		{"de", "idea_discovery", "competitors", `target_users="Studenten und junge Familien"`, "Halt, die Zielgruppe ist jetzt Quatsch. Zielgruppe: junge Familien in der Stadt.", `target_users="junge Familien in der Stadt"!`, "competitors="},
		{"de", bp, "revenue_model?", `main_challenge="als einzige laufanalyse";revenue_model=["one_off_sales"]`, "nein die frage war zum hindernis. hindernis ist papierkram. einnahmen stimmt beides", `main_challenge="papierkram"!`, "nein die"},
		{"de", bp, "offering_type", `main_challenge="als einzige laufanalyse"`, "aber laufanalyse is doch kein hindernis! hindernis = papierkram u abrechnung mit kassen", `main_challenge="papierkram u abrechnung mit kassen"!`, "laufanalyse is"},
		{"de", bp, "primary_goal", "", "nur notieren: konkurrenz sind 4 praxen im stadtteil", "4 praxen im stadtteil", "primary_goal"},
		{"en", bp, "target_market?", `industry="three";target_market="Agriculture"`, "No, agriculture's the industry. Target market's families round Ludlow and weekenders.", `industry="agriculture"!;target_market="families round Ludlow and weekenders"!`, "agriculture's"},
		{"en", bp, "target_market?", `industry="three";target_market="Agriculture"`, "No, agriculture’s the industry.", `industry="agriculture"!`, "agriculture’"},
		{"en", bp, "sales_channels", `industry="three";target_market="agriculture's the industry"`, "Mercy. Industry: agriculture. Target market: families around Ludlow.", `industry="agriculture"!;target_market="families around Ludlow"!`, "Mercy"},
		{"en", bp, "target_market", `industry="three"`, "Three isn't an industry.", "industry", "target_market"},
		{"en", bp, "growth_stage?", `growth_stage="steady";budget=540000;annual_revenue=180000`, "No! Budget is £40,000. Turnover is £540,000.", "budget=40000!;annual_revenue=540000!", "renewing"},
		// What names nothing, or asks, states nothing.
		{"en", bp, "main_challenge", "", "the weather is our enemy", "", "founded;budget"},
		{"en", bp, "main_challenge", "", "is the budget important?", "", "budget"},
		{"en", bp, "main_challenge", "", "the goal was never the problem", "", "primary_goal"},
	} {
		checkFreely(t, m, tt)
	}
}
