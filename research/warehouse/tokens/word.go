package tokens

// wordEnd returns where the word ends that begins at from. Between two words the
// vocabulary always cuts, whatever stands around them, so that counts of words add
// up: no token goes on behind a letter with what is none, an apostrophe apart, nor
// behind or before a digit with what is none. What is not ASCII is never cut at,
// nor are spaces before digits, whose tokens depend on what follows.
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

// kind is what a byte is.
type kind uint8

const (
	mark kind = iota
	letter
	digit
	space
	apostrophe
	other // a part of a character that is not ASCII
)

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

// figures returns the tokens of a word that begins with a digit: one for three
// digits, of which the vocabulary has all.
func figures(word string) int {
	for i := range len(word) {
		if !figure(word[i]) { // what is not ASCII is never cut off
			return whole(word)
		}
	}
	return (len(word) + 2) / 3
}
