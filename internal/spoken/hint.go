package spoken

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// alike are spellings of sounds that are alike in English or German names. A hint, such as
// "with d t", replaces the spelling of a name that is alike.
var alike = classes("d t dt tt th dd", "f ff v ph w", "k ck c kk q ch g", "s ss ß z tz ts zz c", "i ie y ih ii ee", "e ee eh ä ae ea", "a aa ah", "o oo oh", "u uh ou oo",
	"ai ei ay ey", "eu oi oy äu", "m mm", "n nn", "l ll", "r rr rh", "p pp b", "x ks chs cks gs", "ö oe", "ü ue y", "j g y")

// diphthongs are the second letters of "ei" and "ey", by the other one.
var diphthongs = map[string]string{"i": "y", "y": "i"}

func classes(lines ...string) [][]string {
	out := make([][]string, len(lines))
	for i, line := range lines {
		out[i] = strings.Fields(line)
	}
	return out
}

// Respelled returns name with the letters of a hint in the place where they sound like what
// stands there: "Schmitt" with "dt" is "Schmidt", "Meier" with "y" is "Meyer". The last such
// place counts, and the longest spelling there. It is false when there is none, or when the
// name is so spelled already.
func Respelled(name, letters string) (string, bool) {
	letters = strings.ToLower(letters)
	lower := strings.ToLower(name)
	if len(lower) != len(name) {
		return name, false // a letter whose small form is longer; none of our languages has one
	}
	if other, ok := diphthongs[letters]; ok {
		for _, vowel := range "ea" {
			if at := strings.LastIndex(lower, string(vowel)+other); at >= 0 {
				return name[:at+1] + letters + name[at+2:], true
			}
		}
	}
	from, to := -1, -1
	for _, class := range alike {
		if !contains(class, letters) {
			continue
		}
		for _, spelling := range class {
			at := strings.LastIndex(lower, spelling)
			end := at + len(spelling)
			if at >= 0 && spelling != letters && (end > to || end == to && at < from) {
				from, to = at, end
			}
		}
	}
	if from < 0 || overlaps(lower, letters, from, to) {
		return name, false
	}
	if r, _ := utf8.DecodeRuneInString(name[from:]); unicode.IsUpper(r) {
		first, size := utf8.DecodeRuneInString(letters)
		letters = string(unicode.ToUpper(first)) + letters[size:]
	}
	return name[:from] + letters + name[to:], true
}

func contains(list []string, s string) bool {
	for _, item := range list {
		if item == s {
			return true
		}
	}
	return false
}

// overlaps reports whether a name has the letters already where they would be put.
func overlaps(name, letters string, from, to int) bool {
	at := strings.LastIndex(name, letters)
	return at >= 0 && at < to && from < at+len(letters)
}

// hints applies what is said of the spelling of the word before: "Schmitt with d t", "Philip
// mit zwei l". Letters are said alone, so "with a team" is no hint.
func (s *script) hints() {
	for i := 1; i < len(s.tokens); i++ {
		k := s.phrase(i, s.with)
		if k == 0 {
			continue
		}
		letters, n := s.hinted(i + k)
		if n == 0 {
			continue
		}
		name, ok := Respelled(s.tokens[i-1].word, letters)
		if !ok && !strings.Contains(s.tokens[i-1].lower(), letters) {
			continue
		}
		s.tokens[i-1].word, s.tokens[i-1].after = name, s.tokens[i+k+n-1].after
		s.tokens = append(s.tokens[:i:i], s.tokens[i+k+n:]...)
	}
}

// hinted reads all letters from token i up to the end of a clause. A single "a" or "i" needs
// one, for it is a word.
func (s *script) hinted(i int) (string, int) {
	var b strings.Builder
	n := 0
	for i+n < len(s.tokens) {
		text, k, _ := s.letter(i + n)
		if k == 0 {
			break
		}
		b.WriteString(text)
		n += k
		if s.tokens[i+n-1].after != "" {
			break
		}
	}
	whole := i+n == len(s.tokens) || n > 0 && s.tokens[i+n-1].after != ""
	if !whole && utf8.RuneCountInString(b.String()) < 2 {
		return "", 0
	}
	return strings.ToLower(b.String()), n
}

// merge leaves out a name before its spelling, which counts: "Smith, S M Y T H".
func (s *script) merge() {
	for i := 1; i < len(s.tokens); i++ {
		if !s.tokens[i].spelled || s.tokens[i-1].spelled || !similar(s.tokens[i-1].lower(), s.tokens[i].lower()) {
			continue
		}
		s.tokens[i].before = s.tokens[i-1].before + s.tokens[i].before
		s.tokens = append(s.tokens[:i-1:i-1], s.tokens[i:]...)
		i--
	}
}

// similar reports whether two names may be the same one: at most half of the letters of the
// longer differ, and not the first.
func similar(a, b string) bool {
	x, y := []rune(a), []rune(b)
	return len(x) > 1 && len(y) > 1 && x[0] == y[0] && 2*distance(x, y) <= max(len(x), len(y))
}

// distance is the number of letters that must be put in, left out or changed (Levenshtein).
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, q := range b {
			cost := diagonal
			if r != q {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
