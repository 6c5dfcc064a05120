package objectives

import (
	"context"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/web"
)

var definitionType = reflect.TypeFor[objectives.Definition]()

type objectiveQuery struct {
	All bool `query:"all" doc:"every version, not only the active ones"`
}

type objectiveID struct {
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

func (s *Handlers) listObjectives(ctx context.Context, in *objectiveQuery) (web.Page[web.ObjectiveBody], error) {
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Read); err != nil {
		return web.Page[web.ObjectiveBody]{}, err
	}
	which := objectives.OnlyActive
	if in.All {
		which = objectives.AllVersions
	}
	list, err := s.Library.List(ctx, a.Tenant, which)
	return web.Page[web.ObjectiveBody]{Items: web.Map(list, web.ToObjectiveBody)}, err
}

func (s *Handlers) getObjective(ctx context.Context, in *objectiveID) (web.ObjectiveBody, error) {
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Read); err != nil {
		return web.ObjectiveBody{}, err
	}
	o, err := s.Library.Find(ctx, a.Tenant, in.ID)
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

// publishObjective makes a version the active one. Whoever does so in place of a
// colleague's says which one they have seen, so that nobody's edit is undone
// unread.
func (s *Handlers) publishObjective(ctx context.Context, in *publication) (web.ObjectiveBody, error) {
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Author); err != nil {
		return web.ObjectiveBody{}, err
	}
	doc, err := parseObjective(in.RawBody)
	if err != nil {
		return web.ObjectiveBody{}, err
	}
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

// mayReplace holds If-Match against the version that d would come in place of.
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
	case ifMatch == "" && (held.Layer == obligations.Shipped || held.Version == d.Version): // the latter is refused anyway, by its version
		return nil
	case ifMatch == "":
		return web.ErrUnconditional("version %s of %s is active; read it at /api/v1/objectives/%s, take its changes over and send its ETag as If-Match", held.Version, d.ContextType, held.ID)
	}
	tag, err := web.TagOf(web.WithDefinition(held))
	if err == nil && !web.TagMatches(ifMatch, tag) {
		err = web.ErrStale("the active version of %s is now %s; read it at /api/v1/objectives/%s, take its changes over and send its ETag as If-Match", d.ContextType, held.Version, held.ID)
	}
	return err
}

// parseObjective reads an objective, whole or as a layer.
func parseObjective(raw []byte) (objectives.Document, error) {
	doc, err := objectives.ParseDocument(raw)
	if err != nil && !objectives.IsLayer(raw) {
		err = located(raw, err)
	}
	return doc, err
}

// LintBody lists what is wrong with a definition.
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

func (s *Handlers) lintObjective(ctx context.Context, in *rawBody) (LintBody, error) {
	if err := web.Need(web.ActorFrom(ctx), auth.Read); err != nil {
		return LintBody{}, err
	}
	remarks := objectives.Lint(in.RawBody)
	return LintBody{OK: !objectives.Broken(remarks), Faults: web.Map(remarks[:min(len(remarks), web.MaxFields)], func(r objectives.Diagnostic) lintFault {
		return lintFault{r.Path, r.Message, r.Severity, r.Line, r.Column}
	})}, nil
}

func (s *Handlers) objectiveFromSchema(ctx context.Context, in *schemaImport) (schemaBody, error) {
	if err := web.Need(web.ActorFrom(ctx), auth.Read); err != nil {
		return schemaBody{}, err
	}
	d, notes, err := objectives.FromSchema(in.RawBody, objectives.SchemaOptions{ContextType: in.ContextType, Version: in.Version})
	return schemaBody{d, append([]objectives.SchemaNote{}, notes...)}, err
}

func (s *Handlers) diffObjectives(ctx context.Context, in *diffQuery) (objectives.Diff, error) {
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Read); err != nil {
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

func (s *Handlers) activateObjective(ctx context.Context, in *versionPath) (web.ObjectiveBody, error) {
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Author); err != nil {
		return web.ObjectiveBody{}, err
	}
	s.Publishing.Lock()
	defer s.Publishing.Unlock()
	o, err := s.Library.Activate(ctx, a.Tenant, in.ID, objectives.Signature{By: a.User})
	if err != nil {
		return web.ObjectiveBody{}, err
	}
	return web.ToObjectiveBody(o), nil
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

func (s *Handlers) migrateSession(ctx context.Context, in *moveRequest) (migrationBody, error) {
	found, err := s.Session(ctx, in.ID)
	if err != nil {
		return migrationBody{}, err
	}
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Review); err != nil {
		return migrationBody{}, err
	}
	m, err := s.Engine.Migrate(ctx, found.Scope(), sessions.MigrationTarget{Version: in.Body.Version, DryRun: in.Body.DryRun, By: a.User})
	return migrationBody{m, m.Text()}, err
}

// describeDefinitions adds to the description the bodies that are not held against a
// schema before they are read, and what a stale edit is answered.
func describeDefinitions(doc *huma.OpenAPI) {
	definition := doc.Components.Schemas.Schema(definitionType, true, "")
	for _, path := range []string{"/api/v1/objectives", "/api/v1/objectives/lint"} {
		doc.Paths[path].Post.RequestBody.Content["application/json"].Schema = definition
	}
	web.DescribeEdit(doc, doc.Paths["/api/v1/objectives"].Post)
}
