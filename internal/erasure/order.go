package erasure

import "slices"

// reference is that rows of a table refer to rows of another, and cannot outlast them.
type reference struct{ from, to string }

// emptyingOrder returns the tables in an order in which they can be emptied one by one: each before those
// that it refers to. Within a circle of references, which only a cascade can delete, the order is that
// of names.
func emptyingOrder(tables []string, references []reference) []string {
	left, out := slices.Clone(tables), make([]string, 0, len(tables))
	slices.Sort(left)
	for len(left) > 0 {
		next := slices.IndexFunc(left, func(table string) bool {
			return !slices.ContainsFunc(references, func(r reference) bool { return r.to == table && r.from != table && slices.Contains(left, r.from) })
		})
		next = max(next, 0)
		out = append(out, left[next])
		left = slices.Delete(left, next, next+1)
	}
	return out
}
