package research

import (
	"context"
	"fmt"

	"quaestor/internal/postgres"
	"quaestor/research/internal/dbsqlc"
)

// Tally counts a tenant's tasks and documents by where they stand.
type Tally struct {
	Pending, Running, Completed, Failed, Cancelled int

	Waiting   []WaitReason   // why pending tasks wait, the most frequent reasons first, at most 20
	Documents map[string]int // by their state, a [documents.State]
}

// WaitReason counts the tasks that wait for the same reason.
type WaitReason struct {
	Why   string
	Count int
}

// Count reads the tally of a tenant in one round trip.
func Count(ctx context.Context, db postgres.DB, tenant string) (Tally, error) {
	out := Tally{Documents: map[string]int{}}
	b := postgres.NewBatch(tenant)
	postgres.One(b, queries.TaskTally, tenant, func(r *dbsqlc.TaskTallyRow) error {
		out.Pending, out.Running, out.Completed, out.Failed, out.Cancelled = int(r.Pending), int(r.Running), int(r.Completed), int(r.Failed), int(r.Cancelled)
		return nil
	})
	postgres.Many(b, queries.TaskWaitingTally, tenant, func(r *dbsqlc.TaskWaitingTallyRow) error {
		out.Waiting = append(out.Waiting, WaitReason{r.Note, int(r.Tasks)})
		return nil
	})
	postgres.Many(b, queries.DocumentTally, tenant, func(r *dbsqlc.DocumentTallyRow) error {
		out.Documents[r.State] = int(r.Documents)
		return nil
	})
	if err := b.Send(ctx, db); err != nil {
		return Tally{}, fmt.Errorf("count research: %w", err)
	}
	return out, nil
}
