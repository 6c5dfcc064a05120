// Package spoken is what a spoken conversation needs of words: what is said when nobody
// answers or nothing was understood ([Reprompt]).
//
// It is pure, and knows no sound; package audio does.
package spoken
