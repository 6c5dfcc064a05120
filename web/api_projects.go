package web

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/packs"
	"quaestor/research/warehouse/projects"
)

// projectBody is a project on the wire.
type projectBody struct {
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

func toProjectBody(p projects.Project) projectBody {
	out := projectBody{ID: p.ID, Name: p.Name, Pack: p.Pack.Slug, PackVersion: p.Pack.Version, Category: p.Category, Language: p.Language, WarehouseID: p.Warehouse,
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

func (s *Server) projectRoutes(a huma.API) {
	const all, one = "/api/v1/projects", "/api/v1/projects/{id}"
	add(a, route{http.MethodGet, all, "project-list", "Projects, the newest first", 0}, s.listProjects)
	add(a, route{http.MethodPost, all, "project-create", "Make a project over a warehouse", http.StatusCreated}, s.createProject)
	add(a, route{http.MethodGet, one, "project-get", "One project", 0}, s.getProject)
	addEdit(a, route{http.MethodPut, one, "project-put", "Change a project", 0}, s.putProject)
	addEmpty(a, route{http.MethodDelete, one, "project-delete", "Take a project away, with its runs", 0}, s.deleteProject)
	addEdit(a, route{http.MethodPost, one + "/state", "project-state", "Move a project to a state that may follow its own", 0}, s.moveProject)
}

func (s *Server) listProjects(ctx context.Context, in *projectQuery) (page[projectBody], error) {
	a := actorFrom(ctx)
	if err := need(a, auth.Review); err != nil {
		return page[projectBody]{}, err
	}
	at, id, err := parsePlace(in.Cursor)
	if err != nil {
		return page[projectBody]{}, err
	}
	list, err := s.Warehouses.Projects.List(ctx, a.Tenant, projects.Cursor{At: at, ID: id}, in.Limit)
	out := page[projectBody]{Items: items(list, toProjectBody)}
	if len(list) == in.Limit {
		end := list[len(list)-1]
		out.NextCursor = formatPlace(end.CreatedAt, end.ID)
	}
	return out, err
}

func (s *Server) createProject(ctx context.Context, in *newProject) (projectBody, error) {
	a := actorFrom(ctx)
	if err := need(a, auth.Review); err != nil {
		return projectBody{}, err
	}
	d, err := in.Body.draft()
	if err != nil {
		return projectBody{}, err
	}
	p, err := s.Warehouses.Projects.Create(ctx, a.Tenant, a.User, d, in.Body.State)
	return toProjectBody(p), err
}

// project returns a project of the actor's organisation, who may review.
func (s *Server) project(ctx context.Context, id string) (projects.Project, error) {
	a := actorFrom(ctx)
	if err := need(a, auth.Review); err != nil {
		return projects.Project{}, err
	}
	return s.Warehouses.Projects.Find(ctx, a.Tenant, id)
}

func (s *Server) getProject(ctx context.Context, in *projectPath) (projectBody, error) {
	p, err := s.project(ctx, in.ID)
	return toProjectBody(p), err
}

func (s *Server) putProject(ctx context.Context, in *projectChange) (projectBody, error) {
	old, err := s.project(ctx, in.ID)
	if err != nil {
		return projectBody{}, err
	}
	if err := unchanged(in.IfMatch, toProjectBody(old), "the project"); err != nil {
		return projectBody{}, err
	}
	d, err := in.Body.draft()
	if err != nil {
		return projectBody{}, err
	}
	a := actorFrom(ctx)
	p, err := s.Warehouses.Projects.Update(ctx, a.Tenant, in.ID, a.User, old.Version, d)
	return toProjectBody(p), err
}

func (s *Server) deleteProject(ctx context.Context, in *projectPath) error {
	a := actorFrom(ctx)
	if err := need(a, auth.Review); err != nil {
		return err
	}
	return s.Warehouses.Projects.Delete(ctx, a.Tenant, in.ID, 0)
}

func (s *Server) moveProject(ctx context.Context, in *projectMove) (projectBody, error) {
	a := actorFrom(ctx)
	if err := need(a, auth.Review); err != nil {
		return projectBody{}, err
	}
	p, err := s.Warehouses.Projects.SetState(ctx, a.Tenant, in.ID, a.User, 0, in.Body.State)
	return toProjectBody(p), err
}
