package builtin

import (
	"slices"
	"strconv"
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

// listed joins names as a sentence does: a, b and c.
func listed(names []string) string {
	switch n := len(names); n {
	case 0:
		return ""
	case 1:
		return names[0]
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}

// counted writes n with commas and a noun, in the plural unless n is 1.
func counted(count int64, noun string) string {
	if count == 1 {
		return "1 " + noun
	}
	if n := len(noun); n > 1 && noun[n-1] == 'y' && !vowels[noun[n-2:n-1]] {
		return thousands(count) + " " + noun[:n-1] + "ies"
	}
	return thousands(count) + " " + noun + "s"
}

// thousands writes n with commas.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// capital returns s with its first letter in capital.
func capital(s string) string {
	for i, r := range s {
		return s[:i] + string(unicode.ToUpper(r)) + s[i+len(string(r)):]
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
