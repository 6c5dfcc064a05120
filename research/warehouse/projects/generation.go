package projects

import (
	"cmp"
	"context"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse/packs"
	"quaestor/research/warehouse/projects/internal/dbsqlc"
)

// maxWhy bounds the reason why no pack was made, in characters.
const maxWhy = 1000

// Generate moves a project to the state pack_generation, for work that the caller queues in the same
// transaction; work is its id, a UUID. Only that work can then move the project on, with
// [Store.Generated] or [Store.GenerationFailed]. It is a Conflict in any state in which no pack may be
// requested.
func (s Store) Generate(ctx context.Context, tx pgx.Tx, tenant, id, by, work string) (p Project, err error) {
	if work == "" {
		return p, fault.New(fault.Invalid, "name the work that makes the pack").At("work")
	}
	now, err := lock(ctx, tx, tenant, id, 0)
	if err == nil {
		err = now.State.To(Generation)
	}
	if err == nil {
		var row *dbsqlc.WarehouseProject
		if row, err = queries.ProjectGenerate(ctx, tx, &dbsqlc.ProjectGenerateParams{Generation: work, By: by, TenantID: tenant, ID: id}); err == nil {
			p, err = read(ctx, tx, row)
		}
	}
	if err == nil {
		err = s.note(ctx, tx, tenant, by, p.Name, "requested a pack for the project")
	}
	return p, worded(err, "request a pack for project "+id)
}

// Generated stores the pack that work has made for a project, in the caller's transaction, and moves
// the project to the state pack_generation_done. Work that is not the one under way is a Conflict with
// the code generation_over and changes nothing: somebody else's has taken its place.
func (s Store) Generated(ctx context.Context, tx pgx.Tx, tenant, id, work string, pack *packs.Pack) (p Project, err error) {
	if p, err = underWay(ctx, tx, tenant, id, work); err != nil {
		return p, worded(err, "find project "+id)
	}
	if err = keepPack(ctx, tx, tenant, p.ChangedBy, pack); err != nil {
		return p, worded(err, "store the pack of project "+id)
	}
	row, err := queries.ProjectGenerated(ctx, tx, &dbsqlc.ProjectGeneratedParams{Slug: pack.Slug, PackVersion: pack.Version, TenantID: tenant, ID: id})
	if err == nil {
		p, err = read(ctx, tx, row)
	}
	return p, worded(err, "finish the pack of project "+id)
}

// GenerationFailed records why work has made no pack for a project, a sentence for people, and moves
// the project back to the state pack_generation_pending. Work is as for [Store.Generated].
func (s Store) GenerationFailed(ctx context.Context, tx pgx.Tx, tenant, id, work, why string) (p Project, err error) {
	if p, err = underWay(ctx, tx, tenant, id, work); err != nil {
		return p, worded(err, "find project "+id)
	}
	row, err := queries.ProjectGenerationFailed(ctx, tx, &dbsqlc.ProjectGenerationFailedParams{Why: language.Clip(why, maxWhy), TenantID: tenant, ID: id})
	if err == nil {
		p, err = read(ctx, tx, row)
	}
	return p, worded(err, "record that project "+id+" has no pack")
}

// underWay locks a project whose pack is being made by work.
func underWay(ctx context.Context, tx pgx.Tx, tenant, id, work string) (Project, error) {
	p, err := lock(ctx, tx, tenant, id, 0)
	if err == nil && (p.State != Generation || p.Generation != work) {
		err = fault.New(fault.Conflict, "this work no longer makes the pack of the project").Coded("generation_over")
	}
	return p, err
}

// Accept gives a project the pack that was made for it, and moves it to the state ready. It is a
// Conflict while no pack waits to be accepted, and Unprocessable if the project does not satisfy the
// form of the pack.
func (s Store) Accept(ctx context.Context, tenant, id, by string) (p Project, err error) {
	err = postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		now, err := lock(ctx, tx, tenant, id, 0)
		if err != nil {
			return err
		}
		if err := now.State.To(Ready); err != nil {
			return err
		}
		now.Pack, now.Category = now.Generated, ""
		if err := settle(ctx, tx, tenant, by, &now.Spec); err != nil {
			return err
		}
		row, err := queries.ProjectAccept(ctx, tx, &dbsqlc.ProjectAcceptParams{Slug: now.Pack.Slug, PackVersion: now.Pack.Version, By: by, TenantID: tenant, ID: id})
		if err != nil {
			return err
		}
		p, err = read(ctx, tx, row)
		return cmp.Or(err, s.note(ctx, tx, tenant, by, p.Name, "accepted the pack "+now.Pack.String()+" for the project"))
	})
	return p, worded(err, "accept the pack of project "+id)
}
