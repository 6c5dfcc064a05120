package talk_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	researchpages "quaestor/web/research"
	"quaestor/web/talk"
	"quaestor/web/ui"
	"quaestor/web/webtest"
)

func TestHostileTextStaysText(t *testing.T) {
	t.Parallel()

	for _, s := range webtest.Hostile {
		t.Run(s, func(t *testing.T) {
			t.Parallel()

			v := webtest.HostileView(t, s)
			p := webtest.Render(t, talk.Chat(v))

			for _, n := range p.Every() {
				webtest.CheckPolicy(t, s, n)
			}
			if got := webtest.RawText(p.Slot(p.Test("message-user"), "body")); got != s {
				t.Errorf("the person's words are %q, want %q", got, s)
			}
			if got := webtest.Text(p.Slot(p.Test("obligation-k"), "value")); got != webtest.Text(p.Slot(p.Test("obligation-k"), "previous")) || !strings.Contains(got, strings.Fields(s)[0]) {
				t.Errorf("value = %q, want %q", got, s)
			}
		})
	}
}

func TestHostileTextInEveryQuestion(t *testing.T) {
	t.Parallel()

	for _, s := range webtest.Hostile {
		value := webtest.Encoded(t, s)
		for _, q := range []sessions.Question{
			{Purpose: sessions.ToConfirm, Key: s, Label: s, Prompt: s, Proposal: value},
			{Purpose: sessions.ToResolve, Key: s, Label: s, Prompt: s, Values: []json.RawMessage{value}},
			{Purpose: sessions.ToForm, Fields: []sessions.Question{
				{Key: s, Prompt: s, Widget: obligations.Text}, {Key: s, Prompt: s, Widget: obligations.Number, Unit: s}, {Key: s, Prompt: s, Widget: obligations.Date},
			}},
		} {
			v := webtest.Sample(t)
			v.Question, v.Conflicts = &q, []obligations.Conflict{{Keys: []string{s}}}
			for _, n := range webtest.Render(t, talk.Chat(v)).Every() {
				webtest.CheckPolicy(t, s, n)
			}
		}
	}
}

func TestHostileTextOnOtherPages(t *testing.T) {
	t.Parallel()

	for _, s := range webtest.Hostile {
		ended := time.Unix(0, 0)
		home := talk.HomeView{
			Interviewer: s,
			Objectives:  []objectives.Objective{{ContextType: s, DisplayName: s, Definition: &objectives.Definition{Description: s, Obligations: []obligations.Template{{Category: s}}}}},
			Sessions:    []talk.SessionCard{{Session: sessions.Session{ID: s, Phase: sessions.Phase(s), UpdatedAt: ended}, Title: s, Gist: s, Next: s, By: s}},
			Finished:    []talk.SessionCard{{Session: sessions.Session{ID: s, Status: sessions.Completed, CompletedAt: &ended}, Title: s, Gist: s, By: s}},
		}
		found := talk.SearchView{Words: s, Kind: sessions.FoundKind(s), Page: 1, More: true, Failure: s}
		hits := talk.SearchView{Words: s, Page: 2, Found: []talk.FoundCard{{Title: s, Within: s + "2", By: s, Hit: sessions.Hit{Kind: sessions.FoundMessage, Session: s, Key: s, Snippet: s + "xyz", Highlights: []obligations.Span{{Start: 0, End: 1}}}}}}
		asked := researchpages.ResearchView{Request: s, Asks: true, Older: s, Tasks: []research.Task{{ID: s, Order: research.Order{Query: s}, Status: research.Failed, Failure: s, Summary: s}}}
		listed := talk.InterviewsView{Status: sessions.Status(s), Sessions: home.Sessions, Older: s, Later: true}
		for _, c := range []templ.Component{talk.Home(home), talk.Search(found), talk.Search(hits), researchpages.Research(asked), talk.Interviews(listed)} {
			for _, n := range webtest.Render(t, c).Every() {
				webtest.CheckPolicy(t, s, n)
			}
		}
		for _, n := range webtest.Render(t, ui.ErrorPage(ui.ErrorView{Title: s, Detail: s, RequestID: s})).Every() {
			webtest.CheckPolicy(t, s, n)
		}
	}
}
