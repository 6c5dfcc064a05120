package analyst

import (
	"strings"
	"unicode/utf8"

	"quaestor/research/warehouse/tokens"
)

// cutNote stands at the end of what was cut.
const cutNote = " … (cut)"

// bytesOfToken is how many bytes a token has at most, but for long runs of one
// character.
const bytesOfToken = 16

// within returns s, or how it begins, with at most limit tokens and a note. A limit
// below that of the note gives nothing.
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
	if line := strings.LastIndexByte(s, '\n'); line > len(s)*4/5 { // rather whole lines
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

// oneLine returns s on one line, at most n characters of it.
func oneLine(s string, n int) string {
	s = strings.Join(strings.Fields(head(s, 8*n)), " ")
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
