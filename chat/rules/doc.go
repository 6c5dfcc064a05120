// Package rules is the interviewer without a model. It listens (internal/listening): a
// message is divided into what each stretch of it does. Where an objective says what type
// a value has, and in languages other than English, values are cut out and assigned by
// what was learned from examples (heard.go, valueread.go, chosen.go, heardcorrect.go).
// Other answers are read with tables of words, patterns and one reader a widget type,
// after what is surely no answer was set aside. It words its replies from phrases kept in
// this package.
//
// It prefers silence to a guess: a value is taken only from an answer to the
// question asked, or from words that announce it (a template's cues) and a value
// of the right type beside them. Whatever it takes carries the exact words it
// was read from. The same scene always gives the same understanding and the same
// reply: no clock but the scene's, no chance, no network, no state.
//
//	message ─► listen ─► marks (what the person wants)   ─┐
//	           words      correction (what was wrong)     ├─► Understanding
//	           clauses    readers (what they answer)      │
//	                      volunteer (what they add)      ─┘
//
// What people say to us of the talk itself ("give me a minute", "who sees this?") is a
// table of asides: ways to say it, and what to say to it.
//
// It speaks English, and reads English and German; see docs/languages.md.
package rules
