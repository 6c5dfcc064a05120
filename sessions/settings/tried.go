package settings

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/internal/postgres"
	"quaestor/sessions/settings/internal/dbsqlc"
)

// TestResult is what the last test of a part of the server came to.
type TestResult struct {
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
func KeepTest(ctx context.Context, pool *pgxpool.Pool, tenant string, t TestResult) error {
	b := postgres.NewBatch(tenant)
	_ = queries.TestKeep(ctx, b, &dbsqlc.TestKeepParams{TenantID: tenant, Part: language.Head(t.Part, maxName), Well: t.Well, Says: language.Head(t.Says, maxSays), Remedy: language.Head(t.Remedy, maxSays),
		Milliseconds: int32(min(t.Took, time.Hour).Milliseconds()), TriedBy: language.Head(t.By, maxName)})
	return fault.Wrap(b.Send(ctx, pool), "keep the test of %s", t.Part)
}

// Tests returns what the last tests of a tenant came to, by part.
func Tests(ctx context.Context, db postgres.DB, tenant string) (map[string]TestResult, error) {
	out := map[string]TestResult{}
	b := postgres.NewBatch(tenant)
	postgres.Many(b, queries.TestList, tenant, func(r *dbsqlc.PartTest) error {
		out[r.Part] = TestResult{r.Part, r.Well, r.Says, r.Remedy, time.Duration(r.Milliseconds) * time.Millisecond, r.TriedBy, r.TriedAt}
		return nil
	})
	err := b.Send(ctx, db)
	return out, fault.Wrap(err, "list tests of tenant %s", tenant)
}
