package web

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/go-chi/chi/v5"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web/ui"
)

// publishedNames are names of schemas in the description of the API whose Go types have
// other names now: clients may have generated code from them.
var publishedNames = map[string]string{"Rationale": "Because", "ObligationState": "Known", "KeyMigration": "Move", "RejectedValue": "Refused"}

// schemaName names the schema of a type.
func schemaName(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	if published, ok := publishedNames[name]; ok {
		return published
	}
	return name
}

// api registers the routes of /api/v1 and returns the description of all routes.
func (s *Server) api(r chi.Router) *huma.OpenAPI {
	wordRefusals()
	config := huma.DefaultConfig("Quaestor", s.Version)
	config.Formats = map[string]huma.Format{}
	for kind, f := range huma.DefaultFormats {
		config.Formats[kind] = soundFormat(f)
	}
	config.OpenAPIPath, config.DocsPath, config.SchemasPath, config.CreateHooks = "", "", "", nil
	config.Info.Description = "Conversational discovery: interviews that fill an objective, with evidence for every value."
	config.Components.Schemas = huma.NewMapRegistry("#/components/schemas/", schemaName)
	config.Components.Schemas.RegisterTypeAlias(reflect.TypeFor[obligations.Confidence](), reflect.TypeFor[float64]()) // that is how it is written
	config.Components.Schemas.RegisterTypeAlias(reflect.TypeFor[sessions.Preferences](), reflect.TypeFor[map[string]any]())
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{"bearer": {Type: "http", Scheme: "bearer"}}
	config.Security = []map[string][]string{{"bearer": {}}}
	a := humachi.New(r.With(tagged), config)
	s.sessionRoutes(a)
	s.fileRoutes(a)
	s.memoryRoutes(a)
	s.obligationRoutes(a)
	s.disputeRoutes(a)
	s.objectiveRoutes(a)
	s.researchRoutes(a)
	s.tokenRoutes(a)
	s.settingsRoutes(a)
	s.searchRoutes(a)
	s.emergentRoutes(a)
	s.peopleRoutes(a)
	s.commentRoutes(a)
	s.shareRoutes(a)
	s.warehouseRoutes(a)
	s.warehouseTableRoutes(a)
	s.packRoutes(a)
	s.projectRoutes(a)
	s.runRoutes(a)
	describeDefinitions(a.OpenAPI())
	describeTalk(a.OpenAPI())
	describeExport(a.OpenAPI())
	describeFiles(a.OpenAPI())
	describeTags(a.OpenAPI())
	describeBodies(a.OpenAPI())
	describeSettings(a.OpenAPI())
	describeMemory(a.OpenAPI())
	describeResearch(a.OpenAPI())
	describeRuns(a.OpenAPI())
	return a.OpenAPI()
}

// describe shows the description of the API: at /openapi.json to programs, at
// /docs to people. It is the same for everybody and shows no data, so it needs no
// token: who has none yet reads here how to send one.
func (s *Server) describe(r chi.Router, api *huma.OpenAPI) {
	document, err := json.MarshalIndent(api, "", "  ")
	if err != nil {
		panic("web: the API's description cannot be written: " + err.Error())
	}
	r.Get("/openapi.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(document)
	})
	reference := referenceOf(api)
	r.Get("/docs", s.handle(func(w http.ResponseWriter, r *http.Request) error {
		view := reference
		view.Base = baseOf(r)
		return render(w, r, ui.Reference(view))
	}))
}

// codeOf is the stable name of a status that no fault of ours has named.
func codeOf(status int) string {
	for kind, s := range statuses {
		if s == status {
			return string(kind)
		}
	}
	return strings.ReplaceAll(strings.ToLower(http.StatusText(status)), " ", "_")
}

// route describes one operation.
type route struct {
	method, path, id, summary string
	status                    int  // zero means 200, or 204 without an answer
	unchecked                 bool // the body is checked by whoever reads it
}

func onGet(path, id, summary string) route {
	return route{method: http.MethodGet, path: path, id: id, summary: summary}
}

func onPost(path, id, summary string) route {
	return route{method: http.MethodPost, path: path, id: id, summary: summary}
}

func onPut(path, id, summary string) route {
	return route{method: http.MethodPut, path: path, id: id, summary: summary}
}

func onPatch(path, id, summary string) route {
	return route{method: http.MethodPatch, path: path, id: id, summary: summary}
}

func onDelete(path, id, summary string) route {
	return route{method: http.MethodDelete, path: path, id: id, summary: summary}
}

// answering returns the route with the status of its answer.
func (r route) answering(status int) route {
	r.status = status
	return r
}

// reading returns the route with a body that its handler checks itself: it is
// not held against the schema before.
func (r route) reading() route {
	r.unchecked = true
	return r
}

// add registers an operation whose answer is the JSON of O.
func add[I, O any](a huma.API, r route, f func(context.Context, *I) (O, error)) {
	type output struct {
		Body O
	}
	huma.Register(a, operation(a, r), func(ctx context.Context, in *I) (*output, error) {
		out, err := f(ctx, in)
		if err != nil {
			return nil, shown(ctx, err)
		}
		return &output{out}, nil
	})
}

// addEdit registers an operation whose answer is what reading gives from then on,
// with the ETag that reading gives: a client that edits again need not read before.
func addEdit[I, O any](a huma.API, r route, f func(context.Context, *I) (O, error)) {
	type output struct {
		ETag string `header:"ETag" doc:"names this state, for If-None-Match and If-Match"`
		Body O
	}
	huma.Register(a, operation(a, r), func(ctx context.Context, in *I) (*output, error) {
		out, err := f(ctx, in)
		if err != nil {
			return nil, shown(ctx, err)
		}
		tag, err := tagOf(out)
		return &output{tag, out}, shown(ctx, err)
	})
}

// addEmpty registers an operation without an answer.
func addEmpty[I any](a huma.API, r route, f func(context.Context, *I) error) {
	if r.status == 0 {
		r.status = http.StatusNoContent
	}
	huma.Register(a, operation(a, r), func(ctx context.Context, in *I) (*struct{}, error) {
		return nil, shown(ctx, f(ctx, in))
	})
}

// schemasKey is where an operation has the schemas of its API.
const schemasKey = "schemas"

func operation(a huma.API, r route) huma.Operation {
	tag, _, _ := strings.Cut(strings.TrimPrefix(r.path, "/api/v1/"), "/")
	return huma.Operation{OperationID: r.id, Method: r.method, Path: r.path, Summary: r.summary, Tags: []string{tag}, DefaultStatus: r.status,
		MaxBodyBytes: maxBody, SkipValidateBody: r.unchecked, Metadata: map[string]any{schemasKey: a.OpenAPI().Components.Schemas}, Errors: []int{400, 401, 403, 404, 409, 422, 500}}
}

// shown makes an error the problem the client sees, and keeps an internal one's
// cause for the log.
func shown(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	p := problemOf(err, requestIn(ctx))
	note(ctx, p, err)
	return p
}

// page is a list with the cursor of what follows; no cursor means that is all.
type page[T any] struct {
	Items      []T    `json:"items"`
	NextCursor string `json:"nextCursor,omitempty"`
}

func items[T, U any](list []T, f func(T) U) []U {
	out := make([]U, len(list))
	for i, v := range list {
		out[i] = f(v)
	}
	return out
}

// refusalOf describes a problem as an answer.
func refusalOf(doc *huma.OpenAPI, says string) *huma.Response {
	return &huma.Response{Description: says, Content: map[string]*huma.MediaType{"application/problem+json": {Schema: doc.Components.Schemas.Schema(problemType, true, "")}}}
}

// describeBodies adds what is answered to a body that is too large or of another kind
// than is read.
func describeBodies(doc *huma.OpenAPI) {
	large, other := refusalOf(doc, "Content Too Large"), refusalOf(doc, "Unsupported Media Type")
	for _, item := range doc.Paths {
		for _, op := range []*huma.Operation{item.Post, item.Put, item.Patch, item.Delete} {
			if op != nil && op.RequestBody != nil && op.Responses["default"] == nil {
				op.Responses["413"], op.Responses["415"] = large, other
			}
		}
	}
}

// describeEdit adds to an operation what If-Match may come to.
func describeEdit(doc *huma.OpenAPI, op *huma.Operation) {
	op.Responses["412"] = refusalOf(doc, "Precondition Failed: If-Match names another state")
	op.Responses["428"] = refusalOf(doc, "Precondition Required: If-Match is missing")
}
