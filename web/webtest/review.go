package webtest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"quaestor/internal/postgres/postgrestest"
)

// Tested returns the elements whose data-testid begins so.
func Tested(root *html.Node, prefix string) []*html.Node {
	var out []*html.Node
	for n := range root.Descendants() {
		if strings.HasPrefix(Attribute(n, "data-testid"), prefix) {
			out = append(out, n)
		}
	}
	return out
}

// Only returns the one element of that data-testid.
func Only(t *testing.T, root *html.Node, id string) *html.Node {
	t.Helper()
	for _, n := range Tested(root, id) {
		if Attribute(n, "data-testid") == id {
			return n
		}
	}
	t.Fatalf("the page has no %q: %.2000s", id, Words(root))
	return nil
}

// Kept is every row but those that say when a token was used.
func (w *World) Kept() map[string]string {
	w.T.Helper()
	out := w.Fingerprint()
	delete(out, "public.api_tokens")
	return out
}

// Send posts a form as a page without scripts does, and returns where it leads.
func (w *World) Send(status int, path string, form url.Values) (location, body string) {
	w.T.Helper()
	resp := w.Do(Request{Method: http.MethodPost, Path: path, Body: form.Encode(), Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}})
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		w.T.Fatal(err)
	}
	if resp.StatusCode != status {
		w.T.Fatalf("%s answered %d, want %d: %.1500s", path, resp.StatusCode, status, raw)
	}
	return resp.Header.Get("Location"), string(raw)
}

// Fill puts copies of a session's row into its tenant: n of them, a second apart,
// the i-th as by says.
func (w *World) Fill(like string, n int, by string) {
	w.T.Helper()
	super := postgrestest.Superuser(w.T, w.Pool)
	defer super.Close()
	_, err := super.Exec(w.T.Context(), `INSERT INTO elicitation_sessions (tenant_id, id, objective_id, context_type, user_id, created_at, status, session_phase, progress, completeness_score, turn_count, completed_at)
		SELECT s.tenant_id, gen_random_uuid(), s.objective_id, s.context_type, `+by+`
		FROM elicitation_sessions AS s, generate_series(1, $2::integer) AS i
		WHERE s.id = $1`, like, n)
	if err != nil {
		w.T.Fatal(err)
	}
	if _, err := super.Exec(w.T.Context(), `ANALYZE elicitation_sessions`); err != nil {
		w.T.Fatal(err)
	}
}

// Prolong gives a session n turns, in each of which a value was said.
func (w *World) Prolong(id string, n int) {
	w.T.Helper()
	super := postgrestest.Superuser(w.T, w.Pool)
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
		if _, err := super.Exec(w.T.Context(), sql, id, n); err != nil {
			w.T.Fatal(err)
		}
	}
}

func CompactJSON(t *testing.T, raw []byte) any {
	t.Helper()
	var out any
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &out); err != nil {
			t.Fatal(err)
		}
	}
	return out
}
