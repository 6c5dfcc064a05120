package tokens

// wordEnd returns the end of the word that begins at from. Words are cut where the vocabulary
// always cuts, whatever surrounds them, so that their counts add up: a letter is not followed in
// the same token by a non-letter other than an apostrophe, and a digit is not next to a
// non-digit. There is no cut next to a character beyond ASCII, nor between spaces and digits,
// whose tokens depend on what follows.
func wordEnd(s string, from int) int {
	for i := from + 1; i < len(s); i++ {
		a, b := kinds[s[i-1]], kinds[s[i]]
		switch {
		case a == other || b == other || a == b:
		case a == letter && b != apostrophe, a == digit, b == digit && a != space:
			return i
		}
	}
	return len(s)
}

// kind is the kind of a byte.
type kind uint8

const (
	mark kind = iota
	letter
	digit
	space
	apostrophe
	other // part of a character beyond ASCII
)

// kinds maps bytes to their kinds.
var kinds = func() (out [256]kind) {
	for c := range 26 {
		out['a'+c], out['A'+c] = letter, letter
	}
	for c := range 10 {
		out['0'+c] = digit
	}
	for c := range 128 {
		out[128+c] = other
	}
	for _, c := range " \t\n\v\f\r" {
		out[c] = space
	}
	out['\''] = apostrophe
	return out
}()

// figure reports whether c is a digit.
func figure(c byte) bool { return kinds[c] == digit }

// figures returns the tokens of a word that begins with a digit: one for every three digits, all
// combinations of which are in the vocabulary.
func figures(word string) int {
	for i := range len(word) {
		if !figure(word[i]) { // characters beyond ASCII are not cut off
			return whole(word)
		}
	}
	return (len(word) + 2) / 3
}
