package analyst

import (
	"strings"

	"quaestor/internal/language"
	"quaestor/research/warehouse/tokens"
)

// cutNote marks the end of a text that was cut.
const cutNote = " … (cut)"

// bytesOfToken is the most bytes a token has, except in long runs of one character.
const bytesOfToken = 16

// within returns s, or its beginning with a note, in at most limit tokens. It is empty if not even
// the note fits.
func within(s string, limit int) string {
	if len(s) <= limit || len(s) <= bytesOfToken*limit && tokens.Count(s) <= limit {
		return s
	}
	room := limit - tokens.Count(cutNote) - 1
	if room <= 0 {
		return ""
	}
	s = language.HeadBytes(s, bytesOfToken*room)
	for n := tokens.Count(s); n > room; n = tokens.Count(s) {
		s = language.HeadBytes(s, min(len(s)*room/n, len(s)-1))
	}
	if line := strings.LastIndexByte(s, '\n'); line > len(s)*4/5 { // prefer to end at a line break
		s = s[:line+1]
	}
	return s + cutNote
}

// oneLine returns at most n characters of s on one line.
func oneLine(s string, n int) string {
	return language.Clip(language.OneLine(language.HeadBytes(s, 8*n)), n)
}
