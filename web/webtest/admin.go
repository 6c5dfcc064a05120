package webtest

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/net/html"

	"quaestor/internal/postgres/postgrestest"
	"quaestor/obligations"
	"quaestor/research"
)

// AsPage is what a browser says it takes.
var AsPage = map[string]string{"Accept": "text/html,application/xhtml+xml"}

// Filled is the request of a page's form.
func Filled(path string, fields url.Values) Request {
	return Request{Path: path, Method: http.MethodPost, Body: fields.Encode(),
		Header: map[string]string{"Accept": "text/html", "Content-Type": "application/x-www-form-urlencoded"}}
}

// Shows returns the page of an answer that must have the status.
func (w *World) Shows(status int, q Request) *html.Node {
	w.T.Helper()
	if q.Header == nil {
		q.Header = AsPage
	}
	resp := w.Do(q)
	root, err := html.Parse(resp.Body)
	if err != nil {
		w.T.Fatal(err)
	}
	if resp.StatusCode != status {
		w.T.Fatalf("%s answered %d, want %d: %.600s", q.Path, resp.StatusCode, status, Words(root))
	}
	return root
}

// Marked returns the elements with a data-testid; nil when there are none.
func Marked(root *html.Node, id string) []*html.Node {
	var out []*html.Node
	for n := range root.Descendants() {
		if Attribute(n, "data-testid") == id {
			out = append(out, n)
		}
	}
	return out
}

// Enqueue puts the job of a research task on the queue.
func (w *World) Enqueue(tenant string) (task string) {
	w.T.Helper()
	task = uuid.NewString()
	err := pgx.BeginFunc(w.T.Context(), w.Pool, func(tx pgx.Tx) error {
		return research.Enqueue(w.T.Context(), tx, w.Server.Admin.Commands.Queue, []research.Task{{ID: task, Scope: obligations.Scope{Tenant: tenant}, Order: research.Order{Priority: 10}}})
	})
	if err != nil {
		w.T.Fatal(err)
	}
	return task
}

// Follows sends a form that is to be heard and returns the page it leads to.
func (w *World) Follows(q Request) *html.Node {
	w.T.Helper()
	resp := w.Do(q)
	if resp.StatusCode != http.StatusSeeOther {
		root, _ := html.Parse(resp.Body)
		w.T.Fatalf("%s answered %d, want 303: %.600s", q.Path, resp.StatusCode, Words(root))
	}
	place, _, _ := strings.Cut(resp.Header.Get("Location"), "#")
	return w.Shows(200, Request{Path: place})
}

// Jobs are those a tenant may see, newest first.
func (w *World) Jobs(tenant string) []research.Job {
	w.T.Helper()
	list, _, err := research.Jobs(w.T.Context(), w.Server.Admin.Commands.Queue, research.JobFilter{Tenant: tenant})
	if err != nil {
		w.T.Fatal(err)
	}
	return list
}

func (w *World) OpenLane() {
	w.T.Helper()
	if _, err := w.Pool.Exec(w.T.Context(), `INSERT INTO river.river_queue (name, metadata, updated_at) VALUES ('default', '{}', now())`); err != nil {
		w.T.Fatal(err)
	}
}

// RowsOf counts a session's rows in all tables.
func (w *World) RowsOf(session string) int {
	w.T.Helper()
	super := postgrestest.Superuser(w.T, w.Pool)
	defer super.Close()
	rows, err := super.Query(w.T.Context(), `SELECT table_name, column_name FROM information_schema.columns
		WHERE table_schema = 'public' AND (column_name = 'session_id' OR table_name = 'elicitation_sessions' AND column_name = 'id')`)
	if err != nil {
		w.T.Fatal(err)
	}
	places, err := pgx.CollectRows(rows, pgx.RowToStructByPos[struct{ Table, Column string }])
	if err != nil || len(places) < 10 {
		w.T.Fatalf("%d tables have a session, %v", len(places), err)
	}
	total := 0
	for _, p := range places {
		n := 0
		if err := super.QueryRow(w.T.Context(), `SELECT count(*) FROM `+p.Table+` WHERE `+p.Column+` = $1`, session).Scan(&n); err != nil {
			w.T.Fatal(err)
		}
		total += n
	}
	return total
}
