package sessions

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/internal/dbsqlc"
)

// Talker is the right of a call to speak in a session, on whichever server it is held: one at a
// time has it. It lasts for a while and is renewed by [Talker.Keep].
type Talker struct {
	pool       *pgxpool.Pool
	scope      obligations.Scope
	connection string
	lasts      time.Duration
}

// TakeTalk lets a call speak, by the name that its client chose, until lasts has passed. It is
// a Conflict coded call_running while another call does. The same call gets the right at once,
// over whichever connection it comes; the connection before loses it.
func TakeTalk(ctx context.Context, pool *pgxpool.Pool, s obligations.Scope, call string, lasts time.Duration) (*Talker, error) {
	t := &Talker{pool, s, uuid.NewString(), lasts}
	var n int64
	err := postgres.InTx(ctx, pool, s.Tenant, func(tx pgx.Tx) (err error) {
		n, err = queries.CallTake(ctx, tx, &dbsqlc.CallTakeParams{TenantID: s.Tenant, SessionID: s.Session, Call: call, Connection: t.connection, Seconds: lasts.Seconds()})
		return err
	})
	switch {
	case err != nil:
		return nil, fault.Wrap(err, "take the right to speak in session %s", s.Session)
	case n == 0:
		return nil, fault.New(fault.Conflict, "somebody else speaks in this session; watch, or type").Coded("call_running")
	}
	return t, nil
}

// Keep renews the right. held is false once another connection has it.
func (t *Talker) Keep(ctx context.Context) (held bool, err error) {
	err = postgres.InTx(ctx, t.pool, t.scope.Tenant, func(tx pgx.Tx) error {
		n, err := queries.CallKeep(ctx, tx, &dbsqlc.CallKeepParams{TenantID: t.scope.Tenant, SessionID: t.scope.Session, Connection: t.connection, Seconds: t.lasts.Seconds()})
		held = n > 0
		return err
	})
	return held, fault.Wrap(err, "keep the right to speak in session %s", t.scope.Session)
}

// Leave gives the right back. One that is lost already stays with who has it.
func (t *Talker) Leave(ctx context.Context) error {
	err := postgres.InTx(ctx, t.pool, t.scope.Tenant, func(tx pgx.Tx) error {
		return queries.CallLeave(ctx, tx, &dbsqlc.CallLeaveParams{TenantID: t.scope.Tenant, SessionID: t.scope.Session, Connection: t.connection})
	})
	return fault.Wrap(err, "give back the right to speak in session %s", t.scope.Session)
}
