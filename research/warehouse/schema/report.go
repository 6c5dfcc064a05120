package schema

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"quaestor/internal/postgres"
	"quaestor/research/warehouse/schema/internal/dbsqlc"
)

// maxRefreshes bounds a list of refreshes.
const maxRefreshes = 100

// Refreshes returns the outcomes of a warehouse's latest refreshes, latest first, at most most of
// them; zero means 20, and 100 is the maximum. Counted is not stored.
func (x *Index) Refreshes(ctx context.Context, tenant, id string, most int) (list []Drift, err error) {
	if most <= 0 {
		most = 20
	}
	err = queriesIn(ctx, x.pool, tenant, func(b *postgres.Batch) {
		postgres.Many(b, queries.RefreshList, &dbsqlc.RefreshListParams{TenantID: tenant, WarehouseID: id, Max: int32(min(most, maxRefreshes))}, func(r *dbsqlc.RefreshListRow) error {
			d := Drift{At: r.At, Took: time.Duration(r.TookMs * float64(time.Millisecond)), Tables: int(r.Tables), Added: int(r.Added), Removed: int(r.Removed),
				Changed: int(r.Changed), Failed: int(r.Failed), Why: r.Why}
			list = append(list, d)
			return json.Unmarshal(r.Detail, &list[len(list)-1].Detail)
		})
	})
	if err != nil {
		return nil, fmt.Errorf("list refreshes of warehouse %s: %w", id, err)
	}
	return list, nil
}
