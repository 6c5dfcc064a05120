package talk

import (
	"regexp"

	"quaestor/chat/voice"
	"quaestor/web"
)

// voiceFrame is what a client of a call sends as JSON.
type voiceFrame struct {
	Type      string       `json:"type"`      // start, played, mute, mode, press, release, interrupt or consent
	Rate      int          `json:"rate"`      // of start: of the sound in both directions, 16000 or 24000
	Codec     string       `json:"codec"`     // of start: of the sound that is sent, pcm16 or opus; empty means pcm16
	Call      string       `json:"call"`      // of start: the client's name of the call
	Utterance int          `json:"utterance"` // of start: number of the next utterance; 0 means 1
	After     *int64       `json:"after"`     // of start: the last event the client has; without it the last reply is spoken
	Rest      *voice.Place `json:"rest"`      // of start with after: where the reply goes on that was not heard to its end
	Mode      string       `json:"mode"`      // of start and mode: hands_free or push; empty means hands_free
	Watch     bool         `json:"watch"`     // of start: only follow
	Listen    bool         `json:"listen"`    // of start with watch: and hear the replies, at rate
	Turn      int          `json:"turn"`      // of played
	At        int          `json:"ms"`        // of played
	Allowed   bool         `json:"allowed"`   // of consent: the person may be recorded
	Muted     bool         `json:"muted"`     // of start and mute
}

var callName = regexp.MustCompile(`^[A-Za-z0-9-]{8,64}$`)

// The modes of a call.
const (
	handsFree  = "hands_free"
	pushToTalk = "push"
)

// The codecs of sound that a client sends.
const (
	plainSound = "pcm16"
	opusSound  = "opus" // each frame is a packet
)

// readVoice reads a frame of JSON.
func readVoice(data []byte) (voiceFrame, error) {
	if len(data) > maxControl {
		return voiceFrame{}, protocol("a frame of JSON has at most 8 KiB")
	}
	f, err := web.ReadJSON[voiceFrame](data)
	if err != nil {
		return f, protocol(err.Error())
	}
	return f, nil
}

// protocol returns the error of a frame that cannot be.
func protocol(detail string) error { return &badFrame{detail} }

// badFrame is a frame that ends its call.
type badFrame struct{ detail string }

func (b *badFrame) Error() string { return b.detail }
