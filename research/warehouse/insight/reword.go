package insight

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"quaestor/research/warehouse"
)

// Bounds of what a model may say of an insight, in characters.
const (
	maxHeadline = 240
	maxText     = 900
)

// WordingTask is what an analyst is given to word insights.
type WordingTask struct {
	Area     warehouse.Area
	Insights []Insight
	Language string // of those who read, as a BCP 47 tag
	Results  string // the results of steps that the area rests on, as JSON; may be empty
	Memory   string // what earlier runs found and what people made of it; may be empty
}

// Worded is what an analyst made of it.
type Worded struct {
	Wordings map[string]Wording // by the id of the insight
	Spent    warehouse.TokenUsage
	Results  int    // characters of the results that a model was given
	Memory   int    // characters of the memory that it was given
	Prompt   string // what it was told, behind the instructions that are the same for all; empty for no model
	Reply    string // what it answered, as it came
}

// Wording is what somebody else proposes to say of an insight, with its placeholders.
type Wording struct {
	Headline string `json:"headline"`
	Text     string `json:"text"`
}

// Reword returns the insight in other words, or why these are not taken: they are too long, state
// a number that is no figure, leave out a figure or a value of the segment that the headline has,
// go another way than the figures, or claim more than was computed.
func (i Insight) Reword(w Wording) (Insight, error) {
	w.Headline, w.Text = strings.Join(strings.Fields(w.Headline), " "), strings.Join(strings.Fields(w.Text), " ")
	switch {
	case w.Headline == "" || w.Text == "":
		return i, fmt.Errorf("headline and text must not be empty")
	case len([]rune(w.Headline)) > maxHeadline || len([]rune(w.Text)) > maxText:
		return i, fmt.Errorf("a headline has at most %d characters and a text %d", maxHeadline, maxText)
	}
	both := w.Headline + " " + w.Text
	if unknown := i.Unknown(both); len(unknown) > 0 {
		return i, fmt.Errorf("{{%s}} is no figure of it", unknown[0])
	}
	for _, name := range placeholdersOf(i.Headline) {
		if !slices.Contains(placeholdersOf(w.Headline), name) {
			return i, fmt.Errorf("the headline leaves out {{%s}}", name)
		}
	}
	plain := withoutPlaceholders(both)
	for _, c := range i.Segment {
		if when := c.words(); when != "" && strings.Contains(i.Headline, when) {
			if !strings.Contains(w.Headline, when) {
				return i, fmt.Errorf("the headline leaves out %q", when)
			}
			plain = strings.ReplaceAll(plain, when, " ")
			continue
		}
		if strings.Contains(i.Headline, c.Value) && !strings.Contains(w.Headline, c.Value) {
			return i, fmt.Errorf("the headline leaves out %q", c.Value)
		}
		plain = strings.ReplaceAll(plain, c.Value, " ")
	}
	for _, name := range []string{i.Measure, i.Table} {
		plain = strings.ReplaceAll(plain, name, " ")
	}
	if strings.ContainsFunc(plain, unicode.IsDigit) {
		return i, fmt.Errorf("a number stands in it that is no figure")
	}
	if err := i.sameClaim(plain); err != nil {
		return i, err
	}
	i.Headline, i.Text = w.Headline, w.Text
	return i, nil
}

// sameClaim reports whether words claim no more than those that the insight has, and go the same
// way.
func (i *Insight) sameClaim(plain string) error {
	have := wordSet(i.Headline + " " + i.Text)
	said := wordSet(plain)
	for _, word := range quantifiers {
		if said[word] && !have[word] {
			return fmt.Errorf("%q was not computed", word)
		}
	}
	for _, sides := range [][2][]string{{risen, fallen}, {fallen, risen}} {
		if hasAny(have, sides[0]) && !hasAny(have, sides[1]) && hasAny(said, sides[1]) {
			return fmt.Errorf("it goes another way than the figures")
		}
	}
	return nil
}

// Words that claim something of all records, and that say which way something goes, or why.
var (
	quantifiers = strings.Fields(`only all always never every none most majority largest highest best lowest smallest worst biggest unprecedented double doubled triple tripled half halved twice third quarter
		one two three four five six seven eight nine ten dozen dozens hundred hundreds thousand thousands million millions because caused causes cause due`)
	risen  = strings.Fields("rose rise rises risen rising grew grow grows growth increased increase increases increasing climbed jumped surged gained higher up")
	fallen = strings.Fields("fell fall falls fallen falling shrank dropped drop drops dropping decreased decrease decreases decreasing declined decline declines lost sank lower down")
)

func hasAny(set map[string]bool, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return set[w] })
}

// wordSet returns the words of a text in lower case.
func wordSet(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(withoutPlaceholders(s)), func(r rune) bool { return !unicode.IsLetter(r) }) {
		out[w] = true
	}
	return out
}

// placeholdersOf returns the names of the placeholders in a text.
func placeholdersOf(text string) []string { return (&Insight{}).Unknown(text) }

// withoutPlaceholders returns a text with its placeholders taken out.
func withoutPlaceholders(text string) string {
	for _, name := range placeholdersOf(text) {
		text = strings.ReplaceAll(text, "{{"+name+"}}", " ")
	}
	return text
}
