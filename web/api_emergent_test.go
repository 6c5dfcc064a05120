package web

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
)

// obligationSeen is what these tests read of an obligation.
type obligationSeen struct {
	Key        string   `json:"key"`
	Status     string   `json:"status"`
	Layer      string   `json:"originLayer"`
	MergedInto string   `json:"mergedInto"`
	SplitInto  []string `json:"splitInto"`
}

// volunteer has somebody bring something up in a new session, and returns it.
func volunteer(w *world, words string) string {
	w.t.Helper()
	session := fetch[sessionBody](w, http.StatusCreated, request{path: "/api/v1/sessions", body: map[string]string{"contextType": "business_profile"}})
	events := w.say(turnBody{SessionID: session.ID, Message: words})
	if !slices.ContainsFunc(events, func(e told) bool { return e.Type == sessions.KindObligation && e.Data["category"] == "Came up" }) {
		w.t.Fatalf("%q brought nothing up", words)
	}
	return session.ID
}

func emergentIn(w *world, session string) obligationSeen {
	w.t.Helper()
	list := fetch[page[obligationSeen]](w, http.StatusOK, request{path: "/api/v1/sessions/" + session + "/obligations"})
	i := slices.IndexFunc(list.Items, func(o obligationSeen) bool { return o.Layer == string(obligations.SessionOnly) })
	if i < 0 {
		w.t.Fatal("nothing came up")
	}
	return list.Items[i]
}

func TestWhatPeopleBringUpWaitsForAReviewer(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	first := volunteer(w, "One more thing we must not forget: the auditors of the insurance.")
	second := volunteer(w, "You should also ask about the auditors of the insurance")
	groups := fetch[page[suggestionGroup]](w, http.StatusOK, request{path: "/api/v1/proposals"})

	if len(groups.Items) != 1 || groups.Items[0].Sessions != 2 || len(groups.Items[0].Proposals) != 2 {
		t.Fatalf("the proposals are %+v, want one group of two sessions", groups.Items)
	}
	p := groups.Items[0].Proposals[1]
	if p.SessionID != first || len(p.Evidence) != 1 || p.Evidence[0].Span == nil || !strings.Contains(p.Evidence[0].Quote, "auditors") {
		t.Errorf("the first proposal is %+v, want its words", p)
	}

	key := "/obligations/" + p.Key
	words := map[string]string{"label": "Audits", "prompt": "Who examines your books, and how often?"}
	approved := fetch[objectiveBody](w, http.StatusOK, request{path: "/api/v1/sessions/" + first + key + "/approve", body: words})
	if !strings.HasSuffix(approved.Version, ".0") || !approved.Active || !slices.ContainsFunc(approved.Definition.Obligations, func(t obligations.Template) bool { return t.Key == "audits" }) {
		t.Errorf("version %s, active %t, has it not", approved.Version, approved.Active)
	}
	fetch[problem](w, http.StatusConflict, request{path: "/api/v1/sessions/" + first + key + "/approve", body: words})
	if again := fetch[objectiveBody](w, http.StatusOK, request{path: "/api/v1/sessions/" + second + "/obligations/" + emergentIn(w, second).Key + "/approve", body: words}); again.Version != approved.Version {
		t.Errorf("approving the same again published %s", again.Version)
	}
	if left := fetch[page[suggestionGroup]](w, http.StatusOK, request{path: "/api/v1/proposals"}); len(left.Items) != 0 {
		t.Errorf("still waiting: %+v", left.Items)
	}
}

func TestDismissedProposalIsSkipped(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	session := volunteer(w, "Don't forget about the night shift.")
	o := emergentIn(w, session)
	got := fetch[obligationSeen](w, http.StatusOK, request{method: http.MethodPost, path: "/api/v1/sessions/" + session + "/obligations/" + o.Key + "/dismiss"})
	if got.Status != string(obligations.Skipped) {
		t.Errorf("a dismissed proposal is %s, want skipped", got.Status)
	}
}

func TestReviewersMergeAndSplit(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	session := volunteer(w, "We must not forget the night shift.")
	path := "/api/v1/sessions/" + session + "/obligations/"
	list := fetch[page[obligationSeen]](w, http.StatusOK, request{path: strings.TrimSuffix(path, "/")})
	text, from := list.Items[0].Key, emergentIn(w, session).Key

	split := fetch[page[obligationSeen]](w, http.StatusOK, request{path: path + text + "/split", body: map[string]any{"children": []map[string]string{{"prompt": "First half?"}, {"prompt": "Second half?"}}}})
	parent := split.Items[0]
	if len(parent.SplitInto) != 2 || len(split.Items) != len(list.Items)+2 {
		t.Fatalf("after the split: %+v of %d", parent, len(split.Items))
	}
	merged := fetch[page[obligationSeen]](w, http.StatusOK, request{path: path + from + "/merge", body: map[string]string{"into": parent.SplitInto[0]}})
	i := slices.IndexFunc(merged.Items, func(o obligationSeen) bool { return o.Key == from })
	if got := merged.Items[i]; got.MergedInto != parent.SplitInto[0] || got.Status != string(obligations.Skipped) {
		t.Errorf("after the merge: %+v", got)
	}
	fetch[problem](w, http.StatusConflict, request{path: path + from + "/merge", body: map[string]string{"into": parent.SplitInto[1]}})
	fetch[problem](w, http.StatusNotFound, request{path: path + "nothing/merge", body: map[string]string{"into": from}})
	fetch[problem](w, http.StatusUnprocessableEntity, request{path: path + text + "/split", body: map[string]any{"children": []string{}}})

	history := fetch[page[historyBody]](w, http.StatusOK, request{path: "/api/v1/sessions/" + session + "/history?limit=1000"})
	for _, kind := range []obligations.EventType{obligations.Merged, obligations.Split} {
		if !slices.ContainsFunc(history.Items, func(h historyBody) bool { return h.Type == kind && strings.Contains(h.Metadata.Reason, "developer") }) {
			t.Errorf("the history has no %s by the reviewer", kind)
		}
	}
	events := make([]obligations.Event, len(history.Items))
	for i, h := range history.Items {
		events[i] = obligations.Event{Key: h.Key, Type: h.Type, Turn: h.Turn, Meta: h.Metadata}
	}
	objective, err := w.server.Library.Active(t.Context(), w.tenant, "business_profile")
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

	w := open(t, terms{tokens: true})
	member := w.as(w.tenant, "ada", auth.Member)
	session := volunteer(member, "Do not forget the night shift.")
	path := "/api/v1/sessions/" + session + "/obligations/" + emergentIn(member, session).Key

	for _, q := range []request{
		{path: path + "/merge", body: map[string]string{"into": "x"}},
		{path: path + "/split", body: map[string]any{"children": []map[string]string{{"prompt": "One?"}, {"prompt": "Two?"}}}},
		{method: http.MethodPost, path: path + "/approve"},
		{method: http.MethodPost, path: path + "/dismiss"},
		{path: "/api/v1/proposals"},
	} {
		fetch[problem](member, http.StatusForbidden, q)
	}
	stranger := w.as(w.tenant, "bo", auth.Member)
	fetch[problem](stranger, http.StatusNotFound, request{method: http.MethodPost, path: path + "/dismiss"})
}

func TestSearchIsOfOnesOwn(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	ada, bo, reviewer := w.as(w.tenant, "ada", auth.Member), w.as(w.tenant, "bo", auth.Member), w.as(w.tenant, "rev", auth.Reviewer)
	session := volunteer(ada, "We must not forget the zebras of Ghent.")
	index := chat.NewIndex(chat.IndexOptions{Pool: w.pool, Hub: w.server.Hub, Library: w.server.Library, Log: w.server.Log,
		Tenants: func(context.Context) ([]string, error) { return []string{w.tenant}, nil }})
	if err := index.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}

	for _, tt := range []struct {
		name, query string
		who         *world
		want        int // kinds found
	}{
		{"the person", "?q=zebras", ada, 3}, // what was said, the reply to it, what came up
		{"one kind", "?q=zebras&kind=obligation", ada, 1},
		{"one session", "?q=zebras&kind=obligation&session=" + session, ada, 1},
		{"somebody else", "?q=zebras", bo, 0},
		{"a reviewer", "?q=zebras&kind=obligation", reviewer, 1},
		{"something else", "?q=giraffes", ada, 0},
	} {
		got := fetch[page[sessions.Hit]](tt.who, http.StatusOK, request{path: "/api/v1/search" + tt.query})
		if len(got.Items) != tt.want && !(tt.want == 3 && len(got.Items) >= 2) {
			t.Errorf("%s finds %+v, want %d", tt.name, got.Items, tt.want)
		}
		for _, h := range got.Items {
			if len(h.Highlights) == 0 || h.Session != session {
				t.Errorf("%s: %+v", tt.name, h)
			}
		}
	}
	fetch[problem](bo, http.StatusNotFound, request{path: "/api/v1/search?q=zebras&session=" + session})
	fetch[problem](ada, http.StatusUnprocessableEntity, request{path: "/api/v1/search"})
	fetch[problem](ada, http.StatusUnprocessableEntity, request{path: "/api/v1/search?q=x&kind=turnip"})
}
