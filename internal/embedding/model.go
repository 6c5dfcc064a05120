package embedding

import (
	"fmt"
	"math"
)

// The shape of USE-lite.
const (
	liteDimension = 512
	tokenWidth    = 256  // numbers a token begins with
	width         = 512  // numbers a token has from the first layer on
	feedWidth     = 1536 // numbers between the two halves of a feed-forward block
	heads         = 4    // of attention
	embedded      = 8002 // rows of the table of tokens: the vocabulary and two spare
)

// model is the network and its tokenizer. It does not change once loaded.
type model struct {
	tokenizer *tokenizer
	table     []float32 // embedded rows of tokenWidth
	pieces    []float32 // embedded rows of tableRank, which change the table by their product with turn; nil for none
	turn      []float32
	rates     []float32 // how fast each of the position's waves turns; tokenWidth/2
	waves     []float32 // maxTokens rows of tokenWidth: sines, then cosines
	layers    [2]layer
	top       matrix
}

// layer is a transformer layer: attention, then a feed-forward block, each with
// its input normalised and added to what it gives.
type layer struct {
	attend   layerNorm
	qkv      matrix // queries, keys and values side by side
	out      matrix
	widen    *matrix // the way round attention where the width changes; else nil
	feed     layerNorm
	up, down matrix
}

// layerNorm scales rows to mean 0 and variance 1, then by number.
type layerNorm struct{ scale, bias []float32 }

// loadModel reads the files of dir, each of which must be the one we know.
func loadModel(dir string) (*model, error) {
	words, err := readFile(dir, "vocab.json")
	if err != nil {
		return nil, err
	}
	graph, err := readFile(dir, "model.json")
	if err != nil {
		return nil, err
	}
	m := newModel()
	if m.tokenizer, err = newTokenizer(words); err != nil {
		return nil, damaged("vocab.json", err)
	}
	list, err := listed(graph)
	if err != nil {
		return nil, damaged("model.json", err)
	}
	if err := fill(m.slots(), list, newShards(dir)); err != nil {
		return nil, err
	}
	m.waves = waves(m.rates)
	return m, nil
}

// newModel returns a model that has its shape and no numbers.
func newModel() *model {
	first := layer{
		qkv: matrix{in: tokenWidth, out: 3 * tokenWidth}, out: matrix{in: tokenWidth, out: width},
		widen: &matrix{in: tokenWidth, out: width},
	}
	second := layer{qkv: matrix{in: width, out: 3 * width}, out: matrix{in: width, out: width}}
	m := &model{layers: [2]layer{first, second}, top: matrix{in: width, out: liteDimension}}
	for i := range m.layers {
		m.layers[i].up = matrix{in: width, out: feedWidth}
		m.layers[i].down = matrix{in: feedWidth, out: width}
	}
	return m
}

// Where the tensors' names begin: kernels, what was joined from parts, and what
// was reshaped, each have their own root.
const (
	kernels  = "module/Encoder_en/KonaTransformer/Encode/"
	joined   = "module_apply_default/Encoder_en/KonaTransformer/Encode/"
	reshaped = joined + "TransformerStack/"
	parts    = "/ConcatPartitions/concat"
)

// slots names the tensors of the original and where each goes.
func (m *model) slots() map[string]slot {
	s := map[string]slot{
		"module/Embeddings_en": {embedded, tokenWidth, func(v []float32) { m.table = v }},
		reshaped + "Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1": {1, tokenWidth / 2, func(v []float32) { m.rates = v }},
	}
	m.top.slots(s, "module/Encoder_en/hidden_layers/tanh_layer_0/weights", "module/Encoder_en/hidden_layers/tanh_layer_0/bias")
	for i := range m.layers {
		m.layers[i].slots(s, fmt.Sprintf("Layer_%d/TransformerLayer/", i))
	}
	return s
}

// slots adds the tensors of a layer, named by its place in the stack.
func (l *layer) slots(s map[string]slot, name string) {
	const attention = "MultiheadAttention/"
	l.attend.slots(s, joined+name+"layer_prepostprocess/layer_norm/layer_norm_", l.qkv.in)
	l.qkv.slots(s, kernels+name+attention+"qkv_transform_single/kernel/part_0", joined+name+attention+"qkv_transform_single/bias"+parts)
	l.out.slots(s, kernels+name+attention+"output_transform_single/kernel/part_0", joined+name+attention+"output_transform_single/bias"+parts)
	if l.widen != nil {
		l.widen.slots(s, joined+name+"dense/kernel"+parts, joined+name+"dense/bias"+parts)
	}
	l.feed.slots(s, joined+name+"FFN/layer_prepostprocess/layer_norm/layer_norm_", width)
	l.up.slots(s, reshaped+name+"FFN/conv1/Tensordot/Reshape_1", joined+name+"FFN/conv1/bias"+parts)
	l.down.slots(s, reshaped+name+"FFN/conv2/Tensordot/Reshape_1", joined+name+"FFN/conv2/bias"+parts)
}

// slots adds the two tensors of an affine map.
func (m *matrix) slots(s map[string]slot, weights, bias string) {
	s[weights] = slot{m.in, m.out, m.set}
	s[bias] = slot{1, m.out, func(v []float32) { m.bias = v }}
}

// slots adds the two tensors of a norming of rows of so many columns.
func (n *layerNorm) slots(s map[string]slot, name string, columns int) {
	s[name+"scale"+parts] = slot{1, columns, func(v []float32) { n.scale = v }}
	s[name+"bias"+parts] = slot{1, columns, func(v []float32) { n.bias = v }}
}

// waves returns what is added to a token for its position, for every position.
func waves(rates []float32) []float32 {
	var out []float32
	for pos := range maxTokens {
		for _, rate := range rates {
			out = append(out, float32(math.Sin(float64(float32(pos)*rate))))
		}
		for _, rate := range rates {
			out = append(out, float32(math.Cos(float64(float32(pos)*rate))))
		}
	}
	return out
}
