package messages

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	textlanguage "golang.org/x/text/language"
)

// keyed matches keys: words with hyphens, in groups that dots part.
var keyed = regexp.MustCompile(`^[a-z0-9-]+(?:\.[a-z0-9-]+)*$`)

// parse reads the file of a language. Its errors name the line at fault.
func parse(tag, body string) (*Language, error) {
	t, err := textlanguage.Parse(tag)
	if err != nil {
		return nil, fmt.Errorf("messages: a file is named by a language, not %q: %w", tag, err)
	}
	l := &Language{tag: tag, plural: t, messages: map[string]message{}}
	var p parsing
	key := ""
	for n, line := range strings.Split(body, "\n") {
		if key, err = l.line(&p, key, strings.TrimRight(line, " \t\r")); err != nil {
			return nil, fmt.Errorf("messages %s, line %d: %w", tag, n+1, err)
		}
	}
	if err := l.complete(); err != nil {
		return nil, fmt.Errorf("messages %s: %w", tag, err)
	}
	l.formal = strings.NewReplacer(p.formal...)
	for key, m := range l.messages {
		if len(m[other]) == 0 {
			return nil, fmt.Errorf("messages %s: %s has no wording, or only plural forms without [other]", tag, key)
		}
		if err := l.formalise(m); err != nil {
			return nil, fmt.Errorf("messages %s: %s: %w", tag, key, err)
		}
	}
	return l, nil
}

// line reads one line under key and returns the key of the next one.
func (l *Language) line(p *parsing, key, line string) (string, error) {
	switch {
	case line == "" || line[0] == '#':
		return key, nil
	case line[0] == '@':
		name, value, _ := strings.Cut(line[1:], " ")
		return "", l.set(p, name, strings.TrimSpace(value))
	case line[0] != ' ' && line[0] != '\t':
		if !keyed.MatchString(line) {
			return "", fmt.Errorf("%q is no key", line)
		}
		if l.messages[line] != nil {
			return "", fmt.Errorf("%s stands here a second time", line)
		}
		l.messages[line] = message{}
		return line, nil
	case key == "":
		return "", fmt.Errorf("a wording without a key: %q", strings.TrimSpace(line))
	}
	form, text, err := formOf(strings.TrimSpace(line))
	if err != nil {
		return "", err
	}
	plain, err := parsePattern(text)
	if err != nil {
		return "", err
	}
	l.messages[key][form] = append(l.messages[key][form], wording{plain: plain})
	return key, nil
}

// formOf cuts the plural form off a wording.
func formOf(line string) (form, text string, err error) {
	if !strings.HasPrefix(line, "[") {
		return other, line, nil
	}
	form, text, _ = strings.Cut(line[1:], "]")
	if _, err := strconv.Atoi(form); err != nil && !slices.Contains([]string{"zero", "one", "two", "few", "many", other}, form) {
		return "", "", fmt.Errorf("[%s] is no plural form: zero, one, two, few, many, other, or a number", form)
	}
	return form, strings.TrimSpace(text), nil
}

// formalise adds the formal wordings of m.
func (l *Language) formalise(m message) error {
	for _, list := range m {
		for i, w := range list {
			formal, err := parsePattern(l.formal.Replace(w.plain.String()))
			if err != nil {
				return err
			}
			list[i].formal = formal
		}
	}
	return nil
}

// String returns the pattern as it is written.
func (p pattern) String() string {
	var b strings.Builder
	for _, piece := range p {
		if piece.name != "" {
			b.WriteString("{" + piece.written() + "}")
			continue
		}
		b.WriteString(piece.text)
	}
	return b.String()
}
