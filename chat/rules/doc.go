// Package rules is the interviewer without a model. It listens (internal/listening): a message is
// divided into what each stretch of it does, and values are marked in it by what was learned from
// examples. Figures, dates and times are read from their words (internal/language), texts are kept
// as they were said. There is one way to read, whatever the language of the session: all words it
// knows are data of internal/language/lexicon, in English and German alike, and so are the set
// phrases that a whole clause may be.
//
// It prefers silence to a guess, and holds in doubt what it is not sure of, so that it is read back
// rather than asked again. Whatever it takes carries the exact words it was read from. The same scene
// always gives the same understanding and the same reply: no clock but the scene's, no chance, no
// network, no state.
//
//	message ─► words ─► segments ─► what changes, rejects or confirms ─┐
//	          utterance.go hear.go   change.go replace.go confirm.go    │
//	                         │       amend.go items.go reject.go        ├─► Understanding
//	                         ├─────► what answers the question          │
//	                         │       fit.go answer.go value.go chosen.go │
//	                         │       reckon.go measures.go              │
//	                         ├─────► what is told beside it             │
//	                         │       stated.go heading.go figurenamed.go    │
//	                         └─────► what the person wants of the talk ─┘
//	                                 phrases.go requests.go wants.go postpone.go
//
// The rest of reading: a form (form.go), two values that cannot both hold and the end (settle.go),
// research that is wished for or under way (research.go), filled-in widgets (widgets.go), files
// (files.go, filelines.go, filewords.go) and what a turn tells of the conversation (signals.go,
// style.go). fit.go tells whether words answer what
// they are read for. naming.go finds what words name, statement.go what of them is said, measures.go their
// units and rates, scale.go what cannot be meant.
//
// Replies are worded from the sentences of internal/language/messages: reply.go composes them, ask.go
// puts the question, acknowledge.go says what was understood, account.go how far it is, asides.go,
// saybeside.go and sayhuman.go answer what is said about the talk, tidings.go what came of research,
// and wording.go, show.go and gist.go word names and values.
package rules
