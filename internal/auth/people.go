package auth

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/auth/internal/dbsqlc"
	"quaestor/internal/fault"
	"quaestor/internal/postgres"
)

// Person is a member of a tenant, as the people who manage it see them.
type Person struct {
	User      string
	Role      Role
	Tokens    int  // valid ones
	TokenRole Role // the highest of those tokens; empty without any
	Since     time.Time
}

// Owns reports whether the person is an owner, by their own role or by a valid token.
func (p Person) Owns() bool { return p.Role == Owner || p.TokenRole == Owner }

// Roles lists the roles, the highest first.
func Roles() []Role { return slices.Clone(roles) }

// People lists a tenant's people by name, at most 1,000.
func People(ctx context.Context, db postgres.DB, tenant string) ([]Person, error) {
	out, err := postgres.List(ctx, db, tenant, queries.MemberList, tenant, func(r *dbsqlc.MemberListRow) (Person, error) {
		return Person{User: r.ID, Role: Role(r.Role), Tokens: int(r.Tokens), TokenRole: Role(r.TokenRole), Since: r.CreatedAt}, nil
	})
	return out, fault.Wrap(err, "list people")
}

// SetRole gives a person of the actor's tenant a role. The person's tokens of a higher
// role are lowered to it; none is raised. Only an owner may make or change owners,
// which is Forbidden to others, and demoting the last owner is a Conflict.
func SetRole(ctx context.Context, pool *pgxpool.Pool, by Actor, user string, role Role) error {
	if _, err := ParseRole(string(role)); err != nil {
		return err
	}
	if role == Owner && by.Role != Owner {
		return fault.New(fault.Forbidden, "only an owner makes owners").At("role")
	}
	return changePerson(ctx, pool, by, user, role == Owner, func(tx pgx.Tx) error {
		err := queries.MemberSetRole(ctx, tx, &dbsqlc.MemberSetRoleParams{TenantID: by.Tenant, ID: user, Role: string(role)})
		if err != nil {
			return err
		}
		return queries.TokensLower(ctx, tx, &dbsqlc.TokensLowerParams{TenantID: by.Tenant, MemberID: user, Role: string(role), HigherRoles: higher(role)})
	})
}

// RemovePerson removes a person from the actor's tenant, with all of their tokens. What
// they said in sessions stays under their name. Only an owner may remove an owner, and
// the last owner cannot be removed.
func RemovePerson(ctx context.Context, pool *pgxpool.Pool, by Actor, user string) error {
	return changePerson(ctx, pool, by, user, false, func(tx pgx.Tx) error {
		return queries.MemberDelete(ctx, tx, &dbsqlc.MemberDeleteParams{TenantID: by.Tenant, ID: user})
	})
}

// changePerson calls f in a transaction of its own if the actor may change the person.
// stays reports whether the person is an owner afterwards. The lock on the tenant's
// people keeps two owners from demoting each other at the same moment.
func changePerson(ctx context.Context, pool *pgxpool.Pool, by Actor, user string, stays bool, f func(tx pgx.Tx) error) error {
	if !by.May(Manage) {
		return fault.New(fault.Forbidden, "your role, %s, does not allow this", by.Role).Coded("role_too_low")
	}
	return postgres.InTx(ctx, pool, by.Tenant, func(tx pgx.Tx) error {
		if err := queries.PeopleLock(ctx, tx, by.Tenant); err != nil {
			return fmt.Errorf("lock people: %w", err)
		}
		if err := mayChange(ctx, tx, by, user, stays); err != nil {
			return err
		}
		return fault.Wrap(f(tx), "change person")
	})
}

// mayChange returns a fault when an actor who is not an owner would change one, or when
// the tenant would be left without an owner.
func mayChange(ctx context.Context, tx pgx.Tx, by Actor, user string, stays bool) error {
	_, err := queries.MemberFind(ctx, tx, &dbsqlc.MemberFindParams{TenantID: by.Tenant, ID: user})
	if errors.Is(err, pgx.ErrNoRows) {
		return fault.New(fault.NotFound, "there is nobody of that name here").Coded("person_not_found")
	}
	if err != nil {
		return fmt.Errorf("find person: %w", err)
	}
	owners, err := queries.OwnerList(ctx, tx, by.Tenant)
	if err != nil {
		return fmt.Errorf("list owners: %w", err)
	}
	owns := slices.Contains(owners, user)
	if owns && by.Role != Owner {
		return fault.New(fault.Forbidden, "only an owner decides about owners").Coded("owners_only")
	}
	if owns && !stays && len(owners) == 1 {
		return fault.New(fault.Conflict, "this is the last owner; make somebody else an owner first").Coded("last_owner")
	}
	return nil
}

// higher returns the names of the roles above r.
func higher(r Role) []string {
	out := []string{}
	for _, other := range roles[:max(slices.Index(roles, r), 0)] {
		out = append(out, string(other))
	}
	return out
}
