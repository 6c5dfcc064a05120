package audio

import (
	"math"
	"math/rand/v2"
)

// widerBy is how much softer than the speech the noise of [Widened] is, in dB. Of the words of
// twenty answers that flite says over a telephone pocketsphinx hears most at this level
// (BenchmarkTelephoneWords of chat/voice).
const widerBy = 28

// Widened returns samples at [Rate] that came over a telephone, with faint noise between 4 and 8
// kHz, where a telephone carries nothing. Recognisers that learned from wide sound take nothing at
// all in that band for a voice that they do not know, and hear hardly a word. The noise is the
// same every time.
func Widened(samples []int16) []int16 {
	r, err := NewResampler(Rate/2, Rate)
	if err != nil || len(samples) == 0 {
		return samples
	}
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // noise
	low := make([]int16, len(samples)/2+Rate/100)
	for i := range low {
		low[i] = int16(random.IntN(1<<15) - 1<<14)
	}
	noise := r.Flush(r.Resample(nil, low)) // of 0 to 4 kHz
	gain := math.Pow(10, (Level(samples)-widerBy-Level(noise))/20)
	out := make([]int16, len(samples))
	for i, v := range samples {
		n := 0.0
		if i < len(noise) {
			n = gain * float64(noise[i])
		}
		if i%2 == 1 { // which turns the spectrum around
			n = -n
		}
		out[i] = int16(math.Round(min(max(float64(v)+n, math.MinInt16), math.MaxInt16)))
	}
	return out
}
