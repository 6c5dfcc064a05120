package packs_test

import (
	"fmt"

	"quaestor/research/warehouse/packs"
)

func Example() {
	pack, _ := packs.BuiltinBySlug("gaming")
	kit, faults := pack.For("idle", map[string]string{packs.AreaText("economy"): "Who hoards, by these rows? {{QUERY_RESULTS}}"})
	for _, a := range kit.Areas {
		fmt.Println(a.Priority, a.ID)
	}
	fmt.Println(pack.At(), faults)
	// Output:
	// 1 churn
	// 2 engagement
	// 3 monetization
	// 4 progression
	// 5 economy
	// gaming@1.0.0 []
}

func ExamplePromptTemplate() {
	t, err := packs.NewTemplate("Tables of {{DATASET}}.{{#FILTER}} Only {{FILTER}}.{{/FILTER}}", []string{packs.Dataset, packs.Filter})
	if err != nil {
		panic(err)
	}
	text, err := t.Fill(packs.Values{packs.Dataset: "{{FILTER}}", packs.Filter: ""})
	fmt.Println(text, err)
	// Output: Tables of {{FILTER}}. <nil>
}
