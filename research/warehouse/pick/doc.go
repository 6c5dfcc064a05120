// Package pick chooses which steps of a run stand in the prompt of an area's
// analysis, and writes them.
//
// A [Candidate] is a step, written once with its size. [Pick] ranks candidates by
// how close their text is to the area, which a vector search says, lifts those that
// name one of its keywords, and keeps what fits into the budget: steps that are too
// large are cut before any is dropped. Every candidate is either selected or
// dropped, once, with the reason. Without vectors the words of the area rank alone.
//
// It is pure, and linear in the steps but for one sort.
package pick
