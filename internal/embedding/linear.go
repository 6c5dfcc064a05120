package embedding

// Linear is an affine map of rows, y = W·x + b, for the small models that read with the
// encoder. It may be used by any number of goroutines.
type Linear struct {
	m   matrix
	out int // what is asked for; m.out is that rounded up to panels
}

// NewLinear returns the map with a row of weights, in numbers long, for each of out
// outputs, and a bias for each.
func NewLinear(weights, bias []float32, in, out int) *Linear {
	wide := (out + panelWidth - 1) / panelWidth * panelWidth
	l := &Linear{m: matrix{in: in, out: wide, bias: make([]float32, wide)}, out: out}
	copy(l.m.bias, bias)
	columns := make([]float32, in*wide)
	for o := range out {
		for k := range in {
			columns[k*wide+o] = weights[o*in+k]
		}
	}
	l.m.set(columns)
	return l
}

// Width returns how many numbers a row of Apply's result takes: the outputs, rounded up.
func (l *Linear) Width() int { return l.m.out }

// Apply sets the rows of y, Width numbers apart, to those of x mapped. x holds rows of as
// many numbers as the map takes; there is at least one, and y and x do not overlap.
func (l *Linear) Apply(y, x []float32, rows int) { l.m.times(y, x, rows) }
