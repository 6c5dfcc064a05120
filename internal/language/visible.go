package language

import "strings"

// Visible returns s without characters that people cannot see but models obey or
// displays reorder: control characters apart from line breaks and tabs, zero-width spaces,
// tags, directional overrides and isolates. Joiners and variation selectors stay, because scripts and emoji
// need them.
func Visible(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == 0x200B, r == 0x2060, r == 0xFEFF, // zero-width space, word joiner, byte order mark
			0x202A <= r && r <= 0x202E, 0x2066 <= r && r <= 0x2069, // directional embeddings, overrides, isolates
			0xE0000 <= r && r <= 0xE007F, // tags
			r < 0x20 && r != '\n' && r != '\t' && r != '\r', r == 0x7F:
			return -1
		}
		return r
	}, s)
}

// VisibleLine returns [Visible] of s as one line, with one space for each white space and none around it: a name.
func VisibleLine(s string) string { return strings.Join(strings.Fields(Visible(s)), " ") }
