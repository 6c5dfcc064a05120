package audio

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// recordings is the variable that names the folder that recordings/fetch.sh has filled.
const recordings = "QUAESTOR_TEST_RECORDINGS"

// recorded is something that a human being said, once, with the pauses that they made.
type recorded struct {
	name     string
	expected Expected
	samples  []int16
	ends     time.Duration // where the speech ends
	loud     float64       // dBFS of the speech, without its pauses
	pauses   []time.Duration
}

// Lengths by which recordings stand for answers: who says a word or three answers a closed
// question, and who talks for more than six seconds tells a story.
const (
	briefAnswer = 1500 * time.Millisecond
	longAnswer  = 6 * time.Second
)

// hearRecording finds speech in a recording without noise, by its level alone: what is less
// than 35 dB below the loudest hundredth of a second, for 30 ms or more.
func hearRecording(name string, samples []int16) recorded {
	const step = Rate / 100
	levels := make([]float64, len(samples)/step)
	loudest := Silent
	for i := range levels {
		levels[i] = Level(samples[i*step : (i+1)*step])
		loudest = max(loudest, levels[i])
	}
	r := recorded{name: name, samples: samples, expected: ExpectText}
	first, last, spoken, power := -1, 0, 0, 0.0
	for i := 0; i+2 < len(levels); i++ {
		if min(levels[i], levels[i+1], levels[i+2]) < loudest-35 {
			continue
		}
		if first < 0 {
			first = i
		} else if gap := time.Duration(i-last) * 10 * time.Millisecond; gap >= pauseAfter {
			r.pauses = append(r.pauses, gap)
		}
		last = i + 3
		spoken++
		power += math.Pow(10, levels[i]/10)
	}
	if first < 0 {
		return r
	}
	r.samples = samples[first*step : min(last*step, len(samples))]
	r.ends, r.loud = Duration(len(r.samples), Rate), 10*math.Log10(power/float64(spoken))
	switch {
	case r.ends > longAnswer:
		r.expected = ExpectStory
	case r.ends < briefAnswer && len(r.pauses) == 0:
		r.expected = ExpectClosed
	}
	return r
}

// loadRecordings returns what is in the folder, and strings of its letters and digits, each
// by one voice, with the pauses that [pauses] says are made when something is dictated.
func loadRecordings(b *testing.B, s sounds) []recorded {
	b.Helper()
	folder := os.Getenv(recordings)
	files, err := filepath.Glob(filepath.Join(folder, "*", "*.wav"))
	if err != nil || len(files) == 0 || folder == "" {
		b.Fatalf("%s names no folder with recordings; to get them: internal/audio/recordings/fetch.sh FOLDER", recordings)
	}
	var out []recorded
	single := map[string][]recorded{} // by voice
	for _, file := range files {
		group := filepath.Base(filepath.Dir(file))
		r := hearRecording(filepath.Join(group, filepath.Base(file)), load(b, file))
		if r.ends < 100*time.Millisecond {
			continue
		}
		out = append(out, r)
		if strings.HasPrefix(group, "letters-") || strings.HasPrefix(filepath.Base(file), "digits-") && r.expected == ExpectClosed {
			single[group] = append(single[group], r)
		}
	}
	groups := make([]string, 0, len(single))
	for group := range single {
		groups = append(groups, group)
	}
	slices.Sort(groups)
	for _, group := range groups {
		for i := range 40 {
			out = append(out, dictated(s, fmt.Sprintf("%s, string %d", group, i), single[group]))
		}
	}
	return out
}

// dictated is a string of four to eight letters or digits.
func dictated(s sounds, name string, voice []recorded) recorded {
	r := recorded{name: name, expected: ExpectDictation, loud: -25}
	p := pauses[ExpectDictation]
	for i := range 4 + s.IntN(5) {
		one := voice[s.IntN(len(voice))]
		if i > 0 {
			r.samples = append(r.samples, silence(time.Duration(p[0]*math.Exp(p[1]*s.NormFloat64())*float64(time.Second)))...)
		}
		gain := math.Pow(10, (r.loud-one.loud)/20) // each was recorded by itself, at a level of its own
		for _, v := range one.samples {
			r.samples = append(r.samples, clamp(gain*float64(v)))
		}
	}
	r.ends = Duration(len(r.samples), Rate)
	return r
}

// telephone returns samples as a telephone carries them: 300 to 3,400 Hz, 8,000 samples a
// second, µ-law.
func telephone(b *testing.B, samples []int16) []int16 {
	b.Helper()
	down, err := NewResampler(Rate, 8000)
	if err != nil {
		b.Fatal(err)
	}
	up, err := NewResampler(8000, Rate)
	if err != nil {
		b.Fatal(err)
	}
	narrow := down.Flush(down.Resample(nil, samples))
	for range 2 { // two poles at 300 Hz
		before, passed := 0.0, 0.0
		keep := 1 / (1 + 2*math.Pi*300/8000)
		for i, v := range narrow {
			passed = keep * (passed + float64(v) - before)
			before = float64(v)
			narrow[i] = clamp(passed)
		}
	}
	return up.Flush(up.Resample(nil, DecodeMuLaw(nil, EncodeMuLaw(nil, narrow))))
}

// surrounding is what recordings are heard in.
type surrounding struct {
	name  string
	noise func(n int, level float64) []int16 // of a level in dBFS
	below float64                            // dB that the noise is softer than the speech
	phone bool
}

// heardTalk is what came of the recordings of one kind of answer.
type heardTalk struct {
	turns, missed, cut, late int
	false                    int // that began and ended before the recording
	waits                    []time.Duration
	onsets                   []time.Duration // from the beginning of speech until it was noticed
}

// beginsAt is where in a recording speech begins: the first 20 ms less than 20 dB below its level.
func beginsAt(r recorded) time.Duration {
	const size = Rate / 50
	for at := 0; at+size <= len(r.samples); at += size {
		if Level(r.samples[at:at+size]) > r.loud-20 {
			return Duration(at, Rate)
		}
	}
	return 0
}

// hearIn plays a recording to a Detector and an Endpointer, without words: by silence alone.
func hearIn(b *testing.B, r recorded, in surrounding, total *heardTalk) {
	b.Helper()
	const lead, tail = 2 * time.Second, 6 * time.Second
	stream := slices.Concat(silence(lead), r.samples, silence(tail))
	stream = mixed(stream, in.noise(min(len(stream), 6*Rate), r.loud-in.below))
	if in.phone {
		stream = telephone(b, stream)
	}
	d, err := NewDetector(20 * time.Millisecond)
	if err != nil {
		b.Fatal(err)
	}
	e := NewEndpointer(EndpointerOptions{})
	e.Expect(r.expected)
	finished, begins := lead+r.ends, lead+beginsAt(r)
	total.turns++
	began := false
	for ; len(stream) >= d.FrameSize(); stream = stream[d.FrameSize():] {
		v, err := d.Write(stream[:d.FrameSize()])
		if err != nil {
			b.Fatal(err)
		}
		if v.Kind == Began && !began {
			began = true
			total.onsets = append(total.onsets, max(0, d.Position()-begins))
		}
		e.Detected(v)
		if decided := e.Decide(d.Position()); decided.Kind == EndTurn {
			if d.Position() < lead {
				total.false++
				continue
			}
			if d.Position() < finished {
				total.cut++
				return
			}
			total.waits = append(total.waits, d.Position()-finished)
			return
		}
	}
	if !began {
		total.missed++
		return
	}
	total.late++
}

// BenchmarkRecordedSpeech measures how turns of recorded people end: how many are cut off
// before they end, are not noticed, or do not end within six seconds, and how long the
// others wait. docs/voice.md has its table, and how to run it.
func BenchmarkRecordedSpeech(b *testing.B) {
	s := newSounds(3)
	all := loadRecordings(b, s)
	babble := func(n int, level float64) []int16 {
		out := make([]float64, n)
		for range 6 {
			at, voice := 0, all[s.IntN(len(all))].samples
			for i := range out {
				out[i] += float64(voice[at])
				if at++; at == len(voice) {
					at, voice = 0, all[s.IntN(len(all))].samples
				}
			}
		}
		power := 0.0
		for _, v := range out {
			power += v * v
		}
		gain := 32768 * math.Pow(10, level/20) / math.Sqrt(power/float64(n))
		samples := make([]int16, n)
		for i, v := range out {
			samples[i] = clamp(v * gain)
		}
		return samples
	}
	around := []surrounding{
		{"clean", s.pink, 50, false}, {"noise, 20 dB below", s.pink, 20, false}, {"noise, 10 dB below", s.pink, 10, false},
		{"voices, 20 dB below", babble, 20, false}, {"voices, 15 dB below", babble, 15, false}, {"voices, 10 dB below", babble, 10, false}, {"telephone", s.pink, 45, true}, {"telephone, noise 10 dB below", s.pink, 10, true},
	}
	for _, in := range around {
		b.Run(in.name, func(b *testing.B) {
			for b.Loop() {
				b.Log(tableOf(b, all, in))
			}
		})
	}
}

// tableOf returns what came of all recordings in a surrounding.
func tableOf(b *testing.B, all []recorded, in surrounding) string {
	b.Helper()
	var table strings.Builder
	fmt.Fprintf(&table, "\n%-10s %5s %7s %7s %7s %7s %12s %6s %13s %6s\n", "expected", "turns", "missed", "cut off", "no end", "false", "median wait", "95 %", "noticed after", "95 %")
	totals := map[Expected]*heardTalk{ExpectClosed: {}, ExpectText: {}, ExpectStory: {}, ExpectDictation: {}}
	for _, r := range all {
		hearIn(b, r, in, totals[r.expected])
	}
	for _, x := range []Expected{ExpectClosed, ExpectText, ExpectStory, ExpectDictation} {
		t := totals[x]
		slices.Sort(t.waits)
		slices.Sort(t.onsets)
		part := func(n int) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(t.turns)) }
		at := func(list []time.Duration, p int) string {
			if len(list) == 0 {
				return "-"
			}
			return fmt.Sprint(list[len(list)*p/100].Milliseconds())
		}
		fmt.Fprintf(&table, "%-10s %5d %7s %7s %7s %7s %9s ms %6s %10s ms %6s\n", x, t.turns, part(t.missed), part(t.cut), part(t.late), part(t.false), at(t.waits, 50), at(t.waits, 95), at(t.onsets, 50), at(t.onsets, 95))
	}
	return table.String()
}
