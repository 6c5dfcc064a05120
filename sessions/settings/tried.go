package settings

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/postgres"
	"quaestor/sessions/settings/internal/dbsqlc"
)

// Tried is what the last test of a part of the server came to.
type Tried struct {
	Part   string
	Well   bool
	Says   string
	Remedy string // what repairs it; empty for nothing
	Took   time.Duration
	By     string
	At     time.Time
}

// maxSays bounds what is kept of a test's words, in characters.
const maxSays = 1000

// KeepTest keeps what a test came to, in place of what the one before came to.
func KeepTest(ctx context.Context, pool *pgxpool.Pool, tenant string, t Tried) error {
	b := postgres.NewBatch(tenant)
	_ = queries.TestKeep(ctx, b, &dbsqlc.TestKeepParams{TenantID: tenant, Part: clip(t.Part), Well: t.Well, Says: short(t.Says), Remedy: short(t.Remedy),
		Milliseconds: int32(min(t.Took, time.Hour).Milliseconds()), TriedBy: clip(t.By)})
	if err := b.Send(ctx, pool); err != nil {
		return fmt.Errorf("keep the test of %s: %w", t.Part, err)
	}
	return nil
}

func short(s string) string {
	if r := []rune(s); len(r) > maxSays {
		return string(r[:maxSays])
	}
	return s
}

// Tests returns what the last tests of a tenant came to, by part.
func Tests(ctx context.Context, db postgres.DB, tenant string) (map[string]Tried, error) {
	out := map[string]Tried{}
	b := postgres.NewBatch(tenant)
	postgres.Many(b, queries.TestList, tenant, func(r *dbsqlc.PartTest) error {
		out[r.Part] = Tried{r.Part, r.Well, r.Says, r.Remedy, time.Duration(r.Milliseconds) * time.Millisecond, r.TriedBy, r.TriedAt}
		return nil
	})
	if err := b.Send(ctx, db); err != nil {
		return nil, fmt.Errorf("list tests of tenant %s: %w", tenant, err)
	}
	return out, nil
}
