package brief

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean makes a text fit for every form of a brief. What is visible stays. Control
// characters and invalid UTF-8 become U+FFFD, which is visible. Invisible characters that
// change how the rest is read are removed: directional marks, zero-width characters, tags.
// Line ends become LF, and other white space becomes a space.
func clean(s string) string {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n").Replace(strings.ToValidUTF8(s, "\uFFFD"))
	return strings.TrimSpace(strings.Map(cleanRune, s))
}

// cleanRune returns what r becomes, and -1 to remove it. Noncharacters such as U+FFFE are
// replaced as well, because XML cannot hold them.
func cleanRune(r rune) rune {
	switch {
	case r == '\n':
		return r
	case r == '\t' || r == '\v' || r == '\f' || r == '\u0085':
		return ' '
	case invisible(r):
		return -1
	case unicode.IsControl(r), r&0xFFFE == 0xFFFE:
		return utf8.RuneError
	}
	return r
}

// invisible reports whether r is invisible and changes how the text around it looks.
func invisible(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f || r == 0x61c ||
		r == 0x200b || r == 0x2060 || r == 0xfeff || r == 0xad || r >= 0xe0000 && r <= 0xe007f
}

// line returns s clean and on one line.
func line(s string) string { return strings.Join(strings.Fields(clean(s)), " ") }

// clip returns a line with at most that many characters. When something was cut off, the
// last is an ellipsis.
func clip(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return strings.TrimRight(string([]rune(s)[:most-1]), " ") + "…"
}

// maxLink bounds the address of a link, in bytes. Browsers and Word accept about as much.
const maxLink = 2000

// webLink returns s if a brief may link to it, else "": it must be on the web, must not
// disguise its host with a user name, and must be visible as a whole.
func webLink(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" || len(s) > maxLink || line(s) != s || strings.Contains(s, " ") {
		return ""
	}
	return s
}
