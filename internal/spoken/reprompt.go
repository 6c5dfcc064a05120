package spoken

import "quaestor/internal/language/messages"

// Cause is why a question stands without an answer.
type Cause string

// The causes.
const (
	Silence Cause = "silence" // nobody said anything
	Noise   Cause = "noise"   // something was said, or made a noise, and no words were heard
)

// Reprompt returns what is said the nth time, from 1, that a question gets no answer, and
// whether typing is offered, so that a page can bring its field into view. Each time it asks
// for less, and the third time it offers to type. After that, silence is left alone: the
// message is the zero Message. Noise is not, for somebody is there.
func Reprompt(cause Cause, n int) (m messages.Message, typing bool) {
	silence := []string{"voice.silence-1", "voice.silence-2", "voice.silence-3"}
	noise := []string{"voice.noise-1", "voice.noise-2", "voice.noise-3"}
	switch {
	case cause == Silence && n > len(silence):
		return messages.Message{}, true
	case cause == Silence:
		return messages.Message{Key: silence[max(n, 1)-1]}, n >= len(silence)
	default:
		n = min(max(n, 1), len(noise))
		return messages.Message{Key: noise[n-1]}, n >= len(noise)
	}
}
