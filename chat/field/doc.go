// Package field knows what an obligation takes for a value, and reads and shows such values. It is
// told a template, words and figures, and nothing of who says them when: reading a message needs a
// scene and is chat/reading's.
//
//	kind.go    the type of value that is asked for, and whether a text can be one of it
//	unit.go    its unit and period; figures brought to them
//	choice.go  how much of each choice is said in some words, and which is meant by that
//	items.go   texts and lists as items: without some, and what a change added or took off
//	name.go    the names of an obligation, and how much of them is said
//	value.go   values as JSON
//	words.go   values in the words of a language, as people read them
//
// Words are folded ([language.Fold]); of a language it knows the lexicons of internal/language. It is
// pure.
package field
