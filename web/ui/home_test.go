package ui_test

import (
	"testing"
	"time"

	"golang.org/x/net/html"

	"quaestor/sessions"
	"quaestor/web/ui"
)

func sampleHome() ui.HomeView {
	return ui.HomeView{
		Interviewer: "rules",
		Objectives:  []ui.ObjectiveCard{{ContextType: "business_profile", Name: "Business profile", Description: "A business as it is.", Questions: 21}},
		Sessions:    []ui.SessionCard{{ID: "s-1", Title: "Product idea", Phase: sessions.Validation, Progress: 0.845, Known: 13, Total: 16, UpdatedAt: time.Date(2026, 3, 1, 14, 5, 0, 0, time.UTC)}},
	}
}

func TestHomeStartsAnInterview(t *testing.T) {
	t.Parallel()

	p := render(t, ui.Home(sampleHome()))
	card := p.test("objective-business_profile")

	form := p.within(card).all(tag("form"))[0]
	if attr(form, "action") != "/start" || attr(form, "method") != "post" {
		t.Errorf("form = %v, want a post to /start", form.Attr)
	}
	fields := p.within(form).all(func(n *html.Node) bool { return attr(n, "name") == "contextType" })
	if len(fields) != 1 || attr(fields[0], "value") != "business_profile" {
		t.Error("the form does not say which objective")
	}
	if got, want := text(form), "About 21 questions Start Business profile"; got != want {
		t.Errorf("card foot = %q, want %q", got, want)
	}
}

func TestHomeGoesOnWithOpenInterviews(t *testing.T) {
	t.Parallel()

	p := render(t, ui.Home(sampleHome()))

	if got := attr(p.test("continue-s-1"), "href"); got != "/s/s-1" {
		t.Errorf("link = %q, want /s/s-1", got)
	}
	if got, want := text(p.test("session-s-1")), "Product idea 85% 85% resolved, 13 of 16 known Validation 1 Mar 2026, 14:05 UTC"; got != want {
		t.Errorf("card = %q, want %q", got, want)
	}
}

func TestHomeWithoutObjectivesSaysHowToGetOne(t *testing.T) {
	t.Parallel()

	render(t, ui.Home(ui.HomeView{Interviewer: "rules"})).test("no-objectives")
}

func TestErrorPage(t *testing.T) {
	t.Parallel()

	p := render(t, ui.ErrorPage(ui.ErrorView{Status: 404, Title: "No such page", Detail: "Look at the address.", RequestID: "req_1"}))

	if got, want := text(p.test("error")), "404 No such page Look at the address. Back to all interviews For the operator: request req_1"; got != want {
		t.Errorf("error page = %q, want %q", got, want)
	}
}
