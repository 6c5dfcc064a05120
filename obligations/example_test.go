package obligations_test

import (
	"encoding/json"
	"fmt"

	"quaestor/obligations"
)

// A turn: what is asked next, what the person says, what that changes.
func Example() {
	list := obligations.Fresh([]obligations.Template{
		{Key: "market", Prompt: "Who buys from you?", Widget: obligations.Text, Collection: obligations.DirectQuestion, Priority: 8},
		{Key: "market_size", Prompt: "How many are there?", Widget: obligations.Number, Collection: obligations.DirectQuestion, Priority: 8, Dependencies: []string{"market"}},
	}, obligations.Origin{Layer: obligations.Shipped, Source: "objective"})

	next, _ := obligations.Next(list)
	fmt.Println(next.Prompt)

	said := []obligations.Utterance{{ID: "1-user", Content: "Mostly small bakeries.", User: true}}
	changes := obligations.Apply(list, []obligations.Finding{{
		Key: "market", Act: obligations.Tell, Value: json.RawMessage(`"small bakeries"`),
		Evidence: obligations.Check(obligations.Evidence{Kind: obligations.Stated, Quote: "small bakeries"}, said),
	}}, 1)
	list = obligations.Merge(list, changes)

	market := list[0]
	fmt.Println(market.Status, market.Confidence, market.Confidence.Band(), *market.Evidence[0].Span)
	next, _ = obligations.Next(list)
	fmt.Println(next.Prompt)
	got := obligations.Criteria{Required: []string{"market_size"}}.Score(list)
	fmt.Println(got.Score, got.Progress, got.Met)

	// Output:
	// Who buys from you?
	// satisfied 0.92 very_high {7 21}
	// How many are there?
	// 0.46 0.5 false
}
