package voice

import (
	"time"

	"quaestor/chat"
	"quaestor/internal/audio"
	"quaestor/internal/spoken"
	"quaestor/obligations"
	"quaestor/sessions"
)

// soundKind is what the ears made of sound.
type soundKind int

const (
	beganSound  soundKind = iota + 1 // somebody speaks, or seems to
	falseSound                       // that was nobody, or somebody who only listens
	pausedSound                      // they pause, and may have finished
	endedSound                       // they have finished
	silentSound                      // nobody answers
)

// sound is something that the ears noticed.
type sound struct {
	kind    soundKind
	to      time.Duration // pausedSound, endedSound: where in the stream the speech ends
	samples []int16       // the same: what was said so far, at [audio.Rate]
}

// frame is how much sound is looked at at a time.
const frame = 20 * time.Millisecond

// postRoll is how much of the silence after speech belongs to it: recognisers want some.
const postRoll = 300 * time.Millisecond

// ears turn a stream of sound into utterances.
type ears struct {
	language string

	in       *audio.Resampler
	detector *audio.Detector
	turns    *audio.Endpointer
	expected audio.Expected
	question *sessions.Question // that is asked; nil for none

	pushes  bool
	muted   bool
	pressed bool
	plays   bool // turns believes that something is played

	began time.Duration // where in the stream the turn began
	told  int           // samples of the turn that [ears.soFar] returned last; 0 in a new turn

	rest   []int16 // less than a frame
	buffer []int16 // the end of the stream
	first  int     // sample of the stream at which buffer begins
}

func newEars(rate int, language string) (*ears, error) {
	in, err := audio.NewResampler(rate, audio.Rate)
	if err != nil {
		return nil, err
	}
	e := &ears{in: in, language: language, expected: audio.ExpectText}
	return e, e.reset()
}

// reset forgets what was heard.
func (e *ears) reset() error {
	detector, err := audio.NewDetector(frame)
	if err != nil {
		return err
	}
	e.detector, e.turns = detector, audio.NewEndpointer(audio.EndpointerOptions{Language: e.language})
	e.turns.Expect(e.expected)
	e.rest, e.buffer, e.first, e.plays, e.pressed = nil, nil, 0, false, false
	return nil
}

// asked tells what the person is asked: on that depends how long they may think.
func (e *ears) asked(q *sessions.Question) {
	e.expected, e.question = expectedOf(q), q
	e.turns.Expect(e.expected)
}

// expectedOf returns what kind of answer a question asks for; nil asks for a text.
func expectedOf(q *sessions.Question) audio.Expected {
	if q == nil {
		return audio.ExpectText
	}
	switch q.Purpose {
	case sessions.ToConfirm, sessions.ToResolve, sessions.ToFinish, sessions.ToApprove:
		return audio.ExpectClosed
	case sessions.ToForm, sessions.ToWiden, sessions.ToProbe:
		return audio.ExpectStory
	case sessions.ToAsk:
	}
	switch q.Widget {
	case obligations.Text:
		if spoken.Dictates(chat.SpokenKind(q)) {
			return audio.ExpectDictation
		}
	case obligations.ChoiceOne:
		return audio.ExpectClosed
	case obligations.Number, obligations.Date:
		return audio.ExpectFigure
	case obligations.MultiSelect:
		return audio.ExpectStory
	}
	return audio.ExpectText
}

// hearing reports whether the person has the floor.
func (e *ears) hearing() bool { return e.pressed || e.turns.InTurn() }

// enough is how much more has to be said until it is heard on the way once more.
const enough = 1200 * time.Millisecond

// longer reports whether the person still speaks, and has said enough since soFar.
func (e *ears) longer() bool {
	if !e.hearing() {
		e.told = 0
		return false
	}
	n := e.length()
	if n < e.told {
		e.told = 0 // another turn
	}
	return n-e.told >= e.sample(enough)
}

// soFar returns what was said so far, at [audio.Rate].
func (e *ears) soFar() []int16 {
	e.told = e.length()
	return append([]int16(nil), e.buffer[len(e.buffer)-e.told:]...)
}

// length is how many samples the turn has so far.
func (e *ears) length() int {
	if e.pushes {
		return len(e.buffer)
	}
	return min(len(e.buffer), e.first+len(e.buffer)-e.sample(e.began-audio.PreRoll))
}

// playing tells whether something is played by now, and whether it was stopped.
func (e *ears) playing(active, stopped bool) {
	if now := active && (!stopped || e.plays); now != e.plays {
		e.plays = now
		e.turns.Playing(now, e.detector.Position())
	}
}

// heard tells what the words of the turn are so far, as they were heard. Where something may
// be spelled, who says it as a whole has not to be waited for as long.
func (e *ears) heard(words string) {
	if e.expected == audio.ExpectDictation && !spoken.Dictating(e.language, words, chat.SpokenKind(e.question)) {
		e.turns.Expect(audio.ExpectText)
	} else {
		e.turns.Expect(e.expected)
	}
	e.turns.Heard(words)
}

// hear takes sound of the call's rate.
func (e *ears) hear(samples []int16) ([]sound, error) {
	if e.muted {
		return nil, nil
	}
	e.rest = e.in.Resample(e.rest, samples)
	if e.pushes {
		if e.pressed {
			e.buffer = append(e.buffer, e.rest...)
		}
		e.rest = e.rest[:0]
		return nil, nil
	}
	var out []sound
	taken := 0
	for size := e.detector.FrameSize(); taken+size <= len(e.rest); taken += size {
		noticed, err := e.frame(e.rest[taken : taken+size])
		if err != nil {
			return out, err
		}
		out = append(out, noticed...)
	}
	e.rest = e.rest[:copy(e.rest, e.rest[taken:])]
	return out, nil
}

// frame takes one frame.
func (e *ears) frame(samples []int16) ([]sound, error) {
	e.buffer = append(e.buffer, samples...)
	event, err := e.detector.Write(samples)
	if err != nil {
		return nil, err
	}
	var out []sound
	if event.Kind != "" {
		if !e.turns.InTurn() {
			e.began = event.At
			e.turns.Expect(e.expected)
		}
		e.turns.Detected(event)
		switch event.Kind {
		case audio.Began, audio.Resumed:
			if !e.plays {
				out = append(out, sound{kind: beganSound})
			}
		case audio.Paused:
			out = append(out, e.cut(pausedSound, e.began, event.At))
		case audio.Ended:
		}
	}
	switch d := e.turns.Decide(e.detector.Position()); d.Kind {
	case audio.PausePlayback:
		out = append(out, sound{kind: beganSound})
	case audio.ResumePlayback:
		out = append(out, sound{kind: falseSound})
	case audio.Interrupt:
		e.plays = false
	case audio.EndTurn:
		out = append(out, e.cut(endedSound, d.From, d.To))
		e.began = d.To
	case audio.NobodyAnswers:
		out = append(out, sound{kind: silentSound})
	}
	if spare := len(e.buffer) - audio.Rate; !e.turns.InTurn() && spare > audio.Rate { // a beginning is noticed late
		e.drop(spare)
	}
	return out, nil
}

// roomy is how much room the buffer keeps while nobody speaks; after a long answer it is made
// anew.
const roomy = 4 * audio.Rate

// drop forgets the first n samples of the buffer. Nobody else holds it: [ears.cut] copies.
func (e *ears) drop(n int) {
	e.first += n
	if cap(e.buffer) > roomy {
		e.buffer = append([]int16(nil), e.buffer[n:]...)
		return
	}
	e.buffer = e.buffer[:copy(e.buffer, e.buffer[n:])]
}

// cut returns what was said between two places of the stream.
func (e *ears) cut(kind soundKind, from, to time.Duration) sound {
	begins := max(0, e.sample(from-audio.PreRoll)-e.first)
	ends := min(len(e.buffer), max(begins, e.sample(to+postRoll)-e.first))
	return sound{kind, to, append([]int16(nil), e.buffer[begins:ends]...)}
}

func (e *ears) sample(at time.Duration) int { return int(at * audio.Rate / time.Second) }

// mute stops and begins hearing. What was being said is dropped.
func (e *ears) mute(on bool) ([]sound, error) {
	e.muted = on
	return e.forget()
}

// push changes whether utterances are pressed. What was being said is dropped.
func (e *ears) push(on bool) ([]sound, error) {
	e.pushes = on
	return e.forget()
}

// forget drops what was being said.
func (e *ears) forget() ([]sound, error) {
	was := e.hearing()
	if err := e.reset(); err != nil || !was {
		return nil, err
	}
	return []sound{{kind: falseSound}}, nil
}

// shortest is the least time for which a button is held by somebody who speaks.
const shortest = 250 * time.Millisecond

// press begins and ends an utterance of somebody who pushes to talk.
func (e *ears) press(on bool) ([]sound, error) {
	if !e.pushes || e.muted || on == e.pressed {
		return nil, nil
	}
	if on {
		e.buffer, e.pressed = nil, true
		return []sound{{kind: beganSound}}, nil
	}
	if len(e.buffer) < e.sample(shortest) {
		return e.forget()
	}
	out := sound{kind: endedSound, to: -1, samples: e.buffer}
	e.buffer, e.pressed = nil, false
	return []sound{out}, nil
}
