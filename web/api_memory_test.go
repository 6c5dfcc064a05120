package web

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/auth"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/obligations"
	"quaestor/sessions"
)

// patch is an edit of a session's memory as its reader last saw it.
func (w *world) patch(session, body string) request {
	w.t.Helper()
	path := "/api/v1/sessions/" + session + "/memory"
	return request{method: http.MethodPatch, path: path, body: body, header: map[string]string{"If-Match": w.tag(path), "Content-Type": "application/merge-patch+json"}}
}

func TestMemoryIsReadEditedAndForgotten(t *testing.T) {
	t.Parallel()

	c := openTown(t)
	anna, boss := c.people["anna"], c.people["boss"]
	path := "/api/v1/sessions/" + c.session + "/memory"

	edited := fetch[sessions.Memory](anna, http.StatusOK, anna.patch(c.session, `{"userPreferences":{"brevity":true,"language":"plain"},"conversationStyle":"formal",
		"pendingFollowUps":[{"obligationKey":"industry","reason":"they were not sure","priority":7,"scheduledTurn":9}]}`))
	if diff := cmp.Diff(fetch[sessions.Memory](anna, http.StatusOK, request{path: path}), edited); diff != "" || edited.Style != sessions.Formal || len(edited.FollowUps) != 1 {
		t.Errorf("the memory after the edit (-read +answered):\n%s", diff)
	}
	forget := func(part, note string) request {
		return request{method: http.MethodDelete, path: path + "/" + part + "/" + note, header: map[string]string{"If-Match": boss.tag(path)}}
	}
	fetch[sessions.Memory](boss, http.StatusOK, forget("pendingFollowUps", "0"))
	left := fetch[sessions.Memory](boss, http.StatusOK, forget("userPreferences", "language"))

	if len(left.FollowUps) != 0 || !cmp.Equal(left.Preferences, sessions.Preferences{"brevity": "true"}) || left.Style != sessions.Formal {
		t.Errorf("after forgetting %+v is left", left)
	}
	for _, p := range fetch[struct {
		All map[string]any `json:"userPreferences"`
	}](anna, http.StatusOK, request{path: path}).All {
		if p != true {
			t.Errorf("brevity is read as %#v, want true", p)
		}
	}
	want := []string{"anna [pendingFollowUps userPreferences.brevity userPreferences.language conversationStyle]", "boss [pendingFollowUps]", "boss [userPreferences.language]"}
	var got []string
	log, _, err := sessions.After(t.Context(), c.pool, obligations.Scope{Tenant: c.tenant, Session: c.session}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range log {
		var told struct {
			By      string   `json:"editedBy"`
			Changed []string `json:"changed"`
		}
		if err := json.Unmarshal(e.Data, &told); err != nil {
			t.Fatal(err)
		}
		if e.Kind == sessions.KindMemory && told.By != "" && !e.At.IsZero() {
			got = append(got, fmt.Sprint(told.By, " ", told.Changed))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("who changed what, by the log (-want +got):\n%s", diff)
	}
}

func TestEditsOfMemoryAreRefusedAndChangeNothing(t *testing.T) {
	t.Parallel()

	c := openTown(t)
	anna := c.people["anna"]
	path := "/api/v1/sessions/" + c.session + "/memory"
	old := anna.tag(path)
	fetch[sessions.Memory](anna, http.StatusOK, anna.patch(c.session, `{"userPreferences":{"brevity":true}}`))
	tag := anna.tag(path)
	edit := func(body, ifMatch string) request {
		q := request{method: http.MethodPatch, path: path, body: body, header: map[string]string{}}
		if ifMatch != "" {
			q.header["If-Match"] = ifMatch
		}
		return q
	}
	remove := func(note, ifMatch string) request {
		q := edit("", ifMatch)
		q.method, q.path, q.body = http.MethodDelete, path+"/"+note, nil
		return q
	}
	refusals := []refusal{
		{name: "no precondition", request: edit(`{}`, ""), status: 428, says: []string{path}},
		{name: "stale", request: edit(`{"conversationStyle":"formal"}`, old), status: 412, says: []string{"read it again", path}},
		{name: "forget without a precondition", request: remove("userPreferences/brevity", ""), status: 428},
		{name: "forget what has changed", request: remove("userPreferences/brevity", old), status: 412},
		{name: "forget what is not there", request: remove("userPreferences/colour", tag), status: 404, code: "note_not_found"},
		{name: "forget beyond the list", request: remove("recentTopics/17", tag), status: 404, code: "note_not_found"},
		{name: "forget of an unknown part", request: remove("colour/0", tag), status: 422},
		{name: "unknown field", request: edit(`{"colour":"red"}`, tag), status: 422, field: "colour", says: []string{"recentTopics"}},
		{name: "name twice", request: edit(`{"recentTopics":["a"],"recentTopics":["b"]}`, tag), status: 400, code: "repeated_name", field: "recentTopics"},
		{name: "unknown nested field", request: edit(`{"pendingFollowUps":[{"obligationKey":"industry","reason":"x","priority":5,"colour":1}]}`, tag), status: 422, field: "pendingFollowUps[0].colour"},
		{name: "unknown key", request: edit(`{"pendingFollowUps":[{"obligationKey":"nothing","reason":"x","priority":5}]}`, tag), status: 422, field: "pendingFollowUps[0].obligationKey"},
		{name: "out of bounds", request: edit(`{"userPreferences":{"a":"`+strings.Repeat("x", 400)+`"}}`, tag), status: 422, field: "userPreferences.a"},
		{name: "malformed", request: edit(`{"userPreferences":`, tag), status: 400},
		{name: "too large", request: edit(`{"recentTopics":["`+strings.Repeat("x", 70<<10)+`"]}`, tag), status: 413},
		{name: "foreign tenant", who: "mallory", request: edit(`{}`, tag), status: 404, code: "session_not_found"},
		{name: "other member", who: "ben", request: edit(`{}`, tag), status: 404, code: "session_not_found"},
		{name: "no token", who: "nobody", request: edit(`{}`, tag), status: 401},
		{name: "summaries of another member", who: "ben", request: request{path: "/api/v1/sessions/" + c.session + "/summaries"}, status: 404, code: "session_not_found"},
		{name: "summaries of a level beyond all", request: request{path: "/api/v1/sessions/" + c.session + "/summaries?level=99"}, status: 422},
		{name: "summaries after nothing", request: request{path: "/api/v1/sessions/" + c.session + "/summaries?cursor=x"}, status: 400, field: "cursor"},
	}
	before := c.fingerprint()
	for _, tt := range refusals {
		t.Run(tt.name, func(t *testing.T) { // in turn: each must leave the tables as they are
			who := c.people[tt.who]
			if tt.who == "" {
				who = anna
			}
			checkRefusal(t, who, tt)
		})
	}
	if diff := cmp.Diff(before, c.fingerprint()); diff != "" {
		t.Errorf("refused requests changed tables (-before +after):\n%s", diff)
	}
}

// Edits answered no ETag, so that who edits twice had to read in between: they
// answer the one that reading gives from then on.
func TestEditsOfMemoryAnswerTheTagForTheNext(t *testing.T) {
	t.Parallel()

	c := openTown(t)
	anna := c.people["anna"]
	path := "/api/v1/sessions/" + c.session + "/memory"
	q := anna.patch(c.session, `{"userPreferences":{"brevity":true},"conversationStyle":"formal"}`)
	for _, next := range []func(tag string) request{
		func(tag string) request {
			return request{method: http.MethodDelete, path: path + "/userPreferences/brevity", header: map[string]string{"If-Match": tag}}
		},
		func(tag string) request { return edited(path, `{"conversationStyle":null}`, tag) },
		func(tag string) request { return edited(path, `{"conversationStyle":null}`, tag) }, // changes nothing
		func(string) request { return request{path: path} },
	} {
		resp := anna.do(q)
		tag := resp.Header.Get("ETag")
		if resp.StatusCode != http.StatusOK || tag == "" || tag != anna.tag(path) {
			t.Errorf("%s answered %d with the ETag %q, want that of reading, %q", q.method, resp.StatusCode, tag, anna.tag(path))
		}
		q = next(tag)
	}
}

func edited(path, body, tag string) request {
	return request{method: http.MethodPatch, path: path, body: body, header: map[string]string{"If-Match": tag, "Content-Type": "application/merge-patch+json"}}
}

// A viewer sees their own session's memory and leaves it as it is.
// An edit that waits for somebody who completes the session came through, for it was
// looked at before.
func TestEditOfMemoryThatWaitsForACompletionIsRefused(t *testing.T) {
	t.Parallel()

	c := openTown(t)
	anna, db := c.people["anna"], postgrestest.Superuser(t, c.pool)
	edit := anna.patch(c.session, `{"userPreferences":{"brevity":true}}`)
	tx, err := db.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	if _, err := tx.Exec(t.Context(), `UPDATE elicitation_sessions SET status = 'completed', completed_at = now() WHERE id = $1`, c.session); err != nil {
		t.Fatal(err)
	}
	edited := make(chan *http.Response, 1)
	go func() { edited <- anna.do(edit) }()
	locked(t, db)

	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}

	if got := <-edited; got.StatusCode != http.StatusConflict {
		t.Errorf("the edit of a session that was completed meanwhile: %d, want 409", got.StatusCode)
	}
}

// locked waits until somebody waits for a lock in the database.
func locked(t *testing.T, db *pgxpool.Pool) {
	t.Helper()
	for until := time.Now().Add(10 * time.Second); ; {
		var n int
		if err := db.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n > 0 {
			return
		}
		if time.Now().After(until) {
			t.Fatal("nobody waited for the lock")
		}
	}
}

func TestViewersDoNotEditMemory(t *testing.T) {
	t.Parallel()

	c := openTown(t)
	anna := c.as(c.tenant, "anna", auth.Viewer)

	checkRefusal(t, anna, refusal{request: anna.patch(c.session, `{"conversationStyle":"formal"}`), status: 403, code: "role_too_low"})
}

// Of many who edit what they all have read, one does; the others are told.
func TestOneOfManyEditsOfTheSameMemoryHolds(t *testing.T) {
	t.Parallel()

	c := openTown(t)
	anna := c.people["anna"]
	q := anna.patch(c.session, "")
	var wg sync.WaitGroup
	statuses := make([]int, 8)
	for i := range statuses {
		wg.Go(func() {
			mine := q
			mine.body = fmt.Sprintf(`{"userPreferences":{"brevity":"%d"}}`, i)
			resp, err := http.DefaultTransport.RoundTrip(anna.build(mine))
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
			statuses[i] = resp.StatusCode
		})
	}
	wg.Wait()

	count := map[int]int{}
	for _, s := range statuses {
		count[s]++
	}
	if count[http.StatusOK] != 1 || count[http.StatusPreconditionFailed] != len(statuses)-1 {
		t.Errorf("the answers are %v, want one 200 and else 412", count)
	}
}

func TestSummariesAreListed(t *testing.T) {
	t.Parallel()

	c := openTown(t)
	anna := c.people["anna"]
	super := postgrestest.Superuser(t, c.pool)
	for _, level := range []string{"0", "1"} {
		if _, err := super.Exec(t.Context(), `INSERT INTO discovery_session_summaries (tenant_id, session_id, level, turn_range_start, turn_range_end, summary_text, so_far, obligation_snapshot)
			SELECT $1, $2, $3::int, n * s + 1, (n + 1) * s, 'Stretch ' || n, 'So far ' || n, '{"industry": {"label": "Industry", "status": "satisfied", "confidence": 0.8, "value": "bread", "turn": 2}}'
			FROM generate_series(0, CASE $3 WHEN '0' THEN 6 ELSE 1 END) AS n, (SELECT CASE $3 WHEN '0' THEN 10 ELSE 30 END AS s) AS x`, c.tenant, c.session, level); err != nil {
			t.Fatal(err)
		}
	}
	path := "/api/v1/sessions/" + c.session + "/summaries"

	var got []string
	for cursor := ""; ; {
		p := fetch[page[summaryBody]](anna, http.StatusOK, request{path: path + "?limit=3" + cursor})
		for _, m := range p.Items {
			got = append(got, fmt.Sprintf("%d-%d %s", m.From, m.To, m.Text))
			if m.Known["industry"].Value != "bread" || m.Research == nil || m.SoFar == "" {
				t.Errorf("summary %+v", m)
			}
		}
		if cursor = "&cursor=" + p.NextCursor; p.NextCursor == "" {
			break
		}
	}
	above := fetch[page[summaryBody]](anna, http.StatusOK, request{path: path + "?level=1"})

	want := []string{"1-10 Stretch 0", "11-20 Stretch 1", "21-30 Stretch 2", "31-40 Stretch 3", "41-50 Stretch 4", "51-60 Stretch 5", "61-70 Stretch 6"}
	if diff := cmp.Diff(want, got); diff != "" || len(above.Items) != 2 || above.Items[1].To != 60 {
		t.Errorf("above them %+v, summaries (-want +got):\n%s", above.Items, diff)
	}
	s := c.people["boss"].schemas(t)
	for _, address := range []string{"/summaries", "/memory"} {
		raw, err := io.ReadAll(anna.do(request{path: "/api/v1/sessions/" + c.session + address}).Body)
		if err != nil {
			t.Fatal(err)
		}
		s.check("get", "/api/v1/sessions/{id}"+address, "200", "application/json", raw)
	}
}
