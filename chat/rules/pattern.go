package rules

import (
	"regexp"
	"strings"
)

// pattern is a whole utterance in a small language: words with spaces between,
// a|b for either, _ for a space inside one of them, a final ? for "may be
// missing", … for up to eight words of any kind and + for one to eight.
type pattern = *regexp.Regexp

const (
	anyWords  = `(?: \S+){0,8}`
	someWords = `(?: \S+){1,8}`
)

// compile joins patterns into one that matches any of them.
func compile(lines ...string) pattern {
	forms := make([]string, len(lines))
	for i, line := range lines {
		forms[i] = form(line)
	}
	return regexp.MustCompile(`^(?:` + strings.Join(forms, "|") + `)$`)
}

// form turns one pattern into a regular expression over words that each have a
// space before them.
func form(line string) string {
	var b strings.Builder
	for _, element := range strings.Fields(line) {
		switch element {
		case "…":
			b.WriteString(anyWords)
			continue
		case "+":
			b.WriteString(someWords)
			continue
		}
		element, optional := strings.CutSuffix(element, "?")
		alternatives := strings.ReplaceAll(regexp.QuoteMeta(element), "_", " ")
		b.WriteString("(?: (?:" + strings.ReplaceAll(alternatives, `\|`, "|") + "))")
		if optional {
			b.WriteString("?")
		}
	}
	return b.String()
}

// vocabulary returns the plain words of patterns.
func vocabulary(lines []string) []string {
	var out []string
	for _, line := range lines {
		out = append(out, strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" |?_…+", r) })...)
	}
	return out
}
