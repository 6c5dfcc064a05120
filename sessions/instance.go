package sessions

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/internal/dbsqlc"
)

// An instance is a server that works turns. While it lives, a connection of its own
// holds a lock of the database that ends with the connection: others see within
// moments that it died, and need not wait until it has been silent for long.

// holdLock has a connection hold the lock of an instance until it is closed. The
// server notices by itself within some ten seconds when the machine at the other end
// is gone.
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
// others that were seen within that time.
func Seen(ctx context.Context, db postgres.DB, instance string, locked bool, within time.Duration) (others int, err error) {
	n, err := queries.InstanceSeen(ctx, db, &dbsqlc.InstanceSeenParams{ID: instance, Locks: locked, WithinSeconds: within.Seconds()})
	return int(n), err
}

// Gone forgets an instance that ended, or whose turns were all taken over.
func Gone(ctx context.Context, db postgres.DB, instance string) error {
	return queries.InstanceGone(ctx, db, instance)
}

// Left says that an instance ends whose turns are not over: others may take them over
// at once.
func Left(ctx context.Context, db postgres.DB, instance string) error {
	return queries.InstanceLeft(ctx, db, instance)
}

// Silent returns the instances other than the given one that have not been seen for
// that long, or have said that they left; and those seen since that should hold their
// lock and do not.
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

// TakeOver makes the tenant's turns that belong to the dead instances, or to none that
// is known, the given instance's, under the next attempt, and returns them.
func TakeOver(ctx context.Context, db postgres.DB, tenant, instance string, dead []string) ([]Turn, error) {
	var out []Turn
	b := postgres.NewBatch(tenant)
	postgres.Many(b, queries.TurnTakeOver, &dbsqlc.TurnTakeOverParams{InstanceID: instance, TenantID: tenant, Dead: dead}, func(r *dbsqlc.TurnTakeOverRow) error {
		t, err := fromTurnRow(&dbsqlc.Turn{TenantID: tenant, SessionID: r.SessionID, Number: r.Number, Attempt: r.Attempt, Status: string(TurnRunning),
			UserID: r.UserID, Answers: r.Answers, FirstSeq: r.FirstSeq, InstanceID: instance, StopRequested: r.StopRequested})
		out = append(out, t)
		return err
	})
	if err := b.Send(ctx, db); err != nil {
		return nil, fmt.Errorf("take over turns: %w", err)
	}
	return out, nil
}

// Held returns the tenant's turns that the table says this instance works.
func Held(ctx context.Context, db postgres.DB, tenant, instance string) ([]Turn, error) {
	var out []Turn
	b := postgres.NewBatch(tenant)
	postgres.Many(b, queries.TurnHeld, &dbsqlc.TurnHeldParams{TenantID: tenant, InstanceID: instance}, func(r *dbsqlc.Turn) error {
		t, err := fromTurnRow(r)
		out = append(out, t)
		return err
	})
	if err := b.Send(ctx, db); err != nil {
		return nil, fmt.Errorf("list turns of this server: %w", err)
	}
	return out, nil
}

// Again gives a turn of this instance that nobody works its next attempt; false when
// it is over by now.
func (t *Turn) Again(ctx context.Context, db postgres.DB) (bool, error) {
	found := false
	b := postgres.NewBatch(t.Scope.Tenant)
	postgres.One(b, queries.TurnAgain, &dbsqlc.TurnAgainParams{TenantID: t.Scope.Tenant, SessionID: t.Scope.Session, Number: int32(t.Number), Attempt: int32(t.Attempt)}, func(attempt int32) error {
		found, t.Attempt = true, int(attempt)
		return nil
	})
	if err := b.Send(ctx, db); err != nil {
		return false, fmt.Errorf("begin turn %d of session %s again: %w", t.Number, t.Scope.Session, err)
	}
	return found, nil
}

// Stopping returns the tenant's turns that this instance works and that somebody
// wants stopped.
func Stopping(ctx context.Context, db postgres.DB, tenant, instance string) ([]Turn, error) {
	var out []Turn
	b := postgres.NewBatch(tenant)
	postgres.Many(b, queries.TurnsStopping, &dbsqlc.TurnsStoppingParams{TenantID: tenant, InstanceID: instance}, func(r *dbsqlc.TurnsStoppingRow) error {
		out = append(out, Turn{Scope: obligations.Scope{Tenant: tenant, Session: r.SessionID}, Number: int(r.Number), Stopping: true})
		return nil
	})
	if err := b.Send(ctx, db); err != nil {
		return nil, fmt.Errorf("list turns to stop: %w", err)
	}
	return out, nil
}
