package web_test

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"quaestor/internal/auth"
	"quaestor/obligations"
	"quaestor/web"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

// patientCards is what ada says, and what nobody else is to read.
const patientCards = "One more thing we must not forget: the old patient cards of Doctor Almeida must be scanned, all 4200 of them."

// fetchText returns what an address answers.
func fetchText(w *webtest.World, path string) string {
	w.T.Helper()
	resp := w.Do(webtest.Request{Path: path, Header: map[string]string{"Accept": "*/*"}})
	raw, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		w.T.Fatalf("%s answered %d, %v: %.500s", path, resp.StatusCode, err, raw)
	}
	return string(raw)
}

// wordsOfAda are the parts of patientCards that would tell who said it.
var wordsOfAda = []string{"patient cards", "Almeida", "4200", "patient_cards", "almeida", "You brought up"}

func refuseWords(t *testing.T, where, text string) {
	t.Helper()
	for _, words := range wordsOfAda {
		if strings.Contains(text, words) {
			t.Errorf("%s tells %q: %.600s", where, words, text)
		}
	}
}

// Approving what somebody brought up published their words to everybody.
func TestApprovedQuestionsKeepThePersonsWordsBack(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	ada, bo, rae := w.As(w.Tenant, "ada", auth.Member), w.As(w.Tenant, "bo", auth.Member), w.As(w.Tenant, "rae", auth.Reviewer)
	session := webtest.Volunteer(ada, patientCards)
	key := webtest.EmergentIn(ada, session).Key
	approve := webtest.Request{Method: http.MethodPost, Path: "/api/v1/sessions/" + session + "/obligations/" + key + "/approve"}
	neutral := map[string]any{"label": "Paper records", "prompt": "Which records exist on paper only, and what should happen to them?", "why": "So that nothing is lost in the move."}
	before := webtest.Fetch[web.Page[web.ObjectiveBody]](rae, http.StatusOK, webtest.Request{Path: "/api/v1/objectives"})

	for _, tt := range []struct {
		name, field, says string
		change            map[string]any
	}{
		{"nothing", "label", "neutral", nil},
		{"no label", "label", "neutral", map[string]any{"label": " "}},
		{"no question", "prompt", "neutral", map[string]any{"prompt": ""}},
		{"the quote", "prompt", "own words", map[string]any{"prompt": "You brought up “the old patient cards of Doctor Almeida must be scanned”. What about it?"}},
		{"other case and punctuation", "prompt", "own words", map[string]any{"prompt": "What of THE OLD: patient-cards, please?"}},
		{"in the label", "label", "own words", map[string]any{"label": "Old patient cards of Doctor"}},
		{"in an example", "examples[1]", "own words", map[string]any{"examples": []string{"none", "cards of doctor Almeida"}}},
	} {
		q := approve
		if tt.change != nil {
			body := map[string]any{}
			for name, v := range neutral {
				body[name] = v
			}
			for name, v := range tt.change {
				body[name] = v
			}
			q.Body = body
		}
		got := webtest.Fetch[web.Problem](rae, http.StatusUnprocessableEntity, q)
		if len(got.Errors) != 1 || got.Errors[0].Location != tt.field || !strings.Contains(got.Detail, tt.says) {
			t.Errorf("%s: refused with %+v, want the field %s and %q", tt.name, got, tt.field, tt.says)
		}
	}
	after := webtest.Fetch[web.Page[web.ObjectiveBody]](rae, http.StatusOK, webtest.Request{Path: "/api/v1/objectives"})
	if len(after.Items) != len(before.Items) || emergentStatus(t, ada, session, key) == obligations.SourceApproved {
		t.Fatal("a refused approval published something")
	}

	approve.Body = neutral
	approved := webtest.Fetch[web.ObjectiveBody](rae, http.StatusOK, approve)
	i := slices.IndexFunc(approved.Definition.Obligations, func(o obligations.Template) bool { return o.Label == "Paper records" })
	if i < 0 || approved.Definition.Obligations[i].Key != "paper_records" || approved.Definition.Obligations[i].Why != neutral["why"] {
		t.Fatalf("the objective asks for %+v", approved.Definition.Obligations)
	}
	whole, err := json.Marshal(approved)
	if err != nil {
		t.Fatal(err)
	}
	refuseWords(t, "the answer", string(whole))

	other := bo.Begin("business_profile")
	for _, path := range []string{"/api/v1/sessions/" + other, "/api/v1/sessions/" + other + "/obligations", "/api/v1/sessions/" + other + "/history?limit=1000", "/api/v1/sessions/" + other + "/export?format=json",
		"/api/v1/sessions/" + other + "/export?format=md", "/s/" + other, "/api/v1/objectives", "/"} {
		refuseWords(t, path, fetchText(bo, path))
	}
	boss := w.As(w.Tenant, "boss", auth.Owner)
	for _, path := range []string{"/api/v1/objectives/" + approved.ID, "/objectives", "/objectives/business_profile", "/objectives/business_profile/" + approved.Version} {
		refuseWords(t, path, fetchText(boss, path))
	}
	if own := fetchText(ada, "/api/v1/sessions/"+session+"/history?limit=1000"); !strings.Contains(own, "patient cards") {
		t.Error("the session in which it came up has lost its evidence")
	}
	if list := webtest.Fetch[web.Page[webtest.ObligationSeen]](ada, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + session + "/obligations"}); !slices.ContainsFunc(list.Items, func(o webtest.ObligationSeen) bool { return o.Key == key }) {
		t.Error("the session in which it came up asks for it no longer")
	}
}

// emergentStatus is where an obligation of a session comes from.
func emergentStatus(t *testing.T, w *webtest.World, session, key string) string {
	t.Helper()
	history := webtest.Fetch[web.Page[web.HistoryBody]](w, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + session + "/history?limit=1000"})
	source := ""
	for _, h := range history.Items {
		if h.Key == key && h.Metadata.Set.Origin != nil {
			source = h.Metadata.Set.Origin.Source
		}
	}
	return source
}

// What came up is often looked at when the interview is over. It was published,
// and then the approval was refused.
func TestProposalsOfCompletedSessionsAreDecided(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	boss := w.As(w.Tenant, "boss", auth.Owner)
	webtest.Fetch[web.ObjectiveBody](boss, http.StatusCreated, webtest.Request{Path: "/api/v1/objectives", Body: webtest.Tiny})
	ada := w.As(w.Tenant, "ada", auth.Member)
	session := ada.Begin("tiny")
	ada.Say(talk.TurnBody{SessionID: session, Message: "Don't forget the night shift."})
	key := webtest.EmergentIn(ada, session).Key
	ada.Say(talk.TurnBody{SessionID: session, Answers: map[string]json.RawMessage{"team_size": json.RawMessage(`4`)}})
	webtest.Fetch[web.SessionBody](ada, http.StatusOK, webtest.Request{Method: http.MethodPost, Path: "/api/v1/sessions/" + session + "/complete"})

	path := "/api/v1/sessions/" + session + "/obligations/" + key
	got := webtest.Fetch[web.ObjectiveBody](boss, http.StatusOK, webtest.Request{Path: path + "/approve", Body: map[string]string{"label": "Working hours", "prompt": "Who works at what hours?"}})
	if !slices.ContainsFunc(got.Definition.Obligations, func(o obligations.Template) bool { return o.Key == "working_hours" }) {
		t.Errorf("version %s does not ask for it", got.Version)
	}
	if source := emergentStatus(t, ada, session, key); source != obligations.SourceApproved {
		t.Errorf("the proposal is %q, want approved", source)
	}
	if done := webtest.Fetch[web.SessionBody](ada, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + session}); done.Status != "completed" {
		t.Errorf("the session is %s", done.Status)
	}
}
