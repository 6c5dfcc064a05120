package ui

import "slices"

// Group is what is listed under one name.
type Group[K comparable, T any] struct {
	Name K
	List []T
}

// GroupBy groups list by the names of its elements. Groups come in the order of their
// first element, elements in the order of list.
func GroupBy[K comparable, T any](list []T, nameOf func(T) K) []Group[K, T] {
	var out []Group[K, T]
	for _, x := range list {
		name := nameOf(x)
		i := slices.IndexFunc(out, func(g Group[K, T]) bool { return g.Name == name })
		if i < 0 {
			i, out = len(out), append(out, Group[K, T]{Name: name})
		}
		out[i].List = append(out[i].List, x)
	}
	return out
}
