package audio

import (
	"math"
	"math/rand/v2"
)

// widerBy is how much softer than the speech the noise of [Widened] is, in dB. Of the words of
// twenty answers that flite says over a telephone, pocketsphinx misses 74 % with it, 79 % with a louder
// one and 97 % without (BenchmarkTelephoneWords of chat/voice).
const widerBy = 28

// Where the noise of [Widened] begins, in Hz: a telephone's filter is falling by then.
const widerFrom = 3700

// highPass is a filter of noise from widerFrom on: a windowed sinc.
var highPass = func() (taps [63]float64) {
	const middle = len(taps) / 2
	for i := range taps {
		x := float64(i - middle)
		low := 2.0 * widerFrom / Rate
		if x != 0 {
			low = math.Sin(2*math.Pi*widerFrom/Rate*x) / (math.Pi * x)
		}
		taps[i] = -low * (0.54 + 0.46*math.Cos(math.Pi*x/float64(middle+1)))
	}
	taps[middle]++
	return taps
}()

// Widened returns samples at [Rate] that came over a telephone, with faint noise up to 8 kHz,
// where a telephone carries nothing. Recognisers that learned from wide sound take silence in that
// band for a voice that they do not know, and hear hardly a word. The noise is the same every time.
func Widened(samples []int16) []int16 {
	if len(samples) == 0 {
		return samples
	}
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // noise
	white := make([]float64, len(samples)+len(highPass))
	for i := range white {
		white[i] = 2*random.Float64() - 1
	}
	noise, power := make([]float64, len(samples)), 0.0
	for i := range noise {
		for j, tap := range highPass {
			noise[i] += tap * white[i+j]
		}
		power += noise[i] * noise[i]
	}
	gain := math.MaxInt16 * math.Pow(10, (Level(samples)-widerBy)/20) / math.Sqrt(power/float64(len(noise)))
	out := make([]int16, len(samples))
	for i, v := range samples {
		out[i] = int16(math.Round(min(max(float64(v)+gain*noise[i], math.MinInt16), math.MaxInt16)))
	}
	return out
}
