package embedding

// tile is how many columns are summed at once: with two rows that is as many
// sums as stay in registers.
const tile = 4

// mapPanelPlain sets panelWidth numbers of each row of y, out apart, to the rows
// of x, in numbers each, mapped through one panel and its part of the bias.
func mapPanelPlain(y, x, panel, bias []float32, rows, in, out int) {
	for row := 0; row < rows; row += 2 {
		next := min(row+1, rows-1) // a last row without another is mapped twice
		twoRows(y[row*out:], y[next*out:], x[row*in:][:in], x[next*in:][:in], panel, bias)
	}
}

// twoRows maps two rows through one panel.
func twoRows(y0, y1, x0, x1, panel, bias []float32) {
	x1 = x1[:len(x0)]
	for c := 0; c < panelWidth; c += tile {
		a0, a1, a2, a3 := bias[c], bias[c+1], bias[c+2], bias[c+3]
		b0, b1, b2, b3 := a0, a1, a2, a3
		w := panel[c:]
		for k, a := range x0 {
			b := x1[k]
			p := (*[tile]float32)(w[k*panelWidth:])
			a0 += a * p[0]
			a1 += a * p[1]
			a2 += a * p[2]
			a3 += a * p[3]
			b0 += b * p[0]
			b1 += b * p[1]
			b2 += b * p[2]
			b3 += b * p[3]
		}
		*(*[tile]float32)(y0[c:]) = [tile]float32{a0, a1, a2, a3}
		*(*[tile]float32)(y1[c:]) = [tile]float32{b0, b1, b2, b3}
	}
}
