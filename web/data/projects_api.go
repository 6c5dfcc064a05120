package data

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"quaestor/internal/fault"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/packs"
	"quaestor/research/warehouse/projects"
	"quaestor/web"
)

// ProjectBody is a project on the wire.
type ProjectBody struct {
	ID          string            `json:"id"`
	Name        string            `json:"name"`
	Pack        string            `json:"pack" example:"operations"`
	PackVersion string            `json:"packVersion" example:"1.0.0"`
	Category    string            `json:"category,omitempty" doc:"of the pack; none for its base"`
	Language    string            `json:"language" doc:"of the texts that people read, as a BCP 47 tag"`
	WarehouseID string            `json:"warehouseId" doc:"its runs explore it unless they name another"`
	Others      []string          `json:"otherWarehouseIds" nullable:"false" doc:"further warehouses that its runs may explore"`
	Budget      budgetBody        `json:"budget" doc:"of each of its runs"`
	ModelID     string            `json:"modelId,omitempty" doc:"the model that explores; absent for those that the organisation uses"`
	Datasets    []string          `json:"datasets" nullable:"false" doc:"schemas; none for all that the connection reads"`
	Filter      *filterBody       `json:"filter,omitempty" doc:"narrows the rows further than the connection does"`
	Profile     json.RawMessage   `json:"profile" doc:"what it says about itself, by the schema of its pack"`
	Interview   string            `json:"interviewId,omitempty" doc:"session in which the profile is filled"`
	Prompts     map[string]string `json:"prompts" nullable:"false" doc:"texts in the place of the pack's, by their names there"`
	State       projects.State    `json:"state" enum:"pack_generation_pending,pack_generation,pack_generation_done,ready"`
	Generated   string            `json:"generatedPack,omitempty" doc:"the pack that was made and waits to be accepted, as slug@version"`
	Failure     string            `json:"generationError,omitempty" doc:"why the last work that was to make its pack did not"`
	Version     int               `json:"version" doc:"counts the changes"`
	CreatedBy   string            `json:"createdBy,omitempty"`
	CreatedAt   time.Time         `json:"createdAt"`
	ChangedBy   string            `json:"changedBy,omitempty"`
	ChangedAt   time.Time         `json:"changedAt"`
}

func toProjectBody(p projects.Project) ProjectBody {
	out := ProjectBody{ID: p.ID, Interview: p.Interview, Name: p.Name, Pack: p.Pack.Slug, PackVersion: p.Pack.Version, Category: p.Category, Language: p.Language, WarehouseID: p.Warehouse,
		Others: append([]string{}, p.Others...), Budget: toBudgetBody(p.Budget), ModelID: p.Model, Failure: p.GenerationFailure,
		Datasets: append([]string{}, p.Datasets...), Profile: p.Profile, Prompts: p.Prompts, State: p.State, Version: p.Version,
		CreatedBy: p.CreatedBy, CreatedAt: p.CreatedAt, ChangedBy: p.ChangedBy, ChangedAt: p.ChangedAt}
	if p.Generated.Slug != "" {
		out.Generated = p.Generated.String()
	}
	if p.Filter.Column != "" {
		out.Filter = &filterBody{p.Filter.Column, p.Filter.Value}
	}
	return out
}

// projectDraft describes a project that is created or changed.
type projectDraft struct {
	Name        string            `json:"name,omitempty" pattern:"^[^\\x00]*$" example:"Flights"`
	Pack        string            `json:"pack,omitempty" pattern:"^[^\\x00]*$" doc:"operations when left out"`
	PackVersion string            `json:"packVersion,omitempty" pattern:"^[^\\x00]*$" doc:"the newest when left out"`
	Category    string            `json:"category,omitempty" pattern:"^[^\\x00]*$"`
	Language    string            `json:"language,omitempty" pattern:"^[^\\x00]*$" doc:"en when left out"`
	WarehouseID string            `json:"warehouseId,omitempty" format:"uuid"`
	Others      []string          `json:"otherWarehouseIds,omitempty" maxItems:"50"`
	Budget      budgetBody        `json:"budget,omitempty"`
	Datasets    []string          `json:"datasets,omitempty"`
	Filter      *filterBody       `json:"filter,omitempty"`
	Profile     json.RawMessage   `json:"profile,omitempty"`
	Prompts     map[string]string `json:"prompts,omitempty"`
	State       projects.State    `json:"state,omitempty" enum:"pack_generation_pending,ready" doc:"of a new one; ready when left out. A change leaves it as it is, but one that waits for a pack is ready with another that is chosen"`
}

// draft returns what the body describes, with the refusal of texts that PostgreSQL
// cannot store.
func (b projectDraft) draft() (projects.Spec, error) {
	d := projects.Spec{Name: b.Name, Pack: packs.Version{Slug: b.Pack, Version: b.PackVersion}, Category: b.Category, Language: b.Language, Warehouse: b.WarehouseID,
		Others: b.Others, Budget: b.Budget.budget(), Datasets: b.Datasets, Profile: b.Profile, Prompts: b.Prompts}
	if b.Filter != nil {
		d.Filter = guard.Filter{Column: b.Filter.Column, Value: b.Filter.Value}
	}
	return d, withoutNUL(b)
}

// withoutNUL refuses a body with a NUL character anywhere, which neither text nor jsonb
// of PostgreSQL can hold. It looks at the encoded JSON, where profiles and maps of any
// shape can be searched at once; there NUL is \u0000, unless its backslash is escaped.
func withoutNUL(v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return fault.New(fault.Unprocessable, "is not JSON").At("profile")
	}
	if bytes.Contains(bytes.ReplaceAll(raw, []byte(`\\`), nil), []byte(`\u0000`)) {
		return fault.New(fault.Invalid, "holds a NUL character").Coded("nul_character")
	}
	return nil
}

type projectID struct {
	ID string `path:"id" doc:"id of the project"`
}

type projectQuery struct {
	Cursor string `query:"cursor" maxLength:"200"`
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
}

type newProject struct {
	Body projectDraft
}

type projectChange struct {
	ID      string `path:"id" doc:"id of the project"`
	IfMatch string `header:"If-Match" doc:"the ETag that reading gave"`
	Body    projectDraft
}

type projectMove struct {
	ID   string `path:"id" doc:"id of the project"`
	Body struct {
		State projects.State `json:"state" enum:"pack_generation_pending,pack_generation,pack_generation_done,ready"`
	}
}

// pageOf returns list as a page of at most limit items. A full page may have more
// after it, so it ends with the cursor of its last item; the page after that may be
// empty.
func pageOf[T, U any](list []T, limit int, to func(T) U, cursor func(T) string) web.Page[U] {
	out := web.Page[U]{Items: web.Map(list, to)}
	if len(list) == limit {
		out.NextCursor = cursor(list[limit-1])
	}
	return out
}

func (s *Handlers) listProjects(ctx context.Context, in *projectQuery) (web.Page[ProjectBody], error) {
	at, id, err := web.ParsePlace(in.Cursor)
	if err != nil {
		return web.Page[ProjectBody]{}, err
	}
	list, err := s.Projects.List(ctx, web.ActorFrom(ctx).Tenant, projects.Cursor{At: at, ID: id}, in.Limit)
	return pageOf(list, in.Limit, toProjectBody, func(p projects.Project) string { return web.FormatPlace(p.CreatedAt, p.ID) }), err
}

func (s *Handlers) createProject(ctx context.Context, in *newProject) (ProjectBody, error) {
	d, err := in.Body.draft()
	if err != nil {
		return ProjectBody{}, err
	}
	a := web.ActorFrom(ctx)
	p, err := s.Projects.Create(ctx, a.Tenant, a.User, d, in.Body.State)
	return toProjectBody(p), err
}

func (s *Handlers) getProject(ctx context.Context, in *projectID) (ProjectBody, error) {
	p, err := s.Projects.Find(ctx, web.ActorFrom(ctx).Tenant, in.ID)
	return toProjectBody(p), err
}

// putProject replaces all that a draft describes; what the body leaves out gets its
// default. The state stays.
func (s *Handlers) putProject(ctx context.Context, in *projectChange) (ProjectBody, error) {
	a := web.ActorFrom(ctx)
	old, err := s.Projects.Find(ctx, a.Tenant, in.ID)
	if err != nil {
		return ProjectBody{}, err
	}
	if err := web.CheckUnchanged(in.IfMatch, toProjectBody(old), "the project"); err != nil {
		return ProjectBody{}, err
	}
	d, err := in.Body.draft()
	if err != nil {
		return ProjectBody{}, err
	}
	p, err := s.Projects.Update(ctx, a.Tenant, in.ID, a.User, old.Version, d)
	return toProjectBody(p), err
}

func (s *Handlers) deleteProject(ctx context.Context, in *projectID) error {
	a := web.ActorFrom(ctx)
	return s.Projects.Delete(ctx, a.Tenant, in.ID, a.User, 0)
}

// moveProject does what a person may do about the state of a project: to request a pack, and to accept
// the one that was made. The other states are reached by the work alone.
func (s *Handlers) moveProject(ctx context.Context, in *projectMove) (ProjectBody, error) {
	a := web.ActorFrom(ctx)
	switch in.Body.State {
	case projects.Ready:
		p, err := s.Projects.Accept(ctx, a.Tenant, in.ID, a.User)
		return toProjectBody(p), err
	case projects.Generation:
		p, err := s.Projects.Find(ctx, a.Tenant, in.ID)
		if err == nil {
			err = p.State.To(projects.Generation)
		}
		if err == nil { // the pack is drafted by itself, and read before it is used
			err = fault.New(fault.Conflict, "draft the pack with POST /api/v1/pack-drafts or under Data, Packs, accept it, and choose it for this project, which is ready then").At("state").Coded("pack_to_draft")
		}
		return toProjectBody(p), err
	case projects.GenerationPending, projects.GenerationDone:
	}
	return ProjectBody{}, fault.New(fault.Conflict, "the state %s is reached by the work that makes a pack, not by hand", in.Body.State).At("state").Coded("project_state")
}
