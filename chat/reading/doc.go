// Package reading reads what a person says in a scene, without a language model: message, filled-in
// widgets and files become a [chat.Understanding]. It decides nothing and words nothing.
//
// It listens (internal/listening): a message is divided into what each stretch of it does, and values
// are marked in it by what was learned from examples. Figures, dates and times are read from their
// words (internal/language), and become values of what is asked by chat/field; texts are kept as they
// were said. There is one way to read, whatever the language of the session: all words it knows are
// data of internal/language/lexicon, in English and German alike, and so are the set phrases that a
// whole clause may be.
//
// It prefers silence to a guess, and holds in doubt what it is not sure of, so that it is read back
// rather than asked again. Whatever it takes carries the exact words it was read from. The same scene
// always gives the same understanding: no clock but the scene's, no chance, no network, no state.
//
//	message ─► words ─► segments ─► what changes, rejects or confirms ─┐
//	     utterance.go   hear.go     change.go replace.go confirm.go    │
//	                       │        amend.go items.go reject.go        ├─► Understanding
//	                       ├──────► what answers the question          │
//	                       │        fit.go answer.go value.go          │
//	                       │        choices.go reckon.go units.go      │
//	                       ├──────► what is told beside it             │
//	                       │        statements.go heading.go           │
//	                       │        namedfigures.go volunteered.go     │
//	                       └──────► what the person wants of the talk ─┘
//	                                phrases.go requests.go intent.go postpone.go parting.go
//
// reader.go goes through a message and holds what was understood so far, and hear.go through its
// segments. The rest of reading: a form (form.go), two values that cannot both hold and the end
// (resolve.go), research that is wished for or under way (research.go), widgets (widgets.go), files
// (files.go, filelines.go, filewords.go), and what a turn tells of the conversation (signals.go,
// style.go). fit.go tells whether words answer what they are read for, naming.go finds the obligation
// that words name, owntext.go what of them is said, widen.go where a name or an item ends, and
// scale.go what cannot be meant.
package reading
