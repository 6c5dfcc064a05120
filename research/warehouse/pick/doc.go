// Package pick selects the steps of a run that go into the prompt for the analysis of an area,
// and writes them.
//
// A [Candidate] is a step that was written once, so that its size is known. [Pick] ranks
// candidates by the similarity of their text to the area, which a vector search has computed,
// promotes those that name a keyword of the area, and keeps what fits into the budget. Steps that
// are too large are cut before any is dropped. Every candidate is either selected or dropped with
// a reason. Without vectors, the words of the area decide alone.
//
// The package is pure, and linear in the number of steps apart from one sort.
package pick
