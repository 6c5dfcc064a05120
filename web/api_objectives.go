package web

import (
	"bytes"
	"context"
	"net/http"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
)

// objectiveBody is an objective on the wire.
type objectiveBody struct {
	ID          string               `json:"id"`
	ContextType string               `json:"contextType"`
	Version     string               `json:"version"`
	DisplayName string               `json:"displayName"`
	Description string               `json:"description"`
	OriginLayer obligations.Layer    `json:"originLayer"`
	Active      bool                 `json:"active"`
	Obligations int                  `json:"obligationCount"`
	Definition  *sessions.Definition `json:"definition,omitempty"`
	CreatedAt   time.Time            `json:"createdAt"`
}

func toObjectiveBody(o sessions.Objective) objectiveBody {
	return objectiveBody{ID: o.ID, ContextType: o.ContextType, Version: o.Version, DisplayName: o.DisplayName, Description: o.Definition.Description,
		OriginLayer: o.Layer, Active: o.Active, Obligations: len(o.Definition.Obligations), CreatedAt: o.CreatedAt}
}

var definitionType = reflect.TypeFor[sessions.Definition]()

type objectiveQuery struct {
	All bool `query:"all" doc:"every version, not only the active ones"`
}

type objectivePath struct {
	ID string `path:"id"`
}

// rawBody takes JSON as it is, so that faults are told with their place.
type rawBody struct {
	RawBody []byte `contentType:"application/json"`
}

// publication is a version to publish, and the version it comes in place of.
type publication struct {
	IfMatch string `header:"If-Match" doc:"ETag of the active version this one was made from; needed when that is not one the program ships"`
	RawBody []byte `contentType:"application/json"`
}

func (s *Server) objectiveRoutes(a huma.API) {
	add(a, route{http.MethodGet, "/api/v1/objectives", "objective-list", "What there is to talk about", 0}, s.listObjectives)
	add(a, route{http.MethodGet, "/api/v1/objectives/{id}", "objective-get", "One version, with its definition", 0}, s.getObjective)
	add(a, route{http.MethodPost, "/api/v1/objectives", "objective-publish", "Publish a version; it is active at once", http.StatusCreated}, s.publishObjective)
	add(a, route{http.MethodPost, "/api/v1/objectives/lint", "objective-lint", "What would keep a definition from being published", 0}, s.lintObjective)
}

func (s *Server) listObjectives(ctx context.Context, in *objectiveQuery) (page[objectiveBody], error) {
	a := actorFrom(ctx)
	if err := need(a, auth.Read); err != nil {
		return page[objectiveBody]{}, err
	}
	which := sessions.OnlyActive
	if in.All {
		which = sessions.AllVersions
	}
	list, err := s.Library.List(ctx, a.Tenant, which)
	return page[objectiveBody]{Items: items(list, toObjectiveBody)}, err
}

func (s *Server) getObjective(ctx context.Context, in *objectivePath) (objectiveBody, error) {
	a := actorFrom(ctx)
	if err := need(a, auth.Read); err != nil {
		return objectiveBody{}, err
	}
	o, err := s.Library.Find(ctx, a.Tenant, in.ID)
	if err != nil {
		return objectiveBody{}, err
	}
	return withDefinition(o), nil
}

// publishObjective makes a version the active one. Whoever does so in place of a
// colleague's says which one they have seen, so that nobody's edit is undone
// unread.
func (s *Server) publishObjective(ctx context.Context, in *publication) (objectiveBody, error) {
	a := actorFrom(ctx)
	if err := need(a, auth.Author); err != nil {
		return objectiveBody{}, err
	}
	d, err := parseObjective(in.RawBody)
	if err != nil {
		return objectiveBody{}, err
	}
	s.publishing.Lock()
	defer s.publishing.Unlock()
	if err := s.mayReplace(ctx, a.Tenant, d, in.IfMatch); err != nil {
		return objectiveBody{}, err
	}
	o, err := s.Library.Publish(ctx, a.Tenant, obligations.TenantLayer, d)
	if err != nil {
		return objectiveBody{}, err
	}
	return toObjectiveBody(o), nil
}

// mayReplace holds If-Match against the version that d would come in place of.
func (s *Server) mayReplace(ctx context.Context, tenant string, d sessions.Definition, ifMatch string) error {
	held, err := s.Library.Active(ctx, tenant, d.ContextType)
	switch {
	case fault.Is(err, fault.Unprocessable): // the first version of its context
		if ifMatch == "" {
			return nil
		}
		return stale("there is no active version of %s; leave If-Match out to publish the first", d.ContextType)
	case err != nil:
		return err
	case ifMatch == "" && (held.Layer == obligations.Shipped || held.Version == d.Version): // the latter is refused anyway, by its version
		return nil
	case ifMatch == "":
		return unconditional("version %s of %s is active; read it at /api/v1/objectives/%s, take its changes over and send its ETag as If-Match", held.Version, d.ContextType, held.ID)
	}
	tag, err := tagOf(withDefinition(held))
	if err == nil && !matches(ifMatch, tag) {
		err = stale("the active version of %s is now %s; read it at /api/v1/objectives/%s, take its changes over and send its ETag as If-Match", d.ContextType, held.Version, held.ID)
	}
	return err
}

func withDefinition(o sessions.Objective) objectiveBody {
	out := toObjectiveBody(o)
	out.Definition = o.Definition
	return out
}

// parseObjective reads a definition. One with NUL in its texts, which JSON allows
// and the database does not, is refused.
func parseObjective(raw []byte) (sessions.Definition, error) {
	d, err := sessions.ParseDefinition(raw)
	if err != nil {
		return d, located(raw, err)
	}
	if bytes.Contains(bytes.ReplaceAll(raw, []byte(`\\`), nil), []byte(`\u0000`)) {
		return d, fault.New(fault.Unprocessable, "a text of the objective holds a NUL character; remove it").Coded("nul_character")
	}
	return d, nil
}

// lintBody lists what is wrong with a definition.
type lintBody struct {
	OK     bool           `json:"ok"`
	Faults []problemField `json:"faults"`
}

func (s *Server) lintObjective(ctx context.Context, in *rawBody) (lintBody, error) {
	if err := need(actorFrom(ctx), auth.Read); err != nil {
		return lintBody{}, err
	}
	_, err := parseObjective(in.RawBody)
	if err == nil {
		return lintBody{OK: true, Faults: []problemField{}}, nil
	}
	if fault.KindOf(err) == fault.Internal {
		return lintBody{}, err
	}
	p := problemOf(err, "")
	if len(p.Errors) == 0 {
		p.Errors = []problemField{{Message: p.Detail}}
	}
	return lintBody{Faults: p.Errors}, nil
}
