package audio

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"quaestor/internal/fault"
)

// rates are those that a [Resampler] knows, in samples a second: of telephones, of
// speech, of the voices of models and of sound cards.
var rates = []int{8000, 16000, 22050, 24000, 32000, 44100, 48000}

// Shape of the filter. 32 samples of the lower rate with a Kaiser window of β 8 leave less
// than −75 dB of what is above the lower rate's half; the pass band ends at 92 % of it.
const (
	filterSpan = 32
	kaiserBeta = 8.0
	passBand   = 0.92
)

// Resampler changes the rate of a stream. It is a polyphase filter of windowed sinc
// (Oppenheim and Schafer, Discrete-Time Signal Processing, 4.6 and 7.5), so that every
// frequency is delayed alike; that delay is taken off, and sample n of the output is the
// same instant as the input's. Frames may have any length: the output does not depend on
// where the input was cut.
type Resampler struct {
	up, down int         // the rate is multiplied by up and divided by down
	phases   [][]float64 // coefficients by phase, the oldest sample first; shared, and never written
	buffer   []float64   // samples that are still needed
	first    int         // position of buffer[0] in the input
	in, out  int         // samples taken and given so far
}

// NewResampler returns a Resampler between two rates, in samples a second. Rates other than
// 8,000, 16,000, 22,050, 24,000, 32,000, 44,100 and 48,000 are Unprocessable.
func NewResampler(from, to int) (*Resampler, error) {
	for _, rate := range []int{from, to} {
		if !slices.Contains(rates, rate) {
			return nil, fault.New(fault.Unprocessable, "sound has one of the rates %s Hz, not %d", listed(rates), rate).At("rate")
		}
	}
	shared := gcd(from, to)
	r := &Resampler{up: to / shared, down: from / shared}
	if from != to {
		r.phases = filterOf(r.up, r.down)
	}
	r.reset()
	return r, nil
}

func listed(numbers []int) string {
	words := make([]string, len(numbers))
	for i, n := range numbers {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, ", ")
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// filters keeps what filter returned, by its arguments: there are few pairs of rates, and
// every sentence that is spoken needs one.
var filters sync.Map

func filterOf(up, down int) [][]float64 {
	if known, ok := filters.Load([2]int{up, down}); ok {
		return known.([][]float64)
	}
	made, _ := filters.LoadOrStore([2]int{up, down}, filter(up, down))
	return made.([][]float64)
}

// filter returns the coefficients of each phase. Each adds up to 1, so that a constant
// stays what it is.
func filter(up, down int) [][]float64 {
	taps := filterSpan * max(up, down) / up
	taps += taps % 2
	middle := float64(taps*up) / 2
	cutoff := passBand / float64(max(up, down)) // of half the rate between the two
	phases := make([][]float64, up)
	for p := range phases {
		phases[p] = make([]float64, taps)
		sum := 0.0
		for j := range taps {
			x := float64(p+j*up) - middle
			h := kaiser(x/middle) * sinc(cutoff*x)
			phases[p][j] = h
			sum += h
		}
		for j := range phases[p] {
			phases[p][j] /= sum
		}
		slices.Reverse(phases[p])
	}
	return phases
}

// dot returns the sum of the products of two slices of the same length. Four
// sums under way at once keep the processor from waiting for each addition.
func dot(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	b = b[:len(a)]
	for len(a) >= 4 && len(b) >= 4 {
		s0 += a[0] * b[0]
		s1 += a[1] * b[1]
		s2 += a[2] * b[2]
		s3 += a[3] * b[3]
		a, b = a[4:], b[4:]
	}
	for i, v := range a {
		s0 += v * b[i]
	}
	return s0 + s1 + s2 + s3
}

func sinc(x float64) float64 {
	if x == 0 {
		return 1
	}
	return math.Sin(math.Pi*x) / (math.Pi * x)
}

// kaiser is the window of that name at x, −1 to 1.
func kaiser(x float64) float64 {
	return bessel(kaiserBeta*math.Sqrt(max(1-x*x, 0))) / bessel(kaiserBeta)
}

// bessel is the modified Bessel function of the first kind and order 0, by its series.
func bessel(x float64) float64 {
	sum, term := 1.0, 1.0
	for k := 1; term > sum*1e-12; k++ {
		term *= (x / 2 / float64(k)) * (x / 2 / float64(k))
		sum += term
	}
	return sum
}

// reset makes r as new: silence was before the first sample.
func (r *Resampler) reset() {
	r.in, r.out, r.first = 0, 0, 0
	if r.phases == nil {
		return
	}
	taps := len(r.phases[0])
	r.first = -taps
	r.buffer = slices.Grow(r.buffer[:0], 4*taps)[:taps]
	clear(r.buffer)
}

// Resample appends to dst what samples become, as far as the samples after them need not
// be known. The rest comes with the next call, or with [Resampler.Flush].
func (r *Resampler) Resample(dst, samples []int16) []int16 {
	r.in += len(samples)
	if r.phases == nil {
		r.out += len(samples)
		return append(dst, samples...)
	}
	dst = slices.Grow(dst, len(samples)*r.up/r.down+1)
	for len(samples) > 0 { // a long recording is not held as a whole
		n := min(len(samples), blockSize)
		for _, s := range samples[:n] {
			r.buffer = append(r.buffer, float64(s))
		}
		dst, samples = r.drain(dst, math.MaxInt), samples[n:]
	}
	return dst
}

// blockSize is how many samples are taken at a time.
const blockSize = 2048

// Flush appends what is still to come of the stream, and makes r ready for another.
// Altogether n samples have become n·to/from, rounded up.
func (r *Resampler) Flush(dst []int16) []int16 {
	if r.phases != nil {
		for range len(r.phases[0]) {
			r.buffer = append(r.buffer, 0)
		}
		dst = r.drain(dst, (r.in*r.up+r.down-1)/r.down)
	}
	r.reset()
	return dst
}

// drain appends what can be made of the buffer, up to most samples of the whole stream.
func (r *Resampler) drain(dst []int16, most int) []int16 {
	taps := len(r.phases[0])
	for r.out < most {
		at := r.out*r.down + taps*r.up/2 // in samples of the rate that both divide
		newest := at/r.up - r.first
		if newest >= len(r.buffer) {
			break
		}
		dst = append(dst, clamp(dot(r.phases[at%r.up], r.buffer[newest-taps+1:newest+1])))
		r.out++
	}
	oldest := min((r.out*r.down+taps*r.up/2)/r.up-taps+1-r.first, len(r.buffer))
	if oldest > 0 {
		n := copy(r.buffer, r.buffer[oldest:])
		r.buffer = r.buffer[:n]
		r.first += oldest
	}
	return dst
}
