package audio

import (
	"math"
	"time"
)

// nearness tells the person at the microphone from voices further away: who speaks to it is
// the loudest. What is softer by more than farthest counts as silence, so that a turn ends
// although others talk in the room. The numbers were found with recorded speech among six
// voices that are 15 and 20 dB softer; see BenchmarkRecordedSpeech.
type nearness struct {
	voice float64 // level of who speaks, in dB; [unheard] before anybody has
}

const (
	unheard  = -120.0
	farthest = 14.0 // dB below the voice
	rises    = 100 * time.Millisecond
	falls    = 3 * time.Second
	forgets  = 0.3 // dB a second, within a turn and its pauses
	leaves   = 3.0 // dB a second after it: somebody else may speak next
)

// near reports whether a sound of a level may be of who speaks.
func (n *nearness) near(level float64) bool { return level > n.voice-farthest }

// follow learns the level of a frame of length long: of a voice or not, within a turn or not.
func (n *nearness) follow(level float64, voice, inTurn bool, long time.Duration) {
	switch seconds := long.Seconds(); {
	case voice && level > n.voice:
		n.voice += (level - n.voice) * (1 - math.Exp(-seconds/rises.Seconds()))
	case voice:
		n.voice += (level - n.voice) * (1 - math.Exp(-seconds/falls.Seconds()))
	case inTurn:
		n.voice -= forgets * seconds
	default:
		n.voice = max(n.voice-leaves*seconds, unheard)
	}
}
