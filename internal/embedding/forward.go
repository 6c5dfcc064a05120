package embedding

import (
	"context"
	"math"
)

// Small numbers that keep divisions sane, as the original has them.
const (
	normFloor   = 1e-6  // added to a variance
	lengthFloor = 1e-12 // the least square of a vector's length
)

// workspace is the memory that encoding one text needs, 1.8 MB. It serves one text at
// a time and is reused for the next.
type workspace struct {
	x     []float32 // what the tokens have become
	next  []float32 // what they become after the block at hand
	h     []float32 // the same, normed
	wide  []float32 // queries, keys and values; or between the feed-forward halves
	heads []float32 // what the heads of attention gathered
}

// newWorkspace returns memory for maxTokens tokens.
func newWorkspace() *workspace {
	rows := func(columns int) []float32 { return make([]float32, maxTokens*columns) }
	return &workspace{x: rows(width), next: rows(width), h: rows(width), wide: rows(feedWidth), heads: rows(width)}
}

// encode returns the vector of tokens, of which there are 1 to maxTokens. It
// looks at ctx between blocks, for a long text takes up to 0.3 s on processors
// without vector instructions, and returns nil when it has ended.
func (m *model) encode(ctx context.Context, b *workspace, tokens []int32) []float32 {
	if !m.run(ctx, b, tokens) {
		return nil
	}
	return m.finish(b, len(tokens))
}

// run leaves the last layer's states of tokens in b.x. It reports false when ctx has
// ended.
func (m *model) run(ctx context.Context, b *workspace, tokens []int32) bool {
	m.begin(b, tokens)
	for i := range m.layers {
		l := &m.layers[i]
		for _, block := range []func(*workspace, int){l.attention, l.feedForward} {
			if ctx.Err() != nil {
				return false
			}
			block(b, len(tokens))
		}
	}
	return true
}

// begin looks the tokens up and marks their positions.
func (m *model) begin(b *workspace, tokens []int32) {
	for pos, id := range tokens {
		row := b.x[pos*tokenWidth:][:tokenWidth]
		wave := m.waves[pos*tokenWidth:][:tokenWidth]
		for i, v := range m.table[int(id)*tokenWidth:][:tokenWidth] {
			row[i] = 2*v + wave[i]
		}
		if m.pieces != nil {
			addLow(row, 2, m.pieces[int(id)*tableRank:][:tableRank], m.turn, tokenWidth)
		}
	}
}

// attention lets every token gather from all, and adds that to it.
func (l *layer) attention(b *workspace, rows int) {
	l.attend.apply(b.h, b.x, rows)
	l.qkv.times(b.wide, b.h, rows)
	for head := range heads {
		l.gather(b, rows, head)
	}
	l.out.times(b.next, b.heads, rows)
	around := b.x
	if l.widen != nil {
		l.widen.times(b.h, b.x, rows)
		around = b.h
	}
	add(b.next[:rows*width], around)
	b.x, b.next = b.next, b.x
}

// gather is one head of attention: the values of all tokens, weighed by how well
// their keys answer the token's query. Keys, then values, are laid out as a matrix
// to map the queries, then their weights, through: so one head of 100 tokens takes a
// third of the time.
func (l *layer) gather(b *workspace, rows, head int) {
	columns := l.qkv.in
	n := columns / heads
	at := func(row, part int) []float32 { return b.wide[row*3*columns+part*columns+head*n:][:n] }
	around := (rows + panelWidth - 1) / panelWidth * panelWidth // rows, filled up to whole panels
	scale := float32(1 / math.Sqrt(float64(n)))
	queries, keys, values, weights := b.quarter(0), b.quarter(1), b.quarter(2), b.quarter(3)
	clear(keys[:around*n])
	clear(values[:around*n])
	for row := range rows {
		query, key, value := at(row, 0), at(row, 1), at(row, 2)
		panel := keys[row/panelWidth*panelWidth*n+row%panelWidth:]
		for i := range n {
			queries[row*n+i] = scale * query[i]
			panel[i*panelWidth] = key[i]
		}
		for c := 0; c < n; c += panelWidth {
			copy(values[c*around+row*panelWidth:], value[c:][:panelWidth])
		}
	}
	for c := 0; c < around; c += panelWidth {
		mapPanel(weights[c:], queries, keys[c*n:][:panelWidth*n], nothing[:], rows, n, around)
	}
	for row := range rows {
		Softmax(weights[row*around:][:rows])
		clear(weights[row*around+rows:][:around-rows])
	}
	for c := 0; c < n; c += panelWidth {
		mapPanel(b.heads[head*n+c:], weights, values[c*around:][:panelWidth*around], nothing[:], rows, around, columns)
	}
}

// nothing is the bias of a map that adds none.
var nothing [panelWidth]float32

// quarter returns the i-th quarter of the room for what the tokens become, which
// is free until a block writes there: enough for one head of maxTokens tokens.
func (b *workspace) quarter(i int) []float32 {
	n := len(b.next) / 4
	return b.next[i*n:][:n]
}

// feedForward maps every token by itself, and adds that to it.
func (l *layer) feedForward(b *workspace, rows int) {
	l.feed.apply(b.h, b.x, rows)
	l.up.times(b.wide, b.h, rows)
	for i, v := range b.wide[:rows*feedWidth] {
		b.wide[i] = max(v, 0)
	}
	l.down.times(b.next, b.wide, rows)
	add(b.x[:rows*width], b.next)
}

// finish returns the mean of the tokens, mapped and scaled to length 1.
func (m *model) finish(b *workspace, rows int) []float32 {
	mean := b.h[:width]
	clear(mean)
	for row := range rows {
		add(mean, b.x[row*width:])
	}
	for i := range mean {
		mean[i] /= float32(rows)
	}
	out := make([]float32, liteDimension)
	m.top.times(out, mean, 1)
	for i, v := range out {
		out[i] = float32(math.Tanh(float64(v)))
	}
	scale := float32(1 / math.Sqrt(max(squares(out), lengthFloor)))
	for i := range out {
		out[i] *= scale
	}
	return out
}

// apply sets the rows of y to those of x, normed.
func (n *layerNorm) apply(y, x []float32, rows int) {
	columns := len(n.scale)
	for row := range rows {
		n.row(y[row*columns:][:columns], x[row*columns:][:columns])
	}
}

// row norms one row.
func (n *layerNorm) row(y, x []float32) {
	var sum, square float64
	for _, v := range x {
		sum += float64(v)
	}
	mean := sum / float64(len(x))
	for _, v := range x {
		square += (float64(v) - mean) * (float64(v) - mean)
	}
	scale := 1 / math.Sqrt(square/float64(len(x))+normFloor)
	for i, v := range x {
		y[i] = float32((float64(v)-mean)*scale)*n.scale[i] + n.bias[i]
	}
}

// Softmax turns scores into weights that sum to 1.
func Softmax(score []float32) {
	top := score[0]
	for _, v := range score {
		top = max(top, v)
	}
	var sum float64
	for i, v := range score {
		e := math.Exp(float64(v - top))
		score[i] = float32(e)
		sum += e
	}
	for i := range score {
		score[i] = float32(float64(score[i]) / sum)
	}
}

// add adds w to v, as far as v goes.
func add(v, w []float32) {
	w = w[:len(v)]
	for i := range v {
		v[i] += w[i]
	}
}
