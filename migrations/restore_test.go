package migrations_test

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"quaestor/internal/postgres"
	"quaestor/internal/postgres/cluster"
	"quaestor/internal/postgres/connect"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/migrations"
)

// granted reads all that the application's role may do.
const granted = `
	SELECT 'table ' || c.relname || ' ' || a.privilege_type FROM pg_class AS c, aclexplode(c.relacl) AS a JOIN pg_roles AS r ON r.oid = a.grantee
	WHERE r.rolname = 'quaestor_app' AND c.relnamespace = 'public'::regnamespace
	UNION ALL
	SELECT 'column ' || c.relname || '.' || t.attname || ' ' || a.privilege_type FROM pg_attribute AS t JOIN pg_class AS c ON c.oid = t.attrelid, aclexplode(t.attacl) AS a JOIN pg_roles AS r ON r.oid = a.grantee
	WHERE r.rolname = 'quaestor_app'
	UNION ALL
	SELECT 'schema ' || n.nspname || ' ' || a.privilege_type FROM pg_namespace AS n, aclexplode(n.nspacl) AS a JOIN pg_roles AS r ON r.oid = a.grantee
	WHERE r.rolname = 'quaestor_app'
	ORDER BY 1`

func grants(t *testing.T, conn *pgx.Conn) []string {
	t.Helper()
	rows, err := conn.Query(t.Context(), granted)
	if err != nil {
		t.Fatal(err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// What a start gives back is what the migrations gave, no less and no more.
func TestPrivilegesAreThoseOfTheMigrations(t *testing.T) {
	t.Parallel()

	address, conn := empty(t)
	if err := migrations.Up(t.Context(), address); err != nil {
		t.Fatal(err)
	}
	want := grants(t, conn)
	if trouble, err := migrations.RoleTrouble(t.Context(), address); trouble != "" || err != nil {
		t.Errorf("of a new database is said %q, %v", trouble, err)
	}
	if _, err := conn.Exec(t.Context(), `DROP OWNED BY quaestor_app`); err != nil {
		t.Fatal(err)
	}
	if trouble, err := migrations.RoleTrouble(t.Context(), address); !strings.Contains(trouble, "lacks") || err != nil {
		t.Errorf("without privileges is said %q, %v", trouble, err)
	}

	if err := migrations.Up(t.Context(), address); err != nil {
		t.Fatal(err)
	}

	if diff := cmp.Diff(want, grants(t, conn)); diff != "" || len(want) < 100 {
		t.Errorf("%d privileges (-by migrations +given back):\n%s", len(want), diff)
	}
	if trouble, err := migrations.RoleTrouble(t.Context(), address); trouble != "" || err != nil {
		t.Errorf("after it is said %q, %v", trouble, err)
	}
}

// freshServer starts a PostgreSQL that has never seen Quaestor, and returns the
// addresses of empty databases in it and the folder of its programs.
func freshServer(t *testing.T, databases ...string) (addresses []string, bin string) {
	t.Helper()
	server, err := cluster.Find(t.Context(), cluster.FindOptions{})
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "q") // the path of its socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil { // the server may run under another account
		t.Fatal(err)
	}
	c, err := cluster.Start(t.Context(), cluster.Options{DataDir: filepath.Join(dir, "d"), Bin: server.Bin, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(background); err != nil {
			t.Error(err)
		}
	})
	conn := openConn(t, c.URL())
	for _, name := range databases {
		if _, err := conn.Exec(t.Context(), `CREATE DATABASE `+name); err != nil {
			t.Fatal(err)
		}
		addresses = append(addresses, replace(t, c.URL(), func(u *url.URL) { u.Path = "/" + name }))
	}
	return addresses, server.Bin
}

// Servers that start for the first time at once, over one database and over several of
// one PostgreSQL, all come up.
func TestFirstStartsAtOnceAllComeUp(t *testing.T) {
	t.Parallel()

	addresses, _ := freshServer(t, "one", "two")
	var all errgroup.Group
	for n := range 12 {
		address := addresses[n%len(addresses)]
		all.Go(func() error {
			if err := connect.Check(t.Context(), address); err != nil {
				return fmt.Errorf("check: %w", err)
			}
			return migrations.Up(t.Context(), address)
		})
	}
	if err := all.Wait(); err != nil {
		t.Fatal(err)
	}
	for _, address := range addresses {
		wantPending(t, address, 0)
		if trouble, err := migrations.RoleTrouble(t.Context(), address); trouble != "" || err != nil {
			t.Errorf("%s: %s, %v", address, trouble, err)
		}
	}
}

// A dump that is restored into another PostgreSQL works, whichever way it was made: the
// procedure of docs/operating.md.
func TestRestoredDumpWorks(t *testing.T) {
	t.Parallel()

	from := postgrestest.URL(t)
	pool := postgrestest.Open(t, from)
	tenant, other := postgrestest.Tenant(t, pool), postgrestest.Tenant(t, pool)
	super := openConn(t, from)
	for _, id := range []string{tenant, other} {
		if _, err := super.Exec(t.Context(), `INSERT INTO members (tenant_id, id, role) VALUES ($1, 'ada', 'owner')`, id); err != nil {
			t.Fatal(err)
		}
	}
	want := grants(t, super)
	addresses, bin := freshServer(t, "archive", "script")
	dir := t.TempDir()
	archive, script := filepath.Join(dir, "quaestor.dump"), filepath.Join(dir, "quaestor.sql")
	run(t, bin, "pg_dump", "--format=custom", "--file="+archive, from)
	run(t, bin, "pg_dump", "--file="+script, from)
	run(t, bin, "pg_restore", "--no-owner", "--no-acl", "--exit-on-error", "--dbname="+addresses[0], archive)
	run(t, bin, "psql", "--no-psqlrc", "--quiet", "--file="+script, addresses[1]) // it complains of the role, and goes on

	for _, address := range addresses {
		if trouble, err := migrations.RoleTrouble(t.Context(), address); err != nil || trouble == "" {
			t.Errorf("of a restored dump is said %q, %v", trouble, err)
		}
		if err := migrations.Up(t.Context(), address); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, grants(t, openConn(t, address))); diff != "" {
			t.Errorf("privileges (-before +restored):\n%s", diff)
		}
		restored := postgrestest.Open(t, address)
		err := postgres.InTx(t.Context(), restored, tenant, func(tx pgx.Tx) error {
			var members, role string
			if err := tx.QueryRow(t.Context(), `SELECT count(*)::text, current_user FROM members`).Scan(&members, &role); err != nil {
				return err
			}
			if members != "1" || role != postgres.AppRole {
				t.Errorf("%s sees %s members, want its own tenant's one as %s", role, members, postgres.AppRole)
			}
			_, err := tx.Exec(t.Context(), `INSERT INTO members (tenant_id, id, role) VALUES ($1, 'bo', 'member')`, tenant)
			return err
		})
		if err != nil {
			t.Error(err)
		}
		if _, err := restored.Exec(t.Context(), `SELECT count(*) FROM river.river_job`); err != nil {
			t.Error(err)
		}
	}
}

// run runs a program of PostgreSQL.
func run(t *testing.T, bin, program string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), filepath.Join(bin, program), args...) // a program of the tests' own server
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", program, err, said.String())
	}
}
