package share_test

import (
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/auth"
	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/share"
	"quaestor/web/webtest"
)

func TestGuestTakesPartByALink(t *testing.T) {
	t.Parallel()

	for _, mode := range []string{"tokens", "development"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()

			w := webtest.Open(t, webtest.Terms{Tokens: mode == "tokens"})
			owner := w
			if mode == "tokens" {
				owner = w.As(w.Tenant, "anna", auth.Member)
			}
			session, foreign := owner.Begin("business_profile"), owner.Begin("idea_discovery")
			made := owner.Invites(session, sessions.ContributorRole, "Ben")
			b := w.Browser()
			guest := *w
			path := strings.TrimPrefix(made.Link, w.URL)

			status, _, page := b.Open(path, nil)
			if status != http.StatusOK || !strings.Contains(page, `value="Ben"`) || !strings.Contains(page, `data-testid="accept"`) {
				t.Fatalf("the invitation's page: %d\n%s", status, page)
			}
			status, at, page := b.Open(path, url.Values{"name": {"Ben  \u200b<b>"}})
			name := regexp.MustCompile(`Ben &lt;b&gt; \(guest [a-z2-7]{8}\)`).FindString(page)
			if status != http.StatusOK || at != "/s/"+session || !strings.Contains(page, `data-testid="composer"`) {
				t.Fatalf("after accepting: %d at %s", status, at)
			}
			_ = name
			say := func(session string) webtest.Request {
				return webtest.Request{Path: webtest.ChatPath, Body: map[string]any{"sessionId": session, "message": "our industry is food"}, Header: map[string]string{"Cookie": b.Cookie()}}
			}
			events := guest.Stream(say(session)).Rest()
			if who, _ := events[0].Data["userId"].(string); !regexp.MustCompile(`^Ben <b> \(guest [a-z2-7]{8}\)$`).MatchString(who) {
				t.Errorf("the guest speaks as %q", who)
			}
			if status, _, _ := b.Open(path, url.Values{"name": {"Again"}}); status != http.StatusConflict {
				t.Errorf("the link worked again: %d", status)
			}
			if mode == "tokens" {
				wantKeptOut(t, &guest, b, foreign, say(foreign))
			}
			if status, _, page := b.Open("/s/"+session+"/leave", url.Values{}); status != http.StatusOK || !strings.Contains(page, `data-testid="left"`) {
				t.Errorf("leaving: %d", status)
			}
			if strings.Contains(b.Cookie(), web.GuestCookie) {
				t.Error("the cookie stays after leaving")
			}
		})
	}
}

// wantKeptOut checks that a guest's cookie gives access to its session and nothing else.
func wantKeptOut(t *testing.T, guest *webtest.World, b *webtest.Browser, foreign string, say webtest.Request) {
	t.Helper()
	cookie := map[string]string{"Cookie": b.Cookie()}
	for _, path := range []string{"/", "/api/v1/sessions", "/api/v1/objectives", "/api/v1/tokens", "/s/" + foreign, "/api/v1/sessions/" + foreign, "/api/v1/sessions/" + foreign + "/events"} {
		webtest.CheckRefusal(t, guest, webtest.Refusal{Request: webtest.Request{Path: path, Header: cookie}, Status: 401, Code: "unauthenticated"})
	}
	webtest.CheckRefusal(t, guest, webtest.Refusal{Request: say, Status: 401, Code: "unauthenticated"})
	webtest.CheckRefusal(t, guest, webtest.Refusal{Request: webtest.Request{Path: "/api/v1/sessions", Body: map[string]string{"contextType": "business_profile"}, Header: cookie}, Status: 401, Code: "unauthenticated"})
	swapped := strings.ReplaceAll(b.Cookie(), web.GuestCookie, web.GuestCookie+"x")
	own := strings.TrimPrefix(strings.SplitN(b.Cookie(), "=", 2)[0], web.GuestCookie)
	webtest.CheckRefusal(t, guest, webtest.Refusal{Request: webtest.Request{Path: "/api/v1/sessions/" + own, Header: map[string]string{"Cookie": swapped}}, Status: 401, Code: "unauthenticated"})
	renamed := strings.ReplaceAll(b.Cookie(), own, foreign)
	webtest.CheckRefusal(t, guest, webtest.Refusal{Request: webtest.Request{Path: "/api/v1/sessions/" + foreign, Header: map[string]string{"Cookie": renamed}}, Status: 401, Code: "guest_gone"})
}

func TestGuestWhoWasRemovedIsOut(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	anna := w.As(w.Tenant, "anna", auth.Member)
	session := anna.Begin("business_profile")
	b := w.Browser()
	b.Open(strings.TrimPrefix(anna.Invites(session, sessions.ObserverRole, "").Link, w.URL), url.Values{})
	cookie := map[string]string{"Cookie": b.Cookie()}
	webtest.Fetch[web.SessionBody](w, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + session, Header: cookie})
	webtest.CheckRefusal(t, w, webtest.Refusal{Request: webtest.Request{Path: webtest.ChatPath, Body: map[string]any{"sessionId": session, "message": "Hi"}, Header: cookie}, Status: 403, Code: "observer"})
	_, _, page := b.Open("/s/"+session, nil)
	if strings.Contains(page, `data-testid="composer"`) || strings.Contains(page, `data-testid="ask-in"`) {
		t.Error("an observer is offered a field to write in")
	}
	guests := webtest.Fetch[struct{ Items []share.ParticipantBody }](anna, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + session + "/participants"}).Items

	fetchNothing(anna, webtest.Request{Method: http.MethodDelete, Path: "/api/v1/sessions/" + session + "/participants/" + guests[1].ID})

	if !guests[1].Guest || !strings.HasPrefix(guests[1].UserID, "Guest ") {
		t.Errorf("the guest is %+v", guests[1])
	}
	webtest.CheckRefusal(t, w, webtest.Refusal{Request: webtest.Request{Path: "/api/v1/sessions/" + session, Header: cookie}, Status: 401, Code: "guest_gone"})
}

func TestOwnersNeedAnAccount(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	anna, ben := w.As(w.Tenant, "anna", auth.Member), w.As(w.Tenant, "ben", auth.Member)
	session := anna.Begin("business_profile")
	made := anna.Invites(session, sessions.OwnerRole, "")
	before := w.Fingerprint()
	if status, _, _ := w.Browser().Open("/invite/"+made.Token, url.Values{"name": {"Eve"}}); status != http.StatusForbidden {
		t.Errorf("a guest became an owner: %d", status)
	}
	if diff := cmp.Diff(before, w.Fingerprint()); diff != "" {
		t.Errorf("the refused guest changed tables:\n%s", diff)
	}

	ben.Accepts(made)

	ben.Invites(session, sessions.ObserverRole, "")
	if got := ben.People(session)["ben"]; got != sessions.OwnerRole {
		t.Errorf("ben is %q, want an owner", got)
	}
}

func TestOneInvitationOneGuest(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	session := w.Begin("business_profile")
	made := w.Invites(session, sessions.ContributorRole, "")
	results := make(chan int)
	for range 8 {
		b := w.Browser()
		go func() {
			resp, err := b.Http.PostForm(w.URL+"/invite/"+made.Token, url.Values{"name": {"Ben"}})
			if err != nil {
				results <- 0
				return
			}
			_ = resp.Body.Close()
			results <- resp.StatusCode
		}()
	}
	got := map[int]int{}
	for range 8 {
		got[<-results]++
	}

	if diff := cmp.Diff(map[int]int{http.StatusOK: 1, http.StatusConflict: 7}, got); diff != "" {
		t.Errorf("eight at once (-want +got):\n%s", diff)
	}
	if people := w.People(session); len(people) != 2 {
		t.Errorf("%v take part, want two", people)
	}
}

func TestInvitationsAreBounded(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	session := w.Begin("business_profile")
	for range sessions.MaxPeople {
		w.Invites(session, sessions.ObserverRole, "")
	}
	webtest.CheckRefusal(t, w, webtest.Refusal{Request: webtest.Request{Path: "/api/v1/sessions/" + session + "/invitations", Body: map[string]string{"role": "observer"}}, Status: 429, Code: "too_many_people"})
	w.Exec(`UPDATE session_invitations SET expires_at = now() - interval '1 hour'`)
	w.Invites(session, sessions.ObserverRole, "")
}

// The secret of an invitation is never logged, whatever goes wrong with its link.
func TestSecretOfALinkIsNotLogged(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	made := w.Invites(w.Begin("business_profile"), sessions.ContributorRole, "")
	var log strings.Builder
	o := w.Server.Options
	o.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	broken := w.Server.With(o)
	broken.Pool = closedPool(t, w)
	srv := webtest.Serve(t, broken.Handler())

	for _, form := range []url.Values{nil, {"name": {"Ben"}}} {
		b := &webtest.Browser{W: &webtest.World{T: t, URL: srv}, Http: http.DefaultClient}
		if status, _, page := b.Open("/invite/"+made.Token, form); status != http.StatusInternalServerError || strings.Contains(page, made.Token) {
			t.Errorf("with a broken database: %d\n%s", status, page)
		}
	}
	if got := log.String(); !strings.Contains(got, "/invite/") || strings.Contains(got, made.Token) || strings.Contains(got, made.Token[4:]) {
		t.Errorf("the log must tell of the failure and not the secret:\n%s", got)
	}
	var kept int
	b := postgres.NewBatch(w.Tenant)
	postgrestest.Rows(b, func(r *struct{ N int }) error { kept = r.N; return nil }, `SELECT count(*) FROM session_invitations AS i WHERE i::text LIKE '%' || $1 || '%'`, made.Token)
	if err := b.Send(t.Context(), w.Pool); err != nil || kept != 0 {
		t.Errorf("%d rows hold the secret, %v", kept, err)
	}
}

// A guest who takes part may reopen the interview, as they may talk in it.
func TestGuestReopensTheInterview(t *testing.T) {
	t.Parallel()

	c := webtest.OpenTown(t)
	anna := c.People["anna"]
	session := anna.Begin("tiny")
	b := c.Browser()
	made := anna.Invites(session, sessions.ContributorRole, "Ben")
	if status, _, _ := b.Open(strings.TrimPrefix(made.Link, c.URL), url.Values{"name": {"Ben"}}); status != http.StatusOK {
		t.Fatalf("accepting: %d", status)
	}
	anna.Exec(`UPDATE elicitation_sessions SET status = 'completed', stop_reason = 'completed', completed_at = now() WHERE id = $1`, session)

	status, at, page := b.Open("/s/"+session+"/reopen", url.Values{"revision": {"1"}})

	if status != http.StatusOK || at != "/s/"+session || !strings.Contains(page, "open again, as revision 2") || !strings.Contains(page, `data-testid="composer"`) {
		t.Errorf("the guest reopened: %d at %s", status, at)
	}
}
