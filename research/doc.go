// Package research turns doubts into queued work.
//
// [Due] decides, from what a turn changed, which obligations deserve research and
// of which kind. [Enqueue] makes the task rows and their River jobs part of the
// turn's own transaction: a task exists if and only if the turn that asked for it
// was recorded. The work itself is done by the workers of [AddWorkers].
package research
