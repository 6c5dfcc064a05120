package ui_test

import (
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"quaestor/sessions"
	"quaestor/web/ui"
)

func TestPeopleOfAnInterview(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name      string
		user      string
		part      sessions.Role
		asks      bool // may ask others in
		leaves    bool
		composers int
	}{
		{"who began it", "ann", sessions.OwnerRole, true, false, 1},
		{"a contributor", "bob", sessions.ContributorRole, false, true, 1},
		{"an observer", "Cy <b>", sessions.ObserverRole, false, true, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			v := sample(t)
			v.Session.User, v.Session.Status, v.User, v.Role = "ann", sessions.Active, tt.user, tt.part
			v.People = []sessions.Participant{{User: "bob", Role: sessions.ContributorRole}, {User: "Cy <b>", Role: sessions.ObserverRole}}
			p := render(t, ui.Chat(v))

			var who []string
			for _, n := range p.tests("person") {
				who = append(who, text(n))
			}
			want := strings.Replace("ann owner, bob answers too, Cy <b> reads along", tt.user, "You", 1)
			if got := strings.Join(who, ", "); got != want {
				t.Errorf("people are %q, want %q", got, want)
			}
			if asks, leaves := len(p.tests("ask-in")) == 1, len(p.tests("leave")) == 1; asks != tt.asks || leaves != tt.leaves {
				t.Errorf("may ask in %t, leave %t; want %t, %t", asks, leaves, tt.asks, tt.leaves)
			}
			if got := len(p.tests("composer")); got != tt.composers {
				t.Errorf("%d composers, want %d", got, tt.composers)
			}
		})
	}
}

func TestInvitationAsksForANameAndChangesNothingByItself(t *testing.T) {
	t.Parallel()

	v := ui.InvitationView{Title: "Shop", By: "ann", Role: sessions.ObserverRole, Name: "Bob", Action: "/invite/qsi_x"}
	p := render(t, ui.Invitation(v))

	form := p.all(tag("form"))
	if len(form) != 1 || attr(form[0], "method") != "post" || attr(form[0], "action") != "/invite/qsi_x" {
		t.Errorf("forms %v, want one that posts to the link", form)
	}
	if name := p.test("guest-name"); attr(name, "value") != "Bob" || attr(name, "name") != "name" {
		t.Errorf("field %v", name.Attr)
	}
	if got := text(p.test("invitation")); !strings.Contains(got, "ann invites you to read along") {
		t.Errorf("page says %q", got)
	}
	if v.NeedsAccount = true; len(render(t, ui.Invitation(v)).all(tag("form"))) != 0 {
		t.Error("a guest is offered what needs an account")
	}
}

func TestLinkIsShownToBeCopied(t *testing.T) {
	t.Parallel()

	p := render(t, ui.Invited(ui.InvitedView{Session: "s-1", Link: "https://q.test/invite/qsi_x", ExpiresAt: time.Date(2026, 3, 1, 14, 5, 0, 0, time.UTC)}))

	if link := p.test("invite-address"); attr(link, "value") != "https://q.test/invite/qsi_x" || !has(link, "readonly") {
		t.Errorf("link %v", link.Attr)
	}
	labelled := p.all(func(n *html.Node) bool { return attr(n, "for") == "invite-link" })
	if len(labelled) != 1 || !strings.Contains(text(p.test("invited")), "1 Mar 2026, 14:05 UTC") {
		t.Errorf("labels %v in %q", labelled, text(p.test("invited")))
	}
}
