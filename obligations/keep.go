package obligations

import "slices"

// maxEvidence bounds the evidence kept with a value, see [keepEvidence]. The audit trail
// keeps all of it.
const maxEvidence = 8

// keepEvidence drops the least important evidence until list is within bounds.
func keepEvidence(list []Evidence) []Evidence {
	for len(list) > maxEvidence {
		i := expendable(list)
		list = slices.Delete(list, i, i+1)
	}
	return list
}

// expendable returns the index of the oldest of the least weighty pieces, the first
// one excepted because it brought the value. Unsound evidence goes before proposals,
// proposals before what people said, and a reviewer's decision last, so evidence that
// carries a value is never crowded out by evidence that does not.
func expendable(list []Evidence) int {
	least := 1
	for i := 2; i < len(list); i++ {
		if weight(list[i]) < weight(list[least]) {
			least = i
		}
	}
	return least
}

func weight(e Evidence) int {
	switch {
	case !e.Sound():
		return 0
	case proposes(e.Kind):
		return 1
	case e.Kind == Reviewer:
		return 3
	}
	return 2
}
