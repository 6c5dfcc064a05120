package auth_test

import (
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/internal/postgres"
)

// people are a tenant's by name.
func (o fixture) people(t *testing.T, tenant string) map[string]auth.Person {
	t.Helper()
	list, err := auth.People(t.Context(), o.pool, tenant)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]auth.Person{}
	for _, p := range list {
		out[p.User] = p
	}
	return out
}

func (o fixture) by(role auth.Role) auth.Actor {
	return auth.Actor{Tenant: o.tenant, User: "boss", Role: role}
}

func TestPeopleAreListedWithWhatTheirTokensMay(t *testing.T) {
	t.Parallel()

	o := newFixture(t)
	o.token(t, o.tenant, "zoë", auth.Member)
	o.token(t, o.tenant, "ada", auth.Viewer)
	o.token(t, o.tenant, "ada", auth.Owner)
	o.token(t, o.other, "eve", auth.Owner)
	old, err := auth.CreateToken(t.Context(), o.pool, auth.Grant{Tenant: o.tenant, User: "zoë", Role: auth.Owner, Lasts: time.Hour})
	if err != nil || old == "" {
		t.Fatal(err)
	}
	b := postgres.NewBatch(o.tenant)
	_, _ = b.Exec(t.Context(), `UPDATE api_tokens SET expires_at = now() - interval '1 hour' WHERE expires_at IS NOT NULL`)
	if err := b.Send(t.Context(), o.pool); err != nil {
		t.Fatal(err)
	}

	list, err := auth.People(t.Context(), o.pool, o.tenant)

	want := []auth.Person{{User: "ada", Role: auth.Viewer, Tokens: 2, TokenRole: auth.Owner}, {User: "zoë", Role: auth.Member, Tokens: 1, TokenRole: auth.Member}}
	if diff := cmp.Diff(want, list, cmpopts.IgnoreFields(auth.Person{}, "Since")); diff != "" || err != nil {
		t.Errorf("People, %v (-want +got):\n%s", err, diff)
	}
	if !list[0].Owns() || list[1].Owns() {
		t.Errorf("owners are %t and %t, want ada, by her token, and nobody else", list[0].Owns(), list[1].Owns())
	}
}

// A role that was lowered while the old tokens went on would be lowered on paper.
func TestLowerRoleLowersTokens(t *testing.T) {
	t.Parallel()

	o := newFixture(t)
	o.token(t, o.tenant, "boss", auth.Owner)
	high, low := o.token(t, o.tenant, "ada", auth.Admin), o.token(t, o.tenant, "ada", auth.Viewer)

	if err := auth.SetRole(t.Context(), o.pool, o.by(auth.Owner), "ada", auth.Member); err != nil {
		t.Fatal(err)
	}

	for token, want := range map[string]auth.Role{high: auth.Member, low: auth.Viewer} {
		if got, err := auth.Authenticate(t.Context(), o.pool, token); err != nil || got.Role != want {
			t.Errorf("a token acts as %q, %v, want %s", got.Role, err, want)
		}
	}
	if err := auth.SetRole(t.Context(), o.pool, o.by(auth.Owner), "ada", auth.Admin); err != nil {
		t.Fatal(err)
	}
	if got, err := auth.Authenticate(t.Context(), o.pool, high); err != nil || got.Role != auth.Member {
		t.Errorf("a token was raised to %q, %v", got.Role, err)
	}
	if p := o.people(t, o.tenant)["ada"]; p.Role != auth.Admin || p.TokenRole != auth.Member {
		t.Errorf("ada is %+v, want admin with tokens up to member", p)
	}
}

func TestRemovedPersonsTokensEnd(t *testing.T) {
	t.Parallel()

	o := newFixture(t)
	o.token(t, o.tenant, "boss", auth.Owner)
	gone, kept := o.token(t, o.tenant, "ada", auth.Member), o.token(t, o.other, "ada", auth.Member)

	if err := auth.RemovePerson(t.Context(), o.pool, o.by(auth.Admin), "ada"); err != nil {
		t.Fatal(err)
	}

	o.wantUnknown(t, "of somebody removed", gone)
	if _, err := auth.Authenticate(t.Context(), o.pool, kept); err != nil {
		t.Errorf("the namesake of another tenant is refused: %v", err)
	}
	if _, there := o.people(t, o.tenant)["ada"]; there {
		t.Error("ada is still listed")
	}
}

func TestChangesOfPeopleThatAreRefused(t *testing.T) {
	t.Parallel()

	o := newFixture(t)
	o.token(t, o.tenant, "boss", auth.Owner)
	o.token(t, o.tenant, "ada", auth.Member)
	o.token(t, o.other, "eve", auth.Member)
	before := o.people(t, o.tenant)
	for _, tt := range []struct {
		name string
		by   auth.Role
		user string
		role auth.Role // empty removes
		want fault.Kind
	}{
		{"a reviewer sets a role", auth.Reviewer, "ada", auth.Viewer, fault.Forbidden},
		{"a member removes", auth.Member, "ada", "", fault.Forbidden},
		{"an admin makes an owner", auth.Admin, "ada", auth.Owner, fault.Forbidden},
		{"an admin lowers an owner", auth.Admin, "boss", auth.Member, fault.Forbidden},
		{"an admin removes an owner", auth.Admin, "boss", "", fault.Forbidden},
		{"the last owner lowers themselves", auth.Owner, "boss", auth.Admin, fault.Conflict},
		{"the last owner leaves", auth.Owner, "boss", "", fault.Conflict},
		{"somebody of another tenant", auth.Owner, "eve", "", fault.NotFound},
		{"nobody", auth.Owner, "", auth.Viewer, fault.NotFound},
		{"no such role", auth.Owner, "ada", "root", fault.Unprocessable},
	} {
		var err error
		if tt.role == "" {
			err = auth.RemovePerson(t.Context(), o.pool, o.by(tt.by), tt.user)
		} else {
			err = auth.SetRole(t.Context(), o.pool, o.by(tt.by), tt.user, tt.role)
		}
		if !fault.Is(err, tt.want) {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
	if diff := cmp.Diff(before, o.people(t, o.tenant)); diff != "" {
		t.Errorf("refused changes changed something:\n%s", diff)
	}
	if err := auth.SetRole(t.Context(), o.pool, o.by(auth.Owner), "boss", auth.Owner); err != nil {
		t.Errorf("the last owner stays owner: %v", err)
	}
}

// Two owners who remove each other at the same moment must not both succeed.
func TestOwnersWhoRemoveEachOtherLeaveOne(t *testing.T) {
	t.Parallel()

	o := newFixture(t)
	for range 5 {
		o.token(t, o.tenant, "ada", auth.Owner)
		o.token(t, o.tenant, "bob", auth.Viewer) // owner by another token
		o.token(t, o.tenant, "bob", auth.Owner)
		errs := make([]error, 2)
		var both sync.WaitGroup
		both.Go(func() { errs[0] = auth.RemovePerson(t.Context(), o.pool, o.by(auth.Owner), "ada") })
		both.Go(func() { errs[1] = auth.SetRole(t.Context(), o.pool, o.by(auth.Owner), "bob", auth.Member) })
		both.Wait()

		owners := 0
		for _, p := range o.people(t, o.tenant) {
			if p.Owns() {
				owners++
			}
		}
		if owners != 1 || (errs[0] == nil) == (errs[1] == nil) {
			t.Fatalf("%d owners are left, after %v and %v, want 1 and one conflict", owners, errs[0], errs[1])
		}
	}
}

// Whatever is done to its people, a tenant that had an owner has one.
func TestTenantKeepsAnOwner(t *testing.T) {
	t.Parallel()

	o := newFixture(t)
	users := []string{"ada", "bob", "cy"}
	rapid.Check(t, func(r *rapid.T) {
		o.token(t, o.tenant, "ada", auth.Owner)
		for range rapid.IntRange(1, 8).Draw(r, "changes") {
			by := o.by(rapid.SampledFrom(auth.Roles()).Draw(r, "by"))
			user := rapid.SampledFrom(users).Draw(r, "user")
			role := rapid.SampledFrom(auth.Roles()).Draw(r, "role")
			var err error
			switch rapid.IntRange(0, 2).Draw(r, "do") {
			case 0:
				_, err = auth.CreateToken(t.Context(), o.pool, auth.Grant{Tenant: o.tenant, User: user, Role: role})
			case 1:
				err = auth.SetRole(t.Context(), o.pool, by, user, role)
			default:
				err = auth.RemovePerson(t.Context(), o.pool, by, user)
			}
			if fault.Is(err, fault.Internal) {
				r.Fatal(err)
			}
		}
		for _, p := range o.people(t, o.tenant) {
			if p.Owns() {
				return
			}
		}
		r.Fatal("nobody owns the tenant any more")
	})
}
