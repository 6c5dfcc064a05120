package chat

import (
	"context"
	"strings"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/settings"
)

// Aloud is how a session is spoken about.
type Aloud struct {
	House   sessions.Speech // what the organisation has set
	Session sessions.Speech // what the session has of its own
	Records bool            // the organisation keeps the sound of what people say, if they agree
}

// Aloud returns how a session is spoken about.
func (e *Engine) Aloud(ctx context.Context, s obligations.Scope) (Aloud, error) {
	var policy settings.StoredPolicy
	var out Aloud
	b := postgres.NewBatch(s.Tenant)
	settings.Load(b, &policy)
	sessions.LoadSpeech(b, s, &out.Session)
	if err := b.Send(ctx, e.Pool); err != nil {
		return out, fault.Wrap(err, "read how session %s sounds", s.Session)
	}
	out.House = sessions.Speech{Voice: deref(policy.SpeechVoice), Speed: deref(policy.SpeechSpeed), Language: deref(policy.SpeechLanguage)}
	out.Records = deref(policy.KeptRecordingsDays) > 0
	return out, nil
}

// In returns how the session sounds while it is in a language, a BCP 47 tag. What the
// organisation says of the language is a variety of one: "en-GB" is for sessions in English.
func (a Aloud) In(language string) sessions.Speech {
	house := a.House
	if base, _, _ := strings.Cut(language, "-"); base != "" {
		if of, _, _ := strings.Cut(house.Language, "-"); !strings.EqualFold(of, base) {
			house.Language = ""
		}
	}
	out := a.Session.Over(house)
	if out.Language == "" {
		out.Language = language
	}
	return out
}

// deref returns what is set, or the zero value.
func deref[T any](set *T) T {
	if set == nil {
		var zero T
		return zero
	}
	return *set
}
