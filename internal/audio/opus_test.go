package audio

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// packetsIn returns the packets of a file of testdata/opus, each behind its length.
func packetsIn(t testing.TB, name string) [][]byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "opus", name+".packets"))
	if err != nil {
		t.Fatal(err)
	}
	var out [][]byte
	for len(b) > 2 {
		n := int(binary.LittleEndian.Uint16(b))
		out, b = append(out, b[2:2+n]), b[2+n:]
	}
	return out
}

// opusStreams are what opusenc made of half a second of flite at 16 to 48 kbit/s, in each mode
// of the codec; beside each is what libopus decodes of it.
var opusStreams = []string{"silk-16", "hybrid-32", "hybrid-48", "celt-24", "celt-48"}

func TestOpusIsDecodedAsLibopusDoes(t *testing.T) {
	t.Parallel()

	for _, name := range opusStreams {
		d, err := NewOpusDecoder(Rate)
		if err != nil {
			t.Fatal(err)
		}
		var got []int16
		for i, packet := range packetsIn(t, name) {
			before := len(got)
			if got, err = d.Decode(got, packet); err != nil {
				t.Fatalf("%s, packet %d: %v", name, i, err)
			}
			if n := len(got) - before; n != Rate/50 {
				t.Fatalf("%s, packet %d has %d samples, want 20 ms", name, i, n)
			}
		}
		b, err := os.ReadFile(filepath.Join("testdata", "opus", name+".pcm"))
		if err != nil {
			t.Fatal(err)
		}
		want, err := Decode(nil, b)
		if err != nil {
			t.Fatal(err)
		}
		best := math.Inf(-1)
		for lag := range 600 { // libopus leaves out the encoder's delay, and its resampler has one
			signal, noise := 0.0, 1.0
			for i := 0; i < len(want) && i+lag < len(got); i++ {
				signal += float64(want[i]) * float64(want[i])
				off := float64(want[i]) - float64(got[i+lag])
				noise += off * off
			}
			best = max(best, 10*math.Log10(signal/noise))
		}
		if best < 18 {
			t.Errorf("%s: %.1f dB between what is decoded and what libopus decodes, want 18", name, best)
		}
	}
}

func TestWhatIsNoOpusIsRefused(t *testing.T) {
	t.Parallel()

	if _, err := NewOpusDecoder(44100); err == nil || !strings.Contains(err.Error(), "44100") {
		t.Errorf("NewOpusDecoder: %v", err)
	}
	d, err := NewOpusDecoder(Rate)
	if err != nil {
		t.Fatal(err)
	}
	good := packetsIn(t, "silk-16")
	for name, packet := range map[string][]byte{"nothing": nil, "too much": make([]byte, MaxOpusPacket+1), "no frames": {0x4b, 0}, "half a length": {0x4a, 0xff}} {
		if _, err := d.Decode(nil, packet); err == nil || !strings.Contains(err.Error(), "packet of Opus") {
			t.Errorf("%s: %v", name, err)
		}
		if samples, err := d.Decode(nil, good[5]); err != nil || len(samples) != Rate/50 {
			t.Errorf("after %s, a packet gives %d samples, %v", name, len(samples), err)
		}
	}
}

// Whatever comes, a packet is decoded or refused, gives 120 ms at most, and leaves a decoder
// that works.
func FuzzOpusDecoder(f *testing.F) {
	for _, name := range opusStreams {
		for _, packet := range packetsIn(f, name)[:8] {
			f.Add(packet)
		}
	}
	good := packetsIn(f, "celt-24")[10]
	f.Fuzz(func(t *testing.T, packet []byte) {
		d, err := NewOpusDecoder(Rate)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			samples, err := d.Decode(nil, packet)
			if err == nil && len(samples) > Rate*maxOpusSound/1000 {
				t.Errorf("%d bytes gave %d samples", len(packet), len(samples))
			}
		}
		if _, err := d.Decode(nil, good); err != nil {
			t.Errorf("a good packet is refused afterwards: %v", err)
		}
	})
}

func BenchmarkOpusDecoder(b *testing.B) {
	d, err := NewOpusDecoder(Rate)
	if err != nil {
		b.Fatal(err)
	}
	packets, out := packetsIn(b, "hybrid-32"), make([]int16, 0, Rate)
	b.ReportAllocs()
	for b.Loop() {
		out = out[:0]
		for _, packet := range packets {
			if out, err = d.Decode(out, packet); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)*50/float64(len(packets)), "ns/second-of-sound")
}
