package review_test

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
	"quaestor/web/review"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

func TestReviewListFilters(t *testing.T) {
	t.Parallel()

	c := webtest.OpenCourt(t)
	c.Rae.Fill(c.ID, 139, mixed)
	clash := c.Anna.Begin("planned")
	c.Anna.Say(talk.TurnBody{SessionID: clash, Answers: map[string]json.RawMessage{"start": json.RawMessage(`"2027-05-01"`)}})
	c.Anna.Say(talk.TurnBody{SessionID: clash, Answers: map[string]json.RawMessage{"launch": json.RawMessage(`"2027-01-01"`)}})

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
		root := c.Rae.Drawn("/review?" + tt.query)
		if got := webtest.Words(webtest.Only(t, root, "review-count")); got != tt.want && !(tt.query == "phase=validation" && strings.HasSuffix(got, "interviews")) {
			t.Errorf("%q: %s, want %s", tt.query, got, tt.want)
		}
		if rows := webtest.Tested(root, "row-"); len(rows) > review.ListRows {
			t.Errorf("%q shows %d rows, want at most %d", tt.query, len(rows), review.ListRows)
		}
	}
	if got := webtest.Words(webtest.Only(t, c.Rae.Drawn("/review?need=conflict"), "row-"+clash)); !strings.Contains(got, "1 open conflict") {
		t.Errorf("the row with the conflict shows %q", got)
	}
	webtest.Only(t, c.Rae.Drawn("/review?context=idea_discovery"), "review-empty")
	if got := webtest.Words(webtest.Only(t, c.Rae.Drawn("/review"), "tallies")); got != "141 All 128 Open 13 Completed 0 Ask for a person 1 Open conflicts 0 Research waiting 0 Open comments" {
		t.Errorf("tallies say %q", got)
	}
}

func TestReviewListPagesReachEverySessionOnce(t *testing.T) {
	t.Parallel()

	c := webtest.OpenCourt(t)
	c.Rae.Fill(c.ID, 120, strings.Replace(mixed, "i * interval '1 second'", "(i / 40) * interval '1 second'", 1)) // many of one moment
	for _, order := range sessions.ReviewOrders() {
		c.Rae.ReachesAll(review.Filter{Order: order}.Path(""), 121)
	}
	for _, cursor := range []string{"nonsense", "bm9wZQ", "MQ"} {
		for _, order := range []string{"", "&order=latest"} {
			if resp := c.Rae.Do(webtest.Request{Path: "/review?cursor=" + cursor + order}); resp.StatusCode != http.StatusBadRequest {
				t.Errorf("the cursor %s%s answers %d, want 400", cursor, order, resp.StatusCode)
			}
		}
	}
}

func TestReviewListFindsWords(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.Begin("idea_discovery")
	w.Say(talk.TurnBody{SessionID: id, Message: "A lending library for marquetry tools"})
	w.Begin("business_profile")
	index := chat.NewIndex(chat.IndexOptions{Pool: w.Pool, Hub: w.Server.Hub, Library: w.Server.Library, Log: w.Server.Log,
		Tenants: func(context.Context) ([]string, error) { return []string{w.Tenant}, nil }})
	if err := index.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}

	if got := webtest.Words(webtest.Only(t, w.Drawn("/review?q=marquetry"), "review-count")); got != "1 interview" {
		t.Errorf("the search shows %q, want 1 interview", got)
	}
	webtest.Only(t, w.Drawn("/review?q=marquetry"), "row-"+id)
	webtest.Only(t, w.Drawn("/review?q=zeppelin"), "review-empty")
}

// A page takes the same number of round trips among ten thousand sessions as among ten, and
// reads no more rows of the index than it shows.
func TestReviewListOfTenThousandStaysQuick(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.Begin("business_profile")
	w.Fill(id, 10_000, mixed)
	h, c := w.Counted()
	c.Of(t, h, "/review", "More than 10,000 interviews") // reads the objectives
	for _, query := range []string{"", "?status=completed", "?phase=closing&person=person-2", "?need=conflict", "?need=research", "?need=unsure&need=dispute", "?order=latest", "?since=2026-01-01"} {
		if got := c.Of(t, h, "/review"+query, `data-testid="review-count"`); got > 2 {
			t.Errorf("%q takes %d round trips, want at most 2", query, got)
		}
	}
}

// The list shows that a session has an unsure value, a value in dispute or an open comment,
// and its filter finds the session by each.
func TestReviewListTellsWhatNeedsAttention(t *testing.T) {
	t.Parallel()

	c := webtest.OpenCourt(t)
	c.Anna.Begin("planned")
	c.Rae.Send(http.StatusSeeOther, "/review/"+c.ID+"/values/team/dispute", url.Values{"value": {"4"}, "reason": {"The register says five"}})
	c.Rae.Send(http.StatusSeeOther, "/review/"+c.ID+"/comments", url.Values{"text": {"Ask the register"}})
	super := postgrestest.Superuser(t, c.Rae.Pool)
	if _, err := super.Exec(t.Context(), `UPDATE elicitation_obligations SET extracted_value = '4', evidence = '[{}]', confidence = 0.3, status = 'partial' WHERE session_id = $1 AND obligation_key = 'team'`, c.ID); err != nil {
		t.Fatal(err)
	}
	for _, need := range []string{"dispute", "unsure", "comment"} {
		root := c.Rae.Drawn("/review?need=" + need)
		if got := webtest.Words(webtest.Only(t, root, "review-count")); got != "1 interview" {
			t.Errorf("%s: %s, want 1 interview", need, got)
		}
		if got := webtest.Words(webtest.Only(t, root, "row-"+c.ID)); !strings.Contains(got, "1 value in dispute") || !strings.Contains(got, "1 unsure value") || !strings.Contains(got, "1 open comment") {
			t.Errorf("the row shows %q", got)
		}
	}
}
