package sessions

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/internal/dbsqlc"
)

// Extent is how much of a session is told.
type Extent string

// The extents.
const (
	BriefOnly      Extent = "brief"      // what came of it
	WithTranscript Extent = "transcript" // and the conversation
)

// ParseExtent returns the extent of that name; any other is Unprocessable.
func ParseExtent(name string) (Extent, error) {
	switch e := Extent(name); e {
	case BriefOnly, WithTranscript:
		return e, nil
	}
	return "", fault.New(fault.Unprocessable, "extent is brief or transcript, not %q", clip(name)).At("extent")
}

// Share is a link that shows a session's brief to whoever has it. What it shows
// is the session as it stands when the link is followed.
type Share struct {
	ID         string
	Scope      obligations.Scope
	Extent     Extent
	CreatedBy  string
	CreatedAt  time.Time
	ExpiresAt  time.Time
	RevokedAt  *time.Time
	LastSeenAt *time.Time // nil until somebody has followed it
	Views      int        // how often its page was opened; downloads are not counted
}

// State is what has become of a link by then.
func (s Share) State(now time.Time) ShareState {
	switch {
	case s.RevokedAt != nil:
		return ShareRevoked
	case !now.Before(s.ExpiresAt):
		return ShareExpired
	}
	return ShareOpen
}

// ShareState says whether a link shows anything.
type ShareState string

// The states; all but open are final.
const (
	ShareOpen    ShareState = "open"
	ShareRevoked ShareState = "revoked"
	ShareExpired ShareState = "expired"
)

// Bounds of links.
const (
	MaxShares    = 20 // of a session that are open
	ShareDays    = 14 // that a link stands when nobody says
	MaxShareDays = 90
	oneDay       = 24 * time.Hour
)

// NewShare says what to show to whom.
type NewShare struct {
	Extent Extent
	Days   int // that it stands, 1 to 90; zero means 14
	By     string
	Hash   []byte // of the secret in the link
}

// CreateShare keeps a link to a session's brief, from now on; the event that
// tells of it is appended. It is Unprocessable when something is wrong with it,
// and Limited when [MaxShares] are open.
func CreateShare(ctx context.Context, pool *pgxpool.Pool, s obligations.Scope, n NewShare, now time.Time) (Share, []Event, error) {
	if n.Days == 0 {
		n.Days = ShareDays
	}
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

// clampDays keeps an absurd number short in words.
func clampDays(n int) int { return max(min(n, math.MaxInt16), math.MinInt16) }

// RevokeShare ends a link for good; the event that tells of it is appended. One
// that is not there, or was ended, is NotFound.
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

// changeShare makes or ends a link and tells the session's log.
func changeShare(ctx context.Context, pool *pgxpool.Pool, s obligations.Scope, told ShareEvent, write func(pgx.Tx) (*dbsqlc.SessionShare, error)) (Share, []Event, error) {
	var out Share
	var events []Event
	err := postgres.InTx(ctx, pool, s.Tenant, func(tx pgx.Tx) error {
		session, err := Find(ctx, tx, s)
		if err != nil {
			return err
		}
		r, err := write(tx)
		if err != nil {
			return err
		}
		out = fromShareRow(r)
		told.ShareID, told.Extent, told.ExpiresAt = out.ID, out.Extent, out.ExpiresAt
		events, err = tellOfShare(ctx, tx, session, told)
		return err
	})
	if err != nil {
		err = fmt.Errorf("share session %s: %w", s.Session, err)
	}
	return out, events, err
}

func tellOfShare(ctx context.Context, tx pgx.Tx, session Session, told ShareEvent) ([]Event, error) {
	told.Turn = max(session.Turns, 1)
	events := Events(told.Turn, []Payload{told})
	var last int64
	b := postgres.NewBatch(session.Tenant)
	Append(b, session.Scope(), events, &last)
	if err := b.Send(ctx, tx); err != nil {
		return nil, err
	}
	Number(events, last)
	return events, nil
}

// Shares lists the links to a session's brief, newest first.
func Shares(ctx context.Context, db postgres.DB, s obligations.Scope) ([]Share, error) {
	var out []Share
	b := postgres.NewBatch(s.Tenant)
	postgres.Many(b, queries.ShareList, &dbsqlc.ShareListParams{TenantID: s.Tenant, SessionID: s.Session}, func(r *dbsqlc.SessionShare) error {
		out = append(out, fromShareRow(r))
		return nil
	})
	if err := b.Send(ctx, db); err != nil {
		return nil, fmt.Errorf("list links to session %s: %w", s.Session, notID(err))
	}
	return out, nil
}

// FindShare returns the link whose secret has that hash. One that the tenant does
// not have, or that has ended by then, is NotFound, one like the other.
func FindShare(ctx context.Context, db postgres.DB, tenant string, hash []byte, now time.Time) (Share, error) {
	return oneShare(ctx, db, tenant, queries.ShareByToken, &dbsqlc.ShareByTokenParams{TenantID: tenant, TokenHash: hash, Now: now})
}

// OpenShare is [FindShare] for the page of a link, and counts it.
func OpenShare(ctx context.Context, db postgres.DB, tenant string, hash []byte, now time.Time) (Share, error) {
	return oneShare(ctx, db, tenant, queries.ShareOpen, &dbsqlc.ShareOpenParams{Now: now, TenantID: tenant, TokenHash: hash})
}

// oneShare returns the link that a query gives.
func oneShare[P any](ctx context.Context, db postgres.DB, tenant string, query func(context.Context, dbsqlc.DBTX, P) (*dbsqlc.SessionShare, error), arg P) (Share, error) {
	var out *Share
	b := postgres.NewBatch(tenant)
	postgres.One(b, query, arg, func(r *dbsqlc.SessionShare) error {
		s := fromShareRow(r)
		out = &s
		return nil
	})
	if err := b.Send(ctx, db); err != nil {
		return Share{}, fmt.Errorf("find link to a brief: %w", err)
	}
	if out == nil {
		return Share{}, NoShare()
	}
	return *out, nil
}

// NoShare is the answer to a link that shows nothing, for whatever reason.
func NoShare() error {
	return fault.New(fault.NotFound, "this link shows nothing: it may be cut short or mistyped, it may have expired, or somebody took it back").Coded("share_gone")
}

func fromShareRow(r *dbsqlc.SessionShare) Share {
	return Share{ID: r.ID, Scope: obligations.Scope{Tenant: r.TenantID, Session: r.SessionID}, Extent: Extent(r.Extent), CreatedBy: r.CreatedBy,
		CreatedAt: r.CreatedAt, ExpiresAt: r.ExpiresAt, RevokedAt: r.RevokedAt, LastSeenAt: r.LastSeenAt, Views: int(r.Views)}
}
