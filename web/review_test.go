package web

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
	"golang.org/x/net/html"

	"quaestor/internal/postgres/postgrestest"
)

// tested returns the elements whose data-testid begins so.
func tested(root *html.Node, prefix string) []*html.Node {
	var out []*html.Node
	for n := range root.Descendants() {
		if strings.HasPrefix(attribute(n, "data-testid"), prefix) {
			out = append(out, n)
		}
	}
	return out
}

// only returns the one element of that data-testid.
func only(t *testing.T, root *html.Node, id string) *html.Node {
	t.Helper()
	for _, n := range tested(root, id) {
		if attribute(n, "data-testid") == id {
			return n
		}
	}
	t.Fatalf("the page has no %q: %.2000s", id, words(root))
	return nil
}

// kept is every row but those that say when a token was used.
func (w *world) kept() map[string]string {
	w.t.Helper()
	out := w.fingerprint()
	delete(out, "public.api_tokens")
	return out
}

// parsed is the tree of a page.
func parsed(t *testing.T, page string) *html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// send posts a form as a page without scripts does, and returns where it leads.
func (w *world) send(status int, path string, form url.Values) (location, body string) {
	w.t.Helper()
	resp := w.do(request{method: http.MethodPost, path: path, body: form.Encode(), header: map[string]string{"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}})
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	if resp.StatusCode != status {
		w.t.Fatalf("%s answered %d, want %d: %.1500s", path, resp.StatusCode, status, raw)
	}
	return resp.Header.Get("Location"), string(raw)
}

func TestReviewIsForReviewers(t *testing.T) {
	t.Parallel()

	c := openCourt(t)
	paths := []string{"/review", "/review/" + c.id, "/review/" + c.id + "/values/team", "/review/" + c.id + "/history", "/review/" + c.id + "/turns/2"}
	posts := map[string]url.Values{
		"/review/export": {"session": {c.id}, "format": {"json"}},
		"/review/" + c.id + "/values/team/confirm":                       {},
		"/review/" + c.id + "/values/team/decide":                        {"answer.team": {"9"}},
		"/review/" + c.id + "/values/team/reopen":                        {},
		"/review/" + c.id + "/conflicts/" + uuid.NewString():             {"side": {"0"}},
		"/review/" + c.id + "/comments":                                  {"text": {"So there"}},
		"/review/" + c.id + "/comments/" + uuid.NewString() + "/resolve": {},
	}
	for name, w := range map[string]*world{"anna": c.anna, "ben": c.ben, "vera": c.vera} {
		for _, path := range paths {
			resp := w.do(request{path: path, header: map[string]string{"Accept": "text/html"}})
			if body, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusForbidden || !strings.Contains(string(body), "This is not yours to do") {
				t.Errorf("%s sees %s: %d, want a page that refuses", name, path, resp.StatusCode)
			}
		}
		home := w.drawn("/")
		if len(tested(home, "review-link")) != 0 {
			t.Errorf("%s is led to the review", name)
		}
	}
	for path, form := range posts {
		c.anna.send(http.StatusForbidden, path, form)
		c.ben.send(http.StatusForbidden, path, form)
	}
	if got := c.obligation(c.anna, "team"); string(got.Value) != "4" {
		t.Errorf("the value is %s after refused writes, want 4", got.Value)
	}

	for _, path := range paths {
		c.rae.drawn(path)
		if resp := c.mallory.do(request{path: path}); path != "/review" && resp.StatusCode != http.StatusNotFound {
			t.Errorf("another tenant's owner sees %s: %d, want 404", path, resp.StatusCode)
		}
	}
	if rows := tested(c.mallory.drawn("/review"), "row-"); len(rows) != 0 {
		t.Errorf("another tenant lists %d sessions, want none", len(rows))
	}
	if got := attribute(only(t, c.rae.drawn("/"), "review-link"), "href"); got != "/review" {
		t.Errorf("the first page leads reviewers to %q, want /review", got)
	}
	c.mallory.send(http.StatusNotFound, "/review/export", posts["/review/export"])
}

// fill puts copies of a session's row into its tenant: n of them, a second apart,
// the i-th as by says.
func (w *world) fill(like string, n int, by string) {
	w.t.Helper()
	super := postgrestest.Superuser(w.t, w.pool)
	defer super.Close()
	_, err := super.Exec(w.t.Context(), `INSERT INTO elicitation_sessions (tenant_id, id, objective_id, context_type, user_id, created_at, status, session_phase, progress, completeness_score, turn_count, completed_at)
		SELECT s.tenant_id, gen_random_uuid(), s.objective_id, s.context_type, `+by+`
		FROM elicitation_sessions AS s, generate_series(1, $2::integer) AS i
		WHERE s.id = $1`, like, n)
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := super.Exec(w.t.Context(), `ANALYZE elicitation_sessions`); err != nil {
		w.t.Fatal(err)
	}
}

const mixed = `'person-' || i % 7, s.created_at - i * interval '1 second', (CASE WHEN i % 10 = 0 THEN 'completed' ELSE 'active' END), (ARRAY['opening', 'exploration', 'validation', 'closing'])[1 + i % 4], 0.5, 0.4, i % 30, CASE WHEN i % 10 = 0 THEN now() END`

// prolong gives a session n turns, in each of which a value was said.
func (w *world) prolong(id string, n int) {
	w.t.Helper()
	super := postgrestest.Superuser(w.t, w.pool)
	defer super.Close()
	for _, sql := range []string{
		`INSERT INTO turns (tenant_id, session_id, number, user_id, body_hash, first_seq, status, instance_id, interviewer, usage, finished_at)
		 SELECT s.tenant_id, s.id, i, s.user_id, '\x00', i, 'done', gen_random_uuid(), 'rules', '{}', now() FROM elicitation_sessions AS s, generate_series(s.turn_count + 1, $2::integer) AS i WHERE s.id = $1`,
		`INSERT INTO messages (tenant_id, session_id, turn, role, user_id, content)
		 SELECT s.tenant_id, s.id, i, r, CASE WHEN r = 'user' THEN s.user_id END, 'what ' || r || ' said in turn ' || i FROM elicitation_sessions AS s, generate_series(s.turn_count + 1, $2::integer) AS i, unnest(ARRAY['user', 'assistant']) AS r WHERE s.id = $1`,
		`INSERT INTO session_events (tenant_id, session_id, seq, turn, kinds, data)
		 SELECT s.tenant_id, s.id, 1000000 + i, i, ARRAY['message', 'completeness'], ARRAY['{}'::json, json_build_object('score', i / 4000.0, 'progress', i / 2000.0)] FROM elicitation_sessions AS s, generate_series(s.turn_count + 1, $2::integer) AS i WHERE s.id = $1`,
		`INSERT INTO obligation_events (tenant_id, session_id, obligation_key, event_type, old_status, new_status, old_confidence, new_confidence, source, metadata, turn_number)
		 SELECT s.tenant_id, s.id, 'team', 'status_changed', 'satisfied', 'satisfied', 0.9, 0.9, 'conversation', jsonb_build_object('set', jsonb_build_object('attempts', i)), i FROM elicitation_sessions AS s, generate_series(s.turn_count + 1, $2::integer) AS i WHERE s.id = $1`,
		`UPDATE elicitation_sessions SET turn_count = $2::integer WHERE id = $1`,
	} {
		if _, err := super.Exec(w.t.Context(), sql, id, n); err != nil {
			w.t.Fatal(err)
		}
	}
}

func compactJSON(t *testing.T, raw []byte) any {
	t.Helper()
	var out any
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &out); err != nil {
			t.Fatal(err)
		}
	}
	return out
}
