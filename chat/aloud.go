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
	Session sessions.Speech // what the session has of its own
	policy  settings.StoredPolicy
}

// LoadAloud queues a read of how a session is spoken about into out.
func LoadAloud(b *postgres.Batch, s obligations.Scope, out *Aloud) {
	settings.Load(b, &out.policy)
	sessions.LoadSpeech(b, s, &out.Session)
}

// Aloud returns how a session is spoken about.
func (e *Engine) Aloud(ctx context.Context, s obligations.Scope) (Aloud, error) {
	var out Aloud
	b := postgres.NewBatch(s.Tenant)
	LoadAloud(b, s, &out)
	err := b.Send(ctx, e.Pool)
	return out, fault.Wrap(err, "read how session %s sounds", s.Session)
}

// Records reports whether the organisation keeps the sound of what people say, if they agree.
func (a Aloud) Records() bool { return deref(a.policy.KeptRecordingsDays) > 0 }

// In returns how the session sounds while it is in a language, a BCP 47 tag. What the
// organisation says of the language is a variety of one: "en-GB" is for sessions in English.
func (a Aloud) In(language string) sessions.Speech {
	house := sessions.Speech{Voice: deref(a.policy.SpeechVoice), Speed: deref(a.policy.SpeechSpeed), Language: deref(a.policy.SpeechLanguage)}
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
