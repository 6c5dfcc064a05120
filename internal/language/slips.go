package language

import (
	"maps"
	"slices"
	"strings"
)

// spell notes the words of the set phrases and of what is polite around them, and lets each phrase be
// written without its apostrophes: "thats all".
func (l *Lexicon) spell() {
	for _, phrases := range []map[string]string{l.said, l.begun} {
		for _, phrase := range slices.Sorted(maps.Keys(phrases)) {
			for w := range strings.SplitSeq(phrase, " ") {
				l.spoken[w] = true
			}
			if bare := strings.ReplaceAll(phrase, "'", ""); phrases[bare] == "" {
				phrases[bare] = phrases[phrase]
				for w := range strings.SplitSeq(bare, " ") {
					l.spoken[w] = true
				}
			}
		}
	}
	for word, kinds := range l.words {
		if _, ok := kinds["courtesy"]; ok {
			for w := range strings.SplitSeq(word, "_") {
				l.spoken[w] = true
			}
		}
	}
}

// Knows reports whether a folded word is in the lexicon, or in one of its phrases.
func (l *Lexicon) Knows(word string) bool { return l.words[word] != nil || l.spoken[word] }

// How long a word is at least of which a slip is told, and one in which a wrong key is.
const (
	leastSlipped = 2
	leastMistype = 5
)

// Slips returns the words of set phrases that a folded word is but for one slip of the finger: two
// letters exchanged, one missing, one too many, or the key beside the right one. A word that stands
// alone may well be another word, so that only letters exchanged, doubled or missing inside it count
// there.
func (l *Lexicon) Slips(word string, alone bool) []string {
	if len(word) < leastSlipped || alone && len(word) == leastSlipped || strings.Trim(word, letters) != "" {
		return nil
	}
	var out []string
	try := func(s string) {
		if s != word && l.spoken[s] && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	for i := range len(word) {
		if i+1 < len(word) {
			try(word[:i] + word[i+1:i+2] + word[i:i+1] + word[i+2:])
		}
		doubled := i > 0 && word[i] == word[i-1]
		if doubled || !alone {
			try(word[:i] + word[i+1:])
		}
		for _, c := range letters {
			if i > 0 || !alone {
				try(word[:i] + string(c) + word[i:])
			}
		}
		if !alone && len(word) >= leastMistype {
			for _, c := range beside[word[i]] {
				try(word[:i] + string(c) + word[i+1:])
			}
		}
	}
	if !alone {
		for _, c := range letters {
			try(word + string(c))
		}
	}
	return out
}

const letters = "abcdefghijklmnopqrstuvwxyz"

// beside are the keys beside each, on English and German keyboards.
var beside = map[byte]string{
	'q': "wa", 'w': "qeas", 'e': "wrds", 'r': "etdf", 't': "rzyfg", 'y': "tughxs", 'z': "tughxsa", 'u': "zyihj", 'i': "uojk", 'o': "ipkl", 'p': "ol",
	'a': "qwsyz", 's': "awedxyz", 'd': "serfcx", 'f': "drtgvc", 'g': "ftzyhbv", 'h': "gzyujnb", 'j': "huiknm", 'k': "jiolm", 'l': "kop",
	'x': "yzsdc", 'c': "xdfv", 'v': "cfgb", 'b': "vghn", 'n': "bhjm", 'm': "njk",
}
