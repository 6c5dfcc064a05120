// Package research looks up what an interview leaves in doubt and proposes answers
// that can be verified.
//
// [Due] decides, from what a turn changed, which obligations deserve research and
// of which kind. [Save] and [Enqueue] write the task rows and their River jobs in
// the turn's own transaction: a task exists if and only if the turn that asked for
// it was recorded. [Commands] carries out what people ask for between turns.
//
// A [Researcher] works the tasks, step by step:
//
//	plan ─▶ search ─▶ read ─▶ claims ─▶ verify ─▶ propose
//
// The result of each step is stored before the next one begins. A worker holds a
// task by a lease and under an attempt number, which fences off every earlier
// worker: a task whose worker died is continued by another one at the step it was
// in. No page is requested twice.
//
// The outcome of a task is a [Report]: claims, each with the words of a stored
// source that support it, checked by quaestor/research/claims and once more by the
// database.
// A value is only proposed to the obligation; only people settle it.
package research
