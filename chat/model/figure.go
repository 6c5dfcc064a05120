package model

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"quaestor/obligations"
)

// Words in which a number or a date may be said. A model understands more ways than
// these, so a quote that contains one of them is believed. Beside digits, only numerals
// count, words that change what digits mean, and people who are counted by name.
var (
	numerals = wordsOf(`one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty
		fifty sixty seventy eighty ninety hundred hundreds thousand thousands million millions billion dozen dozens couple pair half quarter third thirds single double twice once both`)
	namedPeople  = wordsOf("me myself wife husband partner brother sister son daughter cofounder")
	otherFigures = wordsOf("few several none nobody nothing no zero free i alone solo just only co grand score full all every always never")
	dateWords    = wordsOf(`january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
		monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday tonight now day days week weeks fortnight month months quarter year years decade century
		spring summer autumn fall winter christmas easter ago last next this soon since recently school born began begin start started opening end mid early late immediately asap`)
	scaleWords = wordsOf(`k m mm bn grand percent hour hours hr hrs minute minutes day days week weeks fortnight month months quarters year years daily weekly monthly
		quarterly yearly annually annum each`)
)

// wordsOf returns a set of words.
func wordsOf(list string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		out[word] = true
	}
	return out
}

// figureMatches reports whether a number or a date can have been said with the words of
// quote, which must contain digits or a word for them. When it has digits and no word
// that could change what they mean, the number must be one of them, or their sum. It is
// true for all other values.
func figureMatches(t *obligations.Template, value json.RawMessage, quote string) bool {
	words := strings.FieldsFunc(strings.ToLower(quote), func(r rune) bool { return !unicode.IsLetter(r) })
	has := func(sets ...map[string]bool) bool {
		return slices.ContainsFunc(words, func(w string) bool {
			return slices.ContainsFunc(sets, func(set map[string]bool) bool { return set[w] })
		})
	}
	digits := strings.ContainsFunc(quote, unicode.IsDigit)
	switch t.Widget {
	case obligations.Date:
		return digits || has(dateWords, numerals, otherFigures)
	case obligations.Number:
		if !digits {
			return has(numerals, namedPeople, otherFigures) || foreign(quote)
		}
		return has(scaleWords, numerals, namedPeople) || comesTo(value, figuresIn(quote))
	}
	return true
}

// foreign reports whether text has letters that English does not use. Number words of
// other languages are not known here, so such a quote is believed.
func foreign(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII && unicode.IsLetter(r) })
}

// figuresIn returns the numbers written in digits in text. "20.000" is twenty to some
// and twenty thousand to others, and yields both.
func figuresIn(text string) []float64 {
	var out []float64
	for field := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsDigit(r) && r != '.' && r != ',' }) {
		field = strings.Trim(strings.ReplaceAll(field, ",", ""), ".")
		if n, err := strconv.ParseFloat(field, 64); err == nil {
			out = append(out, n)
		}
		if n, err := strconv.ParseFloat(strings.ReplaceAll(field, ".", ""), 64); err == nil && (unclearPattern.MatchString(field) || strings.Count(field, ".") > 1) {
			out = append(out, n)
		}
	}
	return out
}

// comesTo reports whether a number, or both ends of a range, are among figures or are
// their sum. A range that starts at 0 is one of "up to".
func comesTo(value json.RawMessage, figures []float64) bool {
	var r obligations.Range
	if json.Unmarshal(value, &r.Min) == nil {
		r.Max = r.Min
	} else if json.Unmarshal(value, &r) != nil {
		return false
	}
	sum := 0.0
	for _, n := range figures {
		sum += n
	}
	said := func(n float64) bool {
		return n == sum || slices.ContainsFunc(figures, func(f float64) bool {
			return f == n || f == -n
		})
	}
	return said(r.Max) && (said(r.Min) || r.Min == 0)
}
