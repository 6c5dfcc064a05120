// Package rules is the interviewer without a model: it answers the plan of a turn in sentences, and
// ties that to what reads messages, chat/reading, behind [chat.Interviewer].
//
//	scene ─► reading.Understand ─► understanding ─► chat.Decide ─► plan
//	         interviewer.go                                          │
//	                                                                 ▼
//	reply ◄─ wording.go ◄─ reply.go composes: what the message wanted of the talk   asides.go remarks.go human.go account.go
//	                                          what was understood                   acknowledge.go fromfiles.go
//	                                          what came of research                 tidings.go
//	                                          the course of the interview           course.go
//	                                          the question                          ask.go
//
// The sentences are those of internal/language/messages, in the language of the session, and of the
// objective. wording.go takes of several wordings the one that was not heard for longest, show.go and
// gist.go name values within a sentence, and rest.go goes on where a model acknowledged already.
//
// The same scene and plan always give the same reply: no clock but the scene's, no chance, no network,
// no state.
package rules
