package web_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"quaestor/internal/auth"
	"quaestor/web"
	"quaestor/web/webtest"
)

func TestReferenceShowsEveryOperationAndShape(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	d, _ := w.Description()
	root := w.Drawn("/docs")
	shown := map[string]string{}
	for n := range root.Descendants() {
		if id := webtest.Attribute(n, "id"); id != "" {
			if _, twice := shown[id]; twice {
				t.Errorf("two elements are called %q", id)
			}
			shown[id] = webtest.Words(n)
		}
	}

	if text := webtest.Words(root); !strings.Contains(text, w.URL+"/api/v1/sessions") {
		t.Errorf("the example does not name this server, %s", w.URL)
	}
	for path, methods := range d.Paths {
		for method, op := range methods {
			text, known := shown["op-"+op.OperationID]
			if !known || !strings.Contains(text, op.Summary) || !strings.Contains(text, strings.ToUpper(method)+" "+path) {
				t.Errorf("%s %s is shown as %q", method, path, text)
			}
			for _, p := range op.Parameters {
				if !strings.Contains(text, p.Name) {
					t.Errorf("%s %s does not show its parameter %s", method, path, p.Name)
				}
			}
			for status := range op.Responses {
				if status != "default" && !strings.Contains(text, status) {
					t.Errorf("%s %s does not show its answer %s", method, path, status)
				}
			}
		}
	}
	if text := shown["shape-Problem"]; !strings.Contains(text, "detail string required") || !strings.Contains(text, "list of ProblemField") {
		t.Errorf("the problem is shown as %q", text)
	}
	checkPlaces(t, root, shown)
}

// checkPlaces follows the page's links to places on it, and makes sure that it
// asks for nothing from elsewhere.
func checkPlaces(t *testing.T, root *html.Node, places map[string]string) {
	t.Helper()
	links := 0
	for n := range root.Descendants() {
		href := webtest.Attribute(n, "href")
		if place, here := strings.CutPrefix(href, "#"); here && n.Data == "a" {
			links++
			if _, known := places[place]; !known {
				t.Errorf("the link %q leads nowhere", href)
			}
		}
		if n.Data == "script" && (!strings.HasPrefix(webtest.Attribute(n, "src"), "/static/") || n.FirstChild != nil) || n.Data == "style" || webtest.Attribute(n, "style") != "" || strings.Contains(webtest.Attribute(n, "src")+href, "//") {
			t.Errorf("the page holds %s %v, against its policy", n.Data, n.Attr)
		}
	}
	if links < 50 {
		t.Errorf("%d links within the page, want one for each operation and more", links)
	}
}

func TestHomeLeadsToTheReference(t *testing.T) {
	t.Parallel()

	var leads []string
	for n := range webtest.Open(t, webtest.Terms{}).Drawn("/").Descendants() {
		if n.Data == "a" {
			leads = append(leads, webtest.Attribute(n, "href"))
		}
	}
	if !slices.Contains(leads, "/docs") || !slices.Contains(leads, "/openapi.json") {
		t.Errorf("the first page leads to %v, want /docs and /openapi.json", leads)
	}
}

func TestReferenceIsReadWithoutAToken(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	w.Drawn("/docs")
	if got := webtest.Fetch[map[string]any](w, http.StatusOK, webtest.Request{Path: "/openapi.json"}); got["openapi"] == nil {
		t.Errorf("without a token /openapi.json describes %v", got)
	}
	w.As(w.Tenant, "vera", auth.Viewer).Drawn("/docs")
}

func TestTypeOf(t *testing.T) {
	t.Parallel()

	one, many := 1.0, 200.0
	for _, tt := range []struct {
		name   string
		schema *huma.Schema
		want   web.ReferenceType
	}{
		{"none", nil, web.ReferenceType{Words: "anything"}},
		{"any", &huma.Schema{}, web.ReferenceType{Words: "anything"}},
		{"shape", &huma.Schema{Ref: "#/components/schemas/Turn"}, web.ReferenceType{Shape: "Turn"}},
		{"list of shapes", &huma.Schema{Type: "array", Items: &huma.Schema{Ref: "#/components/schemas/Turn"}}, web.ReferenceType{Words: "list of", Shape: "Turn"}},
		{"map of texts", &huma.Schema{Type: "object", AdditionalProperties: &huma.Schema{Type: "string"}}, web.ReferenceType{Words: "by name, string"}},
		{"choice", &huma.Schema{Type: "string", Enum: []any{"a", "b"}}, web.ReferenceType{Words: "one of a, b"}},
		{"moment", &huma.Schema{Type: "string", Format: "date-time"}, web.ReferenceType{Words: "string (date-time)"}},
		{"bounded", &huma.Schema{Type: "integer", Format: "int64", Minimum: &one, Maximum: &many, Default: 50}, web.ReferenceType{Words: "integer, 1 to 200, 50 when left out"}},
		{"from one on", &huma.Schema{Type: "integer", Minimum: &one}, web.ReferenceType{Words: "integer, at least 1"}},
	} {
		if diff := cmp.Diff(tt.want, web.TypeOf(tt.schema)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// People who look at a page are not spoken to in the terms of the API.
func TestPagesSayWhatWentWrongToPeople(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	for path, want := range map[string]string{
		"/s/0b9f4c3e-0000-4000-8000-000000000000": "404 This interview is not here The address may be mistyped, or the interview is somebody else's.",
		"/nothing":   "404 There is nothing here The address may be mistyped, or what was here has moved.",
		"/s/a?b=%ff": "400 This could not be read The address is not plain UTF-8 text.",
	} {
		resp := w.Do(webtest.Request{Path: path, Header: map[string]string{"Accept": "text/html"}})
		root, err := html.Parse(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		if got := webtest.Words(root); !strings.Contains(got, want) {
			t.Errorf("%s says %q, want %q", path, got, want)
		}
	}
}
