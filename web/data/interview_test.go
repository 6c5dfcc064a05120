package data_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"quaestor/internal/auth"
	"quaestor/web/data"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

func TestAnInterviewFillsTheProfile(t *testing.T) {
	t.Parallel()

	w := webtest.OpenData(t)
	project := "/api/v1/projects/" + w.Project
	if r := w.Do(webtest.Request{Method: http.MethodPost, Path: project + "/profile"}); r.StatusCode != http.StatusConflict {
		t.Errorf("answers without an interview: %d", r.StatusCode)
	}
	begun := webtest.Fetch[map[string]string](w.World, http.StatusCreated, webtest.Request{Method: http.MethodPost, Path: project + "/interview"})
	again := webtest.Fetch[map[string]string](w.World, http.StatusCreated, webtest.Request{Method: http.MethodPost, Path: project + "/interview"})
	if begun["sessionId"] == "" || again["sessionId"] != begun["sessionId"] {
		t.Fatalf("the interview is %v, and then %v", begun, again)
	}
	id := begun["sessionId"]
	w.Say(talk.TurnBody{SessionID: id})
	list := webtest.Fetch[struct {
		Items []struct{ Key, FieldPath string }
	}](w.World, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + id + "/obligations"}).Items
	if len(list) == 0 {
		t.Fatal("the interview asks nothing")
	}
	var text, goals string
	for _, o := range list { // answered by a widget, which needs no reading
		switch o.FieldPath {
		case "subject":
			text = o.Key
		case "goals":
			goals = o.Key
		}
	}
	if text == "" {
		t.Fatalf("the pack's field subject is not asked for: %+v", list)
	}
	w.Say(talk.TurnBody{SessionID: id, Answers: map[string]json.RawMessage{text: json.RawMessage(`"We deliver spare parts; delays and failures cost us most."`), goals: json.RawMessage(`"fewer delays, cheaper freight and better planning"`)}})
	filled := webtest.Fetch[data.ProjectBody](w.World, http.StatusOK, webtest.Request{Method: http.MethodPost, Path: project + "/profile"})
	var profile struct {
		Subject string
		Goals   []string
	}
	if err := json.Unmarshal(filled.Profile, &profile); err != nil || !strings.Contains(profile.Subject, "spare parts") || strings.Join(profile.Goals, "|") != "fewer delays|cheaper freight|better planning" {
		t.Errorf("the profile is %s", filled.Profile)
	}
	page := webtest.Words(w.Drawn("/data/projects/" + w.Project))
	if !strings.Contains(page, "Take over the answers") {
		t.Errorf("the page of the project says %s", page)
	}
	if r := w.As(w.Tenant, "member", auth.Member).Do(webtest.Request{Method: http.MethodPost, Path: project + "/interview"}); r.StatusCode != http.StatusForbidden {
		t.Errorf("a member begins it: %d", r.StatusCode)
	}
}
