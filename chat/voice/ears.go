package voice

import (
	"quaestor/internal/audio"
	"quaestor/sessions"
)

// soundKind is what the ears made of sound.
type soundKind int

const (
	beganSound     soundKind = iota + 1 // somebody began to speak
	falseSound                          // that was nobody
	utteranceSound                      // somebody has said something
)

// sound is something that the ears noticed.
type sound struct {
	kind    soundKind
	samples []int16 // of an utterance, at [audio.Rate]
}

// ears turn a stream of sound into utterances.
type ears struct {
	in       *audio.Resampler
	pushes   bool
	muted    bool
	pressed  bool
	speaking bool
	buffer   []int16 // the utterance, or what may be its beginning
	quiet    int     // samples of silence at the end of buffer
	loud     int
}

func newEars(rate int) (*ears, error) {
	in, err := audio.NewResampler(rate, audio.Rate)
	return &ears{in: in}, err
}

// asked tells what the person is asked, on which it depends how long they may think.
func (e *ears) asked(*sessions.Question) {}

// hearing reports whether somebody speaks.
func (e *ears) hearing() bool { return e.speaking }

// hear takes sound of the call's rate; over says that the interviewer speaks as well.
func (e *ears) hear(samples []int16, over bool) []sound {
	if e.muted {
		return nil
	}
	samples = e.in.Resample(nil, samples)
	if e.pushes {
		if e.pressed {
			e.buffer = append(e.buffer, samples...)
		}
		return nil
	}
	var out []sound
	const frame = audio.Rate / 50
	for len(samples) > 0 {
		f := samples[:min(frame, len(samples))]
		samples = samples[len(f):]
		e.buffer = append(e.buffer, f...)
		if audio.Level(f) > -40 {
			e.loud, e.quiet = e.loud+len(f), 0
		} else {
			e.quiet += len(f)
			if !e.speaking {
				e.loud = 0
			}
		}
		switch {
		case !e.speaking && e.loud >= audio.Rate/5:
			e.speaking = true
			out = append(out, sound{kind: beganSound})
		case !e.speaking && len(e.buffer) > audio.Rate:
			e.buffer = append([]int16(nil), e.buffer[len(e.buffer)-audio.Rate/2:]...)
		case e.speaking && e.quiet >= audio.Rate*7/10:
			out = append(out, e.end())
		}
	}
	return out
}

// end returns the utterance.
func (e *ears) end() sound {
	out := sound{utteranceSound, e.buffer}
	e.buffer, e.quiet, e.loud, e.speaking = nil, 0, 0, false
	return out
}

// mute stops and begins hearing. What was being said is dropped.
func (e *ears) mute(on bool) []sound {
	e.muted = on
	return e.forget()
}

// forget drops what was being said.
func (e *ears) forget() []sound {
	was := e.speaking
	e.buffer, e.quiet, e.loud, e.speaking, e.pressed = nil, 0, 0, false, false
	if was {
		return []sound{{kind: falseSound}}
	}
	return nil
}

// push changes whether utterances are pressed.
func (e *ears) push(on bool) []sound {
	e.pushes = on
	return e.forget()
}

// press begins and ends an utterance of somebody who pushes to talk.
func (e *ears) press(on bool) []sound {
	if !e.pushes || on == e.pressed {
		return nil
	}
	e.pressed = on
	if on {
		e.buffer, e.speaking = nil, true
		return []sound{{kind: beganSound}}
	}
	if len(e.buffer) < audio.Rate/4 {
		return e.forget()
	}
	return []sound{e.end()}
}
