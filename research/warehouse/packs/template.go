package packs

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Template is a text with placeholders: {{NAME}} stands for a value, {{NAME:word}}
// for the value of a word, and {{#NAME}} … {{/NAME}} for a part that is left out when the
// value is empty. It is not changed once made, and is safe for concurrent use.
type Template struct {
	pieces []piece
	names  []string // each once, sorted
}

// piece is text as it is, a placeholder, or a part that depends on one.
type piece struct {
	text string // when name is empty
	name string
	word string  // of {{NAME:word}}
	body []piece // of a part; nil for a placeholder
}

// Values are what the placeholders of a template stand for.
type Values map[string]string

// refName is the placeholder that takes a word, and stands for the value of
// "REF:" with the word put behind its dots.
const refName = "REF"

// maxDepth is how deep parts may lie in each other.
const maxDepth = 8

// NewTemplate parses text. Every name must be one of known; the error says which is
// not, or which part does not end.
func NewTemplate(text string, known []string) (*Template, error) {
	p := &templateParser{rest: text, known: known, names: map[string]bool{}}
	pieces, err := p.until("", 0)
	if err != nil {
		return nil, err
	}
	return &Template{pieces: pieces, names: slices.Sorted(maps.Keys(p.names))}, nil
}

// Names returns the names of the placeholders, each once, sorted.
func (t *Template) Names() []string { return slices.Clone(t.names) }

// Uses reports whether the template has a placeholder or a part of that name.
func (t *Template) Uses(name string) bool { return slices.Contains(t.names, name) }

// Fill writes the values into their places, in one pass: what a value holds is
// never looked into. A name without a value is an error, an empty value is not.
func (t *Template) Fill(v Values) (string, error) {
	for _, name := range t.names {
		if _, ok := v[name]; !ok {
			return "", fmt.Errorf("placeholder {{%s}} has no value", name)
		}
	}
	var b strings.Builder
	fill(&b, t.pieces, v)
	return b.String(), nil
}

func fill(b *strings.Builder, pieces []piece, v Values) {
	for _, p := range pieces {
		switch {
		case p.name == "":
			b.WriteString(p.text)
		case p.word != "":
			b.WriteString(qualified(v[p.name], p.word))
		case p.body == nil:
			b.WriteString(v[p.name])
		case v[p.name] != "":
			fill(b, p.body, v)
		}
	}
}

// qualified returns a table by the schema it is in; by its own name when there is
// no schema, or more than one.
func qualified(schema, table string) string {
	if schema == "" {
		return table
	}
	return schema + "." + table
}

// templateParser takes a text apart from its front.
type templateParser struct {
	rest  string
	known []string
	names map[string]bool
}

// until parses up to the end of the part of that name, or of the text for none.
func (p *templateParser) until(part string, depth int) ([]piece, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("parts lie more than %d deep", maxDepth)
	}
	out := []piece{}
	for {
		text, tag, found := p.next()
		if text != "" {
			out = append(out, piece{text: text})
		}
		if !found {
			if part != "" {
				return nil, fmt.Errorf("{{#%s}} has no {{/%s}}", part, part)
			}
			return out, nil
		}
		if name, ends := strings.CutPrefix(tag, "/"); ends {
			if name != part {
				return nil, fmt.Errorf("{{/%s}} ends nothing that is open", name)
			}
			return out, nil
		}
		one, err := p.piece(tag, depth)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
}

// piece makes what a tag stands for, the parts of it included.
func (p *templateParser) piece(tag string, depth int) (piece, error) {
	name, begins := strings.CutPrefix(tag, "#")
	name, word, _ := strings.Cut(name, ":")
	if !slices.Contains(p.known, name) {
		return piece{}, fmt.Errorf("there is no placeholder {{%s}}", tag)
	}
	if (word != "") != (name == refName) || word != "" && begins {
		return piece{}, fmt.Errorf("{{%s}} is not how a placeholder is written", tag)
	}
	p.names[name] = true
	if !begins {
		return piece{name: name, word: word}, nil
	}
	body, err := p.until(name, depth+1)
	return piece{name: name, body: body}, err
}

// next takes the text before the next tag, and the tag.
func (p *templateParser) next() (text, tag string, found bool) {
	for at := 0; ; {
		open := strings.Index(p.rest[at:], "{{")
		if open < 0 {
			text, p.rest = p.rest, ""
			return text, "", false
		}
		at += open
		if tag := tagAt(p.rest[at:]); tag != "" {
			text, p.rest = p.rest[:at], p.rest[at+len(tag)+4:]
			return text, tag, true
		}
		at++ // of {{{NAME}} the tag begins at the second brace
	}
}

// tagAt returns what stands between the braces that s begins with, if it is
// written like a name: letters, digits and _, after # or / or not, a word after a
// colon or not. Everything else between braces is text.
func tagAt(s string) string {
	end := strings.Index(s, "}}")
	if end < 3 {
		return ""
	}
	tag := s[2:end]
	name := strings.TrimPrefix(strings.TrimPrefix(tag, "#"), "/")
	name, word, colon := strings.Cut(name, ":")
	if name == "" || colon && word == "" || strings.ContainsFunc(name, notOfName) || strings.ContainsFunc(word, notOfWord) {
		return ""
	}
	return tag
}

func notOfName(r rune) bool {
	return !('A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '_')
}

func notOfWord(r rune) bool { return notOfName(r) && r != '.' && r != '-' }
