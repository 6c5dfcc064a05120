package review_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

// A reviewer reopens a completed interview; its person changes a value and completes it
// again; both revisions can be read, and the page shows what differs.
func TestReviewShowsWhatRevisionsDiffer(t *testing.T) {
	t.Parallel()

	c := webtest.OpenCourt(t)
	answer := func(values map[string]string) {
		answers := map[string]json.RawMessage{}
		for key, v := range values {
			answers[key] = json.RawMessage(v)
		}
		c.Anna.Say(talk.TurnBody{SessionID: c.ID, Answers: answers})
	}
	complete := func() {
		webtest.Fetch[web.SessionBody](c.Anna, http.StatusOK, webtest.Request{Method: http.MethodPost, Path: c.Path + "/complete"})
	}
	answer(map[string]string{"start": `"2027-05-01"`, "launch": `"2027-06-01"`})
	if len(webtest.Tested(c.Rae.Drawn("/review/"+c.ID), "begin-revision")) != 0 {
		t.Error("an interview that goes on can be reopened")
	}
	complete()
	c.Rae.Send(http.StatusSeeOther, "/review/"+c.ID+"/values/launch/confirm", url.Values{"value": {`"2027-06-01"`}})
	page := c.Rae.Drawn("/review/" + c.ID)
	webtest.Only(t, page, "begin-revision")
	if len(webtest.Tested(page, "revisions")) != 0 {
		t.Error("the page lists revisions of an interview that was never reopened")
	}
	form := url.Values{"form": {"reopen-session"}, "revision": {"1"}, "reason": {"The team has grown"}}
	if to, _ := c.Rae.Send(http.StatusSeeOther, "/review/"+c.ID+"/reopen", form); to != "/review/"+c.ID {
		t.Errorf("it leads to %s", to)
	}
	c.Rae.Send(http.StatusSeeOther, "/review/"+c.ID+"/reopen", form) // pressed twice

	got := webtest.Fetch[web.SessionBody](c.Anna, http.StatusOK, webtest.Request{Path: c.Path})
	if got.Status != sessions.Active || got.Revision != 2 || got.CompletedAt != nil {
		t.Fatalf("after reopening: %+v", got)
	}
	if said := webtest.Words(c.Anna.Drawn("/s/" + c.ID)); !strings.Contains(said, "A reviewer has opened this interview again, as revision 2.") || !strings.Contains(said, "The team has grown") {
		t.Errorf("anna reads %q", said)
	}
	answer(map[string]string{"team": `6`})
	complete()

	page = c.Rae.Drawn("/review/" + c.ID)
	if words := webtest.Words(webtest.Only(t, page, "revised-2-team")); words != "Team : 4 → 6" {
		t.Errorf("the page says of the team %q", words)
	}
	if n := len(webtest.Tested(page, "revised-")); n != 1 {
		t.Errorf("%d differences, want the team alone", n)
	}
	if words := webtest.Words(webtest.Only(t, page, "revision-1")); !strings.Contains(words, "Completed on") || !strings.Contains(words, "By a reviewer, rae: “The team has grown”") {
		t.Errorf("of revision 1 it says %q", words)
	}
	list := webtest.Fetch[web.Page[talk.RevisionBody]](c.Anna, http.StatusOK, webtest.Request{Path: c.Path + "/revisions"}).Items
	if len(list) != 2 || list[0].Revision != 1 || list[0].Status != sessions.Completed || list[0].ReopenedBy != "rae" || !list[0].ByReviewer || len(list[0].Changes) != 0 ||
		list[1].Revision != 2 || list[1].FirstTurn != list[0].LastTurn+1 || len(list[1].Changes) != 1 || string(list[1].Changes[0].PreviousValue) != "4" || string(list[1].Changes[0].Value) != "6" {
		t.Errorf("the revisions are %+v", list)
	}
	if o := c.Obligation(c.Rae, "launch"); o.Status != obligations.Satisfied || o.Confidence != 1 {
		t.Errorf("what rae confirmed is %+v", o)
	}
	wantExports(t, c.Anna, c.ID)
}

// wantExports checks the briefs and the exports of both revisions.
func wantExports(t *testing.T, w *webtest.World, id string) {
	t.Helper()
	for revision, team := range map[string]float64{"?revision=1": 4, "?revision=2": 6, "": 6} {
		data, head := w.Download("/api/v1/sessions/" + id + "/export" + revision)
		var values map[string]any
		if err := json.Unmarshal([]byte(data), &values); err != nil || values["team"] != team {
			t.Errorf("the export %s holds %s, %v", revision, data, err)
		}
		if name := head.Get("Content-Disposition"); strings.Contains(name, "-revision-1.json") != (revision == "?revision=1") {
			t.Errorf("the export %s is called %s", revision, name)
		}
	}
	past := w.Drawn("/s/" + id + "/brief?revision=1&extent=transcript")
	if words := webtest.Words(webtest.Only(t, past, "brief-past")); !strings.HasPrefix(words, "This is revision 1, completed on ") || !strings.Contains(words, "The interview was reopened on ") {
		t.Errorf("the brief of revision 1 is marked %q", words)
	}
	if words := webtest.Words(webtest.Only(t, past, "brief-known")); !strings.Contains(words, "4") || strings.Contains(words, "6 ") {
		t.Errorf("the brief of revision 1 knows %q", words)
	}
	if words := webtest.Words(webtest.Only(t, past, "brief-talk")); strings.Contains(words, "revision 2") {
		t.Errorf("the brief of revision 1 holds the talk of revision 2: %q", words)
	}
	markdown, _ := w.Download("/api/v1/sessions/" + id + "/export?format=md&revision=1")
	if !strings.Contains(markdown, "| Revision | 1, which is not the latest") {
		t.Errorf("the Markdown of revision 1 does not say so:\n%s", markdown)
	}
	now := w.Drawn("/s/" + id + "/brief")
	if len(webtest.Tested(now, "brief-past")) != 0 || webtest.Attribute(webtest.Only(t, now, "revision-2"), "aria-current") != "page" {
		t.Error("the brief of the latest revision is marked as a past one")
	}
}

func TestWhoMayReopen(t *testing.T) {
	t.Parallel()

	c := webtest.OpenCourt(t)
	c.Anna.Say(talk.TurnBody{SessionID: c.ID, Answers: map[string]json.RawMessage{"start": json.RawMessage(`"2027-05-01"`), "launch": json.RawMessage(`"2027-06-01"`)}})
	c.Ben.Accepts(c.Anna.Invites(c.ID, sessions.ContributorRole, ""))
	olga := c.Anna.As(c.Anna.Tenant, "olga", "member")
	olga.Accepts(c.Anna.Invites(c.ID, sessions.ObserverRole, ""))
	webtest.Fetch[web.SessionBody](c.Anna, http.StatusOK, webtest.Request{Method: http.MethodPost, Path: c.Path + "/complete"})
	before := c.Rae.Kept()
	reopen := webtest.Request{Path: c.Path + "/reopen", Body: map[string]any{}}
	for _, tt := range []struct {
		name string
		who  *webtest.World
		webtest.Refusal
	}{
		{"observer", olga, webtest.Refusal{Request: reopen, Status: 403, Code: "observer"}},
		{"viewer without a part", c.Vera, webtest.Refusal{Request: reopen, Status: 404, Code: "session_not_found"}},
		{"other tenant", c.Mallory, webtest.Refusal{Request: reopen, Status: 404, Code: "session_not_found"}},
		{"as a reviewer", c.Anna, webtest.Refusal{Request: webtest.Request{Path: c.Path + "/reopen", Body: map[string]any{"as": "reviewer"}}, Status: 403, Code: "role_too_low"}},
		{"long reason", c.Anna, webtest.Refusal{Request: webtest.Request{Path: c.Path + "/reopen", Body: map[string]any{"reason": strings.Repeat("so ", 1000)}}, Status: 413, Field: "reason"}},
		{"no such revision", c.Anna, webtest.Refusal{Request: webtest.Request{Path: c.Path + "/export?revision=7"}, Status: 404, Code: "revision_not_found"}},
		{"no number", c.Anna, webtest.Refusal{Request: webtest.Request{Path: c.Path + "/export?revision=first"}, Status: 422, Field: "revision"}},
	} {
		t.Run(tt.name, func(t *testing.T) { webtest.CheckRefusal(t, tt.who, tt.Refusal) })
	}
	if diff := cmp.Diff(before, c.Rae.Kept()); diff != "" {
		t.Errorf("refusals changed something (-before +after):\n%s", diff)
	}
	if len(webtest.Pieces(olga.Drawn("/s/"+c.ID), "reopen")) != 0 {
		t.Error("who only reads along is offered to reopen")
	}
	c.Ben.Send(http.StatusSeeOther, "/s/"+c.ID+"/reopen", url.Values{"revision": {"1"}})
	if got := webtest.Fetch[web.SessionBody](c.Anna, http.StatusOK, webtest.Request{Path: c.Path}); got.Status != sessions.Active || got.Revision != 2 {
		t.Errorf("after ben reopened: %+v", got)
	}
}
