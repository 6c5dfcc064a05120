package web

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// description is the part of an OpenAPI document these tests read.
type description struct {
	OpenAPI string `json:"openapi"`
	Info    struct{ Title, Version string }
	Paths   map[string]map[string]operationDoc
}

type operationDoc struct {
	OperationID string `json:"operationId"`
	Summary     string
	Parameters  []struct {
		Name, In string
		Required bool
		Schema   json.RawMessage
	}
	RequestBody *struct{ Content map[string]json.RawMessage }
	Responses   map[string]struct {
		Description string
		Content     map[string]json.RawMessage
	}
}

func (w *world) description() (description, []byte) {
	w.t.Helper()
	resp := w.do(request{path: "/openapi.json"})
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	var d description
	if err := json.Unmarshal(raw, &d); err != nil {
		w.t.Fatal(err)
	}
	return d, raw
}

var pathParameter = regexp.MustCompile(`\{(\w+)\}`)

func TestDescriptionIsSound(t *testing.T) {
	t.Parallel()

	d, raw := open(t, terms{}).description()
	if !strings.HasPrefix(d.OpenAPI, "3.1.") || d.Info.Title == "" || d.Info.Version == "" {
		t.Errorf("heading %q %+v", d.OpenAPI, d.Info)
	}
	ids := map[string]string{}
	for path, methods := range d.Paths {
		for method, op := range methods {
			name := method + " " + path
			if op.Summary == "" || op.OperationID == "" || ids[op.OperationID] != "" {
				t.Errorf("%s: summary %q, id %q (also %s)", name, op.Summary, op.OperationID, ids[op.OperationID])
			}
			ids[op.OperationID] = name
			checkOperation(t, name, path, op)
		}
	}
	checkReferences(t, raw)
}

func checkOperation(t *testing.T, name, path string, op operationDoc) {
	t.Helper()
	var declared []string
	for _, p := range op.Parameters {
		if len(p.Schema) == 0 || (p.In == "path" && !p.Required) {
			t.Errorf("%s: parameter %s has no schema or is not required", name, p.Name)
		}
		if p.In == "path" {
			declared = append(declared, p.Name)
		}
	}
	var want []string
	for _, m := range pathParameter.FindAllStringSubmatch(path, -1) {
		want = append(want, m[1])
	}
	slices.Sort(declared)
	slices.Sort(want)
	if !slices.Equal(declared, want) {
		t.Errorf("%s declares the path parameters %v", name, declared)
	}
	if len(op.Responses) == 0 {
		t.Errorf("%s: no responses", name)
	}
	for status, r := range op.Responses {
		if r.Description == "" {
			t.Errorf("%s: answer %s has no description", name, status)
		}
	}
}

// checkReferences follows every $ref of the document.
func checkReferences(t *testing.T, raw []byte) {
	t.Helper()
	var doc any
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	var follow func(v any)
	follow = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, x := range v {
				follow(x)
			}
		case map[string]any:
			if ref, ok := v["$ref"].(string); ok && !resolves(doc, ref) {
				t.Errorf("%s names nothing", ref)
			}
			for _, x := range v {
				follow(x)
			}
		}
	}
	follow(doc)
}

func resolves(doc any, ref string) bool {
	for _, name := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
		node, ok := doc.(map[string]any)
		if doc = node[name]; !ok || doc == nil {
			return false
		}
	}
	return true
}

func TestEveryRouteIsDescribedAndEveryDescriptionIsARoute(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	d, _ := w.description()
	var served, described []string
	err := chi.Walk(w.server.Handler().(chi.Routes), func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if strings.HasPrefix(route, "/api/") {
			served = append(served, strings.ToLower(method)+" "+route)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for path, methods := range d.Paths {
		for method := range methods {
			described = append(described, method+" "+path)
		}
	}
	slices.Sort(served)
	slices.Sort(described)

	if diff := cmp.Diff(served, described); diff != "" {
		t.Errorf("routes (-served +described):\n%s", diff)
	}
}

// schemas are the schemas of the description.
type schemas struct {
	t     *testing.T
	paths map[string]map[string]operationDoc
	defs  json.RawMessage
}

func (w *world) schemas(t *testing.T) schemas {
	t.Helper()
	d, raw := w.description()
	var parts struct {
		Components struct{ Schemas json.RawMessage }
	}
	if err := json.Unmarshal(raw, &parts); err != nil {
		t.Fatal(err)
	}
	return schemas{t, d.Paths, parts.Components.Schemas}
}

// check holds an answer against what is described for it.
func (s schemas) check(method, path, status, media string, body []byte) {
	s.t.Helper()
	s.validate(method+" "+path+" "+status+" "+media, s.paths[path][method].Responses[status].Content[media], body)
}

// validate holds a body against the description of its content.
func (s schemas) validate(name string, content json.RawMessage, body []byte) {
	s.t.Helper()
	var described struct{ Schema json.RawMessage }
	if err := json.Unmarshal(content, &described); err != nil {
		s.t.Errorf("%s is not described: %v", name, err)
		return
	}
	text := fmt.Sprintf(`{"$defs":%s,"allOf":[%s]}`, s.defs, described.Schema)
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(string(body)))
	if err != nil {
		s.t.Fatalf("%s: %v in %s", name, err, body)
	}
	if err := compiled(s.t, strings.ReplaceAll(text, "#/components/schemas/", "#/$defs/")).Validate(v); err != nil {
		s.t.Errorf("%s is not as described: %v\n%.900s", name, err, body)
	}
}

func compiled(t *testing.T, text string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("http://quaestor.test/answer.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("http://quaestor.test/answer.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func TestAnswersAreAsDescribed(t *testing.T) {
	t.Parallel()

	c := openTown(t)
	anna, boss := c.people["anna"], c.people["boss"]
	anna.say(turnBody{SessionID: c.session, Message: "can you look up our target market?"})
	anna.say(turnBody{SessionID: c.session, Message: "we are in the food industry"})
	anna.say(turnBody{SessionID: c.session, Message: "no, actually we are in hospitality"})
	tasks := fetch[page[taskBody]](anna, http.StatusOK, request{path: "/api/v1/sessions/" + c.session + "/research-tasks"})
	objectives := fetch[page[objectiveBody]](anna, http.StatusOK, request{path: "/api/v1/objectives"})
	s := boss.schemas(t)
	visit := func(w *world, path string, values ...string) {
		t.Helper()
		address := path
		for _, v := range values {
			address = strings.Replace(address, pathParameter.FindString(address), v, 1)
		}
		resp := w.do(request{path: address})
		raw, _ := io.ReadAll(resp.Body)
		if resp.StatusCode != http.StatusOK {
			t.Errorf("%s answered %d: %s", address, resp.StatusCode, raw)
			return
		}
		s.check("get", path, "200", "application/json", raw)
	}
	visit(anna, "/api/v1/sessions")
	for _, id := range []string{c.session, c.completed} {
		for _, path := range []string{"/api/v1/sessions/{id}", "/api/v1/sessions/{id}/messages", "/api/v1/sessions/{id}/memory", "/api/v1/sessions/{id}/obligations",
			"/api/v1/sessions/{id}/history", "/api/v1/sessions/{id}/conflicts", "/api/v1/sessions/{id}/research-tasks"} {
			visit(anna, path, id)
		}
	}
	visit(anna, "/api/v1/sessions/{id}/turns/{turn}", c.session, "2")
	visit(anna, "/api/v1/sessions/{id}/obligations/{key}", c.session, "industry")
	visit(anna, "/api/v1/sessions/{id}/obligations/{key}/history", c.session, "industry")
	visit(anna, "/api/v1/objectives")
	visit(anna, "/api/v1/objectives/{id}", objectives.Items[0].ID)
	visit(boss, "/api/v1/tokens")
	if len(tasks.Items) == 0 {
		t.Fatal("what the person wanted looked up is no research task")
	}
	visit(anna, "/api/v1/research-tasks/{id}", tasks.Items[0].ID)
	exported, _ := io.ReadAll(anna.do(request{path: "/api/v1/sessions/" + c.session + "/export"}).Body)
	s.check("get", "/api/v1/sessions/{id}/export", "200", "application/json", exported)
	made := fetch[json.RawMessage](boss, http.StatusCreated, request{path: "/api/v1/tokens", body: map[string]any{"userId": "zoe", "role": "viewer"}})
	s.check("post", "/api/v1/tokens", "201", "application/json", made)
	if !strings.Contains(string(made), `"id":"`) {
		t.Errorf("a token was made without its id: %s", made)
	}
	faulty := fetch[json.RawMessage](anna, http.StatusOK, request{path: "/api/v1/objectives/lint", body: `{"contextType": "x", "obligations": [{"promt": 1}]}`})
	s.check("post", "/api/v1/objectives/lint", "200", "application/json", faulty)
	problem, _ := io.ReadAll(anna.do(request{path: "/api/v1/sessions/" + c.foreign}).Body)
	s.check("get", "/api/v1/sessions/{id}", "404", "application/problem+json", problem)
}

// exampleOf finds the examples of docs/api.md: an operation and, on the same line, the
// body it takes.
var exampleOf = regexp.MustCompile("(?m)`(POST|PATCH|PUT) ([^` ]+)`[^`\n]*`(\\{\"[^`]*\\})`")

func TestDocumentedExamplesAreAsDescribed(t *testing.T) {
	t.Parallel()

	s := open(t, terms{}).schemas(t)
	text, err := os.ReadFile("../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	_, first, _ := strings.Cut(string(text), "```json\n")
	first, _, _ = strings.Cut(first, "\n```")
	s.checkBody("post", "/api/discovery-chat", example(first))
	s.checkBody("post", "/api/discovery-chat", `{"contextType": "business_profile"}`)
	s.checkBody("post", "/api/discovery-chat", `{"sessionId": "x", "message": "a", "later": true}`)
	found := 0
	for _, m := range exampleOf.FindAllStringSubmatch(string(text), -1) {
		if path := s.pathOf(strings.ToLower(m[1]), m[2]); path != "" {
			s.checkBody(strings.ToLower(m[1]), path, example(m[3]))
			found++
		}
	}
	if found < 5 {
		t.Errorf("docs/api.md has %d examples, want the test to find 5 at least", found)
	}
}

// example fills in what a documented body leaves open.
func example(text string) string {
	text = regexp.MustCompile(`"[a-z]+(\\\|[a-z]+)+"`).ReplaceAllStringFunc(text, func(all string) string { // one of several
		one, _, _ := strings.Cut(all, `\|`)
		return one + `"`
	})
	text = regexp.MustCompile(`\[(\{[^{}]*\}), …\]`).ReplaceAllString(text, "[$1, $1]")
	text = strings.NewReplacer(": …", ": 1").Replace(text)
	return strings.ReplaceAll(text, `"sessionId": "…"`, `"sessionId": "`+foreignID+`"`)
}

// pathOf returns the described path that a documented one, which may begin with …,
// stands for; empty when none or more than one ends so.
func (s schemas) pathOf(method, documented string) string {
	tail := pathParameter.ReplaceAllString(strings.TrimPrefix(documented, "…"), "{}")
	var found []string
	for path, methods := range s.paths {
		if _, ok := methods[method]; ok && strings.HasSuffix(pathParameter.ReplaceAllString(path, "{}"), tail) {
			found = append(found, path)
		}
	}
	if len(found) != 1 {
		return ""
	}
	return found[0]
}

// checkBody holds a request's body against what is described for it.
func (s schemas) checkBody(method, path, body string) {
	s.t.Helper()
	for _, content := range s.paths[path][method].RequestBody.Content {
		s.validate(method+" "+path, content, []byte(body))
	}
}
