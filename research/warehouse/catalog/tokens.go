package catalog

// Tokens estimates how many tokens a text of names and figures has. It counts what byte-pair
// vocabularies usually keep together: a word of up to eight lower-case letters with the mark or
// space before it, two or three capitals, three digits, a character beyond ASCII, and each mark
// by itself. A word with few vowels is an abbreviation, which vocabularies do not contain. For
// exact counts see package tokens.
func Tokens[T ~string | ~[]byte](s T) int {
	n := 0
	for i := 0; i < len(s); {
		from := i
		class := classes[s[i]]
		for i++; i < len(s) && classes[s[i]] == class; i++ {
			if class == mark || class == lead {
				break
			}
		}
		switch length := i - from; class {
		case blank, rest: // part of the token before or after
		case capital:
			if length == 1 && i < len(s) && classes[s[i]] == letter {
				continue // the first letter of a word
			}
			n += 1 + (length-1)/2
			if length > 2 && i < len(s) && classes[s[i]] == letter {
				n++ // the last capital begins another word
			}
		case letter:
			n += lettersOf(s[from:i])
		case digit:
			n += 1 + (length-1)/3
		case mark:
			if s[from] != '_' || i == len(s) || classes[s[i]] != letter {
				n++
			}
		case lead:
			n++
		}
	}
	return n
}

// lettersOf returns the tokens of a run of lower-case letters.
func lettersOf[T ~string | ~[]byte](s T) int {
	vowels := 0
	for i := range len(s) {
		switch s[i] {
		case 'a', 'e', 'i', 'o', 'u', 'y':
			vowels++
		}
	}
	few := 0
	if len(s) > 3 && vowels*3 <= len(s) {
		few = 1
	}
	switch {
	case vowels*4 <= len(s):
		return 1 + (len(s)-1)/2
	case len(s) <= 8:
		return 1 + few
	default:
		return 2 + few + (len(s)-8)/4
	}
}

// charClass is the class of a byte.
type charClass uint8

const (
	mark charClass = iota
	letter
	capital
	digit
	blank
	lead // the first byte of a character beyond ASCII
	rest // the others
)

// classes maps bytes to their classes.
var classes = func() (out [256]charClass) {
	for c := range 26 {
		out['a'+c], out['A'+c] = letter, capital
	}
	for c := range 10 {
		out['0'+c] = digit
	}
	for c := 0x80; c < 0x100; c++ {
		out[c] = lead
		if c < 0xC0 {
			out[c] = rest
		}
	}
	out[' '], out['\n'] = blank, blank
	return out
}()
