package audio

import (
	"math"
	"time"

	"quaestor/internal/fault"
)

// EventKind is what a [Detector] noticed.
type EventKind string

// What is noticed. A stretch of speech is Began, any number of Paused and Resumed, and
// Ended.
const (
	Began   EventKind = "began"
	Paused  EventKind = "paused"  // silence for pauseAfter
	Resumed EventKind = "resumed" // speech after Paused
	Ended   EventKind = "ended"   // silence for endAfter
)

// Event is a change between speech and silence.
type Event struct {
	Kind EventKind     // empty for no event
	At   time.Duration // where in the stream it happened: for Paused and Ended, the end of the last speech
	Seen time.Duration // where in the stream it was noticed: the end of the frame, at or after At
}

// Times of the detector.
const (
	pauseAfter = 200 * time.Millisecond  // longer than the closure of a plosive
	endAfter   = 3000 * time.Millisecond // longer than the patience for any answer
	lookBack   = 300 * time.Millisecond  // how long ago a beginning may be
)

// Thresholds, found with the voices and noises of the tests; see TestDetectorInNoise.
const (
	onsetSNR   = 7.5  // dB above the noise in the loudest bands, for a frame that begins speech
	keepSNR    = 6.0  // the same within speech
	minVoicing = 0.62 // periodicity of a voiced frame, 0 to 1
	floorLevel = 1e-7 // power of a band below which nothing is speech: −70 dBFS
)

// history is how many frames are looked back at.
const history = 16

// frameKind is what one frame sounds like.
type frameKind struct {
	loud, kept bool
	voiced     bool // and loud
}

// Detector finds speech in a stream of frames at [Rate]. A frame counts as speech when some
// bands of its spectrum stand out from the noise, and when it is no steady tone. Speech
// begins where several such frames come together and some of them are voiced, that is,
// periodic at a pitch of 70 to 400 Hz: so neither a door nor a keyboard nor a fan that
// is switched on begins it. A whisper does not either. Voices that are much softer than the
// one that spoke last are taken for noise.
//
// The noise of each band is the least power within the last two seconds (minimum
// statistics, after R. Martin, IEEE Trans. Speech and Audio Processing 9(5), 2001, with a
// constant for the bias), so that it is known while somebody speaks.
//
// Write allocates nothing.
type Detector struct {
	frame    int // samples of a frame
	hann     []float64
	spectrum *transform
	power    [window / 2]float64
	last     tone
	noise    noise
	pitch    pitch
	speaker  nearness

	kinds   [history]frameKind // of the last frames, by frame number
	frames  int                // taken so far
	state   EventKind          // of the last event; empty before any
	spoken  int                // frame after the last one of speech
	quieted int                // frame before which a beginning cannot be
}

// NewDetector returns a Detector of frames that are 20 or 30 ms long; others are
// Unprocessable.
func NewDetector(frame time.Duration) (*Detector, error) {
	if frame != 20*time.Millisecond && frame != 30*time.Millisecond {
		return nil, fault.New(fault.Unprocessable, "frames are 20 or 30 ms long, not %s", frame).At("frame")
	}
	d := &Detector{frame: int(frame * Rate / time.Second), spectrum: newTransform(), speaker: nearness{unheard}}
	d.hann = make([]float64, d.frame)
	for i := range d.hann {
		d.hann[i] = 0.5 - 0.5*math.Cos(2*math.Pi*(float64(i)+0.5)/float64(d.frame))
	}
	return d, nil
}

// FrameSize returns how many samples a frame has.
func (d *Detector) FrameSize() int { return d.frame }

// Position returns how much of the stream was written.
func (d *Detector) Position() time.Duration { return d.at(d.frames) }

// Speaking reports whether somebody speaks, short pauses left out.
func (d *Detector) Speaking() bool { return d.state == Began || d.state == Resumed }

// Write takes the next frame and returns the event that it brings, if any. A frame of
// another length is Unprocessable.
func (d *Detector) Write(samples []int16) (Event, error) {
	if len(samples) != d.frame {
		return Event{}, fault.New(fault.Unprocessable, "a frame has %d samples, not %d", d.frame, len(samples)).At("audio")
	}
	d.kinds[d.frames%history] = d.listen(samples)
	d.frames++
	return d.change(), nil
}

func (d *Detector) at(frame int) time.Duration { return Duration(frame*d.frame, Rate) }

// within returns how many frames d lasts, rounded up.
func (d *Detector) within(t time.Duration) int {
	return int((t + d.at(1) - 1) / d.at(1))
}

// listen returns what a frame sounds like.
func (d *Detector) listen(samples []int16) frameKind {
	re := &d.spectrum.re
	clear(re[:])
	for i, s := range samples {
		re[d.spectrum.reversed[i]] = d.hann[i] * float64(s) / 32768
	}
	d.spectrum.power(&d.power)
	steady := d.last.repeats(&d.power)
	snr := d.noise.snr(&d.power, d.at(1))
	d.pitch.take(samples)
	level := d.noise.level()
	fits := !steady && d.speaker.near(level)
	k := frameKind{loud: snr > onsetSNR && fits, kept: snr > keepSNR && fits}
	k.voiced = k.loud && d.pitch.voicing() > minVoicing // which is what takes longest
	d.speaker.follow(level, k.voiced, d.state != "" && d.state != Ended, d.at(1))
	return k
}

// count returns how many of the last n frames are loud, kept, and voiced.
func (d *Detector) count(n int) (loud, kept, voiced int) {
	for i := max(d.frames-n, 0); i < d.frames; i++ {
		k := d.kinds[i%history]
		if k.loud {
			loud++
		}
		if k.kept {
			kept++
		}
		if k.voiced {
			voiced++
		}
	}
	return loud, kept, voiced
}

// change returns the event that the last frame brings.
func (d *Detector) change() Event {
	if d.Speaking() {
		_, kept, _ := d.count(3)
		if kept >= 2 {
			d.spoken = d.frames
		}
		if d.frames-d.spoken >= d.within(pauseAfter) {
			d.quieted = d.frames
			return d.event(Paused, d.spoken)
		}
		return Event{}
	}
	// 140 ms of which 90 are loud and 60 voiced; after a pause less, for it is the same voice.
	window, loudLeast, voicedLeast := 140*time.Millisecond, 90*time.Millisecond, 60*time.Millisecond
	kind := Began
	if d.state == Paused {
		window, loudLeast, voicedLeast, kind = 100*time.Millisecond, 60*time.Millisecond, 40*time.Millisecond, Resumed
	}
	loud, _, voiced := d.count(d.within(window))
	if loud >= d.within(loudLeast) && voiced >= d.within(voicedLeast) {
		d.spoken = d.frames
		return d.event(kind, d.beginning())
	}
	if d.state == Paused && d.frames-d.spoken >= d.within(endAfter) {
		return d.event(Ended, d.spoken)
	}
	return Event{}
}

// beginning returns the frame in which speech that was just noticed began: before it were
// two frames without.
func (d *Detector) beginning() int {
	from, gap := d.frames-1, 0
	for i := d.frames - 1; i >= max(d.frames-min(d.within(lookBack), history), d.quieted, 0) && gap < 2; i-- {
		if gap++; d.kinds[i%history].kept {
			from, gap = i, 0
		}
	}
	return from
}

func (d *Detector) event(kind EventKind, frame int) Event {
	d.state = kind
	return Event{Kind: kind, At: d.at(frame), Seen: d.at(d.frames)}
}
