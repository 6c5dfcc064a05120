// Package research turns doubts into verified proposals.
//
// [Due] decides, from what a turn changed, which obligations deserve research and
// of which kind. [Save] and [Enqueue] make the task rows and their River jobs part
// of the turn's own transaction: a task exists if and only if the turn that asked
// for it was recorded. An [Commands] takes what people want outside a turn.
//
// A [Researcher] answers tasks:
//
//	plan ─▶ search ─▶ read ─▶ claims ─▶ verify ─▶ propose
//
// What a step found is stored before the next begins. A worker holds a task by
// lease, under an attempt that fences everybody before; a task whose worker died is
// taken up by another at the step it was in. No page is asked for twice.
//
// What comes of a task is a [Report]: claims with the words of a stored source that
// say so, checked by quaestor/research/claims and once more by the database. A
// value is proposed to the obligation and settled by people only.
package research
