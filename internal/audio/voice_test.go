package audio

import (
	"math"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"quaestor/internal/prerequisite"
)

// spoken returns text as flite's voice slt says it, without the silence around it.
func spoken(t testing.TB, text string) []int16 {
	t.Helper()
	prerequisite.Need(t, prerequisite.Speech)
	if said, ok := saidBefore.Load(text); ok {
		return said.([]int16)
	}
	path, err := exec.LookPath("flite")
	if err != nil {
		t.Fatal(prerequisite.Missing(prerequisite.Speech, err))
	}
	file := filepath.Join(t.TempDir(), "said.wav")
	if out, err := exec.CommandContext(t.Context(), path, "-voice", "slt", "-t", text, "-o", file).CombinedOutput(); err != nil {
		t.Fatalf("flite: %v: %s", err, out)
	}
	samples := trimmed(load(t, file))
	saidBefore.Store(text, samples)
	return samples
}

// saidBefore keeps what flite said, by text.
var saidBefore sync.Map

// trimmed cuts off what is softer than 35 dB below the loudest 10 ms.
func trimmed(samples []int16) []int16 {
	const step = Rate / 100
	loudest := Silent
	for at := 0; at+step <= len(samples); at += step {
		loudest = max(loudest, Level(samples[at:at+step]))
	}
	from, to := 0, len(samples)
	for from+step < to && Level(samples[from:from+step]) < loudest-35 {
		from += step
	}
	for to-step > from && Level(samples[to-step:to]) < loudest-35 {
		to -= step
	}
	return slices.Clone(samples[from:to])
}

// vowel is a made-up one: pulses at a gliding pitch through two resonances.
func vowel(pitch float64, long time.Duration) []int16 {
	n := int(long * Rate / time.Second)
	out := make([]int16, n)
	phase := 0.0
	for i := range out {
		at := float64(i) / float64(n)
		f0 := pitch * (1.05 - 0.15*at)
		phase += 2 * math.Pi * f0 / Rate
		v := 0.0
		for k := 1; float64(k)*f0 < 3800; k++ {
			f := float64(k) * f0
			gain := 1/(1+math.Pow((f-650)/150, 2)) + 0.5/(1+math.Pow((f-1500)/200, 2)) + 0.05
			v += gain * math.Sin(float64(k)*phase)
		}
		out[i] = clamp(3000 * v * math.Min(1, 8*math.Min(at, 1-at)) * (1 + 0.3*math.Sin(2*math.Pi*4*float64(i)/Rate)))
	}
	return out
}

// sounds are made with the same chance in every run.
type sounds struct{ *rand.Rand }

func newSounds(seed uint64) sounds { return sounds{rand.New(rand.NewPCG(seed, 7))} }

func (s sounds) white(n int, level float64) []int16 {
	out, amplitude := make([]int16, n), 32768*math.Pow(10, level/20)
	for i := range out {
		out[i] = clamp(s.NormFloat64() * amplitude)
	}
	return out
}

// pink is noise that loses 3 dB an octave, by P. Kellet's filter.
func (s sounds) pink(n int, level float64) []int16 {
	raw, b, sum := make([]float64, n), [7]float64{}, 0.0
	for i := range raw {
		w := s.NormFloat64()
		b[0] = 0.99886*b[0] + w*0.0555179
		b[1] = 0.99332*b[1] + w*0.0750759
		b[2] = 0.96900*b[2] + w*0.1538520
		b[3] = 0.86650*b[3] + w*0.3104856
		b[4] = 0.55000*b[4] + w*0.5329522
		b[5] = -0.7616*b[5] - w*0.0168980
		raw[i] = b[0] + b[1] + b[2] + b[3] + b[4] + b[5] + b[6] + w*0.5362
		b[6] = w * 0.115926
		sum += raw[i] * raw[i]
	}
	amplitude := 32768 * math.Pow(10, level/20) / math.Sqrt(sum/float64(n))
	out := make([]int16, n)
	for i := range out {
		out[i] = clamp(raw[i] * amplitude)
	}
	return out
}

// cough is two bursts of noise that die away, 120 and 80 ms.
func (s sounds) cough() []int16 {
	var out []int16
	for _, ms := range []int{120, 80} {
		burst := s.white(ms*Rate/1000, -16)
		for i := range burst {
			burst[i] = clamp(float64(burst[i]) * math.Exp(-3*float64(i)/float64(len(burst))))
		}
		out = slices.Concat(out, burst, make([]int16, 40*Rate/1000))
	}
	return out
}

func click() []int16 {
	out := make([]int16, 5*Rate/1000)
	for i := range out {
		out[i] = clamp(25000 * math.Exp(-float64(i)/12) * math.Cos(float64(i)))
	}
	return out
}

func silence(long time.Duration) []int16 { return make([]int16, long*Rate/time.Second) }

// mixed returns a with b under it, which begins anew when it is shorter.
func mixed(a, b []int16) []int16 {
	out := make([]int16, len(a))
	for i := range out {
		out[i] = clamp(float64(a[i]) + float64(b[i%len(b)]))
	}
	return out
}
