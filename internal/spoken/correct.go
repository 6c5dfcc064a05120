package spoken

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"quaestor/internal/language"
)

// Corrected returns a value with the part corrected that somebody corrects aloud, in the
// language of a BCP 47 tag: "no, Schmidt with d t", "with a y", "not fifteen, fifty", "it's
// M A I E R", "not April, May". A date is held as "2027-03-31". It is false when nothing in
// held is what is corrected; then what was said is to be read as an answer of its own.
func Corrected(tag, held, said string, kind Kind) (string, bool) {
	s := &script{vocabulary: wordsOf(tag), kind: kind, tokens: tokensOf(said)}
	opened := 0
	for k := 1; k > 0; opened += k { // "no, sorry"
		k = s.phrase(opened, s.no)
	}
	s.tokens = s.tokens[opened:]
	switch kind {
	case Figure:
		return s.otherFigure(tag, held)
	case Date:
		return s.otherDate(tag, held)
	case Phone, Identifier:
		return s.otherDigits(held)
	case Prose, Name, Email, Address, Choice:
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
	before, _ := utf8.DecodeLastRuneInString(held[:from])
	after, _ := utf8.DecodeRuneInString(held[to:])
	return (from == 0 || !isLetter(before)) && (to == len(held) || !isLetter(after))
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

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
	if wrong == "" {
		return s.onlyFigure(reader, held)
	}
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

// onlyFigure reads a figure that is all there is: "no, fifty", "it's two thousand nineteen". Held
// must be a figure alone, too, or one with its unit.
func (s *script) onlyFigure(reader *language.Reader, held string) (string, bool) {
	words := language.Words(s.text(s.phrase(0, s.but), len(s.tokens)))
	is := reader.Figures(words)
	at := digitsInText.FindAllStringIndex(held, -1)
	if len(is) != 1 || is[0].From != 0 || is[0].To != len(words) || is[0].Low != is[0].High || len(at) != 1 {
		return held, false
	}
	corrected := held[:at[0][0]] + strconv.FormatFloat(is[0].Low, 'f', -1, 64) + held[at[0][1]:]
	return corrected, corrected != held
}

// otherDate changes the day, the month or the year of a date: "not the thirty-first, the
// thirtieth", "in May", "no, 2028". What is not said stays.
func (s *script) otherDate(tag, held string) (string, bool) {
	day, err := time.Parse(time.DateOnly, held)
	if err != nil {
		return held, false
	}
	_, right := s.contrast()
	if right == "" {
		right = s.text(s.phrase(0, s.but), len(s.tokens))
	}
	reader, words := language.NewReader(tag), language.Words(right)
	first := day.AddDate(0, 0, 1-day.Day())
	dates := reader.Dates(words, first.AddDate(0, 0, -1), language.Ahead)
	if n := s.phrase(0, s.not); n > 0 && len(dates) == 2 { // "not the thirty-first the thirtieth", without a mark
		dates = dates[1:]
	}
	if len(dates) != 1 {
		return held, false
	}
	is := dates[0].ISO
	if len(is) > len("2027") && !strings.Contains(right, is[:4]) && !saysYear(reader, words) { // the year was made up
		is = held[:4] + is[4:]
	}
	is += held[min(len(is), len(held)):]
	if _, err := time.Parse(time.DateOnly, is); err != nil || is == held {
		return held, false
	}
	return is, true
}

// saysYear reports whether a year is named among words.
func saysYear(reader *language.Reader, words []language.Word) bool {
	for _, f := range reader.Figures(words) {
		if f.Low >= 1000 {
			return true
		}
	}
	return false
}

// otherDigits replaces digits of a number that were misheard: "not five five, five nine". They
// must stand in one place of it only.
func (s *script) otherDigits(held string) (string, bool) {
	wrong, right := s.contrast()
	was, is := s.digitsIn(wrong), s.digitsIn(right)
	if k := s.phrase(0, s.not); k > 0 && was == "" && is == "" {
		was, is = split(s.digitsIn(s.text(k, len(s.tokens))), held)
	}
	if was == "" || is == "" || strings.Count(held, was) != 1 {
		return held, false
	}
	return strings.Replace(held, was, is, 1), true
}

// split parts digits that were said without a break, "not five five five nine", into those that
// were misheard and as many that were said instead; empty where that is not one place of held.
func split(digits, held string) (was, is string) {
	half := len(digits) / 2
	if len(digits)%2 != 0 || strings.Count(held, digits[:half]) != 1 {
		return "", ""
	}
	return digits[:half], digits[half:]
}

// digitsIn returns the digits of words that are nothing but digits; empty for others.
func (s *script) digitsIn(words string) string {
	var b strings.Builder
	for word := range strings.FieldsSeq(strings.ToLower(words)) {
		digit, ok := s.digits[word]
		switch {
		case ok:
			b.WriteString(digit)
		case strings.Trim(word, "0123456789") == "":
			b.WriteString(word)
		default:
			return ""
		}
	}
	return b.String()
}

// aWord matches a word of a value, also within an address.
var aWord = regexp.MustCompile(`[\pL\pN]+`)

// replaced puts a spelled name in the place of the word of held that may be it.
func replaced(held, name string) (string, bool) {
	places := aWord.FindAllStringIndex(held, -1)
	for _, at := range slices.Backward(places) {
		word := held[at[0]:at[1]]
		if similar(strings.ToLower(word), strings.ToLower(name)) && word != name {
			if word == strings.ToLower(word) && strings.Contains(held, "@") {
				name = strings.ToLower(name)
			}
			return held[:at[0]] + name + held[at[1]:], true
		}
	}
	return held, false
}
