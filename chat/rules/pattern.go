package rules

import (
	"slices"
	"strings"
)

// pattern is the ways to say something, each a whole utterance in a small language:
// words with spaces between, a|b for either, _ for a space inside one of them, a final
// ? for "may be missing", … for up to eight words of any kind and + for one to eight.
type pattern struct {
	lines []way
	first map[string][]int // lines by the words they may begin with
	open  []int            // lines that may begin with any word
}

// way is one way to say it, word by word.
type way []element

// element is one of several forms, or words of any kind.
type element struct {
	forms       [][]string
	optional    bool
	least, most int // words of any kind; none where there are forms
}

// mostWords bounds a run of words of any kind.
const mostWords = 8

// compile joins lines into a pattern that fits what any of them does.
func compile(lines ...string) *pattern {
	p := &pattern{first: map[string][]int{}}
	for i, text := range lines {
		l := parse(text)
		p.lines = append(p.lines, l)
		p.index(i, l)
	}
	return p
}

func parse(text string) way {
	var l way
	for _, word := range strings.Fields(text) {
		switch word {
		case "…":
			l = append(l, element{most: mostWords})
			continue
		case "+":
			l = append(l, element{least: 1, most: mostWords})
			continue
		}
		var e element
		word, e.optional = strings.CutSuffix(word, "?")
		for form := range strings.SplitSeq(word, "|") {
			e.forms = append(e.forms, strings.Split(form, "_"))
		}
		l = append(l, e)
	}
	return l
}

// index notes what line i may begin with.
func (p *pattern) index(i int, l way) {
	for _, e := range l {
		if e.most > 0 {
			p.open = append(p.open, i)
			return
		}
		for _, form := range e.forms {
			if at := p.first[form[0]]; !slices.Contains(at, i) {
				p.first[form[0]] = append(at, i)
			}
		}
		if !e.optional {
			return
		}
	}
}

// fits reports whether words are one of the ways, from the first to the last. None
// fits no words.
func (p *pattern) fits(words []string) bool {
	if len(words) == 0 {
		return false
	}
	fit := func(i int) bool { return p.lines[i].fits(words) }
	return slices.ContainsFunc(p.first[words[0]], fit) || slices.ContainsFunc(p.open, fit)
}

func (l way) fits(words []string) bool {
	if len(l) == 0 {
		return len(words) == 0
	}
	e, rest := l[0], l[1:]
	for n := e.least; e.most > 0 && n <= min(e.most, len(words)); n++ {
		if rest.fits(words[n:]) {
			return true
		}
	}
	for _, form := range e.forms {
		if n := len(form); n <= len(words) && slices.Equal(form, words[:n]) && rest.fits(words[n:]) {
			return true
		}
	}
	return e.optional && rest.fits(words)
}

// vocabulary returns the plain words of patterns.
func vocabulary(lines []string) []string {
	var out []string
	for _, line := range lines {
		out = append(out, strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" |?_…+", r) })...)
	}
	return out
}
