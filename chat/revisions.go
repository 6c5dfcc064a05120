package chat

import (
	"context"
	"slices"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// RevisionReport tells what became of one revision of a session.
type RevisionReport struct {
	Session     sessions.Session   // as the revision left it, or as it stands now in the latest
	Reopening   *sessions.Revision // how it was reopened as the next one; nil for the latest
	Changes     []Difference       // of values and statuses since the revision before; none for the first
	Obligations []obligations.Obligation
}

// Begun returns the number of the first turn of a revision after the first, which tells
// that the session was reopened.
func (r *RevisionReport) Begun() int { return r.Session.RevisedTurns + 1 }

// CompletedAt returns when the revision was completed; nil when it goes on.
func (r *RevisionReport) CompletedAt() *time.Time { return r.Session.CompletedAt }

// Revisions returns all revisions of s, oldest first, with what each changed. The last is
// s as it stands. Each but the last is replayed from the audit trail, so it takes a round
// trip and more for each.
func Revisions(ctx context.Context, db postgres.DB, l *objectives.Library, s sessions.Session) ([]RevisionReport, error) {
	kept, err := sessions.Revisions(ctx, db, s)
	if err != nil {
		return nil, err
	}
	var out []RevisionReport
	for i := range kept {
		list, err := kept[i].Obligations(ctx, db, l)
		if err != nil {
			return nil, err
		}
		out = append(out, RevisionReport{Session: kept[i].Session, Reopening: &kept[i], Obligations: list})
	}
	now := RevisionReport{Session: s}
	b := postgres.NewBatch(s.Tenant)
	obligations.Load(b, s.Scope(), l.Templates(ctx, s.Tenant), &now.Obligations)
	if err := b.Send(ctx, db); err != nil {
		return nil, fault.Wrap(err, "read revisions of session %s", s.ID)
	}
	out = append(out, now)
	for i := 1; i < len(out); i++ {
		out[i].Session.RevisedTurns = out[i-1].Session.Turns
		out[i].Changes = slices.DeleteFunc(Differences(out[i-1].Obligations, out[i].Obligations), Difference.surer)
	}
	return out, nil
}

// surer reports whether the two states differ in confidence alone.
func (d Difference) surer() bool {
	return d.First != nil && d.Other != nil && d.First.Status == d.Other.Status && obligations.SameValue(d.First.Value, d.Other.Value)
}
