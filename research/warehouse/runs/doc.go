// Package runs explores a warehouse for a project, step by step, with as few
// queries as possible and none of them twice.
//
// [Commands] carries out what people ask for: to create, pause, resume, cancel or
// delete a run. A [Runner] works it, phase by phase:
//
//	initialization ─▶ context ─▶ schema ─▶ exploration ─▶ analysis ─▶ validation ─▶ recommendations ─▶ saving
//
// Each phase reads its input from rows and stores its result in rows. Exploration is
// a loop of steps:
//
//	situation ─▶ Analyst.Next ─▶ [reply stored] ─▶ act ─▶ [result stored] ─▶ …
//
// Analysis searches tables for effects (package insight) and stores what it found in each, so that
// none is searched twice; areas then take the insights that they name. Validation tries to break
// each insight, and only those that survive may have recommendations, which the database enforces.
// Saving compares them with those of earlier runs.
//
// A stored reply is never requested again, and neither is a stored result of the
// warehouse, whichever worker dies at whatever moment. A worker holds a run by a
// lease, under an attempt number that fences off all earlier workers.
//
// Every change that a person can watch is an [Event] of the run, committed together
// with the change and numbered in order. The rows carry the data; notifications
// only wake those who read them; see [Hub].
package runs
