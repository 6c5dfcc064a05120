package audio

import (
	"math"
	"slices"
	"time"
)

// edges are the borders, in Hz, of the bands in which noise is followed: narrower where
// voices are, and none above what most microphones and telephones carry.
var edges = [...]float64{90, 300, 500, 800, 1200, 1800, 2600, 3600, 6000}

const bands = len(edges) - 1

// Minimum statistics: the least power within slots of slotTime, the latest of them
// unfinished. The least of many random powers is below their mean; noiseBias makes up for
// it (measured with white noise, as smoothed below).
const (
	slots     = 10
	slotTime  = 200 * time.Millisecond
	smoothing = 0.6 // part of the last frame's power in the next one's
	noiseBias = 1.7
	startMost = 1e-4 // the most noise, as power of a band, that is believed at first: −40 dBFS
	topBands  = 3    // how many bands must stand out: voiced sounds fill no more
	bestSNR   = 40   // dB; more tells nothing
)

// noise follows the noise of each band.
type noise struct {
	smooth [bands]float64
	before [bands]float64 // power in the last frame
	least  [slots][bands]float64
	slot   int
	filled time.Duration // of the latest slot
	begun  bool
}

// snr returns by how many dB the bands that stand out most do so, their mean, for a frame
// of length long, and learns the frame's noise.
func (n *noise) snr(power *[window / 2]float64, long time.Duration) float64 {
	var now [bands]float64
	for b := range now {
		// The window lets 3/8 of the power through; both halves of the spectrum count.
		scale := 2.0 / (window * 0.375 * Rate * long.Seconds())
		for i := bin(edges[b]); i < bin(edges[b+1]); i++ {
			now[b] += power[i] * scale
		}
	}
	n.learn(now, long)
	var ratios [bands]float64
	for b := range ratios {
		least := n.least[0][b]
		for s := 1; s < slots; s++ {
			least = min(least, n.least[s][b])
		}
		floor := max(least*noiseBias, floorLevel)
		ratios[b] = min(max(10*math.Log10((now[b]+n.before[b])/2/floor), 0), bestSNR)
	}
	n.before = now
	slices.Sort(ratios[:])
	sum := 0.0
	for _, r := range ratios[bands-topBands:] {
		sum += r
	}
	return sum / topBands
}

// level returns the power of the latest frame in all bands, in dB.
func (n *noise) level() float64 {
	sum := 0.0
	for _, power := range n.before {
		sum += power
	}
	return 10 * math.Log10(sum+1e-12)
}

func bin(hertz float64) int { return int(hertz * window / Rate) }

func (n *noise) learn(now [bands]float64, long time.Duration) {
	if !n.begun {
		n.begun = true
		n.smooth = now
		for s := range n.least {
			for b := range n.least[s] {
				n.least[s][b] = startMost
			}
		}
	}
	for b := range now {
		n.smooth[b] = smoothing*n.smooth[b] + (1-smoothing)*now[b]
		n.least[n.slot][b] = min(n.least[n.slot][b], n.smooth[b])
	}
	if n.filled += long; n.filled >= slotTime {
		n.slot, n.filled = (n.slot+1)%slots, 0
		n.least[n.slot] = n.smooth
	}
}

// A tone is where one or two frequencies hold all of the power but for some noise, again
// and again at the same level: a dial, a beep, a hum. The overtones of a voice have more
// than the rest, and it changes within two frames.
const (
	toneShare  = 0.99
	toneChange = 0.7 // dB, between two frames

	// skirt is how many bins on each side a tone fills in frames of 20 ms under a Hann window.
	skirt = 4
)

// tone remembers the peaks of the last frame.
type tone struct {
	peaks [2]int
	level float64 // dB; 0 for no tone
}

// repeats reports whether the frame is the same tone as the one before.
func (t *tone) repeats(power *[window / 2]float64) bool {
	total := 0.0
	for _, p := range power[1:] {
		total += p
	}
	first := peak(power, -window)
	second := peak(power, first)
	both := 0.0
	for i := 1; i < len(power); i++ {
		if apart(i, first) <= skirt || apart(i, second) <= skirt {
			both += power[i]
		}
	}
	if total == 0 || both < toneShare*total {
		*t = tone{}
		return false
	}
	if power[second] < power[first]/100 {
		second = 0 // one frequency
	}
	now := tone{[2]int{min(first, second), max(first, second)}, 10 * math.Log10(total)}
	same := t.level != 0 && apart(now.peaks[0], t.peaks[0]) <= 1 && apart(now.peaks[1], t.peaks[1]) <= 1 && math.Abs(now.level-t.level) < toneChange
	*t = now
	return same
}

func apart(a, b int) int { return max(a-b, b-a) }

// peak returns the loudest bin outside the skirt of another one.
func peak(power *[window / 2]float64, other int) int {
	best := 0
	for i := 1; i < len(power); i++ {
		if apart(i, other) > skirt && (best == 0 || power[i] > power[best]) {
			best = i
		}
	}
	return best
}

// Pitch is looked for in the sound below 2 kHz, at a quarter of the rate.
const (
	pitchStep = 4
	pitchRate = Rate / pitchStep
	minLag    = pitchRate / 400
	maxLag    = pitchRate / 70
	compared  = pitchRate * 32 / 1000 // samples that are held against those a lag earlier
)

// pitch keeps the last samples at [pitchRate].
type pitch struct {
	recent      [compared + maxLag]float64
	sum         float64
	taken       int
	before      float64 // high-pass: the last input
	passed      float64 // and output
	correlation [maxLag + 2]float64
}

// voicing returns how periodic the latest sound is, 0 to 1: the highest peak of the
// normalised correlation with itself, at the lags of voices.
func (p *pitch) voicing() float64 {
	latest := p.recent[maxLag:]
	energy := 0.0
	for _, v := range latest {
		energy += v * v
	}
	earlier := 0.0
	for _, v := range p.recent[maxLag-minLag+1 : maxLag-minLag+1+compared] {
		earlier += v * v
	}
	for lag := minLag - 1; lag <= maxLag; lag++ {
		from := maxLag - lag
		sum := dot(latest, p.recent[from:from+compared])
		p.correlation[lag] = sum / math.Sqrt(energy*earlier+1e-12)
		if from > 0 {
			in, out := p.recent[from-1], p.recent[from-1+compared]
			earlier = max(earlier+in*in-out*out, 0)
		}
	}
	best := 0.0
	for lag := minLag; lag < maxLag; lag++ {
		if c := p.correlation[lag]; c > best && c >= p.correlation[lag-1] && c >= p.correlation[lag+1] {
			best = c
		}
	}
	return min(best, 1)
}

// take adds samples to the recent ones: means of four, without what is below 60 Hz.
func (p *pitch) take(samples []int16) {
	n := (p.taken + len(samples)) / pitchStep
	copy(p.recent[:], p.recent[n:])
	at := len(p.recent) - n
	for _, s := range samples {
		p.sum += float64(s) / 32768
		if p.taken++; p.taken == pitchStep {
			v := p.sum / pitchStep
			p.passed = 0.91 * (p.passed + v - p.before)
			p.before = v
			p.recent[at] = p.passed
			at, p.sum, p.taken = at+1, 0, 0
		}
	}
}
