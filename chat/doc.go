// Package chat is the turn: understand, decide, reply, settle.
//
//	Start ── one batch: the turn begins, its scene is read
//	  └─ run (a goroutine; a closed tab does not end it)
//	       understand   Interviewer.Understand, with a head start
//	       Decide       what changes, what to ask: pure
//	       reply        Interviewer.Reply → sessions.Deltas, piece by piece
//	       settle       one batch: everything the turn changed, or nothing
//
// The interviewer understands and words; what is asked, what counts as known and
// when a session ends is decided by code. When a model fails, that turn is
// answered by the rules and marked degraded. Every turn ends in the event done or
// error, on this instance or, when it dies, on another (see lease.go).
package chat
