package ui_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/web/ui"
)

// hostile is text that tries to leave the place it is written to.
var hostile = []string{
	`<script>alert(1)</script>`,
	`"><img src=x onerror=alert(1)>`,
	`' onmouseover='alert(1)`,
	`" autofocus onfocus="alert(1)`,
	`</textarea></template><script>alert(1)</script>`,
	`javascript:alert(1)`,
	`[x](javascript:alert(1)) ![y](https://evil.example/y.png)`,
	`<svg onload=alert(1)><a xlink:href="javascript:alert(1)">z</a>`,
	`<style>*{display:none}</style><base href="https://evil.example/">`,
	`<iframe srcdoc="<script>alert(1)</script>"></iframe>`,
	"\u202e\u2066<b>&lt;b&gt;&#60;script&#62;",
	`{{constructor.constructor('alert(1)')()}}${alert(1)}`,
}

// hostileView has s in every field people, models or documents can fill.
func hostileView(t *testing.T, s string) ui.ChatView {
	t.Helper()
	value := encoded(t, s)
	evidence := obligations.Evidence{Kind: obligations.Stated, By: s, Message: s, Quote: s, Source: s, Flag: s, Premises: []string{s}, Span: &obligations.Span{Start: 0, End: 3}}
	accepted := evidence
	accepted.Kind, accepted.Proposal = obligations.Accepted, &obligations.Proposal{Message: s, Value: value}
	inferred := evidence
	inferred.Kind = obligations.InferredEvidence
	template := obligations.Template{Key: "k", Label: s, Prompt: s, Why: s, Category: s, Unit: s, Widget: obligations.ChoiceOne, Choices: []obligations.Choice{{Value: s, Label: s}}, Examples: []string{s}}
	o := obligations.Obligation{Template: &template, Status: obligations.Partial, Value: value, Evidence: []obligations.Evidence{evidence, accepted, inferred}}
	return ui.ChatView{
		Session: sessions.Session{ID: s, ContextType: s, Status: sessions.Active, Phase: sessions.Phase(s)},
		Title:   s, Description: s, Interviewer: "model " + s, User: s, ClientMessageID: s,
		Messages: []sessions.Message{
			{Turn: 1, Role: sessions.FromAssistant, Content: s, Complete: true},
			{Turn: 1, Role: sessions.FromUser, User: s + "2", Content: s, Complete: true},
		},
		Obligations: []obligations.Obligation{o}, Previous: map[string]json.RawMessage{"k": value},
		Completeness: obligations.Completeness{MissingKeys: []string{s}},
		Question:     &sessions.Question{Purpose: sessions.ToAsk, Key: s, Label: s, Prompt: s, Widget: obligations.MultiSelect, Choices: template.Choices, Other: true, Examples: []string{s}, Why: s, Attempt: 2},
	}
}

func TestHostileTextStaysText(t *testing.T) {
	t.Parallel()

	for _, s := range hostile {
		t.Run(s, func(t *testing.T) {
			t.Parallel()

			v := hostileView(t, s)
			p := render(t, ui.Chat(v))

			for _, n := range p.every() {
				checkPolicy(t, s, n)
			}
			if got := rawText(p.slot(p.test("message-user"), "body")); got != s {
				t.Errorf("the person's words are %q, want %q", got, s)
			}
			if got := text(p.slot(p.test("obligation-k"), "value")); got != text(p.slot(p.test("obligation-k"), "previous")) || !strings.Contains(got, strings.Fields(s)[0]) {
				t.Errorf("value = %q, want %q", got, s)
			}
		})
	}
}

func TestHostileTextInEveryQuestion(t *testing.T) {
	t.Parallel()

	for _, s := range hostile {
		value := encoded(t, s)
		for _, q := range []sessions.Question{
			{Purpose: sessions.ToConfirm, Key: s, Label: s, Prompt: s, Proposal: value},
			{Purpose: sessions.ToResolve, Key: s, Label: s, Prompt: s, Values: []json.RawMessage{value}},
			{Purpose: sessions.ToForm, Fields: []sessions.Question{
				{Key: s, Prompt: s, Widget: obligations.Text}, {Key: s, Prompt: s, Widget: obligations.Number, Unit: s}, {Key: s, Prompt: s, Widget: obligations.Date},
			}},
		} {
			v := sample(t)
			v.Question = &q
			for _, n := range render(t, ui.Chat(v)).every() {
				checkPolicy(t, s, n)
			}
		}
	}
}

func TestHostileTextOnOtherPages(t *testing.T) {
	t.Parallel()

	for _, s := range hostile {
		home := ui.HomeView{
			Interviewer: s, User: s,
			Objectives: []ui.ObjectiveCard{{ContextType: s, Name: s, Description: s, Topics: []string{s}}},
			Sessions:   []ui.SessionCard{{ID: s, Title: s, Gist: s, Next: s, By: s, Phase: sessions.Phase(s), UpdatedAt: time.Unix(0, 0)}},
			Finished:   []ui.SessionCard{{ID: s, Title: s, Gist: s, By: s, Status: sessions.Completed, EndedAt: time.Unix(0, 0)}},
		}
		found := ui.SearchView{Words: s, Kind: sessions.FoundKind(s), Page: 1, More: true, Failure: s}
		hits := ui.SearchView{Words: s, Page: 2, Found: []ui.FoundCard{{Kind: sessions.FoundKind(s), Title: s, Within: s + "2", By: s, Path: ui.FoundPath(sessions.Hit{Kind: sessions.FoundMessage, Session: s, Key: s}), Snippet: []ui.Stretch{{Text: s}, {Text: s, Marked: true}}}}}
		asked := ui.ResearchView{Request: s, Asks: true, Older: s, Tasks: []research.Task{{ID: s, Order: research.Order{Query: s}, Status: research.Failed, Failure: s, Summary: s}}}
		listed := ui.InterviewsView{Status: sessions.Status(s), Sessions: home.Sessions, Older: s, Later: true}
		for _, c := range []templ.Component{ui.Home(home), ui.Search(found), ui.Search(hits), ui.Research(asked), ui.Interviews(listed)} {
			for _, n := range render(t, c).every() {
				checkPolicy(t, s, n)
			}
		}
		for _, n := range render(t, ui.ErrorPage(ui.ErrorView{Title: s, Detail: s, RequestID: s})).every() {
			checkPolicy(t, s, n)
		}
	}
}
