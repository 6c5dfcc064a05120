package review_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"quaestor/chat"
	"quaestor/internal/auth"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/review"
	"quaestor/web/webtest"
)

func TestWhatPeopleBringUpWaitsForAReviewer(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	first := webtest.Volunteer(w, "One more thing we must not forget: the auditors of the insurance.")
	second := webtest.Volunteer(w, "You should also ask about the auditors of the insurance")
	groups := webtest.Fetch[web.Page[review.SuggestionGroup]](w, http.StatusOK, webtest.Request{Path: "/api/v1/proposals"})

	if len(groups.Items) != 1 || groups.Items[0].Sessions != 2 || len(groups.Items[0].Proposals) != 2 {
		t.Fatalf("the proposals are %+v, want one group of two sessions", groups.Items)
	}
	p := groups.Items[0].Proposals[1]
	if p.SessionID != first || len(p.Evidence) != 1 || p.Evidence[0].Span == nil || !strings.Contains(p.Evidence[0].Quote, "auditors") {
		t.Errorf("the first proposal is %+v, want its words", p)
	}

	key := "/obligations/" + p.Key
	words := map[string]string{"label": "Audits", "prompt": "Who examines your books, and how often?"}
	approved := webtest.Fetch[web.ObjectiveBody](w, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + first + key + "/approve", Body: words})
	if !strings.HasSuffix(approved.Version, ".0") || !approved.Active || !slices.ContainsFunc(approved.Definition.Obligations, func(t obligations.Template) bool { return t.Key == "audits" }) {
		t.Errorf("version %s, active %t, has it not", approved.Version, approved.Active)
	}
	webtest.Fetch[web.Problem](w, http.StatusConflict, webtest.Request{Path: "/api/v1/sessions/" + first + key + "/approve", Body: words})
	if again := webtest.Fetch[web.ObjectiveBody](w, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + second + "/obligations/" + webtest.EmergentIn(w, second).Key + "/approve", Body: words}); again.Version != approved.Version {
		t.Errorf("approving the same again published %s", again.Version)
	}
	if left := webtest.Fetch[web.Page[review.SuggestionGroup]](w, http.StatusOK, webtest.Request{Path: "/api/v1/proposals"}); len(left.Items) != 0 {
		t.Errorf("still waiting: %+v", left.Items)
	}
}

func TestDismissedProposalIsSkipped(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	session := webtest.Volunteer(w, "Don't forget about the night shift.")
	o := webtest.EmergentIn(w, session)
	got := webtest.Fetch[webtest.ObligationSeen](w, http.StatusOK, webtest.Request{Method: http.MethodPost, Path: "/api/v1/sessions/" + session + "/obligations/" + o.Key + "/dismiss"})
	if got.Status != string(obligations.Skipped) {
		t.Errorf("a dismissed proposal is %s, want skipped", got.Status)
	}
}

func TestReviewersMergeAndSplit(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	session := webtest.Volunteer(w, "We must not forget the night shift.")
	path := "/api/v1/sessions/" + session + "/obligations/"
	list := webtest.Fetch[web.Page[webtest.ObligationSeen]](w, http.StatusOK, webtest.Request{Path: strings.TrimSuffix(path, "/")})
	text, from := list.Items[0].Key, webtest.EmergentIn(w, session).Key

	split := webtest.Fetch[web.Page[webtest.ObligationSeen]](w, http.StatusOK, webtest.Request{Path: path + text + "/split", Body: map[string]any{"children": []map[string]string{{"prompt": "First half?"}, {"prompt": "Second half?"}}}})
	parent := split.Items[0]
	if len(parent.SplitInto) != 2 || len(split.Items) != len(list.Items)+2 {
		t.Fatalf("after the split: %+v of %d", parent, len(split.Items))
	}
	merged := webtest.Fetch[web.Page[webtest.ObligationSeen]](w, http.StatusOK, webtest.Request{Path: path + from + "/merge", Body: map[string]string{"into": parent.SplitInto[0]}})
	i := slices.IndexFunc(merged.Items, func(o webtest.ObligationSeen) bool { return o.Key == from })
	if got := merged.Items[i]; got.MergedInto != parent.SplitInto[0] || got.Status != string(obligations.Skipped) {
		t.Errorf("after the merge: %+v", got)
	}
	webtest.Fetch[web.Problem](w, http.StatusConflict, webtest.Request{Path: path + from + "/merge", Body: map[string]string{"into": parent.SplitInto[1]}})
	webtest.Fetch[web.Problem](w, http.StatusNotFound, webtest.Request{Path: path + "nothing/merge", Body: map[string]string{"into": from}})
	webtest.Fetch[web.Problem](w, http.StatusUnprocessableEntity, webtest.Request{Path: path + text + "/split", Body: map[string]any{"children": []string{}}})

	history := webtest.Fetch[web.Page[web.HistoryBody]](w, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + session + "/history?limit=1000"})
	for _, kind := range []obligations.EventType{obligations.Merged, obligations.Split} {
		if !slices.ContainsFunc(history.Items, func(h web.HistoryBody) bool {
			return h.Type == kind && strings.Contains(h.Metadata.Reason, "developer")
		}) {
			t.Errorf("the history has no %s by the reviewer", kind)
		}
	}
	events := make([]obligations.Event, len(history.Items))
	for i, h := range history.Items {
		events[i] = obligations.Event{Key: h.Key, Type: h.Type, Turn: h.Turn, Meta: h.Metadata}
	}
	objective, err := w.Server.Library.Active(t.Context(), w.Tenant, "business_profile")
	if err != nil {
		t.Fatal(err)
	}
	replayed, err := obligations.Replay(objective.Definition.Obligations, events)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range merged.Items {
		if r := obligations.Find(replayed, o.Key); r == nil || string(r.Status) != o.Status || r.MergedInto != o.MergedInto || !slices.Equal(r.SplitInto, o.SplitInto) {
			t.Errorf("replayed %+v, stored %+v", r, o)
		}
	}
}

func TestOnlyReviewersDecide(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	member := w.As(w.Tenant, "ada", auth.Member)
	session := webtest.Volunteer(member, "Do not forget the night shift.")
	path := "/api/v1/sessions/" + session + "/obligations/" + webtest.EmergentIn(member, session).Key

	for _, q := range []webtest.Request{
		{Path: path + "/merge", Body: map[string]string{"into": "x"}},
		{Path: path + "/split", Body: map[string]any{"children": []map[string]string{{"prompt": "One?"}, {"prompt": "Two?"}}}},
		{Method: http.MethodPost, Path: path + "/approve"},
		{Method: http.MethodPost, Path: path + "/dismiss"},
		{Path: "/api/v1/proposals"},
	} {
		webtest.Fetch[web.Problem](member, http.StatusForbidden, q)
	}
	stranger := w.As(w.Tenant, "bo", auth.Member)
	webtest.Fetch[web.Problem](stranger, http.StatusNotFound, webtest.Request{Method: http.MethodPost, Path: path + "/dismiss"})
}

func TestSearchIsOfOnesOwn(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	ada, bo, reviewer := w.As(w.Tenant, "ada", auth.Member), w.As(w.Tenant, "bo", auth.Member), w.As(w.Tenant, "rev", auth.Reviewer)
	session := webtest.Volunteer(ada, "We must not forget the zebras of Ghent.")
	index := chat.NewIndex(chat.IndexOptions{Pool: w.Pool, Hub: w.Server.Hub, Library: w.Server.Library, Log: w.Server.Log,
		Tenants: func(context.Context) ([]string, error) { return []string{w.Tenant}, nil }})
	if err := index.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}

	for _, tt := range []struct {
		name, query string
		who         *webtest.World
		want        int // kinds found
	}{
		{"the person", "?q=zebras", ada, 3}, // what was said, the reply to it, what came up
		{"one kind", "?q=zebras&kind=obligation", ada, 1},
		{"one session", "?q=zebras&kind=obligation&session=" + session, ada, 1},
		{"somebody else", "?q=zebras", bo, 0},
		{"a reviewer", "?q=zebras&kind=obligation", reviewer, 1},
		{"something else", "?q=giraffes", ada, 0},
	} {
		got := webtest.Fetch[web.Page[sessions.Hit]](tt.who, http.StatusOK, webtest.Request{Path: "/api/v1/search" + tt.query})
		if len(got.Items) != tt.want && !(tt.want == 3 && len(got.Items) >= 2) {
			t.Errorf("%s finds %+v, want %d", tt.name, got.Items, tt.want)
		}
		for _, h := range got.Items {
			if len(h.Highlights) == 0 || h.Session != session {
				t.Errorf("%s: %+v", tt.name, h)
			}
		}
	}
	webtest.Fetch[web.Problem](bo, http.StatusNotFound, webtest.Request{Path: "/api/v1/search?q=zebras&session=" + session})
	webtest.Fetch[web.Problem](ada, http.StatusUnprocessableEntity, webtest.Request{Path: "/api/v1/search"})
	webtest.Fetch[web.Problem](ada, http.StatusUnprocessableEntity, webtest.Request{Path: "/api/v1/search?q=x&kind=turnip"})
}
