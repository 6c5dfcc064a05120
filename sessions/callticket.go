package sessions

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/internal/dbsqlc"
)

// CallTicketLife is how long a ticket waits for its call: long enough for a telephone
// to ring.
const CallTicketLife = 2 * time.Minute

// CallTicket is what a ticket for one call is for.
type CallTicket struct {
	Scope     obligations.Scope
	User      string // who speaks
	ExpiresAt time.Time
}

// CreateCallTicket stores a ticket for one call of the session in the name of a user, by the
// hash of its secret.
func CreateCallTicket(ctx context.Context, pool *pgxpool.Pool, s obligations.Scope, user string, hash []byte, now time.Time) (CallTicket, error) {
	t := CallTicket{Scope: s, User: user, ExpiresAt: now.Add(CallTicketLife)}
	err := postgres.InTx(ctx, pool, s.Tenant, func(tx pgx.Tx) error {
		return queries.CallTicketInsert(ctx, tx, &dbsqlc.CallTicketInsertParams{TenantID: s.Tenant, SessionID: s.Session, TokenHash: hash, UserID: user, CreatedAt: now, ExpiresAt: t.ExpiresAt})
	})
	return t, fault.Wrap(err, "store a ticket for a call of session %s", s.Session)
}

// UseCallTicket returns what the ticket with that hash is for, and uses it up. A ticket that
// was used, has expired or never was is Unauthenticated.
func UseCallTicket(ctx context.Context, pool *pgxpool.Pool, tenant string, hash []byte, now time.Time) (CallTicket, error) {
	var t CallTicket
	err := postgres.InTx(ctx, pool, tenant, func(tx pgx.Tx) error {
		r, err := queries.CallTicketUse(ctx, tx, &dbsqlc.CallTicketUseParams{TenantID: tenant, TokenHash: hash, Now: now})
		if err == nil {
			t = CallTicket{Scope: obligations.Scope{Tenant: r.TenantID, Session: r.SessionID}, User: r.UserID, ExpiresAt: r.ExpiresAt}
		}
		return err
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return t, fault.New(fault.Unauthenticated, "this ticket was used, has expired or never was; make another one").Coded("ticket_used")
	}
	return t, fault.Wrap(err, "use a ticket for a call")
}
