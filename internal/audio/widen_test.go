package audio

import (
	"math"
	"slices"
	"testing"
)

// A telephone's sound keeps what it has, and is no longer silent above 4 kHz.
func TestWidened(t *testing.T) {
	t.Parallel()

	voice := make([]int16, Rate)
	for i := range voice {
		voice[i] = int16(8000 * math.Sin(2*math.Pi*500*float64(i)/Rate))
	}
	wide := Widened(voice)
	added := make([]int16, len(voice))
	for i := range voice {
		added[i] = wide[i] - voice[i]
	}
	if got, want := Level(added), Level(voice)-widerBy; math.Abs(got-want) > 1 {
		t.Errorf("the noise has %.1f dBFS, want %.1f", got, want)
	}
	down, err := NewResampler(Rate, Rate/2)
	if err != nil {
		t.Fatal(err)
	}
	if low := down.Flush(down.Resample(nil, added)); Level(low) > Level(added)-15 {
		t.Errorf("of noise of %.1f dBFS %.1f are below 4 kHz", Level(added), Level(low))
	}
	if !slices.Equal(wide, Widened(voice)) {
		t.Error("the noise is another one each time")
	}
	if got := Widened(make([]int16, 100)); Level(got) > -80 {
		t.Errorf("silence becomes %.1f dBFS", Level(got))
	}
	if got := Widened(nil); len(got) != 0 {
		t.Errorf("nothing becomes %v", got)
	}
}
