package review_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"golang.org/x/net/html"

	"quaestor/internal/auth"
	"quaestor/web"
	"quaestor/web/review"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

func TestReviewShowsWhereAValueWasSaid(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.Begin("business_profile")
	w.Say(talk.TurnBody{SessionID: id, Message: "We bake bread 🥖 & <b>cakes</b> for forty cafés with 6 people"})
	root := w.Drawn("/review/" + id)
	links := webtest.Tested(root, "evidence-link")
	if len(links) == 0 {
		t.Fatalf("no value has evidence: %s", webtest.Words(root))
	}
	for _, link := range links {
		quote := webtest.Words(link)
		quote = strings.TrimSuffix(quote, " , show where it was said")
		path, _, _ := strings.Cut(webtest.Attribute(link, "href"), "#")
		said := w.Drawn(path)
		mark := webtest.Only(t, said, "chosen-evidence")
		if mark.Data != "mark" || webtest.Attribute(mark, "id") != "evidence" || webtest.Words(mark) != quote {
			t.Errorf("%s marks %q in <%s>, want %q", path, webtest.Words(mark), mark.Data, quote)
		}
		if strings.Contains(webtest.Words(said), "&lt;") || len(webtest.Tested(said, "review-user")) != 1 {
			t.Errorf("%s shows the message escaped twice, or not once", path)
		}
	}
	for n := range root.Descendants() {
		if n.Data == "b" {
			t.Error("the person's markup is markup of the page")
		}
		for _, a := range n.Attr {
			if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
				t.Errorf("<%s> has %s, which the policy forbids", n.Data, a.Key)
			}
		}
	}
}

// What was concluded stands with the values it was concluded from, and with the rule.
func TestReviewShowsPremises(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.Begin("project_discovery")
	w.Say(talk.TurnBody{SessionID: id, Answers: map[string]json.RawMessage{"team_available": json.RawMessage(`2`)}})

	root := w.Drawn("/review/" + id)
	if got := webtest.Words(webtest.Only(t, root, "premises-project_size")); !strings.Contains(got, "2") {
		t.Errorf("the premises are %q", got)
	}
	if got := webtest.Words(webtest.Only(t, root, "because-project_size")); got != "One or two people can only do a small project." {
		t.Errorf("the rule is %q", got)
	}
}

func TestReviewTravelsInTime(t *testing.T) {
	t.Parallel()

	c := webtest.OpenCourt(t)
	c.Anna.Say(talk.TurnBody{SessionID: c.ID, Message: "No, actually 6 people", Answers: map[string]json.RawMessage{"team": json.RawMessage(`6`)}})
	for _, tt := range []struct {
		query, team, state string
		acts               bool
	}{
		{"", "6", "As it stands, after turn 3", true},
		{"?turn=3", "6", "As it stands, after turn 3", true},
		{"?turn=99", "6", "As it stands, after turn 3", true},
		{"?turn=2", "4", "As it stood after turn 2 of 3", false},
		{"?turn=1", "", "As it stood after turn 1 of 3", false},
		{"?turn=-1", "6", "As it stands, after turn 3", true},
		{"?turn=2&evidence=team.99", "4", "As it stood after turn 2 of 3", false},
		{"?evidence=nothing.0", "6", "As it stands, after turn 3", true},
	} {
		root := c.Rae.Drawn("/review/" + c.ID + tt.query)
		team := ""
		if held := webtest.Tested(root, "held-team"); len(held) == 1 {
			team = webtest.Words(held[0])
		}
		if state := webtest.Words(webtest.Only(t, root, "review-turn")); team != tt.team || state != tt.state {
			t.Errorf("%q: the team is %q, %q, want %q, %q", tt.query, team, state, tt.team, tt.state)
		}
		if acts := len(webtest.Tested(root, "acts-team")) == 1; acts != tt.acts {
			t.Errorf("%q offers decisions: %t, want %t", tt.query, acts, tt.acts)
		}
		for _, n := range webtest.Tested(root, "review-user") {
			if strings.Contains(webtest.Words(n), "No, actually") && tt.team != "6" {
				t.Errorf("%q shows what was said later", tt.query)
			}
		}
	}
	history := webtest.Words(webtest.Only(t, c.Rae.Drawn("/review/"+c.ID+"/values/team"), "review-history"))
	for _, want := range []string{"Set up", "Value 4", "Value 6"} {
		if !strings.Contains(history, want) {
			t.Errorf("the history does not say %q: %s", want, history)
		}
	}
	if resp := c.Rae.Do(webtest.Request{Path: "/review/" + c.ID + "/values/nothing"}); resp.StatusCode != http.StatusNotFound {
		t.Errorf("the history of nothing answers %d, want 404", resp.StatusCode)
	}
}

func TestReviewOfTwoThousandTurnsIsPaged(t *testing.T) {
	t.Parallel()

	c := webtest.OpenCourt(t)
	c.Rae.Prolong(c.ID, 2000)
	for _, tt := range []struct {
		query      string
		first, end int
	}{
		{"", 1991, 2000},
		{"?turn=1000", 991, 1000},
		{"?turn=5", 1, 5},
		{"?at=500", 491, 510},
		{"?at=1", 1, 11},
	} {
		root := c.Rae.Drawn("/review/" + c.ID + tt.query)
		turns := webtest.Tested(root, "at-turn-")
		first, last := webtest.Attribute(turns[0], "data-testid"), webtest.Attribute(turns[len(turns)-1], "data-testid")
		if first != fmt.Sprint("at-turn-", tt.first) || last != fmt.Sprint("at-turn-", tt.end) {
			t.Errorf("%q shows turns %s to %s, want %d to %d", tt.query, first, last, tt.first, tt.end)
		}
		elements := 0
		for range root.Descendants() {
			elements++
		}
		if elements > 4000 {
			t.Errorf("%q has %d nodes, want at most 4000", tt.query, elements)
		}
		if points := strings.Count(webtest.Attribute(polyline(root), "points"), ","); points < 100 || points > review.MaxDots+2 {
			t.Errorf("%q draws %d points, want 100 to %d", tt.query, points, review.MaxDots)
		}
	}
	if got := webtest.Words(webtest.Only(t, c.Rae.Drawn("/review/"+c.ID), "history-team")); !strings.Contains(got, "2,0") {
		t.Errorf("the history counts %.60q, want some 2,000 events", got)
	}
	all := c.Rae.Drawn("/review/" + c.ID + "/history")
	if n := len(webtest.Tested(all, "review-event")); n != review.HistoryEvents {
		t.Errorf("a page of the whole history has %d events, want %d", n, review.HistoryEvents)
	}
	c.Rae.Drawn(webtest.Attribute(webtest.Only(t, all, "history-next"), "href"))
	c.Rae.Drawn("/review/" + c.ID + "/turns/1000")
	page := c.Rae.Drawn("/review/" + c.ID + "/values/team")
	if n := len(webtest.Tested(page, "review-event")); n != review.HistoryEvents {
		t.Errorf("a page of the history has %d events, want %d", n, review.HistoryEvents)
	}
	next := c.Rae.Drawn(webtest.Attribute(webtest.Only(t, page, "history-next"), "href"))
	if webtest.Words(webtest.Tested(next, "review-event")[0]) == webtest.Words(webtest.Tested(page, "review-event")[0]) {
		t.Error("the next page of the history is the same")
	}
}

func polyline(root *html.Node) *html.Node {
	for n := range root.Descendants() {
		if n.Data == "polyline" && webtest.Attribute(n, "class") == "progress-line" {
			return n
		}
	}
	return &html.Node{}
}

// The number of round trips to a session's review does not grow with the session, but for
// the chunks in which its history is read.
func TestReviewTakesFewRoundTrips(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	webtest.Fetch[web.ObjectiveBody](w, http.StatusCreated, webtest.Request{Path: "/api/v1/objectives", Body: webtest.Planned})
	id := w.Begin("planned")
	w.Prolong(id, 300)
	h, c := w.Counted()
	c.Of(t, h, "/review/"+id, "As it stands") // reads the objective
	for _, query := range []string{"", "?turn=100"} {
		if got := c.Of(t, h, "/review/"+id+query, "data-testid=\"timeline\""); got > 6 {
			t.Errorf("%q takes %d round trips, want at most 6", query, got)
		}
	}
	if got := c.Of(t, h, "/review/"+id+"/turns/200", "data-testid=\"turn-log\""); got > 6 {
		t.Errorf("a turn takes %d round trips, want at most 6", got)
	}
}

func TestReviewOfASessionWithoutTurns(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	made := webtest.Fetch[web.SessionBody](w, http.StatusCreated, webtest.Request{Path: "/api/v1/sessions", Body: map[string]string{"contextType": "idea_discovery"}})

	root := w.Drawn("/review/" + made.ID)
	for _, id := range []string{"transcript-empty", "timeline-empty"} {
		webtest.Only(t, root, id)
	}
	if got := webtest.Words(webtest.Only(t, root, "review-turn")); got != "Nothing has been said yet" {
		t.Errorf("the page shows %q", got)
	}
	for _, id := range []string{"nonsense", uuid.NewString()} {
		if resp := w.Do(webtest.Request{Path: "/review/" + id}); resp.StatusCode != http.StatusNotFound {
			t.Errorf("/review/%s answers %d, want 404", id, resp.StatusCode)
		}
	}
}

// The obligations as they are replayed from the audit trail are those that are stored.
func TestReviewReplaysTheRecord(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.Begin("business_profile")
	for _, said := range []string{"We bake bread for forty cafés", "Bakery", "Cafés in the old town", "We are 6 people"} {
		w.Say(talk.TurnBody{SessionID: id, Message: said})
	}
	ctx := web.WithActor(t.Context(), auth.Actor{Tenant: w.Tenant, User: "developer", Role: auth.Owner})
	session, err := w.Server.Session(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	now, err := review.ViewOf(w.Server.Review, ctx, session, review.Place{})
	if err != nil {
		t.Fatal(err)
	}
	history, err := review.HistoryUntil(w.Server.Review, ctx, session.Scope(), session.Turns)
	if err != nil {
		t.Fatal(err)
	}
	replayed, err := review.Replayed(w.Server.Review, ctx, session.Scope(), history)
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range now.Values {
		if string(o.Value) != string(replayed[i].Value) && !cmp.Equal(webtest.CompactJSON(t, o.Value), webtest.CompactJSON(t, replayed[i].Value)) || o.Status != replayed[i].Status || o.Confidence != replayed[i].Confidence {
			t.Errorf("%s is %s %s %s now and %s %s %s replayed", o.Key, o.Value, o.Status, o.Confidence, replayed[i].Value, replayed[i].Status, replayed[i].Confidence)
		}
	}
	if now.Phase != session.Phase || now.Timeline.At(session.Turns) != session.Phase {
		t.Errorf("the phase is %s by the timeline, want %s", now.Timeline.At(session.Turns), session.Phase)
	}
}
