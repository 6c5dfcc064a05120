package audio

import (
	"math"
	"slices"
	"testing"
	"time"
)

// softer returns samples that are softer by some dB.
func softer(samples []int16, by float64) []int16 {
	out := make([]int16, len(samples))
	for i, v := range samples {
		out[i] = clamp(float64(v) * math.Pow(10, -by/20))
	}
	return out
}

// Others who talk in the room do not keep a turn from ending.
func TestSofterVoicesHoldNoFloor(t *testing.T) {
	t.Parallel()

	said := spoken(t, "We sell machines to small bakeries.")
	room := slices.Concat(spoken(t, "It should be ready by the end of March."), spoken(t, "Six hundred euros a month."), spoken(t, "My name is Peter Schmidt."))
	finished := time.Second + Duration(len(said), Rate)
	stream := mixed(slices.Concat(silence(time.Second), said, softer(room, 20)), newSounds(5).pink(4*Rate, -65))
	d, _ := NewDetector(20 * time.Millisecond)
	e := NewEndpointer(EndpointerOptions{})
	for ; len(stream) >= d.FrameSize(); stream = stream[d.FrameSize():] {
		event, err := d.Write(stream[:d.FrameSize()])
		if err != nil {
			t.Fatal(err)
		}
		e.Detected(event)
		if decided := e.Decide(d.Position()); decided.Kind == EndTurn {
			if off := decided.To - finished; off.Abs() > 300*time.Millisecond {
				t.Errorf("the turn is over at %s, want %s", decided.To, finished)
			}
			return
		}
	}
	t.Error("the turn does not end")
}

// Who speaks next may be softer.
func TestSofterVoiceIsHeardAfterATurn(t *testing.T) {
	t.Parallel()

	said := spoken(t, "about fifteen people")
	stream := slices.Concat(silence(time.Second), said, silence(6*time.Second), softer(said, 20), silence(time.Second))
	events := detected(t, 20*time.Millisecond, mixed(stream, newSounds(6).pink(4*Rate, -70)))
	if got := kinds(events); got != "began paused ended began paused" {
		t.Errorf("events: %s", got)
	}
}
