package spoken

import (
	"regexp"
	"strconv"
	"strings"

	"quaestor/internal/language"
)

// Corrected returns a value with the part corrected that somebody corrects aloud, in the
// language of a BCP 47 tag: "no, Schmidt with d t", "with a y", "not fifteen, fifty", "it's
// M A I E R". It is false when nothing in held is what is corrected; then what was said is
// to be read as an answer of its own.
func Corrected(tag, held, said string, kind Kind) (string, bool) {
	s := &script{vocabulary: wordsOf(tag), kind: kind, tokens: tokensOf(said)}
	opened := 0
	for k := 1; k > 0; opened += k { // "no, sorry"
		k = s.phrase(opened, s.no)
	}
	s.tokens = s.tokens[opened:]
	if kind == Figure || kind == Date {
		return s.otherFigure(tag, held)
	}
	if corrected, ok := s.respelled(held); ok {
		return corrected, true
	}
	if corrected, ok := s.otherWord(held); ok {
		return corrected, true
	}
	s.rewrite(s.spelling)
	for _, t := range s.tokens {
		if t.spelled {
			return replaced(held, t.word)
		}
	}
	return held, false
}

// respelled reads a hint about the spelling of held: "with d t", "Schmidt with d t".
func (s *script) respelled(held string) (string, bool) {
	for i := range s.tokens {
		k := s.phrase(i, s.with)
		if k == 0 {
			continue
		}
		letters, n := s.hinted(i + k)
		if n == 0 {
			continue
		}
		words := strings.Fields(held)
		for at := len(words) - 1; at >= 0; at-- { // the last name, unless another is meant
			if i > 0 && !similar(s.word(i-1), strings.ToLower(words[at])) && !s.introduces(i-1) {
				continue
			}
			if name, ok := Respelled(words[at], letters); ok {
				words[at] = name
				return strings.Join(words, " "), true
			}
		}
	}
	return held, false
}

// introduces reports whether the words up to token i are an opener, such as "it is".
func (s *script) introduces(i int) bool { return s.phrase(0, s.but) == i+1 }

// otherWord reads "not Schmitt, Schmidt", "Schmidt, not Schmitt" and "nicht Schmitt, sondern
// Schmidt".
func (s *script) otherWord(held string) (string, bool) {
	wrong, right := s.contrast()
	if wrong == "" || right == "" {
		return held, false
	}
	if at := strings.Index(strings.ToLower(held), strings.ToLower(wrong)); at >= 0 && at+len(wrong) <= len(held) && wholeWords(held, at, at+len(wrong)) {
		return held[:at] + right + held[at+len(wrong):], true
	}
	return held, false
}

// wholeWords reports whether held[from:to] begins and ends where words do.
func wholeWords(held string, from, to int) bool {
	return (from == 0 || held[from-1] == ' ') && (to == len(held) || strings.ContainsRune(" ,.;", rune(held[to])))
}

// contrast returns what was misheard and what was said, of words with a "not".
func (s *script) contrast() (wrong, right string) {
	for i := range s.tokens {
		k := s.phrase(i, s.not)
		if k == 0 {
			continue
		}
		if i > 0 { // "Schmidt, not Schmitt"
			from := s.phrase(0, s.but)
			return s.text(i+k, len(s.tokens)), s.text(from, i)
		}
		for end := i + k; end < len(s.tokens); end++ {
			if b := s.phrase(end+1, s.but); b > 0 || s.tokens[end].after != "" {
				return s.text(i+k, end+1), s.text(end+1+b, len(s.tokens))
			}
		}
		if len(s.tokens) == i+k+2 { // "not fifteen fifty", without a mark
			return s.text(i+k, i+k+1), s.text(i+k+1, i+k+2)
		}
	}
	return "", ""
}

// text returns the words of tokens without the marks around them.
func (s *script) text(from, to int) string {
	var words []string
	for _, t := range s.tokens[min(from, to):to] {
		words = append(words, t.word)
	}
	return strings.Join(words, " ")
}

// digitsInText matches a figure in digits.
var digitsInText = regexp.MustCompile(`\d+([.,]\d+)*`)

// otherFigure replaces the figure of held that was misheard: "not fifteen, fifty".
func (s *script) otherFigure(tag, held string) (string, bool) {
	wrong, right := s.contrast()
	reader := language.NewReader(tag)
	was, is := reader.Figures(language.Words(wrong)), reader.Figures(language.Words(right))
	if len(was) != 1 || len(is) != 1 {
		return held, false
	}
	words := language.Words(held)
	for _, f := range reader.Figures(words) {
		if f.Low != was[0].Low || f.High != was[0].High {
			continue
		}
		from, to := words[f.From].From, words[f.To-1].To
		if at := digitsInText.FindStringIndex(held[from:to]); at != nil { // its unit stays
			from, to = from+at[0], from+at[1]
		}
		return held[:from] + strconv.FormatFloat(is[0].Low, 'f', -1, 64) + held[to:], true
	}
	return held, false
}

// replaced puts a spelled name in the place of the word of held that may be it.
func replaced(held, name string) (string, bool) {
	words := strings.Fields(held)
	for i := len(words) - 1; i >= 0; i-- {
		if similar(strings.ToLower(words[i]), strings.ToLower(name)) {
			words[i] = name
			return strings.Join(words, " "), true
		}
	}
	return held, false
}
