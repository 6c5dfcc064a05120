package web

import (
	"bytes"
	"io"
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
)

// linked makes a link to the brief of a session.
func (w *world) linked(session string, extent sessions.Extent) shareBody {
	w.t.Helper()
	return fetch[shareBody](w, http.StatusCreated, request{path: "/api/v1/sessions/" + session + "/shares", body: map[string]any{"extent": extent, "days": 3}})
}

// got is an answer to somebody without any credential.
func (w *world) got(path string) (*http.Response, string) {
	w.t.Helper()
	stranger := *w
	stranger.token = ""
	resp := stranger.do(request{path: path, header: map[string]string{"Accept": "text/html"}})
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return resp, string(raw)
}

const bread = "We bake bread for cafés"

func TestLinkShowsTheBriefToStrangers(t *testing.T) {
	t.Parallel()

	c := openTown(t)
	anna := c.people["anna"]
	made := anna.linked(c.session, sessions.BriefOnly)
	if made.State != sessions.ShareOpen || !strings.HasPrefix(made.Link, anna.url+"/share/qsb_") || made.CreatedBy != "anna" {
		t.Fatalf("link %+v", made)
	}
	path := strings.TrimPrefix(made.Link, anna.url)

	resp, page := c.got(path)
	if head := c.people["nobody"].do(request{method: http.MethodHead, path: path}); head.StatusCode != http.StatusOK {
		t.Errorf("the head of the shared page: %d", head.StatusCode)
	}

	if resp.StatusCode != http.StatusOK || !strings.Contains(page, bread) || !strings.Contains(page, `data-testid="shared"`) {
		t.Fatalf("the shared page: %d\n%s", resp.StatusCode, page)
	}
	for _, forbidden := range []string{c.session, c.tenant, `href="/`, `action="`, "<script", `data-testid="brief-talk"`, "same-origin"} {
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
	if list := fetch[page2](anna, http.StatusOK, request{path: "/api/v1/sessions/" + c.session + "/shares"}).Items; len(list) != 1 || list[0].Views != 1 || list[0].LastSeenAt == nil || list[0].Token+list[0].Link != "" {
		t.Errorf("the list of links says %+v", list)
	}
}

type page2 = page[shareBody]

// wantUnkept checks that nobody keeps an answer, and nobody learns where it was.
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

	c := openTown(t)
	base := strings.TrimPrefix(c.people["anna"].linked(c.session, sessions.BriefOnly).Link, c.url)
	for _, f := range []sessions.Format{sessions.JSON, sessions.CSV, sessions.Markdown, sessions.DOCX, sessions.PDF} {
		resp, body := c.got(base + "/export?format=" + string(f))

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
		if flat := strings.Join(strings.Fields(body), " "); !strings.Contains(flat, bread) || strings.Contains(body, c.session) {
			t.Errorf("the %s does not say what was said, or tells ids:\n%s", f, body)
		}
	}
	if resp, _ := c.got(base + "/export?format=exe"); resp.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("an unknown format: %d", resp.StatusCode)
	}
}

func TestLinkWithTheConversationShowsIt(t *testing.T) {
	t.Parallel()

	c := openTown(t)
	base := strings.TrimPrefix(c.people["anna"].linked(c.session, sessions.WithTranscript).Link, c.url)

	_, page := c.got(base)
	_, file := c.got(base + "/export?format=md")

	if !strings.Contains(page, `data-testid="brief-talk"`) || !strings.Contains(file, "## The conversation") {
		t.Errorf("the conversation is not told:\n%s", file)
	}
}

// Whatever is the matter with a link, the answer is the same.
func TestLinksThatShowNothingAreAlike(t *testing.T) {
	t.Parallel()

	c := openTown(t)
	anna := c.people["anna"]
	taken, expired, open := anna.linked(c.session, sessions.BriefOnly), anna.linked(c.session, sessions.BriefOnly), anna.linked(c.session, sessions.BriefOnly)
	fetchNothing(anna, request{method: http.MethodDelete, path: "/api/v1/sessions/" + c.session + "/shares/" + taken.ID})
	anna.exec(`UPDATE session_shares SET created_at = now() - interval '9 days', expires_at = now() - interval '1 minute' WHERE id = $1`, expired.ID)
	unknown, _, err := auth.NewTicket(auth.Share, c.tenant)
	if err != nil {
		t.Fatal(err)
	}
	nobodys, _, err := auth.NewTicket(auth.Share, "0b9f4c3e-0000-4000-8000-000000000000")
	if err != nil {
		t.Fatal(err)
	}
	invitation := anna.invites(c.session, sessions.ObserverRole, "").Token
	want, id := "", regexp.MustCompile(`req_\w+`)

	for name, token := range map[string]string{"taken back": taken.Token, "expired": expired.Token, "unknown": unknown, "of no tenant": nobodys, "cut short": open.Token[:40], "no ticket": "x", "an invitation": invitation} {
		for _, below := range []string{"", "/export?format=pdf"} {
			resp, page := c.got("/share/" + token + below)

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
	if resp, _ := c.got("/share/" + open.Token); resp.StatusCode != http.StatusOK {
		t.Errorf("the link that stands answers %d", resp.StatusCode)
	}
}

func TestWhoMayShare(t *testing.T) {
	t.Parallel()

	c := openTown(t)
	anna, ben, boss := c.people["anna"], c.people["ben"], c.people["boss"]
	ben.accepts(anna.invites(c.session, sessions.ContributorRole, "Ben"))
	path := "/api/v1/sessions/" + c.session + "/shares"
	made := boss.linked(c.session, sessions.BriefOnly)
	before := c.fingerprint()

	for _, r := range []refusal{
		{who: "nobody", request: request{path: path}, status: 401},
		{who: "ben", request: request{path: path}, status: 403, code: "not_an_owner"},
		{who: "ben", request: request{path: path, body: map[string]any{"days": 1}}, status: 403, code: "not_an_owner"},
		{who: "ben", request: request{method: http.MethodDelete, path: path + "/" + made.ID}, status: 403, code: "not_an_owner"},
		{who: "mallory", request: request{path: path}, status: 404, code: "session_not_found"},
		{who: "mallory", request: request{path: path, body: map[string]any{"days": 1}}, status: 404, code: "session_not_found"},
		{who: "mallory", request: request{method: http.MethodDelete, path: "/api/v1/sessions/" + c.foreign + "/shares/" + made.ID}, status: 404, code: "share_not_found"},
		{who: "anna", request: request{method: http.MethodDelete, path: path + "/" + c.session}, status: 404, code: "share_not_found"},
		{who: "anna", request: request{method: http.MethodDelete, path: path + "/x"}, status: 404, code: "share_not_found"},
		{who: "anna", request: request{path: path, body: map[string]any{"days": 91}}, status: 422},
		{who: "anna", request: request{path: path, body: map[string]any{"days": 0}}, status: 422},
		{who: "anna", request: request{path: path, body: map[string]any{"extent": "everything"}}, status: 422},
	} {
		checkRefusal(t, c.people[r.who], r)
	}

	if diff := cmp.Diff(before, c.fingerprint()); diff != "" {
		t.Errorf("what was refused changed tables (-before +after):\n%s", diff)
	}
}

func TestSharingStandsInTheLog(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	session := w.begin("business_profile")
	s := w.stream(request{path: "/api/v1/sessions/" + session + "/events?after=" + lastEvent(w, session)})

	made := w.linked(session, sessions.WithTranscript)
	fetchNothing(w, request{method: http.MethodDelete, path: "/api/v1/sessions/" + session + "/shares/" + made.ID})

	for _, change := range []string{"made", "taken_back"} {
		told := s.until(sessions.KindShare)
		e := told[len(told)-1]
		if e.Data["change"] != change || e.Data["shareId"] != made.ID || e.Data["userId"] != "developer" || e.Data["extent"] != "transcript" || strings.Contains(e.Raw, made.Token) {
			t.Errorf("the log says %s, want %s", e.Raw, change)
		}
	}
}

func TestBriefPageMakesAndTakesBackLinks(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	session := w.begin("business_profile")
	b := w.browser()
	status, _, page := b.open("/s/"+session+"/brief", nil)
	if status != http.StatusOK || !strings.Contains(page, `data-testid="share-form"`) || !strings.Contains(page, `data-testid="brief-nothing"`) || strings.Count(page, `data-testid="download-`) != 5 {
		t.Fatalf("the brief's page: %d\n%s", status, page)
	}

	for _, days := range []string{"0", "91", "soon", "", "1e3"} {
		status, _, page := b.open("/s/"+session+"/shares", url.Values{"days": {days}, "extent": {"transcript"}})
		if status != http.StatusUnprocessableEntity || !strings.Contains(page, `data-testid="share-wrong"`) || !strings.Contains(page, `value="`+days+`"`) || !strings.Contains(page, `value="transcript" selected`) {
			t.Errorf("%q days: %d, want the form again with what is wrong", days, status)
		}
	}
	_, _, page = b.open("/s/"+session+"/shares", url.Values{"days": {" 7 "}, "extent": {"brief"}})
	link := regexp.MustCompile(`value="(http[^"]+/share/[^"]+)"`).FindStringSubmatch(page)
	if link == nil {
		t.Fatalf("no link is shown:\n%s", page)
	}
	_, _, page = b.open("/s/"+session+"/brief", nil)
	revoke := regexp.MustCompile(`action="(/s/[^"]+/revoke)"`).FindStringSubmatch(page)
	if revoke == nil || strings.Contains(page, link[1]) {
		t.Fatalf("the link cannot be taken back, or is shown again:\n%s", page)
	}
	for range 2 { // the second time it is gone already, which is as well
		if status, at, page := b.open(revoke[1], url.Values{}); status != http.StatusOK || at != "/s/"+session+"/brief" || !strings.Contains(page, "Taken back on") {
			t.Errorf("taking the link back: %d at %s", status, at)
		}
	}
	if resp, _ := w.got(strings.TrimPrefix(link[1], w.url)); resp.StatusCode != http.StatusNotFound {
		t.Errorf("the link that was taken back answers %d", resp.StatusCode)
	}
}

func TestWhoOnlyReadsAlongSharesNothing(t *testing.T) {
	t.Parallel()

	c := openTown(t)
	c.people["ben"].accepts(c.people["anna"].invites(c.session, sessions.ObserverRole, "Ben"))
	form := request{path: "/s/" + c.session + "/shares", body: "days=3&extent=brief", header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}}

	page := text(c.people["ben"], request{path: "/s/" + c.session + "/brief"})

	if !strings.Contains(page, bread) || strings.Contains(page, `data-testid="share"`) {
		t.Errorf("an observer sees no brief, or is offered to share it:\n%s", page)
	}
	checkRefusal(t, c.people["ben"], refusal{request: form, status: 403})
	checkRefusal(t, c.people["mallory"], refusal{request: form, status: 404, code: "session_not_found"})
	checkRefusal(t, c.people["mallory"], refusal{request: request{path: "/s/" + c.session + "/brief"}, status: 404, code: "session_not_found"})
}

// Whatever goes wrong with a shared link, its secret is written nowhere.
func TestSecretOfASharedLinkIsNotLogged(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	made := w.linked(w.begin("business_profile"), sessions.BriefOnly)
	var log bytes.Buffer
	o := w.server.Options
	o.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	broken := New(o)
	broken.Pool = closedPool(t, w)
	srv := serve(t, broken.Handler())

	for _, below := range []string{"", "/export?format=pdf", "/elsewhere?" + made.Token} {
		b := &browser{&world{t: t, url: srv}, http.DefaultClient}
		if status, _, page := b.open("/share/"+made.Token+below, nil); status < 400 || strings.Contains(page, made.Token) {
			t.Errorf("with a broken database: %d\n%s", status, page)
		}
	}

	if got := log.String(); !strings.Contains(got, "/share/") || strings.Contains(got, made.Token) || strings.Contains(got, made.Token[4:]) {
		t.Errorf("the log must tell of the failure and not the secret:\n%s", got)
	}
}
