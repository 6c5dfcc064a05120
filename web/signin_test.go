package web

import (
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// A browser without a token was told of a header in one line, and offered a way
// back to the page that refused it: now the page says how to come in.
func TestBrowserWithoutATokenReadsHowToComeIn(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	stranger := *w
	stranger.token = "qst_nobody"
	for _, tt := range []struct {
		who  *world
		path string
		says string
	}{
		{w, "/", "A token is needed"},
		{w, "/s/0b9f4c3e-0000-4000-8000-000000000000", "A token is needed"},
		{&stranger, "/", "This token is not known, expired or revoked"},
	} {
		resp := tt.who.do(request{path: tt.path, header: map[string]string{"Accept": "text/html,application/xhtml+xml"}})
		root, err := html.Parse(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		got := words(root)
		for _, want := range []string{tt.says, "link of your invitation", `curl -H "Authorization: Bearer $TOKEN" ` + w.url + "/api/v1/sessions", "quaestor token create --tenant acme --user ada --role member"} {
			if !strings.Contains(got, want) {
				t.Errorf("%s does not say %q: %s", tt.path, want, got)
			}
		}
		if resp.StatusCode != http.StatusUnauthorized || resp.Header.Get("WWW-Authenticate") == "" || !leadsTo(root, "/docs") {
			t.Errorf("%s answered %d, challenge %q", tt.path, resp.StatusCode, resp.Header.Get("WWW-Authenticate"))
		}
		checkRefusal(t, tt.who, refusal{request: request{path: tt.path}, status: 401})
		checkRefusal(t, tt.who, refusal{request: request{path: tt.path, header: map[string]string{"Accept": "application/json"}}, status: 401})
	}
	checkRefusal(t, w, refusal{request: request{path: "/api/v1/sessions", header: map[string]string{"Accept": "text/html"}}, status: 401})
}

func leadsTo(root *html.Node, address string) bool {
	for n := range root.Descendants() {
		if attribute(n, "href") == address {
			return true
		}
	}
	return false
}
