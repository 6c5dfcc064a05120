package web

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/auth"
	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/sessions"
)

// browser is somebody who follows links and keeps cookies, and has no token.
type browser struct {
	w    *world
	http *http.Client
}

func (w *world) browser() *browser {
	w.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return &browser{w, &http.Client{Jar: jar, Timeout: patience}}
}

// open returns a page, after posting form to it if there is one.
func (b *browser) open(address string, form url.Values) (status int, path, body string) {
	b.w.t.Helper()
	r, err := http.NewRequestWithContext(b.w.t.Context(), http.MethodGet, b.w.url+address, nil)
	if form != nil {
		r, err = http.NewRequestWithContext(b.w.t.Context(), http.MethodPost, b.w.url+address, strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if err != nil {
		b.w.t.Fatal(err)
	}
	r.Header.Set("Accept", "text/html")
	resp, err := b.http.Do(r)
	if err != nil {
		b.w.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		b.w.t.Fatal(err)
	}
	return resp.StatusCode, resp.Request.URL.Path, string(raw)
}

// cookie is what the browser sends with a request to the server.
func (b *browser) cookie() string {
	u, _ := url.Parse(b.w.url)
	var parts []string
	for _, c := range b.http.Jar.Cookies(u) {
		parts = append(parts, c.Name+"="+c.Value)
	}
	return strings.Join(parts, "; ")
}

func TestGuestTakesPartByALink(t *testing.T) {
	t.Parallel()

	for _, mode := range []string{"tokens", "development"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()

			w := open(t, terms{tokens: mode == "tokens"})
			owner := w
			if mode == "tokens" {
				owner = w.as(w.tenant, "anna", auth.Member)
			}
			session, foreign := owner.begin("business_profile"), owner.begin("idea_discovery")
			made := owner.invites(session, sessions.ContributorRole, "Ben")
			b := w.browser()
			guest := *w
			path := strings.TrimPrefix(made.Link, w.url)

			status, _, page := b.open(path, nil)
			if status != http.StatusOK || !strings.Contains(page, `value="Ben"`) || !strings.Contains(page, `data-testid="accept"`) {
				t.Fatalf("the invitation's page: %d\n%s", status, page)
			}
			status, at, page := b.open(path, url.Values{"name": {"Ben  \u200b<b>"}})
			name := regexp.MustCompile(`Ben &lt;b&gt; \(guest [a-z2-7]{8}\)`).FindString(page)
			if status != http.StatusOK || at != "/s/"+session || !strings.Contains(page, `data-testid="composer"`) {
				t.Fatalf("after accepting: %d at %s", status, at)
			}
			_ = name
			say := func(session string) request {
				return request{path: chatPath, body: map[string]any{"sessionId": session, "message": "we are in the food industry"}, header: map[string]string{"Cookie": b.cookie()}}
			}
			events := guest.stream(say(session)).rest()
			if who, _ := events[0].Data["userId"].(string); !regexp.MustCompile(`^Ben <b> \(guest [a-z2-7]{8}\)$`).MatchString(who) {
				t.Errorf("the guest speaks as %q", who)
			}
			if status, _, _ := b.open(path, url.Values{"name": {"Again"}}); status != http.StatusConflict {
				t.Errorf("the link worked again: %d", status)
			}
			if mode == "tokens" {
				wantKeptOut(t, &guest, b, foreign, say(foreign))
			}
			if status, _, page := b.open("/s/"+session+"/leave", url.Values{}); status != http.StatusOK || !strings.Contains(page, `data-testid="left"`) {
				t.Errorf("leaving: %d", status)
			}
			if strings.Contains(b.cookie(), guestCookie) {
				t.Error("the cookie stays after leaving")
			}
		})
	}
}

// wantKeptOut checks that a guest's cookie opens nothing but its session.
func wantKeptOut(t *testing.T, guest *world, b *browser, foreign string, say request) {
	t.Helper()
	cookie := map[string]string{"Cookie": b.cookie()}
	for _, path := range []string{"/", "/api/v1/sessions", "/api/v1/objectives", "/api/v1/tokens", "/s/" + foreign, "/api/v1/sessions/" + foreign, "/api/v1/sessions/" + foreign + "/events"} {
		checkRefusal(t, guest, refusal{request: request{path: path, header: cookie}, status: 401, code: "unauthenticated"})
	}
	checkRefusal(t, guest, refusal{request: say, status: 401, code: "unauthenticated"})
	checkRefusal(t, guest, refusal{request: request{path: "/api/v1/sessions", body: map[string]string{"contextType": "business_profile"}, header: cookie}, status: 401, code: "unauthenticated"})
	swapped := strings.ReplaceAll(b.cookie(), guestCookie, guestCookie+"x")
	own := strings.TrimPrefix(strings.SplitN(b.cookie(), "=", 2)[0], guestCookie)
	checkRefusal(t, guest, refusal{request: request{path: "/api/v1/sessions/" + own, header: map[string]string{"Cookie": swapped}}, status: 401, code: "unauthenticated"})
	renamed := strings.ReplaceAll(b.cookie(), own, foreign)
	checkRefusal(t, guest, refusal{request: request{path: "/api/v1/sessions/" + foreign, header: map[string]string{"Cookie": renamed}}, status: 401, code: "guest_gone"})
}

func TestGuestWhoWasRemovedIsOut(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	anna := w.as(w.tenant, "anna", auth.Member)
	session := anna.begin("business_profile")
	b := w.browser()
	b.open(strings.TrimPrefix(anna.invites(session, sessions.ObserverRole, "").Link, w.url), url.Values{})
	cookie := map[string]string{"Cookie": b.cookie()}
	fetch[sessionBody](w, http.StatusOK, request{path: "/api/v1/sessions/" + session, header: cookie})
	checkRefusal(t, w, refusal{request: request{path: chatPath, body: map[string]any{"sessionId": session, "message": "Hi"}, header: cookie}, status: 403, code: "observer"})
	_, _, page := b.open("/s/"+session, nil)
	if strings.Contains(page, `data-testid="composer"`) || strings.Contains(page, `data-testid="ask-in"`) {
		t.Error("who reads along is offered to write")
	}
	guests := fetch[struct{ Items []participantBody }](anna, http.StatusOK, request{path: "/api/v1/sessions/" + session + "/participants"}).Items

	fetchNothing(anna, request{method: http.MethodDelete, path: "/api/v1/sessions/" + session + "/participants/" + guests[1].ID})

	if !guests[1].Guest || !strings.HasPrefix(guests[1].UserID, "Guest ") {
		t.Errorf("the guest is %+v", guests[1])
	}
	checkRefusal(t, w, refusal{request: request{path: "/api/v1/sessions/" + session, header: cookie}, status: 401, code: "guest_gone"})
}

func TestOwnersNeedAnAccount(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	anna, ben := w.as(w.tenant, "anna", auth.Member), w.as(w.tenant, "ben", auth.Member)
	session := anna.begin("business_profile")
	made := anna.invites(session, sessions.OwnerRole, "")
	before := w.fingerprint()
	if status, _, _ := w.browser().open("/invite/"+made.Token, url.Values{"name": {"Eve"}}); status != http.StatusForbidden {
		t.Errorf("a guest became an owner: %d", status)
	}
	if diff := cmp.Diff(before, w.fingerprint()); diff != "" {
		t.Errorf("the refused guest changed tables:\n%s", diff)
	}

	ben.accepts(made)

	ben.invites(session, sessions.ObserverRole, "")
	if got := ben.people(session)["ben"]; got != sessions.OwnerRole {
		t.Errorf("ben is %q, want an owner", got)
	}
}

func TestOneInvitationOneGuest(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	session := w.begin("business_profile")
	made := w.invites(session, sessions.ContributorRole, "")
	results := make(chan int)
	for range 8 {
		b := w.browser()
		go func() {
			resp, err := b.http.PostForm(w.url+"/invite/"+made.Token, url.Values{"name": {"Ben"}})
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
	if people := w.people(session); len(people) != 2 {
		t.Errorf("%v take part, want two", people)
	}
}

func TestInvitationsAreBounded(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	session := w.begin("business_profile")
	for range sessions.MaxPeople {
		w.invites(session, sessions.ObserverRole, "")
	}
	checkRefusal(t, w, refusal{request: request{path: "/api/v1/sessions/" + session + "/invitations", body: map[string]string{"role": "observer"}}, status: 429, code: "too_many_people"})
	w.exec(`UPDATE session_invitations SET expires_at = now() - interval '1 hour'`)
	w.invites(session, sessions.ObserverRole, "")
}

// Whatever goes wrong with a link, its secret is written nowhere.
func TestSecretOfALinkIsNotLogged(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	made := w.invites(w.begin("business_profile"), sessions.ContributorRole, "")
	var log strings.Builder
	o := w.server.Options
	o.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	broken := New(o)
	broken.Pool = closedPool(t, w)
	srv := serve(t, broken.Handler())

	for _, form := range []url.Values{nil, {"name": {"Ben"}}} {
		b := &browser{&world{t: t, url: srv}, http.DefaultClient}
		if status, _, page := b.open("/invite/"+made.Token, form); status != http.StatusInternalServerError || strings.Contains(page, made.Token) {
			t.Errorf("with a broken database: %d\n%s", status, page)
		}
	}
	if got := log.String(); !strings.Contains(got, "/invite/") || strings.Contains(got, made.Token) || strings.Contains(got, made.Token[4:]) {
		t.Errorf("the log must tell of the failure and not the secret:\n%s", got)
	}
	var kept int
	b := postgres.NewBatch(w.tenant)
	postgrestest.Rows(b, func(r *struct{ N int }) error { kept = r.N; return nil }, `SELECT count(*) FROM session_invitations AS i WHERE i::text LIKE '%' || $1 || '%'`, made.Token)
	if err := b.Send(t.Context(), w.pool); err != nil || kept != 0 {
		t.Errorf("%d rows hold the secret, %v", kept, err)
	}
}
