package embedding

import (
	"encoding/binary"
	"fmt"
	"math"
)

// The ranks of what an adapter changes: of the matrices, and of the table of pieces.
const (
	adapterRank = 16
	tableRank   = 16
)

// Adapted returns an encoder that reads as l does with the changes in raw, as
// internal/listening/training/adapter.py writes them: biases and norms in place of its own, and to
// each matrix and to the table of pieces the product of two thin ones (Hu et al., LoRA, 2021). Its
// name is l's with what is given. It takes 2 MB more, and no more texts are under way in both than in
// l alone. The error tells what is amiss in raw.
func (l *Lite) Adapted(raw []byte, name string) (*Lite, error) {
	a := new(adapter)
	if err := a.parse(raw); err != nil {
		return nil, fmt.Errorf("read adapter: %w", err)
	}
	out := &Lite{dir: l.dir, name: l.name + name, of: l, adapter: a, loading: make(chan struct{}, 1), workspaces: l.workspaces}
	out.loading <- struct{}{}
	return out, nil
}

// adapter is what is changed of a model.
type adapter struct {
	norms  []layerNorm // of each layer the two, in order
	thin   []thin      // of each layer the matrices, in the order of their use
	pieces []float32   // embedded rows of tableRank
	turn   []float32   // tableRank rows of tokenWidth
}

// thin is what is changed of a matrix: W + down·up and another bias.
type thin struct {
	down []float32 // in rows of adapterRank: one panel
	up   []float32 // in panels of adapterRank rows
	bias []float32
}

// The rank is a panel's width, so that what is changed is mapped as the matrices are.
var _ = [1]struct{}{}[adapterRank-panelWidth]

// add adds what is changed to rows of y, which are those of x mapped from in to out numbers.
func (t *thin) add(y, x []float32, rows, in, out int) {
	between, sum := make([]float32, rows*adapterRank), make([]float32, rows*panelWidth)
	var none [panelWidth]float32
	mapPanel(between, x, t.down, none[:], rows, in, adapterRank)
	for c := 0; c < out; c += panelWidth {
		mapPanel(sum, between, t.up[c*adapterRank:][:panelWidth*adapterRank], none[:], rows, adapterRank, panelWidth)
		for r := range rows {
			to := y[r*out+c:][:panelWidth]
			for k, v := range sum[r*panelWidth:][:panelWidth] {
				to[k] += v
			}
		}
	}
}

// maps returns the maps of a layer in the order that adapters have them.
func (l *layer) maps() []*matrix {
	list := []*matrix{&l.qkv, &l.out, &l.up, &l.down}
	if l.widen != nil {
		list = append(list, l.widen)
	}
	return list
}

// parse reads an adapter of the model's shape.
func (a *adapter) parse(raw []byte) error {
	shape := newModel()
	type wanted struct {
		to            *[]float32
		rows, columns int
	}
	var list []wanted
	a.norms, a.thin = make([]layerNorm, 4), make([]thin, 9)
	norms, maps := a.norms, a.thin
	for i := range shape.layers {
		l := &shape.layers[i]
		for k, columns := range []int{l.qkv.in, width} {
			list = append(list, wanted{&norms[k].scale, columns, 1}, wanted{&norms[k].bias, columns, 1})
		}
		all := l.maps()
		for k, m := range all {
			list = append(list, wanted{&maps[k].down, m.in, adapterRank}, wanted{&maps[k].up, adapterRank, m.out}, wanted{&maps[k].bias, m.out, 1})
		}
		norms, maps = norms[2:], maps[len(all):]
	}
	list = append(list, wanted{&a.pieces, embedded, tableRank}, wanted{&a.turn, tableRank, tokenWidth})
	for _, w := range list {
		v, err := ReadMatrix(&raw, w.rows, w.columns)
		if err != nil {
			return err
		}
		*w.to = v
	}
	if len(raw) > 0 {
		return fmt.Errorf("%d bytes too many", len(raw))
	}
	for i := range a.thin {
		t := &a.thin[i]
		up := matrix{in: adapterRank, out: len(t.bias)}
		up.set(t.up)
		t.up = up.panels
	}
	return nil
}

// apply returns m changed. They share what stays the same.
func (a *adapter) apply(m *model) *model {
	out := *m
	out.pieces, out.turn = a.pieces, a.turn
	norms, maps := a.norms, a.thin
	for i := range out.layers {
		l := &out.layers[i]
		l.attend, l.feed = norms[0], norms[1]
		if l.widen != nil {
			widen := *l.widen
			l.widen = &widen
		}
		all := l.maps()
		for k, x := range all {
			x.thin, x.bias = &maps[k], maps[k].bias
		}
		norms, maps = norms[2:], maps[len(all):]
	}
	return &out
}

// addLow adds to y the sum of the rows of m, columns numbers apart, each times scale and its
// number of by.
func addLow(y []float32, scale float32, by, m []float32, columns int) {
	for r, s := range by {
		s *= scale
		for i, v := range m[r*columns:][:len(y)] {
			y[i] += s * v
		}
	}
}

// ReadMatrix reads a matrix of that size from the beginning of raw, as the models that are part of
// the program are written: its rows and columns, a scale a row, and its numbers as bytes.
func ReadMatrix(raw *[]byte, rows, columns int) ([]float32, error) {
	n := 8 + 4*rows + rows*columns
	if len(*raw) < n {
		return nil, fmt.Errorf("%d bytes too few", n-len(*raw))
	}
	b := (*raw)[:n]
	*raw = (*raw)[n:]
	if r, c := int(binary.LittleEndian.Uint32(b)), int(binary.LittleEndian.Uint32(b[4:])); r != rows || c != columns {
		return nil, fmt.Errorf("a matrix of %d × %d stands in place of one of %d × %d", r, c, rows, columns)
	}
	out := make([]float32, rows*columns)
	scales, values := b[8:8+4*rows], b[8+4*rows:]
	for i := range rows {
		scale := math.Float32frombits(binary.LittleEndian.Uint32(scales[4*i:]))
		for k := range columns {
			out[i*columns+k] = scale * float32(int8(values[i*columns+k]))
		}
	}
	return out, nil
}
