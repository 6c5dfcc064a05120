package static

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

var hashedName = regexp.MustCompile(`^/static/[a-z]+\.[0-9a-f]{8}\.(css|js|svg)$`)

func get(t *testing.T, method, path string) *http.Response {
	t.Helper()
	rec := httptest.NewRecorder()
	Handler().ServeHTTP(rec, httptest.NewRequest(method, path, nil))
	return rec.Result()
}

func TestHandlerServesHashedNamesForEver(t *testing.T) {
	t.Parallel()

	for name, kind := range map[string]string{"app.css": "text/css", "parts.js": "text/javascript", "favicon.svg": "image/svg+xml"} {
		p := Path(name)
		if !hashedName.MatchString(p) {
			t.Errorf("Path(%q) = %q, want a hashed name", name, p)
		}
		res := get(t, http.MethodGet, p)
		if res.StatusCode != http.StatusOK || !strings.HasPrefix(res.Header.Get("Content-Type"), kind) {
			t.Errorf("GET %s = %d %s, want 200 %s", p, res.StatusCode, res.Header.Get("Content-Type"), kind)
		}
		if !strings.Contains(res.Header.Get("Cache-Control"), "immutable") || res.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("GET %s headers = %v, want immutable and nosniff", p, res.Header)
		}
	}
}

func TestHandlerRefuses(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name, method, path string
		want               int
	}{
		{"plain name", http.MethodGet, "/static/app.css", http.StatusNotFound},
		{"old hash", http.MethodGet, "/static/app.00000000.css", http.StatusNotFound},
		{"source", http.MethodGet, "/static/static.go", http.StatusNotFound},
		{"climbing", http.MethodGet, "/static/../static.go", http.StatusNotFound},
		{"writing", http.MethodPost, Path("app.css"), http.StatusMethodNotAllowed},
		{"head", http.MethodHead, Path("app.css"), http.StatusOK},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if got := get(t, tt.method, tt.path).StatusCode; got != tt.want {
				t.Errorf("%s %s = %d, want %d", tt.method, tt.path, got, tt.want)
			}
		})
	}
}

func TestModulesOfAFeatureImportSharedOnes(t *testing.T) {
	t.Parallel()

	f := New(fstest.MapFS{
		"top.js":  {Data: []byte("import { a } from \"./leaf.js\";\nimport { b } from \"../static/parts.js\";\na(b);\n")},
		"leaf.js": {Data: []byte("export const a = 1;")},
	})
	rec := httptest.NewRecorder()
	Handler(f).ServeHTTP(rec, httptest.NewRequest(http.MethodGet, f.Path("top.js"), nil))

	for _, name := range []string{f.Path("leaf.js"), Path("parts.js")} {
		if want := `"./` + strings.TrimPrefix(name, prefix) + `"`; !strings.Contains(rec.Body.String(), want) {
			t.Errorf("top.js is served as %q, want %s in it", rec.Body, want)
		}
	}
}

// Each import of a module is one whose name is replaced when it is served.
func TestServedModulesImportServedNames(t *testing.T) {
	t.Parallel()

	imported := regexp.MustCompile(`"\.{1,2}/[^"\n]*\.js"`)
	for name, body := range sources(t, "*.js") {
		if got, want := len(importLine.FindAllString(body, -1)), len(imported.FindAllString(body, -1)); got != want {
			t.Errorf("%s names %d modules, of which %d are replaced", name, want, got)
		}
	}
}

// sources returns the files of all folders of web that match a pattern, by path.
func sources(t *testing.T, pattern string) map[string]string {
	t.Helper()
	list, err := filepath.Glob("../*/" + pattern)
	if err != nil || len(list) == 0 {
		t.Fatalf("no files %s: %v", pattern, err)
	}
	out := map[string]string{}
	for _, name := range list {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = string(body)
	}
	return out
}

func TestChangedModuleRenamesItsImporters(t *testing.T) {
	t.Parallel()

	name := func(leaf string) string {
		b, err := newBundle(fstest.MapFS{
			"top.js":  {Data: []byte("import { a } from \"./leaf.js\";\na();\n")},
			"leaf.js": {Data: []byte(leaf)},
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return b.byName["top.js"].file
	}

	if one, two := name("export const a = 1;"), name("export const a = 2;"); one == two {
		t.Errorf("top.js is %s for both contents of leaf.js, want two names", one)
	}
}

func TestCircleIsRefused(t *testing.T) {
	t.Parallel()

	_, err := newBundle(fstest.MapFS{
		"one.js": {Data: []byte("import { b } from \"./two.js\";\n")},
		"two.js": {Data: []byte("import { a } from \"./one.js\";\n")},
	}, nil)

	if err == nil || !strings.Contains(err.Error(), "circle") {
		t.Errorf("newBundle = %v, want the circle named", err)
	}
}

// The pages' policy forbids inline code, evaluation and other origins; the
// scripts must not ask for them.
func TestAssetsKeepToThePolicy(t *testing.T) {
	t.Parallel()

	forbidden := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|https?://[^"\s]*\.(js|css|woff)|@import|url\(http`)
	for _, pattern := range []string{"*.js", "*.css"} { // not vendor: htmx puts in what our own server drew, and escaped
		for name, body := range sources(t, pattern) {
			if m := forbidden.FindString(body); m != "" {
				t.Errorf("%s contains %q", name, m)
			}
		}
	}
}
