package talk_test

import (
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"quaestor/sessions"
	"quaestor/web/share"
	"quaestor/web/talk"
	"quaestor/web/webtest"
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

			v := webtest.Sample(t)
			v.Session.User, v.Session.Status, v.User, v.Role = "ann", sessions.Active, tt.user, tt.part
			v.People = []sessions.Participant{{User: "bob", Role: sessions.ContributorRole}, {User: "Cy <b>", Role: sessions.ObserverRole}}
			p := webtest.Render(t, talk.Chat(v))

			var who []string
			for _, n := range p.Tests("person") {
				who = append(who, webtest.Text(n))
			}
			want := strings.Replace("ann owner, bob answers too, Cy <b> reads along", tt.user, "You", 1)
			if got := strings.Join(who, ", "); got != want {
				t.Errorf("people are %q, want %q", got, want)
			}
			if asks, leaves := len(p.Tests("ask-in")) == 1, len(p.Tests("leave")) == 1; asks != tt.asks || leaves != tt.leaves {
				t.Errorf("may ask in %t, leave %t; want %t, %t", asks, leaves, tt.asks, tt.leaves)
			}
			if got := len(p.Tests("composer")); got != tt.composers {
				t.Errorf("%d composers, want %d", got, tt.composers)
			}
		})
	}
}

func TestInvitationAsksForANameAndChangesNothingByItself(t *testing.T) {
	t.Parallel()

	v := share.InvitationView{Title: "Shop", By: "ann", Role: sessions.ObserverRole, Name: "Bob", Action: "/invite/qsi_x"}
	p := webtest.Render(t, share.Invitation(v))

	form := p.All(webtest.Tag("form"))
	if len(form) != 1 || webtest.Attr(form[0], "method") != "post" || webtest.Attr(form[0], "action") != "/invite/qsi_x" {
		t.Errorf("forms %v, want one that posts to the link", form)
	}
	if name := p.Test("guest-name"); webtest.Attr(name, "value") != "Bob" || webtest.Attr(name, "name") != "name" {
		t.Errorf("field %v", name.Attr)
	}
	if got := webtest.Text(p.Test("invitation")); !strings.Contains(got, "ann invites you to read along") {
		t.Errorf("page says %q", got)
	}
	if v.NeedsAccount = true; len(webtest.Render(t, share.Invitation(v)).All(webtest.Tag("form"))) != 0 {
		t.Error("a guest is offered what needs an account")
	}
}

func TestLinkIsShownToBeCopied(t *testing.T) {
	t.Parallel()

	p := webtest.Render(t, share.Invited(share.InvitedView{Session: "s-1", Link: "https://q.test/invite/qsi_x", ExpiresAt: time.Date(2026, 3, 1, 14, 5, 0, 0, time.UTC)}))

	if link := p.Test("invite-address"); webtest.Attr(link, "value") != "https://q.test/invite/qsi_x" || !webtest.Has(link, "readonly") {
		t.Errorf("link %v", link.Attr)
	}
	labelled := p.All(func(n *html.Node) bool { return webtest.Attr(n, "for") == "invite-link" })
	if len(labelled) != 1 || !strings.Contains(webtest.Text(p.Test("invited")), "1 Mar 2026, 14:05 UTC") {
		t.Errorf("labels %v in %q", labelled, webtest.Text(p.Test("invited")))
	}
}
