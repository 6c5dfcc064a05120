package models

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/fault"
	"quaestor/internal/llm"
	"quaestor/internal/postgres"
	"quaestor/sessions/settings/models/internal/dbsqlc"
)

// Clients are the models that a tenant uses. The two are the same client when the same models
// do both. Nil leaves a role to the rules.
type Clients struct {
	Reading *llm.Client
	Talking *llm.Client
}

// tenantClients are the clients of a tenant as of some state of its rows.
type tenantClients struct {
	state   string
	clients Clients
	models  []knownClient
}

// knownClient is the client of one row.
type knownClient struct {
	key    string
	client *llm.Client
}

// Clients returns a client for each role: the tenant's own models in their order, each asked
// when the one before fails; the server's model for a role that the tenant has set none for.
// The same rows give the same clients. A model whose key cannot be opened is left out.
func (s *Store) Clients(ctx context.Context, tenant string) (Clients, error) {
	list, err := s.List(ctx, tenant)
	if err != nil {
		return Clients{}, err
	}
	if len(list) == 0 {
		return Clients{s.Server, s.Server}, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	have := s.known[tenant]
	state := stateOf(list)
	if have == nil || have.state != state {
		have = s.build(ctx, list, have)
		have.state = state
		s.known[tenant] = have
	}
	return have.clients, nil
}

// stateOf differs between two lists that need different clients.
func stateOf(list []Model) string {
	var b strings.Builder
	for i, m := range list {
		b.WriteString(m.key(i == len(list)-1))
		b.WriteByte(' ')
	}
	return b.String()
}

// key differs between two clients of a row. The last model of a list tries again itself what
// others leave to the next.
func (m Model) key(last bool) string {
	var tested time.Time
	if m.Test != nil {
		tested = m.Test.At
	}
	return fmt.Sprint(m.ID, m.Version, tested.UnixNano(), last)
}

// build makes the clients for a list, of which it takes from before those that are the same.
func (s *Store) build(ctx context.Context, list []Model, before *tenantClients) *tenantClients {
	out := &tenantClients{}
	var made []*llm.Client // like list; nil for one that cannot be used
	for i, m := range list {
		key := m.key(i == len(list)-1)
		client := before.find(key)
		if client == nil {
			var err error
			if client, err = s.client(m, i == len(list)-1); err != nil {
				s.Log.WarnContext(ctx, "a model is left out", "tenant", m.Tenant, "model", m.ID, "err", err)
			}
		}
		made = append(made, client)
		out.models = append(out.models, knownClient{key, client})
	}
	reading, talking := playing(list, made, Reading), playing(list, made, Talking)
	out.clients = Clients{s.chain(reading), s.chain(talking)}
	if reading != nil && slices.Equal(reading, talking) {
		out.clients.Talking = out.clients.Reading
	}
	return out
}

// find returns the client of a key; nil if there is none.
func (t *tenantClients) find(key string) *llm.Client {
	if t == nil {
		return nil
	}
	for _, k := range t.models {
		if k.key == key {
			return k.client
		}
	}
	return nil
}

// playing returns the usable clients of those models that have a role; nil when no model has
// it, usable or not.
func playing(list []Model, made []*llm.Client, role Role) []*llm.Client {
	var out []*llm.Client
	for i, m := range list {
		if !m.Role.plays(role) {
			continue
		}
		if out == nil {
			out = []*llm.Client{}
		}
		if made[i] != nil {
			out = append(out, made[i])
		}
	}
	return out
}

// chain returns a client of a role's models.
func (s *Store) chain(list []*llm.Client) *llm.Client {
	switch {
	case list == nil:
		return s.Server
	case len(list) == 0:
		return nil
	}
	return llm.Chain(list[0], list[1:]...)
}

// client returns a client of one model. The last of a list has no other to leave a failure
// to, so it retries.
func (s *Store) client(m Model, last bool) (*llm.Client, error) {
	o, err := s.options(m)
	if err != nil {
		return nil, err
	}
	if !last {
		o.Retries = -1
	}
	if m.Test != nil {
		o.Format, o.Context = m.Test.Format, m.Test.Context
	}
	if m.Limits.DailyCalls > 0 {
		o.Admit = func(ctx context.Context) error { return s.admit(ctx, m.Tenant, m.ID) }
	}
	return llm.New(o)
}

// options are those of a client of m, with its key opened.
func (s *Store) options(m Model) (llm.Options, error) {
	key, err := s.open(m)
	if err != nil {
		return llm.Options{}, err
	}
	total := time.Duration(m.Limits.Seconds) * time.Second // zero leaves both to the client
	return llm.Options{BaseURL: m.BaseURL, Key: key, Model: m.Name, MaxTokens: m.Limits.Tokens, Total: total, FirstToken: total, HTTP: &http.Client{Transport: s.Transport}}, nil
}

// errUsedUp is why a model is not asked that has had its calls of the day.
var errUsedUp = fault.New(fault.Limited, "the model has had its calls of this day").Coded("daily_calls")

// admit counts a call of a model, or refuses it when it has had those of the day.
func (s *Store) admit(ctx context.Context, tenant, id string) error {
	var n int64
	err := postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) (err error) {
		n, err = queries.ModelAdmit(ctx, tx, &dbsqlc.ModelAdmitParams{TenantID: tenant, ID: id})
		return err
	})
	if err == nil && n == 0 {
		return errUsedUp
	}
	return err
}
