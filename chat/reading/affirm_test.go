package reading

import (
	"testing"

	"quaestor/chat/chattest"
)

// Who affirms what was read back, and goes on, has affirmed it.
func TestYesThatGoesOn(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 1)

	const bp = "business_profile"
	for _, tt := range []heardFreely{
		{"en", bp, "offering_type?", `offering_type="physical_products"`, "Yes, mostly beef. Put the shop and the cattle both in. And actually it's 235 acres, we sold five last year.", "offering_type=\"physical_products\" confirmed", "deny"},
		{"en", bp, "offering_type?", `offering_type="Beef mostly, half-pigs, eggs, and chutneys the wife makes"`, "Yes, mostly beef. Put the shop and the cattle both in. And actually it's 235 acres, we sold five last year.", "confirmed", "deny"},
		{"de", bp, "offering_type?", `main_challenge="als einzige laufanalyse";offering_type="services"`, "ja dienstleistung stimmt. aber laufanalyse is doch kein hindernis! hindernis = papierkram u abrechnung mit kassen, kostet mich 6 std die woche", "offering_type=\"services\" confirmed;main_challenge=\"papierkram", "offering_type deny"},
		{"de", bp, "offering_type?", `offering_type="services"`, "ja dienstleistung stimmt. aber laufanalyse is doch kein hindernis!", "offering_type=\"services\" confirmed", "offering_type deny"},
		{"en", bp, "timeline?", `timeline="2027-04"`, "april 2027 is right. what else?", "timeline=\"2027-04\" confirmed", "deny"},
		{"en", bp, "timeline?", `timeline="2027-04"`, "yes april, that's when the lease ends", "timeline=\"2027-04\" confirmed", "deny"},
		{"de", bp, "team_size?", `team_size=3`, "genau, drei, meine Frau, die Minijobberin und ich", "team_size=3 confirmed", "deny"},
		{"de", bp, "industry?", `industry="Handwerk"`, "ja passt schon so, Handwerk halt", "industry=\"Handwerk\" confirmed", "deny"},
		{"en", bp, "industry?", `industry="Food and drink"`, "I suppose so, food it is", "industry=\"Food and drink\" confirmed", "deny"},
		{"en", bp, "offering_type?", `offering_type="physical_products"`, "Partly. We also rent out the trailer.", "", "confirmed"},
	} {
		checkFreely(t, m, tt)
	}
}
