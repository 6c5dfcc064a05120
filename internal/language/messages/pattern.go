package messages

import (
	"fmt"
	"strings"

	"quaestor/internal/language"
)

// pattern is a wording cut at its placeholders.
type pattern []piece

// piece is a stretch of text, or a placeholder when it has a name.
type piece struct{ text, name string }

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
		if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz-") != "" {
			return nil, fmt.Errorf("{%s} is no name of a placeholder: small letters", name)
		}
		if at > 0 {
			out = append(out, piece{text: text[:at]})
		}
		out = append(out, piece{name: name})
		text = text[end+1:]
	}
	return out, nil
}

// fill returns the pattern with its values in place. A number in letters that begins it
// gets a capital letter.
func (p pattern) fill(l *Language, args Args) string {
	var b strings.Builder
	for i, piece := range p {
		v := args[piece.name]
		switch {
		case piece.name == "":
			b.WriteString(piece.text)
		case v == nil:
			b.WriteString("{" + piece.name + "}")
		case i == 0 && isCount(v):
			b.WriteString(language.UpperFirst(v.in(l)))
		default:
			b.WriteString(v.in(l))
		}
	}
	return b.String()
}

func isCount(v Value) bool { _, ok := v.(Count); return ok }
