package spoken

import "quaestor/internal/language"

// fewWords is how many words a plain yes or no has at most: "no thank you, please do not".
const fewWords = 7

// YesOrNo reports whether a text is a plain yes or a plain no, in any of the languages we know.
// clear is false for what is neither, both, or says more.
func YesOrNo(text string) (yes, clear bool) {
	words := folded(text)
	no := false
	for _, w := range words {
		yes = yes || language.IsWord("yes", w)
		no = no || language.IsWord("no", w)
	}
	return yes && !no, yes != no && len(words) <= fewWords
}
