package webtest

import (
	"io"
	"net/http"

	"quaestor/sessions"
	"quaestor/web/share"
)

// Linked makes a link to the brief of a session.
func (w *World) Linked(session string, extent sessions.Extent) share.ShareBody {
	w.T.Helper()
	return Fetch[share.ShareBody](w, http.StatusCreated, Request{Path: "/api/v1/sessions/" + session + "/shares", Body: map[string]any{"extent": extent, "days": 3}})
}

// Got is an answer to somebody without any credential.
func (w *World) Got(path string) (*http.Response, string) {
	w.T.Helper()
	stranger := *w
	stranger.Token = ""
	resp := stranger.Do(Request{Path: path, Header: map[string]string{"Accept": "text/html"}})
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		w.T.Fatal(err)
	}
	return resp, string(raw)
}
