package catalog

// Tokens estimates how many tokens a text of names and figures has for a model. It
// counts what vocabularies of byte pairs mostly keep together: a word of up to
// seven letters with the space before it, three digits, and each mark that stands
// by itself.
func Tokens[T ~string | ~[]byte](s T) int {
	n := 0
	for i := 0; i < len(s); {
		switch class := classOf(s[i]); class {
		case blank:
			i++ // belongs to what follows
		case letter:
			from := i
			for i < len(s) && classOf(s[i]) == letter {
				i++
			}
			n += 1 + (i-from-1)/lettersOfToken
		case digit:
			from := i
			for i < len(s) && classOf(s[i]) == digit {
				i++
			}
			n += 1 + (i-from-1)/3
		default:
			i, n = i+1, n+1
		}
	}
	return n
}

// lettersOfToken is how many letters of a word one token has at most, where words
// are the abbreviated ones of tables.
const lettersOfToken = 5

type charClass uint8

const (
	mark charClass = iota
	letter
	digit
	blank
)

var classes = func() (out [256]charClass) {
	for c := range 26 {
		out['a'+c], out['A'+c] = letter, letter
	}
	for c := range 10 {
		out['0'+c] = digit
	}
	out[' '], out['\n'] = blank, blank
	return out
}()

func classOf(c byte) charClass { return classes[c] }
