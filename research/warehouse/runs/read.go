package runs

import (
	"context"
	"fmt"
	"time"

	"quaestor/internal/postgres"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/runs/internal/dbsqlc"
)

// Find returns a tenant's run; one that does not exist is NotFound.
func Find(ctx context.Context, db postgres.DB, tenant, id string) (Run, error) {
	list, err := load(ctx, db, tenant, []string{id}, dbsqlc.RunFind, tenant, id)
	if err != nil {
		return Run{}, fmt.Errorf("find run %s: %w", id, notID(err))
	}
	if len(list) == 0 {
		return Run{}, noRun()
	}
	return list[0], nil
}

// Filter selects runs of a tenant.
type Filter struct {
	Project  string   // empty for all
	Statuses []Status // none for any

	BeforeAt time.Time // only runs made before this one; zero for the newest
	BeforeID string
	Max      int // zero means 50
}

// List returns the tenant's runs that f selects, newest first, without Previous and Brief.
func List(ctx context.Context, db postgres.DB, tenant string, f Filter) ([]Run, error) {
	if f.BeforeAt.IsZero() {
		f.BeforeAt, f.BeforeID = time.Now().Add(24*time.Hour), "ffffffff-ffff-ffff-ffff-ffffffffffff"
	}
	if f.Max == 0 {
		f.Max = 50
	}
	statuses := make([]string, len(f.Statuses))
	for i, s := range f.Statuses {
		statuses[i] = string(s)
	}
	list, err := load(ctx, db, tenant, nil, dbsqlc.RunPage, tenant, f.BeforeAt, f.BeforeID, postgres.OrNull(f.Project), statuses, int32(f.Max))
	if err != nil {
		return nil, fmt.Errorf("list runs: %w", notProject(err))
	}
	return list, nil
}

// load reads runs and their spending. ids are the ids of those runs if they are known
// beforehand, which saves a round trip.
func load(ctx context.Context, db postgres.DB, tenant string, ids []string, sql string, args ...any) ([]Run, error) {
	var list []Run
	b := postgres.NewBatch(tenant)
	postgres.Rows[dbsqlc.WarehouseRun](b, func(r *dbsqlc.WarehouseRun) error {
		one, err := fromRow(r)
		list = append(list, one)
		return err
	}, sql, args...)
	spent := map[string]map[Purpose]Spending{}
	if ids != nil {
		loadSpending(b, ids, spent)
	}
	if err := b.Send(ctx, db); err != nil || len(list) == 0 {
		return nil, err
	}
	if ids == nil {
		for _, r := range list {
			ids = append(ids, r.ID)
		}
		b = postgres.NewBatch(tenant)
		loadSpending(b, ids, spent)
		if err := b.Send(ctx, db); err != nil {
			return nil, err
		}
	}
	for i := range list {
		list[i].Spent = spent[list[i].ID]
	}
	return list, nil
}

// loadSpending queues a read of the spending of runs.
func loadSpending(b *postgres.Batch, ids []string, spent map[string]map[Purpose]Spending) {
	postgres.Rows[dbsqlc.SpendingListRow](b, func(r *dbsqlc.SpendingListRow) error {
		if spent[r.RunID] == nil {
			spent[r.RunID] = map[Purpose]Spending{}
		}
		spent[r.RunID][Purpose(r.Purpose)] = Spending{warehouse.TokenUsage{In: int(r.TokensIn), Cached: int(r.TokensCached), Out: int(r.TokensOut), Calls: int(r.Calls)}, r.Usd, int(r.Unpriced)}
		return nil
	}, dbsqlc.SpendingList, b.Tenant(), ids)
}
