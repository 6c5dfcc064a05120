package eval

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"go.uber.org/goleak"

	"quaestor/chat"
	"quaestor/chat/rules"
	"quaestor/internal/listening"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/migrations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds every wait in these tests.
const patience = 60 * time.Second

// house is an engine with the rules interviewer over a database of its own, and a
// tenant with the shipped objectives.
func house(t testing.TB) (*chat.Engine, string) {
	t.Helper()
	pool := postgrestest.DB(t)
	tenant := postgrestest.Tenant(t, pool)
	library := objectives.NewLibrary(pool)
	if err := library.Ship(t.Context(), tenant); err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	queue, err := research.NewQueue(t.Context(), pool, research.QueueOptions{Schema: migrations.RiverSchema, Workers: -1, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	instance := uuid.NewString()
	hub := sessions.NewHub(pool, log, instance)
	t.Cleanup(hub.Close)
	engine, err := chat.New(chat.Options{Pool: pool, Hub: hub, Library: library, Queue: queue, Rules: rules.New(listening.New(nil)), Instance: instance, Log: log,
		Tenants: func(context.Context) ([]string, error) { return nil, nil }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		engine.Drain(ctx)
	})
	return engine, tenant
}

// objective returns the shipped objective of a context.
func objective(t testing.TB, contextType string) *objectives.Definition {
	t.Helper()
	for _, d := range objectives.Shipped() {
		if d.ContextType == contextType {
			return &d
		}
	}
	t.Fatalf("no objective is shipped for %s", contextType)
	return nil
}
