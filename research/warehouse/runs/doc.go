// Package runs explores a warehouse for a project, step by step, as seldom as it
// can and never twice.
//
// An [Commands] takes what people want: a run is made, paused, resumed, cancelled,
// deleted. A [Runner] works it, phase by phase:
//
//	initialization ─▶ context ─▶ schema ─▶ exploration ─▶ saving
//
// Each phase reads its input from rows and leaves its result in rows. Exploration
// is a loop of steps:
//
//	situation ─▶ Analyst.Next ─▶ [reply stored] ─▶ act ─▶ [result stored] ─▶ …
//
// A reply that is stored is not asked for again, and what came of it is not asked
// of the warehouse again, whoever dies at whatever moment. A worker holds a run by
// lease, under an attempt that fences everybody before.
//
// Every change that a person may watch is an [Event] of the run, committed with
// what it tells of, in the order of its numbers. Rows carry, notifications wake; see
// [Hub].
package runs
