package claims

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"quaestor/internal/language"
)

// class says what a token is.
type class byte

const (
	word   class = iota // letters, perhaps with digits: "market", "b2b"
	number              // digits with their separators: "12,000.5"
	sign                // one rune that is neither
)

// token is the smallest piece of a text that means something. Marks of Markdown
// and the targets of links are no tokens.
type token struct {
	class    class
	upper    bool   // starts with a capital
	from, to int    // bytes
	text     string // lower case, with plain apostrophes
	stem     string // of a word
}

// cut parts s into tokens.
func cut(s string) []token {
	out := make([]token, 0, len(s)/5+1)
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		switch {
		case unicode.IsSpace(r):
			i += size
		case unicode.IsDigit(r):
			out = append(out, digits(s, i))
			i = out[len(out)-1].to
		case unicode.IsLetter(r):
			out = append(out, letters(s, i))
			i = out[len(out)-1].to
		case r == ']' && strings.HasPrefix(s[i:], "]("):
			i += linkEnd(s[i:])
		case strings.ContainsRune("[]*_`\\", r):
			i += size
		default:
			out = append(out, token{class: sign, from: i, to: i + size, text: plainSign(r, s[i:i+size])})
			i += size
		}
	}
	return out
}

// linkEnd returns the length of "](target)" at the start of s, or 1.
func linkEnd(s string) int {
	if end := strings.IndexAny(s, ")\n"); end > 0 && s[end] == ')' {
		return end + 1
	}
	return 1
}

func plainSign(r rune, s string) string {
	switch r {
	case '–', '—', '‑', '−', '‐':
		return "-"
	case '≈', '∼', '～':
		return "~"
	case '％':
		return "%"
	}
	return s
}

// digits reads a number at i, or a name that begins with one: "5G", "1990s".
func digits(s string, i int) token {
	end := digitsEnd(s, i)
	suffix := end
	for suffix < len(s) {
		r, size := utf8.DecodeRuneInString(s[suffix:])
		if !wordRune(r) {
			break
		}
		suffix += size
	}
	t := token{class: number, from: i, to: end, text: fold(s[i:end])}
	if suffix > end && !glued[s[end:suffix]] {
		t.class, t.to, t.text = word, suffix, fold(s[i:suffix])
		t.stem = t.text
	}
	return t
}

// glued are what may follow digits at once without making them a name.
var glued = set(`k K m M mn mio mln bn Bn BN b B tn trn mrd Mrd st nd rd th pp bps x
	km cm mm kg g t l ml lb lbs oz mi ft kW kWh MWh GWh TWh MW GW W V A Hz kHz MHz GHz kB KB MB GB TB PB Mbps Gbps ms s sec min mins h hr hrs d w wk mo yr yrs y
	million billion thousand trillion months month years year days day weeks week hours hour minutes users people employees
	EUR USD GBP CHF usd eur gbp chf m2 m² km2 km²`)

// digitsEnd returns where the number at i ends: digits, single separators that a
// digit follows, and groups of three after a space ("12 000").
func digitsEnd(s string, i int) int {
	start := i
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		if unicode.IsDigit(r) {
			i += size
			continue
		}
		next, _ := utf8.DecodeRuneInString(s[i+size:])
		if !strings.ContainsRune(".,'’", r) || !unicode.IsDigit(next) {
			break
		}
		i += size
	}
	for head := i - start; head <= 3 && s[start] != '0' && groupAt(s, i) > 0; {
		i = groupAt(s, i)
	}
	return i
}

// groupAt returns the end of a space and exactly three digits at i, or 0.
func groupAt(s string, i int) int {
	r, size := utf8.DecodeRuneInString(s[i:])
	if r != ' ' && r != '\u00a0' && r != '\u202f' && r != '\u2009' {
		return 0
	}
	j := i + size
	for j < len(s) && s[j] >= '0' && s[j] <= '9' {
		j++
	}
	next, _ := utf8.DecodeRuneInString(s[j:])
	if j-i-size != 3 || wordRune(next) || (strings.ContainsRune(".,'", next) && j+1 < len(s) && s[j+1] >= '0' && s[j+1] <= '9') {
		return 0
	}
	return j
}

// letters reads a word at i. A code of a currency is parted from the digits that
// follow it, an address is one word.
func letters(s string, i int) token {
	if len(s)-i > 8 && (strings.HasPrefix(s[i:], "http://") || strings.HasPrefix(s[i:], "https://")) {
		return address(s, i)
	}
	end, plain := lettersEnd(s, i)
	first, _ := utf8.DecodeRuneInString(s[i:])
	t := token{class: word, from: i, to: end, upper: unicode.IsUpper(first)}
	if plain {
		t.text = strings.ToLower(s[i:end])
	} else {
		t.text = fold(s[i:end])
	}
	t.stem = language.Stem(t.text)
	return t
}

func address(s string, i int) token {
	end := strings.IndexFunc(s[i:], func(r rune) bool { return unicode.IsSpace(r) || r == ')' || r == ']' || r == '>' })
	if end < 0 {
		end = len(s) - i
	}
	text := strings.ToLower(strings.TrimRight(s[i:i+end], ".,;:!?"))
	return token{class: word, from: i, to: i + len(strings.TrimRight(s[i:i+end], ".,;:!?")), text: text, stem: text}
}

// lettersEnd returns where the word at i ends and whether it is ASCII.
func lettersEnd(s string, i int) (end int, plain bool) {
	start := i
	plain = true
	for i < len(s) {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
			plain = false
		}
		switch {
		case r >= '0' && r <= '9' && currencyCodes[s[start:i]] != "":
			return i, plain
		case wordRune(r):
		case r == '\'' || r == '’' || r == '&':
			next, _ := utf8.DecodeRuneInString(s[i+size:])
			if !unicode.IsLetter(next) {
				return i, plain
			}
		case r == '+' && strings.HasPrefix(s[i:], "++") && i-start == 1:
			return i + 2, plain
		case r == '#' && i-start == 1:
			return i + 1, plain
		default:
			return i, plain
		}
		i += size
	}
	return i, plain
}

func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// fold brings the ways to write a word together: case, width, apostrophes.
func fold(s string) string {
	return strings.ReplaceAll(strings.ToLower(norm.NFKC.String(s)), "’", "'")
}

// hasDigit reports whether some digit is in s.
func hasDigit(s string) bool { return strings.IndexFunc(s, unicode.IsNumber) >= 0 }

// set returns the words of s as a set.
func set(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(s) {
		out[w] = true
	}
	return out
}

// table reads lines of "name: word word" as a map from word to name.
func table(s string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(s) {
		name, words, _ := strings.Cut(strings.TrimSpace(line), ":")
		for _, w := range strings.Fields(words) {
			out[w] = name
		}
	}
	return out
}
