package web_test

import (
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"quaestor/internal/auth"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/webtest"
)

func TestBrowserSignsInWithATokenAndOut(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	ann := w.As(w.Tenant, "ann", auth.Member)
	id := ann.Begin("business_profile")
	b := w.Browser()

	if status, _, page := b.Open("/s/"+id+"?x=1", nil); status != http.StatusUnauthorized || !strings.Contains(page, `name="next" value="/s/`+id+`?x=1"`) {
		t.Fatalf("the sign-in page: %d\n%s", status, page)
	}
	status, at, page := b.Enters("  "+ann.Token+"\n", "/s/"+id)
	if status != http.StatusOK || at != "/s/"+id || !strings.Contains(page, `data-testid="sign-out"`) || !strings.Contains(page, "<bdi>ann</bdi>") {
		t.Fatalf("after signing in: %d at %s\n%s", status, at, page)
	}
	webtest.Fetch[web.SessionBody](w, http.StatusOK, b.Asks(webtest.Request{Path: "/api/v1/sessions/" + id}))
	cookie := b.Cookie()
	if status, _, _ := b.Open("/sign-out", url.Values{}); status != http.StatusUnauthorized || b.Cookie() != "" {
		t.Errorf("after signing out: %d, cookies %q", status, b.Cookie())
	}
	webtest.CheckRefusal(t, w, webtest.Refusal{Request: b.Asks(webtest.Request{Path: "/api/v1/sessions/" + id}), Status: 401})
	webtest.Fetch[web.SessionBody](w, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + id, Header: map[string]string{"Cookie": cookie}})
}

func TestCookieOfASignInIsKeptFromScriptsAndOtherSites(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	token := w.As(w.Tenant, "ann", auth.Member).Token
	form := url.Values{"token": {token}}.Encode()
	for _, proto := range []string{"http", "https"} {
		resp := w.Do(webtest.Request{Path: "/sign-in", Body: form, Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded", "X-Forwarded-Proto": proto}})
		set := resp.Cookies()
		if len(set) != 1 || resp.StatusCode != http.StatusSeeOther {
			t.Fatalf("%d cookies, status %d", len(set), resp.StatusCode)
		}
		c := set[0]
		if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.Domain != "" || c.MaxAge != 0 || !c.Expires.IsZero() || c.Secure != (proto == "https") {
			t.Errorf("over %s the cookie is %+v", proto, c)
		}
		if strings.Contains(resp.Header.Get("Location"), token) {
			t.Error("the token is in an address")
		}
	}
	for _, path := range []string{"/sign-in", "/sign-out"} {
		webtest.CheckRefusal(t, w, webtest.Refusal{Request: webtest.Request{Path: path, Body: form, Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}}, Status: 403, Code: "cross_site"})
	}
}

func TestTokenThatDoesNotWorkIsRefusedWhereItWasTyped(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	var log strings.Builder
	o := w.Server.Options
	o.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	b := (&webtest.World{T: t, URL: webtest.Serve(t, w.Server.With(o).Handler())}).Browser()

	for _, token := range []string{"", "qst_mistyped", "letmein"} {
		status, _, page := b.Enters(token, "/research")
		if status != http.StatusUnauthorized || !strings.Contains(page, `aria-invalid="true"`) || !strings.Contains(page, "quaestor token create") || !strings.Contains(page, `name="next" value="/research"`) {
			t.Errorf("%q: %d\n%s", token, status, page)
		}
		if token != "" && (strings.Contains(page, token) || strings.Contains(log.String(), token)) {
			t.Errorf("%q is shown or logged", token)
		}
		if b.Cookie() != "" {
			t.Errorf("%q left the cookies %q", token, b.Cookie())
		}
	}
}

func TestSignInLeadsToPagesOfThisServerOnly(t *testing.T) {
	t.Parallel()

	for next, want := range map[string]string{
		"/s/1?a=b": "/s/1?a=b", "": "/", "research": "/", "//evil.example": "/", "https://evil.example/": "/", `/\evil.example`: "/", "/%zz": "/", "/\n/evil": "/",
	} {
		if got := web.LocalPath(next); got != want {
			t.Errorf("localPath(%q) = %q, want %q", next, got, want)
		}
	}
}

func TestSignInEndsWithTheToken(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true}).Hasty()
	ann := w.As(w.Tenant, "ann", auth.Member)
	id := ann.Begin("business_profile")
	b := w.Browser()
	b.Enters(ann.Token, "/")
	events := w.Stream(b.Asks(webtest.Request{Path: "/api/v1/sessions/" + id + "/events"}))
	events.Until("done")

	w.Revoke("ann")

	if rest := events.Rest(); len(rest) > 0 {
		t.Errorf("the stream brought %d events more", len(rest))
	}
	if status, _, _ := b.Open("/s/"+id, nil); status != http.StatusUnauthorized || b.Cookie() != "" {
		t.Errorf("after the token ended: %d, cookies %q", status, b.Cookie())
	}
}

// Browsers keep a strict cookie from addresses that another site leads to.
func TestWhoComesFromAnotherSiteIsLedOnFromHere(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	resp := w.Do(webtest.Request{Path: "/research", Header: map[string]string{"Accept": "text/html", "Sec-Fetch-Site": "cross-site"}})
	root, err := html.Parse(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if !webtest.LeadsTo(root, "/research") {
		t.Error("nothing leads on")
	}
}

func TestWhoSignedInTakesPartAsThemselves(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	anna, ben := w.As(w.Tenant, "anna", auth.Member), w.As(w.Tenant, "ben", auth.Member)
	session := anna.Begin("business_profile")
	path := strings.TrimPrefix(anna.Invites(session, sessions.ContributorRole, "").Link, w.URL)
	b := w.Browser()
	b.Enters(ben.Token, "/")

	_, _, page := b.Open(path, nil)
	status, at, _ := b.Open(path, url.Values{})

	if !strings.Contains(page, `data-testid="taken-as">ben<`) || status != http.StatusOK || at != "/s/"+session || strings.Contains(b.Cookie(), web.GuestCookie) {
		t.Errorf("%d at %s with %q", status, at, b.Cookie())
	}
}

// Nobody signs in where whoever sits at the machine is the owner.
func TestSignInIsNotThereInDevelopment(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	if status, _, _ := w.Browser().Enters("qst_x", "/"); status != http.StatusNotFound {
		t.Errorf("answered %d", status)
	}
	if resp := w.Do(webtest.Request{Path: "/api/v1/sessions", Header: map[string]string{"Cookie": web.TokenCookie + "=qst_stale"}}); resp.StatusCode != http.StatusOK {
		t.Errorf("a cookie of another server is refused with %d", resp.StatusCode)
	}
}

// A browser without a token was told of a header in one line, and offered a way
// back to the page that refused it: now the page says how to come in.
func TestBrowserWithoutATokenReadsHowToComeIn(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	stranger := *w
	stranger.Token = "qst_nobody"
	for _, tt := range []struct {
		who  *webtest.World
		path string
		says string
	}{
		{w, "/", "Sign in with your token to go on"},
		{w, "/s/0b9f4c3e-0000-4000-8000-000000000000", "Sign in with your token to go on"},
		{&stranger, "/", "This token does not work here"},
	} {
		resp := tt.who.Do(webtest.Request{Path: tt.path, Header: map[string]string{"Accept": "text/html,application/xhtml+xml"}})
		root, err := html.Parse(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		got := webtest.Words(root)
		for _, want := range []string{tt.says, "link of your invitation", "Ask whoever runs this server", "quaestor token create --tenant acme --user ada --role member"} {
			if !strings.Contains(got, want) {
				t.Errorf("%s does not say %q: %s", tt.path, want, got)
			}
		}
		for _, jargon := range []string{"curl", "Authorization", "Bearer"} {
			if strings.Contains(got, jargon) {
				t.Errorf("%s puts %q before people: %s", tt.path, jargon, got)
			}
		}
		if resp.StatusCode != http.StatusUnauthorized || resp.Header.Get("WWW-Authenticate") == "" || !webtest.LeadsTo(root, "/docs") {
			t.Errorf("%s answered %d, challenge %q", tt.path, resp.StatusCode, resp.Header.Get("WWW-Authenticate"))
		}
		webtest.CheckRefusal(t, tt.who, webtest.Refusal{Request: webtest.Request{Path: tt.path}, Status: 401})
		webtest.CheckRefusal(t, tt.who, webtest.Refusal{Request: webtest.Request{Path: tt.path, Header: map[string]string{"Accept": "application/json"}}, Status: 401})
	}
	webtest.CheckRefusal(t, w, webtest.Refusal{Request: webtest.Request{Path: "/api/v1/sessions", Header: map[string]string{"Accept": "text/html"}}, Status: 401})
}
