package field

import (
	"encoding/json"
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// WithoutNone returns values of choices of t without one that says that there is none, unless it is
// all there is: "nothing formal, but I talked to my neighbours".
func WithoutNone(t *obligations.Template, v json.RawMessage) json.RawMessage {
	list := Texts(v)
	rest := slices.DeleteFunc(slices.Clone(list), func(value string) bool {
		c := t.Pick(value)
		first, _, _ := strings.Cut(language.FoldWords(c.Label), " ")
		return language.IsWord("nought", first) || language.IsWord("deny", first)
	})
	if len(rest) == 0 || len(rest) == len(list) {
		return v
	}
	return Encode(rest)
}

// SaidChoice is how much of a choice is said.
type SaidChoice struct {
	Choice  int     // its place among the choices of the template
	Score   float64 // see [Said]
	Negated bool    // it is said and taken back: "not Saturdays"
}

// ChoicesIn returns how much of each choice of t is said in some words, in the order of the choices.
func ChoicesIn(t *obligations.Template, words []language.Word) []SaidChoice {
	folded := language.Folded(words)
	var out []SaidChoice
	for i := range t.Choices {
		score, at := SaidAt(&t.Choices[i], folded)
		out = append(out, SaidChoice{i, score, score > 0 && Denied(folded, at)})
	}
	return out
}

// Denied reports whether a denial within the three words before folded word i takes it back: "not on
// Saturdays".
func Denied(folded []string, i int) bool {
	for k := i - 1; k >= max(0, i-denies); k-- {
		switch w := folded[k]; {
		case strings.ContainsAny(w, ",.;:!?"), language.IsWord("contrast", w):
			return false
		case language.IsWord("deny", w), strings.HasSuffix(w, "n't"), k+1 < i && language.IsWord("deny", w+"_"+folded[k+1]):
			return true
		}
	}
	return false
}

// denies is how many words before another may take it back.
const denies = 3

// Pick returns, as a value of t, the choices of which at least that much is said: for a single choice the
// one of which most is; nil when there is none, or two are said as much.
func Pick(t *obligations.Template, said []SaidChoice, least float64) json.RawMessage {
	best, second, at := 0.0, 0.0, -1
	for _, s := range said {
		switch {
		case s.Negated || s.Score < least:
		case s.Score > best:
			best, second, at = s.Score, best, s.Choice
		default:
			second = max(second, s.Score)
		}
	}
	switch {
	case at < 0:
		return nil
	case t.Widget == obligations.MultiSelect:
		if best < 1 && best == second {
			return nil // parts of several: none is meant more than another
		}
		var picked []string
		for _, s := range said {
			if !s.Negated && s.Score >= least && (s.Score >= 1 || s.Score == best) {
				picked = append(picked, t.Choices[s.Choice].Value)
			}
		}
		return Encode(picked)
	case best == second:
		return nil
	}
	return Encode(t.Choices[at].Value)
}

// PartSaid is how much of a choice must be said to pick it: half of its words.
const PartSaid = 0.5

// Said returns how much of a choice is said in folded words: from 0 to 1 the share of the words of its
// label, or of a synonym, that say something; 1.1 and more where all of it stands there word for word,
// more for longer ones.
func Said(c *obligations.Choice, folded []string) float64 {
	score, _ := SaidAt(c, folded)
	return score
}

// SaidAt is [Said] with the word where that begins.
func SaidAt(c *obligations.Choice, folded []string) (float64, int) {
	best, at := 0.0, 0
	better := func(score float64, i int) {
		if score > best {
			best, at = score, i
		}
	}
	joined := " " + strings.Join(folded, " ") + " "
	for _, form := range append([]string{c.Label}, c.Synonyms...) {
		words := language.FoldWords(form)
		if words == "" {
			continue
		}
		if i := strings.Index(joined, " "+words+" "); i >= 0 {
			better(1+0.1*float64(strings.Count(words, " ")+1), strings.Count(joined[:i+1], " ")-1)
			continue
		}
		said, all, first := 0.0, 0.0, len(folded)
		for stem := range listening.Stems(form) {
			all++
			if i := slices.IndexFunc(folded, func(w string) bool { return language.Head(w, 5) == stem || listening.Alike(w, stem) }); i >= 0 {
				said++
				first = min(first, i)
			}
		}
		if all > 0 {
			better(said/all, first)
		}
	}
	return best, at
}
