package audio

import (
	"time"
)

// Expected is what kind of answer a question asks for: it decides how long a silence means
// that the person has finished.
type Expected string

// The kinds of answers, the briefest first.
const (
	ExpectClosed    Expected = "closed"    // yes or no, a choice, a scale
	ExpectFigure    Expected = "figure"    // a number or a date
	ExpectText      Expected = "text"      // a few words
	ExpectStory     Expected = "story"     // a long answer, or a list
	ExpectDictation Expected = "dictation" // something spelled, or a long number in groups
)

// patience is how long a silence after speech may be before the turn is over. Pauses within
// answers are the longer the more there is to think of; the five values follow the settings
// of voice agents, whose minimum is 0.5 s and maximum 3 s, and cut off three turns in a
// hundred at most (BenchmarkRecordedSpeech).
var patience = map[Expected]time.Duration{
	ExpectClosed:    500 * time.Millisecond,
	ExpectFigure:    700 * time.Millisecond,
	ExpectText:      900 * time.Millisecond,
	ExpectStory:     1400 * time.Millisecond,
	ExpectDictation: 2400 * time.Millisecond,
}

// Times of taking turns.
const (
	heldLonger    = 1500 * time.Millisecond // what an unfinished sentence adds to the patience
	cough         = 250 * time.Millisecond  // speech that is shorter, and without words, is none
	takesFloor    = time.Second             // speech that is longer is no "mhm"
	falseAlarm    = 2 * time.Second         // after which playback goes on when no words were heard
	DefaultTurn   = 2 * time.Minute         // the longest turn
	DefaultSilent = 8 * time.Second         // without an answer, the person is asked again
)

// DecisionKind is what a caller has to do now.
type DecisionKind string

// What is decided. While something is played, a sound first pauses it: PausePlayback is
// followed by Interrupt when the person takes the floor, or by ResumePlayback when it was a
// cough or an "mhm".
const (
	PausePlayback  DecisionKind = "pause_playback"
	ResumePlayback DecisionKind = "resume_playback"
	Interrupt      DecisionKind = "interrupt" // stop for good: a turn of the person is under way
	EndTurn        DecisionKind = "end_turn"  // the person has finished
	NobodyAnswers  DecisionKind = "nobody_answers"
)

// EndReason is why a turn is over.
type EndReason string

// The reasons.
const (
	BySilence EndReason = "silence"
	ByLength  EndReason = "length" // it reached the longest turn; what follows is another
)

// Decision is what a caller has to do now. The zero value is nothing.
type Decision struct {
	Kind   DecisionKind
	Reason EndReason     // of EndTurn
	From   time.Duration // EndTurn: where in the stream the speech is, without pre-roll
	To     time.Duration
	Speech time.Duration // EndTurn: how much of that is speech; a cough has less than a quarter of a second
}

// EndpointerOptions are the bounds of an [Endpointer].
type EndpointerOptions struct {
	Language string        // of the person, a BCP 47 tag; empty means English
	LongTurn time.Duration // the longest turn; zero means DefaultTurn
	Silent   time.Duration // the silence after which nobody answers; zero means DefaultSilent
}

// Endpointer decides when a person's turn begins and ends. It is told of events
// ([Endpointer.Detected]), of words as far as they are known ([Endpointer.Heard]) and of
// playback ([Endpointer.Playing]), and asked for every frame what to do ([Endpointer.Decide]).
// Time is the position in the stream.
//
// Words are not necessary: without them a turn ends by silence alone, and a sound during
// playback counts as an interruption when it lasts. A caller that hears whole recordings
// only may let them be heard when speech pauses, while the patience runs.
type Endpointer struct {
	options  EndpointerOptions
	expected Expected

	playing bool
	paused  bool // playback waits for what the sound is

	speaking bool
	began    time.Duration // of the turn; valid while inTurn
	resumed  time.Duration // of the speech after the last pause
	ended    time.Duration // of the last speech
	voiced   time.Duration // speech of the turn so far, without the pauses
	inTurn   bool
	words    string        // of the turn, as far as they are known
	quiet    time.Duration // since when nobody says anything and nothing is played
}

// NewEndpointer returns an Endpointer that expects a text.
func NewEndpointer(o EndpointerOptions) *Endpointer {
	if o.LongTurn == 0 {
		o.LongTurn = DefaultTurn
	}
	if o.Silent == 0 {
		o.Silent = DefaultSilent
	}
	return &Endpointer{options: o, expected: ExpectText}
}

// Expect tells what kind of answer the question that is now asked asks for. An unknown kind
// counts as a text.
func (e *Endpointer) Expect(x Expected) { e.expected = x }

// Playing tells at now that something begins or ends to be played to the person. It is not
// told of pauses that the Endpointer itself decided on.
func (e *Endpointer) Playing(on bool, now time.Duration) {
	e.playing, e.quiet = on, now
	if !on {
		e.paused = false
	}
}

// Detected tells of an event of the [Detector].
func (e *Endpointer) Detected(v Event) {
	switch v.Kind {
	case Began, Resumed:
		if !e.inTurn {
			e.inTurn, e.began, e.voiced, e.words = true, v.At, 0, ""
		}
		e.speaking, e.resumed = true, v.At
	case Paused:
		if e.speaking {
			e.voiced += v.At - e.resumed
		}
		e.speaking, e.ended = false, v.At
	case Ended:
		e.speaking = false
	}
}

// Heard tells all words of the turn that are known so far; they replace those told before.
func (e *Endpointer) Heard(words string) {
	if e.inTurn {
		e.words = words
	}
}

// Decide returns what to do at now. It returns every decision once.
func (e *Endpointer) Decide(now time.Duration) Decision {
	switch {
	case e.playing:
		return e.overPlayback(now)
	case !e.inTurn && now-e.quiet >= e.options.Silent:
		e.quiet = now
		return Decision{Kind: NobodyAnswers}
	case !e.inTurn:
		return Decision{}
	case e.speaking && now-e.began >= e.options.LongTurn:
		d := Decision{EndTurn, ByLength, e.began, now, e.speech(now)}
		e.began, e.resumed, e.voiced, e.words = now, now, 0, ""
		return d
	case !e.speaking && now-e.ended >= e.Patience():
		e.inTurn, e.quiet = false, now
		return Decision{EndTurn, BySilence, e.began, e.ended, e.voiced}
	}
	return Decision{}
}

// overPlayback decides about a sound while something is played.
func (e *Endpointer) overPlayback(now time.Duration) Decision {
	switch {
	case !e.inTurn:
		return Decision{}
	case !e.paused:
		e.paused = true
		return Decision{Kind: PausePlayback}
	case e.words != "" && !Backchannel(e.options.Language, e.words), e.speech(now) >= takesFloor:
		e.playing, e.paused = false, false
		return Decision{Kind: Interrupt}
	case e.speaking:
		return Decision{}
	case e.words == "" && e.voiced < cough && now-e.ended >= patience[ExpectClosed],
		e.words != "" && now-e.ended >= patience[ExpectClosed],
		now-e.ended >= falseAlarm:
		e.inTurn, e.paused = false, false
		return Decision{Kind: ResumePlayback}
	}
	return Decision{}
}

// speech returns how long the person has spoken in this turn, without pauses.
func (e *Endpointer) speech(now time.Duration) time.Duration {
	if e.speaking {
		return e.voiced + now - e.resumed
	}
	return e.voiced
}

// Patience returns how long a silence ends the turn as it stands.
func (e *Endpointer) Patience() time.Duration {
	p, known := patience[e.expected]
	if !known {
		p = patience[ExpectText]
	}
	if HoldsFloor(e.options.Language, e.words) {
		p += heldLonger
	}
	return p
}

// InTurn reports whether the person has the floor: they speak, or have paused for less
// than the patience.
func (e *Endpointer) InTurn() bool { return e.inTurn }
