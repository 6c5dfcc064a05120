package voice

import (
	"runtime"
	"testing"

	"quaestor/internal/speech/speechtest"
)

// heap returns the bytes that are in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// The ears of a call are open for hours: what they heard before is let go. Their clock is the
// sound's own, so four hours take as long as it takes to look at them.
func TestFourHoursOfSoundKeepMemoryFlat(t *testing.T) {
	const rate = 16000
	e, err := newEars(rate, "en")
	if err != nil {
		t.Fatal(err)
	}
	minute := make([]int16, 0, 60*rate) // somebody speaks, then nobody does
	minute = append(minute, speechtest.Voice(1, rate)...)
	minute = append(minute, make([]int16, 59*rate)...)
	before, ended, most := int64(0), 0, 0
	for m := range 4 * 60 {
		for at := 0; at < len(minute); at += rate / 10 {
			heard, err := e.hear(minute[at : at+rate/10])
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range heard {
				if s.kind == endedSound {
					ended++
				}
			}
			most = max(most, cap(e.buffer))
		}
		if m == 5 {
			before = heap()
		}
	}
	if ended != 4*60 {
		t.Errorf("%d utterances were heard in four hours, want one a minute", ended)
	}
	if grown := heap() - before; grown > 1<<20 {
		t.Errorf("after four hours %d KB more are in use", grown>>10)
	}
	if limit := 10 * rate; most > limit {
		t.Errorf("it kept %d samples at once, want at most %d", most, limit)
	}
	runtime.KeepAlive(e)
}
