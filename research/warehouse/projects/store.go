package projects

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/packs"
	"quaestor/research/warehouse/projects/internal/dbsqlc"
)

// queries are the generated queries of this package.
var queries = dbsqlc.New()

// Store stores the projects of all organisations.
type Store struct {
	Pool *pgxpool.Pool
	// Journal records what somebody did about a project in the journal of an organisation, in the
	// transaction that does it. Nil records nothing.
	Journal func(ctx context.Context, tx pgx.Tx, tenant, by, subject, did string) error
}

// note records what somebody did about a project.
func (s Store) note(ctx context.Context, tx pgx.Tx, tenant, by, subject, did string) error {
	if s.Journal == nil {
		return nil
	}
	return s.Journal(ctx, tx, tenant, by, subject, did)
}

// Create creates a project in the state ready or pack_generation_pending; empty means ready. If d is
// invalid the error is Unprocessable and names the field; a name in use is a Conflict.
func (s Store) Create(ctx context.Context, tenant, by string, d Spec, state State) (p Project, err error) {
	state, err = state.first()
	if err != nil {
		return p, err
	}
	d = d.orDefault()
	err = postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		if err := settle(ctx, tx, tenant, by, &d); err != nil {
			return err
		}
		prompts, err := json.Marshal(d.Prompts)
		if err != nil {
			return err
		}
		row, err := queries.ProjectInsert(ctx, tx, &dbsqlc.ProjectInsertParams{TenantID: tenant, Name: d.Name, PackSlug: d.Pack.Slug, PackVersion: d.Pack.Version, Category: d.Category,
			Language: d.Language, WarehouseID: d.Warehouse, Datasets: d.Datasets, FilterColumn: d.Filter.Column, FilterValue: d.Filter.Value, Profile: d.Profile, Prompts: prompts,
			BudgetUsd: orNone(d.Budget.USD), BudgetTokens: orNone(d.Budget.Tokens), BudgetBytes: orNone(d.Budget.Bytes), BudgetSeconds: orNone(int64(d.Budget.Time / time.Second)),
			State: string(state), By: by})
		if err != nil {
			return err
		}
		if err := setOthers(ctx, tx, tenant, row.ID, d.Others); err != nil {
			return err
		}
		p, err = read(ctx, tx, row)
		return cmp.Or(err, s.note(ctx, tx, tenant, by, d.Name, "created the project"))
	})
	return p, worded(err, "create project "+d.Name)
}

// Update replaces the draft of a project by d. version is the one that the user has seen; if the
// project was changed since, the error is a Conflict with the code project_changed. 0 means any.
func (s Store) Update(ctx context.Context, tenant, id, by string, version int, d Spec) (p Project, err error) {
	d = d.orDefault()
	err = postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		old, err := lock(ctx, tx, tenant, id, version)
		if err != nil {
			return err
		}
		if err := settle(ctx, tx, tenant, by, &d); err != nil {
			return err
		}
		prompts, err := json.Marshal(d.Prompts)
		if err != nil {
			return err
		}
		row, err := queries.ProjectUpdate(ctx, tx, &dbsqlc.ProjectUpdateParams{TenantID: tenant, ID: id, Name: d.Name, PackSlug: d.Pack.Slug, PackVersion: d.Pack.Version,
			Category: d.Category, Language: d.Language, WarehouseID: d.Warehouse, Datasets: d.Datasets, FilterColumn: d.Filter.Column, FilterValue: d.Filter.Value,
			BudgetUsd: orNone(d.Budget.USD), BudgetTokens: orNone(d.Budget.Tokens), BudgetBytes: orNone(d.Budget.Bytes), BudgetSeconds: orNone(int64(d.Budget.Time / time.Second)),
			Profile: d.Profile, Prompts: prompts, State: string(old.chosen(d)), By: by})
		if err != nil {
			return err
		}
		if err := setOthers(ctx, tx, tenant, id, d.Others); err != nil {
			return err
		}
		p, err = read(ctx, tx, row)
		return cmp.Or(err, s.note(ctx, tx, tenant, by, d.Name, "changed "+old.changes(d)+" of the project"))
	})
	return p, worded(err, "change project "+id)
}

// chosen returns the state of p once it is as d says. A project that waits for a pack, and for which nobody is making
// one, is ready with another that is chosen for it.
func (p *Project) chosen(d Spec) State {
	if p.State == GenerationPending && d.Pack != p.Pack {
		return Ready
	}
	return p.State
}

// settle checks d against its pack, and stores that version of the pack for the tenant, so that it
// remains available when the server comes with a newer one.
func settle(ctx context.Context, tx pgx.Tx, tenant, by string, d *Spec) error {
	if err := d.check(); err != nil {
		return err
	}
	pack, err := findPack(ctx, tx, tenant, d.Pack)
	if err != nil {
		return err
	}
	d.Pack = pack.At()
	if _, err := d.Kit(pack); err != nil {
		return err
	}
	return keepPack(ctx, tx, tenant, by, pack)
}

// SetInterview records the session in which the profile of a project is filled.
func (s Store) SetInterview(ctx context.Context, tenant, id, by, session string) (p Project, err error) {
	err = postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		if _, err := lock(ctx, tx, tenant, id, 0); err != nil {
			return err
		}
		row, err := queries.ProjectSetInterview(ctx, tx, &dbsqlc.ProjectSetInterviewParams{Interview: &session, By: by, TenantID: tenant, ID: id})
		if err != nil {
			return err
		}
		p, err = read(ctx, tx, row)
		return err
	})
	return p, worded(err, "set the interview of project "+id)
}

// SetModel has a model explore for a project, by its id; empty leaves that to the models that the
// organisation uses. A model that does not exist is Unprocessable.
func (s Store) SetModel(ctx context.Context, tenant, id, by, model string) (p Project, err error) {
	err = postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		if _, err := lock(ctx, tx, tenant, id, 0); err != nil {
			return err
		}
		row, err := queries.ProjectSetModel(ctx, tx, &dbsqlc.ProjectSetModelParams{ModelID: orNone(model), By: by, TenantID: tenant, ID: id})
		if postgres.Constraint(err) == "warehouse_projects_model_fkey" || model != "" && postgres.Code(err) == "22P02" {
			return fault.New(fault.Unprocessable, "there is no such model").At("modelId")
		}
		if err != nil {
			return err
		}
		p, err = read(ctx, tx, row)
		return cmp.Or(err, s.note(ctx, tx, tenant, by, p.Name, "changed the model of the project"))
	})
	return p, worded(err, "set the model of project "+id)
}

// orNone returns v for a nullable column: nil if it is zero.
func orNone[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}

// orZero returns *v, or the zero value for nil.
func orZero[T any](v *T) T {
	if v == nil {
		var none T
		return none
	}
	return *v
}

// Delete deletes a project and everything that belongs to it. version is as for [Store.Update].
// If something else still refers to it, it is a Conflict with the code project_in_use.
func (s Store) Delete(ctx context.Context, tenant, id, by string, version int) error {
	err := postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		p, err := lock(ctx, tx, tenant, id, version)
		if err != nil {
			return err
		}
		if _, err := queries.ProjectDelete(ctx, tx, &dbsqlc.ProjectDeleteParams{TenantID: tenant, ID: id}); err != nil {
			return err
		}
		return s.note(ctx, tx, tenant, by, p.Name, "deleted the project")
	})
	return worded(err, "delete project "+id)
}

// Find returns a project, or a NotFound.
func (s Store) Find(ctx context.Context, tenant, id string) (p Project, err error) {
	err = postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		row, err := queries.ProjectFind(ctx, tx, &dbsqlc.ProjectFindParams{TenantID: tenant, ID: id})
		if err != nil {
			return err
		}
		p, err = read(ctx, tx, row)
		return err
	})
	return p, worded(err, "find project "+id)
}

// Cursor is where a page of the list ends. The zero Cursor is before the first project.
type Cursor struct {
	At time.Time // when the last project of the page was created
	ID string    // its id
}

// last is a place before all projects, which are listed newest first.
var last = Cursor{time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), "ffffffff-ffff-ffff-ffff-ffffffffffff"}

// List returns at most n projects after a place, newest first.
func (s Store) List(ctx context.Context, tenant string, after Cursor, n int) (out []Project, err error) {
	if after.ID == "" {
		after = last
	}
	err = postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		rows, err := queries.ProjectPage(ctx, tx, &dbsqlc.ProjectPageParams{TenantID: tenant, BeforeAt: after.At, BeforeID: after.ID, Most: int32(n)})
		if err != nil {
			return err
		}
		out, err = readAll(ctx, tx, rows)
		return err
	})
	return out, worded(err, "list projects")
}

// lock locks a project and returns it; it is a Conflict if the version differs.
func lock(ctx context.Context, tx pgx.Tx, tenant, id string, version int) (Project, error) {
	row, err := queries.ProjectLock(ctx, tx, &dbsqlc.ProjectLockParams{TenantID: tenant, ID: id})
	if err != nil {
		return Project{}, err
	}
	if version != 0 && version != int(row.Version) {
		return Project{}, fault.New(fault.Conflict, "this project was changed by %s meanwhile; look at it again", row.ChangedBy).Coded("project_changed")
	}
	return read(ctx, tx, row)
}

// read converts a row of the table of projects, and adds what other tables hold of it.
func read(ctx context.Context, tx pgx.Tx, row *dbsqlc.WarehouseProject) (Project, error) {
	list, err := readAll(ctx, tx, []*dbsqlc.WarehouseProject{row})
	if err != nil {
		return Project{}, err
	}
	return list[0], nil
}

// readAll is [read] for several rows, in their order.
func readAll(ctx context.Context, tx pgx.Tx, rows []*dbsqlc.WarehouseProject) ([]Project, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	var ids []string
	for _, r := range rows {
		ids = append(ids, r.ID)
	}
	list, err := queries.ConnectionList(ctx, tx, &dbsqlc.ConnectionListParams{TenantID: rows[0].TenantID, Projects: ids})
	if err != nil {
		return nil, err
	}
	others := map[string][]string{}
	for _, c := range list {
		others[c.ProjectID] = append(others[c.ProjectID], c.WarehouseID)
	}
	var out []Project
	for _, r := range rows {
		p, err := fromRow(r)
		if err != nil {
			return nil, err
		}
		p.Others = others[p.ID]
		out = append(out, p)
	}
	return out, nil
}

// setOthers stores the further connections of a project.
func setOthers(ctx context.Context, tx pgx.Tx, tenant, project string, others []string) error {
	if others == nil {
		others = []string{}
	}
	err := queries.ConnectionsSet(ctx, tx, &dbsqlc.ConnectionsSetParams{TenantID: tenant, ProjectID: project, Warehouses: others})
	if code := postgres.Code(err); code == "23503" || code == "22P02" {
		return fault.New(fault.Unprocessable, "one of these is no warehouse of the organisation").At("otherWarehouses")
	}
	return err
}

// fromRow converts a row of the table of projects.
func fromRow(r *dbsqlc.WarehouseProject) (Project, error) {
	p := Project{ID: r.ID, State: State(r.State), Version: int(r.Version), CreatedBy: r.CreatedBy, CreatedAt: r.CreatedAt, ChangedBy: r.ChangedBy, ChangedAt: r.ChangedAt, Interview: orZero(r.Interview),
		Model: orZero(r.ModelID), Generation: orZero(r.Generation), GenerationFailure: r.GenerationError, Generated: packs.Version{Slug: orZero(r.GeneratedSlug), Version: orZero(r.GeneratedVersion)},
		Spec: Spec{Name: r.Name, Pack: packs.Version{Slug: r.PackSlug, Version: r.PackVersion}, Category: r.Category, Language: r.Language, Warehouse: r.WarehouseID,
			Budget:   warehouse.Budget{USD: orZero(r.BudgetUsd), Tokens: orZero(r.BudgetTokens), Bytes: orZero(r.BudgetBytes), Time: time.Duration(orZero(r.BudgetSeconds)) * time.Second},
			Datasets: r.Datasets, Filter: guard.Filter{Column: r.FilterColumn, Value: r.FilterValue}, Profile: r.Profile}}
	if err := json.Unmarshal(r.Prompts, &p.Prompts); err != nil {
		return p, fmt.Errorf("read the prompts of project %s: %w", r.ID, err)
	}
	return p, nil
}

// worded turns errors of the database into faults for people, and wraps all others. what is the
// operation, for logs.
func worded(err error, what string) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, pgx.ErrNoRows), postgres.Code(err) == "22P02": // missing, or not a valid id
		return fault.New(fault.NotFound, "there is no such project").Coded("project_not_found").Because(err)
	case postgres.Constraint(err) == "warehouse_projects_name_key":
		return fault.New(fault.Conflict, "another project has this name").At("name").Coded("name_taken").Because(err)
	case postgres.Constraint(err) == "warehouse_projects_warehouse_fkey":
		return fault.New(fault.Unprocessable, "there is no such warehouse").At("warehouse").Because(err)
	case postgres.Code(err) == "23503":
		return fault.New(fault.Conflict, "something still belongs to this project").Coded("project_in_use").Because(err)
	case fault.KindOf(err) != fault.Internal:
		return err
	}
	return fmt.Errorf("%s: %w", what, err)
}
