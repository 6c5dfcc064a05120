package builtin

import (
	"slices"
	"strings"
	"unicode"
)

// wordsOf returns the words of a name in lower case: order, placed, at of
// orderPlacedAt, ORDER_PLACED_AT and "Order: Placed At".
func wordsOf(name string) []string {
	var out []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			out = append(out, word.String())
			word.Reset()
		}
	}
	before := ' '
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
		case unicode.IsUpper(r) && (unicode.IsLower(before) || unicode.IsDigit(before)):
			end()
			fallthrough
		default:
			word.WriteRune(unicode.ToLower(r))
		}
		before = r
	}
	end()
	return out
}

// spoken returns a name as people say it: order total of order_total. One without
// a letter or digit stays as it is.
func spoken(name string) string {
	if w := wordsOf(name); len(w) > 0 {
		return strings.Join(w, " ")
	}
	return name
}

// maxSlug is how long a name may become part of an alias.
const maxSlug = 40

// slug returns a name of letters, digits and underscores that begins with a
// letter, for an alias; otherwise when name has none.
func slug(name, otherwise string) string {
	s := strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '_'
	}, strings.Join(wordsOf(name), "_"))
	s = strings.Trim(s[:min(len(s), maxSlug)], "_")
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		return otherwise
	}
	return s
}

// hasWord says whether one of words is in the set.
func hasWord(words []string, set map[string]bool) bool {
	return slices.ContainsFunc(words, func(w string) bool { return set[w] })
}

// setOf returns the set of the words of s.
func setOf(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(s) {
		out[w] = true
	}
	return out
}
