package embedding

// panelWidth is how many columns of a matrix lie side by side: one cache line.
const panelWidth = 16

// matrix is an affine map, y = x·W + b. W is kept in panels of panelWidth
// columns, each panel row by row, so that the innermost loop reads straight on
// and a panel stays in the nearest cache for all rows of x.
type matrix struct {
	in, out int       // out is a multiple of panelWidth
	panels  []float32 // in × out
	bias    []float32 // out
	thin    *thin     // what is added to W; nil for nothing
}

// set takes W as rows of out numbers each.
func (m *matrix) set(weights []float32) {
	m.panels = make([]float32, 0, m.in*m.out)
	for c := 0; c < m.out; c += panelWidth {
		for k := range m.in {
			m.panels = append(m.panels, weights[k*m.out+c:][:panelWidth]...)
		}
	}
}

// times sets the rows of y, out numbers each, to those of x, in numbers each,
// mapped. There is at least one row; y and x must not overlap.
func (m *matrix) times(y, x []float32, rows int) {
	for c := 0; c < m.out; c += panelWidth {
		mapPanel(y[c:], x, m.panels[c*m.in:][:panelWidth*m.in], m.bias[c:][:panelWidth], rows, m.in, m.out)
	}
	if m.thin != nil {
		m.thin.add(y, x, rows, m.in, m.out)
	}
}
