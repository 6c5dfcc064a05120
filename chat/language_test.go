package chat_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/chat"
	"quaestor/chat/rules"
	"quaestor/internal/fault"
	"quaestor/internal/listening"
	"quaestor/internal/llm/llmtest"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// smallGerman is what the small objective says in German.
const smallGerman = `,"language":"en","translations":{"de":{"displayName":"Laden","description":"Ein Laden.","greeting":"Guten Tag.","categories":{"Shop":"Laden","Facts":"Angaben","Market":"Markt"},
"obligations":{
 "business":{"label":"Geschäft","prompt":"Was verkauft Ihr Laden?","why":"Damit der Rest dazu passt.","cues":["wir verkaufen"]},
 "team_size":{"label":"Team","prompt":"Wie viele Menschen arbeiten dort?","cues":["leute","mitarbeiter"]},
 "founded":{"label":"Eröffnet","prompt":"Wann wurde er eröffnet?"},
 "channel":{"label":"Vertriebsweg","prompt":"Wo kaufen die Leute?","choices":{"street":{"label":"Im Laden","synonyms":["laden","vor ort"]},"online":{"label":"Im Internet","synonyms":["online"]}}},
 "market_size":{"label":"Markt","prompt":"Wie groß ist Ihr Markt?"}}}}}`

// bilingual is the small objective in English and German.
func bilingual() string { return strings.TrimSuffix(small, "}") + smallGerman }

// begins creates a session in a language and moves the harness to it.
func (d *harness) begins(r sessions.LanguageRequest) {
	d.t.Helper()
	s, err := d.engine.CreateFor(d.t.Context(), chat.SessionRequest{Tenant: d.scope.Tenant, User: "person", ContextType: "shop", Language: r})
	if err != nil {
		d.t.Fatal(err)
	}
	d.scope.Session = s.ID
}

// asks returns the question that the session stands at, with what its template says.
func (d *harness) asks(spoken string) *sessions.Question {
	d.t.Helper()
	s, list := d.state()
	o, err := objectives.NewLibrary(d.pool).Definition(d.t.Context(), d.scope.Tenant, s.ObjectiveID)
	if err != nil {
		d.t.Fatal(err)
	}
	if s.Language != spoken {
		d.t.Errorf("the session is in %q (%s), want %q", s.Language, s.LanguageSource, spoken)
	}
	s.Speak(o, list)
	s.Question.Complete(obligations.TemplateOf(list))
	return s.Question
}

func TestLanguageOfANewSession(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{objective: bilingual()})
	for _, tt := range []struct {
		request sessions.LanguageRequest
		want    string
		source  sessions.LanguageSource
		prompt  string
	}{
		{sessions.LanguageRequest{Asked: "de"}, "de", sessions.LanguageAsked, "Was verkauft Ihr Laden?"},
		{sessions.LanguageRequest{Asked: "en", Accept: "de"}, "en", sessions.LanguageAsked, "What does your shop sell?"},
		{sessions.LanguageRequest{Asked: "de-CH", Accept: "en"}, "de", sessions.LanguageAsked, "Was verkauft Ihr Laden?"},
		{sessions.LanguageRequest{Accept: "fr, de-AT;q=0.8, en;q=0.5"}, "de", sessions.LanguageAccepted, "Was verkauft Ihr Laden?"},
		{sessions.LanguageRequest{Accept: "fr"}, "en", sessions.LanguageOfObjective, "What does your shop sell?"},
		{sessions.LanguageRequest{}, "en", sessions.LanguageOfObjective, "What does your shop sell?"},
	} {
		d.begins(tt.request)
		events := d.take(d.input(""))
		if q := d.asks(tt.want); q == nil || q.Prompt != tt.prompt {
			t.Errorf("%+v: asked %+v, want %q", tt.request, q, tt.prompt)
		}
		var first sessions.SessionEvent
		if err := json.Unmarshal(events[0].Data, &first); err != nil || first.Language != tt.want || first.LanguageSource != tt.source {
			t.Errorf("%+v: the first event says %q, %q (%v)", tt.request, first.Language, first.LanguageSource, err)
		}
	}
}

func TestLanguageThatIsNotSpokenIsRefused(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{objective: bilingual()})
	for asked, says := range map[string]string{"fr": "it speaks: en, de", "German, please": "BCP 47"} {
		in := chat.Input{Tenant: d.scope.Tenant, User: "another", ContextType: "shop", Message: "Hello", Language: sessions.LanguageRequest{Asked: asked}}
		_, err := d.engine.Start(t.Context(), in)
		if !fault.Is(err, fault.Unprocessable) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want a refusal that says %q", asked, err, says)
		}
	}
}

// A person who begins in German is answered in German from that message on, and what was
// asked in English is asked again in German.
func TestLanguageIsDetectedInTheFirstMessages(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{objective: bilingual()})
	d.begins(sessions.LanguageRequest{Accept: "en"})
	d.take(d.input(""))
	d.asks("en")
	d.take(d.input("Wir verkaufen Brot und Brötchen und beliefern auch Cafés"))

	if q := d.asks("de"); q == nil || len(q.Fields) == 0 || q.Fields[0].Prompt != "Wie viele Menschen arbeiten dort?" {
		t.Errorf("after a German message it asks %+v", q)
	}
	_, list := d.state()
	if o := obligations.Find(list, "business"); o.Status != obligations.Satisfied {
		t.Errorf("what was said in German about an English question is %s", o.Status)
	}
	last, err := d.record().At(0)
	if err != nil || last.Language != "de" {
		t.Errorf("the record says the language is %q (%v), want de", last.Language, err)
	}
	if first, err := d.record().At(1); err != nil || first.Language != "en" {
		t.Errorf("the record says the language was %q at first (%v), want en", first.Language, err)
	}
}

func TestLanguageStays(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{objective: bilingual()})
	d.begins(sessions.LanguageRequest{Asked: "en"})
	d.take(d.input("Wir verkaufen Brot und Brötchen und beliefern auch Cafés"))
	d.asks("en") // it was asked for

	d.begins(sessions.LanguageRequest{})
	for _, line := range []string{"We sell bread and rolls", "About 12 people work there", "It opened in March 2019", "Das war aber noch nicht alles, was ich sagen wollte"} {
		d.take(d.input(line))
	}
	d.asks("en") // it is too late
}

func TestGermanSessionReplaysToTheSame(t *testing.T) {
	t.Parallel()

	for name, begin := range map[string]sessions.LanguageRequest{"asked": {Asked: "de"}, "accepted": {Accept: "de"}, "detected": {Accept: "en"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			d := newHarness(t, setup{objective: bilingual()})
			d.begins(begin)
			for _, line := range []string{"", "Wir verkaufen Brot und Brötchen und beliefern auch Cafés", "Dort arbeiten 12 Leute", "Im März 2019"} {
				d.take(d.input(line))
			}
			session, stored := d.state()
			r := d.record()

			then, err := r.At(0)
			if err != nil || then.Language != "de" || session.Language != "de" {
				t.Errorf("stored in %q, replayed in %q (%v)", session.Language, then.Language, err)
			}
			if differ := chat.Differences(stored, then.Obligations); len(differ) > 0 {
				t.Errorf("the record differs: %s", inWords(differ[0]))
			}
			branch, err := chat.Rerun(t.Context(), r, r.Objective.Definition, rules.New(listening.New(nil)), rules.New(listening.New(nil)), 0)
			if err != nil {
				t.Fatal(err)
			}
			if differ := chat.Differences(stored, branch.Obligations); len(differ) > 0 || branch.Session.Language != "de" {
				t.Errorf("the same messages lead elsewhere, in %q: %v", branch.Session.Language, differ)
			}
			for i, m := range branch.Turns {
				if diff := cmp.Diff(r.Messages[indexOf(r.Messages, m.Turn)].Content, m.Reply); diff != "" {
					t.Errorf("reply %d (-stored +rerun):\n%s", i+1, diff)
				}
			}
		})
	}
}

// Widgets and labels of a German session are German, in what is streamed too.
func TestChoicesArriveInGerman(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{objective: bilingual()})
	d.begins(sessions.LanguageRequest{Asked: "de"})
	d.take(d.input(""))
	told := ""
	for _, e := range d.take(d.input("Wir verkaufen Brot und Brötchen")) {
		told += string(e.Data) + "\n"
	}
	for _, want := range []string{`"label":"Geschäft"`, `"category":"Laden"`, "Im Internet", "Wann wurde er eröffnet?"} {
		if !strings.Contains(told, want) {
			t.Errorf("the events lack %s", want)
		}
	}
	for _, english := range []string{"In the street", "When did it open", `"label":"Business"`} {
		if strings.Contains(told, english) {
			t.Errorf("the events say %q", english)
		}
	}
	d.take(d.input("Im Internet"))
	_, list := d.state()
	if o := obligations.Find(list, "channel"); string(o.Value) != `"online"` {
		t.Errorf("a German label is stored as %s, want the value online", o.Value)
	}
}

func TestModelIsToldTheLanguage(t *testing.T) {
	t.Parallel()

	srv := llmtest.New(t)
	srv.OnReply(llmtest.Reply{Text: "Guten Tag. Was verkauft Ihr Laden?"})
	d := newHarness(t, setup{objective: bilingual(), model: srv})
	d.begins(sessions.LanguageRequest{Asked: "de"})
	d.take(d.input(""))
	for _, r := range srv.Requests() {
		body := string(r.Body)
		if strings.Contains(body, "In German, which was asked for") && strings.Contains(body, "Was verkauft Ihr Laden?") {
			return
		}
	}
	t.Error("no request told the model to speak German")
}
