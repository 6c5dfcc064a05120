package data

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"quaestor/internal/auth"
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
	WarehouseID string            `json:"warehouseId"`
	Datasets    []string          `json:"datasets" nullable:"false" doc:"schemas; none for all that the connection reads"`
	Filter      *filterBody       `json:"filter,omitempty" doc:"narrows the rows further than the connection does"`
	Profile     json.RawMessage   `json:"profile" doc:"what it says about itself, by the schema of its pack"`
	Prompts     map[string]string `json:"prompts" nullable:"false" doc:"texts in the place of the pack's, by their names there"`
	State       projects.State    `json:"state" enum:"pack_generation_pending,pack_generation,pack_generation_done,ready"`
	Version     int               `json:"version" doc:"counts the changes"`
	CreatedBy   string            `json:"createdBy,omitempty"`
	CreatedAt   time.Time         `json:"createdAt"`
	ChangedBy   string            `json:"changedBy,omitempty"`
	ChangedAt   time.Time         `json:"changedAt"`
}

func toProjectBody(p projects.Project) ProjectBody {
	out := ProjectBody{ID: p.ID, Name: p.Name, Pack: p.Pack.Slug, PackVersion: p.Pack.Version, Category: p.Category, Language: p.Language, WarehouseID: p.Warehouse,
		Datasets: append([]string{}, p.Datasets...), Profile: p.Profile, Prompts: p.Prompts, State: p.State, Version: p.Version,
		CreatedBy: p.CreatedBy, CreatedAt: p.CreatedAt, ChangedBy: p.ChangedBy, ChangedAt: p.ChangedAt}
	if p.Filter.Column != "" {
		out.Filter = &filterBody{p.Filter.Column, p.Filter.Value}
	}
	return out
}

// projectDraft describes a project.
type projectDraft struct {
	Name        string            `json:"name,omitempty" pattern:"^[^\\x00]*$" example:"Flights"`
	Pack        string            `json:"pack,omitempty" pattern:"^[^\\x00]*$" doc:"operations when left out"`
	PackVersion string            `json:"packVersion,omitempty" pattern:"^[^\\x00]*$" doc:"the newest when left out"`
	Category    string            `json:"category,omitempty" pattern:"^[^\\x00]*$"`
	Language    string            `json:"language,omitempty" pattern:"^[^\\x00]*$" doc:"en when left out"`
	WarehouseID string            `json:"warehouseId,omitempty" format:"uuid"`
	Datasets    []string          `json:"datasets,omitempty"`
	Filter      *filterBody       `json:"filter,omitempty"`
	Profile     json.RawMessage   `json:"profile,omitempty"`
	Prompts     map[string]string `json:"prompts,omitempty"`
	State       projects.State    `json:"state,omitempty" enum:"pack_generation_pending,ready" doc:"of a new one; ready when left out. A change leaves it as it is"`
}

func (b projectDraft) draft() (projects.Spec, error) {
	d := projects.Spec{Name: b.Name, Pack: packs.Version{Slug: b.Pack, Version: b.PackVersion}, Category: b.Category, Language: b.Language, Warehouse: b.WarehouseID,
		Datasets: b.Datasets, Profile: b.Profile, Prompts: b.Prompts}
	if b.Filter != nil {
		d.Filter = guard.Filter{Column: b.Filter.Column, Value: b.Filter.Value}
	}
	return d, withoutNUL(b)
}

// withoutNUL refuses what holds the character that the database does not take.
func withoutNUL(v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return fault.New(fault.Unprocessable, "is not JSON").At("profile")
	}
	if bytes.Contains(bytes.ReplaceAll(raw, []byte(`\\`), nil), []byte(`\u0000`)) { // escaped backslashes aside
		return fault.New(fault.Invalid, "holds a NUL character").Coded("nul_character")
	}
	return nil
}

type projectPath struct {
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

func (s *Handlers) listProjects(ctx context.Context, in *projectQuery) (web.Page[ProjectBody], error) {
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Review); err != nil {
		return web.Page[ProjectBody]{}, err
	}
	at, id, err := web.ParsePlace(in.Cursor)
	if err != nil {
		return web.Page[ProjectBody]{}, err
	}
	list, err := s.Projects.List(ctx, a.Tenant, projects.Cursor{At: at, ID: id}, in.Limit)
	out := web.Page[ProjectBody]{Items: web.Map(list, toProjectBody)}
	if len(list) == in.Limit {
		end := list[len(list)-1]
		out.NextCursor = web.FormatPlace(end.CreatedAt, end.ID)
	}
	return out, err
}

func (s *Handlers) createProject(ctx context.Context, in *newProject) (ProjectBody, error) {
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Review); err != nil {
		return ProjectBody{}, err
	}
	d, err := in.Body.draft()
	if err != nil {
		return ProjectBody{}, err
	}
	p, err := s.Projects.Create(ctx, a.Tenant, a.User, d, in.Body.State)
	return toProjectBody(p), err
}

// project returns a project of the actor's organisation, who may review.
func (s *Handlers) project(ctx context.Context, id string) (projects.Project, error) {
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Review); err != nil {
		return projects.Project{}, err
	}
	return s.Projects.Find(ctx, a.Tenant, id)
}

func (s *Handlers) getProject(ctx context.Context, in *projectPath) (ProjectBody, error) {
	p, err := s.project(ctx, in.ID)
	return toProjectBody(p), err
}

func (s *Handlers) putProject(ctx context.Context, in *projectChange) (ProjectBody, error) {
	old, err := s.project(ctx, in.ID)
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
	a := web.ActorFrom(ctx)
	p, err := s.Projects.Update(ctx, a.Tenant, in.ID, a.User, old.Version, d)
	return toProjectBody(p), err
}

func (s *Handlers) deleteProject(ctx context.Context, in *projectPath) error {
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Review); err != nil {
		return err
	}
	return s.Projects.Delete(ctx, a.Tenant, in.ID, 0)
}

func (s *Handlers) moveProject(ctx context.Context, in *projectMove) (ProjectBody, error) {
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Review); err != nil {
		return ProjectBody{}, err
	}
	p, err := s.Projects.SetState(ctx, a.Tenant, in.ID, a.User, 0, in.Body.State)
	return toProjectBody(p), err
}
