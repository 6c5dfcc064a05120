package web

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// objectiveBody is an objective on the wire.
type objectiveBody struct {
	ID          string                 `json:"id"`
	ContextType string                 `json:"contextType"`
	Version     string                 `json:"version"`
	DisplayName string                 `json:"displayName"`
	Description string                 `json:"description"`
	OriginLayer obligations.Layer      `json:"originLayer"`
	Active      bool                   `json:"active"`
	Obligations int                    `json:"obligationCount"`
	Extends     string                 `json:"extends,omitempty" doc:"what it is a layer on, such as business_profile 1.0.0"`
	Definition  *objectives.Definition `json:"definition,omitempty" doc:"as it is in effect, all layers merged"`
	Layers      layersByKey            `json:"layers,omitempty" doc:"the layer each obligation comes from"`
	Overlay     json.RawMessage        `json:"overlay,omitempty" doc:"what the layer itself says"`
	CreatedAt   time.Time              `json:"createdAt"`
}

// layersByKey says where obligations come from.
type layersByKey map[string]obligations.Layer

func toObjectiveBody(o objectives.Objective) objectiveBody {
	out := objectiveBody{ID: o.ID, ContextType: o.ContextType, Version: o.Version, DisplayName: o.DisplayName, Description: o.Definition.Description,
		OriginLayer: o.Layer, Active: o.Active, Obligations: len(o.Definition.Obligations), CreatedAt: o.CreatedAt}
	if o.Composition != nil {
		out.Extends = o.Composition.Base
	}
	return out
}

var definitionType = reflect.TypeFor[objectives.Definition]()

type objectiveQuery struct {
	All bool `query:"all" doc:"every version, not only the active ones"`
}

type objectivePath struct {
	ID        string `path:"id"`
	Effective bool   `query:"effective" default:"true" doc:"false leaves out what lies below a layer"`
}

type versionPath struct {
	ID string `path:"id"`
}

type diffQuery struct {
	ID   string `path:"id" doc:"the later version"`
	From string `query:"from" required:"true" doc:"id of the version to compare it with"`
}

type schemaImport struct {
	ContextType string `query:"contextType" doc:"instead of the one that comes of the title"`
	Version     string `query:"version" doc:"instead of 1.0.0"`
	RawBody     []byte `contentType:"application/json"`
}

// schemaBody is the objective that comes of a JSON Schema.
type schemaBody struct {
	Definition objectives.Definition   `json:"definition" doc:"to be published, as it is or edited"`
	Notes      []objectives.SchemaNote `json:"notes" doc:"what the interview leaves aside"`
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
	add(a, route{http.MethodPost, "/api/v1/objectives/lint", "objective-lint", "What is wrong with a definition, and where", 0}, s.lintObjective)
	add(a, route{http.MethodPost, "/api/v1/objectives/from-schema", "objective-from-schema", "Make a definition of a JSON Schema; publishes nothing", 0}, s.objectiveFromSchema)
	add(a, route{http.MethodGet, "/api/v1/objectives/{id}/diff", "objective-diff", "What changed from another version", 0}, s.diffObjectives)
	add(a, route{http.MethodPost, "/api/v1/sessions/{id}/migrate", "session-migrate", "Take a running session over to another version of its objective", 0}, s.migrateSession)
	add(a, route{http.MethodPost, "/api/v1/objectives/{id}/activate", "objective-activate", "Go back to an older version; running sessions keep theirs", 0}, s.activateObjective)
}

func (s *Server) listObjectives(ctx context.Context, in *objectiveQuery) (page[objectiveBody], error) {
	a := actorFrom(ctx)
	if err := need(a, auth.Read); err != nil {
		return page[objectiveBody]{}, err
	}
	which := objectives.OnlyActive
	if in.All {
		which = objectives.AllVersions
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
	out := withDefinition(o)
	if !in.Effective {
		out.Layers = nil
		if o.Composition != nil {
			out.Definition = nil
		}
	}
	return out, nil
}

// publishObjective makes a version the active one. Whoever does so in place of a
// colleague's says which one they have seen, so that nobody's edit is undone
// unread.
func (s *Server) publishObjective(ctx context.Context, in *publication) (objectiveBody, error) {
	a := actorFrom(ctx)
	if err := need(a, auth.Author); err != nil {
		return objectiveBody{}, err
	}
	doc, err := parseObjective(in.RawBody)
	if err != nil {
		return objectiveBody{}, err
	}
	s.publishing.Lock()
	defer s.publishing.Unlock()
	if err := s.mayReplace(ctx, a.Tenant, doc.Definition, in.IfMatch); err != nil {
		return objectiveBody{}, err
	}
	o, err := s.Library.Release(ctx, a.Tenant, doc, objectives.Signature{By: a.User})
	if err != nil {
		return objectiveBody{}, err
	}
	return toObjectiveBody(o), nil
}

// mayReplace holds If-Match against the version that d would come in place of.
func (s *Server) mayReplace(ctx context.Context, tenant string, d objectives.Definition, ifMatch string) error {
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

func withDefinition(o objectives.Objective) objectiveBody {
	out := toObjectiveBody(o)
	out.Definition = o.Definition
	out.Layers = layersByKey{}
	for _, t := range o.Definition.Obligations {
		out.Layers[t.Key] = o.LayerOf(t.Key)
	}
	if o.Composition != nil {
		out.Overlay = o.Composition.Overlay
	}
	return out
}

// parseObjective reads an objective, whole or as a layer.
func parseObjective(raw []byte) (objectives.Document, error) {
	doc, err := objectives.ParseDocument(raw)
	if err != nil && !objectives.IsLayer(raw) {
		err = located(raw, err)
	}
	return doc, err
}

// lintBody lists what is wrong with a definition.
type lintBody struct {
	OK     bool        `json:"ok" doc:"it can be published"`
	Faults []lintFault `json:"faults"`
}

// lintFault is one thing that is wrong, and where.
type lintFault struct {
	Location string              `json:"location" doc:"path of the field at fault"`
	Message  string              `json:"message"`
	Severity objectives.Severity `json:"severity" doc:"an error keeps it from being published"`
	Line     int                 `json:"line"`
	Column   int                 `json:"column" doc:"in bytes"`
}

func (s *Server) lintObjective(ctx context.Context, in *rawBody) (lintBody, error) {
	if err := need(actorFrom(ctx), auth.Read); err != nil {
		return lintBody{}, err
	}
	remarks := objectives.Lint(in.RawBody)
	return lintBody{OK: !objectives.Broken(remarks), Faults: items(remarks[:min(len(remarks), maxFields)], func(r objectives.Diagnostic) lintFault {
		return lintFault{r.Path, r.Message, r.Severity, r.Line, r.Column}
	})}, nil
}

func (s *Server) objectiveFromSchema(ctx context.Context, in *schemaImport) (schemaBody, error) {
	if err := need(actorFrom(ctx), auth.Read); err != nil {
		return schemaBody{}, err
	}
	d, notes, err := objectives.FromSchema(in.RawBody, objectives.SchemaOptions{ContextType: in.ContextType, Version: in.Version})
	return schemaBody{d, append([]objectives.SchemaNote{}, notes...)}, err
}

func (s *Server) diffObjectives(ctx context.Context, in *diffQuery) (objectives.Diff, error) {
	a := actorFrom(ctx)
	if err := need(a, auth.Read); err != nil {
		return objectives.Diff{}, err
	}
	to, err := s.Library.Find(ctx, a.Tenant, in.ID)
	if err != nil {
		return objectives.Diff{}, err
	}
	from, err := s.Library.Find(ctx, a.Tenant, in.From)
	if err != nil {
		return objectives.Diff{}, err
	}
	return objectives.DiffOf(from.Definition, to.Definition)
}

func (s *Server) activateObjective(ctx context.Context, in *versionPath) (objectiveBody, error) {
	a := actorFrom(ctx)
	if err := need(a, auth.Author); err != nil {
		return objectiveBody{}, err
	}
	s.publishing.Lock()
	defer s.publishing.Unlock()
	o, err := s.Library.Activate(ctx, a.Tenant, in.ID, objectives.Signature{By: a.User})
	if err != nil {
		return objectiveBody{}, err
	}
	return toObjectiveBody(o), nil
}

// moveRequest is a session's way to another version.
type moveRequest struct {
	ID   string `path:"id" doc:"id of the session"`
	Body struct {
		Version string `json:"version,omitempty" doc:"version to go over to; the active one when absent"`
		DryRun  bool   `json:"dryRun,omitempty" doc:"say what would happen, change nothing"`
	}
}

// migrationBody is the report, for programs and for people.
type migrationBody struct {
	sessions.Migration
	Text string `json:"text"`
}

func (s *Server) migrateSession(ctx context.Context, in *moveRequest) (migrationBody, error) {
	found, err := s.session(ctx, in.ID)
	if err != nil {
		return migrationBody{}, err
	}
	a := actorFrom(ctx)
	if err := need(a, auth.Review); err != nil {
		return migrationBody{}, err
	}
	m, err := s.Engine.Migrate(ctx, found.Scope(), sessions.MigrationTarget{Version: in.Body.Version, DryRun: in.Body.DryRun, By: a.User})
	return migrationBody{m, m.Text()}, err
}
