package listening

import (
	_ "embed"
	"fmt"
	"math"
	"sync"

	"quaestor/internal/embedding"
)

// The sizes of the model; train.py has the same.
const (
	embedWidth    = 40  // of a word's parts
	shapeWidth    = 8   // of its shape
	askedWidth    = 16  // of the type that is asked for
	questionWidth = 32  // of the question's words
	squeezedWidth = 64  // of the encoder's states
	enterWidth    = 144 // of a word, all in all
	hidden        = 112 // of each direction of a layer
	tagCount      = 45  // nothing, and the first and a further word of a value of each type
	actCount      = 22
	typeCount     = 23
)

//go:embed weights.bin
var weights []byte

//go:embed readerweights.bin
var readerWeights []byte

// model is a tagger: for each word of a message, what it does and of which value it is
// part. Two layers of recurrent units read the words in both directions; a word is given
// as its parts, its shape, the encoder's state of it where there is one, and what was
// asked. MODEL.md tells how it is trained and how well it does.
type model struct {
	table        matrix
	shape, asked matrix
	state        affine
	question     affine
	enter        affine
	layers       [2][2]recurrent // forward and backward
	act, tag     affine
	begins, star affine
	yes          affine // of a yes or a no
}

// matrix is rows of numbers.
type matrix struct {
	rows, columns int
	v             []float32
}

func (m *matrix) row(i int) []float32 { return m.v[i*m.columns:][:m.columns] }

// affine is y = W·x + b, of rows.
type affine struct {
	*embedding.Linear

	in, out int
}

// apply returns the rows of x mapped, Width numbers apart.
func (a *affine) apply(x []float32) []float32 {
	rows := len(x) / a.in
	y := make([]float32, rows*a.Width())
	a.Apply(y, x, rows)
	return y
}

func dot(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + s2 + s3
}

// recurrent is one direction of a layer of gated recurrent units (GRU).
type recurrent struct {
	in, own affine // of the reset, update and new gates, one after the other
}

// run reads n rows of x in order, or backwards, and writes what it makes of each to y from
// column at on; y has rows of width columns.
func (r *recurrent) run(y []float32, width, at int, x []float32, n int, backwards bool) {
	size := r.own.in
	all := r.in.apply(x)
	h, own := make([]float32, size), make([]float32, r.own.Width())
	for k := range n {
		i := k
		if backwards {
			i = n - 1 - k
		}
		in := all[i*r.in.Width():]
		r.own.Apply(own, h, 1)
		for j := range size {
			reset := sigmoid(in[j] + own[j])
			update := sigmoid(in[size+j] + own[size+j])
			fresh := tanh(in[2*size+j] + reset*own[2*size+j])
			h[j] = (1-update)*fresh + update*h[j]
		}
		copy(y[i*width+at:][:size], h)
	}
}

func sigmoid(x float32) float32 { return float32(1 / (1 + math.Exp(-float64(x)))) }
func tanh(x float32) float32    { return float32(math.Tanh(float64(x))) }

// outputs are the model's for one word: probabilities.
type outputs struct {
	acts         [actCount]float32
	begins, star float32
	yes          float32 // where it is part of a yes or a no
	tags         [tagCount]float32
}

// question is what was asked, as the model reads it.
type question struct {
	asked  Type
	vector []float32 // questionWidth numbers
}

// ask returns the model's reading of a question, whose mean state is nil without an
// encoder.
func (m *model) ask(asked Type, hashes []uint16, state []float32) question {
	x := make([]float32, embedWidth+stateWidth)
	m.embed(x[:embedWidth], hashes)
	if state != nil {
		normalize(x[embedWidth:], state)
	}
	q := question{asked: asked, vector: m.question.apply(x)}
	for i, v := range q.vector {
		q.vector[i] = tanh(v)
	}
	return q
}

// embed sets y to the sum of the rows of hashes over the root of their number.
func (m *model) embed(y []float32, hashes []uint16) {
	for _, h := range hashes {
		for i, v := range m.table.row(int(h)) {
			y[i] += v
		}
	}
	scale := float32(1 / math.Sqrt(float64(max(len(hashes), 1))))
	for i := range y {
		y[i] *= scale
	}
}

// normalize sets y to x with mean 0 and variance 1.
func normalize(y, x []float32) {
	var sum, square float64
	for _, v := range x {
		sum += float64(v)
		square += float64(v) * float64(v)
	}
	n := float64(len(x))
	mean := sum / n
	scale := 1 / math.Sqrt(square/n-mean*mean+1e-5) // as PyTorch's layer_norm
	for i, v := range x {
		y[i] = float32((float64(v) - mean) * scale)
	}
}

// read returns the outputs for tokens; states is nil without an encoder.
func (m *model) read(q question, tokens []token, states [][]float32) []outputs {
	n := len(tokens)
	input := m.enter.in
	in := make([]float32, n*input)
	squeezed := m.squeeze(states)
	for i, t := range tokens {
		rest := in[i*input:][:input]
		next := func(width int) []float32 { v := rest[:width]; rest = rest[width:]; return v }
		m.embed(next(embedWidth), t.hashes)
		copy(next(shapeWidth), m.shape.row(int(t.shape)))
		for k, f := range t.flags {
			if f {
				rest[k] = 1
			}
		}
		next(flagCount)
		if state := next(squeezedWidth); states != nil {
			copy(state, squeezed[i*squeezedWidth:])
		}
		copy(next(askedWidth), m.asked.row(int(q.asked)))
		copy(rest, q.vector)
	}
	x := m.enter.apply(in)
	for k, v := range x {
		x[k] = max(v, 0)
	}
	const width = 4 * hidden
	h := make([]float32, n*width)
	first := make([]float32, n*2*hidden)
	m.layers[0][0].run(first, 2*hidden, 0, x, n, false)
	m.layers[0][1].run(first, 2*hidden, hidden, x, n, true)
	for i := range n {
		copy(h[i*width:], first[i*2*hidden:][:2*hidden])
	}
	m.layers[1][0].run(h, width, 2*hidden, first, n, false)
	m.layers[1][1].run(h, width, 3*hidden, first, n, true)
	return m.heads(h, n)
}

// squeeze returns the encoder's states in squeezedWidth numbers each.
func (m *model) squeeze(states [][]float32) []float32 {
	if states == nil {
		return nil
	}
	norm := make([]float32, len(states)*stateWidth)
	for i, s := range states {
		normalize(norm[i*stateWidth:][:stateWidth], s)
	}
	y := m.state.apply(norm)
	for k, v := range y {
		y[k] = tanh(v)
	}
	return y
}

// heads returns the outputs for n words.
func (m *model) heads(h []float32, n int) []outputs {
	out := make([]outputs, n)
	acts, tags, begins, star, yes := m.act.apply(h), m.tag.apply(h), m.begins.apply(h), m.star.apply(h), m.yes.apply(h)
	for i := range out {
		o := &out[i]
		copy(o.acts[:], acts[i*m.act.Width():])
		embedding.Softmax(o.acts[:])
		copy(o.tags[:], tags[i*m.tag.Width():])
		embedding.Softmax(o.tags[:])
		o.begins, o.star, o.yes = sigmoid(begins[i*m.begins.Width()]), sigmoid(star[i*m.star.Width()]), sigmoid(yes[i*m.yes.Width()])
	}
	return out
}

// loaded returns the model that reads without an encoder. It takes 8 MB.
var loaded = sync.OnceValue(func() *model {
	m, raw := new(model), weights
	err := m.table.parse(&raw, buckets, embedWidth)
	if err == nil {
		err = m.parse(raw)
	}
	if err != nil {
		panic(fmt.Sprintf("listening: weights.bin: %v", err)) // it is compiled in
	}
	return m
})

// reader returns the model that reads with the states of the encoder that was taught. It has the
// table of word parts of the other one, and takes 2 MB more.
var reader = sync.OnceValue(func() *model {
	m := &model{table: loaded().table}
	if err := m.parse(readerWeights); err != nil {
		panic(fmt.Sprintf("listening: readerweights.bin: %v", err)) // it is compiled in
	}
	return m
})

// parse reads weights but the table as train.py writes them: for each matrix its rows and columns,
// a scale a row, and its numbers as bytes.
func (m *model) parse(raw []byte) error {
	input := embedWidth + shapeWidth + flagCount + squeezedWidth + askedWidth + questionWidth
	if err := m.shape.parse(&raw, shapes, shapeWidth); err != nil {
		return err
	}
	if err := m.asked.parse(&raw, typeCount, askedWidth); err != nil {
		return err
	}
	list := []layer{{&m.state, squeezedWidth, stateWidth}, {&m.question, questionWidth, embedWidth + stateWidth}, {&m.enter, enterWidth, input}}
	for l, width := range []int{enterWidth, 2 * hidden} {
		for direction := range 2 {
			r := &m.layers[l][direction]
			list = append(list, layer{&r.in, 3 * hidden, width}, layer{&r.own, 3 * hidden, hidden})
		}
	}
	list = append(list, layer{&m.act, actCount, 4 * hidden}, layer{&m.begins, 1, 4 * hidden}, layer{&m.tag, tagCount, 4 * hidden}, layer{&m.star, 1, 4 * hidden}, layer{&m.yes, 1, 4 * hidden})
	return parseLayers(raw, list)
}

// layer is where a layer of weights belongs, and its size.
type layer struct {
	to      *affine
	out, in int
}

// parseLayers reads layers of weights, and nothing behind them.
func parseLayers(raw []byte, list []layer) error {
	for _, l := range list {
		if err := l.to.parse(&raw, l.out, l.in); err != nil {
			return err
		}
	}
	if len(raw) > 0 {
		return fmt.Errorf("%d bytes too many", len(raw))
	}
	return nil
}

// parse reads a map to that many outputs from that many inputs from the beginning of raw.
func (a *affine) parse(raw *[]byte, out, in int) error {
	var w, bias matrix
	if err := w.parse(raw, out, in); err != nil {
		return err
	}
	if err := bias.parse(raw, out, 1); err != nil {
		return err
	}
	*a = affine{embedding.NewLinear(w.v, bias.v, in, out), in, out}
	return nil
}

// parse reads a matrix of that size from the beginning of raw.
func (m *matrix) parse(raw *[]byte, rows, columns int) error {
	v, err := embedding.ReadMatrix(raw, rows, columns)
	*m = matrix{rows: rows, columns: columns, v: v}
	return err
}
