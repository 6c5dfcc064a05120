package web

import (
	"context"
	"encoding/json"
	"net/http"
	"quaestor/internal/auth"
	"quaestor/obligations"
	"quaestor/sessions"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/go-chi/chi/v5"
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

// api registers the operations of features below /api/v1 and returns the description of all routes.
func (s *Server) api(r chi.Router, features []Feature) *huma.OpenAPI {
	wordRefusals()
	config := huma.DefaultConfig("Quaestor", s.Version)
	config.Formats = map[string]huma.Format{}
	for kind, f := range huma.DefaultFormats {
		config.Formats[kind] = checkedFormat(f)
	}
	config.OpenAPIPath, config.DocsPath, config.SchemasPath, config.CreateHooks = "", "", "", nil
	config.Info.Description = "Conversational discovery: interviews that fill an objective, with evidence for every value."
	config.Components.Schemas = huma.NewMapRegistry("#/components/schemas/", schemaName)
	config.Components.Schemas.RegisterTypeAlias(reflect.TypeFor[obligations.Confidence](), reflect.TypeFor[float64]()) // that is how it is written
	config.Components.Schemas.RegisterTypeAlias(reflect.TypeFor[sessions.Preferences](), reflect.TypeFor[map[string]any]())
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{"bearer": {Type: "http", Scheme: "bearer"}}
	config.Security = []map[string][]string{{"bearer": {}}}
	a := humachi.New(r.With(tagged), config)
	for _, f := range features {
		f.Operations(a)
	}
	describeTags(a.OpenAPI())
	describeBodies(a.OpenAPI())
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
	r.Get("/docs", s.Handle(func(w http.ResponseWriter, r *http.Request) error {
		view := reference
		view.Base = BaseOf(r)
		return Render(w, r, Reference(view))
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

// Route describes one operation.
type Route struct {
	method, path, id, summary string
	status                    int  // zero means 200, or 204 without an answer
	unchecked                 bool // the body is checked by whoever reads it
	needs                     auth.Permission
}

func Get(path, id, summary string) Route {
	return Route{method: http.MethodGet, path: path, id: id, summary: summary}
}

func Post(path, id, summary string) Route {
	return Route{method: http.MethodPost, path: path, id: id, summary: summary}
}

func Put(path, id, summary string) Route {
	return Route{method: http.MethodPut, path: path, id: id, summary: summary}
}

func Patch(path, id, summary string) Route {
	return Route{method: http.MethodPatch, path: path, id: id, summary: summary}
}

func Delete(path, id, summary string) Route {
	return Route{method: http.MethodDelete, path: path, id: id, summary: summary}
}

// Answering returns the route with the status of its answer.
func (r Route) Answering(status int) Route {
	r.status = status
	return r
}

// Unchecked returns the route with a body that its handler checks itself: it is
// not held against the schema before.
func (r Route) Unchecked() Route {
	r.unchecked = true
	return r
}

// Needing returns the route for actors with a permission. [Add], [AddEdit] and
// [AddEmpty] refuse all others with 403 before the handler runs.
func (r Route) Needing(p auth.Permission) Route {
	r.needs = p
	return r
}

// guarded returns f for actors with the permission that the route needs. Its errors are
// problems.
func guarded[I, O any](r Route, f func(context.Context, *I) (O, error)) func(context.Context, *I) (O, error) {
	return func(ctx context.Context, in *I) (out O, err error) {
		if r.needs != "" {
			err = Need(ActorFrom(ctx), r.needs)
		}
		if err == nil {
			out, err = f(ctx, in)
		}
		return out, AsProblem(ctx, err)
	}
}

// Add registers an operation whose answer is the JSON of O.
func Add[I, O any](a huma.API, r Route, f func(context.Context, *I) (O, error)) {
	type output struct {
		Body O
	}
	f = guarded(r, f)
	huma.Register(a, Operation(a, r), func(ctx context.Context, in *I) (*output, error) {
		out, err := f(ctx, in)
		return &output{out}, err
	})
}

// AddEdit registers an operation whose answer is what reading gives from then on,
// with the ETag that reading gives: a client that edits again need not read before.
func AddEdit[I, O any](a huma.API, r Route, f func(context.Context, *I) (O, error)) {
	type output struct {
		ETag string `header:"ETag" doc:"names this state, for If-None-Match and If-Match"`
		Body O
	}
	f = guarded(r, f)
	huma.Register(a, Operation(a, r), func(ctx context.Context, in *I) (*output, error) {
		out, err := f(ctx, in)
		if err != nil {
			return nil, err
		}
		tag, err := TagOf(out)
		return &output{tag, out}, AsProblem(ctx, err)
	})
}

// AddEmpty registers an operation without an answer.
func AddEmpty[I any](a huma.API, r Route, f func(context.Context, *I) error) {
	if r.status == 0 {
		r.status = http.StatusNoContent
	}
	huma.Register(a, Operation(a, r), guarded(r, func(ctx context.Context, in *I) (*struct{}, error) { return nil, f(ctx, in) }))
}

// schemasKey is where an operation has the schemas of its API.
const schemasKey = "schemas"

func Operation(a huma.API, r Route) huma.Operation {
	tag, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(r.path, "/api"), "/v1/"), "/")
	return huma.Operation{OperationID: r.id, Method: r.method, Path: r.path, Summary: r.summary, Tags: []string{tag}, DefaultStatus: r.status,
		MaxBodyBytes: MaxBody, SkipValidateBody: r.unchecked, Metadata: map[string]any{schemasKey: a.OpenAPI().Components.Schemas}, Errors: []int{400, 401, 403, 404, 409, 422, 500}}
}

// AsProblem makes an error the problem the client sees, and keeps an internal one's
// cause for the log.
func AsProblem(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	p := ProblemOf(err, RequestID(ctx))
	NoteProblem(ctx, p, err)
	return p
}

// Page is a list with the cursor of what follows; no cursor means that is all.
type Page[T any] struct {
	Items      []T    `json:"items"`
	NextCursor string `json:"nextCursor,omitempty"`
}

func Map[T, U any](list []T, f func(T) U) []U {
	out := make([]U, len(list))
	for i, v := range list {
		out[i] = f(v)
	}
	return out
}

// Where returns the elements of list that meet a condition, in their order.
func Where[T any](list []T, is func(T) bool) []T {
	var out []T
	for _, x := range list {
		if is(x) {
			out = append(out, x)
		}
	}
	return out
}

// OrZero returns what p points to, and the zero value for what was left out.
func OrZero[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// DescribeRefusal describes a problem as an answer.
func DescribeRefusal(doc *huma.OpenAPI, says string) *huma.Response {
	return &huma.Response{Description: says, Content: map[string]*huma.MediaType{"application/problem+json": {Schema: doc.Components.Schemas.Schema(problemType, true, "")}}}
}

// describeBodies adds what is answered to a body that is too large or of another kind
// than is read.
func describeBodies(doc *huma.OpenAPI) {
	large, other := DescribeRefusal(doc, "Content Too Large"), DescribeRefusal(doc, "Unsupported Media Type")
	for _, item := range doc.Paths {
		for _, op := range []*huma.Operation{item.Post, item.Put, item.Patch, item.Delete} {
			if op != nil && op.RequestBody != nil && op.Responses["default"] == nil {
				op.Responses["413"], op.Responses["415"] = large, other
			}
		}
	}
}

// DescribeEdit adds to an operation what If-Match may come to.
func DescribeEdit(doc *huma.OpenAPI, op *huma.Operation) {
	op.Responses["412"] = DescribeRefusal(doc, "Precondition Failed: If-Match names another state")
	op.Responses["428"] = DescribeRefusal(doc, "Precondition Required: If-Match is missing")
}
