package models

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"quaestor/internal/fault"
	"quaestor/internal/llm"
	"quaestor/internal/postgres"
	"quaestor/sessions/settings/models/internal/dbsqlc"
)

// OfProject returns the model that a project has of its own, or a NotFound.
func (s *Store) OfProject(ctx context.Context, tenant, project string) (Model, error) {
	return s.write(ctx, tenant, func(tx pgx.Tx) (*dbsqlc.TenantModel, error) {
		r, err := queries.ModelOfProject(ctx, tx, &dbsqlc.ModelOfProjectParams{TenantID: tenant, ProjectID: project})
		return r, gone(err)
	})
}

// PutOfProject stores a model that only one project uses, in place of the one it has of its own. It is
// tested and deleted as the organisation's are, and takes no part in their order. For the key, Update
// tells what holds. A project that does not exist is a NotFound.
func (s *Store) PutOfProject(ctx context.Context, tenant, by, project string, d Spec) (Model, error) {
	old, err := s.OfProject(ctx, tenant, project)
	if err == nil {
		return s.Update(ctx, tenant, by, old.ID, old.Version, d)
	}
	if !fault.Is(err, fault.NotFound) {
		return old, err
	}
	if d, err = d.check(); err != nil {
		return Model{}, err
	}
	id := uuid.NewString()
	sealed, err := s.seal(tenant, id, d.Key)
	if err != nil {
		return Model{}, err
	}
	p := &dbsqlc.ModelInsertParams{TenantID: tenant, ID: id, ProjectID: &project, Name: d.Name, BaseUrl: d.BaseURL, Sealed: sealed, Role: string(d.Role),
		CallSeconds: int32(d.Limits.Seconds), AnswerTokens: int32(d.Limits.Tokens), DailyCalls: int32(d.Limits.DailyCalls), CreatedBy: by}
	return s.write(ctx, tenant, func(tx pgx.Tx) (*dbsqlc.TenantModel, error) {
		r, err := queries.ModelInsert(ctx, tx, p)
		switch code := postgres.Code(err); {
		case code == "23505":
			return nil, fault.New(fault.Conflict, "the project got a model meanwhile; load it again").Coded("version_mismatch").Because(err)
		case code == "23503" || code == "22P02":
			return nil, fault.New(fault.NotFound, "there is no such project").Coded("project_not_found").Because(err)
		case err != nil:
			return nil, err
		}
		return r, note(ctx, tx, tenant, by, d.Name, "gave a project of its own the model")
	})
}

// Client returns a client of one model of a tenant, by its id. The same row gives the same client, with
// what it has learnt. A model that does not exist is a NotFound, and one whose key cannot be opened
// Unavailable.
func (s *Store) Client(ctx context.Context, tenant, id string) (*llm.Client, error) {
	m, err := s.Find(ctx, tenant, id)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := m.key(true)
	if have := s.alone[id]; have.key == key {
		return have.client, nil
	}
	client, err := s.client(m, true)
	if err != nil {
		var f *fault.Error
		if errors.As(err, &f) {
			return nil, err
		}
		return nil, fmt.Errorf("model %s of tenant %s: %w", id, tenant, err)
	}
	s.alone[id] = knownClient{key, client}
	return client, nil
}
