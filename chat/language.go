package chat

import (
	"strings"

	"quaestor/internal/language/messages"
)

// LanguageOf returns the language of a scene's session, one that has a file of messages:
// "en", "de". It is guessed from the words of the questions.
func LanguageOf(s *Scene) string {
	german := 0
	for i := range min(len(s.Obligations), maxGuessed) {
		for w := range strings.FieldsSeq(strings.ToLower(s.Obligations[i].Prompt)) {
			if germanWords[strings.Trim(w, "?,.!")] {
				german++
			}
		}
	}
	if german > 3 {
		return "de"
	}
	return messages.Default
}

// MessagesOf returns the messages in the language of a scene's session.
func MessagesOf(s *Scene) *messages.Language { return messages.In(LanguageOf(s)) }

// maxGuessed bounds the questions whose words are looked at for the language.
const maxGuessed = 10

var germanWords = func() map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields("der die das ist sind sie ihr ihre du dein wie wer wo wann welche welcher welches viele haben soll und oder nicht für mit ein eine einen gibt möchten") {
		out[w] = true
	}
	return out
}()
