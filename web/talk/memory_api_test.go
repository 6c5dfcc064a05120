package talk_test

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
	"quaestor/web"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

func TestMemoryIsReadEditedAndForgotten(t *testing.T) {
	t.Parallel()

	c := webtest.OpenTown(t)
	anna, boss := c.People["anna"], c.People["boss"]
	path := "/api/v1/sessions/" + c.Session + "/memory"

	edited := webtest.Fetch[sessions.Memory](anna, http.StatusOK, anna.Patch(c.Session, `{"userPreferences":{"brevity":true,"language":"plain"},"conversationStyle":"formal",
		"pendingFollowUps":[{"obligationKey":"industry","reason":"they were not sure","priority":7,"scheduledTurn":9}]}`))
	if diff := cmp.Diff(webtest.Fetch[sessions.Memory](anna, http.StatusOK, webtest.Request{Path: path}), edited); diff != "" || edited.Style != sessions.Formal || len(edited.FollowUps) != 1 {
		t.Errorf("the memory after the edit (-read +answered):\n%s", diff)
	}
	forget := func(part, note string) webtest.Request {
		return webtest.Request{Method: http.MethodDelete, Path: path + "/" + part + "/" + note, Header: map[string]string{"If-Match": boss.Tag(path)}}
	}
	webtest.Fetch[sessions.Memory](boss, http.StatusOK, forget("pendingFollowUps", "0"))
	left := webtest.Fetch[sessions.Memory](boss, http.StatusOK, forget("userPreferences", "language"))

	if len(left.FollowUps) != 0 || !cmp.Equal(left.Preferences, sessions.Preferences{"brevity": "true"}) || left.Style != sessions.Formal {
		t.Errorf("after forgetting %+v is left", left)
	}
	for _, p := range webtest.Fetch[struct {
		All map[string]any `json:"userPreferences"`
	}](anna, http.StatusOK, webtest.Request{Path: path}).All {
		if p != true {
			t.Errorf("brevity is read as %#v, want true", p)
		}
	}
	want := []string{"anna [pendingFollowUps userPreferences.brevity userPreferences.language conversationStyle]", "boss [pendingFollowUps]", "boss [userPreferences.language]"}
	var got []string
	log, _, err := sessions.After(t.Context(), c.Pool, obligations.Scope{Tenant: c.Tenant, Session: c.Session}, 0)
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

	c := webtest.OpenTown(t)
	anna := c.People["anna"]
	path := "/api/v1/sessions/" + c.Session + "/memory"
	old := anna.Tag(path)
	webtest.Fetch[sessions.Memory](anna, http.StatusOK, anna.Patch(c.Session, `{"userPreferences":{"brevity":true}}`))
	tag := anna.Tag(path)
	edit := func(body, ifMatch string) webtest.Request {
		q := webtest.Request{Method: http.MethodPatch, Path: path, Body: body, Header: map[string]string{}}
		if ifMatch != "" {
			q.Header["If-Match"] = ifMatch
		}
		return q
	}
	remove := func(note, ifMatch string) webtest.Request {
		q := edit("", ifMatch)
		q.Method, q.Path, q.Body = http.MethodDelete, path+"/"+note, nil
		return q
	}
	refusals := []webtest.Refusal{
		{Name: "no precondition", Request: edit(`{}`, ""), Status: 428, Says: []string{path}},
		{Name: "stale", Request: edit(`{"conversationStyle":"formal"}`, old), Status: 412, Says: []string{"read it again", path}},
		{Name: "forget without a precondition", Request: remove("userPreferences/brevity", ""), Status: 428},
		{Name: "forget what has changed", Request: remove("userPreferences/brevity", old), Status: 412},
		{Name: "forget what is not there", Request: remove("userPreferences/colour", tag), Status: 404, Code: "note_not_found"},
		{Name: "forget beyond the list", Request: remove("recentTopics/17", tag), Status: 404, Code: "note_not_found"},
		{Name: "forget of an unknown part", Request: remove("colour/0", tag), Status: 422},
		{Name: "unknown field", Request: edit(`{"colour":"red"}`, tag), Status: 422, Field: "colour", Says: []string{"recentTopics"}},
		{Name: "name twice", Request: edit(`{"recentTopics":["a"],"recentTopics":["b"]}`, tag), Status: 400, Code: "repeated_name", Field: "recentTopics"},
		{Name: "unknown nested field", Request: edit(`{"pendingFollowUps":[{"obligationKey":"industry","reason":"x","priority":5,"colour":1}]}`, tag), Status: 422, Field: "pendingFollowUps[0].colour"},
		{Name: "unknown key", Request: edit(`{"pendingFollowUps":[{"obligationKey":"nothing","reason":"x","priority":5}]}`, tag), Status: 422, Field: "pendingFollowUps[0].obligationKey"},
		{Name: "out of bounds", Request: edit(`{"userPreferences":{"a":"`+strings.Repeat("x", 400)+`"}}`, tag), Status: 422, Field: "userPreferences.a"},
		{Name: "malformed", Request: edit(`{"userPreferences":`, tag), Status: 400},
		{Name: "too large", Request: edit(`{"recentTopics":["`+strings.Repeat("x", 70<<10)+`"]}`, tag), Status: 413},
		{Name: "foreign tenant", Who: "mallory", Request: edit(`{}`, tag), Status: 404, Code: "session_not_found"},
		{Name: "other member", Who: "ben", Request: edit(`{}`, tag), Status: 404, Code: "session_not_found"},
		{Name: "no token", Who: "nobody", Request: edit(`{}`, tag), Status: 401},
		{Name: "summaries of another member", Who: "ben", Request: webtest.Request{Path: "/api/v1/sessions/" + c.Session + "/summaries"}, Status: 404, Code: "session_not_found"},
		{Name: "summaries of a level beyond all", Request: webtest.Request{Path: "/api/v1/sessions/" + c.Session + "/summaries?level=99"}, Status: 422},
		{Name: "summaries after nothing", Request: webtest.Request{Path: "/api/v1/sessions/" + c.Session + "/summaries?cursor=x"}, Status: 400, Field: "cursor"},
	}
	before := c.Fingerprint()
	for _, tt := range refusals {
		t.Run(tt.Name, func(t *testing.T) { // in turn: each must leave the tables as they are
			who := c.People[tt.Who]
			if tt.Who == "" {
				who = anna
			}
			webtest.CheckRefusal(t, who, tt)
		})
	}
	if diff := cmp.Diff(before, c.Fingerprint()); diff != "" {
		t.Errorf("refused requests changed tables (-before +after):\n%s", diff)
	}
}

// An edit answers with the ETag that reading would give from then on, so that a client can
// edit twice without reading in between.
func TestEditsOfMemoryAnswerTheTagForTheNext(t *testing.T) {
	t.Parallel()

	c := webtest.OpenTown(t)
	anna := c.People["anna"]
	path := "/api/v1/sessions/" + c.Session + "/memory"
	q := anna.Patch(c.Session, `{"userPreferences":{"brevity":true},"conversationStyle":"formal"}`)
	for _, next := range []func(tag string) webtest.Request{
		func(tag string) webtest.Request {
			return webtest.Request{Method: http.MethodDelete, Path: path + "/userPreferences/brevity", Header: map[string]string{"If-Match": tag}}
		},
		func(tag string) webtest.Request { return edited(path, `{"conversationStyle":null}`, tag) },
		func(tag string) webtest.Request { return edited(path, `{"conversationStyle":null}`, tag) }, // changes nothing
		func(string) webtest.Request { return webtest.Request{Path: path} },
	} {
		resp := anna.Do(q)
		tag := resp.Header.Get("ETag")
		if resp.StatusCode != http.StatusOK || tag == "" || tag != anna.Tag(path) {
			t.Errorf("%s answered %d with the ETag %q, want that of reading, %q", q.Method, resp.StatusCode, tag, anna.Tag(path))
		}
		q = next(tag)
	}
}

func edited(path, body, tag string) webtest.Request {
	return webtest.Request{Method: http.MethodPatch, Path: path, Body: body, Header: map[string]string{"If-Match": tag, "Content-Type": "application/merge-patch+json"}}
}

// Whether the session is open is checked after the lock is held: an edit that waited for a
// completion used to come through.
func TestEditOfMemoryThatWaitsForACompletionIsRefused(t *testing.T) {
	t.Parallel()

	c := webtest.OpenTown(t)
	anna, db := c.People["anna"], postgrestest.Superuser(t, c.Pool)
	edit := anna.Patch(c.Session, `{"userPreferences":{"brevity":true}}`)
	tx, err := db.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	if _, err := tx.Exec(t.Context(), `UPDATE elicitation_sessions SET status = 'completed', completed_at = now() WHERE id = $1`, c.Session); err != nil {
		t.Fatal(err)
	}
	edited := make(chan *http.Response, 1)
	go func() { edited <- anna.Do(edit) }()
	locked(t, db)

	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}

	if got := <-edited; got.StatusCode != http.StatusConflict {
		t.Errorf("the edit of a session that was completed meanwhile: %d, want 409", got.StatusCode)
	}
}

// locked returns when a statement waits for a lock in the database.
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

// A viewer can read the memory of a session of their own, but not change it.
func TestViewersDoNotEditMemory(t *testing.T) {
	t.Parallel()

	c := webtest.OpenTown(t)
	anna := c.As(c.Tenant, "anna", auth.Viewer)

	webtest.CheckRefusal(t, anna, webtest.Refusal{Request: anna.Patch(c.Session, `{"conversationStyle":"formal"}`), Status: 403, Code: "role_too_low"})
}

// Of many edits of the same state one holds, and the others are refused.
func TestOneOfManyEditsOfTheSameMemoryHolds(t *testing.T) {
	t.Parallel()

	c := webtest.OpenTown(t)
	anna := c.People["anna"]
	q := anna.Patch(c.Session, "")
	var wg sync.WaitGroup
	statuses := make([]int, 8)
	for i := range statuses {
		wg.Go(func() {
			mine := q
			mine.Body = fmt.Sprintf(`{"userPreferences":{"brevity":"%d"}}`, i)
			resp, err := http.DefaultTransport.RoundTrip(anna.Build(mine))
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

	c := webtest.OpenTown(t)
	anna := c.People["anna"]
	super := postgrestest.Superuser(t, c.Pool)
	for _, level := range []string{"0", "1"} {
		if _, err := super.Exec(t.Context(), `INSERT INTO discovery_session_summaries (tenant_id, session_id, level, turn_range_start, turn_range_end, summary_text, so_far, obligation_snapshot)
			SELECT $1, $2, $3::int, n * s + 1, (n + 1) * s, 'Stretch ' || n, 'So far ' || n, '{"industry": {"label": "Industry", "status": "satisfied", "confidence": 0.8, "value": "bread", "turn": 2}}'
			FROM generate_series(0, CASE $3 WHEN '0' THEN 6 ELSE 1 END) AS n, (SELECT CASE $3 WHEN '0' THEN 10 ELSE 30 END AS s) AS x`, c.Tenant, c.Session, level); err != nil {
			t.Fatal(err)
		}
	}
	path := "/api/v1/sessions/" + c.Session + "/summaries"

	var got []string
	for cursor := ""; ; {
		p := webtest.Fetch[web.Page[talk.SummaryBody]](anna, http.StatusOK, webtest.Request{Path: path + "?limit=3" + cursor})
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
	above := webtest.Fetch[web.Page[talk.SummaryBody]](anna, http.StatusOK, webtest.Request{Path: path + "?level=1"})

	want := []string{"1-10 Stretch 0", "11-20 Stretch 1", "21-30 Stretch 2", "31-40 Stretch 3", "41-50 Stretch 4", "51-60 Stretch 5", "61-70 Stretch 6"}
	if diff := cmp.Diff(want, got); diff != "" || len(above.Items) != 2 || above.Items[1].To != 60 {
		t.Errorf("above them %+v, summaries (-want +got):\n%s", above.Items, diff)
	}
	s := c.People["boss"].Schemas(t)
	for _, address := range []string{"/summaries", "/memory"} {
		raw, err := io.ReadAll(anna.Do(webtest.Request{Path: "/api/v1/sessions/" + c.Session + address}).Body)
		if err != nil {
			t.Fatal(err)
		}
		s.Check("get", "/api/v1/sessions/{id}"+address, "200", "application/json", raw)
	}
}
