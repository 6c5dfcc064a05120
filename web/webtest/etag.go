package webtest

import (
	"net/http"

	"quaestor/web"
)

// Tag returns the ETag of what is at path.
func (w *World) Tag(path string) string {
	w.T.Helper()
	resp := w.Do(Request{Path: path})
	if resp.StatusCode != http.StatusOK || resp.Header.Get("ETag") == "" {
		w.T.Fatalf("%s answered %d with the ETag %q", path, resp.StatusCode, resp.Header.Get("ETag"))
	}
	return resp.Header.Get("ETag")
}

// Active returns the address of a context's Active objective.
func (w *World) Active(contextType string) string {
	w.T.Helper()
	for _, o := range Fetch[web.Page[web.ObjectiveBody]](w, http.StatusOK, Request{Path: "/api/v1/objectives"}).Items {
		if o.ContextType == contextType {
			return "/api/v1/objectives/" + o.ID
		}
	}
	w.T.Fatalf("there is no objective %s", contextType)
	return ""
}

// Publish publishes a further version of tiny as its editor would.
func (w *World) Publish(definition string) {
	w.T.Helper()
	Fetch[web.ObjectiveBody](w, http.StatusCreated, Request{Path: "/api/v1/objectives", Body: definition, Header: map[string]string{"If-Match": w.Tag(w.Active("tiny"))}})
}
