package listening

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
)

// The sizes of the model of fit; fit.py has the same.
const (
	fitState   = 64 // of a mean of the encoder's states
	fitTower   = 96 // of what is said, and of a question
	fitKind    = 12 // of a field's type
	fitPair    = 5  // inputs of what is said and a question together
	fitHidden  = 64 // of both
	fitAround  = 6  // words about a value that belong to it
	fitOpening = 3  // words that a question begins with
	fitStart   = 4  // and whose states tell what it asks
	fitLongest = 20 // words of a value that are counted
)

//go:embed fitweights.bin
var fitWeights []byte

// fitter tells which question words answer: what is said and a field's question are each
// brought to a few numbers, and compared. MODEL.md tells how it is trained and how well it
// does.
type fitter struct {
	kind          matrix
	asks, answers affine // of the encoder's states, of a question and of what is said
	said, field   affine
	both, out     affine
}

var loadedFitter = sync.OnceValue(func() *fitter {
	f := new(fitter)
	if err := f.parse(fitWeights); err != nil {
		panic(fmt.Sprintf("listening: fitweights.bin: %v", err)) // it is compiled in
	}
	return f
})

// parse reads weights as fit.py writes them, in the format of weights.bin.
func (f *fitter) parse(raw []byte) error {
	if err := f.kind.parse(&raw, typeCount, fitKind); err != nil {
		return err
	}
	return parseLayers(raw, []layer{
		{&f.asks, fitState, stateWidth}, {&f.answers, fitState, stateWidth},
		{&f.said, fitTower, 2*fitState + 2*embedWidth + 2}, {&f.field, fitTower, 4*fitState + 2*embedWidth + fitKind},
		{&f.both, fitHidden, 3*fitTower + fitKind + fitPair}, {&f.out, 1, fitHidden},
	})
}

// fitField is a field's question as it is compared with what is said.
type fitField struct {
	tower  []float32
	kind   []float32
	mean   []float32   // of the encoder's states, normalized; nil without an encoder
	states [][]float32 // of the words that say something, of length 1
	stems  map[string]bool
}

// fitFieldOf returns a field as its question is compared. Fields are read once.
func (l *Listener) fitFieldOf(ctx context.Context, m *fitter, f *Field) *fitField {
	text := f.Name + ". " + f.Question
	key := f.Type.String() + "\n" + text + "\n" + strings.Join(f.Options, "\n")
	l.mu.Lock()
	of := l.fits[key]
	l.mu.Unlock()
	if of != nil {
		return of
	}
	tokens := tokenize(text, nil)
	first := slices.IndexFunc(tokens, func(t token) bool { return t.From >= len(f.Name) })
	if first < 0 {
		first = 0
	}
	of = &fitField{kind: m.kind.row(int(f.Type)), stems: contentStems(text + " " + strings.Join(f.Options, " "))}
	var states [][]float32
	kept := true
	if l.taught != nil {
		var err error
		states, err = meaningsOf(ctx, l.taught, languageOf(f.Question, text), tokens)
		kept = err == nil // else the encoder may come
	}
	var in []float32
	for _, part := range [][2]int{{0, len(tokens)}, {0, first}, {first, len(tokens)}, {first, min(first+fitStart, len(tokens))}} {
		in = append(in, m.asks.meanOf(states, part[0], part[1])...)
	}
	in = append(in, partsOf(tokens)...)
	in = append(in, partsOf(tokens[first:min(first+fitOpening, len(tokens))])...)
	of.tower = squashed(m.field.apply(append(in, of.kind...)))
	if states != nil {
		of.mean = normalMean(states)
		of.states = unitsThatSay(tokens, states)
	}
	if !kept {
		return of
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.fits) >= mostFieldsFor {
		clear(l.fits)
	}
	l.fits[key] = of
	return of
}

// fitting is a list of fields as their questions are compared, and how many share a stem.
type fitting struct {
	of     *Field
	fields []*fitField
	share  map[string]float64
}

// fitFieldsOf returns fields as their questions are compared. They are kept with the message.
func (l *Listener) fitFieldsOf(ctx context.Context, m *fitter, h *Heard, fields []Field) ([]*fitField, map[string]float64) {
	if f := h.fitting; f != nil && f.of == &fields[0] && len(f.fields) == len(fields) {
		return f.fields, f.share
	}
	f := &fitting{of: &fields[0], fields: make([]*fitField, len(fields)), share: map[string]float64{}}
	for i := range fields {
		f.fields[i] = l.fitFieldOf(ctx, m, &fields[i])
		for st := range f.fields[i].stems {
			f.share[st]++
		}
	}
	h.fitting = f
	return f.fields, f.share
}

// meanOf maps the mean of some words' states, normalized; zeros where there are none.
func (a *affine) meanOf(states [][]float32, from, to int) []float32 {
	if len(states) == 0 || from >= to {
		return make([]float32, a.out)
	}
	return squashed(a.apply(normalMean(states[from:to])))
}

// normalMean returns the mean of states, normalized.
func normalMean(states [][]float32) []float32 {
	out := make([]float32, stateWidth)
	normalize(out, Mean(states))
	return out
}

// partsOf returns the learned vector of some words' parts.
func partsOf(tokens []token) []float32 {
	var hashes []uint16
	for _, t := range tokens {
		hashes = append(hashes, t.hashes...)
	}
	out := make([]float32, embedWidth)
	loaded().embed(out, hashes)
	return out
}

// unitsThatSay returns the states, normalized and of length 1, of the words that say
// something, or of all if none does.
func unitsThatSay(tokens []token, states [][]float32) [][]float32 {
	var out [][]float32
	for _, all := range []bool{false, true} {
		for i, t := range tokens {
			if all || says(t.folded) {
				v := make([]float32, stateWidth)
				normalize(v, states[i])
				out = append(out, unit(v))
			}
		}
		if len(out) > 0 {
			break
		}
	}
	return out
}

// stretch is part of a message as it is compared with questions.
type stretch struct {
	tower  []float32
	mean   []float32
	states [][]float32
	stems  []string // in order: sums of numbers depend on it
}

// meanings returns the states of what a message's words mean, by the encoder that was taught;
// nil without an encoder. They are kept with the message.
func (l *Listener) meanings(ctx context.Context, h *Heard) [][]float32 {
	if l.taught == nil {
		return nil
	}
	if h.means == nil {
		means, err := meaningsOf(ctx, l.taught, h.tag, h.tokens)
		if err != nil {
			return nil
		}
		h.means = means
	}
	return h.means
}

// stretchOf returns the words from byte from to byte to, with those about them that are in
// no other value.
func (h *Heard) stretchOf(m *fitter, all [][]float32, from, to int) *stretch {
	first, last := h.spanWords(&Span{From: from, To: to})
	if first >= last {
		return nil
	}
	var near []int
	for i, t := range h.tokens {
		inside := i >= first && i < last
		if i < first-fitAround || i >= last+fitAround || !inside && h.ofAnotherValue(t, from, to) {
			continue
		}
		near = append(near, i)
	}
	tokens := make([]token, len(near))
	var states [][]float32
	s := &stretch{}
	for k, i := range near {
		tokens[k] = h.tokens[i]
		if says(tokens[k].folded) {
			s.stems = append(s.stems, stem(tokens[k].folded))
		}
		if all != nil {
			states = append(states, all[i])
		}
	}
	slices.Sort(s.stems)
	s.stems = slices.Compact(s.stems)
	var own [][]float32
	if all != nil {
		own = all[first:last]
		s.mean, s.states = normalMean(own), unitsThatSay(tokens, states)
	}
	in := append(m.answers.meanOf(own, 0, len(own)), m.answers.meanOf(states, 0, len(states))...)
	in = append(in, partsOf(h.tokens[first:last])...)
	in = append(in, partsOf(tokens)...)
	figure := slices.ContainsFunc(h.tokens[first:last], func(t token) bool { return strings.ContainsAny(t.folded, "0123456789") })
	in = append(in, float32(min(last-first, fitLongest))/10, one(figure))
	s.tower = squashed(m.said.apply(in))
	return s
}

// ofAnotherValue reports whether a word is part of a value beside those between two bytes.
func (h *Heard) ofAnotherValue(t token, from, to int) bool {
	for i := range h.Segments {
		for _, v := range h.Segments[i].Values {
			if t.From < v.To && v.From < t.To && (v.To <= from || v.From >= to) {
				return true
			}
		}
	}
	return false
}

// Fits returns, for each field, the log odds that the words of a message from byte from to
// byte to answer its question rather than another. They are compared with each other: by
// themselves they mean little.
func (l *Listener) Fits(ctx context.Context, h *Heard, from, to int, fields []Field) []float64 {
	m := loadedFitter()
	out := make([]float64, len(fields))
	if len(fields) == 0 {
		return out
	}
	s := h.stretchOf(m, l.meanings(ctx, h), from, to)
	if s == nil {
		return out
	}
	list, share := l.fitFieldsOf(ctx, m, h, fields)
	var in []float32
	for _, f := range list {
		for k, x := range s.tower {
			in = append(in, x*f.tower[k])
		}
		in = append(in, s.tower...)
		in = append(in, f.tower...)
		in = append(in, f.kind...)
		in = append(in, s.with(f, share)...)
	}
	x := m.both.apply(in)
	for i, v := range x {
		x[i] = max(v, 0)
	}
	scores := m.out.apply(x)
	for i := range out {
		out[i] = float64(scores[i*m.out.Width()])
	}
	return out
}

// with returns what a stretch and a question have in common, fitPair numbers.
func (s *stretch) with(f *fitField, share map[string]float64) []float32 {
	x := make([]float32, fitPair)
	for _, st := range s.stems {
		if f.stems[st] {
			x[3] += float32(1 / math.Sqrt(share[st]))
		}
	}
	if s.states == nil || f.states == nil {
		return x
	}
	best := slices.Repeat([]float32{-1}, len(f.states))
	for _, a := range s.states {
		row := float32(-1)
		for k, b := range f.states {
			c := dot(a, b)
			row, best[k] = max(row, c), max(best[k], c)
		}
		x[0], x[2] = max(x[0], row), x[2]+row/float32(len(s.states))
	}
	for _, c := range best {
		x[1] += c / float32(len(best))
	}
	x[4] = dot(s.mean, f.mean) / stateWidth
	return x
}

// Fit is how well words fit the question that was asked, and which other they would fit.
type Fit struct {
	Asked float64 // how likely they answer it, 0 to 1
	Other int     // the field they fit best of the others; -1 for none
	Sure  float64 // how likely they are of that one
}

// FitOf compares what is said between two bytes with the question of a field and with those of
// the others. believed is how likely it is before the words are looked at that they are of
// that field: most people answer what they are asked.
func (l *Listener) FitOf(ctx context.Context, h *Heard, from, to, of int, believed float64, fields []Field) Fit {
	out := Fit{Asked: 1, Other: -1}
	if len(fields) < 2 {
		return out
	}
	odds := l.Fits(ctx, h, from, to, fields)
	rest := math.Log((1 - believed) / believed / float64(len(fields)-1))
	sum := 0.0
	for i := range odds {
		if i != of {
			odds[i] += rest
		}
		sum += math.Exp(odds[i])
	}
	for i := range odds {
		p := math.Exp(odds[i]) / sum
		switch {
		case i == of:
			out.Asked = p
		case p > out.Sure:
			out.Other, out.Sure = i, p
		}
	}
	return out
}
