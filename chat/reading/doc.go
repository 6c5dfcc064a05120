// Package reading reads what a person says in a scene, without a language model: message, filled-in
// widgets and files become a [chat.Understanding]. It decides nothing and words nothing.
//
// It listens (internal/listening): a message is divided into what each stretch of it does, and values
// are marked in it by what was learned from examples. Figures, dates and times are read from their
// words (internal/language) and become values of what is asked by chat/field; texts are kept as they
// were said. There is one way to read, whatever the language of the session: all words it knows are
// data of internal/language/lexicon, in English and German alike, and so are the set phrases that a
// whole clause may be.
//
// It prefers silence to a guess, and holds in doubt what it is not sure of, so that it is read back
// rather than asked again. Whatever it takes carries the exact words it was read from. The same scene
// always gives the same understanding: no clock but the scene's, no chance, no network, no state.
//
//	Understand                        reader.go
//	  ├─ widgets                      widgets.go
//	  ├─ message ─► words             utterance.go
//	  │    ├─ segments                hear.go, by the listener; phrases.go requests.go parting.go where closed words say it
//	  │    ├─ what is stated          statements.go cues.go: "the budget is 5,000", "we sell to pubs"
//	  │    ├─ what changes            amend.go replace.go renumber.go putin.go revise.go swap.go change.go strike.go disclaim.go
//	  │    ├─ what is told by name    namedfigures.go heading.go
//	  │    ├─ what is read back       confirm.go addition.go reject.go, and of two values that cannot both hold, and the end: resolve.go
//	  │    ├─ what answers            answer.go form.go reckon.go
//	  │    ├─ what is told beside     volunteered.go units.go
//	  │    └─ what else is wanted     intent.go postpone.go research.go
//	  ├─ files                        files.go filelines.go filewords.go
//	  └─ signals                      signals.go style.go: what is worth remembering of the turn
//
// All of these read a stretch as a value in the same way: value.go, and by what is asked for figures.go,
// textvalue.go, choices.go or items.go; owntext.go takes a text in the person's own words, and widen.go
// finds where a name or an item ends. naming.go finds the obligation that words name. fit.go tells
// whether words answer what they are read for, scale.go what cannot be meant, and note.go notes the
// rest, with its evidence.
//
// Of a message itself, a reply needs little: the aside it begins with ([AsideOf]), the obligation it
// names ([Named]), and what was answered last ([AnsweredLast]).
package reading
