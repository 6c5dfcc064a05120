// Package spoken is what a spoken conversation needs of words. What was spelled and dictated
// becomes what people write ([Written]); of several transcripts the one is taken that fits
// the question ([Choose]); a value is said back so that mistakes of hearing are noticed
// ([ReadBack]), and one part of it can be corrected ([Corrected]). [Reprompt] is what is said
// when nobody answers.
//
// It is pure, and knows no sound; package audio does. Figures, dates and times of day in
// words are read by package language.
package spoken
