// Package support judges whether a value follows from the words that it is said to rest
// on. A model may quote words that were really said and conclude from them what they do
// not tell; such a value must not count.
//
//	number, date   the words are read as figures and dates, and compared (internal/language)
//	choice, list   each choice by its names; denied ones are none: "not Saturdays"
//	text           the words of the value that stand in the quote, their denial, opposites, figures
//	               and, in English, how near the two are in meaning (the text encoder)
//
// It is pure, and knows English and German by the lexicons of internal/language. It says
// nothing about whether the words were said: that is [obligations.Check].
package support
