package claims

import "strings"

// CleanQuery returns a search that was made elsewhere, such as by a model, as it
// may go out: in one line, without what is private in it, at most 380 bytes, cut at
// a word. Empty when nothing is left.
func CleanQuery(s string) string {
	words := strings.Fields(public(s))
	n := 0
	for i, w := range words {
		if n += len(w) + 1; n > maxQueryBytes+1 {
			return strings.Join(words[:i], " ")
		}
	}
	return strings.Join(words, " ")
}
