package review_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

// A person asks for a human being, reviewers learn of it, and one of them gets in touch.
func TestReviewersLearnWhoAsksForHuman(t *testing.T) {
	t.Parallel()

	c := webtest.OpenCourt(t)
	boss := c.Rae.As(c.Rae.Tenant, "boss", "owner")
	webtest.Fetch[struct{}](boss, http.StatusOK, webtest.Request{Method: http.MethodPut, Path: "/api/v1/settings", Body: map[string]any{"contact": " Jane Doe,\n+1 555 0100 "},
		Header: map[string]string{"If-Match": boss.Tag("/api/v1/settings")}})
	handovers := func(events []webtest.Told) (out []webtest.Told) {
		for _, e := range events {
			if e.Type == sessions.KindHandover {
				out = append(out, e)
			}
		}
		return out
	}
	waiting := func(w *webtest.World) []string {
		t.Helper()
		var ids []string
		for _, s := range webtest.Fetch[web.Page[web.SessionBody]](w, http.StatusOK, webtest.Request{Path: "/api/v1/sessions?handover=true"}).Items {
			ids = append(ids, s.ID)
		}
		return ids
	}
	if told := handovers(c.Anna.Say(talk.TurnBody{SessionID: c.ID, Message: "We speak to people at the market"})); len(told) > 0 || len(waiting(c.Rae)) > 0 {
		t.Fatalf("people at the market are no wish: %+v", told)
	}

	events := c.Anna.Say(talk.TurnBody{SessionID: c.ID, Message: "<b>Help</b>. Can I speak to a human, please?"})
	if told := handovers(events); len(told) != 1 || told[0].Data["change"] != "asked" || told[0].Data["userId"] != "anna" {
		t.Fatalf("told %+v, want one event that anna asks", told)
	}
	i := slices.IndexFunc(events, func(e webtest.Told) bool { return e.Type == sessions.KindMessage })
	if reply := events[i].Data["content"].(string); !strings.Contains(reply, "You can reach: Jane Doe, +1 555 0100.") {
		t.Errorf("the reply is %q", reply)
	}
	if again := handovers(c.Anna.Say(talk.TurnBody{SessionID: c.ID, Message: "agent please"})); len(again) > 0 {
		t.Errorf("asked again while the wish is open: %+v", again)
	}
	s := webtest.Fetch[web.SessionBody](c.Rae, http.StatusOK, webtest.Request{Path: c.Path})
	if s.Handover == nil || s.Handover.Turn != 4 || s.Handover.AskedAt.IsZero() || !slices.Equal(waiting(c.Rae), []string{c.ID}) || !slices.Equal(waiting(c.Anna), []string{c.ID}) {
		t.Errorf("the session says %+v, want turn 4", s.Handover)
	}

	list := c.Rae.Drawn("/review?need=handover")
	if got := webtest.Words(webtest.Only(t, list, "row-"+c.ID)); !strings.Contains(got, "Asks for a person") {
		t.Errorf("the row shows %q", got)
	}
	if got := webtest.Words(webtest.Only(t, list, "tallies")); !strings.Contains(got, "1 Ask for a person") {
		t.Errorf("the tallies show %q", got)
	}
	if got := webtest.Words(webtest.Only(t, c.Rae.Drawn("/review/"+c.ID), "handover")); !strings.Contains(got, "anna asked to speak to a human being in turn 4") || !strings.Contains(got, "<b>Help</b>. Can I speak to a human, please?") {
		t.Errorf("the notice shows %q", got)
	}

	done := webtest.Request{Method: http.MethodPost, Path: c.Path + "/handover/done"}
	for name, w := range map[string]*webtest.World{"anna": c.Anna, "mallory": c.Mallory} {
		want := http.StatusForbidden
		if name == "mallory" {
			want = http.StatusNotFound
		}
		if resp := w.Do(done); resp.StatusCode != want {
			t.Errorf("%s is answered %d, want %d", name, resp.StatusCode, want)
		}
	}
	c.Rae.Send(http.StatusSeeOther, "/review/"+c.ID+"/handover", url.Values{})
	if got := webtest.Marked(c.Rae.Drawn("/review/"+c.ID), "handover"); len(got) > 0 {
		t.Error("the notice is still there")
	}
	if resp := c.Rae.Do(done); resp.StatusCode != http.StatusConflict {
		t.Errorf("a second time is answered %d, want 409", resp.StatusCode)
	}
	if got := webtest.Words(webtest.Only(t, c.Rae.Drawn("/review?need=handover"), "review-empty")); got == "" || len(waiting(c.Rae)) > 0 {
		t.Errorf("the list shows %q", got)
	}

	if told := handovers(c.Anna.Say(talk.TurnBody{SessionID: c.ID, Message: "I want to talk to a real person"})); len(told) != 1 {
		t.Errorf("a later wish tells %+v, want one event", told)
	}
	if s := webtest.Fetch[web.SessionBody](c.Rae, http.StatusOK, done); s.Handover != nil {
		t.Errorf("the answer says %+v", s.Handover)
	}
}
