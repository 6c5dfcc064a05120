package audio

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

func load(t testing.TB, file string) []int16 {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	samples, rate, err := ReadWAV(b)
	if err != nil || rate != Rate {
		t.Fatalf("%s: %d Hz, %v", file, rate, err)
	}
	return samples
}

// detected returns the events of samples in frames of that length.
func detected(t testing.TB, frame time.Duration, samples []int16) []Event {
	t.Helper()
	d, err := NewDetector(frame)
	if err != nil {
		t.Fatal(err)
	}
	var out []Event
	for ; len(samples) >= d.FrameSize(); samples = samples[d.FrameSize():] {
		e, err := d.Write(samples[:d.FrameSize()])
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind != "" {
			out = append(out, e)
		}
	}
	return out
}

func kinds(events []Event) string {
	var out []string
	for _, e := range events {
		out = append(out, string(e.Kind))
	}
	return strings.Join(out, " ")
}

var frameLengths = []time.Duration{20 * time.Millisecond, 30 * time.Millisecond}

func TestOtherFramesAreRefused(t *testing.T) {
	t.Parallel()

	if _, err := NewDetector(25 * time.Millisecond); err == nil || !strings.Contains(err.Error(), "20 or 30 ms") {
		t.Errorf("NewDetector: %v", err)
	}
	d, _ := NewDetector(20 * time.Millisecond)
	if _, err := d.Write(make([]int16, 319)); err == nil || !strings.Contains(err.Error(), "320 samples, not 319") || d.Position() != 0 {
		t.Errorf("Write of 319 samples: %v, at %s", err, d.Position())
	}
}

// Two vowels with a pause and a long silence are all the events that there are.
func TestEventsOfVowels(t *testing.T) {
	t.Parallel()

	for _, frame := range frameLengths {
		stream := slices.Concat(silence(time.Second), vowel(120, 400*time.Millisecond), silence(500*time.Millisecond), vowel(210, 400*time.Millisecond), silence(4*time.Second))
		events := detected(t, frame, mixed(stream, newSounds(1).white(len(stream), -65)))
		if got := kinds(events); got != "began paused resumed paused ended" {
			t.Fatalf("%s: %s", frame, got)
		}
		for i, ms := range []int{1000, 1400, 1900, 2300, 2300} {
			e, want := events[i], time.Duration(ms)*time.Millisecond
			if off := e.At - want; off.Abs() > 80*time.Millisecond || e.Seen < e.At {
				t.Errorf("%s: %s at %s, seen at %s; want %s", frame, e.Kind, e.At, e.Seen, want)
			}
		}
	}
}

var phrases = []string{
	"yes", "no thanks", "I think so", "about fifteen people", "We sell machines to small bakeries.",
	"It should be ready by the end of March.", "Six hundred euros a month.", "My name is Peter Schmidt.",
}

// What flite says is found where it is, alone and in noise 10 dB below it.
func TestDetectorInNoise(t *testing.T) {
	t.Parallel()

	s := newSounds(3)
	for _, frame := range frameLengths {
		for _, name := range []string{"quiet", "white", "pink"} {
			var late, early, seen []time.Duration
			for _, text := range phrases {
				said := spoken(t, text)
				stream := slices.Concat(silence(2*time.Second), said, silence(4*time.Second))
				switch name {
				case "white":
					stream = mixed(stream, s.white(len(stream), Level(said)-10))
				case "pink":
					stream = mixed(stream, s.pink(len(stream), Level(said)-10))
				}
				events := detected(t, frame, stream)
				if len(events) < 3 || events[0].Kind != Began || events[len(events)-1].Kind != Ended {
					t.Errorf("%s %s %q: %s", frame, name, text, kinds(events))
					continue
				}
				for _, e := range events[1 : len(events)-1] {
					if e.Kind == Began || e.Kind == Ended {
						t.Errorf("%s %s %q: %s", frame, name, text, kinds(events))
					}
				}
				late = append(late, events[0].At-2*time.Second)
				seen = append(seen, events[0].Seen-2*time.Second)
				early = append(early, 2*time.Second+Duration(len(said), Rate)-events[len(events)-1].At)
			}
			t.Logf("%s %-5s begins %v late, is noticed after %v, ends %v early", frame, name, spread(late), spread(seen), spread(early))
			for what, list := range map[string][]time.Duration{"the beginning": late, "the end": early} {
				for i, off := range list {
					if off > 250*time.Millisecond || off < -250*time.Millisecond {
						t.Errorf("%s %s: %s of %q is off by %s", frame, name, what, phrases[i], off)
					}
				}
			}
		}
	}
}

// spread is the least, the median and the most of some times.
func spread(list []time.Duration) string {
	if len(list) == 0 {
		return "-"
	}
	list = slices.Sorted(slices.Values(list))
	return fmt.Sprintf("%d/%d/%d ms", list[0].Milliseconds(), list[len(list)/2].Milliseconds(), list[len(list)-1].Milliseconds())
}

// What nobody says is no speech.
func TestNoiseIsNoSpeech(t *testing.T) {
	t.Parallel()

	s := newSounds(4)
	every := func(sound []int16, n int) []int16 {
		var out []int16
		for range n {
			out = slices.Concat(out, silence(700*time.Millisecond), sound)
		}
		return append(out, silence(time.Second)...)
	}
	loud := slices.Concat(s.white(10*Rate, -45), s.white(10*Rate, -20)) // a fan is switched on
	for name, stream := range map[string][]int16{
		"silence": silence(30 * time.Second), "white noise": s.white(60*Rate, -30), "pink noise": s.pink(60*Rate, -30), "soft pink noise": s.pink(60*Rate, -60),
		"louder noise": loud, "tone": every(sine(440, Rate, 2*Rate), 3), "high tone": every(sine(2000, Rate, Rate), 3), "hum": sine(50, Rate, 20*Rate), "hum of 100 Hz": sine(100, Rate, 20*Rate),
		"dial":   every(mixed(sine(770, Rate, Rate/5), sine(1336, Rate, Rate/5)), 10),
		"clicks": every(click(), 20), "typing in noise": mixed(every(click(), 20), s.pink(Rate*16, -50)), "coughs": every(s.cough(), 20),
		"tone in noise": mixed(every(sine(1000, Rate, Rate), 5), s.white(5*Rate, -45)),
	} {
		for _, frame := range frameLengths {
			if events := detected(t, frame, stream); len(events) > 0 {
				t.Errorf("%s, frames of %s: %s at %s", name, frame, kinds(events), events[0].At)
			}
		}
	}
}

func BenchmarkDetector(b *testing.B) {
	d, _ := NewDetector(20 * time.Millisecond)
	stream := slices.Concat(vowel(120, 500*time.Millisecond), newSounds(1).white(Rate/2, -50))
	b.ReportAllocs()
	for b.Loop() {
		for at := 0; at < len(stream); at += d.FrameSize() {
			if _, err := d.Write(stream[at : at+d.FrameSize()]); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/second-of-sound")
}
