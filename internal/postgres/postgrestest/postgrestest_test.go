package postgrestest_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"

	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func count(t *testing.T, db postgres.DB, table string) int {
	t.Helper()
	var n int
	if err := db.QueryRow(t.Context(), `SELECT count(*) FROM `+table).Scan(&n); err != nil {
		t.Fatalf("count %s: %v", table, err)
	}
	return n
}

func TestClones(t *testing.T) {
	t.Parallel()

	began := time.Now()
	a := postgrestest.DB(t)
	t.Logf("first clone after %v", time.Since(began))
	began = time.Now()
	b := postgrestest.DB(t)
	took := time.Since(began)
	t.Logf("clone in %v", took)
	if took > time.Second {
		t.Errorf("a clone took %v, want less than 1 s", took)
	}

	postgrestest.Tenant(t, a)
	if n, m := count(t, a, "tenants"), count(t, b, "tenants"); n != 1 || m != 0 {
		t.Errorf("tenants: %d and %d, want 1 and 0", n, m)
	}
}

func TestPoolActsAsTheApplication(t *testing.T) {
	t.Parallel()

	pool := postgrestest.DB(t)
	var role, isSuper string
	if err := pool.QueryRow(t.Context(), `SELECT current_user, current_setting('is_superuser')`).Scan(&role, &isSuper); err != nil {
		t.Fatal(err)
	}
	if role != postgres.AppRole || isSuper != "off" {
		t.Errorf("role %s, superuser %s, want %s, off", role, isSuper, postgres.AppRole)
	}
	if n := pool.Config().MaxConns; n != 8 {
		t.Errorf("MaxConns = %d, want 8", n)
	}

	super := postgrestest.Superuser(t, pool)
	var database string
	if err := super.QueryRow(t.Context(), `SELECT current_setting('is_superuser'), current_database()`).Scan(&isSuper, &database); err != nil {
		t.Fatal(err)
	}
	if isSuper != "on" || database != pool.Config().ConnConfig.Database {
		t.Errorf("superuser %s in %s, want on in %s", isSuper, database, pool.Config().ConnConfig.Database)
	}
}

func TestOpenIsASecondInstance(t *testing.T) {
	t.Parallel()

	url := postgrestest.URL(t)
	a, b := postgrestest.Open(t, url), postgrestest.Open(t, url)
	postgrestest.Tenant(t, a)

	if n := count(t, b, "tenants"); n != 1 {
		t.Errorf("the second pool sees %d tenants, want 1", n)
	}
}

func TestDatabaseIsDropped(t *testing.T) {
	t.Parallel()

	var url string
	t.Run("user", func(t *testing.T) { // not parallel: its end is what is waited for
		url = postgrestest.URL(t)
		if _, err := pgx.Connect(t.Context(), url); err != nil { // left open on purpose
			t.Fatal(err)
		}
	})

	if conn, err := pgx.Connect(t.Context(), url); err == nil {
		_ = conn.Close(context.Background())
		t.Errorf("%s is still there", url)
	}
}

func TestTxIsRolledBack(t *testing.T) {
	t.Parallel()

	var first string
	t.Run("writer", func(t *testing.T) { // not parallel: its end is what is waited for
		tx := postgrestest.Tx(t)
		first = postgrestest.Tenant(t, tx)
		if _, err := tx.Exec(t.Context(), `INSERT INTO members (tenant_id, id, role) VALUES ($1, 'ada', 'owner')`, first); err != nil {
			t.Fatal(err)
		}
		if n := count(t, tx, "members"); n != 1 {
			t.Errorf("members = %d, want 1", n)
		}
	})

	tx := postgrestest.Tx(t)
	postgrestest.Act(t, tx, first)
	if n, m := count(t, tx, "members"), count(t, tx, "tenants"); n != 0 || m != 0 {
		t.Errorf("members %d, tenants %d, want none", n, m)
	}
}

func TestTxSeesItsTenantOnly(t *testing.T) {
	t.Parallel()

	tx := postgrestest.Tx(t)
	first := postgrestest.Tenant(t, tx)
	if _, err := tx.Exec(t.Context(), `INSERT INTO members (tenant_id, id, role) VALUES ($1, 'ada', 'owner')`, first); err != nil {
		t.Fatal(err)
	}
	postgrestest.Tenant(t, tx)
	if n := count(t, tx, "members"); n != 0 {
		t.Errorf("another tenant sees %d members, want 0", n)
	}
	postgrestest.Act(t, tx, first)
	if n := count(t, tx, "members"); n != 1 {
		t.Errorf("the tenant sees %d members, want 1", n)
	}
}

func TestTxSurvivesAFailedStatement(t *testing.T) {
	t.Parallel()

	t.Run("failing", func(t *testing.T) { // not parallel: its end is what is waited for
		if _, err := postgrestest.Tx(t).Exec(t.Context(), `SELECT 1/0`); err == nil {
			t.Error("1/0 succeeded")
		}
	})

	if n := count(t, postgrestest.Tx(t), "tenants"); n != 0 {
		t.Errorf("tenants = %d, want 0", n)
	}
}

func BenchmarkClone(b *testing.B) {
	for b.Loop() {
		postgrestest.URL(b)
	}
}
