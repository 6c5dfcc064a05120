package chat

import (
	"strings"

	"quaestor/internal/language"
	"quaestor/internal/language/messages"
)

// LanguageOf returns the language of a scene's session as there is a file of messages for
// it, "en" or "de"; that of its questions where the session has none; and
// [messages.Default] for all others.
func LanguageOf(s *Scene) string {
	tag := s.Session.Language
	if tag == "" {
		var prompts []string
		for i := range min(len(s.Obligations), maxGuessed) {
			prompts = append(prompts, s.Obligations[i].Prompt)
		}
		tag, _ = language.Detect(strings.Join(prompts, "\n"), language.Languages())
	}
	if base := messages.Base(tag); messages.Languages()[base] != nil {
		return base
	}
	return messages.Default
}

// MessagesOf returns the messages in the language of a scene's session.
func MessagesOf(s *Scene) *messages.Language { return messages.In(LanguageOf(s)) }

// maxGuessed bounds the questions whose words are looked at for the language.
const maxGuessed = 10
