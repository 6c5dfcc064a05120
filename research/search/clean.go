package search

import (
	"html"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// markup is what a page's text is dressed in: tags and comments. A lone < is not.
var markup = regexp.MustCompile(`(?s)<!--.*?(?:-->|$)|</?[a-zA-Z][^<>]*>`)

// inline are the tags that stand inside words as engines mark them.
var inline = regexp.MustCompile(`^</?(?:b|strong|em|i|u|mark|span|a|font|sup|sub|code)[\s/>]`)

// plain returns s as one line of text: markup out, entities read, nothing
// invisible, white space folded, at most limit characters.
func plain(s string, limit int) string {
	s = markup.ReplaceAllStringFunc(strings.ToValidUTF8(s, " "), func(tag string) string {
		if inline.MatchString(strings.ToLower(tag)) {
			return ""
		}
		return " "
	})
	return cut(line(html.UnescapeString(s)), limit)
}

// line returns s without what cannot be seen and with its white space folded.
func line(s string) string {
	return strings.Join(strings.Fields(strings.Map(visible, strings.ToValidUTF8(s, " "))), " ")
}

// blank are letters and marks that show nothing: joiners and fillers.
const blank = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"

// visible drops what hides in a text: formatting characters such as zero width
// spaces, direction marks and tags, variation selectors. Controls and private
// characters become spaces.
func visible(r rune) rune {
	switch {
	case unicode.Is(unicode.Cf, r), r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0000 && r <= 0xE0FFF, strings.ContainsRune(blank, r):
		return -1
	case unicode.IsControl(r), unicode.Is(unicode.Co, r), r == utf8.RuneError:
		return ' '
	}
	return r
}

// cut shortens s to limit characters, at a word when one ends in the last third,
// and shows that with an ellipsis.
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

// asked returns a query as an engine takes it: in one line, without what engines
// read as commands, cut at a word to the characters and words that it takes; no
// limit when they are 0.
func asked(words string, maxRunes, maxWords int) string {
	var out []string
	runes := 0
	for _, w := range strings.Fields(line(words)) {
		// Bangs such as !!g send a search elsewhere, a leading colon picks a language.
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

// dates are the ways engines write when a page was published.
var dates = []string{
	time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02", time.RFC1123, time.RFC1123Z, "January 2, 2006", "Jan 2, 2006",
}

// day returns a date as 2006-01-02, empty for what is none, such as "3 days ago".
func day(s string) string {
	s = strings.TrimSpace(s)
	for _, layout := range dates {
		if t, err := time.Parse(layout, s); err == nil && t.Year() >= 1000 {
			return t.Format(time.DateOnly)
		}
	}
	return ""
}
