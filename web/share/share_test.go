package share_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/auth"
	"quaestor/research/reader"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/share"
	"quaestor/web/webtest"
)

const bread = "We bake bread for the cafés in our town"

func TestLinkShowsTheBriefToStrangers(t *testing.T) {
	t.Parallel()

	c := webtest.OpenTown(t)
	anna := c.People["anna"]
	made := anna.Linked(c.Session, sessions.BriefOnly)
	if made.State != sessions.ShareOpen || !strings.HasPrefix(made.Link, anna.URL+"/share/qsb_") || made.CreatedBy != "anna" {
		t.Fatalf("link %+v", made)
	}
	path := strings.TrimPrefix(made.Link, anna.URL)

	resp, page := c.Got(path)
	if head := c.People["nobody"].Do(webtest.Request{Method: http.MethodHead, Path: path}); head.StatusCode != http.StatusOK {
		t.Errorf("the head of the shared page: %d", head.StatusCode)
	}

	if resp.StatusCode != http.StatusOK || !strings.Contains(page, bread) || !strings.Contains(page, `data-testid="shared"`) {
		t.Fatalf("the shared page: %d\n%s", resp.StatusCode, page)
	}
	for _, forbidden := range []string{c.Session, c.Tenant, `href="/`, `action="`, "<script", `data-testid="brief-talk"`, "same-origin"} {
		if rest := strings.ReplaceAll(page, `href="/static/`, ""); forbidden == `href="/` && strings.Contains(strings.ReplaceAll(rest, `href="/share/`, ""), forbidden) || forbidden != `href="/` && strings.Contains(page, forbidden) {
			t.Errorf("the shared page holds %q", forbidden)
		}
	}
	wantUnkept(t, resp)
	head, err := http.NewRequestWithContext(t.Context(), http.MethodHead, made.Link, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if resp, err = http.DefaultClient.Do(head); err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("the head of the shared page: %v, %v", resp, err)
	}
	resp.Body.Close()
	if list := webtest.Fetch[page2](anna, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + c.Session + "/shares"}).Items; len(list) != 1 || list[0].Views != 1 || list[0].LastSeenAt == nil || list[0].Token+list[0].Link != "" {
		t.Errorf("the list of links is %+v", list)
	}
}

type page2 = web.Page[share.ShareBody]

// wantUnkept checks that an answer may not be cached, and that its address is sent to no
// other site.
func wantUnkept(t *testing.T, resp *http.Response) {
	t.Helper()
	for name, want := range map[string]string{"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex, nofollow, noarchive"} {
		if got := resp.Header.Values(name); !cmp.Equal(got, []string{want}) {
			t.Errorf("%s: %v, want %s", name, got, want)
		}
	}
	if cookies := resp.Cookies(); len(cookies) > 0 {
		t.Errorf("cookies %v", cookies)
	}
}

func TestLinkGivesFilesWithoutIDs(t *testing.T) {
	t.Parallel()

	c := webtest.OpenTown(t)
	base := strings.TrimPrefix(c.People["anna"].Linked(c.Session, sessions.BriefOnly).Link, c.URL)
	for _, f := range []sessions.Format{sessions.JSON, sessions.CSV, sessions.Markdown, sessions.DOCX, sessions.PDF} {
		resp, body := c.Got(base + "/export?format=" + string(f))

		if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != f.MediaType() || resp.Header.Get("Content-Disposition") != `attachment; filename="brief.`+string(f)+`"` {
			t.Errorf("%s: %d %s %s", f, resp.StatusCode, resp.Header.Get("Content-Type"), resp.Header.Get("Content-Disposition"))
		}
		wantUnkept(t, resp)
		if f == sessions.DOCX || f == sessions.PDF {
			doc, err := reader.Text("brief."+string(f), "", []byte(body))
			if err != nil {
				t.Fatalf("read the %s back: %v", f, err)
			}
			body = doc.Text
		}
		if flat := strings.Join(strings.Fields(body), " "); !strings.Contains(flat, bread) || strings.Contains(body, c.Session) {
			t.Errorf("the %s does not say what was said, or tells ids:\n%s", f, body)
		}
	}
	if resp, _ := c.Got(base + "/export?format=exe"); resp.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("an unknown format: %d", resp.StatusCode)
	}
}

func TestLinkWithTheConversationShowsIt(t *testing.T) {
	t.Parallel()

	c := webtest.OpenTown(t)
	base := strings.TrimPrefix(c.People["anna"].Linked(c.Session, sessions.WithTranscript).Link, c.URL)

	_, page := c.Got(base)
	_, file := c.Got(base + "/export?format=md")

	if !strings.Contains(page, `data-testid="brief-talk"`) || !strings.Contains(file, "## The conversation") {
		t.Errorf("the conversation is not told:\n%s", file)
	}
}

// A link that is unknown, revoked or expired is answered alike, so that the answer does not
// tell which links exist.
func TestLinksThatShowNothingAreAlike(t *testing.T) {
	t.Parallel()

	c := webtest.OpenTown(t)
	anna := c.People["anna"]
	taken, expired, open := anna.Linked(c.Session, sessions.BriefOnly), anna.Linked(c.Session, sessions.BriefOnly), anna.Linked(c.Session, sessions.BriefOnly)
	fetchNothing(anna, webtest.Request{Method: http.MethodDelete, Path: "/api/v1/sessions/" + c.Session + "/shares/" + taken.ID})
	anna.Exec(`UPDATE session_shares SET created_at = now() - interval '9 days', expires_at = now() - interval '1 minute' WHERE id = $1`, expired.ID)
	unknown, _, err := auth.NewTicket(auth.Share, c.Tenant)
	if err != nil {
		t.Fatal(err)
	}
	nobodys, _, err := auth.NewTicket(auth.Share, "0b9f4c3e-0000-4000-8000-000000000000")
	if err != nil {
		t.Fatal(err)
	}
	invitation := anna.Invites(c.Session, sessions.ObserverRole, "").Token
	want, id := "", regexp.MustCompile(`req_\w+`)

	for name, token := range map[string]string{"taken back": taken.Token, "expired": expired.Token, "unknown": unknown, "of no tenant": nobodys, "cut short": open.Token[:40], "no ticket": "x", "an invitation": invitation} {
		for _, below := range []string{"", "/export?format=pdf"} {
			resp, page := c.Got("/share/" + token + below)

			page = id.ReplaceAllString(page, "")
			if want == "" {
				want = page
			}
			if resp.StatusCode != http.StatusNotFound || page != want || !strings.Contains(page, `data-testid="share-gone"`) || strings.Contains(page, token) && len(token) > 1 {
				t.Errorf("%s%s: %d\n%s", name, below, resp.StatusCode, page)
			}
			wantUnkept(t, resp)
		}
	}
	if resp, _ := c.Got("/share/" + open.Token); resp.StatusCode != http.StatusOK {
		t.Errorf("the link that stands answers %d", resp.StatusCode)
	}
}

func TestWhoMayShare(t *testing.T) {
	t.Parallel()

	c := webtest.OpenTown(t)
	anna, ben, boss := c.People["anna"], c.People["ben"], c.People["boss"]
	ben.Accepts(anna.Invites(c.Session, sessions.ContributorRole, "Ben"))
	path := "/api/v1/sessions/" + c.Session + "/shares"
	made := boss.Linked(c.Session, sessions.BriefOnly)
	before := c.Fingerprint()

	for _, r := range []webtest.Refusal{
		{Who: "nobody", Request: webtest.Request{Path: path}, Status: 401},
		{Who: "ben", Request: webtest.Request{Path: path}, Status: 403, Code: "not_an_owner"},
		{Who: "ben", Request: webtest.Request{Path: path, Body: map[string]any{"days": 1}}, Status: 403, Code: "not_an_owner"},
		{Who: "ben", Request: webtest.Request{Method: http.MethodDelete, Path: path + "/" + made.ID}, Status: 403, Code: "not_an_owner"},
		{Who: "mallory", Request: webtest.Request{Path: path}, Status: 404, Code: "session_not_found"},
		{Who: "mallory", Request: webtest.Request{Path: path, Body: map[string]any{"days": 1}}, Status: 404, Code: "session_not_found"},
		{Who: "mallory", Request: webtest.Request{Method: http.MethodDelete, Path: "/api/v1/sessions/" + c.Foreign + "/shares/" + made.ID}, Status: 404, Code: "share_not_found"},
		{Who: "anna", Request: webtest.Request{Method: http.MethodDelete, Path: path + "/" + c.Session}, Status: 404, Code: "share_not_found"},
		{Who: "anna", Request: webtest.Request{Method: http.MethodDelete, Path: path + "/x"}, Status: 404, Code: "share_not_found"},
		{Who: "anna", Request: webtest.Request{Path: path, Body: map[string]any{"days": 91}}, Status: 422},
		{Who: "anna", Request: webtest.Request{Path: path, Body: map[string]any{"days": 0}}, Status: 422},
		{Who: "anna", Request: webtest.Request{Path: path, Body: map[string]any{"extent": "everything"}}, Status: 422},
	} {
		webtest.CheckRefusal(t, c.People[r.Who], r)
	}

	if diff := cmp.Diff(before, c.Fingerprint()); diff != "" {
		t.Errorf("what was refused changed tables (-before +after):\n%s", diff)
	}
}

func TestSharingStandsInTheLog(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	session := w.Begin("business_profile")
	s := w.Stream(webtest.Request{Path: "/api/v1/sessions/" + session + "/events?after=" + webtest.LastEvent(w, session)})

	made := w.Linked(session, sessions.WithTranscript)
	fetchNothing(w, webtest.Request{Method: http.MethodDelete, Path: "/api/v1/sessions/" + session + "/shares/" + made.ID})

	for _, change := range []string{"made", "taken_back"} {
		told := s.Until(sessions.KindShare)
		e := told[len(told)-1]
		if e.Data["change"] != change || e.Data["shareId"] != made.ID || e.Data["userId"] != "developer" || e.Data["extent"] != "transcript" || strings.Contains(e.Raw, made.Token) {
			t.Errorf("the log holds %s, want %s", e.Raw, change)
		}
	}
}

func TestBriefPageMakesAndTakesBackLinks(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	session := w.Begin("business_profile")
	b := w.Browser()
	status, _, page := b.Open("/s/"+session+"/brief", nil)
	if status != http.StatusOK || !strings.Contains(page, `data-testid="share-form"`) || !strings.Contains(page, `data-testid="brief-nothing"`) || strings.Count(page, `data-testid="download-`) != 5 {
		t.Fatalf("the brief's page: %d\n%s", status, page)
	}

	for _, days := range []string{"0", "91", "soon", "", "1e3"} {
		status, _, page := b.Open("/s/"+session+"/shares", url.Values{"days": {days}, "extent": {"transcript"}})
		if status != http.StatusUnprocessableEntity || !strings.Contains(page, `data-testid="share-wrong"`) || !strings.Contains(page, `value="`+days+`"`) || !strings.Contains(page, `value="transcript" selected`) {
			t.Errorf("%q days: %d, want the form again with what is wrong", days, status)
		}
	}
	_, _, page = b.Open("/s/"+session+"/shares", url.Values{"days": {" 7 "}, "extent": {"brief"}})
	link := regexp.MustCompile(`value="(http[^"]+/share/[^"]+)"`).FindStringSubmatch(page)
	if link == nil {
		t.Fatalf("no link is shown:\n%s", page)
	}
	_, _, page = b.Open("/s/"+session+"/brief", nil)
	revoke := regexp.MustCompile(`action="(/s/[^"]+/revoke)"`).FindStringSubmatch(page)
	if revoke == nil || strings.Contains(page, link[1]) {
		t.Fatalf("the link cannot be taken back, or is shown again:\n%s", page)
	}
	for range 2 { // the second time it is gone already, which is as well
		if status, at, page := b.Open(revoke[1], url.Values{}); status != http.StatusOK || at != "/s/"+session+"/brief" || !strings.Contains(page, "Taken back on") {
			t.Errorf("taking the link back: %d at %s", status, at)
		}
	}
	if resp, _ := w.Got(strings.TrimPrefix(link[1], w.URL)); resp.StatusCode != http.StatusNotFound {
		t.Errorf("the link that was taken back answers %d", resp.StatusCode)
	}
}

func TestWhoOnlyReadsAlongSharesNothing(t *testing.T) {
	t.Parallel()

	c := webtest.OpenTown(t)
	c.People["ben"].Accepts(c.People["anna"].Invites(c.Session, sessions.ObserverRole, "Ben"))
	form := webtest.Request{Path: "/s/" + c.Session + "/shares", Body: "days=3&extent=brief", Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}}

	page := text(c.People["ben"], webtest.Request{Path: "/s/" + c.Session + "/brief"})

	if !strings.Contains(page, bread) || strings.Contains(page, `data-testid="share"`) {
		t.Errorf("an observer sees no brief, or is offered to share it:\n%s", page)
	}
	webtest.CheckRefusal(t, c.People["ben"], webtest.Refusal{Request: form, Status: 403})
	webtest.CheckRefusal(t, c.People["mallory"], webtest.Refusal{Request: form, Status: 404, Code: "session_not_found"})
	webtest.CheckRefusal(t, c.People["mallory"], webtest.Refusal{Request: webtest.Request{Path: "/s/" + c.Session + "/brief"}, Status: 404, Code: "session_not_found"})
}

// The secret of a link to a brief is never logged, whatever goes wrong with it.
func TestSecretOfASharedLinkIsNotLogged(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	made := w.Linked(w.Begin("business_profile"), sessions.BriefOnly)
	var log bytes.Buffer
	o := w.Server.Options
	o.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	broken := w.Server.With(o)
	broken.Pool = closedPool(t, w)
	srv := webtest.Serve(t, broken.Handler())

	for _, below := range []string{"", "/export?format=pdf", "/elsewhere?" + made.Token} {
		b := &webtest.Browser{W: &webtest.World{T: t, URL: srv}, Http: http.DefaultClient}
		if status, _, page := b.Open("/share/"+made.Token+below, nil); status < 400 || strings.Contains(page, made.Token) {
			t.Errorf("with a broken database: %d\n%s", status, page)
		}
	}

	if got := log.String(); !strings.Contains(got, "/share/") || strings.Contains(got, made.Token) || strings.Contains(got, made.Token[4:]) {
		t.Errorf("the log must tell of the failure and not the secret:\n%s", got)
	}
}
