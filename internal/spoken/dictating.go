package spoken

import (
	"strings"
	"unicode/utf8"
)

// Dictates reports whether a value of a kind may be spelled or dictated in groups, with
// pauses between them.
func Dictates(kind Kind) bool {
	switch kind {
	case Name, Email, Phone, Identifier:
		return true
	case Prose, Address, Figure, Date, Choice:
	}
	return false
}

// Dictating reports whether words, as they were heard in the language of a BCP 47 tag, end
// within something that is spelled or dictated, so that more of it may come: in a letter or a
// digit, or before an address is whole. No words may be the beginning of anything.
func Dictating(tag, words string, kind Kind) bool {
	s := &script{vocabulary: wordsOf(tag), kind: kind, tokens: tokensOf(words)}
	if len(s.tokens) == 0 {
		return Dictates(kind)
	}
	last := s.word(len(s.tokens) - 1)
	switch kind {
	case Email:
		return !strings.Contains(Written(tag, words, kind), "@")
	case Phone, Identifier:
		_, n := s.digit(len(s.tokens) - 1)
		return n > 0 || s.isLetter(last)
	case Name:
		return s.isLetter(last)
	case Prose, Address, Figure, Date, Choice:
	}
	return false
}

// isLetter reports whether a word is a letter, or sounds like the name of one.
func (s *script) isLetter(word string) bool {
	return utf8.RuneCountInString(word) == 1 || s.letters[word] != "" || s.sounds[word] != ""
}
