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
	var out *Run
	spent := map[string]map[Purpose]PurposeCost{}
	b := postgres.NewBatch(tenant)
	postgres.One(b, queries.RunFind, &dbsqlc.RunFindParams{TenantID: tenant, ID: id}, func(r *dbsqlc.WarehouseRun) error {
		run, err := fromRow(r)
		out = &run
		return err
	})
	loadSpending(b, []string{id}, spent)
	if err := b.Send(ctx, db); err != nil {
		return Run{}, fmt.Errorf("find run %s: %w", id, notID(err))
	}
	if out == nil {
		return Run{}, noRun()
	}
	out.Spent = spent[out.ID]
	return *out, nil
}

// Filter selects runs of a tenant.
type Filter struct {
	Project  string   // empty for all
	Statuses []Status // none for any

	BeforeAt time.Time // only runs made before this one; zero for the newest
	BeforeID string
	Max      int // zero means 50
}

// List returns the tenant's runs that f selects, newest first, without Previous and Instructions.
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
	list, err := postgres.List(ctx, db, tenant, queries.RunPage, &dbsqlc.RunPageParams{
		TenantID: tenant, BeforeAt: f.BeforeAt, BeforeID: f.BeforeID, ProjectID: postgres.OrNull(f.Project), Statuses: statuses, Most: int32(f.Max),
	}, func(r *dbsqlc.RunPageRow) (Run, error) {
		return fromRow((*dbsqlc.WarehouseRun)(r))
	})
	if err != nil {
		return nil, fmt.Errorf("list runs: %w", notProject(err))
	}
	if err := addSpending(ctx, db, tenant, list); err != nil {
		return nil, fmt.Errorf("list runs: %w", err)
	}
	return list, nil
}

// addSpending loads the spending of runs into them.
func addSpending(ctx context.Context, db postgres.DB, tenant string, list []Run) error {
	if len(list) == 0 {
		return nil
	}
	ids := make([]string, len(list))
	for i, r := range list {
		ids[i] = r.ID
	}
	spent := map[string]map[Purpose]PurposeCost{}
	b := postgres.NewBatch(tenant)
	loadSpending(b, ids, spent)
	err := b.Send(ctx, db)
	for i := range list {
		list[i].Spent = spent[list[i].ID]
	}
	return err
}

// loadSpending queues a read of the spending of runs.
func loadSpending(b *postgres.Batch, ids []string, spent map[string]map[Purpose]PurposeCost) {
	postgres.Many(b, queries.SpendingList, &dbsqlc.SpendingListParams{TenantID: b.Tenant(), Runs: ids}, func(r *dbsqlc.SpendingListRow) error {
		if spent[r.RunID] == nil {
			spent[r.RunID] = map[Purpose]PurposeCost{}
		}
		spent[r.RunID][Purpose(r.Purpose)] = PurposeCost{TokenUsage: warehouse.TokenUsage{In: int(r.TokensIn), Cached: int(r.TokensCached), Out: int(r.TokensOut), Calls: int(r.Calls)}, USD: r.Usd, Unpriced: int(r.Unpriced),
			Asked:        warehouse.StatementUsage{Statements: int(r.Statements), Rows: r.ResultRows, Scanned: r.Scanned, Took: time.Duration(r.WarehouseMs * float64(time.Millisecond))},
			WarehouseUSD: r.WarehouseUsd, UnpricedStatements: int(r.UnpricedStatements)}
		return nil
	})
}
