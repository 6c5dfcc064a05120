package auth_test

import (
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fixture is a database with two tenants.
type fixture struct {
	pool          *pgxpool.Pool
	tenant, other string
}

func newFixture(t *testing.T) fixture {
	t.Helper()
	pool := postgrestest.DB(t)
	return fixture{pool: pool, tenant: postgrestest.Tenant(t, pool), other: postgrestest.Tenant(t, pool)}
}

// token makes one for the user of the tenant.
func (o fixture) token(t *testing.T, tenant, user string, role auth.Role) string {
	t.Helper()
	token, err := auth.CreateToken(t.Context(), o.pool, auth.Grant{Tenant: tenant, User: user, Role: role, Name: "laptop"})
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func (o fixture) wantUnknown(t *testing.T, why, token string) {
	t.Helper()
	actor, err := auth.Authenticate(t.Context(), o.pool, token)
	if actor != (auth.Actor{}) || !fault.Is(err, fault.Unauthenticated) {
		t.Errorf("Authenticate with a token that is %s = %+v, %v, want unauthenticated", why, actor, err)
	}
}

func TestTokenSaysWhoActs(t *testing.T) {
	t.Parallel()

	o := newFixture(t)
	for _, want := range []auth.Actor{
		{Tenant: o.tenant, User: "ada", Role: auth.Owner},
		{Tenant: o.tenant, User: "ada", Role: auth.Viewer},
		{Tenant: o.other, User: "ada", Role: auth.Member},
		{Tenant: o.other, User: "zoë", Role: auth.Reviewer},
	} {
		token := o.token(t, want.Tenant, want.User, want.Role)

		got, err := auth.Authenticate(t.Context(), o.pool, token)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("Authenticate, %v (-want +got):\n%s", err, diff)
		}
		if !strings.HasPrefix(token, "qst_") || len(token) < 40 {
			t.Errorf("a token has %d characters, want qst_ and 32 bytes at random", len(token))
		}
	}
}

func TestTokensThatAreNone(t *testing.T) {
	t.Parallel()

	o := newFixture(t)
	token := o.token(t, o.tenant, "ada", auth.Owner)
	for why, in := range map[string]string{
		"empty": "", "a prefix": "qst_", "cut short": token[:len(token)-1], "longer": token + "A", "in capitals": strings.ToUpper(token),
		"without its prefix": strings.TrimPrefix(token, "qst_"), "of another": "qst_" + strings.Repeat("A", 43), "odd": "qst_\x00' OR true --",
	} {
		o.wantUnknown(t, why, in)
	}
}

func TestTokenExpires(t *testing.T) {
	t.Parallel()

	o := newFixture(t)
	token, err := auth.CreateToken(t.Context(), o.pool, auth.Grant{Tenant: o.tenant, User: "ada", Role: auth.Owner, Lasts: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := auth.Authenticate(t.Context(), o.pool, token); err != nil {
		t.Errorf("Authenticate within the hour = %v", err)
	}
	b := postgres.NewBatch(o.tenant)
	_, _ = b.Exec(t.Context(), `UPDATE api_tokens SET expires_at = expires_at - interval '1 hour'`)
	if err := b.Send(t.Context(), o.pool); err != nil {
		t.Fatal(err)
	}

	o.wantUnknown(t, "expired", token)
}

func TestRevokedTokenEndsAtOnce(t *testing.T) {
	t.Parallel()

	o := newFixture(t)
	ended, kept := o.token(t, o.tenant, "ada", auth.Owner), o.token(t, o.other, "ada", auth.Owner)
	list, err := auth.Tokens(t.Context(), o.pool, o.tenant)
	if err != nil || len(list) != 1 {
		t.Fatalf("Tokens = %v, %v, want 1", list, err)
	}
	for name, in := range map[string][2]string{
		"another tenant": {o.other, list[0].ID}, "an unknown token": {o.tenant, uuid.NewString()}, "no id": {o.tenant, "nonsense"},
	} {
		if err := auth.Revoke(t.Context(), o.pool, in[0], in[1]); !fault.Is(err, fault.NotFound) {
			t.Errorf("Revoke by %s = %v, want not_found", name, err)
		}
	}
	if _, err := auth.Authenticate(t.Context(), o.pool, ended); err != nil {
		t.Errorf("Authenticate before Revoke = %v", err)
	}

	if err := auth.Revoke(t.Context(), o.pool, o.tenant, list[0].ID); err != nil {
		t.Fatal(err)
	}

	o.wantUnknown(t, "revoked", ended)
	if _, err := auth.Authenticate(t.Context(), o.pool, kept); err != nil {
		t.Errorf("Authenticate with another token = %v", err)
	}
	if err := auth.Revoke(t.Context(), o.pool, o.tenant, list[0].ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("Revoke again = %v, want not_found", err)
	}
	list, err = auth.Tokens(t.Context(), o.pool, o.tenant)
	if err != nil || len(list) != 1 || list[0].Revoked == nil {
		t.Errorf("Tokens = %+v, %v, want the one, revoked", list, err)
	}
}

func TestTokensAreListedForTheirTenantNewestFirst(t *testing.T) {
	t.Parallel()

	o := newFixture(t)
	o.token(t, o.tenant, "ada", auth.Owner)
	o.token(t, o.other, "eve", auth.Owner)
	o.token(t, o.tenant, "bob", auth.Viewer)

	list, err := auth.Tokens(t.Context(), o.pool, o.tenant)
	if err != nil || len(list) != 2 {
		t.Fatalf("Tokens = %+v, %v, want 2", list, err)
	}

	want := auth.Token{ID: list[0].ID, User: "bob", Name: "laptop", Role: auth.Viewer, Created: list[0].Created}
	if diff := cmp.Diff(want, list[0]); diff != "" || list[1].User != "ada" {
		t.Errorf("the second is %s's, the first (-want +got):\n%s", list[1].User, diff)
	}
}

// A person who reads the table, or a backup of it, cannot act as anybody.
func TestTokensAreNotStoredInClear(t *testing.T) {
	t.Parallel()

	o := newFixture(t)
	token := o.token(t, o.tenant, "ada", auth.Owner)
	rows, err := postgrestest.Superuser(t, o.pool).Query(t.Context(), `SELECT row_to_json(x)::text || encode(token_hash, 'escape') FROM api_tokens AS x`)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(stored) != 1 {
		t.Fatalf("%d rows, %v, want 1", len(stored), err)
	}

	secret := strings.TrimPrefix(token, "qst_")
	for _, part := range []string{secret, secret[:12], secret[len(secret)-12:], hex.EncodeToString([]byte(secret))} {
		if strings.Contains(stored[0], part) {
			t.Errorf("the row holds %d characters of the token", len(part))
		}
	}
	other := o.token(t, o.tenant, "ada", auth.Owner)
	if other == token {
		t.Error("two tokens are the same")
	}
}

// A bearer's look-up shows the row with its hash, and nothing of anyone else's.
func TestLookUpShowsOneToken(t *testing.T) {
	t.Parallel()

	o := newFixture(t)
	o.token(t, o.tenant, "ada", auth.Owner)
	o.token(t, o.other, "eve", auth.Owner)
	var first string
	super := postgrestest.Superuser(t, o.pool)
	if err := super.QueryRow(t.Context(), `SELECT encode(token_hash, 'hex') FROM api_tokens WHERE member_id = 'ada'`).Scan(&first); err != nil {
		t.Fatal(err)
	}

	for _, tt := range []struct {
		name, in, want string
	}{{"its hash", first, "ada"}, {"another hash", strings.Repeat("0", 64), ""}, {"no hash", "", ""}} {
		var got string
		b := postgres.NewBatch("")
		_, _ = b.Exec(t.Context(), `SELECT set_config('app.token_hash', $1, true)`, tt.in)
		postgrestest.Rows[struct{ User string }](b, func(r *struct{ User string }) error { got += r.User; return nil }, `SELECT member_id FROM api_tokens`)
		if err := b.Send(t.Context(), o.pool); err != nil || got != tt.want {
			t.Errorf("with %s the tokens seen are of %q, %v, want %q", tt.name, got, err, tt.want)
		}
	}
}

// A token for a machine, in a lower role, must not take the role of the person
// it is named after.
func TestTokenLeavesAMembersRole(t *testing.T) {
	t.Parallel()

	o := newFixture(t)
	o.token(t, o.tenant, "ada", auth.Owner)
	o.token(t, o.tenant, "ada", auth.Viewer)

	var role string
	b := postgres.NewBatch(o.tenant)
	postgrestest.Rows[struct{ Role string }](b, func(r *struct{ Role string }) error { role += r.Role; return nil }, `SELECT role FROM members`)
	if err := b.Send(t.Context(), o.pool); err != nil || role != string(auth.Owner) {
		t.Errorf("the member is %q, %v, want owner", role, err)
	}
}

func TestGrantsThatAreRefused(t *testing.T) {
	t.Parallel()

	o := newFixture(t)
	for _, tt := range []struct {
		name  string
		in    auth.Grant
		field string
	}{
		{"nobody", auth.Grant{Tenant: o.tenant, Role: auth.Owner}, "user"},
		{"a long name", auth.Grant{Tenant: o.tenant, User: strings.Repeat("é", 201), Role: auth.Owner}, "user"},
		{"no role", auth.Grant{Tenant: o.tenant, User: "ada"}, "role"},
		{"an unknown role", auth.Grant{Tenant: o.tenant, User: "ada", Role: "root"}, "role"},
	} {
		token, err := auth.CreateToken(t.Context(), o.pool, tt.in)
		if !fault.Is(err, fault.Unprocessable) || !strings.HasPrefix(err.Error(), tt.field) || token != "" {
			t.Errorf("%s: CreateToken = %d characters, %v, want none and unprocessable %s", tt.name, len(token), err, tt.field)
		}
	}
	longest := auth.Grant{Tenant: o.tenant, User: strings.Repeat("é", 200), Role: auth.Member}
	if _, err := auth.CreateToken(t.Context(), o.pool, longest); err != nil {
		t.Errorf("CreateToken for a name of 200 characters = %v", err)
	}
	if token, err := auth.CreateToken(t.Context(), o.pool, auth.Grant{Tenant: uuid.NewString(), User: "ada", Role: auth.Owner}); err == nil || token != "" {
		t.Errorf("CreateToken in an unknown tenant = %d characters, %v, want none", len(token), err)
	}
}

func TestEnsureTenant(t *testing.T) {
	t.Parallel()

	pool := postgrestest.DB(t)
	longest := strings.Repeat("é", 200)
	for range 2 {
		for _, name := range []string{"Cheese Ltd", longest} {
			if got, err := auth.EnsureTenant(t.Context(), pool, name); got.Name != name || got.ID == "" || err != nil {
				t.Errorf("EnsureTenant(%.20q) = %+v, %v", name, got, err)
			}
		}
	}
	for _, name := range []string{"", longest + "é"} {
		if got, err := auth.EnsureTenant(t.Context(), pool, name); !fault.Is(err, fault.Unprocessable) {
			t.Errorf("EnsureTenant(%.20q) = %+v, %v, want unprocessable", name, got, err)
		}
	}
	list, err := auth.Tenants(t.Context(), pool)
	if err != nil || len(list) != 2 || list[0].Name != "Cheese Ltd" || list[1].Name != longest {
		t.Errorf("Tenants = %v, %v, want the two, the older first", list, err)
	}
}
