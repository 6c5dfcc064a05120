package sessions

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/internal/dbsqlc"
	"quaestor/sessions/objectives"
)

// Revision is a completed session that was reopened, as it stood when its next revision
// began: what it was completed with, and what reviewers changed in it afterwards.
type Revision struct {
	Session    Session                // completed, of that revision; without question and memory
	Conflicts  []obligations.Conflict // that were open
	ReopenedAt time.Time
	ReopenedBy string
	Reviewer   bool   // a reviewer reopened it, and not somebody who takes part
	Reason     string // may be empty

	trailEnd int64
}

// Reopening is who opens a completed session again, and why.
type Reopening struct {
	By       string
	Reviewer bool
	Reason   string // may be empty
}

// Reopen queues the beginning of the next revision of s, which must be completed, and
// returns the session as it is then. What the session is now is kept as a [Revision].
// trailEnd is that of [obligations.LoadTrailEnd], conflicts are the open ones. The caller
// holds the session's [Lock] and records the turn that tells of it.
func Reopen(b *postgres.Batch, s Session, r Reopening, trailEnd int64, conflicts []obligations.Conflict) (Session, error) {
	open, err := json.Marshal(append([]obligations.Conflict{}, conflicts...))
	if err != nil {
		return s, fmt.Errorf("encode conflicts of session %s: %w", s.ID, err)
	}
	ctx := context.Background() // a batch does no I/O before it is sent
	_ = queries.RevisionInsert(ctx, b, &dbsqlc.RevisionInsertParams{TenantID: s.Tenant, SessionID: s.ID, TrailEnd: trailEnd, Conflicts: open,
		ReopenedBy: r.By, Reviewer: r.Reviewer, Reason: r.Reason})
	_ = queries.SessionReopen(ctx, b, &dbsqlc.SessionReopenParams{TenantID: s.Tenant, SessionID: s.ID})
	s.Version++
	s.Revision++
	s.RevisedTurns = s.Turns
	s.Status, s.StopReason, s.Question, s.CompletedAt = Active, "", nil, nil
	return s, nil
}

// LoadRevisions queues a read of the revisions of s that were reopened, oldest first,
// into out. The one that goes on, or that nobody has reopened, is s itself.
func LoadRevisions(b *postgres.Batch, s Session, out *[]Revision) {
	postgres.Many(b, queries.RevisionPage, &dbsqlc.RevisionPageParams{TenantID: s.Tenant, SessionID: s.ID}, func(r *dbsqlc.SessionRevision) error {
		v, err := revisionOf(s, r)
		*out = append(*out, v)
		return err
	})
}

// Revisions returns the revisions of s that were reopened, oldest first.
func Revisions(ctx context.Context, db postgres.DB, s Session) ([]Revision, error) {
	var out []Revision
	b := postgres.NewBatch(s.Tenant)
	LoadRevisions(b, s, &out)
	err := b.Send(ctx, db)
	return out, fault.Wrap(err, "list revisions of session %s", s.ID)
}

// FindRevision returns the revision of s with a number, which must have been reopened;
// NotFound otherwise.
func FindRevision(ctx context.Context, db postgres.DB, s Session, number int) (Revision, error) {
	list, err := Revisions(ctx, db, s)
	if err != nil {
		return Revision{}, err
	}
	i := slices.IndexFunc(list, func(r Revision) bool { return r.Session.Revision == number })
	if i < 0 {
		return Revision{}, NoRevision(number, s.Revision)
	}
	return list[i], nil
}

// NoRevision is the answer to a number that no revision of a session has; last is the
// number of the latest.
func NoRevision(number, last int) error {
	return fault.New(fault.NotFound, "the session has no revision %d; name one from 1 to %d", number, last).At("revision").Coded("revision_not_found")
}

// revisionOf returns a revision of s as it is stored.
func revisionOf(s Session, r *dbsqlc.SessionRevision) (Revision, error) {
	s.ObjectiveID, s.Revision, s.Turns, s.RevisedTurns = r.ObjectiveID, int(r.Revision), int(r.TurnCount), 0
	s.Phase, s.Score, s.Progress = Phase(r.SessionPhase), r.CompletenessScore, r.Progress
	s.Status, s.StopReason, s.Question, s.Memory = Completed, StopReason(postgres.OrEmpty(r.StopReason)), nil, Memory{}
	s.CompletedAt, s.UpdatedAt = &r.CompletedAt, r.ChangedAt
	out := Revision{Session: s, ReopenedAt: r.ReopenedAt, ReopenedBy: r.ReopenedBy, Reviewer: r.Reviewer, Reason: r.Reason, trailEnd: r.TrailEnd}
	err := json.Unmarshal(r.Conflicts, &out.Conflicts)
	return out, fault.Wrap(err, "conflicts of revision %d of session %s", r.Revision, s.ID)
}

// revisionEvents bounds the events of an audit trail that one round trip reads.
const revisionEvents = 5000

// Obligations returns the obligations as the revision left them, replayed from the audit
// trail, in the order of the objective.
func (r *Revision) Obligations(ctx context.Context, db postgres.DB, l *objectives.Library) ([]obligations.Obligation, error) {
	s := r.Session.Scope()
	var events []obligations.Event
	for p := (obligations.HistoryPage{Until: r.Session.lastTurn(), Max: revisionEvents}); ; {
		list, err := obligations.History(ctx, db, s, p)
		if err != nil {
			return nil, err
		}
		for _, e := range list {
			if e.ID <= r.trailEnd {
				events = append(events, e.Event)
			}
		}
		if len(list) < p.Max {
			break
		}
		p.After = list[len(list)-1].ID
	}
	templates, err := ReplayTemplates(events, l.Templates(ctx, s.Tenant))
	if err != nil {
		return nil, err
	}
	out, err := obligations.Replay(templates, events)
	return out, fault.Wrap(err, "replay revision %d of session %s", r.Session.Revision, s.Session)
}
