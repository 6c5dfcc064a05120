package models_test

import (
	"errors"
	"log/slog"
	"net/netip"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"quaestor/internal/fault"
	"quaestor/internal/llm"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/outbound"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/internal/secret"
	"quaestor/internal/secret/seal"
	"quaestor/sessions/settings/models"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// lab is a tenant with a store that may reach this machine.
type lab struct {
	t      *testing.T
	pool   *pgxpool.Pool
	tenant string
	keys   secret.Secret
	store  *models.Store
}

func newLab(t *testing.T) *lab {
	t.Helper()
	keys, err := seal.Generate()
	if err != nil {
		t.Fatal(err)
	}
	pool := postgrestest.DB(t)
	l := &lab{t: t, pool: pool, tenant: postgrestest.Tenant(t, pool), keys: keys}
	l.store = l.with(nil)
	return l
}

// with returns a store with other options.
func (l *lab) with(change func(*models.Options)) *models.Store {
	l.t.Helper()
	sealer, err := seal.New(l.keys)
	if err != nil {
		l.t.Fatal(err)
	}
	o := models.Options{Pool: l.pool, Sealer: sealer, Transport: outbound.NewTransport([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}), Log: slog.New(slog.DiscardHandler)}
	if change != nil {
		change(&o)
	}
	s := models.New(o)
	l.t.Cleanup(s.Close)
	return s
}

// create stores a model.
func (l *lab) create(d models.Spec) models.Model {
	l.t.Helper()
	m, err := l.store.Create(l.t.Context(), l.tenant, "someone", d)
	if err != nil {
		l.t.Fatal(err)
	}
	return m
}

// clients returns the clients of the lab's tenant.
func (l *lab) clients() models.Clients {
	l.t.Helper()
	c, err := l.store.Clients(l.t.Context(), l.tenant)
	if err != nil {
		l.t.Fatal(err)
	}
	return c
}

// says asks a client, and returns which model answered; else the class of the failure.
func (l *lab) says(c *llm.Client) string {
	l.t.Helper()
	if c == nil {
		return "nobody"
	}
	reply, err := c.Stream(l.t.Context(), llm.Request{Messages: []llm.Message{{Role: "user", Content: "Hello"}}}, func(string) error { return nil })
	var e *llm.Error
	if errors.As(err, &e) {
		return string(e.Class)
	}
	if err != nil {
		l.t.Fatal(err)
	}
	return reply.Model
}

// spec describes a model at a server.
func spec(name string, srv *llmtest.Server) models.Spec {
	return models.Spec{Name: name, BaseURL: srv.URL(), Key: secret.New("sesame")}
}

func wantFault(t *testing.T, what string, err error, kind fault.Kind, field string) {
	t.Helper()
	var f *fault.Error
	if !errors.As(err, &f) || f.Kind != kind || f.Field != field {
		t.Errorf("%s: %v, want %s at %q", what, err, kind, field)
	}
}
