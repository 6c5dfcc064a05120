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

// Draft is an objective that is being written. It may have every fault but that
// of being no definition at all.
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

func draftOf(r *dbsqlc.ObjectiveDraft) (Draft, error) {
	d := Draft{ID: r.ID, Base: postgres.OrEmpty(r.BaseID), Definition: &Definition{}, Revision: int(r.Revision), MadeBy: r.MadeBy, MadeAt: r.MadeAt, EditedBy: r.EditedBy, EditedAt: r.EditedAt}
	if err := json.Unmarshal([]byte(r.Document), d.Definition); err != nil {
		return d, fmt.Errorf("document of draft %s: %w", r.ID, err)
	}
	return d, nil
}

// Remarks returns what is wrong with the draft, with paths into its definition.
func (d *Draft) Remarks() ([]Remark, error) {
	data, err := d.Definition.JSON()
	if err != nil {
		return nil, err
	}
	return Lint(data), nil
}

// encoded is d as a draft is stored.
func (d *Definition) encoded() (string, error) {
	data, err := d.JSON()
	if err == nil && len(data) > maxDefinitionBytes {
		err = fault.New(fault.TooLarge, "an objective has at most %d bytes", maxDefinitionBytes)
	}
	return string(data), err
}

// BeginDraft stores d as a draft of by's. Base is the id of the version it was
// begun from, or empty.
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

func noDraft() error {
	return fault.New(fault.NotFound, "this draft is not here: it was published or thrown away").Coded("draft_not_found")
}

// FindDraft returns a draft. One that is not there is NotFound.
func FindDraft(ctx context.Context, pool *pgxpool.Pool, tenant, id string) (Draft, error) {
	var out *Draft
	b := postgres.NewBatch(tenant)
	postgres.One(b, queries.DraftFind, &dbsqlc.DraftFindParams{TenantID: tenant, ID: id}, func(r *dbsqlc.ObjectiveDraft) error {
		d, err := draftOf(r)
		out = &d
		return err
	})
	if err := b.Send(ctx, pool); err != nil && postgres.Code(err) != "22P02" {
		return Draft{}, fmt.Errorf("read draft %s: %w", id, err)
	}
	if out == nil {
		return Draft{}, noDraft()
	}
	return *out, nil
}

func lockDraft(ctx context.Context, tx pgx.Tx, tenant, id string) (Draft, error) {
	var out *Draft
	b := postgres.NewBatch(tenant)
	postgres.One(b, queries.DraftLock, &dbsqlc.DraftLockParams{TenantID: tenant, ID: id}, func(r *dbsqlc.ObjectiveDraft) error {
		d, err := draftOf(r)
		out = &d
		return err
	})
	if err := b.Send(ctx, tx); err != nil && postgres.Code(err) != "22P02" {
		return Draft{}, fmt.Errorf("lock draft %s: %w", id, err)
	}
	if out == nil {
		return Draft{}, noDraft()
	}
	return *out, nil
}

// EditDraft lets edit change a draft and stores what comes of it; an error of
// edit's leaves the draft as it is and is returned with it. Editors of one draft
// go one after the other, so edit sees what others made of it. An edit that
// changes nothing is not stored.
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

// DiscardDraft throws a draft away. One that is not there is NotFound.
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

// ReadDraft reads what may be a draft: JSON of the right shape, whole or as a
// layer, which is merged. The remarks say why it cannot be one; faults that
// only keep it from being published are none of them.
func ReadDraft(data []byte) (Definition, []Remark) {
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
