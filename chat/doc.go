// Package chat runs turns: it understands a person's message, decides what follows
// from it, replies, and records everything in one transaction.
//
//	Engine.Start  one batch reads the scene, another records that the turn began
//	  └─ run      a goroutine; closing the browser tab does not end it
//	       understand   Interviewer.Understand, for as long as the head start lasts
//	       Decide       what changes, what to ask, whether the session ends: pure
//	       reply        Interviewer.Reply, streamed to sessions.Deltas
//	       settle       one transaction: everything the turn changed, or nothing
//
// An [Interviewer] understands and words. There are two, chat/model and chat/rules, and
// this package imports neither. What is asked, what counts as known and when a session
// ends is decided by code. When the model fails, the rules answer that turn, and it is
// marked as degraded.
//
// Every turn ends with the event done or error, on this instance or, if that dies, on
// another (takeover.go). Jobs after the turn index it for search (index.go), sum up older
// turns (fold.go), and check values again that others have changed (reassess.go).
package chat
