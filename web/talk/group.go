package talk

import (
	"quaestor/obligations"
	"quaestor/web/ui"
)

// category is the obligations listed under one heading.
type category struct {
	Name string
	List []*obligations.Obligation
}

// byCategory groups list by category, both in the order of list.
func byCategory(list []obligations.Obligation) []category {
	var out []category
	at := map[string]int{}
	for i := range list {
		name := list[i].Category
		if name == "" {
			name = ui.NoCategory
		}
		n, known := at[name]
		if !known {
			n = len(out)
			at[name] = n
			out = append(out, category{Name: name})
		}
		out[n].List = append(out[n].List, &list[i])
	}
	return out
}
