package packs

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// PromptTemplate is a text with placeholders. {{NAME}} stands for a value, {{NAME:word}} for the value
// of a word, and {{#NAME}} … {{/NAME}} for a part that is dropped if the value is empty. It is
// immutable and safe for concurrent use.
type PromptTemplate struct {
	pieces []piece
	names  []string // sorted, without duplicates
}

// piece is literal text, a placeholder, or a part that depends on one.
type piece struct {
	text string // literal text, if name is empty
	name string
	word string  // of {{NAME:word}}
	body []piece // of a part; nil for a placeholder
}

// Values are the values of placeholders by name.
type Values map[string]string

// refName is the placeholder that takes a word, the name of a table, and stands for its qualified
// name. Its value is the schema.
const refName = "REF"

// maxDepth is how deeply parts may be nested.
const maxDepth = 8

// NewTemplate parses text. All names must be among known; the error names the one that is not, or
// the part that is not closed.
func NewTemplate(text string, known []string) (*PromptTemplate, error) {
	p := &templateParser{rest: text, known: known, names: map[string]bool{}}
	pieces, err := p.until("", 0)
	if err != nil {
		return nil, err
	}
	return &PromptTemplate{pieces: pieces, names: slices.Sorted(maps.Keys(p.names))}, nil
}

// Names returns the names of the placeholders, sorted and without duplicates.
func (t *PromptTemplate) Names() []string { return slices.Clone(t.names) }

// Uses reports whether the template has a placeholder or a part of that name.
func (t *PromptTemplate) Uses(name string) bool { return slices.Contains(t.names, name) }

// Fill inserts the values in one pass: placeholders within values are not expanded. A name without
// a value is an error; an empty value is not.
func (t *PromptTemplate) Fill(v Values) (string, error) {
	for _, name := range t.names {
		if _, ok := v[name]; !ok {
			return "", fmt.Errorf("placeholder {{%s}} has no value", name)
		}
	}
	var b strings.Builder
	fill(&b, t.pieces, v)
	return b.String(), nil
}

// fill writes pieces with the values of v.
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

// qualified returns the name of a table with its schema, or alone if schema is empty, as it is
// when there are several.
func qualified(schema, table string) string {
	if schema == "" {
		return table
	}
	return schema + "." + table
}

// templateParser parses a text from front to back.
type templateParser struct {
	rest  string
	known []string
	names map[string]bool
}

// until parses up to the end of the named part, or to the end of the text if part is empty.
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

// piece returns the piece for a tag, including the body of a part.
func (p *templateParser) piece(tag string, depth int) (piece, error) {
	name, begins := strings.CutPrefix(tag, "#")
	name, word, _ := strings.Cut(name, ":")
	if !slices.Contains(p.known, name) {
		return piece{}, fmt.Errorf("there is no placeholder {{%s}} here; there are {{%s}}", tag, strings.Join(p.known, "}}, {{"))
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

// next returns the text before the next tag, and the tag.
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
		at++ // in {{{NAME}} the tag begins at the second brace
	}
}

// tagAt returns the tag that s begins with, without braces: letters, digits and underscores, with
// # or / before them or a colon and a word after them. Anything else between braces is text.
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

// notOfName reports whether r cannot be part of a placeholder's name.
func notOfName(r rune) bool {
	return !('A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '_')
}

// notOfWord reports whether r ends a word in a template.
func notOfWord(r rune) bool { return notOfName(r) && r != '.' && r != '-' }
