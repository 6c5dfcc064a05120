package audio

import (
	"strings"
	"unicode"
)

// floorWords are the words of a language that tell who has the floor.
type floorWords struct {
	// holding are words after which more is to come: sounds of thinking, and words that
	// cannot end a sentence.
	holding map[string]bool
	// listening are sounds of a listener, who lets the other go on.
	listening map[string]bool
}

var floor = map[string]floorWords{
	"en": {
		holding: set("um uh erm er hmm hm well like and or but because since although though if when while which whose " +
			"the a an my our your his her their its of to for from with without in on at by about than as between into per " +
			"is are was were be been am i'm we're it's i we they he she " +
			"maybe perhaps probably roughly approximately around let's means namely"),
		listening: set("mhm mm mmhm uhhuh uh-huh mm-hmm hmm hm aha ah oh okay ok right yeah yes yep sure"),
	},
	"de": {
		holding: set("äh ähm hm hmm öh also naja tja und oder aber weil denn dass ob wenn als während obwohl sondern sowie damit " +
			"der die das den dem des ein eine einen einem einer eines mein meine meinen unser unsere unseren ihr ihre " +
			"von zum zur für mit ohne in im am bei zwischen gegen bis pro ich wir " +
			"vielleicht wahrscheinlich ungefähr etwa circa nämlich"),
		listening: set("mhm hm hmm mm aha ah oh ach okay ok ja genau gut klar stimmt"),
	},
}

func set(words string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		out[word] = true
	}
	return out
}

// wordsOf returns the table of a BCP 47 tag, English for languages without one.
func wordsOf(language string) floorWords {
	base, _, _ := strings.Cut(strings.ToLower(language), "-")
	if w, ok := floor[base]; ok {
		return w
	}
	return floor["en"]
}

// HoldsFloor reports whether words, in a language, end where more is to come: in a sound of
// thinking, or within a sentence, such as in "and". A sentence that ends in a full stop, or
// in a question or exclamation mark, holds nothing. Words of a yes or no at the end do not
// either.
func HoldsFloor(language, words string) bool {
	words = strings.TrimSpace(words)
	if strings.HasSuffix(words, "...") || strings.HasSuffix(words, "…") {
		return true
	}
	if words == "" || strings.ContainsAny(words[len(words)-1:], ".?!") {
		return false
	}
	fields := plainWords(words)
	return len(fields) > 0 && wordsOf(language).holding[fields[len(fields)-1]]
}

// maxBackchannel is how many words a listener says at most: "okay, yes, right".
const maxBackchannel = 3

// Backchannel reports whether words are all a listener's, who wants the other to go on:
// "mhm", "aha", "yes, okay". Said after a question the same words answer it; the caller
// asks only while something is played.
func Backchannel(language, words string) bool {
	fields := plainWords(words)
	if len(fields) == 0 || len(fields) > maxBackchannel {
		return false
	}
	table := wordsOf(language)
	for _, word := range fields {
		if !table.listening[word] {
			return false
		}
	}
	return true
}

// plainWords returns the words of a text in lower case, without marks around them.
func plainWords(text string) []string {
	text = strings.ReplaceAll(strings.ToLower(text), "’", "'")
	var out []string
	for word := range strings.FieldsSeq(text) {
		if word = strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }); word != "" {
			out = append(out, word)
		}
	}
	return out
}
