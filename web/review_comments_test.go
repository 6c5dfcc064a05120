package web

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// commentsOf lists a session's comments as somebody.
func (c reviewWorld) commentsOf(w *world, query string) page[commentSeen] {
	w.t.Helper()
	return fetch[page[commentSeen]](w, http.StatusOK, request{path: c.path + "/comments" + query})
}

func TestReviewersComment(t *testing.T) {
	t.Parallel()

	c := openCourt(t)
	add := func(body map[string]any) commentSeen {
		t.Helper()
		return fetch[commentSeen](c.rae, http.StatusCreated, request{path: c.path + "/comments", body: body})
	}
	whole := add(map[string]any{"text": "  Ask <b>again</b> in May \n"})
	value := add(map[string]any{"text": "Four is what the register says", "key": "team"})
	turn := add(map[string]any{"text": "A leading question", "turn": 2})
	if whole.Text != "Ask <b>again</b> in May" || whole.Author != "rae" || value.Key != "team" || turn.Turn != 2 || whole.ResolvedAt != nil {
		t.Errorf("kept %+v, %+v, %+v", whole, value, turn)
	}

	root := c.rae.drawn("/review/" + c.id)
	if got := words(only(t, only(t, root, "value-team"), "comment-"+value.ID)); !strings.Contains(got, "Four is what the register says") {
		t.Errorf("the value's comment says %q", got)
	}
	if got := words(only(t, only(t, root, "comments"), "comment-"+whole.ID)); !strings.Contains(got, "Ask <b>again</b> in May") {
		t.Errorf("the session's comment says %q", got)
	}
	only(t, c.rae.drawn("/review/"+c.id+"/turns/2"), "comment-"+turn.ID)
	if got := words(only(t, c.rae.drawn("/review"), "row-"+c.id)); !strings.Contains(got, "3 open comments") {
		t.Errorf("the row says %q", got)
	}

	for range 2 { // again is the same
		dealt := fetch[commentSeen](c.rae, http.StatusOK, request{method: http.MethodPost, path: c.path + "/comments/" + value.ID + "/resolve"})
		if dealt.ResolvedBy != "rae" || dealt.ResolvedAt == nil {
			t.Errorf("dealt with: %+v", dealt)
		}
	}
	location, _ := c.rae.send(http.StatusSeeOther, "/review/"+c.id+"/comments/"+turn.ID+"/resolve", url.Values{})
	if location != "/review/"+c.id+"/turns/2" {
		t.Errorf("it leads to %q", location)
	}
	if got := c.commentsOf(c.rae, "?open=true").Items; len(got) != 1 || got[0].ID != whole.ID {
		t.Errorf("open are %+v", got)
	}
	first := c.commentsOf(c.rae, "?limit=2")
	if rest := c.commentsOf(c.rae, "?limit=2&cursor="+first.NextCursor); len(first.Items) != 2 || len(rest.Items) != 1 || rest.Items[0].ID != turn.ID || rest.NextCursor != "" {
		t.Errorf("pages hold %+v and %+v", first, rest)
	}
}

func TestCommentsAreForReviewersOfTheTenant(t *testing.T) {
	t.Parallel()

	c := openCourt(t)
	made := fetch[commentSeen](c.rae, http.StatusCreated, request{path: c.path + "/comments", body: map[string]any{"text": "She hesitates", "key": "team"}})
	before := c.rae.kept()
	for name, w := range map[string]*world{"anna": c.anna, "ben": c.ben, "vera": c.vera, "mallory": c.mallory} {
		want := http.StatusForbidden
		if name == "mallory" {
			want = http.StatusNotFound
		}
		for _, q := range []request{{path: c.path + "/comments"}, {path: c.path + "/comments", body: map[string]any{"text": "x"}}, {method: http.MethodPost, path: c.path + "/comments/" + made.ID + "/resolve"}} {
			if resp := w.do(q); resp.StatusCode != want {
				t.Errorf("%s: %s answers %d, want %d", name, q.path, resp.StatusCode, want)
			}
		}
	}
	for _, path := range []string{"/s/" + c.id, c.path, c.path + "/obligations", c.path + "/history", c.path + "/messages", c.path + "/export?format=json", c.path + "/export?format=md"} {
		resp := c.anna.do(request{path: path})
		if body, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusOK || strings.Contains(string(body), "hesitates") {
			t.Errorf("the person sees the comment at %s (%d)", path, resp.StatusCode)
		}
	}
	if diff := cmp.Diff(before, c.rae.kept()); diff != "" {
		t.Errorf("refused requests changed something (-before +after):\n%s", diff)
	}
}

func TestCommentsThatCannotBeKept(t *testing.T) {
	t.Parallel()

	c := openCourt(t)
	before := c.rae.kept()
	for name, body := range map[string]map[string]any{
		"empty": {"text": " \n"}, "long": {"text": strings.Repeat("ä", 2001)}, "of nothing": {"text": "x", "key": "nothing"}, "of a turn to come": {"text": "x", "turn": 99},
	} {
		if resp := c.rae.do(request{path: c.path + "/comments", body: body}); resp.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d, want 422", name, resp.StatusCode)
		}
	}
	for _, id := range []string{"nonsense", uuid.NewString()} {
		if resp := c.rae.do(request{method: http.MethodPost, path: c.path + "/comments/" + id + "/resolve"}); resp.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d, want 404", id, resp.StatusCode)
		}
	}
	for form, where := range map[string]url.Values{"comment": {}, "comment.team": {"key": {"team"}}, "turn-comment-2": {"turn": {"2"}}} {
		where.Set("form", form)
		where.Set("text", strings.Repeat("long ", 500))
		_, page := c.rae.send(http.StatusUnprocessableEntity, "/review/"+c.id+"/comments", where)
		root := parsed(t, page)
		if got := words(only(t, root, "refused")); got != "At most 2000 characters, not 2499." {
			t.Errorf("%s: the form says %q", form, got)
		}
		if field := only(t, root, "text-"+form); !strings.Contains(words(field), "long long") || attribute(field, "aria-invalid") != "true" {
			t.Errorf("%s: what was typed is gone, or not marked", form)
		}
	}
	if diff := cmp.Diff(before, c.rae.kept()); diff != "" {
		t.Errorf("refused comments changed something (-before +after):\n%s", diff)
	}
}
