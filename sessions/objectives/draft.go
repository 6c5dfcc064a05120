package objectives

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/sessions/objectives/internal/dbsqlc"
)

// Draft is an objective that is being written. It may have any fault, as long as it
// decodes as a definition.
type Draft struct {
	ID         string
	Base       string // id of the version it was begun from; empty for none
	Definition *Definition
	Revision   int // from 1; rises with every edit
	MadeBy     string
	MadeAt     time.Time
	EditedBy   string
	EditedAt   time.Time
}

// draftOf returns a draft as it is stored.
func draftOf(r *dbsqlc.ObjectiveDraft) (Draft, error) {
	d := Draft{ID: r.ID, Base: postgres.OrEmpty(r.BaseID), Definition: &Definition{}, Revision: int(r.Revision), MadeBy: r.MadeBy, MadeAt: r.MadeAt, EditedBy: r.EditedBy, EditedAt: r.EditedAt}
	err := json.Unmarshal([]byte(r.Document), d.Definition)
	return d, fault.Wrap(err, "document of draft %s", r.ID)
}

// Remarks returns what is wrong with the draft, with paths into its definition.
func (d *Draft) Remarks() ([]Diagnostic, error) {
	data, err := d.Definition.JSON()
	if err != nil {
		return nil, err
	}
	return Lint(data), nil
}

// encoded returns d as a draft stores it.
func (d *Definition) encoded() (string, error) {
	data, err := d.JSON()
	if err == nil && len(data) > maxDefinitionBytes {
		err = fault.New(fault.TooLarge, "an objective has at most %d bytes", maxDefinitionBytes)
	}
	return string(data), err
}

// BeginDraft stores d as a draft of the user by. Base is the id of the version it starts
// from; it may be empty.
func BeginDraft(ctx context.Context, pool *pgxpool.Pool, tenant, by, base string, d *Definition) (Draft, error) {
	document, err := d.encoded()
	if err != nil {
		return Draft{}, err
	}
	var out Draft
	err = postgres.InTx(ctx, pool, tenant, func(tx pgx.Tx) error {
		r, err := queries.DraftInsert(ctx, tx, &dbsqlc.DraftInsertParams{TenantID: tenant, BaseID: postgres.OrNull(base), Document: document, MadeBy: by})
		if err != nil {
			return fmt.Errorf("begin draft of %s: %w", d.ContextType, err)
		}
		out, err = draftOf(r)
		return err
	})
	return out, err
}

// noDraft is the answer to an id that names no draft.
func noDraft() error {
	return fault.New(fault.NotFound, "this draft is not here: it was published or thrown away").Coded("draft_not_found")
}

// FindDraft returns a draft; NotFound when it does not exist.
func FindDraft(ctx context.Context, pool *pgxpool.Pool, tenant, id string) (Draft, error) {
	out, err := postgres.Find(ctx, pool, tenant, queries.DraftFind, &dbsqlc.DraftFindParams{TenantID: tenant, ID: id}, draftOf)
	return foundDraft(out, err, "read draft "+id)
}

// foundDraft returns the draft that a read gave. A malformed id names none.
func foundDraft(out *Draft, err error, doing string) (Draft, error) {
	if postgres.Code(err) == "22P02" {
		err = nil
	}
	return postgres.Found(out, fault.Wrap(err, "%s", doing), noDraft())
}

// lockDraft returns a draft and makes other editors wait until the transaction ends.
func lockDraft(ctx context.Context, tx pgx.Tx, tenant, id string) (Draft, error) {
	out, err := postgres.Find(ctx, tx, tenant, queries.DraftLock, &dbsqlc.DraftLockParams{TenantID: tenant, ID: id}, draftOf)
	return foundDraft(out, err, "lock draft "+id)
}

// EditDraft changes a draft with edit and stores the result. When edit fails the draft
// stays as it is, and is returned with the error. Editors of one draft take turns, so
// edit sees what the others did. An edit that changes nothing is not stored.
func EditDraft(ctx context.Context, pool *pgxpool.Pool, tenant, id, by string, edit func(*Draft) error) (Draft, error) {
	var out Draft
	err := postgres.InTx(ctx, pool, tenant, func(tx pgx.Tx) (err error) {
		if out, err = lockDraft(ctx, tx, tenant, id); err != nil {
			return err
		}
		before, err := out.Definition.encoded()
		if err != nil {
			return err
		}
		if err := edit(&out); err != nil {
			return err
		}
		document, err := out.Definition.encoded()
		if err != nil || document == before {
			return err
		}
		r, err := queries.DraftSave(ctx, tx, &dbsqlc.DraftSaveParams{Document: document, EditedBy: by, TenantID: tenant, ID: id})
		if err != nil {
			return fmt.Errorf("save draft %s: %w", id, err)
		}
		out, err = draftOf(r)
		return err
	})
	return out, err
}

// DiscardDraft deletes a draft; NotFound when it does not exist.
func DiscardDraft(ctx context.Context, pool *pgxpool.Pool, tenant, id string) error {
	return postgres.InTx(ctx, pool, tenant, func(tx pgx.Tx) error {
		n, err := queries.DraftDelete(ctx, tx, &dbsqlc.DraftDeleteParams{TenantID: tenant, ID: id})
		switch {
		case err != nil && postgres.Code(err) != "22P02":
			return fmt.Errorf("discard draft %s: %w", id, err)
		case n == 0:
			return noDraft()
		}
		return nil
	})
}

// ReadDraft decodes what may become a draft: a whole definition, or a layer, which is
// merged. The remarks are the reasons why it cannot be one. Faults that only prevent
// publishing are not among them.
func ReadDraft(data []byte) (Definition, []Diagnostic) {
	if IsLayer(data) {
		doc, err := ParseDocument(data)
		if err != nil {
			return Definition{}, Lint(data)
		}
		return doc.Definition, nil
	}
	l := linter{data: data, places: Places(data)}
	var d Definition
	if l.readable() {
		l.repeated()
		l.shapes()
	}
	if len(l.remarks) == 0 {
		_ = json.Unmarshal(data, &d) // its shape was looked at
	}
	return d, ordered(l.remarks)
}
