package migrations_test

import (
	"context"
	"crypto/rand"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"quaestor/internal/postgres"
	"quaestor/internal/postgres/connect"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/migrations"
)

// background outlives the test, for what is cleaned up after it.
var background = context.Background()

func wantPending(t *testing.T, address string, want int) {
	t.Helper()
	got, err := migrations.Pending(t.Context(), address)
	if err != nil || got != want {
		t.Errorf("Pending = %d, %v, want %d", got, err, want)
	}
}

func TestUpAgainIsHarmless(t *testing.T) {
	t.Parallel()

	address := postgrestest.URL(t)
	pool := postgrestest.Open(t, address)
	tenant := postgrestest.Tenant(t, pool)

	for range 2 {
		if err := migrations.Up(t.Context(), address); err != nil {
			t.Fatal(err)
		}
	}

	wantPending(t, address, 0)
	var kept bool
	if err := pool.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM tenants WHERE id = $1)`, tenant).Scan(&kept); err != nil || !kept {
		t.Errorf("the tenant from before is there: %t, %v", kept, err)
	}
}

func TestUpByFourAtOnceOnAnEmptyDatabase(t *testing.T) {
	t.Parallel()

	address, conn := empty(t)
	names, err := filepath.Glob("*.sql")
	if err != nil || len(names) == 0 {
		t.Fatalf("the migrations are %v, %v", names, err)
	}
	files := len(names)
	wantPending(t, address, files)

	var all errgroup.Group
	for range 4 {
		all.Go(func() error { return migrations.Up(t.Context(), address) })
	}
	if err := all.Wait(); err != nil {
		t.Fatal(err)
	}

	wantPending(t, address, 0)
	var applied, jobs int
	err = conn.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM goose_db_version WHERE version_id > 0 AND is_applied), (SELECT count(*) FROM river.river_job)`).Scan(&applied, &jobs)
	if err != nil || applied != files || jobs != 0 {
		t.Errorf("%d migrations were applied and there are %d jobs, %v; want %d and 0", applied, jobs, err, files)
	}
}

// A hosted server hands out roles that may create roles and are not superusers.
// From PostgreSQL 16 on, who creates a role becomes a member that may not act as
// it, and the pool could not.
func TestUpByARoleThatMayOnlyCreateRoles(t *testing.T) {
	t.Parallel()

	hosted, _ := lodged(t)

	if err := migrations.Up(t.Context(), hosted); err != nil {
		t.Fatal(err)
	}

	pool, err := connect.Open(t.Context(), hosted, connect.Options{MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	var role string
	if err := pool.QueryRow(t.Context(), `SELECT current_user`).Scan(&role); err != nil || role != postgres.AppRole {
		t.Errorf("the pool acts as %q, %v, want %q", role, err, postgres.AppRole)
	}
}

// lodged makes an empty database whose owner may only create roles, and returns its
// address for the owner and a superuser's connection to it.
func lodged(t *testing.T) (hosted string, super *pgx.Conn) {
	t.Helper()
	address, super := empty(t)
	name := "hosted_" + strings.ToLower(rand.Text())
	database := super.Config().Database
	for _, statement := range []string{
		`CREATE EXTENSION vector`,
		`CREATE ROLE ` + name + ` LOGIN CREATEROLE PASSWORD 'open'`,
		`GRANT quaestor_app TO ` + name + membership(t, super),
		`ALTER DATABASE ` + database + ` OWNER TO ` + name,
		`ALTER SCHEMA public OWNER TO ` + name,
	} {
		if _, err := super.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	t.Cleanup(func() { dropRole(t, super, name) })
	return replace(t, address, func(u *url.URL) { u.User = url.UserPassword(name, "open") }), super
}

// membership is what a role has in those it creates.
func membership(t *testing.T, conn *pgx.Conn) string {
	t.Helper()
	var version int
	if err := conn.QueryRow(t.Context(), `SELECT current_setting('server_version_num')::int / 10000`).Scan(&version); err != nil {
		t.Fatal(err)
	}
	if version < 16 {
		return ` WITH ADMIN OPTION`
	}
	return ` WITH ADMIN TRUE, INHERIT FALSE, SET FALSE`
}

func dropRole(t *testing.T, super *pgx.Conn, name string) {
	t.Helper()
	for _, statement := range []string{
		`REASSIGN OWNED BY ` + name + ` TO CURRENT_USER`,
		`REVOKE quaestor_app FROM ` + name + ` CASCADE`,
		`DROP OWNED BY ` + name,
		`DROP ROLE ` + name,
	} {
		if _, err := super.Exec(background, statement); err != nil {
			t.Errorf("%s: %v", statement, err)
		}
	}
}

func TestHashNamesTheFiles(t *testing.T) {
	t.Parallel()

	if got := migrations.Hash(); len(got) != 12 || got != migrations.Hash() {
		t.Errorf("Hash() = %q, want the same 12 characters each time", got)
	}
}

func TestUnreachableDatabaseIsAnError(t *testing.T) {
	t.Parallel()

	nowhere := "postgres://nobody@127.0.0.1:1/none?connect_timeout=2"

	if err := migrations.Up(t.Context(), nowhere); err == nil {
		t.Error("Up of a database that is not there succeeded")
	}
	if _, err := migrations.Pending(t.Context(), nowhere); err == nil {
		t.Error("Pending of a database that is not there succeeded")
	}
}
