package reader

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// clean brings s into the form of the package's texts, with at most limit bytes,
// and reports whether it was cut. Lines keep their indentation, lose trailing
// blanks, and are never separated by more than one empty line.
func clean(s string, limit int) (string, bool) {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\r\n", "\n")
	s = norm.NFC.String(strings.Map(shown, s))
	s = layLines(s)
	if len(s) <= limit {
		return s, false
	}
	// Cut text may end in blanks or a half line; its beginning is as it was.
	return strings.TrimRight(cutAtRune(s, limit), " \t\n"), true
}

// shown maps a rune to its form in a text; a negative result drops it.
func shown(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case r == '\r' || r == '\v' || r == '\f' || r == 0x85 || r == 0x2028 || r == 0x2029:
		return '\n'
	case unicode.Is(unicode.Zs, r):
		return ' '
	case unicode.IsControl(r) || shapeless(r):
		return -1
	}
	return r
}

// fillers are letters by their Unicode class that have no visible shape.
var fillers = map[rune]bool{0x115F: true, 0x1160: true, 0x17B4: true, 0x17B5: true, 0x180B: true, 0x180C: true, 0x180D: true, 0x180F: true, 0x3164: true, 0xFFA0: true}

// shapeless reports whether r is invisible: joiners, direction marks, tags and
// variation selectors. Enclosing marks are in the same class, but are visible.
func shapeless(r rune) bool {
	if r < 0x80 {
		return false
	}
	if unicode.Is(unicode.Cf, r) {
		return !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
	}
	return unicode.Is(unicode.Variation_Selector, r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) && r != 0x34F || fillers[r] || unicode.Is(unicode.Noncharacter_Code_Point, r) || r >= 0xE0000 && r <= 0xE0FFF
}

// layLines trims the ends of lines and of the text, and collapses empty lines.
func layLines(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	empty := 0
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.TrimRight(line, " \t")
		if line == "" {
			empty++
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n\n"[:min(empty+1, 2)])
		}
		b.WriteString(line)
		empty = 0
	}
	return b.String()
}

// cutAtRune returns at most limit bytes of s without splitting a character.
func cutAtRune(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
