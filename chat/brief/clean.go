package brief

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"quaestor/internal/language"
)

// clean makes a text fit for every form of a brief. What can be seen stays.
// Control characters and broken UTF-8 become U+FFFD, which is seen; what is
// unseen and changes how the rest is read is left out: turns of direction, zero
// width, tags. Line ends become LF, other space that is no space becomes one.
func clean(s string) string {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n").Replace(strings.ToValidUTF8(s, "\uFFFD"))
	return strings.TrimSpace(strings.Map(seen, s))
}

func seen(r rune) rune {
	switch {
	case r == '\n':
		return r
	case r == '\t' || r == '\v' || r == '\f' || r == '\u0085':
		return ' '
	case unsighted(r):
		return -1
	case unicode.IsControl(r), r&0xFFFE == 0xFFFE:
		return utf8.RuneError
	}
	return r
}

// unsighted reports whether r is unseen and changes what is seen around it.
func unsighted(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f || r == 0x61c ||
		r == 0x200b || r == 0x2060 || r == 0xfeff || r == 0xad || r >= 0xe0000 && r <= 0xe007f
}

// line is clean text on one line.
func line(s string) string { return language.OneLine(clean(s)) }

// maxLink bounds the address of a link, in bytes.
const maxLink = 2000

// webLink returns s when a brief may link to it: it is on the web, does not
// pretend to be elsewhere by a user's name, and is all there is to see.
func webLink(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" || len(s) > maxLink || line(s) != s || strings.Contains(s, " ") {
		return ""
	}
	return s
}
