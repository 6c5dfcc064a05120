package sessions

import (
	"context"
	"regexp"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/internal/dbsqlc"
)

// Speech is how interviews sound. The zero value leaves everything to whoever sets it next: a
// session to its organisation, and that to the server.
type Speech struct {
	Voice    string  // name of a voice of whatever speaks, such as "alloy" or "slt"
	Speed    float64 // 0.5 to 2; 1 is the voice's own, and 0 leaves it open
	Language string  // that is heard and spoken, a BCP 47 tag such as "en-GB"; empty for that of the interview
}

// maxVoice bounds the name of a voice, in characters.
const maxVoice = 60

var languageTag = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$`)

// Check returns what of s cannot be, as Unprocessable at its field; nil for nothing.
func (s Speech) Check() error {
	switch {
	case utf8.RuneCountInString(s.Voice) > maxVoice:
		return fault.New(fault.Unprocessable, "the name of a voice has at most %d characters", maxVoice).At("voice")
	case s.Speed != 0 && !(s.Speed >= 0.5 && s.Speed <= 2):
		return fault.New(fault.Unprocessable, "the speed is 0.5 to 2, where 1 is the voice's own, not %g", s.Speed).At("speed")
	case s.Language != "" && !languageTag.MatchString(s.Language):
		return fault.New(fault.Unprocessable, "the language is a tag such as en, en-GB or de").At("language")
	}
	return nil
}

// Over returns s where it says something, and otherwise what below says.
func (s Speech) Over(below Speech) Speech {
	if s.Voice == "" {
		s.Voice = below.Voice
	}
	if s.Speed == 0 {
		s.Speed = below.Speed
	}
	if s.Language == "" {
		s.Language = below.Language
	}
	return s
}

// LoadSpeech queues a read of how a session sounds into out, which stays as it is when nothing
// is set.
func LoadSpeech(b *postgres.Batch, s obligations.Scope, out *Speech) {
	postgres.One(b, queries.SpeechFind, &dbsqlc.SpeechFindParams{TenantID: s.Tenant, SessionID: s.Session}, func(r *dbsqlc.SessionSpeech) error {
		*out = Speech{r.Voice, r.Speed, r.Language}
		return nil
	})
}

// SetSpeech changes how a session sounds, in the name of by, and returns the events to publish;
// none when nothing changes.
func SetSpeech(ctx context.Context, pool *pgxpool.Pool, s obligations.Scope, by string, to Speech) ([]Event, error) {
	if err := to.Check(); err != nil {
		return nil, err
	}
	var events []Event
	err := postgres.InTx(ctx, pool, s.Tenant, func(tx pgx.Tx) error {
		session, err := findLocked(ctx, tx, s)
		if err != nil {
			return err
		}
		var now Speech
		b := postgres.NewBatch(s.Tenant)
		LoadSpeech(b, s, &now)
		if err := b.Send(ctx, tx); err != nil || now == to {
			return err
		}
		err = queries.SpeechPut(ctx, tx, &dbsqlc.SpeechPutParams{TenantID: s.Tenant, SessionID: s.Session, Voice: to.Voice, Speed: to.Speed, Language: to.Language, ChangedBy: by})
		if err != nil {
			return err
		}
		events, err = logBetweenTurns(ctx, tx, session, SpeechEvent{Turn: session.lastTurn(), Voice: to.Voice, Speed: to.Speed, Language: to.Language, By: by})
		return err
	})
	return events, fault.Wrap(err, "change how session %s sounds", s.Session)
}
