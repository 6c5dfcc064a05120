package postgrestest

import (
	"context"
	"crypto/rand"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/postgres"
	"quaestor/internal/postgres/connect"
)

// connections are this process's connections to the database that all its
// transactions share. A pgx.Conn at rest has no goroutine, so they may stay open
// until the process ends without looking like a leak.
type connections struct {
	once   sync.Once
	config *pgx.ConnConfig
	err    error

	mu   sync.Mutex // guards idle
	idle []*pgx.Conn
}

var shared connections

// Tx returns a transaction as the application role on a migrated database that
// the process's tests share; it is rolled back when the test ends. It takes a
// few milliseconds. No tenant is set: see [Tenant]. Two tests that write the same
// unique value wait for each other, so make such values with [Tenant] or at
// random.
func Tx(t testing.TB) pgx.Tx {
	t.Helper()
	conn, err := shared.acquire(t)
	if err != nil {
		t.Fatalf("connect to the test database: %v", err)
	}
	tx, err := conn.Begin(context.Background()) // t.Context ends before the rollback
	if err != nil {
		t.Fatalf("begin: %v", err)
	}
	t.Cleanup(func() {
		if tx.Conn() != nil && !conn.IsClosed() {
			_ = tx.Rollback(context.Background())
		}
		shared.release(conn)
	})
	return tx
}

// Tenant adds a tenant of a random name and returns its id. If db is a
// transaction, it acts for that tenant from then on.
func Tenant(t testing.TB, db postgres.DB) string {
	t.Helper()
	var id string
	err := db.QueryRow(t.Context(), `INSERT INTO tenants (name) VALUES ($1) RETURNING id::text`, "tenant "+rand.Text()).Scan(&id)
	if err != nil {
		t.Fatalf("add a tenant: %v", err)
	}
	if tx, ok := db.(pgx.Tx); ok {
		Act(t, tx, id)
	}
	return id
}

// Act makes the transaction act for the tenant.
func Act(t testing.TB, tx pgx.Tx, tenant string) {
	t.Helper()
	if _, err := tx.Exec(t.Context(), `SELECT set_config('app.tenant', $1, true)`, tenant); err != nil {
		t.Fatalf("set tenant %s: %v", tenant, err)
	}
}

// acquire returns a connection at rest, or a new one.
func (c *connections) acquire(t testing.TB) (*pgx.Conn, error) {
	t.Helper()
	s := joined(t)
	c.once.Do(func() { c.err = c.prepare(s) })
	if c.err != nil {
		return nil, c.err
	}
	if conn := c.pop(); conn != nil {
		return conn, nil
	}
	return pgx.ConnectConfig(context.Background(), c.config)
}

// prepare makes the shared database and notes how the product connects to one.
// The keeper drops it when the process has ended.
func (c *connections) prepare(s server) error {
	ctx := context.Background()
	name := cloneName(clones.Add(1))
	if err := clone(ctx, s.super, s.template, name); err != nil {
		return err
	}
	pool, err := connect.Open(ctx, at(s.super, name), connect.Options{})
	if err != nil {
		return err
	}
	c.config = pool.Config().ConnConfig
	pool.Close()
	return nil
}

func (c *connections) pop() *pgx.Conn {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.idle) == 0 {
		return nil
	}
	conn := c.idle[len(c.idle)-1]
	c.idle = c.idle[:len(c.idle)-1]
	return conn
}

// release takes a connection back, unless the test broke it or left it in a
// transaction.
func (c *connections) release(conn *pgx.Conn) {
	if conn.IsClosed() {
		return
	}
	if conn.PgConn().TxStatus() != 'I' {
		_ = conn.Close(context.Background())
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.idle = append(c.idle, conn)
}
