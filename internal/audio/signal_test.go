package audio

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// sine is a tone of a frequency in Hz at a rate, with half of full scale.
func sine(hertz float64, rate, n int) []int16 {
	out := make([]int16, n)
	for i := range out {
		out[i] = clamp(16384 * math.Sin(2*math.Pi*hertz*float64(i)/float64(rate)))
	}
	return out
}

// strength is the amplitude of a frequency in samples: one bin of a Fourier transform under
// a Hann window.
func strength(samples []int16, hertz float64, rate int) float64 {
	re, im, sum := 0.0, 0.0, 0.0
	for i, s := range samples {
		w := 0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/float64(len(samples)))
		phase := 2 * math.Pi * hertz * float64(i) / float64(rate)
		re, im, sum = re+w*float64(s)*math.Cos(phase), im+w*float64(s)*math.Sin(phase), sum+w
	}
	return 2 * math.Hypot(re, im) / sum
}

func decibels(ratio float64) float64 { return 20 * math.Log10(ratio) }

func TestBytesAndSamples(t *testing.T) {
	t.Parallel()

	samples := []int16{0, 1, -1, math.MaxInt16, math.MinInt16, 0x1234}
	b := Encode([]byte("head"), samples)
	if !bytes.Equal(b, []byte("head\x00\x00\x01\x00\xff\xff\xff\x7f\x00\x80\x34\x12")) {
		t.Errorf("Encode = % x", b)
	}
	if got, err := Decode(nil, b[4:]); err != nil || !slices.Equal(got, samples) {
		t.Errorf("Decode = %v, %v", got, err)
	}
	if _, err := Decode(nil, b[:5]); err == nil || !strings.Contains(err.Error(), "5 bytes") {
		t.Errorf("Decode of half a sample: %v", err)
	}
}

func TestLevel(t *testing.T) {
	t.Parallel()

	square := slices.Repeat([]int16{math.MaxInt16, -math.MaxInt16}, 800)
	for name, tt := range map[string]struct {
		samples []int16
		want    float64
	}{
		"full square": {square, 0}, "half sine": {sine(1000, Rate, 1600), -9.03}, "silence": {make([]int16, 10), Silent}, "nothing": {nil, Silent},
	} {
		if got := Level(tt.samples); math.Abs(got-tt.want) > 0.02 {
			t.Errorf("%s is at %.2f dBFS, want %.2f", name, got, tt.want)
		}
	}
}

// A tone keeps its frequency and its level, and comes through at the same instant.
func TestResamplingKeepsTones(t *testing.T) {
	t.Parallel()

	for _, from := range rates {
		for _, to := range rates {
			for _, hertz := range []float64{100, 440, 1000, 3000} {
				r, err := NewResampler(from, to)
				if err != nil {
					t.Fatal(err)
				}
				in := sine(hertz, from, from)
				out := r.Flush(r.Resample(nil, in))
				if len(out) != to {
					t.Fatalf("%d to %d: a second became %d samples", from, to, len(out))
				}
				want := sine(hertz, to, to)
				if off := decibels(strength(out[to/10:to*9/10], hertz, to) / strength(want[to/10:to*9/10], hertz, to)); math.Abs(off) > 0.5 {
					t.Errorf("%d to %d: %g Hz changes by %.2f dB", from, to, hertz, off)
				}
				rest := make([]int16, 0, to)
				for i := to / 10; i < to*9/10; i++ {
					rest = append(rest, out[i]-want[i])
				}
				if left := Level(rest); left > -65 {
					t.Errorf("%d to %d: %g Hz leaves a difference of %.1f dBFS", from, to, hertz, left)
				}
			}
		}
	}
}

// What the lower rate cannot hold is left out, and does not come back as another tone.
func TestResamplingDoesNotAlias(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		from, to int
		hertz    float64
	}{{48000, 16000, 9000}, {48000, 8000, 5000}, {24000, 16000, 9500}, {16000, 8000, 5500}, {44100, 16000, 10000}} {
		r, _ := NewResampler(tt.from, tt.to)
		out := r.Flush(r.Resample(nil, sine(tt.hertz, tt.from, tt.from)))
		if level := Level(out[tt.to/10 : tt.to*9/10]); level > -70 {
			t.Errorf("%d to %d: %g Hz is still there with %.1f dBFS", tt.from, tt.to, tt.hertz, level)
		}
	}
}

// Where the stream is cut into frames makes no difference.
func TestResamplingHasNoBorders(t *testing.T) {
	t.Parallel()

	random := rand.New(rand.NewPCG(1, 2))
	for _, from := range rates {
		for _, to := range rates {
			in := make([]int16, 4000)
			for i := range in {
				in[i] = int16(random.IntN(20000) - 10000)
			}
			whole, _ := NewResampler(from, to)
			want := whole.Flush(whole.Resample(nil, in))
			cut, _ := NewResampler(from, to)
			for range 2 { // the second stream finds nothing of the first
				var got []int16
				for rest := in; len(rest) > 0; {
					n := min(random.IntN(400), len(rest))
					got = cut.Resample(got, rest[:n])
					rest = rest[n:]
				}
				if got = cut.Flush(got); !slices.Equal(got, want) {
					t.Fatalf("%d to %d differs when cut", from, to)
				}
			}
		}
	}
}

func TestUnknownRateIsRefused(t *testing.T) {
	t.Parallel()

	for _, rate := range []int{0, -8000, 11025, 96000} {
		if _, err := NewResampler(rate, 16000); err == nil || !strings.Contains(err.Error(), "8000, 16000") {
			t.Errorf("NewResampler(%d): %v", rate, err)
		}
	}
}

// Every code stands for a value that is encoded as the same code; µ-law has two zeros.
func TestG711RoundTrip(t *testing.T) {
	t.Parallel()

	for code := range 256 {
		mu := EncodeMuLaw(nil, DecodeMuLaw(nil, []byte{byte(code)}))[0]
		if mu != byte(code) && (code != 0x7f || mu != 0xff) {
			t.Errorf("µ-law %#x comes back as %#x", code, mu)
		}
		if a := EncodeALaw(nil, DecodeALaw(nil, []byte{byte(code)}))[0]; a != byte(code) {
			t.Errorf("A-law %#x comes back as %#x", code, a)
		}
	}
}

// Values of ITU-T G.711, tables 1a, 1b, 2a and 2b, scaled to 16 bits: decision values of
// 13 bits are multiplied by 8 (A-law), of 14 bits by 4 (µ-law).
func TestG711Values(t *testing.T) {
	t.Parallel()

	for code, want := range map[byte]int16{0xff: 0, 0x7f: 0, 0x80: 32124, 0x00: -32124, 0x8f: 16764, 0xfe: 8, 0x7e: -8, 0xef: 132, 0xf0: 120} {
		if got := DecodeMuLaw(nil, []byte{code})[0]; got != want {
			t.Errorf("µ-law %#x is %d, want %d", code, got, want)
		}
	}
	for code, want := range map[byte]int16{0xd5: 8, 0x55: -8, 0xaa: 32256, 0x2a: -32256, 0xd4: 24, 0xc5: 264, 0xda: 248} {
		if got := DecodeALaw(nil, []byte{code})[0]; got != want {
			t.Errorf("A-law %#x is %d, want %d", code, got, want)
		}
	}
}

// A sample changes by half a step at most, which is a 32nd of it: the steps of a segment
// are a 16th of where it begins.
func TestG711ChangesLittle(t *testing.T) {
	t.Parallel()

	for name, law := range map[string]struct {
		encode     func([]byte, []int16) []byte
		values     *[256]int16
		most, bias int
	}{"µ-law": {EncodeMuLaw, &muLawValues, 32635, muLawBias}, "A-law": {EncodeALaw, &aLawValues, 32767, 256}} {
		for v := -law.most; v <= law.most; v++ {
			got := int(law.values[law.encode(nil, []int16{int16(v)})[0]])
			if abs(got-v) > (abs(v)+law.bias)/32 {
				t.Fatalf("%s: %d becomes %d", name, v, got)
			}
		}
		for _, v := range []int16{math.MinInt16, math.MaxInt16} {
			if got := law.values[law.encode(nil, []int16{v})[0]]; (got < 0) != (v < 0) || abs(int(got)) < 32000 {
				t.Errorf("%s: %d becomes %d", name, v, got)
			}
		}
	}
}

func abs(v int) int { return max(v, -v) }

func TestWAV(t *testing.T) {
	t.Parallel()

	samples := sine(440, 8000, 801)
	file := WAV(samples, 8000)
	got, rate, err := ReadWAV(file)
	if err != nil || rate != 8000 || !slices.Equal(got, samples) {
		t.Fatalf("ReadWAV = %d samples, %d Hz, %v", len(got), rate, err)
	}

	pipe := slices.Clone(file)
	copy(pipe[40:], "\xff\xff\xff\xff") // as written to a pipe
	if got, _, err := ReadWAV(pipe); err != nil || !slices.Equal(got, samples) {
		t.Errorf("a file of unknown length: %d samples, %v", len(got), err)
	}

	with := slices.Concat(file[:36], []byte("LIST\x03\x00\x00\x00abc\x00"), file[36:])
	if got, _, err := ReadWAV(with); err != nil || !slices.Equal(got, samples) {
		t.Errorf("a file with a list: %d samples, %v", len(got), err)
	}

	stereo := WAV([]int16{100, 300, -100, -300, 7}, 16000)
	stereo[22] = 2
	if got, _, err := ReadWAV(stereo); err != nil || !slices.Equal(got, []int16{200, -200}) {
		t.Errorf("two channels: %v, %v", got, err)
	}
}

func TestWhatIsNoWAVIsRefused(t *testing.T) {
	t.Parallel()

	file := WAV(make([]int16, 100), 16000)
	change := func(at int, to ...byte) []byte {
		b := slices.Clone(file)
		copy(b[at:], to)
		return b
	}
	for name, b := range map[string][]byte{
		"nothing": nil, "text": []byte(strings.Repeat("x", 100)), "head only": file[:36], "no format": append(file[:12:12], file[36:]...),
		"float": change(20, 3), "8 bits": change(34, 8), "6 channels": change(22, 6), "no channels": change(22, 0), "no rate": change(24, 0, 0, 0, 0),
		"long format": change(16, 0xff, 0xff, 0xff, 0x7f), "short format": change(16, 2),
	} {
		if _, _, err := ReadWAV(b); err == nil || !strings.Contains(err.Error(), "no WAV file") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzReadWAV(f *testing.F) {
	f.Add(WAV(sine(440, 8000, 100), 8000))
	f.Fuzz(func(t *testing.T, b []byte) {
		samples, rate, err := ReadWAV(b)
		if err == nil && (rate < 1000 || 2*len(samples) > len(b)) {
			t.Errorf("%d bytes gave %d samples of %d Hz", len(b), len(samples), rate)
		}
	})
}

func TestDuration(t *testing.T) {
	t.Parallel()

	if got := Duration(400, Rate); got != 25*time.Millisecond {
		t.Errorf("Duration = %s", got)
	}
}

func BenchmarkResample48To16(b *testing.B) {
	r, _ := NewResampler(48000, 16000)
	in, out := sine(440, 48000, 960), make([]int16, 0, 400)
	b.ReportAllocs()
	for b.Loop() {
		out = r.Resample(out[:0], in)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)*50, "ns/second-of-sound")
}
