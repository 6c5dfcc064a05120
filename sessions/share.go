package sessions

import (
	"cmp"
	"context"
	"errors"
	"math"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/internal/dbsqlc"
)

// Extent is how much of a session a link shows.
type Extent string

// The extents.
const (
	BriefOnly      Extent = "brief"      // the brief
	WithTranscript Extent = "transcript" // the brief and the conversation
)

// ParseExtent returns the extent of that name. Any other name is Unprocessable.
func ParseExtent(name string) (Extent, error) {
	switch e := Extent(name); e {
	case BriefOnly, WithTranscript:
		return e, nil
	}
	return "", fault.New(fault.Unprocessable, "extent is brief or transcript, not %q", language.Short(name)).At("extent")
}

// Share is a link that shows a session's brief to anybody who has it. It always shows
// the session as it is now.
type Share struct {
	ID         string
	Scope      obligations.Scope
	Extent     Extent
	CreatedBy  string
	CreatedAt  time.Time
	ExpiresAt  time.Time
	RevokedAt  *time.Time
	LastSeenAt *time.Time // nil until it was opened
	Views      int        // how often its page was opened; downloads are not counted
}

// State returns where a link stands at that time.
func (s Share) State(now time.Time) ShareState {
	switch {
	case s.RevokedAt != nil:
		return ShareRevoked
	case !now.Before(s.ExpiresAt):
		return ShareExpired
	}
	return ShareOpen
}

// ShareState is where a link stands. Only an open one shows anything.
type ShareState string

// The states. Revoked and expired are final.
const (
	ShareOpen    ShareState = "open"
	ShareRevoked ShareState = "revoked"
	ShareExpired ShareState = "expired"
)

// Limits of links. They are chosen, not measured.
const (
	MaxShares    = 20 // open links of one session
	ShareDays    = 14 // how long a link is open by default
	MaxShareDays = 90
	oneDay       = 24 * time.Hour
)

// NewShare is what [CreateShare] makes a link of.
type NewShare struct {
	Extent Extent
	Days   int // how long it is open, 1 to 90; zero means 14
	By     string
	Hash   []byte // of the secret in the link
}

// CreateShare stores a link to a session's brief and returns the events to publish.
// Invalid input is Unprocessable; with [MaxShares] open links it is Limited.
func CreateShare(ctx context.Context, pool *pgxpool.Pool, s obligations.Scope, n NewShare, now time.Time) (Share, []Event, error) {
	n.Days = cmp.Or(n.Days, ShareDays)
	if n.Days < 1 || n.Days > MaxShareDays {
		return Share{}, nil, fault.New(fault.Unprocessable, "a link stands for 1 to %d days, not %d", MaxShareDays, clampDays(n.Days)).At("days")
	}
	if _, err := ParseExtent(string(n.Extent)); err != nil {
		return Share{}, nil, err
	}
	return changeShare(ctx, pool, s, ShareEvent{By: n.By, Change: ShareMade}, func(tx pgx.Tx) (*dbsqlc.SessionShare, error) {
		r, err := queries.ShareInsert(ctx, tx, &dbsqlc.ShareInsertParams{TenantID: s.Tenant, SessionID: s.Session, TokenHash: n.Hash, Extent: string(n.Extent),
			CreatedBy: n.By, Now: now, ExpiresAt: now.Add(time.Duration(n.Days) * oneDay), Most: MaxShares})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, fault.New(fault.Limited, "at most %d links to one brief are open at a time; take one back first", MaxShares).Coded("too_many_shares")
		}
		return r, err
	})
}

// clampDays keeps an absurd number short in an error message.
func clampDays(n int) int { return max(min(n, math.MaxInt16), math.MinInt16) }

// RevokeShare ends a link for good and returns the events to publish. A link that does
// not exist, or was revoked before, is NotFound.
func RevokeShare(ctx context.Context, pool *pgxpool.Pool, s obligations.Scope, id, by string, now time.Time) ([]Event, error) {
	_, events, err := changeShare(ctx, pool, s, ShareEvent{By: by, Change: ShareTakenBack}, func(tx pgx.Tx) (*dbsqlc.SessionShare, error) {
		r, err := queries.ShareRevoke(ctx, tx, &dbsqlc.ShareRevokeParams{TenantID: s.Tenant, SessionID: s.Session, ID: id, Now: now})
		if errors.Is(err, pgx.ErrNoRows) || postgres.Code(err) == "22P02" {
			return nil, fault.New(fault.NotFound, "the session has no such link, or it was taken back").Coded("share_not_found")
		}
		return r, err
	})
	return events, err
}

// changeShare makes or revokes a link with write and appends the event to the session's
// log, in one transaction.
func changeShare(ctx context.Context, pool *pgxpool.Pool, s obligations.Scope, told ShareEvent, write func(pgx.Tx) (*dbsqlc.SessionShare, error)) (Share, []Event, error) {
	var out Share
	var events []Event
	err := postgres.InTx(ctx, pool, s.Tenant, func(tx pgx.Tx) error {
		session, err := findLocked(ctx, tx, s)
		if err != nil {
			return err
		}
		r, err := write(tx)
		if err != nil {
			return err
		}
		out = fromShareRow(r)
		told.Turn, told.ShareID, told.Extent, told.ExpiresAt = session.lastTurn(), out.ID, out.Extent, out.ExpiresAt
		events, err = logBetweenTurns(ctx, tx, session, told)
		return err
	})
	return out, events, fault.Wrap(err, "share session %s", s.Session)
}

// Shares lists the links to a session's brief, newest first.
func Shares(ctx context.Context, db postgres.DB, s obligations.Scope) ([]Share, error) {
	out, err := postgres.List(ctx, db, s.Tenant, queries.ShareList, &dbsqlc.ShareListParams{TenantID: s.Tenant, SessionID: s.Session}, func(r *dbsqlc.SessionShare) (Share, error) {
		return fromShareRow(r), nil
	})
	return out, fault.Wrap(notID(err), "list links to session %s", s.Session)
}

// FindShare returns the link whose secret has that hash. A link that does not exist, or
// is no longer open, is NotFound: the answer does not tell which.
func FindShare(ctx context.Context, db postgres.DB, tenant string, hash []byte, now time.Time) (Share, error) {
	return oneShare(ctx, db, tenant, queries.ShareByToken, &dbsqlc.ShareByTokenParams{TenantID: tenant, TokenHash: hash, Now: now})
}

// OpenShare is [FindShare] for the page of a link, and counts the view.
func OpenShare(ctx context.Context, db postgres.DB, tenant string, hash []byte, now time.Time) (Share, error) {
	return oneShare(ctx, db, tenant, queries.ShareOpen, &dbsqlc.ShareOpenParams{Now: now, TenantID: tenant, TokenHash: hash})
}

// oneShare returns the link that a query gives; NotFound when it gives none.
func oneShare[P any](ctx context.Context, db postgres.DB, tenant string, query func(context.Context, dbsqlc.DBTX, P) (*dbsqlc.SessionShare, error), arg P) (Share, error) {
	out, err := postgres.Find(ctx, db, tenant, query, arg, func(r *dbsqlc.SessionShare) (Share, error) {
		return fromShareRow(r), nil
	})
	return postgres.Found(out, fault.Wrap(err, "find link to a brief"), NoShare())
}

// NoShare is the answer to a link that shows nothing, for any reason.
func NoShare() error {
	return fault.New(fault.NotFound, "this link shows nothing: it may be cut short or mistyped, it may have expired, or somebody took it back").Coded("share_gone")
}

func fromShareRow(r *dbsqlc.SessionShare) Share {
	return Share{ID: r.ID, Scope: obligations.Scope{Tenant: r.TenantID, Session: r.SessionID}, Extent: Extent(r.Extent), CreatedBy: r.CreatedBy,
		CreatedAt: r.CreatedAt, ExpiresAt: r.ExpiresAt, RevokedAt: r.RevokedAt, LastSeenAt: r.LastSeenAt, Views: int(r.Views)}
}
