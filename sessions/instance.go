package sessions

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/internal/dbsqlc"
)

// An instance is a server that works on turns. While it lives, one of its connections
// holds an advisory lock, which ends with the connection: the other instances see
// within moments that it died, and do not have to wait for a long silence.

// holdLock takes the lock of an instance on conn, which holds it until it is closed. The
// keepalives let PostgreSQL notice within some ten seconds (4 + 3 × 2) that the machine
// at the other end is gone.
func holdLock(ctx context.Context, conn *pgx.Conn, instance string) error {
	const quick = `SET tcp_keepalives_idle = 4; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3`
	if _, err := conn.Exec(ctx, quick); err != nil {
		return fmt.Errorf("watch the connection of instance %s: %w", instance, err)
	}
	held, err := queries.InstanceLock(ctx, conn, instance)
	switch {
	case err != nil:
		return fmt.Errorf("lock instance %s: %w", instance, err)
	case !held:
		return fmt.Errorf("lock instance %s: the connection before holds it", instance)
	}
	return nil
}

// Seen records that an instance lives and whether it holds its lock, and counts the
// other instances that were seen within that time.
func Seen(ctx context.Context, db postgres.DB, instance string, locked bool, within time.Duration) (others int, err error) {
	n, err := queries.InstanceSeen(ctx, db, &dbsqlc.InstanceSeenParams{ID: instance, Locks: locked, WithinSeconds: within.Seconds()})
	return int(n), err
}

// Gone removes an instance that ended, or whose turns were all taken over.
func Gone(ctx context.Context, db postgres.DB, instance string) error {
	return queries.InstanceGone(ctx, db, instance)
}

// Left records that an instance ends while turns of it are still running, so that others
// take them over at once.
func Left(ctx context.Context, db postgres.DB, instance string) error {
	return queries.InstanceLeft(ctx, db, instance)
}

// Silent returns the other instances that are dead: not seen for that long, or gone by
// their own word. unlocked are those seen since then that should hold their lock and do
// not: the caller decides whether they are dead.
func Silent(ctx context.Context, db postgres.DB, instance string, silent time.Duration) (dead, unlocked []string, err error) {
	rows, err := queries.InstanceSilent(ctx, db, &dbsqlc.InstanceSilentParams{ID: instance, DeadSeconds: silent.Seconds()})
	for _, r := range rows {
		if r.Silent {
			dead = append(dead, r.ID)
		} else {
			unlocked = append(unlocked, r.ID)
		}
	}
	return dead, unlocked, err
}

// TakeOver gives the running turns of dead or unknown instances to the given instance,
// each under its next attempt, and returns them.
func TakeOver(ctx context.Context, db postgres.DB, tenant, instance string, dead []string) ([]Turn, error) {
	out, err := postgres.List(ctx, db, tenant, queries.TurnTakeOver, &dbsqlc.TurnTakeOverParams{InstanceID: instance, TenantID: tenant, Dead: dead}, func(r *dbsqlc.TurnTakeOverRow) (Turn, error) {
		return fromTurnRow(&dbsqlc.Turn{TenantID: tenant, SessionID: r.SessionID, Number: r.Number, Attempt: r.Attempt, Status: string(TurnRunning),
			UserID: r.UserID, Answers: r.Answers, FirstSeq: r.FirstSeq, InstanceID: instance, StopRequested: r.StopRequested})
	})
	return out, fault.Wrap(err, "take over turns")
}

// Held returns the tenant's running turns that belong to this instance.
func Held(ctx context.Context, db postgres.DB, tenant, instance string) ([]Turn, error) {
	out, err := postgres.List(ctx, db, tenant, queries.TurnHeld, &dbsqlc.TurnHeldParams{TenantID: tenant, InstanceID: instance}, fromTurnRow)
	return out, fault.Wrap(err, "list turns of this server")
}

// Again gives a running turn of this instance its next attempt, and reports whether the
// turn was still running. It serves turns that were interrupted here.
func (t *Turn) Again(ctx context.Context, db postgres.DB) (bool, error) {
	found := false
	b := postgres.NewBatch(t.Scope.Tenant)
	postgres.One(b, queries.TurnAgain, &dbsqlc.TurnAgainParams{TenantID: t.Scope.Tenant, SessionID: t.Scope.Session, Number: int32(t.Number), Attempt: int32(t.Attempt)}, func(attempt int32) error {
		found, t.Attempt = true, int(attempt)
		return nil
	})
	err := b.Send(ctx, db)
	return found, fault.Wrap(err, "begin turn %d of session %s again", t.Number, t.Scope.Session)
}

// Stopping returns the tenant's turns of this instance that a person wants stopped.
func Stopping(ctx context.Context, db postgres.DB, tenant, instance string) ([]Turn, error) {
	out, err := postgres.List(ctx, db, tenant, queries.TurnsStopping, &dbsqlc.TurnsStoppingParams{TenantID: tenant, InstanceID: instance}, func(r *dbsqlc.TurnsStoppingRow) (Turn, error) {
		return Turn{Scope: obligations.Scope{Tenant: tenant, Session: r.SessionID}, Number: int(r.Number), Stopping: true}, nil
	})
	return out, fault.Wrap(err, "list turns to stop")
}
