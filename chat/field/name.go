package field

import (
	"maps"
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// Names are the ways to name t, in folded words: its name first, without its article.
func Names(t *obligations.Template) [][]string {
	var out [][]string
	for _, text := range append([]string{t.Name(), strings.ReplaceAll(t.Key, "_", " ")}, t.Cues...) {
		words := strings.Fields(language.PlainWords(text))
		if len(words) > 1 && language.IsWord("owner", words[0]) {
			words = words[1:]
		}
		if len(words) > 0 {
			out = append(out, words)
		}
	}
	return out
}

// OfItsOwn reports whether all stems are of the words of t: its name, question, key and cues.
func OfItsOwn(t *obligations.Template, stems map[string]bool) bool {
	own := listening.Stems(strings.Join(append([]string{t.Name(), t.Prompt, strings.ReplaceAll(t.Key, "_", " ")}, t.Cues...), " "))
	for st := range stems {
		if !own[st] {
			return false
		}
	}
	return true
}

// NamedBy returns how many of some words the name and cues of o have, and its question for half, as
// a share of them all; and half more where they are one of its names as a whole, so that
// "my customers" are whom one sells to rather than what they need.
func NamedBy(o *obligations.Obligation, words map[string]bool) float64 {
	score, whole := 0.0, 0.0
	names := map[string]bool{}
	for _, name := range namesOf(o) {
		stems := Stems(name)
		shared := 0
		for st := range stems {
			names[st] = true
			if words[st] {
				shared++
			}
		}
		if len(stems) > 0 {
			whole = max(whole, float64(shared)/float64(len(stems)))
		}
	}
	question := Stems(o.Prompt)
	for w := range words {
		switch {
		case names[w]:
			score++
		case question[w]:
			score += 0.5
		}
	}
	if maps.Equal(Stems(o.Name()), words) {
		whole += exactName
	}
	return score/float64(len(words)) + whole/2
}

// NearlyNamedBy reports whether a word or two are or have a whole name or cue of o: "must-haves".
func NearlyNamedBy(o *obligations.Obligation, words map[string]bool) bool {
	return len(words) <= 2 && slices.ContainsFunc(namesOf(o), func(name string) bool {
		stems := Stems(name)
		for st := range stems {
			if !words[st] {
				return false
			}
		}
		return len(stems) > 0
	})
}

// namesOf returns what o is called: its name, the end of its key, and its cues.
func namesOf(o *obligations.Obligation) []string {
	return append([]string{o.Name(), o.Key[strings.LastIndexByte(o.Key, '_')+1:]}, o.Cues...)
}

// exactName is what words have more that are the name of a field, which people are shown, and no cue
// of it.
const exactName = 0.5

// Stems returns the stems of the words of a text that may name something.
func Stems(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range language.Words(text) {
		f := language.Fold(w.Text)
		if len(f) > 2 && !language.IsWord("loose", f) && !language.IsWord("topicless", f) && !language.IsWord("boundary", f) && !language.IsWord("hollow", f) {
			out[language.Head(language.Stem(f), 5)] = true
		}
	}
	return out
}
