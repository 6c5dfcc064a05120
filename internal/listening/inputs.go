package listening

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"quaestor/internal/embedding"
	"quaestor/internal/language"
)

// Input is what the model is given of a word, beside its state.
type Input struct {
	From, To int // bytes of the message
	Hashes   []uint16
	Shape    uint8
	Flags    [24]bool
}

// Inputs returns what the models are given of each word of a message in a language that follows a
// question, with its states by the encoder that was [Taught]; nil has none.
func Inputs(ctx context.Context, taught *embedding.Lite, tag, text, question string) ([]Input, [][]float32, error) {
	tokens := tokenize(text, stems(question))
	out := make([]Input, len(tokens))
	for i, t := range tokens {
		out[i] = Input{From: t.From, To: t.To, Hashes: t.hashes, Shape: t.shape, Flags: t.flags}
	}
	if taught == nil {
		return out, nil, nil
	}
	states, err := meaningsOf(ctx, taught, tag, tokens)
	return out, states, err
}

//go:embed adapterweights.bin
var adapterWeights []byte

// Taught returns the encoder as it learned to listen: what an answer to a question is, and which
// option is meant. MODEL.md tells how. It is nil without an encoder.
func Taught(encoder *embedding.Lite) *embedding.Lite {
	if encoder == nil {
		return nil
	}
	out, err := encoder.Adapted(adapterWeights, "/listening")
	if err != nil {
		panic(fmt.Sprintf("listening: adapterweights.bin: %v", err)) // it is compiled in
	}
	return out
}

// Pieces returns how the encoder cuts the words of a text in a language: those of what they mean
// in English where there is a glossary, for that is all it knew. There is a list for each window
// that it reads by itself: of each piece its id, its first word and the word behind its last.
func Pieces(ctx context.Context, encoder *embedding.Lite, tag, text string) ([][]int, error) {
	windows, err := encoder.Pieces(ctx, meaningWords(tag, tokenize(text, nil)))
	out := make([][]int, len(windows))
	for i, pieces := range windows {
		for _, p := range pieces {
			out[i] = append(out[i], int(p.ID), p.From, p.To)
		}
	}
	return out, err
}

func meaningsOf(ctx context.Context, encoder *embedding.Lite, tag string, tokens []token) ([][]float32, error) {
	return encoder.States(ctx, meaningWords(tag, tokens))
}

// meaningWords returns words as the encoder is given them.
func meaningWords(tag string, tokens []token) []embedding.Word {
	words := make([]embedding.Word, len(tokens))
	for i, t := range tokens {
		words[i] = embedding.Word{Text: t.Text, Spaced: t.Spaced}
		if means, ok := language.Gloss(tag, t.folded); ok {
			words[i] = embedding.Word{Text: means, Spaced: true}
		}
	}
	return words
}

// meaning returns a text in a language as the encoder is given it.
func meaning(tag, text string) string {
	if !language.Glossed(tag) {
		return text
	}
	var b strings.Builder
	for _, w := range meaningWords(tag, tokenize(text, nil)) {
		if w.Spaced && b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.Text)
	}
	return b.String()
}

// languageOf returns the language of what is said in answer to a question, as far as it
// matters here: one that there is a glossary of, or "".
func languageOf(question, text string) string {
	for _, s := range []string{question, text} {
		if tag, ok := language.Detect(s, language.Languages()); ok {
			if language.Glossed(tag) {
				return tag
			}
			return ""
		}
	}
	return ""
}

// Mean returns the mean of states; zeros when there are none.
func Mean(states [][]float32) []float32 {
	out := make([]float32, stateWidth)
	for _, s := range states {
		for i, v := range s {
			out[i] += v / float32(len(states))
		}
	}
	return out
}

// stateWidth is how many numbers a word's state has.
const stateWidth = 512
