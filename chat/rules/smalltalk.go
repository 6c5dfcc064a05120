package rules

import (
	"quaestor/internal/language"
)

// manners are the messages for what people say beside the point, by the kind of the words that
// tell it, the surest first.
type manners []struct{ kind, key string }

var (
	offTopic       = manners{{"says-slowly", "aside.slowly"}, {"says-go-on", "aside.go-on"}, {"says-twice", "beside.twice"}, {"says-tired", "beside.tired"}, {"says-away", "aside.wait"}}
	asideQuestions = manners{{"says-taunt", "remark.complaint"}, {"says-enough", "aside.enough"}}
	smallTalk      = manners{{"says-slowly", "aside.slowly"}, {"says-go-on", "aside.go-on"}, {"says-language", "small-talk.language"}, {"says-back", "small-talk.back"},
		{"says-thanks", "small-talk.thanks"}, {"says-hello", "small-talk.hello"}, {"says-well", "small-talk.well"}, {"says-weather", "small-talk.weather"}}
)

// in returns the message for the first kind that a text has words of, else the given one.
func (m manners) in(text, otherwise string) string {
	text = clip(text, maxManner)
	for _, c := range m {
		if language.Says(c.kind, text) {
			return c.key
		}
	}
	return otherwise
}

// maxManner bounds, in runes, how much of a message is looked at for its manner.
const maxManner = 200

// greets reports whether the message is a greeting.
func (w *writer) greets() bool {
	return language.Says("says-hello", w.scene.Message) || language.Says("says-back", w.scene.Message)
}
