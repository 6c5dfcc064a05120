package obligations

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quaestor/internal/fault"
)

// Wording is how a question that came up in one session is put to everybody, without the
// words of the person who brought it up.
type Wording struct {
	Label    string   `json:"label"`
	Prompt   string   `json:"prompt"`
	Why      string   `json:"why,omitempty"`
	Examples []string `json:"examples,omitempty"`
}

// Bounds of a wording, in characters.
const (
	maxWordedLabel   = 60
	maxWordedPrompt  = 500
	maxWordedExample = 200
	maxExamples      = 5
)

// Length of a run of a person's words that must not be published: four, or three if that
// is all they said about it.
const (
	repeatedRun = 4
	wholeQuote  = 3
)

// Tidy returns w with white space collapsed in its texts and without empty examples.
func (w Wording) Tidy() Wording {
	tidy := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	out := Wording{Label: tidy(w.Label), Prompt: tidy(w.Prompt), Why: tidy(w.Why)}
	for _, example := range w.Examples {
		if example = tidy(example); example != "" {
			out.Examples = append(out.Examples, example)
		}
	}
	return out
}

// Check returns why w may not be published, or nil: a label or question is missing, a text
// is too long, or one of them repeats four words in a row of a quote, ignoring case and
// punctuation. The fault names the field.
func (w Wording) Check(quotes []string) error {
	for _, f := range w.fields() {
		switch n := utf8.RuneCountInString(f.text); {
		case n == 0:
			return fault.New(fault.Unprocessable, "write a neutral %s, in words that do not tell who brought it up or what they said", f.called).At(f.name).Coded("wording_missing")
		case n > f.most:
			return fault.New(fault.Unprocessable, "the %s has at most %d characters, not %d", f.called, f.most, n).At(f.name).Coded("wording_too_long")
		}
		for _, quote := range quotes {
			if words := repeated(f.text, quote); words != "" {
				return fault.New(fault.Unprocessable, "the %s repeats the person's own words “%s”; replace them by words that fit everybody", f.called, words).At(f.name).Coded("wording_quotes_person")
			}
		}
	}
	if len(w.Examples) > maxExamples {
		return fault.New(fault.Unprocessable, "at most %d examples, not %d", maxExamples, len(w.Examples)).At("examples").Coded("wording_too_long")
	}
	return nil
}

// wordingField is a text of a wording, with its field name and its name for people.
type wordingField struct {
	name, called, text string
	most               int
}

// fields returns the texts of w: the required ones, and the others that are set.
func (w Wording) fields() []wordingField {
	out := []wordingField{{"label", "label", w.Label, maxWordedLabel}, {"prompt", "question", w.Prompt, maxWordedPrompt}}
	if w.Why != "" {
		out = append(out, wordingField{"why", "reason", w.Why, maxWordedPrompt})
	}
	for i, example := range w.Examples {
		out = append(out, wordingField{"examples[" + digits(float64(i)) + "]", "example", example, maxWordedExample})
	}
	return out
}

// repeated returns a run of words of quote that text repeats; empty if there is none.
func repeated(text, quote string) string {
	said, words := wordsIn(quote), wordsIn(text)
	n := repeatedRun
	if len(said) == wholeQuote {
		n = wholeQuote
	}
	for from := 0; from+n <= len(said); from++ {
		run := said[from : from+n]
		for at := 0; at+n <= len(words); at++ {
			if slices.Equal(run, words[at:at+n]) {
				return strings.Join(run, " ")
			}
		}
	}
	return ""
}

// unspaced are scripts written without spaces between words; each of their characters
// counts as a word.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// wordsIn returns the words of text in lower case.
func wordsIn(text string) []string {
	var out []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			out = append(out, word.String())
			word.Reset()
		}
	}
	for _, r := range strings.ToLower(text) {
		switch {
		case unicode.In(r, unspaced...):
			end()
			out = append(out, string(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			word.WriteRune(r)
		default:
			end()
		}
	}
	end()
	return out
}

// Worded returns the obligation for an objective that w makes of t, an emergent one. Its
// key is made from the new label and is unique among others, and nothing else in it can
// hold the person's words.
func Worded(t *Template, w Wording, others []Template) Template {
	list := make([]Obligation, len(others))
	for i := range others {
		list[i].Template = &others[i]
	}
	key := freeKey(list, keyFrom(w.Label, w.Prompt))
	out := Template{Key: key, FieldPath: emergentPath + key, Label: w.Label, Prompt: w.Prompt, Why: w.Why, Examples: w.Examples, Collection: DirectQuestion,
		Widget: Text, Category: emergentCategory, Priority: t.Priority, MaxAttempts: t.MaxAttempts}
	if t.Widget == Date || t.Widget == Number {
		out.Widget = t.Widget
	}
	return out
}
