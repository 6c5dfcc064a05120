package chat

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"quaestor/obligations"
)

// Words that a number or a date may be said in. A model reads more ways than these,
// so a quote with one of them is believed; beside figures only the numerals, words
// that change what figures come to, and people who are counted by name.
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

func wordsOf(list string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		out[word] = true
	}
	return out
}

// figured reports whether quote can be what a number or a date was said with: it has
// a figure, or a word that stands for one. Where it has figures and no word that could
// change what they come to, the number has to be one of them, or their sum.
func figured(t *obligations.Template, value json.RawMessage, quote string) bool {
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

// foreign reports whether text has letters beyond the Latin ones of English, whose
// number words are not known here.
func foreign(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII && unicode.IsLetter(r) })
}

// figuresIn returns the numbers in text that are written in digits; of "20.000", which
// is twenty to some and twenty thousand to others, both.
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

// comesTo reports whether each end of a number or a range is among figures, or is
// their sum. An end at nought is that of "up to".
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
