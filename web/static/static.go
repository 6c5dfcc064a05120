// Package static holds the pages' style sheets, scripts and pictures, embedded
// in the program.
//
// Each file is served under a name that carries a hash of its content, such as
// /static/app.1f2e3d4c.css, and may be cached for ever: a new content is a new
// name. Scripts are plain ES modules that import each other as "./name.js"; the
// served copy imports the hashed name instead, so a changed module changes the
// name of everything that imports it. Nothing is fetched from elsewhere.
package static

import (
	"embed"
	"fmt"
	"net/http"
	"path"
	"strings"
	"sync"
)

//go:embed *.css *.js *.svg vendor/htmx-4.0.1.min.js
var files embed.FS

// prefix is where the handler is mounted.
const prefix = "/static/"

// bundled reads and names the embedded files once. They are part of the
// program, so a fault in them is a programmer's.
var bundled = sync.OnceValue(func() *bundle {
	b, err := newBundle(files)
	if err != nil {
		panic(fmt.Sprintf("embedded assets: %v", err))
	}
	return b
})

// Path returns the address of the file called name, such as "app.css". It
// panics when there is none: names are constants of the pages.
func Path(name string) string {
	a, ok := bundled().byName[name]
	if !ok {
		panic("no embedded asset " + name)
	}
	return prefix + a.file
}

// Handler serves what [Path] names, for GET and HEAD, to be mounted at
// /static/. Anything else is 404, plain names without a hash too.
func Handler() http.Handler { return http.HandlerFunc(serve) }

func serve(w http.ResponseWriter, r *http.Request) {
	a, ok := bundled().byFile[strings.TrimPrefix(r.URL.Path, prefix)]
	if !ok {
		http.NotFound(w, r)
		return
	}
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
