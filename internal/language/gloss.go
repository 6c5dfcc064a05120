package language

import (
	"embed"
	"strings"
	"sync"
)

// The files of gloss/ say what words of a language mean in English, a word, a tab and one
// to three English words a line. They are for a text encoder that knows only English.
//
//go:embed gloss/*.txt
var glossFiles embed.FS

// glossary is what folded words of a language mean.
type glossary map[string]string

var glossaries = sync.OnceValue(func() map[string]glossary {
	out := map[string]glossary{}
	for tag, body := range DataFiles(glossFiles, "gloss", "gloss") {
		out[tag] = readGlossary(body)
	}
	return out
})

func readGlossary(body string) glossary {
	g := glossary{}
	for line := range strings.Lines(body) {
		if word, means, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && g[Fold(word)] == "" {
			g[Fold(word)] = means
		}
	}
	return g
}

// endings are what inflection adds to a word of German, the longer ones first; and what the
// form in the glossary may end with instead.
var (
	endings = [...]string{"sten", "ern", "est", "ten", "tet", "en", "er", "es", "em", "te", "st", "e", "n", "s", "t"}
	instead = [...]string{"", "e", "en", "n"}
)

// plain returns what a word means that is no compound: itself, or the form it is inflected
// from.
func (g glossary) plain(word string) (string, bool) {
	if means, ok := g[word]; ok {
		return means, true
	}
	for _, end := range endings {
		stem, ok := strings.CutSuffix(word, end)
		if !ok || len(stem) < leastStem {
			continue
		}
		for _, other := range instead {
			if means, ok := g[stem+other]; ok {
				return means, true
			}
		}
	}
	return "", false
}

// How many bytes a stem has at least, and a part of a compound.
const (
	leastStem = 3
	leastPart = 4
)

// Glossed reports whether there is a glossary of a language.
func Glossed(tag string) bool { return glossaries()[tag] != nil }

// Gloss returns what a folded word of a language means in English; of a compound, what its
// parts do. It returns false where that is not known.
func Gloss(tag, word string) (string, bool) {
	g := glossaries()[tag]
	if g == nil {
		return "", false
	}
	return g.of(word, maxParts)
}

// maxParts is how many parts of a compound are looked for.
const maxParts = 3

// of returns what a word of so many parts at most means.
func (g glossary) of(word string, parts int) (string, bool) {
	if means, ok := g.plain(word); ok {
		return means, true
	}
	if parts <= 1 {
		return "", false
	}
	for cut := leastPart; cut <= len(word)-leastPart; cut++ { // the longest last part
		last, ok := g.plain(word[cut:])
		if !ok {
			continue
		}
		for _, joint := range [...]string{"", "s", "es", "n", "en"} {
			if first, ok := strings.CutSuffix(word[:cut], joint); ok {
				if means, ok := g.of(first, parts-1); ok {
					return means + " " + last, true
				}
			}
		}
		return last, true
	}
	return "", false
}
