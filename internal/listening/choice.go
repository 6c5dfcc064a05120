package listening

import (
	"context"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"quaestor/internal/embedding"
	"quaestor/internal/language"
)

// The features of an option that may be meant. Each is an input twice: as it is, and as it
// stands out among the options.
const (
	choiceWhole      = iota // a form of it is said, word for word
	choiceWholeNear         // the same, anywhere in the sentence
	choiceStems             // which share of a form's words is said
	choiceStemsNear         // the same, anywhere in the sentence
	choiceOwn               // which share is said of the words that no other option has as well
	choiceRuns              // which share of the runs of four letters of its words is said
	choiceParts             // which share of its words is part of a longer word that is said, or has one as its part
	choiceMeaning           // cosine of what is said and a form, as texts
	choiceNear              // cosine of the sentence and a form
	choiceTaught            // cosine of the words that are said and a form's, by the encoder that was taught
	choiceTaughtNear        // cosine of the sentence's words and a form's
	choiceCount
)

// ChoiceFeatures are how an option and what is said fit.
type ChoiceFeatures [2 * choiceCount]float64

// Choices returns the features of each option: the label of each with its synonyms. said
// are the words that should name one, near the sentence they stand in, in the language of that
// tag. Where the encoder knows nothing of it, nothing is compared by meaning.
func (l *Listener) Choices(ctx context.Context, said, near string, options [][]string, tag string) []ChoiceFeatures {
	words, around := newSaidWords(said), newSaidWords(near)
	share := map[string]float64{}
	for _, forms := range options {
		for st := range contentStems(strings.Join(forms, " ")) {
			share[st]++
		}
	}
	out := make([]ChoiceFeatures, len(options))
	for i, forms := range options {
		for _, form := range forms {
			x := formFeatures(form, words, around, share)
			if l.comparesIn(tag) {
				x[choiceMeaning], x[choiceTaught] = l.alike(ctx, tag, said, form)
				x[choiceNear], x[choiceTaughtNear] = l.alike(ctx, tag, near, form)
			}
			for k := range choiceCount {
				out[i][k] = max(out[i][k], x[k])
			}
		}
	}
	standOut(out)
	return out
}

// comparesIn reports whether texts in a language are compared by meaning.
func (l *Listener) comparesIn(tag string) bool {
	return l.taught != nil && (tag == "en" || language.Glossed(tag))
}

// standOut sets the second half of the features: by how many standard deviations each of
// the first lies above the mean of the options.
func standOut(list []ChoiceFeatures) {
	n := float64(len(list))
	for k := range choiceCount {
		var sum, square float64
		for i := range list {
			sum += list[i][k]
			square += list[i][k] * list[i][k]
		}
		spread := math.Sqrt(max(0, square/n-sum/n*sum/n))
		for i := range list {
			list[i][choiceCount+k] = (list[i][k] - sum/n) / (spread + leastSpread)
		}
	}
}

// leastSpread keeps options that hardly differ from standing out.
const leastSpread = 0.05

// saidWords are words as options are looked for in them.
type saidWords struct {
	joined string
	folded []string
	long   []string // those that say something
	runs   map[string]bool
}

func newSaidWords(text string) saidWords {
	w := saidWords{runs: map[string]bool{}}
	for _, x := range language.Words(text) {
		f := language.Fold(x.Text)
		w.folded = append(w.folded, f)
		if says(f) {
			w.long = append(w.long, f)
			addRuns(w.runs, f)
		}
	}
	w.joined = " " + strings.Join(w.folded, " ") + " "
	return w
}

func says(folded string) bool { return utf8.RuneCountInString(folded) > 2 && !plainWords[folded] }

// addRuns adds the runs of four letters of a folded word.
func addRuns(to map[string]bool, folded string) {
	padded := "<" + folded + ">"
	for i := 0; i+1 < len(folded); i++ {
		to[padded[i:min(i+4, len(padded))]] = true
	}
}

// has reports whether a form of a folded word is among the words.
func (w *saidWords) has(folded string) bool {
	return slices.ContainsFunc(w.folded, func(x string) bool { return stem(x) == stem(folded) || Alike(x, folded) })
}

// hasPart reports whether a word that is said begins or goes on as a folded word does, or
// is part of it: "Gästezahl", "Gäste".
func (w *saidWords) hasPart(folded string) bool {
	return len(folded) > 3 && slices.ContainsFunc(w.long, func(x string) bool {
		return len(x) > 3 && (strings.Contains(x, language.Head(folded, 6)) || strings.Contains(folded, language.Head(x, 6)))
	})
}

// formFeatures returns the features of one form of an option that are of its words.
func formFeatures(form string, said, near saidWords, share map[string]float64) [choiceCount]float64 {
	var x [choiceCount]float64
	option := newSaidWords(form)
	words := option.long
	if len(words) == 0 {
		words = option.folded
	}
	if len(words) == 0 {
		return x
	}
	if strings.Contains(said.joined, option.joined) {
		x[choiceWhole] = 1
	}
	if strings.Contains(near.joined, option.joined) {
		x[choiceWholeNear] = 1
	}
	each := 1 / float64(len(words))
	for _, w := range words {
		if said.has(w) {
			x[choiceStems] += each
			x[choiceOwn] += each / max(1, share[stem(w)])
		}
		if near.has(w) {
			x[choiceStemsNear] += each
		}
		if near.hasPart(w) {
			x[choiceParts] += each
		}
	}
	for r := range option.runs {
		if said.runs[r] {
			x[choiceRuns] += 1 / float64(1+len(option.runs))
		}
	}
	return x
}

// Rate returns how likely each option is meant, all together 1; see [Listener.Choices].
func (l *Listener) Rate(ctx context.Context, said, near string, options [][]string, tag string) []float64 {
	weights := &choiceWeights
	if !l.comparesIn(tag) {
		weights = &choiceWeightsPlain
	}
	scores := make([]float32, len(options))
	if len(options) == 0 {
		return nil
	}
	for i, x := range l.Choices(ctx, said, near, options, tag) {
		for k, v := range x {
			scores[i] += float32(weights[k] * v)
		}
	}
	embedding.Softmax(scores)
	out := make([]float64, len(scores))
	for i, s := range scores {
		out[i] = float64(s)
	}
	return out
}
