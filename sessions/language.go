package sessions

import (
	"strings"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/obligations"
	"quaestor/sessions/objectives"
)

// LanguageSource is where the language of a session is known from.
type LanguageSource string

// The sources, the surest first.
const (
	LanguageAsked       LanguageSource = "asked"     // somebody asked for it when the session began
	LanguageDetected    LanguageSource = "detected"  // the person's first messages are in it
	LanguageAccepted    LanguageSource = "accepted"  // the browser prefers it
	LanguageOfObjective LanguageSource = "objective" // nothing else is known
)

// LanguageRequest is what a client says about the language of a session that begins.
type LanguageRequest struct {
	Asked  string // BCP 47 tag; empty leaves it open
	Accept string // its Accept-Language header; may be empty
}

// ChooseLanguage returns the language in which a session about d begins: the one asked for,
// else the one that the client accepts best, else d's own. A language that was asked for
// and d does not speak is Unprocessable; so is what is no language.
func ChooseLanguage(d *objectives.Definition, r LanguageRequest) (string, LanguageSource, error) {
	have := d.Languages()
	if r.Asked != "" {
		if _, ok := language.CanonicalTag(r.Asked); !ok {
			return "", "", fault.New(fault.Unprocessable, "a language is a BCP 47 tag, such as de or en-GB; %q is none", language.Short(r.Asked)).At("language").Coded("language_invalid")
		}
		found, ok := language.Match(r.Asked, have)
		if !ok {
			return "", "", fault.New(fault.Unprocessable, "%s does not speak %q; it speaks: %s", d.ContextType, language.Short(r.Asked), strings.Join(have, ", ")).At("language").Coded("language_unknown")
		}
		return found, LanguageAsked, nil
	}
	if found, ok := language.Accepted(r.Accept, have); ok {
		return found, LanguageAccepted, nil
	}
	return have[0], LanguageOfObjective, nil
}

// detectWithin is how many messages of people the language of a session is detected in.
// Later a message in another language is a quotation, or somebody else's.
const detectWithin = 3

// Detect returns the language of s and its source once a message is said, after those
// that came before it. It changes only while nobody asked for a language, within the
// first three messages, and to a language that d speaks.
func (s *Session) Detect(d *objectives.Definition, before []Message, message string) (string, LanguageSource) {
	now, source := s.Language, s.LanguageSource
	if now == "" { // a session from before sessions had languages
		now, source = d.OwnLanguage(), LanguageOfObjective
	}
	have := d.Languages()
	if source == LanguageAsked || message == "" || len(have) < 2 {
		return now, source
	}
	said := []string{}
	for _, m := range before {
		if m.Role == FromUser {
			said = append(said, m.Content)
		}
	}
	if len(said) >= detectWithin {
		return now, source
	}
	found, ok := language.Detect(strings.Join(append(said, message), "\n"), have)
	if !ok || found == now {
		return now, source
	}
	return found, LanguageDetected
}

// Speak gives the obligations in list, which are those of s, the templates of its language,
// and returns its objective d in that language; see [objectives.Definition.Speak].
func (s *Session) Speak(d *objectives.Definition, list []obligations.Obligation) *objectives.Definition {
	return d.Speak(s.Language, list)
}
