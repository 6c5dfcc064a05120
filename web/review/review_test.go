package review_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
	"golang.org/x/net/html"

	"quaestor/web/webtest"
)

// parsed returns the tree of a page's HTML.
func parsed(t *testing.T, page string) *html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func TestReviewIsForReviewers(t *testing.T) {
	t.Parallel()

	c := webtest.OpenCourt(t)
	paths := []string{"/review", "/review/" + c.ID, "/review/" + c.ID + "/values/team", "/review/" + c.ID + "/history", "/review/" + c.ID + "/turns/2"}
	posts := map[string]url.Values{
		"/review/export": {"session": {c.ID}, "format": {"json"}},
		"/review/" + c.ID + "/values/team/confirm":                       {},
		"/review/" + c.ID + "/values/team/decide":                        {"answer.team": {"9"}},
		"/review/" + c.ID + "/values/team/reopen":                        {},
		"/review/" + c.ID + "/conflicts/" + uuid.NewString():             {"side": {"0"}},
		"/review/" + c.ID + "/comments":                                  {"text": {"So there"}},
		"/review/" + c.ID + "/comments/" + uuid.NewString() + "/resolve": {},
	}
	for name, w := range map[string]*webtest.World{"anna": c.Anna, "ben": c.Ben, "vera": c.Vera} {
		for _, path := range paths {
			resp := w.Do(webtest.Request{Path: path, Header: map[string]string{"Accept": "text/html"}})
			if body, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusForbidden || !strings.Contains(string(body), "This is not yours to do") {
				t.Errorf("%s sees %s: %d, want a page that refuses", name, path, resp.StatusCode)
			}
		}
		home := w.Drawn("/")
		if len(webtest.Tested(home, "review-link")) != 0 {
			t.Errorf("%s is led to the review", name)
		}
	}
	for path, form := range posts {
		c.Anna.Send(http.StatusForbidden, path, form)
		c.Ben.Send(http.StatusForbidden, path, form)
	}
	if got := c.Obligation(c.Anna, "team"); string(got.Value) != "4" {
		t.Errorf("the value is %s after refused writes, want 4", got.Value)
	}

	for _, path := range paths {
		c.Rae.Drawn(path)
		if resp := c.Mallory.Do(webtest.Request{Path: path}); path != "/review" && resp.StatusCode != http.StatusNotFound {
			t.Errorf("another tenant's owner sees %s: %d, want 404", path, resp.StatusCode)
		}
	}
	if rows := webtest.Tested(c.Mallory.Drawn("/review"), "row-"); len(rows) != 0 {
		t.Errorf("another tenant lists %d sessions, want none", len(rows))
	}
	if got := webtest.Attribute(webtest.Only(t, c.Rae.Drawn("/"), "review-link"), "href"); got != "/review" {
		t.Errorf("the first page leads reviewers to %q, want /review", got)
	}
	c.Mallory.Send(http.StatusNotFound, "/review/export", posts["/review/export"])
}

const mixed = `'person-' || i % 7, s.created_at - i * interval '1 second', (CASE WHEN i % 10 = 0 THEN 'completed' ELSE 'active' END), (ARRAY['opening', 'exploration', 'validation', 'closing'])[1 + i % 4], 0.5, 0.4, i % 30, CASE WHEN i % 10 = 0 THEN now() END`
