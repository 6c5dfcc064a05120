package audio

import (
	"math"
	"math/bits"
)

// window is how many samples a spectrum is of, 32 ms; a frame that is shorter is filled up
// with zeros.
const window = 512

// transform is a Fourier transform of [window] real samples, radix 2, in place.
type transform struct {
	re, im   [window]float64
	cos, sin [window / 2]float64
	reversed [window]int
}

func newTransform() *transform {
	t := new(transform)
	for i := range t.cos {
		t.sin[i], t.cos[i] = math.Sincos(2 * math.Pi * float64(i) / window)
	}
	shift := bits.UintSize - bits.Len(window-1)
	for i := range t.reversed {
		t.reversed[i] = int(bits.Reverse(uint(i)) >> shift)
	}
	return t
}

// power writes into out the power of each bin, of samples that are already in t.re in
// reversed order.
func (t *transform) power(out *[window / 2]float64) {
	clear(t.im[:])
	for size := 2; size <= window; size *= 2 {
		half, step := size/2, window/size
		for start := 0; start < window; start += size {
			for k := range half {
				a, b := start+k, start+k+half
				c, s := t.cos[k*step], t.sin[k*step]
				re := t.re[b]*c + t.im[b]*s
				im := t.im[b]*c - t.re[b]*s
				t.re[b], t.im[b] = t.re[a]-re, t.im[a]-im
				t.re[a], t.im[a] = t.re[a]+re, t.im[a]+im
			}
		}
	}
	for i := range out {
		out[i] = t.re[i]*t.re[i] + t.im[i]*t.im[i]
	}
}
