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
	"quaestor/internal/language"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/settings/internal/dbsqlc"
)

// LegalHold is that a session must not be deleted, and why.
type LegalHold struct {
	Session string
	Reason  string
	By      string
	At      time.Time
	Person  string // who was interviewed; in lists only
	Context string // what about; in lists only
}

// maxReason bounds why a session is held, in characters.
const maxReason = 500

// Hold keeps a session from being deleted, by rules and by people, until [Release]. A
// reason is required; a second one replaces the first. A session that does not exist is
// NotFound.
func Hold(ctx context.Context, pool *pgxpool.Pool, s obligations.Scope, by, reason string) error {
	reason = strings.TrimSpace(reason)
	if n := utf8.RuneCountInString(reason); n < 1 || n > maxReason {
		return fault.New(fault.Unprocessable, "say in 1 to %d characters why it must be kept", maxReason).At("reason")
	}
	return postgres.InTx(ctx, pool, s.Tenant, func(tx pgx.Tx) error {
		err := queries.HoldPut(ctx, tx, &dbsqlc.HoldPutParams{TenantID: s.Tenant, SessionID: s.Session, Reason: reason, HeldBy: language.Head(by, maxName)})
		if none(err) || postgres.Code(err) == "23503" {
			return noSession()
		}
		if err != nil {
			return fmt.Errorf("hold session %s: %w", s.Session, err)
		}
		return NoteIn(ctx, tx, s.Tenant, JournalEntry{Actor: by, Kind: Held, Subject: s.Session, Detail: Detail{Says: reason}})
	})
}

// Release allows a session to be deleted again. NotFound when it is not held.
func Release(ctx context.Context, pool *pgxpool.Pool, s obligations.Scope, by string) error {
	return postgres.InTx(ctx, pool, s.Tenant, func(tx pgx.Tx) error {
		ended, err := queries.HoldEnd(ctx, tx, &dbsqlc.HoldEndParams{TenantID: s.Tenant, SessionID: s.Session})
		if none(err) || err == nil && len(ended) == 0 {
			return fault.New(fault.NotFound, "this interview is not held").Coded("hold_not_found")
		}
		if err != nil {
			return fmt.Errorf("release session %s: %w", s.Session, err)
		}
		return NoteIn(ctx, tx, s.Tenant, JournalEntry{Actor: by, Kind: Released, Subject: s.Session})
	})
}

// FindHold returns why a session is held; nil when it is not.
func FindHold(ctx context.Context, db postgres.DB, s obligations.Scope) (*LegalHold, error) {
	var out *LegalHold
	b := postgres.NewBatch(s.Tenant)
	postgres.One(b, queries.HoldFind, &dbsqlc.HoldFindParams{TenantID: s.Tenant, SessionID: s.Session}, func(r *dbsqlc.SessionHold) error {
		out = &LegalHold{Session: r.SessionID, Reason: r.Reason, By: r.HeldBy, At: r.HeldAt}
		return nil
	})
	err := b.Send(ctx, db)
	return out, fault.Wrap(err, "look whether session %s is held", s.Session)
}

// Holds lists the sessions of a tenant that are held, the latest first, 200 at most.
func Holds(ctx context.Context, db postgres.DB, tenant string) ([]LegalHold, error) {
	out, err := postgres.List(ctx, db, tenant, queries.HoldList, tenant, func(r *dbsqlc.HoldListRow) (LegalHold, error) {
		return LegalHold{r.SessionID, r.Reason, r.HeldBy, r.HeldAt, r.UserID, r.ContextType}, nil
	})
	return out, fault.Wrap(err, "list what is held of tenant %s", tenant)
}

// noSession is the answer to an id that names no session of the tenant.
func noSession() error {
	return fault.New(fault.NotFound, "there is no such interview").Coded("session_not_found")
}
