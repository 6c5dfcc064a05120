package review_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"quaestor/web/review"
	"quaestor/web/webtest"
)

func TestReviewersComment(t *testing.T) {
	t.Parallel()

	c := webtest.OpenCourt(t)
	add := func(body map[string]any) review.CommentSeen {
		t.Helper()
		return webtest.Fetch[review.CommentSeen](c.Rae, http.StatusCreated, webtest.Request{Path: c.Path + "/comments", Body: body})
	}
	whole := add(map[string]any{"text": "  Ask <b>again</b> in May \n"})
	value := add(map[string]any{"text": "Four is what the register says", "key": "team"})
	turn := add(map[string]any{"text": "A leading question", "turn": 2})
	if whole.Text != "Ask <b>again</b> in May" || whole.Author != "rae" || value.Key != "team" || turn.Turn != 2 || whole.ResolvedAt != nil {
		t.Errorf("kept %+v, %+v, %+v", whole, value, turn)
	}

	root := c.Rae.Drawn("/review/" + c.ID)
	if got := webtest.Words(webtest.Only(t, webtest.Only(t, root, "value-team"), "comment-"+value.ID)); !strings.Contains(got, "Four is what the register says") {
		t.Errorf("the value's comment shows %q", got)
	}
	if got := webtest.Words(webtest.Only(t, webtest.Only(t, root, "comments"), "comment-"+whole.ID)); !strings.Contains(got, "Ask <b>again</b> in May") {
		t.Errorf("the session's comment shows %q", got)
	}
	webtest.Only(t, c.Rae.Drawn("/review/"+c.ID+"/turns/2"), "comment-"+turn.ID)
	if got := webtest.Words(webtest.Only(t, c.Rae.Drawn("/review"), "row-"+c.ID)); !strings.Contains(got, "3 open comments") {
		t.Errorf("the row shows %q", got)
	}

	for range 2 { // again is the same
		dealt := webtest.Fetch[review.CommentSeen](c.Rae, http.StatusOK, webtest.Request{Method: http.MethodPost, Path: c.Path + "/comments/" + value.ID + "/resolve"})
		if dealt.ResolvedBy != "rae" || dealt.ResolvedAt == nil {
			t.Errorf("dealt with: %+v", dealt)
		}
	}
	location, _ := c.Rae.Send(http.StatusSeeOther, "/review/"+c.ID+"/comments/"+turn.ID+"/resolve", url.Values{})
	if location != "/review/"+c.ID+"/turns/2" {
		t.Errorf("it leads to %q", location)
	}
	if got := c.CommentsOf(c.Rae, "?open=true").Items; len(got) != 1 || got[0].ID != whole.ID {
		t.Errorf("open are %+v", got)
	}
	first := c.CommentsOf(c.Rae, "?limit=2")
	if rest := c.CommentsOf(c.Rae, "?limit=2&cursor="+first.NextCursor); len(first.Items) != 2 || len(rest.Items) != 1 || rest.Items[0].ID != turn.ID || rest.NextCursor != "" {
		t.Errorf("pages hold %+v and %+v", first, rest)
	}
}

func TestCommentsAreForReviewersOfTheTenant(t *testing.T) {
	t.Parallel()

	c := webtest.OpenCourt(t)
	made := webtest.Fetch[review.CommentSeen](c.Rae, http.StatusCreated, webtest.Request{Path: c.Path + "/comments", Body: map[string]any{"text": "She hesitates", "key": "team"}})
	before := c.Rae.Kept()
	for name, w := range map[string]*webtest.World{"anna": c.Anna, "ben": c.Ben, "vera": c.Vera, "mallory": c.Mallory} {
		want := http.StatusForbidden
		if name == "mallory" {
			want = http.StatusNotFound
		}
		for _, q := range []webtest.Request{{Path: c.Path + "/comments"}, {Path: c.Path + "/comments", Body: map[string]any{"text": "x"}}, {Method: http.MethodPost, Path: c.Path + "/comments/" + made.ID + "/resolve"}} {
			if resp := w.Do(q); resp.StatusCode != want {
				t.Errorf("%s: %s answers %d, want %d", name, q.Path, resp.StatusCode, want)
			}
		}
	}
	for _, path := range []string{"/s/" + c.ID, c.Path, c.Path + "/obligations", c.Path + "/history", c.Path + "/messages", c.Path + "/export?format=json", c.Path + "/export?format=md"} {
		resp := c.Anna.Do(webtest.Request{Path: path})
		if body, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusOK || strings.Contains(string(body), "hesitates") {
			t.Errorf("the person sees the comment at %s (%d)", path, resp.StatusCode)
		}
	}
	if diff := cmp.Diff(before, c.Rae.Kept()); diff != "" {
		t.Errorf("refused requests changed something (-before +after):\n%s", diff)
	}
}

func TestCommentsThatCannotBeKept(t *testing.T) {
	t.Parallel()

	c := webtest.OpenCourt(t)
	before := c.Rae.Kept()
	for name, body := range map[string]map[string]any{
		"empty": {"text": " \n"}, "long": {"text": strings.Repeat("ä", 2001)}, "of nothing": {"text": "x", "key": "nothing"}, "of a turn to come": {"text": "x", "turn": 99},
	} {
		if resp := c.Rae.Do(webtest.Request{Path: c.Path + "/comments", Body: body}); resp.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d, want 422", name, resp.StatusCode)
		}
	}
	for _, id := range []string{"nonsense", uuid.NewString()} {
		if resp := c.Rae.Do(webtest.Request{Method: http.MethodPost, Path: c.Path + "/comments/" + id + "/resolve"}); resp.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d, want 404", id, resp.StatusCode)
		}
	}
	for form, where := range map[string]url.Values{"comment": {}, "comment.team": {"key": {"team"}}, "turn-comment-2": {"turn": {"2"}}} {
		where.Set("form", form)
		where.Set("text", strings.Repeat("long ", 500))
		_, page := c.Rae.Send(http.StatusUnprocessableEntity, "/review/"+c.ID+"/comments", where)
		root := parsed(t, page)
		if got := webtest.Words(webtest.Only(t, root, "refused")); got != "At most 2000 characters, not 2499." {
			t.Errorf("%s: the form shows %q", form, got)
		}
		if field := webtest.Only(t, root, "text-"+form); !strings.Contains(webtest.Words(field), "long long") || webtest.Attribute(field, "aria-invalid") != "true" {
			t.Errorf("%s: what was typed is gone, or not marked", form)
		}
	}
	if diff := cmp.Diff(before, c.Rae.Kept()); diff != "" {
		t.Errorf("refused comments changed something (-before +after):\n%s", diff)
	}
}
