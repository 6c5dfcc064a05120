package projects

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse/projects/internal/dbsqlc"
)

// FeedbackTarget is the kind of thing that feedback is about.
type FeedbackTarget string

// The kinds.
const (
	OfStep           FeedbackTarget = "exploration_step"
	OfInsight        FeedbackTarget = "insight"
	OfRecommendation FeedbackTarget = "recommendation"
)

// Vote is a person's opinion of a thing.
type Vote string

// The votes.
const (
	Like    Vote = "like"
	Dislike Vote = "dislike"
	NoVote  Vote = "none" // withdraws an earlier vote
)

// Feedback is a person's opinion of a thing in a run.
type Feedback struct {
	Project string // id
	Run     string // id; must exist
	Target  FeedbackTarget
	Ref     string // the number of a step, or the reference of an insight or a recommendation
	About   string // what the thing says, for later readers; cut at 1,000 characters
	User    string // id of the person
	Vote    Vote
	Comment string // at most 2,000 characters; may be empty
	At      time.Time
}

const (
	maxComment  = 2000
	maxAbout    = 1000
	maxFeedback = 200 // entries read at a time
)

// check validates f.
func (f Feedback) check() error {
	switch f.Target {
	case OfStep, OfInsight, OfRecommendation:
	default:
		return fault.New(fault.Unprocessable, "must be %s, %s or %s", OfStep, OfInsight, OfRecommendation).At("target")
	}
	switch f.Vote {
	case Like, Dislike, NoVote:
	default:
		return fault.New(fault.Unprocessable, "must be %s, %s or %s", Like, Dislike, NoVote).At("vote")
	}
	if n := utf8.RuneCountInString(f.Ref); n < 1 || n > maxNameRunes {
		return fault.New(fault.Unprocessable, "must have 1 to %d characters", maxNameRunes).At("ref")
	}
	if utf8.RuneCountInString(f.Comment) > maxComment {
		return fault.New(fault.Unprocessable, "must have at most %d characters", maxComment).At("comment")
	}
	return nil
}

// Judge stores a person's feedback. Their earlier feedback stays in the history; repeating it changes
// nothing. The caller has to make sure that the run and the thing exist; a missing project is
// NotFound.
func (s Store) Judge(ctx context.Context, tenant string, f Feedback) error {
	f.Comment = strings.TrimSpace(f.Comment)
	if err := f.check(); err != nil {
		return err
	}
	err := postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		if _, err := lock(ctx, tx, tenant, f.Project, 0); err != nil { // serializes two judgements
			return err
		}
		return queries.FeedbackInsert(ctx, tx, &dbsqlc.FeedbackInsertParams{TenantID: tenant, ProjectID: f.Project, RunID: f.Run, Target: string(f.Target), Ref: f.Ref,
			About: language.Clip(f.About, maxAbout), UserID: f.User, Vote: string(f.Vote), Comment: f.Comment})
	})
	return worded(err, "keep feedback on project "+f.Project)
}

// Feedback returns each person's current feedback on the things of a run, or of all runs of the
// project if run is empty, latest first, at most 200.
func (s Store) Feedback(ctx context.Context, tenant, project, run string) (out []Feedback, err error) {
	err = postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		rows, err := queries.FeedbackLatest(ctx, tx, &dbsqlc.FeedbackLatestParams{TenantID: tenant, ProjectID: project, RunID: postgres.OrNull(run), Most: maxFeedback})
		for _, r := range rows {
			out = append(out, fromFeedbackRow(r))
		}
		return err
	})
	return out, worded(err, "read feedback on project "+project)
}

// FeedbackHistory returns all feedback ever given on one thing, oldest first.
func (s Store) FeedbackHistory(ctx context.Context, tenant, project, run string, target FeedbackTarget, ref string) (out []Feedback, err error) {
	err = postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		rows, err := queries.FeedbackHistory(ctx, tx, &dbsqlc.FeedbackHistoryParams{TenantID: tenant, ProjectID: project, RunID: run, Target: string(target), Ref: ref})
		for _, r := range rows {
			out = append(out, fromFeedbackRow(r))
		}
		return err
	})
	return out, worded(err, "read feedback on project "+project)
}

// fromFeedbackRow converts a row of the table of feedback.
func fromFeedbackRow(r *dbsqlc.WarehouseFeedback) Feedback {
	return Feedback{Project: r.ProjectID, Run: r.RunID, Target: FeedbackTarget(r.Target), Ref: r.Ref, About: r.About, User: r.UserID, Vote: Vote(r.Vote), Comment: r.Comment, At: r.At}
}
