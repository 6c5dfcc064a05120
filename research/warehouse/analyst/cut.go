package analyst

import (
	"strings"
	"unicode/utf8"

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
	s = head(s, bytesOfToken*room)
	for n := tokens.Count(s); n > room; n = tokens.Count(s) {
		s = head(s, min(len(s)*room/n, len(s)-1))
	}
	if line := strings.LastIndexByte(s, '\n'); line > len(s)*4/5 { // prefer to end at a line break
		s = s[:line+1]
	}
	return s + cutNote
}

// head returns at most n bytes of s, cut between characters.
func head(s string, n int) string {
	if n >= len(s) {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// oneLine returns at most n characters of s on one line.
func oneLine(s string, n int) string {
	s = strings.Join(strings.Fields(head(s, 8*n)), " ")
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
