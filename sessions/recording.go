package sessions

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/internal/dbsqlc"
)

// Consent is whether somebody agrees to be recorded in a session.
type Consent string

// The answers.
const (
	ConsentUnasked  Consent = ""         // they were not asked, or did not say
	ConsentGiven    Consent = "given"    // what they say may be kept as sound
	ConsentDeclined Consent = "declined" // nothing is recorded
)

// FindConsent returns whether user agrees to be recorded in a session.
func FindConsent(ctx context.Context, db postgres.DB, s obligations.Scope, user string) (Consent, error) {
	out := ConsentUnasked
	b := postgres.NewBatch(s.Tenant)
	postgres.One(b, queries.ConsentFind, &dbsqlc.ConsentFindParams{TenantID: s.Tenant, SessionID: s.Session, UserID: user}, func(allowed bool) error {
		out = ConsentDeclined
		if allowed {
			out = ConsentGiven
		}
		return nil
	})
	err := b.Send(ctx, db)
	return out, fault.Wrap(err, "look whether somebody agrees to be recorded in session %s", s.Session)
}

// Decide records whether user agrees to be recorded in a session, and returns the events to
// publish. Who declines after having agreed has what was recorded of them in the session
// deleted. Saying the same again changes nothing.
func Decide(ctx context.Context, pool *pgxpool.Pool, s obligations.Scope, user string, allowed bool) ([]Event, error) {
	var events []Event
	err := postgres.InTx(ctx, pool, s.Tenant, func(tx pgx.Tx) error {
		session, err := findLocked(ctx, tx, s)
		if err != nil {
			return err
		}
		before, err := FindConsent(ctx, tx, s, user)
		if err != nil || before == ConsentGiven && allowed || before == ConsentDeclined && !allowed {
			return err
		}
		if err := queries.ConsentPut(ctx, tx, &dbsqlc.ConsentPutParams{TenantID: s.Tenant, SessionID: s.Session, UserID: user, Allowed: allowed}); err != nil {
			return err
		}
		if !allowed {
			if _, err := queries.RecordingDeleteOf(ctx, tx, &dbsqlc.RecordingDeleteOfParams{TenantID: s.Tenant, SessionID: s.Session, UserID: user}); err != nil {
				return err
			}
		}
		events, err = logBetweenTurns(ctx, tx, session, RecordingEvent{Turn: session.lastTurn(), User: user, Allowed: allowed})
		return err
	})
	return events, fault.Wrap(err, "record whether somebody agrees to be recorded in session %s", s.Session)
}

// RecordingRate is the rate of recordings in samples a second: PCM16, one channel.
const RecordingRate = 16000

// Bounds of recordings.
const (
	MaxRecording      = 4 << 20   // bytes of one; what is longer is cut at its end
	maxRecordingTotal = 256 << 20 // bytes of a session after which no more are kept
)

// Recording is the sound of what a person said in a turn.
type Recording struct {
	Turn   int
	User   string
	Length time.Duration // that they spoke; the sound is shorter when that was longer than MaxRecording
	Sound  []byte        // little-endian; nil in lists
	At     time.Time
}

// KeepRecording keeps the sound of the person's message of a turn. It reports false, and keeps
// nothing, unless its author agrees by then; when there is one already; and when the session has
// as much as it may.
func KeepRecording(ctx context.Context, pool *pgxpool.Pool, s obligations.Scope, r Recording) (kept bool, err error) {
	err = postgres.InTx(ctx, pool, s.Tenant, func(tx pgx.Tx) error {
		n, err := queries.RecordingInsert(ctx, tx, &dbsqlc.RecordingInsertParams{TenantID: s.Tenant, SessionID: s.Session, Turn: int32(r.Turn), UserID: r.User,
			Milliseconds: milliseconds(r.Length), Sound: r.Sound[:min(len(r.Sound), MaxRecording)], Most: maxRecordingTotal})
		kept = n > 0
		return err
	})
	return kept, fault.Wrap(err, "keep the sound of turn %d of session %s", r.Turn, s.Session)
}

// FindRecording returns the sound of the person's message of a turn. It is NotFound when none is
// kept.
func FindRecording(ctx context.Context, pool *pgxpool.Pool, s obligations.Scope, turn int) (Recording, error) {
	var out Recording
	err := postgres.InTx(ctx, pool, s.Tenant, func(tx pgx.Tx) error {
		r, err := queries.RecordingFind(ctx, tx, &dbsqlc.RecordingFindParams{TenantID: s.Tenant, SessionID: s.Session, Turn: int32(turn)})
		if err == nil {
			out = Recording{int(r.Turn), r.UserID, time.Duration(r.Milliseconds) * time.Millisecond, r.Sound, r.CreatedAt}
		}
		return err
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return out, fault.New(fault.NotFound, "no sound is kept of turn %d", turn).Coded("recording_not_found")
	}
	return out, fault.Wrap(err, "read the sound of turn %d of session %s", turn, s.Session)
}

// Recordings lists what is recorded of a session, without the sound.
func Recordings(ctx context.Context, db postgres.DB, s obligations.Scope) ([]Recording, error) {
	var list []Recording
	b := postgres.NewBatch(s.Tenant)
	LoadRecordings(b, s, &list)
	err := b.Send(ctx, db)
	return list, fault.Wrap(err, "list recordings of session %s", s.Session)
}

// LoadRecordings queues a read of what is recorded of a session, without the sound, into list.
func LoadRecordings(b *postgres.Batch, s obligations.Scope, list *[]Recording) {
	postgres.Many(b, queries.RecordingList, &dbsqlc.RecordingListParams{TenantID: s.Tenant, SessionID: s.Session}, func(r *dbsqlc.RecordingListRow) error {
		*list = append(*list, Recording{Turn: int(r.Turn), User: r.UserID, Length: time.Duration(r.Milliseconds) * time.Millisecond, At: r.CreatedAt})
		return nil
	})
}
