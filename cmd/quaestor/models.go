package main

import (
	"cmp"
	"context"
	"log/slog"
	"net/netip"
	"sync"

	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/chat"
	"quaestor/chat/model"
	"quaestor/internal/llm"
	"quaestor/internal/outbound"
	"quaestor/sessions/settings/models"
)

// tenantModels are the language models of organisations: their own, or the server's.
type tenantModels struct {
	store  *models.Store
	server chat.Interviewer // with the server's model; nil when none is configured
	calls  *model.CallLog   // nil keeps none
	log    *slog.Logger

	mu    sync.Mutex
	known map[string]knownModels // by tenant; guarded by mu
}

// knownModels are the interviewers of a tenant with the clients they use.
type knownModels struct {
	clients models.Clients
	models  chat.Models
}

// newTenantModels builds what finds the models of organisations. The caller closes its
// store. Calls are handed to l; nil records none.
func newTenantModels(s *Settings, pool *pgxpool.Pool, l *model.CallLog, log *slog.Logger) (*tenantModels, error) {
	client, errClient := newClient(s)
	sealer, errSealer := s.sealer()
	networks, errNetworks := s.modelNetworks()
	if err := cmp.Or(errClient, errSealer, errNetworks); err != nil {
		return nil, err
	}
	t := &tenantModels{calls: l, log: log, known: map[string]knownModels{},
		store: models.New(models.Options{Pool: pool, Sealer: sealer, Transport: outbound.NewTransport(networks), Server: client, Log: log})}
	t.server = t.interviewer(client)
	return t, nil
}

// modelNetworks are the private networks that models of organisations may be in.
func (s *Settings) modelNetworks() ([]netip.Prefix, error) {
	if s.Auth == "development" {
		return everywhere, nil
	}
	return prefixes(s.ModelPrivate, "--model-private")
}

// interviewer returns an interviewer with a model; nil for nil.
func (t *tenantModels) interviewer(c *llm.Client) chat.Interviewer {
	if c == nil {
		return nil
	}
	return model.New(c, t.calls)
}

// clients returns the clients of a tenant. Where they cannot be found out, there are none:
// the rules go on, and no model gets to read what was meant for another.
func (t *tenantModels) clients(ctx context.Context, tenant string) models.Clients {
	out, err := t.store.Clients(ctx, tenant)
	if err != nil && ctx.Err() == nil {
		t.log.WarnContext(ctx, "models of an organisation", "tenant", tenant, "err", err)
	}
	return out
}

// talking returns the model that talks for a tenant; nil for none.
func (t *tenantModels) talking(ctx context.Context, tenant string) *llm.Client {
	return t.clients(ctx, tenant).Talking
}

// interviewers returns the interviewers of a tenant. They are the same as long as their
// clients are, with what they have learnt of the models.
func (t *tenantModels) interviewers(ctx context.Context, tenant string) chat.Models {
	clients := t.clients(ctx, tenant)
	t.mu.Lock()
	defer t.mu.Unlock()
	have, ok := t.known[tenant]
	if !ok || have.clients != clients {
		have = knownModels{clients, chat.Models{Reading: t.of(clients.Reading), Talking: t.of(clients.Talking)}}
		if clients.Reading == clients.Talking {
			have.models.Talking = have.models.Reading
		}
		t.known[tenant] = have
	}
	return have.models
}

// of returns the interviewer with a client, which all organisations share if it is the
// server's.
func (t *tenantModels) of(c *llm.Client) chat.Interviewer {
	if c == t.store.Server {
		return t.server
	}
	return t.interviewer(c)
}
