package webtest

import (
	"net/http"
)

// Patch is an edit of a session's memory as its reader last saw it.
func (w *World) Patch(session, body string) Request {
	w.T.Helper()
	path := "/api/v1/sessions/" + session + "/memory"
	return Request{Method: http.MethodPatch, Path: path, Body: body, Header: map[string]string{"If-Match": w.Tag(path), "Content-Type": "application/merge-patch+json"}}
}
