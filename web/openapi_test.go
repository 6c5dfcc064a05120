package web_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/google/go-cmp/cmp"

	"quaestor/web"
	"quaestor/web/talk"
	"quaestor/web/tasks"
	"quaestor/web/webtest"
)

func TestDescriptionIsSound(t *testing.T) {
	t.Parallel()

	d, raw := webtest.Open(t, webtest.Terms{}).Description()
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

func checkOperation(t *testing.T, name, path string, op webtest.OperationDoc) {
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
	for _, m := range webtest.PathParameter.FindAllStringSubmatch(path, -1) {
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

	w := webtest.Open(t, webtest.Terms{})
	d, _ := w.Description()
	var served, described []string
	err := chi.Walk(w.Server.Handler().(chi.Routes), func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if strings.HasPrefix(route, "/api/") || strings.HasPrefix(route, "/v1/") {
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

func TestAnswersAreAsDescribed(t *testing.T) {
	t.Parallel()

	c := webtest.OpenTown(t)
	anna, boss := c.People["anna"], c.People["boss"]
	anna.Say(talk.TurnBody{SessionID: c.Session, Message: "can you look up our target market?"})
	anna.Say(talk.TurnBody{SessionID: c.Session, Message: "our industry is food"})
	anna.Say(talk.TurnBody{SessionID: c.Session, Message: "no, actually we are in hospitality"})
	tasks := webtest.Fetch[web.Page[tasks.TaskBody]](anna, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + c.Session + "/research-tasks"})
	objectives := webtest.Fetch[web.Page[web.ObjectiveBody]](anna, http.StatusOK, webtest.Request{Path: "/api/v1/objectives"})
	s := boss.Schemas(t)
	visit := func(w *webtest.World, path string, values ...string) {
		t.Helper()
		address := path
		for _, v := range values {
			address = strings.Replace(address, webtest.PathParameter.FindString(address), v, 1)
		}
		resp := w.Do(webtest.Request{Path: address})
		raw, _ := io.ReadAll(resp.Body)
		if resp.StatusCode != http.StatusOK {
			t.Errorf("%s answered %d: %s", address, resp.StatusCode, raw)
			return
		}
		s.Check("get", path, "200", "application/json", raw)
	}
	visit(anna, "/api/v1/sessions")
	for _, id := range []string{c.Session, c.Completed} {
		for _, path := range []string{"/api/v1/sessions/{id}", "/api/v1/sessions/{id}/messages", "/api/v1/sessions/{id}/memory", "/api/v1/sessions/{id}/obligations",
			"/api/v1/sessions/{id}/history", "/api/v1/sessions/{id}/conflicts", "/api/v1/sessions/{id}/research-tasks"} {
			visit(anna, path, id)
		}
	}
	visit(anna, "/api/v1/sessions/{id}/turns/{turn}", c.Session, "2")
	visit(anna, "/api/v1/sessions/{id}/obligations/{key}", c.Session, "industry")
	visit(anna, "/api/v1/sessions/{id}/obligations/{key}/history", c.Session, "industry")
	visit(anna, "/api/v1/objectives")
	visit(anna, "/api/v1/objectives/{id}", objectives.Items[0].ID)
	visit(boss, "/api/v1/tokens")
	if len(tasks.Items) == 0 {
		t.Fatal("what the person wanted looked up is no research task")
	}
	visit(anna, "/api/v1/research-tasks/{id}", tasks.Items[0].ID)
	exported, _ := io.ReadAll(anna.Do(webtest.Request{Path: "/api/v1/sessions/" + c.Session + "/export"}).Body)
	s.Check("get", "/api/v1/sessions/{id}/export", "200", "application/json", exported)
	made := webtest.Fetch[json.RawMessage](boss, http.StatusCreated, webtest.Request{Path: "/api/v1/tokens", Body: map[string]any{"userId": "zoe", "role": "viewer"}})
	s.Check("post", "/api/v1/tokens", "201", "application/json", made)
	if !strings.Contains(string(made), `"id":"`) {
		t.Errorf("a token was made without its id: %s", made)
	}
	faulty := webtest.Fetch[json.RawMessage](anna, http.StatusOK, webtest.Request{Path: "/api/v1/objectives/lint", Body: `{"contextType": "x", "obligations": [{"promt": 1}]}`})
	s.Check("post", "/api/v1/objectives/lint", "200", "application/json", faulty)
	problem, _ := io.ReadAll(anna.Do(webtest.Request{Path: "/api/v1/sessions/" + c.Foreign}).Body)
	s.Check("get", "/api/v1/sessions/{id}", "404", "application/problem+json", problem)
}

// exampleOf finds the examples of docs/api.md: an operation and, on the same line, the
// body it takes.
var exampleOf = regexp.MustCompile("(?m)`(POST|PATCH|PUT) ([^` ]+)`[^`\n]*`(\\{\"[^`]*\\})`")

func TestDocumentedExamplesAreAsDescribed(t *testing.T) {
	t.Parallel()

	s := webtest.Open(t, webtest.Terms{}).Schemas(t)
	text, err := os.ReadFile("../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	_, first, _ := strings.Cut(string(text), "```json\n")
	first, _, _ = strings.Cut(first, "\n```")
	s.CheckBody("post", "/api/discovery-chat", example(first))
	s.CheckBody("post", "/api/discovery-chat", `{"contextType": "business_profile"}`)
	s.CheckBody("post", "/api/discovery-chat", `{"sessionId": "x", "message": "a", "later": true}`)
	found := 0
	for _, m := range exampleOf.FindAllStringSubmatch(string(text), -1) {
		if path := s.PathOf(strings.ToLower(m[1]), m[2]); path != "" {
			s.CheckBody(strings.ToLower(m[1]), path, example(m[3]))
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
	return strings.ReplaceAll(text, `"sessionId": "…"`, `"sessionId": "`+webtest.ForeignID+`"`)
}
