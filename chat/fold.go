package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
)

// FoldArgs is the job that folds the transcript of a session into summaries, up to a turn.
// It has ids only, because River's tables are not separated by tenant.
type FoldArgs struct {
	Tenant  string `json:"tenant"`
	Session string `json:"session"`
	To      int    `json:"to"`
}

// Kind returns the name of the job.
func (FoldArgs) Kind() string { return "session_fold" }

// InsertOpts makes the job unique for its session and turn, and gives it a lower priority
// than research, which people wait for.
func (FoldArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Priority: 3, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// enqueueFold enqueues the fold up to turn to, in the transaction of the turn that makes it
// due. It does nothing when to is 0.
func enqueueFold(ctx context.Context, tx pgx.Tx, q *research.Queue, s obligations.Scope, to int) error {
	if to == 0 {
		return nil
	}
	if _, err := q.InsertTx(ctx, tx, FoldArgs{s.Tenant, s.Session, to}, nil); err != nil {
		return fmt.Errorf("enqueue fold of session %s: %w", s.Session, err)
	}
	return nil
}

// FoldOptions configures the worker of [FoldArgs].
type FoldOptions struct {
	Pool  *pgxpool.Pool
	Model Summarizer // of all organisations, where Models is nil; nil means that summaries are extracts
	Log   *slog.Logger

	Models func(ctx context.Context, tenant string) Models // of an organisation, asked in each job; nil means Model for all
}

// Folding returns the worker of [FoldArgs] for a queue.
func Folding(o FoldOptions) research.AddFunc {
	return func(w *river.Workers) error { return river.AddWorkerSafely(w, river.WorkFunc(o.fold)) }
}

// Bounds of one job. After 40 stretches, 400 turns, other jobs get a chance. A minute is
// enough for a model to word a few dozen summaries; what is left after it is extracted.
const (
	foldsPerJob = 40
	modelLimit  = time.Minute
)

// fold folds one stretch after another, each in a transaction of its own, so that a job
// that was killed continues where it was. When two jobs fold the same stretch, the second
// row is dropped.
func (o FoldOptions) fold(ctx context.Context, job *river.Job[FoldArgs]) error {
	s := obligations.Scope{Tenant: job.Args.Tenant, Session: job.Args.Session}
	f := folder{FoldOptions: o, model: o.summarizer(ctx, s.Tenant), session: s.Session}
	limited, cancel := context.WithTimeout(ctx, modelLimit)
	defer cancel()
	for range foldsPerJob {
		next, err := sessions.NextUnfolded(ctx, o.Pool, s)
		if err != nil {
			return err
		}
		if next.Stretch.To > job.Args.To {
			return nil
		}
		if err := o.save(ctx, s, f.summaries(limited, next)); err != nil {
			return err
		}
	}
	return river.JobSnooze(0)
}

// save writes summaries. A session that was deleted meanwhile cancels the job.
func (o FoldOptions) save(ctx context.Context, s obligations.Scope, made []sessions.Summary) error {
	b := postgres.NewBatch(s.Tenant)
	if err := sessions.SaveSummaries(b, s, made); err != nil {
		return err
	}
	err := b.Send(ctx, o.Pool)
	switch {
	case postgres.Constraint(err) == "discovery_session_summaries_session_fkey":
		return river.JobCancel(errors.New("the session is gone"))
	case err != nil:
		return fmt.Errorf("save summaries of session %s: %w", s.Session, err)
	}
	return nil
}

// folder words the summaries of one job. Once the model has failed, the rest is extracted.
type folder struct {
	FoldOptions
	model    Summarizer // nil means that summaries are extracts
	session  string
	degraded string // why the model is not used any more; empty while it is
}

// summaries returns the summary of a stretch and, one level above the other, those that it
// completes. It writes nothing.
func (f *folder) summaries(ctx context.Context, u sessions.PendingSummary) []sessions.Summary {
	made := []sessions.Summary{f.word(ctx, u.Stretch)}
	line := append(u.Line[:len(u.Line):len(u.Line)], made[0])
	for st, ok := sessions.Join(line); ok; st, ok = sessions.Join(line) {
		whole := f.word(ctx, st)
		made = append(made, whole)
		line = append(line[:len(line)-len(st.Parts)], whole)
	}
	made[0].SoFar = sessions.SoFar(line)
	return made
}

// word returns the summary of one stretch.
func (f *folder) word(ctx context.Context, in sessions.SummaryInput) sessions.Summary {
	if f.model != nil && f.degraded == "" {
		text, usage, err := f.model.Summarize(ctx, in)
		if err == nil {
			m := in.Summary(text, f.model.Name())
			m.Usage, _ = json.Marshal(usage) // numbers only, which cannot fail
			return m
		}
		f.degraded = FailureClass(err)
		f.Log.InfoContext(ctx, "summary without the model", "session", f.session, "turn", in.To, "err", err)
	}
	m := in.Summary(in.Words(), sessions.BuiltIn)
	m.Degraded = f.degraded
	return m
}
