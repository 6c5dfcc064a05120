package chat

import (
	"slices"

	"quaestor/internal/language"
	"quaestor/sessions"
)

// Weary reports whether the person has little time or little strength, as far as they said so in
// the session: they are in a hurry, tired, or have lost somebody. They are asked one thing at a
// time, and nothing is read back to them at length.
func Weary(s *Scene) bool {
	return s.Memory.Course.Hurry > 0 || tellsOfWeariness(s.Message) ||
		slices.ContainsFunc(s.Transcript, func(m sessions.Message) bool { return m.Role == sessions.FromUser && tellsOfWeariness(m.Content) })
}

// tellsOfWeariness reports whether a message says that its author is tired, or that somebody of
// theirs has died.
func tellsOfWeariness(message string) bool {
	return language.Says("weary", message) || language.Says("death", message) && language.Says("kin", message)
}
