package research

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research/internal/dbsqlc"
)

// TaskSummary is what the conversation needs to know about a task.
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

	Warehouse string          // id of the one that a question is for, or that answered it; may be empty
	Proposed  json.RawMessage // value it proposes for its obligation; nil for none
	Disputed  string          // what the person said against what came of it last; empty for nothing
}

// Open reports whether the task is pending or running.
func (f TaskSummary) Open() bool { return f.Status == Pending || f.Status == Running }

// History is the research of a session, oldest first.
type History []TaskSummary

// Open returns the tasks that are not over.
func (p History) Open() History {
	return slices.DeleteFunc(slices.Clone(p), func(f TaskSummary) bool { return !f.Open() })
}

// News returns the tasks that ended and that the person has not been told about.
// Cancelled tasks are no news.
func (p History) News() History {
	return slices.DeleteFunc(slices.Clone(p), func(f TaskSummary) bool { return f.Told > 0 || f.Status != Completed && f.Status != Failed })
}

// Keys returns the obligations that have been researched, whatever the outcome.
// Cancelled tasks do not count.
func (p History) Keys() []string {
	var out []string
	for _, f := range p {
		if f.Key != "" && f.Status != Cancelled && !slices.Contains(out, f.Key) {
			out = append(out, f.Key)
		}
	}
	return out
}

// LoadHistory queues a read of a session's research into p.
func LoadHistory(b *postgres.Batch, s obligations.Scope, p *History) {
	postgres.Many(b, queries.TaskBriefs, &dbsqlc.TaskBriefsParams{TenantID: s.Tenant, SessionID: &s.Session}, func(r *dbsqlc.TaskBriefsRow) error {
		var proposal Proposal
		if len(r.Proposal) > 0 {
			if err := json.Unmarshal(r.Proposal, &proposal); err != nil {
				return fmt.Errorf("research task %s: %w", r.ID, err)
			}
		}
		*p = append(*p, TaskSummary{ID: r.ID, Key: r.ObligationKey, Kind: Kind(r.TaskType), Trigger: Trigger(r.Trigger), Query: r.Query, Status: Status(r.Status), Note: r.Note,
			Outcome: Outcome(r.Outcome), Summary: r.Summary, Told: int(r.Told), Turn: int(r.Turn),
			Warehouse: r.WarehouseID, Proposed: proposal.Value, Disputed: r.Disputed})
		return nil
	})
}

// Tell queues the update that records in which turn the person was told about tasks.
func Tell(b *postgres.Batch, s obligations.Scope, ids []string, turn int) {
	if len(ids) > 0 {
		_ = queries.TaskTold(context.Background(), b, &dbsqlc.TaskToldParams{TenantID: s.Tenant, SessionID: &s.Session, Ids: ids, Turn: ptr(int32(turn))})
	}
}

// ptr returns a pointer to v, for a nullable column that must not be NULL even if v
// is zero.
func ptr[T any](v T) *T { return &v }
