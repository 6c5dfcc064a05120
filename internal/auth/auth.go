// Package auth identifies actors: the person behind a credential, the roles and their
// permissions, tenants and tokens. It keeps no ambient identity: web turns a
// credential into an [Actor] and passes on plain values.
package auth

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/auth/internal/dbsqlc"
	"quaestor/internal/fault"
	"quaestor/internal/postgres"
)

// Role is a person's role in a tenant.
type Role string

// The roles, highest first: each has all permissions of those after it.
const (
	Owner    Role = "owner"
	Admin    Role = "admin"
	Reviewer Role = "reviewer"
	Member   Role = "member"
	Viewer   Role = "viewer"
)

var roles = []Role{Owner, Admin, Reviewer, Member, Viewer}

// ParseRole returns the role of that name.
func ParseRole(name string) (Role, error) {
	if r := Role(name); slices.Contains(roles, r) {
		return r, nil
	}
	return "", fault.New(fault.Unprocessable, "a role is owner, admin, reviewer, member or viewer, not %q", name).At("role")
}

// Permission is something an actor may do.
type Permission string

// The permissions.
const (
	Read   Permission = "read"   // see one's own sessions
	Talk   Permission = "talk"   // begin sessions and take turns in one's own
	Review Permission = "review" // see and decide in everybody's sessions
	Author Permission = "author" // publish objectives
	Manage Permission = "manage" // tokens and people
)

// least is the lowest role that has a permission.
var least = map[Permission]Role{Read: Viewer, Talk: Member, Review: Reviewer, Author: Admin, Manage: Admin}

// Least returns the lowest role that has the permission.
func (p Permission) Least() Role { return least[p] }

// Actor is the person, or the program, that makes a request.
type Actor struct {
	Tenant string // id
	User   string
	Role   Role

	// Session is the one session that a guest may act in; empty for an actor with an
	// account.
	Session string
}

// May reports whether the actor has a permission.
func (a Actor) May(p Permission) bool {
	mine, needed := slices.Index(roles, a.Role), slices.Index(roles, least[p])
	return mine >= 0 && needed >= 0 && mine <= needed
}

// tokenPrefix makes a token recognisable to people and to secret scanners.
const tokenPrefix = "qst_"

// maxName bounds the names of users and tenants, in characters.
const maxName = 200

var queries = dbsqlc.New()

// Authenticate returns the actor that a bearer token stands for. A token that is
// unknown, expired or revoked is Unauthenticated. The token's hash is set for the
// transaction, which is what lets row-level security show its row without a tenant.
func Authenticate(ctx context.Context, db postgres.DB, token string) (Actor, error) {
	if !strings.HasPrefix(token, tokenPrefix) {
		return Actor{}, errUnknownToken()
	}
	sum := sha256.Sum256([]byte(token))
	var actor *Actor
	unseen := "" // id of the token, when its use has to be recorded
	b := postgres.NewBatch("")
	_, _ = b.Exec(ctx, `SELECT set_config('app.token_hash', $1, true)`, hex.EncodeToString(sum[:]))
	postgres.One(b, queries.TokenByHash, sum[:], func(r *dbsqlc.TokenByHashRow) error {
		actor = &Actor{Tenant: r.TenantID, User: r.MemberID, Role: Role(r.Role)}
		if r.Unseen {
			unseen = r.ID
		}
		return nil
	})
	if err := b.Send(ctx, db); err != nil {
		return Actor{}, fmt.Errorf("look up token: %w", err)
	}
	if actor == nil {
		return Actor{}, errUnknownToken()
	}
	if unseen != "" {
		return *actor, noteUse(ctx, db, actor.Tenant, unseen)
	}
	return *actor, nil
}

// RoleOf returns the highest role of a person's valid tokens; empty for somebody who has none.
func RoleOf(ctx context.Context, db postgres.DB, tenant, user string) (Role, error) {
	list, err := postgres.List(ctx, db, tenant, queries.TokenRoles, &dbsqlc.TokenRolesParams{TenantID: tenant, MemberID: user}, func(r string) (Role, error) { return Role(r), nil })
	for _, r := range roles { // the highest first
		if slices.Contains(list, r) {
			return r, nil
		}
	}
	return "", fault.Wrap(err, "find the role of a person")
}

// noteUse records that a token is in use. The query asks for that at most every ten
// minutes, so that other requests write nothing.
func noteUse(ctx context.Context, db postgres.DB, tenant, id string) error {
	b := postgres.NewBatch(tenant)
	b.Relax()
	_ = queries.TokenUsed(ctx, b, &dbsqlc.TokenUsedParams{TenantID: tenant, ID: id})
	return fault.Wrap(b.Send(ctx, db), "note the use of a token")
}

func errUnknownToken() error {
	return fault.New(fault.Unauthenticated, "this token is not known, expired or revoked; make one with: quaestor token create").Coded("token_unknown")
}

// Grant is what a token is made for: a person of a tenant, in a role.
type Grant struct {
	Tenant string // id
	User   string
	Role   Role
	Name   string        // for people who look at the list; may be empty
	Lasts  time.Duration // zero means it does not expire
}

// CreateToken is [IssueToken] without the token's id.
func CreateToken(ctx context.Context, pool *pgxpool.Pool, g Grant) (string, error) {
	token, _, err := IssueToken(ctx, pool, g)
	return token, err
}

// IssueToken returns a new token of the user and its id, after making the user a
// member in that role if they are none. Only its hash is stored, so the token cannot
// be shown again.
func IssueToken(ctx context.Context, pool *pgxpool.Pool, g Grant) (token, id string, err error) {
	if !isName(g.User) {
		return "", "", fault.New(fault.Unprocessable, "a user name has 1 to 200 characters").At("user")
	}
	if _, err := ParseRole(string(g.Role)); err != nil {
		return "", "", err
	}
	token = tokenPrefix + secret()
	sum := sha256.Sum256([]byte(token))
	var expires *time.Time
	if g.Lasts > 0 {
		t := time.Now().Add(g.Lasts)
		expires = &t
	}
	err = postgres.InTx(ctx, pool, g.Tenant, func(tx pgx.Tx) error {
		err := queries.MemberAdd(ctx, tx, &dbsqlc.MemberAddParams{TenantID: g.Tenant, ID: g.User, Role: string(g.Role)})
		if err != nil {
			return fmt.Errorf("add member %s: %w", g.User, err)
		}
		made, err := queries.TokenInsert(ctx, tx, &dbsqlc.TokenInsertParams{TenantID: g.Tenant, MemberID: g.User, Role: string(g.Role), Name: g.Name, TokenHash: sum[:], ExpiresAt: expires})
		if err != nil {
			return fmt.Errorf("add token of %s: %w", g.User, err)
		}
		id = made.ID
		return nil
	})
	if err != nil {
		return "", "", err
	}
	return token, id, nil
}

// isName reports whether s has a length that the tables accept.
func isName(s string) bool {
	n := utf8.RuneCountInString(s)
	return n >= 1 && n <= maxName
}

func secret() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// Token is a token as it is listed, without its secret.
type Token struct {
	ID, User, Name string
	Role           Role
	Created        time.Time
	Expires        *time.Time
	Revoked        *time.Time
	Used           *time.Time // last, to ten minutes; nil for never
}

// Tokens lists a tenant's tokens, newest first.
func Tokens(ctx context.Context, db postgres.DB, tenant string) ([]Token, error) {
	out, err := postgres.List(ctx, db, tenant, queries.TokenList, tenant, func(r *dbsqlc.ApiToken) (Token, error) {
		return Token{r.ID, r.MemberID, r.Name, Role(r.Role), r.CreatedAt, r.ExpiresAt, r.RevokedAt, r.LastUsedAt}, nil
	})
	return out, fault.Wrap(err, "list tokens")
}

// Rotate revokes a valid token and returns its successor, for the same person in the
// same role, with the lifetime that the old one was given. A token that is expired or
// revoked is NotFound. Only an owner may rotate an owner's token.
func Rotate(ctx context.Context, pool *pgxpool.Pool, by Actor, id string) (token string, g Grant, err error) {
	token = tokenPrefix + secret()
	sum := sha256.Sum256([]byte(token))
	err = postgres.InTx(ctx, pool, by.Tenant, func(tx pgx.Tx) error {
		old, err := queries.TokenRotate(ctx, tx, &dbsqlc.TokenRotateParams{TenantID: by.Tenant, ID: id})
		if errors.Is(err, pgx.ErrNoRows) || postgres.Code(err) == "22P02" {
			return fault.New(fault.NotFound, "there is no such token that works")
		}
		if err != nil {
			return fmt.Errorf("rotate token: %w", err)
		}
		if Role(old.Role) == Owner && by.Role != Owner {
			return fault.New(fault.Forbidden, "only an owner decides about owners").Coded("owners_only")
		}
		g = Grant{Tenant: by.Tenant, User: old.MemberID, Role: Role(old.Role), Name: old.Name}
		var expires *time.Time
		if old.ExpiresAt != nil {
			g.Lasts = old.ExpiresAt.Sub(old.CreatedAt)
			t := time.Now().Add(g.Lasts)
			expires = &t
		}
		_, err = queries.TokenInsert(ctx, tx, &dbsqlc.TokenInsertParams{TenantID: g.Tenant, MemberID: g.User, Role: old.Role, Name: g.Name, TokenHash: sum[:], ExpiresAt: expires})
		return fault.Wrap(err, "add token of %s", g.User)
	})
	return token, g, err
}

// Revoke makes a token invalid at once.
func Revoke(ctx context.Context, pool *pgxpool.Pool, tenant, id string) error {
	return postgres.InTx(ctx, pool, tenant, func(tx pgx.Tx) error {
		_, err := queries.TokenRevoke(ctx, tx, &dbsqlc.TokenRevokeParams{TenantID: tenant, ID: id})
		if errors.Is(err, pgx.ErrNoRows) || postgres.Code(err) == "22P02" {
			return fault.New(fault.NotFound, "there is no such token, or it is revoked already")
		}
		return err
	})
}

// Tenant is an organisation.
type Tenant struct{ ID, Name string }

// EnsureTenant returns the tenant of that name and makes it if it is new. One that is being erased is a
// Conflict.
func EnsureTenant(ctx context.Context, db postgres.DB, name string) (Tenant, error) {
	if !isName(name) {
		return Tenant{}, fault.New(fault.Unprocessable, "a tenant's name has 1 to 200 characters").At("tenant")
	}
	r, err := queries.TenantInsert(ctx, db, name)
	if err != nil {
		return Tenant{}, fmt.Errorf("make tenant %s: %w", name, err)
	}
	if r.ErasingAt != nil {
		return Tenant{}, fault.New(fault.Conflict, "the organisation %s is being erased; end that first: quaestor org erase", name).At("tenant").Coded("tenant_erasing")
	}
	return Tenant{r.ID, r.Name}, nil
}

// Tenants lists all tenants, the oldest first, without those that are being erased.
func Tenants(ctx context.Context, db postgres.DB) ([]Tenant, error) {
	rows, err := queries.TenantList(ctx, db)
	if err != nil {
		return nil, fmt.Errorf("list tenants: %w", err)
	}
	out := make([]Tenant, len(rows))
	for i, r := range rows {
		out[i] = Tenant{r.ID, r.Name}
	}
	return out, nil
}
