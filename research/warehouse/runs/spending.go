package runs

import (
	"context"
	"fmt"
	"time"

	"quaestor/internal/postgres"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/runs/internal/dbsqlc"
)

// Month is what the runs of a project that were ordered in one month have cost.
type Month struct {
	Start   time.Time // of the month, in UTC
	Project string    // id
	Runs    int
	PurposeCost
}

// maxMonths bounds the months that are read.
const maxMonths = 600

// Months returns what the runs of a project have cost in each month, the latest first; with no project,
// those of all projects. Runs that were deleted do not count.
func Months(ctx context.Context, db postgres.DB, tenant, project string) ([]Month, error) {
	out, err := postgres.List(ctx, db, tenant, queries.SpendingByMonth, &dbsqlc.SpendingByMonthParams{TenantID: tenant, ProjectID: postgres.OrNull(project), Most: maxMonths}, func(r *dbsqlc.SpendingByMonthRow) (Month, error) {
		return Month{r.Month.UTC(), r.ProjectID, int(r.Runs), PurposeCost{TokenUsage: warehouse.TokenUsage{In: int(r.TokensIn), Out: int(r.TokensOut)}, USD: r.Usd, Unpriced: int(r.Unpriced),
			Asked:        warehouse.StatementUsage{Statements: int(r.Statements), Scanned: r.Scanned, Took: time.Duration(r.WarehouseMs * float64(time.Millisecond))},
			WarehouseUSD: r.WarehouseUsd, UnpricedStatements: int(r.UnpricedStatements)}}, nil
	})
	if err != nil {
		return nil, fmt.Errorf("read what projects cost by month: %w", notProject(err))
	}
	return out, nil
}
