package listening

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"quaestor/internal/language"
)

// The sizes of the asker; asker.py has the same.
const (
	askerShape    = 6   // of a word's shape
	askerFlags    = 23  // yes-or-no inputs: all but whether the word stands in the question
	askerState    = 48  // of the encoder's state of it
	askerEnter    = 96  // of a word, all in all
	askerHidden   = 64  // of each direction
	askerKind     = 12  // of a field's type
	askerField    = 48  // of its words
	askerMeet     = 64  // of a word and a field, added
	askerMatch    = 32  // and multiplied
	askerPair     = 8   // inputs of a word and a field
	askerConv     = 48  // of a word among its neighbours
	askerWide     = 7   // words that are neighbours, in the first layer
	askerNarrow   = 5   // and in the second
	mostFieldsFor = 400 // fields that readings are kept of
)

//go:embed askerweights.bin
var askerWeights []byte

// asker tells for each word of a message and each field whether the word is part of what
// the message tells of it, whatever was asked. The message is read once; then each field's
// question is put to it: a word and a field meet in a layer that is given what they share,
// and two layers look at the word among its neighbours. MODEL.md tells how it is trained.
type asker struct {
	shape, kind    matrix
	state, enter   affine
	read           [2]recurrent // forward and backward
	field          affine
	word, question affine // of a word, and of a field, to where they meet
	pair           affine
	left, right    affine // the same, to where they are multiplied
	first, second  affine
	out            affine
}

var loadedAsker = sync.OnceValue(func() *asker {
	a := new(asker)
	if err := a.parse(askerWeights); err != nil {
		panic(fmt.Sprintf("listening: askerweights.bin: %v", err)) // it is compiled in
	}
	return a
})

// parse reads weights as asker.py writes them, in the format of weights.bin.
func (a *asker) parse(raw []byte) error {
	if err := a.shape.parse(&raw, shapes, askerShape); err != nil {
		return err
	}
	if err := a.kind.parse(&raw, typeCount, askerKind); err != nil {
		return err
	}
	return parseLayers(raw, []layer{
		{&a.state, askerState, stateWidth}, {&a.enter, askerEnter, embedWidth + askerShape + askerFlags + askerState},
		{&a.read[0].in, 3 * askerHidden, askerEnter}, {&a.read[0].own, 3 * askerHidden, askerHidden},
		{&a.read[1].in, 3 * askerHidden, askerEnter}, {&a.read[1].own, 3 * askerHidden, askerHidden},
		{&a.field, askerField, embedWidth + askerKind + stateWidth},
		{&a.word, askerMeet, 2 * askerHidden}, {&a.question, askerMeet, askerField + askerKind}, {&a.pair, askerMeet, askerPair},
		{&a.left, askerMatch, 2 * askerHidden}, {&a.right, askerMatch, askerField + askerKind},
		{&a.first, askerConv, askerWide * (askerMeet + askerMatch)}, {&a.second, askerConv, askerNarrow * 2 * askerConv},
		{&a.out, 1, askerConv},
	})
}

// askedField is a field as the asker reads it.
type askedField struct {
	words  fieldStems
	option map[string]bool
	long   []string    // folded words of its name and question that say something
	states [][]float32 // of those that say something, of length 1; none without an encoder
	meet   []float32   // what it brings to where it meets a word
	match  []float32
}

// readField returns a field in a language as the asker reads it. Fields are read once.
func (l *Listener) readField(ctx context.Context, a *asker, tag string, f *Field) *askedField {
	text := f.Name + ". " + f.Question
	key := tag + "\n" + f.Type.String() + "\n" + f.Key + "\n" + text + "\n" + strings.Join(f.Cues, "\n") + "\n" + strings.Join(f.Options, "\n")
	l.mu.Lock()
	of := l.fields[key]
	l.mu.Unlock()
	if of != nil {
		return of
	}
	of = &askedField{words: stemsOfField(f), option: contentStems(strings.Join(f.Options, " "))}
	tokens := tokenize(text, nil)
	var hashes []uint16
	for _, t := range tokens {
		hashes = append(hashes, t.hashes...)
		if says(t.folded) && len(t.folded) > 4 {
			of.long = append(of.long, t.folded)
		}
	}
	in := make([]float32, embedWidth+askerKind+stateWidth)
	loaded().embed(in[:embedWidth], hashes)
	copy(in[embedWidth:], a.kind.row(int(f.Type)))
	if l.taught != nil {
		states, err := meaningsOf(ctx, l.taught, tag, tokens)
		if err != nil {
			return of.meeting(a, in, f) // not kept: the encoder may come
		}
		normalize(in[embedWidth+askerKind:], Mean(states))
		for i, t := range tokens {
			if says(t.folded) {
				of.states = append(of.states, unit(states[i]))
			}
		}
	}
	of.meeting(a, in, f)
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.fields) >= mostFieldsFor {
		clear(l.fields)
	}
	l.fields[key] = of
	return of
}

// meeting sets what the field brings to where it meets a word.
func (of *askedField) meeting(a *asker, in []float32, f *Field) *askedField {
	q := append(squashed(a.field.apply(in)), a.kind.row(int(f.Type))...)
	of.meet, of.match = a.question.apply(q), squashed(a.right.apply(q))
	return of
}

func squashed(v []float32) []float32 {
	for i, x := range v {
		v[i] = tanh(x)
	}
	return v
}

// unit returns v with length 1.
func unit(v []float32) []float32 {
	out := make([]float32, len(v))
	scale := 1 / (math.Sqrt(float64(dot(v, v))) + 1e-9)
	for i, x := range v {
		out[i] = float32(float64(x) * scale)
	}
	return out
}

// spanWords returns the words that a value holds, the last one excluded.
func (h *Heard) spanWords(s *Span) (from, to int) {
	from = len(h.tokens)
	for i, t := range h.tokens {
		if t.From < s.To && s.From < t.To {
			from, to = min(from, i), i+1
		}
	}
	return min(from, to), to
}

// telling is how likely each word of a message tells each field.
type telling struct {
	of     *Field
	fields int
	likely [][]float32 // by field and word
}

// tell asks each field's question of a message. What it finds is kept with the message.
func (l *Listener) tell(ctx context.Context, h *Heard, fields []Field) [][]float32 {
	if len(fields) == 0 || len(h.tokens) == 0 {
		return make([][]float32, len(fields))
	}
	if t := h.told; t != nil && t.of == &fields[0] && t.fields == len(fields) {
		return t.likely
	}
	a := loadedAsker()
	states := l.meanings(ctx, h)
	words := a.words(h.tokens, states)
	base, match := a.word.apply(words), a.left.apply(words)
	units := make([][]float32, len(states))
	for i, s := range states {
		units[i] = unit(s)
	}
	share := map[string]float64{}
	read := make([]*askedField, len(fields))
	for i := range fields {
		read[i] = l.readField(ctx, a, h.tag, &fields[i])
		for st := range read[i].words.all {
			share[st]++
		}
	}
	out := make([][]float32, len(fields))
	for i := range fields {
		pairs := pairInputs(h.tokens, units, &fields[i], read[i], share)
		out[i] = a.ask(base, match, pairs, read[i], len(h.tokens))
	}
	h.told = &telling{&fields[0], len(fields), out}
	return out
}

// Told is a value that a message tells of a field, as it is found when the field's question
// is put to the message, whatever was asked.
type Told struct {
	Span

	Field   int // in the list of fields
	Segment int // it begins in
}

// leastTells is how likely each word of a value must be to tell its field.
const leastTells = 0.8

// Told returns the values that a message tells of open fields that were not asked for, those
// it is surest of first. No two of them share words.
func (l *Listener) Told(ctx context.Context, h *Heard, fields []Field) []Told {
	var all []Told
	for i, likely := range l.tell(ctx, h, fields) {
		if f := &fields[i]; !f.Open || f.Asked {
			continue
		}
		for from := 0; from < len(likely); from++ {
			to, sum, yes := from, 0.0, 0.0
			for ; to < len(likely) && likely[to] >= leastTells; to++ {
				sum, yes = sum+float64(likely[to]), yes+float64(h.yes[to])
			}
			if n := float64(to - from); n > 0 {
				s := Span{Type: fields[i].Type, From: h.tokens[from].From, To: h.tokens[to-1].To, Sure: sum / n, Yes: yes / n}
				all = append(all, Told{s, i, h.segmentAt(s.From)})
				from = to
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Told) int { return cmp.Compare(b.Sure, a.Sure) })
	var out []Told
	for _, t := range all {
		if t.Segment >= 0 && !slices.ContainsFunc(out, func(o Told) bool { return o.From < t.To && t.From < o.To }) {
			out = append(out, t)
		}
	}
	return out
}

// segmentAt returns the segment that a byte is in; -1 for none.
func (h *Heard) segmentAt(at int) int {
	return slices.IndexFunc(h.Segments, func(s Segment) bool { return at >= s.From && at < s.To })
}

// words returns what a message's words are in their surroundings, 2·askerHidden numbers
// each.
func (a *asker) words(tokens []token, states [][]float32) []float32 {
	n, input := len(tokens), a.enter.in
	var squeezed []float32
	if states != nil {
		norm := make([]float32, n*stateWidth)
		for i, s := range states {
			normalize(norm[i*stateWidth:][:stateWidth], s)
		}
		squeezed = squashed(a.state.apply(norm))
	}
	in := make([]float32, n*input)
	for i, t := range tokens {
		row := in[i*input:][:input]
		loaded().embed(row[:embedWidth], t.hashes)
		copy(row[embedWidth:], a.shape.row(int(t.shape)))
		for k := range askerFlags {
			if t.flags[k] {
				row[embedWidth+askerShape+k] = 1
			}
		}
		if squeezed != nil {
			copy(row[embedWidth+askerShape+askerFlags:], squeezed[i*askerState:][:askerState])
		}
	}
	x := a.enter.apply(in)
	for k, v := range x {
		x[k] = max(v, 0)
	}
	y := make([]float32, n*2*askerHidden)
	a.read[0].run(y, 2*askerHidden, 0, x, n, false)
	a.read[1].run(y, 2*askerHidden, askerHidden, x, n, true)
	return y
}

// pairInputs returns what each word and a field have in common, askerPair numbers each.
func pairInputs(tokens []token, units [][]float32, f *Field, of *askedField, share map[string]float64) []float32 {
	out := make([]float32, len(tokens)*askerPair)
	for i, t := range tokens {
		x := out[i*askerPair:][:askerPair]
		x[5], x[6], x[7] = one(f.Open), one(f.Asked), one(f.Last)
		if !says(t.folded) {
			continue
		}
		st := stem(t.folded)
		if of.words.all[st] {
			x[0] = float32(1 / math.Sqrt(share[st]))
		}
		x[1], x[2] = one(of.words.name[st]), one(of.option[st])
		x[3] = one(x[0] == 0 && len(t.folded) > 4 && partOf(t.folded, of.long))
		for _, s := range of.states {
			if units != nil {
				x[4] = max(x[4], 2*(dot(units[i], s)-0.2))
			}
		}
	}
	return out
}

func one(is bool) float32 {
	if is {
		return 1
	}
	return 0
}

// partOf reports whether a word begins or goes on as one of others does, or is part of it.
func partOf(folded string, others []string) bool {
	for _, x := range others {
		if strings.Contains(x, language.Head(folded, 6)) || strings.Contains(folded, language.Head(x, 6)) {
			return true
		}
	}
	return false
}

// ask returns how likely each of n words tells a field.
func (a *asker) ask(base, match, pairs []float32, of *askedField, n int) []float32 {
	const width = askerMeet + askerMatch
	z := make([]float32, n*width)
	shared := a.pair.apply(pairs)
	for i := range n {
		row := z[i*width:][:width]
		for k := range askerMeet {
			row[k] = max(0, base[i*askerMeet+k]+of.meet[k]+shared[i*askerMeet+k])
		}
		for k := range askerMatch {
			row[askerMeet+k] = match[i*askerMatch+k] * of.match[k]
		}
	}
	near := a.first.apply(windows(z, n, width, askerWide))
	var top [askerConv]float32
	for i, v := range near {
		near[i] = max(v, 0)
		top[i%askerConv] = max(top[i%askerConv], near[i])
	}
	both := make([]float32, 0, 2*len(near))
	for i := range n {
		both = append(append(both, near[i*askerConv:][:askerConv]...), top[:]...)
	}
	h := a.second.apply(windows(both, n, 2*askerConv, askerNarrow))
	for i, v := range h {
		h[i] = max(v, 0)
	}
	y := a.out.apply(h)
	out := make([]float32, n)
	for i := range out {
		out[i] = sigmoid(y[i*a.out.Width()])
	}
	return out
}

// windows returns each of n rows of x with as many about it as are size in all, zeros
// where there is none.
func windows(x []float32, n, width, size int) []float32 {
	out := make([]float32, n*size*width)
	for i := range n {
		for k := range size {
			if j := i + k - size/2; j >= 0 && j < n {
				copy(out[(i*size+k)*width:], x[j*width:][:width])
			}
		}
	}
	return out
}
