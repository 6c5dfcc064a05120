package research_test

import (
	"fmt"

	"quaestor/obligations"
	"quaestor/research"
)

// What a person does not know, in a field that takes an expert, is looked up.
func ExampleDue() {
	size := obligations.Obligation{Template: &obligations.Template{Key: "market_size", Prompt: "How large is your market?", Priority: 6, ExpertiseRequired: "market sizing"}}
	agenda := research.Due(research.TurnFindings{List: []obligations.Obligation{size}, Unsure: []string{"market_size"}})
	for _, o := range agenda.Orders {
		fmt.Println(o.Key, o.Kind, o.Trigger)
	}
	// Output: market_size market_research expertise_required
}
