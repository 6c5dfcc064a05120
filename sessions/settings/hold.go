package settings

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/settings/internal/dbsqlc"
)

// Holding says that a session must not be deleted, and why.
type Holding struct {
	Session string
	Reason  string
	By      string
	At      time.Time
	Person  string // who was interviewed; in lists only
	Context string // what about; in lists only
}

// maxReason bounds why a session is held, in characters.
const maxReason = 500

// Hold keeps a session from being deleted, by rule and by hand, until [Release]. A
// reason is needed; a second one takes the place of the first. A session that is
// not there is NotFound.
func Hold(ctx context.Context, pool *pgxpool.Pool, s obligations.Scope, by, reason string) error {
	reason = strings.TrimSpace(reason)
	if n := utf8.RuneCountInString(reason); n < 1 || n > maxReason {
		return fault.New(fault.Unprocessable, "say in 1 to %d characters why it must be kept", maxReason).At("reason")
	}
	return postgres.InTx(ctx, pool, s.Tenant, func(tx pgx.Tx) error {
		err := queries.HoldPut(ctx, tx, &dbsqlc.HoldPutParams{TenantID: s.Tenant, SessionID: s.Session, Reason: reason, HeldBy: clip(by)})
		if none(err) || postgres.Code(err) == "23503" {
			return noSession()
		}
		if err != nil {
			return fmt.Errorf("hold session %s: %w", s.Session, err)
		}
		return write(ctx, tx, s.Tenant, Entry{Actor: by, Kind: Held, Subject: s.Session, Detail: Detail{Says: reason}})
	})
}

// Release lets a session be deleted again. One that is not held is NotFound.
func Release(ctx context.Context, pool *pgxpool.Pool, s obligations.Scope, by string) error {
	return postgres.InTx(ctx, pool, s.Tenant, func(tx pgx.Tx) error {
		ended, err := queries.HoldEnd(ctx, tx, &dbsqlc.HoldEndParams{TenantID: s.Tenant, SessionID: s.Session})
		if none(err) || err == nil && len(ended) == 0 {
			return fault.New(fault.NotFound, "this interview is not held").Coded("hold_not_found")
		}
		if err != nil {
			return fmt.Errorf("release session %s: %w", s.Session, err)
		}
		return write(ctx, tx, s.Tenant, Entry{Actor: by, Kind: Released, Subject: s.Session})
	})
}

// FindHold returns why a session is held; nil when it is not.
func FindHold(ctx context.Context, db postgres.DB, s obligations.Scope) (*Holding, error) {
	var out *Holding
	b := postgres.NewBatch(s.Tenant)
	postgres.One(b, queries.HoldFind, &dbsqlc.HoldFindParams{TenantID: s.Tenant, SessionID: s.Session}, func(r *dbsqlc.SessionHold) error {
		out = &Holding{Session: r.SessionID, Reason: r.Reason, By: r.HeldBy, At: r.HeldAt}
		return nil
	})
	if err := b.Send(ctx, db); err != nil {
		return nil, fmt.Errorf("look whether session %s is held: %w", s.Session, err)
	}
	return out, nil
}

// Holds lists the sessions of a tenant that are held, the latest first, 200 at most.
func Holds(ctx context.Context, db postgres.DB, tenant string) ([]Holding, error) {
	var out []Holding
	b := postgres.NewBatch(tenant)
	postgres.Many(b, queries.HoldList, tenant, func(r *dbsqlc.HoldListRow) error {
		out = append(out, Holding{r.SessionID, r.Reason, r.HeldBy, r.HeldAt, r.UserID, r.ContextType})
		return nil
	})
	if err := b.Send(ctx, db); err != nil {
		return nil, fmt.Errorf("list what is held of tenant %s: %w", tenant, err)
	}
	return out, nil
}

func noSession() error {
	return fault.New(fault.NotFound, "there is no such interview").Coded("session_not_found")
}
