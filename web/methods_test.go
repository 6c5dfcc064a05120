package web_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"quaestor/web/webtest"
)

func TestMethodsOfAnAddress(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.Begin("business_profile")
	at := "/api/v1/sessions/" + id
	cases := []struct {
		method, path string
		status       int
		allow        string
	}{
		{"HEAD", "/livez", 200, ""},
		{"HEAD", "/readyz", 200, ""},
		{"HEAD", "/", 200, ""},
		{"HEAD", "/openapi.json", 200, ""},
		{"HEAD", at, 200, ""},
		{"HEAD", at + "/export?format=csv", 200, ""},
		{"HEAD", "/nothing", 404, ""},
		{"HEAD", at + "/events", 405, "GET, OPTIONS"},
		{"HEAD", at + "/socket", 405, "GET, OPTIONS"},
		{"HEAD", webtest.ChatPath, 405, "POST, OPTIONS"},
		{"OPTIONS", "/livez", 204, "GET, HEAD, OPTIONS"},
		{"OPTIONS", "/api/v1/sessions", 204, "GET, HEAD, POST, OPTIONS"},
		{"OPTIONS", "/nothing", 404, ""},
		{"DELETE", "/api/v1/sessions", 405, "GET, HEAD, POST, OPTIONS"},
		{"POST", "/metrics", 405, "GET, HEAD, OPTIONS"},
		{"PATCH", webtest.ChatPath, 405, "POST, OPTIONS"},
		{"BREW", "/livez", 405, "GET, HEAD, OPTIONS"},
		{"BREW", "/nothing", 404, ""},
	}
	for _, tt := range cases {
		t.Run(tt.method+" "+tt.path, func(t *testing.T) {
			resp := w.Do(webtest.Request{Method: tt.method, Path: tt.path})
			body, err := io.ReadAll(resp.Body)
			if err != nil {
				t.Fatal(err)
			}

			if resp.StatusCode != tt.status || resp.Header.Get("Allow") != tt.allow {
				t.Errorf("answered %d, Allow %q; want %d, %q", resp.StatusCode, resp.Header.Get("Allow"), tt.status, tt.allow)
			}
			if tt.method == "HEAD" && len(body) > 0 {
				t.Errorf("a HEAD has the body %s", body)
			}
			if tt.status == http.StatusMethodNotAllowed && tt.method != "HEAD" && !strings.Contains(string(body), "this address takes "+strings.Split(tt.allow, ",")[0]) {
				t.Errorf("the problem does not say what is possible: %s", body)
			}
		})
	}
}
