package obligations

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"quaestor/internal/language"
)

// Thresholds from which two questions count as one. They are calibrated on the pairs in
// similar_test.go and lean towards keeping questions apart: a reviewer can merge two
// duplicates, but nobody can recover a question that was swallowed. Similar wording is
// enough without vectors; different wording needs both measures.
const (
	sameText    = 0.80 // of the text alone
	closeText   = 0.60 // of the text, if the meaning reaches nearMeaning
	nearMeaning = 0.70
	nearText    = 0.30 // of the text, if the meaning reaches sameMeaning
	sameMeaning = 0.74
	oneMeaning  = 0.86 // of the meaning alone
)

// Similarity is how alike two questions are.
type Similarity struct {
	Text    float64  `json:"text"`              // 0–1, words and spelling
	Meaning *float64 `json:"meaning,omitempty"` // −1–1, cosine of vectors of one encoder; nil if either is missing
	Apart   bool     `json:"apart,omitempty"`   // a distinguishing word, or the kind of answer, keeps them apart
}

// Same reports whether the two are near-duplicates.
func (l Similarity) Same() bool {
	switch {
	case l.Apart:
		return false
	case l.Text >= sameText:
		return true
	case l.Meaning == nil:
		return false
	}
	return *l.Meaning >= oneMeaning || *l.Meaning >= sameMeaning && l.Text >= nearText || *l.Meaning >= nearMeaning && l.Text >= closeText
}

// Score combines both measures into one for ordering, 0 to 1.
func (l Similarity) Score() float64 {
	if l.Meaning == nil {
		return l.Text
	}
	return (l.Text + max(0, *l.Meaning)) / 2
}

// Vector is a question's embedding.
type Vector struct {
	Encoder string
	Values  []float32 // nil if it has none
}

// Alike compares two questions by their [Subject]. Vectors count only if both come from
// the same encoder. If both questions quote a topic and one topic is part of the other,
// they count as worded alike.
func Alike(a, b *Template, va, vb Vector) Similarity {
	x, named := subjectWords(a.Prompt)
	y, both := subjectWords(b.Prompt)
	l := Similarity{Text: textLikeness(x, y), Apart: opposed(a, b) || contrasted(x, y)}
	if named && both && part(x, y) {
		l.Text = max(l.Text, sameText)
	}
	if va.Encoder == vb.Encoder {
		l.Meaning = cosine(va.Values, vb.Values)
	}
	return l
}

// Subject returns what a question is about: the person's words that it quotes (“the night
// shift”), or else all of it. Vectors are made from the subject, so that questions about
// different topics are not close merely because they share a frame.
func Subject(prompt string) string {
	if _, rest, ok := strings.Cut(prompt, "“"); ok {
		if topic, _, ok := strings.Cut(rest, "”"); ok && len(contentWords(topic)) > 0 {
			return topic
		}
	}
	return prompt
}

// subjectWords returns the content words of a question's subject, and whether the subject
// is a quoted topic. The frame around a topic ("what the auditors want", "the people on
// the night shift") is left out.
func subjectWords(prompt string) ([]string, bool) {
	subject := Subject(prompt)
	words := contentWords(subject)
	if subject == prompt {
		return words, false
	}
	if bare := without(words, topicFrames); len(bare) > 0 {
		words = bare
	}
	return words, true
}

// topicFrames are the words of such frames, as [contentWords] writes them.
var topicFrames = contentWords("people person thing things part point side matter company wants thinks says said needs still many really always here have has yet too well")

// Bounds within which one topic counts as part of another.
const (
	partWords = 2 // a single word is part of too many topics
	partExtra = 2 // a topic with more additional words is a different one
)

// part reports whether the words of one topic are among those of the other.
func part(x, y []string) bool {
	if len(x) > len(y) {
		x, y = y, x
	}
	return len(x) >= partWords && len(y)-len(x) <= partExtra && len(without(x, y)) == 0
}

// opposed reports whether no value could answer both questions: both are closed, and they
// ask for different kinds of answers or for numbers of different units.
func opposed(a, b *Template) bool {
	if a.Widget == Text || b.Widget == Text {
		return false
	}
	return a.Widget != b.Widget || a.Unit != b.Unit
}

func cosine(a, b []float32) *float64 {
	if len(a) == 0 || len(a) != len(b) {
		return nil
	}
	var dot, x, y float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		x += float64(a[i]) * float64(a[i])
		y += float64(b[i]) * float64(b[i])
	}
	if x == 0 || y == 0 {
		return nil
	}
	c := max(-1, min(1, dot/math.Sqrt(x*y)))
	return &c
}

// contrasted reports whether two questions differ by a word that tells them apart: a
// negation, "before" or "after", the question word, or one noun in place of another ("your
// customers", "your suppliers").
func contrasted(x, y []string) bool {
	onlyX, onlyY := without(x, y), without(y, x)
	if slices.ContainsFunc(append(slices.Clone(onlyX), onlyY...), func(w string) bool { return slices.Contains(negations, w) }) {
		return true
	}
	a, b := asking(x), asking(y)
	if a != "" && b != "" && a != b {
		return true
	}
	if len(onlyX) != 1 || len(onlyY) != 1 || len(onlyX) == len(x) {
		return false
	}
	return dice(trigrams(onlyX), trigrams(onlyY)) < sameSpelling
}

// sameSpelling is the similarity from which two words count as forms of one.
const sameSpelling = 0.5

var (
	negations = []string{"not", "no", "never", "without", "except", "befor", "after", "until"} // stemmed, see stem
	askers    = []string{"who", "when", "where", "why", "how"}                                 // "what" and "which" do not distinguish
)

// asking returns the question word among words; empty if there is none.
func asking(words []string) string {
	i := slices.IndexFunc(words, func(w string) bool { return slices.Contains(askers, w) })
	if i < 0 {
		return ""
	}
	return words[i]
}

// without returns the words of x that are not in y.
func without(x, y []string) []string {
	return slices.DeleteFunc(slices.Clone(x), func(w string) bool { return slices.Contains(y, w) })
}

// textLikeness is a weighted mean of the words and the trigrams two questions share, two
// parts words to one part spelling.
func textLikeness(x, y []string) float64 {
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	return (2*dice(x, y) + dice(trigrams(x), trigrams(y))) / 3
}

// dice returns the Sørensen–Dice coefficient of two sets, 0 to 1.
func dice(a, b []string) float64 {
	shared := 0
	for _, w := range a {
		if slices.Contains(b, w) {
			shared++
		}
	}
	return 2 * float64(shared) / float64(len(a)+len(b))
}

// contentWords returns the distinct words of s that carry meaning, stemmed and in
// alphabetical order.
func contentWords(s string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '’' }) {
		w, _, _ = strings.Cut(strings.ReplaceAll(w, "’", "'"), "'")
		if !slices.Contains(emptyWords, w) && w != "" {
			out = append(out, language.Stem(w))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// emptyWords carry nothing of what a question is about. Question words (when, who, how
// many) are not among them.
var emptyWords = strings.Fields(`a an the of for to in on at by with and or is are was were be been do does did have has had will would can could should may
	your you we our us i it its this that these those there any some please tell me what which about as from if so also`)

// trigrams returns the distinct runs of three letters in words, each word padded with
// spaces.
func trigrams(words []string) []string {
	var out []string
	for _, w := range words {
		r := []rune(" " + w + " ")
		for i := range len(r) - 2 {
			out = append(out, string(r[i:i+3]))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
