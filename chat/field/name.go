package field

import (
	"maps"
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// Names are the ways to name t, in folded words without their article, see [NameWords]: its name, its
// key and its cues, in that order.
func Names(t *obligations.Template) [][]string {
	var out [][]string
	for _, text := range append([]string{t.Name(), strings.ReplaceAll(t.Key, "_", " ")}, t.Cues...) {
		if words := NameWords(text); len(words) > 0 {
			out = append(out, words)
		}
	}
	return out
}

// NameWords returns the folded words of a name that are said, without an article or "our" in front.
func NameWords(name string) []string {
	words := strings.Fields(language.PlainWords(name))
	if len(words) > 1 && language.IsWord("owner", words[0]) {
		words = words[1:]
	}
	return words
}

// OfItsOwn reports whether all stems are of the words of t: its name, question, key and cues.
func OfItsOwn(t *obligations.Template, stems map[string]bool) bool {
	return within(stems, listening.Stems(strings.Join(append([]string{t.Name(), t.Prompt, strings.ReplaceAll(t.Key, "_", " ")}, t.Cues...), " ")))
}

// NamedBy returns how much of some words ([Stems]) is of t: how many of them its name and cues have, and
// its question for half, as a share of them all; and half more where they are one of its names as a
// whole, so that "my customers" are whom one sells to rather than what they need. It is at
// most 1.75, and not defined for no words.
func NamedBy(t *obligations.Template, words map[string]bool) float64 {
	score, whole := 0.0, 0.0
	names := map[string]bool{}
	for _, name := range namesOf(t) {
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
	question := Stems(t.Prompt)
	for w := range words {
		switch {
		case names[w]:
			score++
		case question[w]:
			score += 0.5
		}
	}
	if maps.Equal(Stems(t.Name()), words) {
		whole += exactName
	}
	return score/float64(len(words)) + whole/2
}

// NearlyNamedBy reports whether a word or two are or have a whole name or cue of t: "must-haves".
func NearlyNamedBy(t *obligations.Template, words map[string]bool) bool {
	return len(words) <= 2 && slices.ContainsFunc(namesOf(t), func(name string) bool {
		stems := Stems(name)
		return len(stems) > 0 && within(stems, words)
	})
}

// CuedBy returns how much of t is named among stems ([listening.Stems]): 1 for each cue that stands
// there whole, and for each word of its name that is nobody else's. shared counts of how many
// obligations each stem is a name.
func CuedBy(t *obligations.Template, stems map[string]bool, shared map[string]int) float64 {
	score := 0.0
	for _, cue := range t.Cues {
		words := listening.Stems(cue)
		if len(words) > 0 && within(words, stems) {
			score++
		}
	}
	for st := range listening.Stems(t.Name()) {
		if stems[st] && shared[st] == 1 && !language.IsWord("period", st) {
			score++
		}
	}
	return score
}

// within reports whether all of some stems are among others.
func within(stems, others map[string]bool) bool {
	for st := range stems {
		if !others[st] {
			return false
		}
	}
	return true
}

// namesOf returns what t is called: its name, the end of its key, and its cues.
func namesOf(t *obligations.Template) []string {
	return append([]string{t.Name(), t.Key[strings.LastIndexByte(t.Key, '_')+1:]}, t.Cues...)
}

// exactName is what words have more that are the name of a field, which people are shown, and no cue
// of it.
const exactName = 0.5

// Stems returns the stems of the words of a text that may name something, cut to five letters.
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
