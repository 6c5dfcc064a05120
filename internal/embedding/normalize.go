package embedding

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// maxRunes is how much of a text is read. 128 pieces of at most 16 runes are half
// of it, so that only long runs of unknown runes are ever cut here.
const maxRunes = 4096

// maxRuneBytes is the longest encoding of a rune.
const maxRuneBytes = 4

// space is how SentencePiece writes a blank.
const space = '▁'

// symbols returns the runes of text as the vocabulary writes them: compatibility
// forms folded (NFKC), a space mark in front of each word, invalid UTF-8 as
// U+FFFD. Any white space counts as one blank, as it did when the vocabulary was
// trained, so that line breaks and indents change nothing. At most maxRunes are
// returned; none for a text without words.
func symbols(text string) []rune {
	folded := norm.NFKC.String(strings.ToValidUTF8(head(text), "\uFFFD"))
	var out []rune
	for word := range strings.FieldsSeq(folded) {
		out = append(out, space)
		for _, r := range word {
			out = append(out, r)
		}
		if len(out) >= maxRunes {
			return out[:maxRunes]
		}
	}
	return out
}

// head returns the first bytes of text, after white space, that hold all the
// runes we read. A rune cut in half becomes U+FFFD beyond them.
func head(text string) string {
	text = strings.TrimSpace(text)
	return text[:min(len(text), maxRunes*maxRuneBytes)]
}
