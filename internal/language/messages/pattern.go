package messages

import (
	"fmt"
	"strings"
	"unicode"

	"quaestor/internal/language"
)

// pattern is a wording cut at its placeholders.
type pattern []piece

// piece is a stretch of text, or a placeholder when it has a name.
type piece struct {
	text, name string
	capital    bool // the value begins with a capital letter: {N} is {n} at the beginning of a sentence
}

// letters are what names of placeholders consist of.
const letters = "abcdefghijklmnopqrstuvwxyz-"

// parsePattern cuts text at its placeholders.
func parsePattern(text string) (pattern, error) {
	var out pattern
	for text != "" {
		at := strings.IndexAny(text, "{}")
		if at < 0 {
			return append(out, piece{text: text}), nil
		}
		end := strings.IndexByte(text, '}')
		if text[at] == '}' || end < 0 {
			return nil, fmt.Errorf("a brace is not closed or not opened in %q", text)
		}
		name := text[at+1 : end]
		if name == "" || strings.Trim(strings.ToLower(name), letters) != "" {
			return nil, fmt.Errorf("{%s} is no name of a placeholder: letters and hyphens", name)
		}
		if at > 0 {
			out = append(out, piece{text: text[:at]})
		}
		small := strings.ToLower(name)
		out = append(out, piece{name: small, capital: small != name})
		text = text[end+1:]
	}
	return out, nil
}

// fill returns the pattern with its values in place.
func (p pattern) fill(l *Language, args Args) string {
	var b strings.Builder
	for _, piece := range p {
		v := args[piece.name]
		switch {
		case piece.name == "":
			b.WriteString(piece.text)
		case v == nil:
			b.WriteString("{" + piece.written() + "}")
		case piece.capital:
			b.WriteString(language.UpperFirst(v.in(l)))
		default:
			b.WriteString(v.in(l))
		}
	}
	return b.String()
}

// written returns the name of a placeholder as the file has it.
func (p piece) written() string {
	if p.capital {
		return language.UpperFirst(p.name)
	}
	return p.name
}

// fixed returns the stretches of text between the placeholders, without blanks at their ends and
// without those that are no words.
func (p pattern) fixed() []string {
	var out []string
	for _, piece := range p {
		if text := strings.TrimSpace(piece.text); strings.ContainsFunc(text, unicode.IsLetter) {
			out = append(out, text)
		}
	}
	return out
}
