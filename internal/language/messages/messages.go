package messages

import (
	"embed"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/text/feature/plural"
	textlanguage "golang.org/x/text/language"

	"quaestor/internal/language"
)

// Default is the language of sessions whose own has no file.
const Default = "en"

//go:embed languages/*.txt
var files embed.FS

// Languages returns the languages that have a file, by their tags. It panics when a file
// is malformed, or when the languages differ in keys or placeholders, for such a program
// must not start.
var Languages = sync.OnceValue(func() map[string]*Language {
	out := make(map[string]*Language)
	for tag, body := range language.DataFiles(files, "languages", "messages") {
		l, err := parse(tag, body)
		if err != nil {
			panic(err)
		}
		out[tag] = l
	}
	if err := agree(out); err != nil {
		panic(err)
	}
	return out
})

// In returns the language of a BCP 47 tag: its own file, that of its base ("de" for
// "de-AT"), or else [Default].
func In(tag string) *Language {
	all := Languages()
	if l := all[Base(tag)]; l != nil {
		return l
	}
	return all[Default]
}

// Base returns the tag of the file for a BCP 47 tag, whether or not it exists: the tag
// itself when it has a file, or its primary language in lower case.
func Base(tag string) string {
	if Languages()[tag] != nil {
		return tag
	}
	base, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(tag), "_", "-"), "-")
	return base
}

// A Language is the messages of one language and how it writes figures, dates and lists.
// It does not change and may be used concurrently.
type Language struct {
	tag      string
	plural   textlanguage.Tag
	messages map[string]message
	settings
}

// message is the wordings of one key, by plural form. Those of a message that counts
// nothing are under "other".
type message map[string][]wording

// wording is one sentence, as it is spoken and as it is said formally.
type wording struct{ plain, formal pattern }

// Tag returns the BCP 47 tag of l.
func (l *Language) Tag() string { return l.tag }

// Args are the values of the placeholders of a message, by name.
type Args map[string]Value

// Manner is how a message is worded.
type Manner struct {
	Turn   int  // which of several wordings is taken, by turns
	Formal bool // without contractions, where the language has them
}

// Text returns the first wording of the message key. It returns key itself for one that
// does not exist, which the test of the package excludes.
func (l *Language) Text(key string, args Args) string { return l.Word(key, args, Manner{}) }

// Word returns the message key in one of its wordings. Placeholders that args leave out
// stay as they are written.
func (l *Language) Word(key string, args Args, how Manner) string {
	list := l.messages[key].of(l, args["n"])
	if len(list) == 0 {
		return key
	}
	w := list[how.Turn%len(list)]
	return w.in(how).fill(l, args)
}

// Wordings returns the message key in each of its wordings, in their order; nil for a key that
// does not exist.
func (l *Language) Wordings(key string, args Args, how Manner) []Wording {
	var out []Wording
	for _, w := range l.messages[key].of(l, args["n"]) {
		p := w.in(how)
		out = append(out, Wording{Text: p.fill(l, args), Fixed: p.fixed()})
	}
	return out
}

// A Wording is one way to say a message.
type Wording struct {
	Text  string
	Fixed []string // what of it is the same whatever the values are, in order
}

// SaidIn reports whether text says the message in this wording, with whatever values. One that
// consists of values alone is in no text.
func (w Wording) SaidIn(text string) bool {
	for _, part := range w.Fixed {
		_, rest, ok := strings.Cut(text, part)
		if !ok {
			return false
		}
		text = rest
	}
	return len(w.Fixed) > 0
}

func (w wording) in(how Manner) pattern {
	if how.Formal {
		return w.formal
	}
	return w.plain
}

// of returns the wordings for a value of {n}, nil for none.
func (m message) of(l *Language, n Value) []wording {
	counted, ok := n.(interface{ count() float64 })
	if !ok {
		return m[other]
	}
	for _, form := range []string{strconv.FormatFloat(counted.count(), 'f', -1, 64), l.form(counted.count())} {
		if list := m[form]; list != nil {
			return list
		}
	}
	return m[other]
}

// other is the plural form that every language has.
const other = "other"

// categories are the names of the plural forms of CLDR.
var categories = map[plural.Form]string{plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many", plural.Other: other}

// form returns the plural form of n, which also depends on its decimals.
func (l *Language) form(n float64) string {
	const ample = 10_000_000 // digits above do not matter to any rule
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(math.Abs(n), 'f', -1, 64), ".")
	i, f := 0, 0
	for _, d := range whole {
		i = (i*10 + int(d-'0')) % ample
	}
	for _, d := range fraction {
		f = (f*10 + int(d-'0')) % ample
	}
	return categories[plural.Cardinal.MatchPlural(l.plural, i, len(fraction), len(fraction), f, f)]
}

// agree returns an error that names every key, and every placeholder of one, that some
// languages have and others lack. Units are left out: each language has those it needs.
func agree(all map[string]*Language) error {
	var faults []error
	model := all[Default]
	if model == nil {
		return fmt.Errorf("messages: there is no file for %s", Default)
	}
	for _, tag := range slices.Sorted(maps.Keys(all)) {
		l := all[tag]
		for _, key := range slices.Sorted(maps.Keys(model.messages)) {
			if strings.HasPrefix(key, unitPrefix) {
				continue
			}
			if l.messages[key] == nil {
				faults = append(faults, fmt.Errorf("messages %s: %s is missing", tag, key))
				continue
			}
			if ours, theirs := l.messages[key].placeholders(), model.messages[key].placeholders(); !slices.Equal(ours, theirs) {
				faults = append(faults, fmt.Errorf("messages %s: %s has the placeholders %v, and %v in %s", tag, key, ours, theirs, Default))
			}
		}
		for _, key := range slices.Sorted(maps.Keys(l.messages)) {
			if model.messages[key] == nil && !strings.HasPrefix(key, unitPrefix) {
				faults = append(faults, fmt.Errorf("messages %s: %s is not in %s", tag, key, Default))
			}
		}
	}
	return errors.Join(faults...)
}

// placeholders returns the names of the placeholders of all wordings, each once, sorted.
func (m message) placeholders() []string {
	names := map[string]bool{}
	for _, list := range m {
		for _, w := range list {
			for _, p := range w.plain {
				if p.name != "" {
					names[p.name] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}
