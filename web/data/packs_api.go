package data

import (
	"context"
	"encoding/json"
	"time"

	"quaestor/internal/fault"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/packs"
	"quaestor/research/warehouse/projects"
	"quaestor/web"
)

// packBody is one version of a domain pack on the wire.
type packBody struct {
	Slug       string     `json:"slug" example:"operations"`
	Version    string     `json:"version" example:"1.0.0"`
	Builtin    bool       `json:"builtin" doc:"it comes with this server"`
	ImportedBy string     `json:"importedBy,omitempty" doc:"who imported it, or used it first"`
	ImportedAt *time.Time `json:"importedAt,omitempty"`
}

func toPackBody(l projects.PackVersion) packBody {
	out := packBody{Slug: l.Slug, Version: l.Version.Version, Builtin: l.Builtin, ImportedBy: l.By}
	if !l.At.IsZero() {
		out.ImportedAt = &l.At
	}
	return out
}

// packContent is a pack without its prompts, which only its export has.
type packContent struct {
	Slug        string         `json:"slug"`
	Version     string         `json:"version"`
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Author      string         `json:"author,omitempty"`
	Areas       []areaBody     `json:"areas" nullable:"false" doc:"of every category"`
	Profile     any            `json:"profileSchema" doc:"what a project says about itself, as a JSON Schema"`
	Categories  []categoryBody `json:"categories" nullable:"false"`
}

// areaBody is something worth looking into.
type areaBody struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Keywords    []string `json:"keywords" nullable:"false"`
	Priority    int      `json:"priority" doc:"1 is first"`
}

func toAreaBody(a warehouse.Area) areaBody {
	return areaBody{a.ID, a.Name, a.Description, append([]string{}, a.Keywords...), a.Priority}
}

// categoryBody is a kind of business within a pack's field.
type categoryBody struct {
	ID          string     `json:"id"`
	Name        string     `json:"name"`
	Description string     `json:"description"`
	Areas       []areaBody `json:"areas" nullable:"false" doc:"all that are looked into, those of every category included"`
	Profile     any        `json:"profileSchema" doc:"what a project of the category says about itself"`
}

// packPath names a version of a pack.
type packPath struct {
	Slug    string `path:"slug" doc:"of the pack"`
	Version string `query:"version" doc:"the newest when left out"`
}

// packEnvelope is the body of an import: a pack as its export gives it, unread.
type packEnvelope struct {
	RawBody []byte `contentType:"application/json"`
}

func (s *Handlers) listPacks(ctx context.Context, _ *struct{}) (web.Page[packBody], error) {
	list, err := s.Projects.Packs(ctx, web.ActorFrom(ctx).Tenant)
	return web.Page[packBody]{Items: web.Map(list, toPackBody)}, err
}

// pack returns the pack that an address names. The store finds an unknown pack
// Unprocessable, as for a project that names it; in an address it is NotFound.
func (s *Handlers) pack(ctx context.Context, in *packPath) (*packs.Pack, error) {
	p, err := s.Projects.Pack(ctx, web.ActorFrom(ctx).Tenant, packs.Version{Slug: in.Slug, Version: in.Version})
	if fault.Is(err, fault.Unprocessable) {
		err = fault.New(fault.NotFound, "there is no such pack").Coded("pack_not_found")
	}
	return p, err
}

func (s *Handlers) getPack(ctx context.Context, in *packPath) (packContent, error) {
	p, err := s.pack(ctx, in)
	if err != nil {
		return packContent{}, err
	}
	out := packContent{Slug: p.Slug, Version: p.Version, Name: p.Name, Description: p.Description, Author: p.Author, Categories: []categoryBody{}}
	if out.Areas, out.Profile, err = kitBody(p, ""); err != nil {
		return packContent{}, err
	}
	for _, c := range p.Categories {
		one := categoryBody{ID: c.ID, Name: c.Name, Description: c.Description}
		if one.Areas, one.Profile, err = kitBody(p, c.ID); err != nil {
			return packContent{}, err
		}
		out.Categories = append(out.Categories, one)
	}
	return out, nil
}

// kitBody returns the areas that a category of a pack looks into, and the JSON Schema of
// what it asks, nil for nothing. An empty category is the base of the pack.
func kitBody(p *packs.Pack, category string) ([]areaBody, any, error) {
	kit, faults := p.For(category, nil)
	if err := packs.Refuse(faults); err != nil {
		return nil, nil, err
	}
	var schema any
	if kit.Form != nil {
		if err := json.Unmarshal(kit.Form.Schema(), &schema); err != nil {
			return nil, nil, err
		}
	}
	return web.Map(kit.Areas, toAreaBody), schema, nil
}

func (s *Handlers) exportPack(ctx context.Context, in *packPath) (any, error) {
	p, err := s.pack(ctx, in)
	if err != nil {
		return nil, err
	}
	document, err := p.Export()
	return json.RawMessage(document), err
}

// importedPack is the answer to an import: the version that is stored now.
type importedPack struct {
	Location string `header:"Location"`
	Body     struct {
		Slug    string `json:"slug"`
		Version string `json:"version"`
	}
}

// importPack checks its permission itself, as it is registered without [web.Add].
func (s *Handlers) importPack(ctx context.Context, in *packEnvelope) (*importedPack, error) {
	a, err := web.NeedManager(ctx)
	if err != nil {
		return nil, web.AsProblem(ctx, err)
	}
	v, err := s.Projects.Import(ctx, a.Tenant, a.User, in.RawBody)
	if err != nil {
		return nil, web.AsProblem(ctx, err)
	}
	out := &importedPack{Location: "/api/v1/domain-packs/" + v.Slug + "?version=" + v.Version}
	out.Body.Slug, out.Body.Version = v.Slug, v.Version
	return out, nil
}
