package search

import (
	"html"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// markup matches tags and comments in a page's text. A < alone does not match.
var markup = regexp.MustCompile(`(?s)<!--.*?(?:-->|$)|</?[a-zA-Z][^<>]*>`)

// inline matches tags that engines put inside words to highlight them.
var inline = regexp.MustCompile(`^</?(?:b|strong|em|i|u|mark|span|a|font|sup|sub|code)[\s/>]`)

// plain returns s as one line of text with at most limit characters: without markup
// and invisible characters, entities decoded, white space collapsed.
func plain(s string, limit int) string {
	s = markup.ReplaceAllStringFunc(strings.ToValidUTF8(s, " "), func(tag string) string {
		if inline.MatchString(strings.ToLower(tag)) {
			return ""
		}
		return " "
	})
	return cut(line(html.UnescapeString(s)), limit)
}

// line returns s without invisible characters and with white space collapsed.
func line(s string) string {
	return strings.Join(strings.Fields(strings.Map(visible, strings.ToValidUTF8(s, " "))), " ")
}

// blank are letters and marks without a shape: joiners and fillers.
const blank = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"

// visible maps a rune for strings.Map: it drops formatting characters, such as
// zero-width spaces, direction marks, tags and variation selectors, and turns
// control and private-use characters into spaces.
func visible(r rune) rune {
	switch {
	case unicode.Is(unicode.Cf, r), r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0000 && r <= 0xE0FFF, strings.ContainsRune(blank, r):
		return -1
	case unicode.IsControl(r), unicode.Is(unicode.Co, r), r == utf8.RuneError:
		return ' '
	}
	return r
}

// cut shortens s to limit characters with an ellipsis, at the end of a word if there
// is one in the last third.
func cut(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	r := []rune(s)[:limit-1]
	for i := len(r) - 1; i > limit*2/3; i-- {
		if r[i] == ' ' {
			r = r[:i]
			break
		}
	}
	return strings.TrimRight(string(r), " ,;:") + "…"
}

// asked returns a query as an engine accepts it: on one line, without what engines
// interpret as commands, cut at a word to the maximum of characters and words. A
// maximum of 0 is no limit.
func asked(words string, maxRunes, maxWords int) string {
	var out []string
	runes := 0
	for _, w := range strings.Fields(line(words)) {
		// Bangs such as !!g redirect a search, a leading colon selects a language.
		w = strings.TrimLeft(w, "!:?<")
		n := utf8.RuneCountInString(w)
		if w == "" {
			continue
		}
		if maxRunes > 0 && len(out) == 0 && n > maxRunes {
			return string([]rune(w)[:maxRunes])
		}
		if maxRunes > 0 && runes+n+len(out) > maxRunes || maxWords > 0 && len(out) == maxWords {
			break
		}
		out, runes = append(out, w), runes+n
	}
	return strings.Join(out, " ")
}

// dates are the formats in which engines give a page's date.
var dates = []string{
	time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02", time.RFC1123, time.RFC1123Z, "January 2, 2006", "Jan 2, 2006",
}

// day returns a date as 2006-01-02, or "" if it is none, such as "3 days ago".
func day(s string) string {
	s = strings.TrimSpace(s)
	for _, layout := range dates {
		if t, err := time.Parse(layout, s); err == nil && t.Year() >= 1000 {
			return t.Format(time.DateOnly)
		}
	}
	return ""
}
