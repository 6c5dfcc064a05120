package models

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/internal/llm"
	"quaestor/internal/postgres"
	"quaestor/internal/secret"
	"quaestor/internal/secret/seal"
	"quaestor/sessions/settings"
	"quaestor/sessions/settings/models/internal/dbsqlc"
)

// Options are what a store depends on. All fields are required but Server.
type Options struct {
	Pool      *pgxpool.Pool
	Sealer    seal.Sealer       // without keys, models that need a key are refused
	Transport http.RoundTripper // reaches what organisations may name, and nothing else: see outbound.NewTransport
	Server    *llm.Client       // the model of organisations that have set none; nil when there is none
	Log       *slog.Logger
}

// Store stores models. It is safe for concurrent use.
type Store struct {
	Options

	mu    sync.Mutex
	known map[string]*tenantClients // by tenant; guarded by mu
	alone map[string]knownClient    // of models that are asked alone, by id; guarded by mu
}

var queries = dbsqlc.New()

// New returns a store.
func New(o Options) *Store {
	return &Store{Options: o, known: map[string]*tenantClients{}, alone: map[string]knownClient{}}
}

// Create stores a new model behind the others, without asking it; see [Store.Test].
func (s *Store) Create(ctx context.Context, tenant, by string, d Spec) (Model, error) {
	d, err := d.check()
	if err != nil {
		return Model{}, err
	}
	id := uuid.NewString()
	sealed, err := s.seal(tenant, id, d.Key)
	if err != nil {
		return Model{}, err
	}
	p := &dbsqlc.ModelInsertParams{TenantID: tenant, ID: id, Name: d.Name, BaseUrl: d.BaseURL, Sealed: sealed, Role: string(d.Role),
		CallSeconds: int32(d.Limits.Seconds), AnswerTokens: int32(d.Limits.Tokens), DailyCalls: int32(d.Limits.DailyCalls), CreatedBy: by}
	return s.write(ctx, tenant, func(tx pgx.Tx) (*dbsqlc.TenantModel, error) {
		list, err := s.lock(ctx, tx, tenant)
		if err != nil {
			return nil, err
		}
		if len(list) >= maxModels {
			return nil, fault.New(fault.Conflict, "there are %d models already, and more would never be asked; delete one first", maxModels).Coded("too_many_models")
		}
		r, err := queries.ModelInsert(ctx, tx, p)
		if err != nil {
			return nil, err
		}
		return r, note(ctx, tx, tenant, by, d.Name, "added the model")
	})
}

// lock keeps others from changing the models of a tenant until the transaction ends, and
// returns them.
func (s *Store) lock(ctx context.Context, tx pgx.Tx, tenant string) ([]*dbsqlc.TenantModel, error) {
	if err := queries.ModelsLock(ctx, tx, tenant); err != nil {
		return nil, err
	}
	return queries.ModelList(ctx, tx, tenant)
}

// note writes into the journal what was done about a model.
func note(ctx context.Context, tx pgx.Tx, tenant, by, subject, says string) error {
	return settings.NoteIn(ctx, tx, tenant, settings.JournalEntry{Actor: by, Kind: settings.Models, Subject: subject, Detail: settings.Detail{Says: says}})
}

// write runs statements that return one model.
func (s *Store) write(ctx context.Context, tenant string, do func(pgx.Tx) (*dbsqlc.TenantModel, error)) (out Model, err error) {
	err = postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		r, err := do(tx)
		if err != nil {
			return err
		}
		out, err = fromRow(r)
		return err
	})
	if err != nil && fault.KindOf(err) == fault.Internal {
		return out, fmt.Errorf("models of tenant %s: %w", tenant, err)
	}
	return out, err
}

// seal returns the sealed key; nil if there is none. It is bound to tenant and id, so that a
// row that was copied elsewhere cannot be opened there.
func (s *Store) seal(tenant, id string, v secret.Secret) ([]byte, error) {
	if v.IsZero() {
		return nil, nil
	}
	out, err := s.Sealer.Seal(tenant, sealName(id), v)
	if errors.Is(err, seal.ErrNoKeys) {
		return nil, fault.New(fault.Unavailable, "keys cannot be kept here: the server has nothing to seal them with; its operator sets QUAESTOR_SECRETS_FILE").At("key").Coded("no_keys")
	}
	return out, err
}

// sealName returns the name that a model's key is bound to, so that it cannot be moved to
// another one.
func sealName(id string) string { return "model/" + id }

// open returns the key of a model; the zero secret if it has none.
func (s *Store) open(m Model) (secret.Secret, error) {
	if !m.HasKey {
		return secret.Secret{}, nil
	}
	key, err := s.Sealer.Open(m.Tenant, sealName(m.ID), m.sealed)
	if errors.Is(err, seal.ErrNoKeys) || errors.Is(err, seal.ErrOther) {
		return key, fault.New(fault.Unavailable, "the key of %q was sealed with keys this server does not have; give it again, or have the operator set QUAESTOR_SECRETS_FILE to the old keys", m.Name).At("key").Coded("sealed_elsewhere").Because(err)
	}
	return key, err
}

// errGone is the fault for a model that does not exist.
var errGone = fault.New(fault.NotFound, "there is no such model").Coded("model_not_found")

// gone turns the database's errors for a missing row and for a malformed id into errGone.
func gone(err error) error {
	if errors.Is(err, pgx.ErrNoRows) || postgres.Code(err) == "22P02" {
		return errGone
	}
	return err
}

// Find returns a model. A malformed id is not found, either.
func (s *Store) Find(ctx context.Context, tenant, id string) (Model, error) {
	return s.write(ctx, tenant, func(tx pgx.Tx) (*dbsqlc.TenantModel, error) {
		r, err := queries.ModelFind(ctx, tx, &dbsqlc.ModelFindParams{TenantID: tenant, ID: id})
		return r, gone(err)
	})
}

// List returns all models of a tenant, in the order in which they are asked.
func (s *Store) List(ctx context.Context, tenant string) ([]Model, error) {
	out, err := postgres.List(ctx, s.Pool, tenant, queries.ModelList, tenant, fromRow)
	return out, fault.Wrap(err, "list models of tenant %s", tenant)
}

// Update replaces version version of a model and clears its test. An unset key leaves the
// stored one, unless the address changes: then it must be given again. A version that is out of
// date is a Conflict.
func (s *Store) Update(ctx context.Context, tenant, by, id string, version int, d Spec) (Model, error) {
	old, err := s.Find(ctx, tenant, id)
	if err != nil {
		return old, err
	}
	if d, err = d.check(); err != nil {
		return old, err
	}
	sealed, err := s.reseal(old, d)
	if err != nil {
		return old, err
	}
	p := &dbsqlc.ModelUpdateParams{TenantID: tenant, ID: id, Version: int32(version), Name: d.Name, BaseUrl: d.BaseURL, Sealed: sealed, Role: string(d.Role),
		CallSeconds: int32(d.Limits.Seconds), AnswerTokens: int32(d.Limits.Tokens), DailyCalls: int32(d.Limits.DailyCalls)}
	return s.write(ctx, tenant, func(tx pgx.Tx) (*dbsqlc.TenantModel, error) {
		r, err := queries.ModelUpdate(ctx, tx, p)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, fault.New(fault.Conflict, "the model was changed meanwhile; load it again").Coded("version_mismatch")
		}
		if err != nil {
			return nil, err
		}
		return r, note(ctx, tx, tenant, by, d.Name, "changed "+changes(old, d)+" of the model")
	})
}

// changes names what differs between a model and its new description.
func changes(old Model, d Spec) string {
	var out []string
	for _, c := range []struct {
		name    string
		changed bool
	}{
		{"the name", old.Name != d.Name}, {"the address", old.BaseURL != d.BaseURL}, {"the key", !d.Key.IsZero()}, {"the role", old.Role != d.Role}, {"the limits", old.Limits != d.Limits},
	} {
		if c.changed {
			out = append(out, c.name)
		}
	}
	if len(out) == 0 {
		return "nothing"
	}
	return strings.Join(out, ", ")
}

// reseal returns the sealed key of a changed model. Otherwise somebody who may change the
// address, but does not know the key, could have it sent to a server of their own.
func (s *Store) reseal(old Model, d Spec) ([]byte, error) {
	if !d.Key.IsZero() {
		return s.seal(old.Tenant, old.ID, d.Key)
	}
	if old.HasKey && old.BaseURL != d.BaseURL {
		return nil, invalid("key", "has to be given again when the address changes")
	}
	return old.sealed, nil
}

// Order has the models of a tenant asked in the order of ids, which must name each of them
// once; otherwise it is a Conflict.
func (s *Store) Order(ctx context.Context, tenant, by string, ids []string) error {
	err := postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		list, err := s.lock(ctx, tx, tenant)
		if err != nil {
			return err
		}
		names := map[string]string{}
		var before, after []string
		for _, m := range list {
			names[m.ID] = m.Name
			before = append(before, m.ID)
		}
		for i, id := range ids {
			name, ok := names[id]
			if !ok {
				return errOrder
			}
			delete(names, id)
			after = append(after, name)
			if err := queries.ModelPlace(ctx, tx, &dbsqlc.ModelPlaceParams{TenantID: tenant, ID: id, Place: int32(i + 1)}); err != nil {
				return err
			}
		}
		if len(names) > 0 {
			return errOrder
		}
		if slices.Equal(before, ids) {
			return nil
		}
		return note(ctx, tx, tenant, by, strings.Join(after, ", "), "put the models in this order:")
	})
	if err != nil && fault.KindOf(err) == fault.Internal {
		return fmt.Errorf("order models of tenant %s: %w", tenant, err)
	}
	return err
}

// errOrder is the fault for an order that does not name each model once.
var errOrder = fault.New(fault.Conflict, "must name each model once; others may have been added or deleted meanwhile, so load them again").At("ids").Coded("models_changed")

// Delete deletes a model.
func (s *Store) Delete(ctx context.Context, tenant, by, id string) error {
	m, err := s.Find(ctx, tenant, id)
	if err != nil {
		return err
	}
	return postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		n, err := queries.ModelDelete(ctx, tx, &dbsqlc.ModelDeleteParams{TenantID: tenant, ID: id})
		switch {
		case err != nil:
			return fmt.Errorf("delete model %s: %w", id, err)
		case n == 0:
			return errGone
		}
		return note(ctx, tx, tenant, by, m.Name, "deleted the model")
	})
}

// Reseal seals all keys of a tenant with the newest key, and returns how many there were. It
// ends at the first that cannot be opened. It may be repeated and may run beside changes.
func (s *Store) Reseal(ctx context.Context, tenant string) (int, error) {
	list, err := s.List(ctx, tenant)
	if err != nil {
		return 0, err
	}
	own, err := postgres.List(ctx, s.Pool, tenant, queries.ModelsOfProjects, tenant, fromRow)
	if err != nil {
		return 0, err
	}
	list = append(list, own...)
	n := 0
	for _, m := range list {
		if !m.HasKey {
			continue
		}
		key, err := s.open(m)
		if err != nil {
			return n, err
		}
		sealed, err := s.seal(tenant, m.ID, key)
		if err != nil {
			return n, err
		}
		err = postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
			return queries.ModelReseal(ctx, tx, &dbsqlc.ModelResealParams{TenantID: tenant, ID: m.ID, Version: int32(m.Version), Sealed: sealed})
		})
		if err != nil {
			return n, fmt.Errorf("seal the key of %q: %w", language.Short(m.Name), err)
		}
		n++
	}
	return n, nil
}

// Close gives up idle connections to models.
func (s *Store) Close() {
	if t, ok := s.Transport.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}
