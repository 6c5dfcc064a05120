package objectives

import (
	"context"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/web"
)

// definitionType is described once for all operations that take or return it.
var definitionType = reflect.TypeFor[objectives.Definition]()

// objectiveQuery lists versions.
type objectiveQuery struct {
	All bool `query:"all" doc:"every version, not only the active ones"`
}

// objectiveID names a version to read.
type objectiveID struct {
	ID        string `path:"id"`
	Effective bool   `query:"effective" default:"true" doc:"false leaves out what lies below a layer"`
}

// versionPath names a version to activate.
type versionPath struct {
	ID string `path:"id"`
}

// diffQuery names two versions to compare.
type diffQuery struct {
	ID   string `path:"id" doc:"the later version"`
	From string `query:"from" required:"true" doc:"id of the version to compare it with"`
}

// schemaImport is a JSON Schema to make an objective of.
type schemaImport struct {
	ContextType string `query:"contextType" doc:"instead of the one that comes of the title"`
	Version     string `query:"version" doc:"instead of 1.0.0"`
	RawBody     []byte `contentType:"application/json"`
}

// schemaBody is the objective that was made of a JSON Schema. Nothing is stored.
type schemaBody struct {
	Definition objectives.Definition   `json:"definition" doc:"to be published, as it is or edited"`
	Notes      []objectives.SchemaNote `json:"notes" doc:"what the interview leaves aside"`
}

// rawBody takes JSON as it was sent, so that faults can be told with their line.
type rawBody struct {
	RawBody []byte `contentType:"application/json"`
}

// publication is a version to publish, and the version it replaces.
type publication struct {
	IfMatch string `header:"If-Match" doc:"ETag of the active version this one was made from; needed when that is not one the program ships"`
	RawBody []byte `contentType:"application/json"`
}

// listObjectives returns the active version of each context type, or all versions.
func (s *Handlers) listObjectives(ctx context.Context, in *objectiveQuery) (web.Page[web.ObjectiveBody], error) {
	which := objectives.OnlyActive
	if in.All {
		which = objectives.AllVersions
	}
	list, err := s.Library.List(ctx, web.ActorFrom(ctx).Tenant, which)
	return web.Page[web.ObjectiveBody]{Items: web.Map(list, web.ToObjectiveBody)}, err
}

// getObjective returns a version with its definition. Of a layer it can leave out what
// lies below, so that only the layer itself is left.
func (s *Handlers) getObjective(ctx context.Context, in *objectiveID) (web.ObjectiveBody, error) {
	o, err := s.Library.Find(ctx, web.ActorFrom(ctx).Tenant, in.ID)
	if err != nil {
		return web.ObjectiveBody{}, err
	}
	out := web.WithDefinition(o)
	if !in.Effective {
		out.Layers = nil
		if o.Composition != nil {
			out.Definition = nil
		}
	}
	return out, nil
}

// publishObjective publishes a version and makes it the active one. A client that
// replaces a version somebody wrote must name it with If-Match, so that no edit is
// undone unread.
func (s *Handlers) publishObjective(ctx context.Context, in *publication) (web.ObjectiveBody, error) {
	doc, err := parseObjective(in.RawBody)
	if err != nil {
		return web.ObjectiveBody{}, err
	}
	a := web.ActorFrom(ctx)
	s.Publishing.Lock()
	defer s.Publishing.Unlock()
	if err := s.mayReplace(ctx, a.Tenant, doc.Definition, in.IfMatch); err != nil {
		return web.ObjectiveBody{}, err
	}
	o, err := s.Library.Release(ctx, a.Tenant, doc, objectives.Signature{By: a.User})
	if err != nil {
		return web.ObjectiveBody{}, err
	}
	return web.ToObjectiveBody(o), nil
}

// mayReplace compares If-Match with the version that d would replace. The caller holds
// Publishing, so the version stays the active one until d is stored.
func (s *Handlers) mayReplace(ctx context.Context, tenant string, d objectives.Definition, ifMatch string) error {
	held, err := s.Library.Active(ctx, tenant, d.ContextType)
	switch {
	case fault.Is(err, fault.Unprocessable): // the first version of its context
		if ifMatch == "" {
			return nil
		}
		return web.ErrStale("there is no active version of %s; leave If-Match out to publish the first", d.ContextType)
	case err != nil:
		return err
	case ifMatch == "" && (held.Layer == obligations.Shipped || held.Version == d.Version): // a version that exists is refused later, with a better reason
		return nil
	case ifMatch == "":
		return web.ErrUnconditional("version %s of %s is active; read it at /api/v1/objectives/%s, take its changes over and send its ETag as If-Match", held.Version, d.ContextType, held.ID)
	}
	stale := web.ErrStale("the active version of %s is now %s; read it at /api/v1/objectives/%s, take its changes over and send its ETag as If-Match", d.ContextType, held.Version, held.ID)
	return web.CheckTag(ifMatch, web.WithDefinition(held), stale)
}

// parseObjective reads an objective, whole or as a layer. Faults of a whole objective
// name the field and the line.
func parseObjective(raw []byte) (objectives.Document, error) {
	doc, err := objectives.ParseDocument(raw)
	if err != nil && !objectives.IsLayer(raw) {
		err = located(raw, err)
	}
	return doc, err
}

// LintBody lists what is wrong with a definition, at most [web.MaxFields] faults.
type LintBody struct {
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

// lintObjective checks a definition and stores nothing. A body that is not even JSON is a
// fault like others, with its line.
func (s *Handlers) lintObjective(_ context.Context, in *rawBody) (LintBody, error) {
	remarks := objectives.Lint(in.RawBody)
	return LintBody{OK: !objectives.Broken(remarks), Faults: web.Map(remarks[:min(len(remarks), web.MaxFields)], func(r objectives.Diagnostic) lintFault {
		return lintFault{r.Path, r.Message, r.Severity, r.Line, r.Column}
	})}, nil
}

// objectiveFromSchema makes a definition of a JSON Schema, to be edited or published as it
// is. The notes are never null.
func (s *Handlers) objectiveFromSchema(_ context.Context, in *schemaImport) (schemaBody, error) {
	d, notes, err := objectives.FromSchema(in.RawBody, objectives.SchemaOptions{ContextType: in.ContextType, Version: in.Version})
	return schemaBody{d, append([]objectives.SchemaNote{}, notes...)}, err
}

// diffObjectives compares two versions, which need not be of one context type.
func (s *Handlers) diffObjectives(ctx context.Context, in *diffQuery) (objectives.Diff, error) {
	tenant := web.ActorFrom(ctx).Tenant
	to, err := s.Library.Find(ctx, tenant, in.ID)
	if err != nil {
		return objectives.Diff{}, err
	}
	from, err := s.Library.Find(ctx, tenant, in.From)
	if err != nil {
		return objectives.Diff{}, err
	}
	return objectives.DiffOf(from.Definition, to.Definition)
}

// activateObjective makes an older version the active one again.
func (s *Handlers) activateObjective(ctx context.Context, in *versionPath) (web.ObjectiveBody, error) {
	a := web.ActorFrom(ctx)
	s.Publishing.Lock()
	defer s.Publishing.Unlock()
	o, err := s.Library.Activate(ctx, a.Tenant, in.ID, objectives.Signature{By: a.User})
	if err != nil {
		return web.ObjectiveBody{}, err
	}
	return web.ToObjectiveBody(o), nil
}

// moveRequest takes a session over to another version. Its name is published: the schema
// of the body is called after it.
type moveRequest struct {
	web.SessionPath
	Body struct {
		Version string `json:"version,omitempty" doc:"version to go over to; the active one when absent"`
		DryRun  bool   `json:"dryRun,omitempty" doc:"say what would happen, change nothing"`
	}
}

// migrationBody reports what a migration did or would do, for programs and in words.
type migrationBody struct {
	sessions.Migration
	Text string `json:"text"`
}

// migrateSession takes a session over, or reports what that would do.
func (s *Handlers) migrateSession(ctx context.Context, found sessions.Session, in *moveRequest) (migrationBody, error) {
	m, err := s.Engine.Migrate(ctx, found.Scope(), sessions.MigrationTarget{Version: in.Body.Version, DryRun: in.Body.DryRun, By: web.ActorFrom(ctx).User})
	return migrationBody{m, m.Text()}, err
}

// describeDefinitions describes what huma cannot see: the bodies that their handlers
// check themselves, and the answers to a stale edit.
func describeDefinitions(doc *huma.OpenAPI) {
	definition := doc.Components.Schemas.Schema(definitionType, true, "")
	for _, path := range []string{"/api/v1/objectives", "/api/v1/objectives/lint"} {
		doc.Paths[path].Post.RequestBody.Content["application/json"].Schema = definition
	}
	web.DescribeEdit(doc, doc.Paths["/api/v1/objectives"].Post)
}
