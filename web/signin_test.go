package web

import (
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"quaestor/internal/auth"
	"quaestor/sessions"
)

// enters signs a browser in, and returns what it is shown then.
func (b *browser) enters(token, next string) (status int, path, page string) {
	b.w.t.Helper()
	return b.open("/sign-in", url.Values{"token": {token}, "next": {next}})
}

// asks is a request that brings the browser's cookies.
func (b *browser) asks(q request) request {
	q.header = map[string]string{"Cookie": b.cookie()}
	return q
}

func TestBrowserSignsInWithATokenAndOut(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	ann := w.as(w.tenant, "ann", auth.Member)
	id := ann.begin("business_profile")
	b := w.browser()

	if status, _, page := b.open("/s/"+id+"?x=1", nil); status != http.StatusUnauthorized || !strings.Contains(page, `name="next" value="/s/`+id+`?x=1"`) {
		t.Fatalf("the sign-in page: %d\n%s", status, page)
	}
	status, at, page := b.enters("  "+ann.token+"\n", "/s/"+id)
	if status != http.StatusOK || at != "/s/"+id || !strings.Contains(page, `data-testid="sign-out"`) || !strings.Contains(page, "<bdi>ann</bdi>") {
		t.Fatalf("after signing in: %d at %s\n%s", status, at, page)
	}
	fetch[sessionBody](w, http.StatusOK, b.asks(request{path: "/api/v1/sessions/" + id}))
	cookie := b.cookie()
	if status, _, _ := b.open("/sign-out", url.Values{}); status != http.StatusUnauthorized || b.cookie() != "" {
		t.Errorf("after signing out: %d, cookies %q", status, b.cookie())
	}
	checkRefusal(t, w, refusal{request: b.asks(request{path: "/api/v1/sessions/" + id}), status: 401})
	fetch[sessionBody](w, http.StatusOK, request{path: "/api/v1/sessions/" + id, header: map[string]string{"Cookie": cookie}})
}

func TestCookieOfASignInIsKeptFromScriptsAndOtherSites(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	token := w.as(w.tenant, "ann", auth.Member).token
	form := url.Values{"token": {token}}.Encode()
	for _, proto := range []string{"http", "https"} {
		resp := w.do(request{path: "/sign-in", body: form, header: map[string]string{"Content-Type": "application/x-www-form-urlencoded", "X-Forwarded-Proto": proto}})
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
		checkRefusal(t, w, refusal{request: request{path: path, body: form, header: map[string]string{"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}}, status: 403, code: "cross_site"})
	}
}

func TestTokenThatDoesNotWorkIsRefusedWhereItWasTyped(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	var log strings.Builder
	o := w.server.Options
	o.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	b := (&world{t: t, url: serve(t, New(o).Handler())}).browser()

	for _, token := range []string{"", "qst_mistyped", "letmein"} {
		status, _, page := b.enters(token, "/research")
		if status != http.StatusUnauthorized || !strings.Contains(page, `aria-invalid="true"`) || !strings.Contains(page, "quaestor token create") || !strings.Contains(page, `name="next" value="/research"`) {
			t.Errorf("%q: %d\n%s", token, status, page)
		}
		if token != "" && (strings.Contains(page, token) || strings.Contains(log.String(), token)) {
			t.Errorf("%q is shown or logged", token)
		}
		if b.cookie() != "" {
			t.Errorf("%q left the cookies %q", token, b.cookie())
		}
	}
}

func TestSignInLeadsToPagesOfThisServerOnly(t *testing.T) {
	t.Parallel()

	for next, want := range map[string]string{
		"/s/1?a=b": "/s/1?a=b", "": "/", "research": "/", "//evil.example": "/", "https://evil.example/": "/", `/\evil.example`: "/", "/%zz": "/", "/\n/evil": "/",
	} {
		if got := localPath(next); got != want {
			t.Errorf("localPath(%q) = %q, want %q", next, got, want)
		}
	}
}

func TestSignInEndsWithTheToken(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true}).hasty()
	ann := w.as(w.tenant, "ann", auth.Member)
	id := ann.begin("business_profile")
	b := w.browser()
	b.enters(ann.token, "/")
	events := w.stream(b.asks(request{path: "/api/v1/sessions/" + id + "/events"}))
	events.until("done")

	w.revoke("ann")

	if rest := events.rest(); len(rest) > 0 {
		t.Errorf("the stream brought %d events more", len(rest))
	}
	if status, _, _ := b.open("/s/"+id, nil); status != http.StatusUnauthorized || b.cookie() != "" {
		t.Errorf("after the token ended: %d, cookies %q", status, b.cookie())
	}
}

// Browsers keep a strict cookie from addresses that another site leads to.
func TestWhoComesFromAnotherSiteIsLedOnFromHere(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	resp := w.do(request{path: "/research", header: map[string]string{"Accept": "text/html", "Sec-Fetch-Site": "cross-site"}})
	root, err := html.Parse(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if !leadsTo(root, "/research") {
		t.Error("nothing leads on")
	}
}

func TestWhoSignedInTakesPartAsThemselves(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	anna, ben := w.as(w.tenant, "anna", auth.Member), w.as(w.tenant, "ben", auth.Member)
	session := anna.begin("business_profile")
	path := strings.TrimPrefix(anna.invites(session, sessions.ContributorRole, "").Link, w.url)
	b := w.browser()
	b.enters(ben.token, "/")

	_, _, page := b.open(path, nil)
	status, at, _ := b.open(path, url.Values{})

	if !strings.Contains(page, `data-testid="taken-as">ben<`) || status != http.StatusOK || at != "/s/"+session || strings.Contains(b.cookie(), guestCookie) {
		t.Errorf("%d at %s with %q", status, at, b.cookie())
	}
}

// Nobody signs in where whoever sits at the machine is the owner.
func TestSignInIsNotThereInDevelopment(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	if status, _, _ := w.browser().enters("qst_x", "/"); status != http.StatusNotFound {
		t.Errorf("answered %d", status)
	}
	if resp := w.do(request{path: "/api/v1/sessions", header: map[string]string{"Cookie": tokenCookie + "=qst_stale"}}); resp.StatusCode != http.StatusOK {
		t.Errorf("a cookie of another server is refused with %d", resp.StatusCode)
	}
}

// A browser without a token was told of a header in one line, and offered a way
// back to the page that refused it: now the page says how to come in.
func TestBrowserWithoutATokenReadsHowToComeIn(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	stranger := *w
	stranger.token = "qst_nobody"
	for _, tt := range []struct {
		who  *world
		path string
		says string
	}{
		{w, "/", "Sign in with your token to go on"},
		{w, "/s/0b9f4c3e-0000-4000-8000-000000000000", "Sign in with your token to go on"},
		{&stranger, "/", "This token does not work here"},
	} {
		resp := tt.who.do(request{path: tt.path, header: map[string]string{"Accept": "text/html,application/xhtml+xml"}})
		root, err := html.Parse(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		got := words(root)
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
		if resp.StatusCode != http.StatusUnauthorized || resp.Header.Get("WWW-Authenticate") == "" || !leadsTo(root, "/docs") {
			t.Errorf("%s answered %d, challenge %q", tt.path, resp.StatusCode, resp.Header.Get("WWW-Authenticate"))
		}
		checkRefusal(t, tt.who, refusal{request: request{path: tt.path}, status: 401})
		checkRefusal(t, tt.who, refusal{request: request{path: tt.path, header: map[string]string{"Accept": "application/json"}}, status: 401})
	}
	checkRefusal(t, w, refusal{request: request{path: "/api/v1/sessions", header: map[string]string{"Accept": "text/html"}}, status: 401})
}

func leadsTo(root *html.Node, address string) bool {
	for n := range root.Descendants() {
		if attribute(n, "href") == address {
			return true
		}
	}
	return false
}
