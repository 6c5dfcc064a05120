package sessions

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/sessions/internal/dbsqlc"
)

// VersionCount counts the sessions on a version of an objective.
type VersionCount struct{ Running, Total int }

// VersionCounts counts a tenant's sessions by the version they stand on. A session's own
// version counts for the one below it.
type VersionCounts struct {
	byVersion map[string]VersionCount // by context type and version
}

// On counts the sessions on a version.
func (t VersionCounts) On(contextType, version string) VersionCount {
	return t.byVersion[contextType+" "+version]
}

// CountByVersion counts a tenant's sessions.
func CountByVersion(ctx context.Context, pool *pgxpool.Pool, tenant string) (VersionCounts, error) {
	out := VersionCounts{byVersion: map[string]VersionCount{}}
	b := postgres.NewBatch(tenant)
	postgres.Many(b, queries.SessionTally, tenant, func(r *dbsqlc.SessionTallyRow) error {
		out.byVersion[r.ContextType+" "+r.Version] = VersionCount{Running: int(r.Running), Total: int(r.Total)}
		return nil
	})
	err := b.Send(ctx, pool)
	return out, fault.Wrap(err, "count sessions by version")
}

// OutdatedSession is a running session that is not on a version.
type OutdatedSession struct {
	Session, User, Version string
	UpdatedAt              time.Time
}

// Stragglers returns at most most running sessions of a context that are not on
// that version, the one used last first.
func Stragglers(ctx context.Context, pool *pgxpool.Pool, tenant, contextType, version string, most int) ([]OutdatedSession, error) {
	out, err := postgres.List(ctx, pool, tenant, queries.RunningOnOthers, &dbsqlc.RunningOnOthersParams{TenantID: tenant, ContextType: contextType, Version: version, Most: int32(most)}, func(r *dbsqlc.RunningOnOthersRow) (OutdatedSession, error) {
		return OutdatedSession{r.ID, r.UserID, r.Version, r.UpdatedAt}, nil
	})
	return out, fault.Wrap(err, "list running sessions of %s", contextType)
}
