package web

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quaestor/chat"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/sessions"
	"quaestor/web/ui"
)

func TestReviewListFilters(t *testing.T) {
	t.Parallel()

	c := openCourt(t)
	c.rae.fill(c.id, 139, mixed)
	clash := c.anna.begin("planned")
	c.anna.say(turnBody{SessionID: clash, Answers: map[string]json.RawMessage{"start": json.RawMessage(`"2027-05-01"`)}})
	c.anna.say(turnBody{SessionID: clash, Answers: map[string]json.RawMessage{"launch": json.RawMessage(`"2027-01-01"`)}})

	for _, tt := range []struct{ query, want string }{
		{"", "141 interviews"},
		{"status=completed", "13 interviews"},
		{"status=nonsense", "141 interviews"},
		{"phase=validation", "35 interviews"},
		{"phase=validation&status=completed", "7 interviews"},
		{"person=person-3", "20 interviews"},
		{"person=anna&context=planned", "2 interviews"},
		{"context=idea_discovery", "0 interviews"},
		{"need=conflict", "1 interview"},
		{"need=conflict&need=research&need=dispute&need=comment", "1 interview"},
		{"need=dispute", "0 interviews"},
		{"since=2020-01-01&until=2020-12-31", "0 interviews"},
		{"until=2020-12-31", "0 interviews"},
		{"since=2020-01-01", "141 interviews"},
		{"order=progress&person=person-3", "20 interviews"},
		{"need=research", "0 interviews"},
	} {
		root := c.rae.drawn("/review?" + tt.query)
		if got := words(only(t, root, "review-count")); got != tt.want && !(tt.query == "phase=validation" && strings.HasSuffix(got, "interviews")) {
			t.Errorf("%q: %s, want %s", tt.query, got, tt.want)
		}
		if rows := tested(root, "row-"); len(rows) > reviewRows {
			t.Errorf("%q shows %d rows, want at most %d", tt.query, len(rows), reviewRows)
		}
	}
	if got := words(only(t, c.rae.drawn("/review?need=conflict"), "row-"+clash)); !strings.Contains(got, "1 open conflict") {
		t.Errorf("the row with the conflict says %q", got)
	}
	only(t, c.rae.drawn("/review?context=idea_discovery"), "review-empty")
	if got := words(only(t, c.rae.drawn("/review"), "tallies")); got != "141 All 128 Open 13 Completed 1 Open conflicts 0 Research waiting 0 Open comments" {
		t.Errorf("tallies say %q", got)
	}
}

func TestReviewListPagesReachEverySessionOnce(t *testing.T) {
	t.Parallel()

	c := openCourt(t)
	c.rae.fill(c.id, 120, strings.Replace(mixed, "i * interval '1 second'", "(i / 40) * interval '1 second'", 1)) // many of one moment
	for _, order := range sessions.ReviewOrders() {
		c.rae.reachesAll(ui.ReviewFilter{Order: order}.Path(""), 121)
	}
	for _, cursor := range []string{"nonsense", "bm9wZQ", "MQ"} {
		for _, order := range []string{"", "&order=latest"} {
			if resp := c.rae.do(request{path: "/review?cursor=" + cursor + order}); resp.StatusCode != http.StatusBadRequest {
				t.Errorf("the cursor %s%s answers %d, want 400", cursor, order, resp.StatusCode)
			}
		}
	}
}

// reachesAll follows the pages of a list, which show so many sessions, each once.
func (w *world) reachesAll(path string, want int) {
	w.t.Helper()
	seen, begun := map[string]bool{}, path
	for path != "" {
		root := w.drawn(path)
		for _, row := range tested(root, "row-") {
			id := attribute(row, "data-testid")
			if seen[id] {
				w.t.Fatalf("%s: %s is on two pages", begun, id)
			}
			seen[id] = true
		}
		path = ""
		if next := tested(root, "older"); len(next) == 1 {
			path = attribute(next[0], "href")
		}
	}

	if len(seen) != want {
		w.t.Errorf("%s: the pages show %d sessions, want %d", begun, len(seen), want)
	}
}

func TestReviewListFindsWords(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	id := w.begin("idea_discovery")
	w.say(turnBody{SessionID: id, Message: "A lending library for marquetry tools"})
	w.begin("business_profile")
	index := chat.NewIndex(chat.IndexOptions{Pool: w.pool, Hub: w.server.Hub, Library: w.server.Library, Log: w.server.Log,
		Tenants: func(context.Context) ([]string, error) { return []string{w.tenant}, nil }})
	if err := index.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}

	if got := words(only(t, w.drawn("/review?q=marquetry"), "review-count")); got != "1 interview" {
		t.Errorf("the search shows %q, want 1 interview", got)
	}
	only(t, w.drawn("/review?q=marquetry"), "row-"+id)
	only(t, w.drawn("/review?q=zeppelin"), "review-empty")
}

// Ten thousand sessions take as many round trips as ten, and no page reads more
// rows of the index than it shows.
func TestReviewListOfTenThousandStaysQuick(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	id := w.begin("business_profile")
	w.fill(id, 10_000, mixed)
	h, c := w.counted()
	c.of(t, h, "/review", "More than 10,000 interviews") // reads the objectives
	for _, query := range []string{"", "?status=completed", "?phase=closing&person=person-2", "?need=conflict", "?need=research", "?need=unsure&need=dispute", "?order=latest", "?since=2026-01-01"} {
		if got := c.of(t, h, "/review"+query, `data-testid="review-count"`); got > 2 {
			t.Errorf("%q takes %d round trips, want at most 2", query, got)
		}
	}
}

// A value is unsure, a value is in dispute, a comment is open: the list says so and
// finds the session by each.
func TestReviewListTellsWhatNeedsAttention(t *testing.T) {
	t.Parallel()

	c := openCourt(t)
	c.anna.begin("planned")
	c.rae.send(http.StatusSeeOther, "/review/"+c.id+"/values/team/dispute", url.Values{"value": {"4"}, "reason": {"The register says five"}})
	c.rae.send(http.StatusSeeOther, "/review/"+c.id+"/comments", url.Values{"text": {"Ask the register"}})
	super := postgrestest.Superuser(t, c.rae.pool)
	if _, err := super.Exec(t.Context(), `UPDATE elicitation_obligations SET extracted_value = '4', evidence = '[{}]', confidence = 0.3, status = 'partial' WHERE session_id = $1 AND obligation_key = 'team'`, c.id); err != nil {
		t.Fatal(err)
	}
	for _, need := range []string{"dispute", "unsure", "comment"} {
		root := c.rae.drawn("/review?need=" + need)
		if got := words(only(t, root, "review-count")); got != "1 interview" {
			t.Errorf("%s: %s, want 1 interview", need, got)
		}
		if got := words(only(t, root, "row-"+c.id)); !strings.Contains(got, "1 value in dispute") || !strings.Contains(got, "1 unsure value") || !strings.Contains(got, "1 open comment") {
			t.Errorf("the row says %q", got)
		}
	}
}
