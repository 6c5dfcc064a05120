package embedding

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Both ways through a panel agree with sums written out.
func TestTimesIsTheSumOfProducts(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		m := &matrix{in: rapid.IntRange(1, 70).Draw(t, "in"), out: panelWidth * rapid.IntRange(1, 3).Draw(t, "panels")}
		rows := rapid.IntRange(1, 13).Draw(t, "rows")
		weights := noise(m.in * m.out)
		m.set(weights)
		m.bias = noise(m.out)
		x := noise(rows*m.in + 1)[1:]

		fast, plain := make([]float32, rows*m.out), make([]float32, rows*m.out)
		m.times(fast, x, rows)
		for c := 0; c < m.out; c += panelWidth {
			mapPanelPlain(plain[c:], x, m.panels[c*m.in:][:panelWidth*m.in], m.bias[c:], rows, m.in, m.out)
		}

		for i := range fast {
			row, column := i/m.out, i%m.out
			want := float64(m.bias[column])
			for k := range m.in {
				want += float64(x[row*m.in+k]) * float64(weights[k*m.out+column])
			}
			if near(fast[i], want) && near(plain[i], want) {
				continue
			}
			t.Fatalf("%d rows, %d to %d: row %d column %d is %v, plainly %v, want %v", rows, m.in, m.out, row, column, fast[i], plain[i], want)
		}
	})
}

// near allows for what float32 sums of 70 products lose.
func near(got float32, want float64) bool { return math.Abs(float64(got)-want) < 1e-4 }

// What lies beyond the rows is left alone.
func TestTimesKeepsWithinItsRows(t *testing.T) {
	t.Parallel()

	const rows, in, guard = 5, 3, 77
	m := &matrix{in: in, out: panelWidth, bias: noise(panelWidth)}
	m.set(noise(in * panelWidth))
	y := make([]float32, (rows+4)*panelWidth)
	for i := range y {
		y[i] = guard
	}

	m.times(y, noise(rows*in), rows)

	for i, v := range y {
		if (i >= rows*panelWidth) != (v == guard) {
			t.Fatalf("number %d is %v", i, v)
		}
	}
}

func TestSoftmaxSumsToOne(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		score := rapid.SliceOfN(rapid.Float32Range(-1e4, 1e4), 1, 40).Draw(t, "score")
		Softmax(score)
		var sum float64
		for _, v := range score {
			if v < 0 || v > 1 {
				t.Fatalf("a weight of %v", v)
			}
			sum += float64(v)
		}
		if math.Abs(sum-1) > 1e-5 {
			t.Fatalf("weights sum to %v", sum)
		}
	})
}

func TestNormingHasMeanZeroAndVarianceOne(t *testing.T) {
	t.Parallel()

	one, zero := make([]float32, width), make([]float32, width)
	for i := range one {
		one[i] = 1
	}
	n := &layerNorm{scale: one, bias: zero}
	y := make([]float32, width)

	n.apply(y, noise(width), 1)

	var sum float64
	for _, v := range y {
		sum += float64(v)
	}
	if variance := squares(y) / width; math.Abs(sum/width) > 1e-6 || math.Abs(variance-1) > 1e-4 {
		t.Errorf("mean %v, variance %v, want 0 and 1", sum/width, variance)
	}
	n.apply(y, zero, 1)
	if squares(y) != 0 {
		t.Errorf("a row without variance gives %v, want zeros", y[:4])
	}
}
