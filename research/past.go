package research

import (
	"context"
	"slices"

	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research/internal/dbsqlc"
)

// TaskSummary is what a conversation needs to know of a task.
type TaskSummary struct {
	ID      string
	Key     string // obligation it would answer; empty for a question of its own
	Kind    Kind
	Trigger Trigger
	Query   string
	Status  Status
	Note    string
	Outcome Outcome
	Summary string
	Told    int // turn in which the person was told what came of it; 0 before that
	Turn    int // that asked for it
}

// Open reports whether the task is still to be done.
func (f TaskSummary) Open() bool { return f.Status == Pending || f.Status == Running }

// History is the research a session has had, oldest first.
type History []TaskSummary

// Open returns what is still to be done.
func (p History) Open() History {
	return slices.DeleteFunc(slices.Clone(p), func(f TaskSummary) bool { return !f.Open() })
}

// News returns what came to an end and the person has not been told of; what
// was cancelled is no news.
func (p History) News() History {
	return slices.DeleteFunc(slices.Clone(p), func(f TaskSummary) bool { return f.Told > 0 || f.Status != Completed && f.Status != Failed })
}

// Keys returns the obligations that have had research, whatever came of it; what
// was cancelled has not.
func (p History) Keys() []string {
	var out []string
	for _, f := range p {
		if f.Key != "" && f.Status != Cancelled && !slices.Contains(out, f.Key) {
			out = append(out, f.Key)
		}
	}
	return out
}

// LoadHistory queues a read of the research a session has had into p.
func LoadHistory(b *postgres.Batch, s obligations.Scope, p *History) {
	postgres.Many(b, queries.TaskBriefs, &dbsqlc.TaskBriefsParams{TenantID: s.Tenant, SessionID: &s.Session}, func(r *dbsqlc.TaskBriefsRow) error {
		*p = append(*p, TaskSummary{ID: r.ID, Key: r.ObligationKey, Kind: Kind(r.TaskType), Trigger: Trigger(r.Trigger), Query: r.Query, Status: Status(r.Status), Note: r.Note,
			Outcome: Outcome(r.Outcome), Summary: r.Summary, Told: int(r.Told), Turn: int(r.Turn)})
		return nil
	})
}

// Tell queues that the person was told in a turn what came of tasks.
func Tell(b *postgres.Batch, s obligations.Scope, ids []string, turn int) {
	if len(ids) > 0 {
		_ = queries.TaskTold(context.Background(), b, &dbsqlc.TaskToldParams{TenantID: s.Tenant, SessionID: &s.Session, Ids: ids, Turn: ptr(int32(turn))})
	}
}

func ptr[T any](v T) *T { return &v }
