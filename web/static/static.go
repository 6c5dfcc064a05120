// Package static serves the pages' style sheets, scripts and pictures, embedded in the
// program, and holds those that several features use. A feature's own lie in its folder.
//
// Each file is served under a name that carries a hash of its content, such as
// /static/app.1f2e3d4c.css, and may be cached for ever: a new content is a new
// name. Scripts are plain ES modules that import each other as "./name.js", and those of
// this package, from another folder, as "../static/name.js"; the served copy imports the
// hashed name instead, so a changed module changes the name of everything that imports
// it. Nothing is fetched from elsewhere.
package static

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"path"
	"strings"
	"sync"
)

//go:embed *.css *.js *.svg vendor/htmx-4.0.1.min.js
var files embed.FS

// prefix is where the handler is mounted.
const prefix = "/static/"

// shared are the files of this package.
var shared = newFiles(files, nil)

// Files are the embedded files of one folder. Names are unique over all folders.
type Files struct {
	bundle func() *bundle
}

// New returns the files of a feature's folder. They are read and named when the first
// of them is asked for; since they are part of the program, a fault in them is a
// programmer's and panics.
func New(files fs.FS) *Files { return newFiles(files, shared) }

// newFiles returns the files of a folder whose modules may import those of above.
func newFiles(files fs.FS, above *Files) *Files {
	return &Files{sync.OnceValue(func() *bundle {
		b, err := newBundle(files, above)
		if err != nil {
			panic(fmt.Sprintf("embedded assets: %v", err))
		}
		return b
	})}
}

// Path returns the address of the file called name, such as "app.css". It
// panics when there is none: names are constants of the pages.
func (f *Files) Path(name string) string {
	a, ok := f.bundle().byName[name]
	if !ok {
		panic("no embedded asset " + name)
	}
	return prefix + a.file
}

// Path returns the address of a file of this package.
func Path(name string) string { return shared.Path(name) }

// Handler serves what the Path of this package and of features names, for GET and HEAD,
// to be mounted at /static/. Anything else is 404, plain names without a hash too.
func Handler(features ...*Files) http.Handler {
	served := maps.Clone(shared.bundle().byFile)
	for _, f := range features {
		maps.Copy(served, f.bundle().byFile)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, ok := served[strings.TrimPrefix(r.URL.Path, prefix)]
		if !ok {
			http.NotFound(w, r)
			return
		}
		a.serve(w, r)
	})
}

func (a asset) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "read only", http.StatusMethodNotAllowed)
		return
	}
	h := w.Header()
	h.Set("Content-Type", contentTypes[path.Ext(a.file)])
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Length", fmt.Sprint(len(a.body)))
	if r.Method == http.MethodGet {
		_, _ = w.Write(a.body) // a browser that left needs no answer
	}
}

// contentTypes are named here because the tables of operating systems differ.
var contentTypes = map[string]string{
	".css": "text/css; charset=utf-8",
	".js":  "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
}
