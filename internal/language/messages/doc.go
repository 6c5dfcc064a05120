// Package messages holds every sentence that is said to people without a model, in each
// language that has a file in languages/. A sentence has one key, one or several wordings,
// plural forms where it counts something, and placeholders with names.
//
// A file is read from top to bottom:
//
//	# a comment
//	@decimal ,                 a setting of the language, see settings.go
//	noted                      a key, at the beginning of its line
//	    Noted: {what}.         a wording, indented; of several the person hears a new one
//	    Thank you: {what}.
//	questions-left
//	    [one] This is the last question.
//	    [other] {n} questions left.
//
// A plural form is a category of CLDR, or a number that it is for. It is chosen by the
// value of {n}. {N} is the same with a capital letter, for the beginning of a sentence.
//
// All languages have the same keys with the same placeholders. That is checked when the
// files are read, so that a sentence is missing in none of them; the test of this package
// compares the keys with those in the code. The package knows nothing of what is talked
// about. docs/languages.md tells how to add a language.
package messages
