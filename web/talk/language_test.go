package talk_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

// german is a session about a shipped objective that was asked for in German.
func german(w *webtest.World) web.SessionBody {
	return webtest.Fetch[web.SessionBody](w, http.StatusCreated, webtest.Request{Path: "/api/v1/sessions", Body: map[string]string{"contextType": "business_profile", "language": "de"}})
}

func read(w *webtest.World, id string) web.SessionBody {
	return webtest.Fetch[web.SessionBody](w, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + id})
}

func TestSessionInGermanByTheAPI(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	made := german(w)
	if made.Language != "de" || made.LanguageFrom != sessions.LanguageAsked {
		t.Fatalf("the session is in %q (%s)", made.Language, made.LanguageFrom)
	}
	w.Say(talk.TurnBody{SessionID: made.ID})
	if q := read(w, made.ID).Question; q == nil || !strings.HasPrefix(q.Prompt, "Zum Einstieg") || q.Label != "Was das Unternehmen macht" {
		t.Errorf("it asks %+v", q)
	}
	w.Say(talk.TurnBody{SessionID: made.ID, Message: "Wir backen nachts Brot und liefern es jeden Morgen an vierzig Cafés"})
	if q := read(w, made.ID).Question; q == nil || strings.Contains(q.Prompt, "your") {
		t.Errorf("then it asks %+v", q)
	}
	for _, o := range webtest.Fetch[web.Page[webtest.ObligationSeen]](w, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + made.ID + "/obligations"}).Items {
		if o.Key == "industry" && o.Label != "Branche" {
			t.Errorf("industry is called %q", o.Label)
		}
	}
}

func TestSessionInTheLanguageOfTheBrowser(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	for header, want := range map[string]string{"de-DE,de;q=0.9,en;q=0.8": "de", "en-US,en;q=0.9": "en", "nonsense;;": "en"} {
		made := webtest.Fetch[web.SessionBody](w, http.StatusCreated, webtest.Request{Path: "/api/v1/sessions", Header: map[string]string{"Accept-Language": header}, Body: map[string]string{"contextType": "business_profile"}})
		if made.Language != want {
			t.Errorf("%q begins a session in %q, want %q", header, made.Language, want)
		}
	}
}

func TestGermanFirstMessageMakesAGermanSession(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.Begin("idea_discovery")
	w.Say(talk.TurnBody{SessionID: id, Message: "Ich möchte einen Werkzeugverleih in jedem Mietshaus einrichten, weil die meisten Leute ihr Werkzeug nur einmal benutzen"})
	got := read(w, id)
	if got.Language != "de" || got.LanguageFrom != sessions.LanguageDetected {
		t.Fatalf("the session is in %q (%s)", got.Language, got.LanguageFrom)
	}
	if got.Question == nil || strings.Contains(got.Question.Prompt, " your ") {
		t.Errorf("it asks %+v", got.Question)
	}
}

func TestLanguageThatNobodySpeaksIsAProblem(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	for _, tag := range []string{"fr", "Deutsch, bitte"} {
		webtest.CheckRefusal(t, w, webtest.Refusal{Request: webtest.Request{Path: "/api/v1/sessions", Body: map[string]string{"contextType": "business_profile", "language": tag}},
			Status: http.StatusUnprocessableEntity, Code: map[string]string{"fr": "language_unknown"}[tag] + map[string]string{"Deutsch, bitte": "language_invalid"}[tag], Says: []string{tag}})
	}
}

// The page of a German session is German where people act: its language, the question, and
// the buttons. The address of the first page can ask for it.
func TestPageOfAGermanSession(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	home := w.Drawn("/?language=de")
	forms := 0
	for n := range home.Descendants() {
		if n.Type == html.ElementNode && n.Data == "input" && webtest.Attribute(n, "name") == "language" && webtest.Attribute(n, "value") == "de" {
			forms++
		}
	}
	if forms != 3 {
		t.Errorf("%d forms of the first page ask for German, want 3", forms)
	}
	location, _ := w.Send(http.StatusSeeOther, "/start", url.Values{"contextType": {"business_profile"}, "language": {"de"}})
	page := w.Drawn(location)

	words := webtest.Words(page)
	for _, want := range []string{"Unternehmensprofil", "Senden", "Überspringen", "Warum fragen Sie das?", "Dateien anhängen"} {
		if !strings.Contains(words, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	for _, not := range []string{"Your answer", "Attach files", "Why do you ask?"} {
		if strings.Contains(words, not) {
			t.Errorf("the page says %q", not)
		}
	}
	for n := range page.Descendants() {
		if n.Type == html.ElementNode && n.Data == "html" && webtest.Attribute(n, "lang") != "de" {
			t.Errorf("the page is marked as %q", webtest.Attribute(n, "lang"))
		}
	}
	review := webtest.Words(w.Drawn("/review/" + strings.TrimPrefix(location, "/s/")))
	if !strings.Contains(review, "German") || !strings.Contains(review, "Unternehmensprofil") {
		t.Errorf("the review does not tell the language: %.300q", review)
	}
}

// Every quick answer means the same in German.
func TestGermanQuickAnswersAreUnderstood(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	for _, tt := range []struct{ words, status string }{{"Überspringen", "skipped"}, {"Darauf komme ich später zurück", "deferred"}, {"Das weiß ich nicht", "deferred"}} {
		made := german(w)
		w.Say(talk.TurnBody{SessionID: made.ID})
		w.Say(talk.TurnBody{SessionID: made.ID, Message: tt.words})
		o := webtest.Fetch[webtest.ObligationSeen](w, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + made.ID + "/obligations/business_overview"})
		if o.Status != tt.status {
			t.Errorf("%q leaves the question %s, want %s", tt.words, o.Status, tt.status)
		}
	}
}
