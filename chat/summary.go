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

	"quaestor/internal/llm"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
)

// FoldArgs is the job that folds a session's transcript into summaries up to a
// turn. Ids only: River's tables know no tenants. There is one job for a session
// and a turn, however often it is asked for.
type FoldArgs struct {
	Tenant  string `json:"tenant"`
	Session string `json:"session"`
	To      int    `json:"to"`
}

// Kind names the job.
func (FoldArgs) Kind() string { return "session_fold" }

// InsertOpts makes the job unique, and lets people's research go first.
func (FoldArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Priority: 3, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// foldLater enqueues what is to be folded after a turn, in the turn's own
// transaction; nothing when to is 0.
func foldLater(ctx context.Context, tx pgx.Tx, q *research.Queue, s obligations.Scope, to int) error {
	if to == 0 {
		return nil
	}
	if _, err := q.InsertTx(ctx, tx, FoldArgs{s.Tenant, s.Session, to}, nil); err != nil {
		return fmt.Errorf("enqueue fold of session %s: %w", s.Session, err)
	}
	return nil
}

// FoldOptions say what the fold worker works with.
type FoldOptions struct {
	Pool  *pgxpool.Pool
	Model *Model // words the summaries; nil means that they are extracts
	Log   *slog.Logger
}

// AddWorkers returns what adds this package's workers to a queue; see
// [research.QueueOptions].
func AddWorkers(o FoldOptions) research.AddFunc {
	return func(w *river.Workers) error { return river.AddWorkerSafely(w, &foldWorker{FoldOptions: o}) }
}

// Bounds of one job.
const (
	foldsPerJob  = 40               // stretches, before others get their turn
	foldPatience = 60 * time.Second // with the model, in all; what is left is extracted
)

type foldWorker struct {
	river.WorkerDefaults[FoldArgs]
	FoldOptions
}

// Work folds stretch by stretch, each in a transaction of its own, so that a job
// that is killed goes on where it was. Of two that fold the same stretch, the
// second's work is dropped.
func (w *foldWorker) Work(ctx context.Context, job *river.Job[FoldArgs]) error {
	s := obligations.Scope{Tenant: job.Args.Tenant, Session: job.Args.Session}
	p := summarizer{model: w.Model, log: w.Log, session: s.Session}
	patient, cancel := context.WithTimeout(ctx, foldPatience)
	defer cancel()
	for range foldsPerJob {
		next, err := sessions.NextUnfolded(ctx, w.Pool, s)
		if err != nil {
			return err
		}
		if next.Stretch.To > job.Args.To {
			return nil
		}
		if err := w.save(ctx, s, p.fold(patient, next)); err != nil {
			return err
		}
	}
	return river.JobSnooze(0)
}

func (w *foldWorker) save(ctx context.Context, s obligations.Scope, made []sessions.Summary) error {
	b := postgres.NewBatch(s.Tenant)
	if err := sessions.SaveSummaries(b, s, made); err != nil {
		return err
	}
	err := b.Send(ctx, w.Pool)
	switch {
	case postgres.Constraint(err) == "discovery_session_summaries_session_fkey":
		return river.JobCancel(errors.New("the session is gone"))
	case err != nil:
		return fmt.Errorf("save summaries of session %s: %w", s.Session, err)
	}
	return nil
}

// summarizer words the summaries of one job. Once the model has failed, the rest is
// extracted.
type summarizer struct {
	model    *Model // nil for none
	log      *slog.Logger
	session  string
	degraded string // why the model is of no use; empty while it is
}

// fold words a stretch, and those that it completes, which lie one level above
// each other. It writes nothing.
func (p *summarizer) fold(ctx context.Context, u sessions.PendingSummary) []sessions.Summary {
	made := []sessions.Summary{p.word(ctx, u.Stretch)}
	line := append(u.Line[:len(u.Line):len(u.Line)], made[0])
	for st, ok := sessions.Join(line); ok; st, ok = sessions.Join(line) {
		whole := p.word(ctx, st)
		made = append(made, whole)
		line = append(line[:len(line)-len(st.Parts)], whole)
	}
	made[0].SoFar = sessions.SoFar(line)
	return made
}

func (p *summarizer) word(ctx context.Context, st sessions.SummaryInput) sessions.Summary {
	if p.model == nil {
		return st.Summary(st.Words(), sessions.BuiltIn)
	}
	if p.degraded == "" {
		text, usage, err := p.model.Summarize(ctx, st)
		if err == nil {
			m := st.Summary(text, p.model.Name())
			m.Usage, _ = json.Marshal(usage) // three numbers
			return m
		}
		p.degraded = reason(err)
		p.log.InfoContext(ctx, "summary without the model", "session", p.session, "turn", st.To, "err", err)
	}
	m := st.Summary(st.Words(), sessions.BuiltIn)
	m.Degraded = p.degraded
	return m
}

// summaryTokens bounds what the model may write of one summary; models that
// think first spend most of it on that.
const summaryTokens = 3000

var errEmptySummary = errors.New("the summary is empty")

// Summarize has the model word a stretch of a transcript. An error wraps an
// [*llm.Error] or says that nothing came.
func (m *Model) Summarize(ctx context.Context, st sessions.SummaryInput) (string, Usage, error) {
	steady := 0.0
	request := llm.Request{Purpose: "summary", Messages: summaryMessages(st), MaxTokens: summaryTokens, Temperature: &steady}
	var out struct {
		Summary string `json:"summary"`
	}
	answer, err := m.client.JSON(ctx, request, summarySchema, &out)
	if err == nil && out.Summary == "" {
		err = errEmptySummary
	}
	if err != nil {
		return "", usageOf(answer), fmt.Errorf("sum up turns %d to %d: %w", st.From, st.To, err)
	}
	return out.Summary, usageOf(answer), nil
}

// summaryBrief is a stretch as prompts/summary_data.tmpl shows it.
type summaryBrief struct {
	Limits     promptLimits
	From, To   int
	Noted      string // what the built-in summary says
	Transcript []messageBrief
	Parts      []partBrief
}

type partBrief struct {
	Turns string `json:"turns"`
	Text  string `json:"text"`
}

func summaryMessages(st sessions.SummaryInput) []llm.Message {
	b := summaryBrief{Limits: limits, From: st.From, To: st.To, Noted: st.Words()}
	for _, m := range st.Messages[:min(len(st.Messages), limits.FoldMessages)] {
		b.Transcript = append(b.Transcript, messageBrief{Turn: m.Turn, From: m.Role, Text: clipped(m.Content, limits.FoldMessageRunes)})
	}
	for _, p := range st.Parts {
		b.Parts = append(b.Parts, partBrief{fmt.Sprintf("%d to %d", p.From, p.To), p.Text})
	}
	return conversation(render("summary.tmpl", b), render("summary_data.tmpl", b), render("sum up", nil))
}
