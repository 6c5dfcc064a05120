package talk_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	researchpages "quaestor/web/research"
	"quaestor/web/talk"
	"quaestor/web/ui"
	"quaestor/web/webtest"
)

var everywhere = ui.Nav{Here: ui.AtInterviews, Places: []ui.Place{ui.AtInterviews, ui.AtResearch, ui.AtReview, ui.AtManage}}

func sampleHome() talk.HomeView {
	ended := time.Date(2026, 2, 1, 9, 0, 0, 0, time.UTC)
	return talk.HomeView{
		Nav: everywhere, Interviewer: "rules", Talks: true,
		Objectives: []objectives.Objective{{ContextType: "business_profile", DisplayName: "Business profile", Definition: &objectives.Definition{Description: "A business as it is.",
			Obligations: slices.Repeat([]obligations.Template{{Category: "Offer"}, {Category: "People"}, {Category: "Offer"}}, 7)}}},
		Sessions: []talk.SessionCard{{Title: "Product idea", Gist: "A lending library for tools", Next: "Who pays", Known: 13, Total: 16,
			Session: sessions.Session{ID: "s-1", Phase: sessions.Validation, Status: sessions.Active, Progress: 0.845, UpdatedAt: time.Date(2026, 3, 1, 14, 5, 0, 0, time.UTC)}}},
		Finished: []talk.SessionCard{{Title: "Business profile", By: "bob", Known: 21, Total: 21,
			Session: sessions.Session{ID: "s-2", Phase: sessions.Closing, Status: sessions.Completed, Progress: 1, CompletedAt: &ended}}},
		MoreFinished: true,
	}
}

func TestHomeStartsAnInterview(t *testing.T) {
	t.Parallel()

	p := webtest.Render(t, talk.Home(sampleHome()))
	card := p.Test("objective-business_profile")

	form := p.Within(card).All(webtest.Tag("form"))[0]
	if webtest.Attr(form, "action") != "/start" || webtest.Attr(form, "method") != "post" {
		t.Errorf("form = %v, want a post to /start", form.Attr)
	}
	fields := p.Within(form).All(func(n *html.Node) bool { return webtest.Attr(n, "name") == "contextType" })
	if len(fields) != 1 || webtest.Attr(fields[0], "value") != "business_profile" {
		t.Error("the form does not say which objective")
	}
	if got, want := webtest.Text(card), "Business profile A business as it is. Offer People About 21 questions, 15 minutes Start Business profile"; got != want {
		t.Errorf("card = %q, want %q", got, want)
	}
}

func TestHomeOffersNoStartToThoseWhoOnlyRead(t *testing.T) {
	t.Parallel()

	v := sampleHome()
	v.Talks = false

	if got := webtest.Render(t, talk.Home(v)).Tests("start-business_profile"); len(got) != 0 {
		t.Error("a reader is offered to start an interview")
	}
}

func TestHomeGoesOnWithOpenInterviews(t *testing.T) {
	t.Parallel()

	p := webtest.Render(t, talk.Home(sampleHome()))

	if got := webtest.Attr(p.Test("continue-s-1"), "href"); got != "/s/s-1" {
		t.Errorf("link = %q, want /s/s-1", got)
	}
	if got, want := webtest.Text(p.Test("session-s-1")), "Product idea A lending library for tools 85% 85% resolved, 13 of 16 known Validation 1 Mar 2026, 14:05 UTC Asked now: Who pays"; got != want {
		t.Errorf("card = %q, want %q", got, want)
	}
	if got := p.Tests("all-active"); len(got) != 0 {
		t.Error("a list of all open interviews is offered, though all are here")
	}
}

func TestHomeHandsOutWhatWasFinished(t *testing.T) {
	t.Parallel()

	p := webtest.Render(t, talk.Home(sampleHome()))
	row := p.Within(p.Test("session-s-2"))

	if got := webtest.Text(row.Root); !strings.Contains(got, "21 of 21 known") || !strings.Contains(got, "begun by bob") || !strings.Contains(got, "finished 1 Feb 2026, 09:00 UTC") {
		t.Errorf("row = %q", got)
	}
	for _, format := range []string{"md", "csv", "json"} {
		link := row.Test("export-" + format)
		if want := "/api/v1/sessions/s-2/export?format=" + format; webtest.Attr(link, "href") != want || !strings.Contains(webtest.Text(link), "of Business profile") {
			t.Errorf("link %q to %q, want one to %s that says what of", webtest.Text(link), webtest.Attr(link, "href"), want)
		}
	}
	if got := webtest.Attr(p.Test("all-completed"), "href"); got != "/interviews?status=completed" {
		t.Errorf("all finished ones are at %q", got)
	}
}

func TestHomeWithoutObjectivesSaysHowToGetOne(t *testing.T) {
	t.Parallel()

	webtest.Render(t, talk.Home(talk.HomeView{Interviewer: "rules"})).Test("no-objectives")
}

func TestErrorPage(t *testing.T) {
	t.Parallel()

	p := webtest.Render(t, ui.ErrorPage(ui.ErrorView{Status: 404, Title: "No such page", Detail: "Look at the address.", RequestID: "req_1"}))

	if got, want := webtest.Text(p.Test("error")), "404 No such page Look at the address. Back to all interviews For the operator: request req_1"; got != want {
		t.Errorf("error page = %q, want %q", got, want)
	}
}

func TestInterviewsAreListedByStatus(t *testing.T) {
	t.Parallel()

	home := sampleHome()
	for _, tt := range []struct {
		name   string
		view   talk.InterviewsView
		row    string // session that is listed; empty for none
		tab    string // list that is current
		newest bool
		older  string
		says   string
	}{
		{"open", talk.InterviewsView{Status: sessions.Active, Sessions: home.Sessions, Older: "abc"}, "s-1", "tab-active", false, "/interviews?cursor=abc&status=active", "85% resolved"},
		{"finished", talk.InterviewsView{Status: sessions.Completed, Sessions: home.Finished, Later: true}, "s-2", "tab-completed", true, "", "21 of 21 known"},
		{"none open", talk.InterviewsView{Status: sessions.Active}, "", "tab-active", false, "", "No interview is open."},
		{"none finished", talk.InterviewsView{Status: sessions.Completed}, "", "tab-completed", false, "", "No interview is finished yet."},
		{"past the end", talk.InterviewsView{Status: sessions.Active, Later: true}, "", "tab-active", true, "", "There are no more interviews."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			p := webtest.Render(t, talk.Interviews(tt.view))

			if webtest.Attr(p.Test(tt.tab), "aria-current") != "page" {
				t.Errorf("%s is not the current tab", tt.tab)
			}
			if got := len(p.Tests("newest")) == 1; got != tt.newest {
				t.Errorf("a way to the newest is there: %t, want %t", got, tt.newest)
			}
			if older := p.Tests("older"); tt.older == "" && len(older) > 0 || tt.older != "" && webtest.Attr(older[0], "href") != tt.older {
				t.Errorf("older ones are at %v, want %q", older, tt.older)
			}
			if tt.row != "" {
				p.Test("session-" + tt.row)
			} else {
				p.Test("no-interviews")
			}
			if got := webtest.Text(p.Root); !strings.Contains(got, tt.says) {
				t.Errorf("the page does not say %q: %s", tt.says, got)
			}
		})
	}
}

func TestResearchListsQuestionsAndTakesOne(t *testing.T) {
	t.Parallel()

	running := research.Task{ID: "t-1", Order: research.Order{Query: "How large is the market?"}, Status: research.Running, Created: time.Unix(0, 0)}
	found := research.Task{ID: "t-2", Scope: obligations.Scope{Session: "s-1"}, Order: research.Order{Query: "Who sells <b>tools</b>?"}, Status: research.Completed, Outcome: research.Found, Summary: "Three do.", Created: time.Unix(0, 0)}

	p := webtest.Render(t, researchpages.Research(researchpages.ResearchView{Tasks: []research.Task{running, found}, Asks: true, Request: "r-1"}))

	form := p.Test("ask-form")
	if webtest.Attr(form, "action") != "/research" || webtest.Attr(form, "method") != "post" {
		t.Errorf("form = %v, want a post to /research", form.Attr)
	}
	if !webtest.Has(p.Test("asked"), "data-again") {
		t.Error("a list with an open question is not kept up to date")
	}
	for id, want := range map[string]string{"t-1": "How large is the market? Looking it up", "t-2": "Who sells <b>tools</b>? Three do. Found Part of an interview"} {
		row := p.Test("task-" + id)
		if got := webtest.Text(row); !strings.HasPrefix(got, want) {
			t.Errorf("row = %q, want %q first", got, want)
		}
	}
	if got := webtest.Attr(p.Within(p.Test("task-t-2")).Test("task-link"), "href"); got != "/s/s-1/research/t-2" {
		t.Errorf("the report is at %q", got)
	}
}

func TestResearchWithNothingToShow(t *testing.T) {
	t.Parallel()

	p := webtest.Render(t, researchpages.Research(researchpages.ResearchView{}))

	p.Test("no-questions")
	if len(p.Tests("ask-form")) != 0 || webtest.Has(p.Test("asked"), "data-again") {
		t.Error("a reader who may not ask is offered to, or waits for nothing")
	}
}

func TestMinutes(t *testing.T) {
	t.Parallel()

	for questions, want := range map[int]int{0: 5, 1: 5, 7: 5, 8: 10, 14: 10, 15: 15, 21: 15, 22: 20, 60: 45} {
		if got := talk.Minutes(questions); got != want {
			t.Errorf("Minutes(%d) = %d, want %d", questions, got, want)
		}
	}
}

func TestGistIsTheMostImportantWords(t *testing.T) {
	t.Parallel()

	with := func(key string, w obligations.Widget, priority int, value any) obligations.Obligation {
		o := obligations.Obligation{Template: &obligations.Template{Key: key, Widget: w, Priority: priority}}
		if value != nil {
			o.Value = webtest.Encoded(t, value)
		}
		return o
	}
	for _, tt := range []struct {
		name string
		list []obligations.Obligation
		want string
	}{
		{"nothing known", []obligations.Obligation{with("a", obligations.Text, 9, nil)}, ""},
		{"no words", []obligations.Obligation{with("a", obligations.Number, 9, 4)}, ""},
		{"the first of the most important", []obligations.Obligation{with("a", obligations.Text, 3, "third"), with("b", obligations.Text, 8, "first"), with("c", obligations.Text, 8, "second"), with("d", obligations.Number, 10, 4)}, "first"},
		{"a long one", []obligations.Obligation{with("a", obligations.Text, 3, strings.Repeat("ä", 200))}, strings.Repeat("ä", 160) + "…"},
		{"what cannot be seen", []obligations.Obligation{with("a", obligations.Text, 3, "x\u202ey")}, "xy"},
	} {
		if got := talk.Gist(tt.list); got != tt.want {
			t.Errorf("%s: Gist = %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestTopicsAreNamedOnce(t *testing.T) {
	t.Parallel()

	var list []obligations.Template
	for _, c := range []string{"Offer", "", "People", "Offer", "A", "B", "C", "D"} {
		list = append(list, obligations.Template{Category: c})
	}

	if diff := cmp.Diff([]string{"Offer", "People", "A", "B", "C"}, talk.Topics(list)); diff != "" {
		t.Errorf("Topics differ (-want +got):\n%s", diff)
	}
}

func TestNavMarksWhereOneIs(t *testing.T) {
	t.Parallel()

	p := webtest.Render(t, talk.Home(sampleHome()))

	var got []string
	for _, a := range p.Within(p.Test("places")).All(webtest.Tag("a")) {
		got = append(got, fmt.Sprint(webtest.Text(a), " ", webtest.Attr(a, "href"), " ", webtest.Attr(a, "aria-current")))
	}
	if want := []string{"Interviews / page", "Research /research ", "Review /review ", "Manage /admin/jobs "}; !slices.Equal(got, want) {
		t.Errorf("places = %q, want %q", got, want)
	}
	for button, target := range map[string]string{"open-places": "places", "open-looks": "appearance"} {
		if got := webtest.Attr(p.Test(button), "popovertarget"); got != target || len(p.All(func(n *html.Node) bool { return webtest.Attr(n, "id") == target && webtest.Has(n, "popover") })) != 1 {
			t.Errorf("%s unfolds %q", button, got)
		}
	}
	if !webtest.Has(p.Test("open-looks"), "hidden") {
		t.Error("the choice of appearance is shown to those whose browser runs no script")
	}
}

// Strangers and guests of one interview see no other places.
func TestZeroNavLeadsHomeOnly(t *testing.T) {
	t.Parallel()

	p := webtest.Render(t, ui.ErrorPage(ui.ErrorView{Status: 404}))

	if len(p.Tests("places")) != 0 {
		t.Error("places are offered")
	}
	p.Test("home-link")
}

// Every icon that a page uses is defined, every icon that is defined is used, and the style
// guide shows all of them.
func TestIconsAreThereAndUsed(t *testing.T) {
	t.Parallel()

	signedIn := everywhere
	signedIn.User = "ada"
	p := webtest.Render(t, ui.Styleguide(ui.StyleguideView{Nav: signedIn, Search: talk.GuideSearch(), Cards: talk.GuideCardList()}))

	drawn, used := map[string]bool{}, map[string]bool{}
	for _, n := range p.Every() {
		switch n.Data {
		case "symbol":
			drawn["#"+webtest.Attr(n, "id")] = true
		case "use":
			used[webtest.Attr(n, "href")] = true
		}
	}
	if diff := cmp.Diff(drawn, used); diff != "" {
		t.Errorf("icons that are drawn (-) and used (+) differ:\n%s", diff)
	}
	for name, other := range map[string]webtest.Page{"chat": webtest.Render(t, talk.Chat(webtest.Sample(t))), "home": webtest.Render(t, talk.Home(sampleHome()))} {
		for _, n := range other.All(webtest.Tag("use")) {
			if !drawn[webtest.Attr(n, "href")] {
				t.Errorf("%s uses %s, which is not drawn", name, webtest.Attr(n, "href"))
			}
		}
	}
}
