// Package listening reads what people mean: it divides a message into what each stretch
// of it does ([Act]), finds the values in it and which of them answer what was asked
// ([Span]), says of which field a value is ([Listener.Candidates]), and how well words fit
// a question rather than another ([Listener.FitOf]).
//
//	message, question ─► words (internal/language) ─► model ─► acts ─► segments
//	                     states of the text encoder ─┘     └─► values, with types
//
// It is learned from labelled messages in English and German, utterances/ and dialogs/;
// MODEL.md tells how, and how well it does. The weights are part of the program. The text
// encoder, which knows English, is an input where there is one; without it less is
// understood. Reading takes some milliseconds and no state; a [Listener] keeps only
// vectors of texts that it compares.
//
// What is read is never surer than [Segment.Sure] and [Span.Sure] say: whoever stores a
// value decides what to make of that.
package listening
