package research_test

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/web"
	researchpages "quaestor/web/research"
	"quaestor/web/tasks"
	"quaestor/web/webtest"
)

// researched returns a world with a session, and a task of it that has found something.
func researched(t *testing.T, outcome research.Outcome, list ...webtest.Staged) (*webtest.World, tasks.TaskBody) {
	t.Helper()
	w := webtest.Open(t, webtest.Terms{})
	made := w.Asks(map[string]any{"sessionId": w.Begin("business_profile"), "query": "How large is the market for bicycle repair?"})
	w.Stages(made.ID, outcome, list...)
	return w, made
}

func TestReportIsAsDescribedAndItsSpansHold(t *testing.T) {
	t.Parallel()

	w, made := researched(t, research.Found, disagreeing()...)
	s := w.Schemas(t)

	body, header := w.Download(webtest.TasksPath + "/" + made.ID + "/report")
	source, _ := w.Download(webtest.TasksPath + "/" + made.ID + "/sources/1")
	list, _ := w.Download(webtest.TasksPath)

	s.Check("get", webtest.TasksPath+"/{id}/report", "200", "application/json", []byte(body))
	s.Check("get", webtest.TasksPath+"/{id}/sources/{n}", "200", "application/json", []byte(source))
	s.Check("get", webtest.TasksPath, "200", "application/json", []byte(list))
	if got := header.Get("Content-Disposition"); got != "" {
		t.Errorf("what is read by programs is a download: %q", got)
	}
	var r researchpages.ResearchReport
	var one researchpages.ResearchSource
	if err := json.Unmarshal([]byte(body), &r); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(source), &one); err != nil {
		t.Fatal(err)
	}
	if len(r.Searches) != 2 || len(r.Sources) != 3 || len(r.Claims) != 2 || r.Sources[2].Reason != "robots.txt does not allow it" || r.Sources[0].Text != "" {
		t.Errorf("report %+v", r)
	}
	if got, ok := r.Claims[0].Span.Slice(one.Text); !ok || got != r.Claims[0].Quote || !cmp.Equal(r.Claims[0].Against, []int{2}) {
		t.Errorf("claim %+v stands not in %q", r.Claims[0], one.Text)
	}
}

func TestReportIsDownloaded(t *testing.T) {
	t.Parallel()

	w, made := researched(t, research.Found, webtest.Market...)
	at := webtest.TasksPath + "/" + made.ID
	for _, tt := range []struct {
		format, media string
		says          []string
	}{
		{"md", "text/markdown; charset=utf-8", []string{"# How large is the market for bicycle repair?", "### Claim 1", "[source 1]", "> The market for bicycle repair is about 12 million EUR in 2024.", "**Source 1**: Trade report",
			"Address: `https://trade.example/report`", "SHA-256: abab", "Published: 2024-05-12", "Not read: robots.txt does not allow it", "searxng", "Figures: about 12 million EUR (2024)"}},
		{"html", "text/html; charset=utf-8", []string{"<mark>The market for bicycle repair", `href="https://trade.example/report" rel="noopener noreferrer nofollow"`, "Some words before", "robots.txt"}},
		{"csv", "text/csv; charset=utf-8", []string{"claim,text,quote", "https://city.example/figures", "2024-05-12"}},
		{"json", "application/json", []string{`"claims":[`}},
	} {
		t.Run(tt.format, func(t *testing.T) {
			t.Parallel()

			body, header := w.Download(at + "/report?format=" + tt.format)

			if want := `attachment; filename="research-` + made.ID[:8] + "." + tt.format + `"`; header.Get("Content-Disposition") != want || header.Get("Content-Type") != tt.media {
				t.Errorf("header %v, want %s and %s", header, tt.media, want)
			}
			for _, part := range tt.says {
				if !strings.Contains(body, part) {
					t.Errorf("it does not say %q:\n%s", part, body)
				}
			}
			if strings.Contains(body, `href="/`) || strings.Contains(body, "<form") || strings.Contains(body, "<script") {
				t.Errorf("a file leads into the program:\n%s", body)
			}
		})
	}
}

func TestSourceIsNeverDrawn(t *testing.T) {
	t.Parallel()

	w, made := researched(t, research.Found, webtest.Staged{URL: "https://a.example/", Title: "<script>alert(1)</script>", Text: "<script>alert(1)</script><img src=https://evil.example/x> words of it", Quotes: []string{"words of it"}})

	raw, header := w.Download(webtest.TasksPath + "/" + made.ID + "/sources/1/raw")
	page, _ := w.Download("/research/" + made.ID + "/sources/1")

	for name, want := range map[string]string{"Content-Type": "application/octet-stream", "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox"} {
		if header.Get(name) != want {
			t.Errorf("%s %q, want %q", name, header.Get(name), want)
		}
	}
	if !strings.HasPrefix(header.Get("Content-Disposition"), "attachment;") || !strings.HasPrefix(raw, "<html>") {
		t.Errorf("raw source %v: %s", header, raw)
	}
	checkInert(t, page)
	if !strings.Contains(page, `data-testid="untrusted"`) || !strings.Contains(page, "&lt;img src=https://evil.example/x&gt; </span>") || !strings.Contains(page, ">words of it</mark>") {
		t.Errorf("the page of the source:\n%s", page)
	}
}

// checkInert fails when a page loads or runs anything that is not ours, or links to anything
// but the web and itself.
func checkInert(t *testing.T, page string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		for _, a := range n.Attr {
			link := n.Data == "a" && a.Key == "href" || n.Data == "form" && a.Key == "action"
			ours := strings.HasPrefix(a.Val, "/") && !strings.HasPrefix(a.Val, "//") || strings.HasPrefix(a.Val, "#")
			switch {
			case strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "srcdoc" || a.Key == "srcset":
				t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			case link && !ours && !(regexp.MustCompile(`^https?://`).MatchString(a.Val) && attrOf(n, "rel") == "noopener noreferrer nofollow" && attrOf(n, "target") == "_blank"):
				t.Errorf("a link to %q: %v", a.Val, n.Attr)
			case !link && (a.Key == "src" || a.Key == "href") && !ours:
				t.Errorf("<%s> loads %q", n.Data, a.Val)
			}
		}
		if n.Data == "script" && n.FirstChild != nil || slices.Contains([]string{"img", "iframe", "object", "embed", "base", "style", "svg:image"}, n.Data) {
			t.Errorf("an element <%s>", n.Data)
		}
	}
}

func attrOf(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// Whatever sources and search engines write is shown as text.
func TestHostileSources(t *testing.T) {
	t.Parallel()

	long := strings.Repeat("w", 10_000)
	hostile := []webtest.Staged{
		{URL: "javascript:alert(1)", Title: `"><script>alert(1)</script>`, Text: "=HYPERLINK(\"https://evil.example\") is a quote", Quotes: []string{"=HYPERLINK(\"https://evil.example\") is a quote"}},
		{URL: "data:text/html,<script>alert(1)</script>", Title: "\u202egnirts desrever", Text: "before \u202eevitciderp\u202c after the words", Quotes: []string{"\u202eevitciderp\u202c after"}},
		{URL: "https://bank.example@evil.example/", Title: long, Text: long + " the end", Quotes: []string{"the end"}},
		{URL: "https://evil.example/\u202e" + strings.Repeat("x", 3000), Title: "[x](javascript:alert(1))", Text: "# heading\n- [x](https://evil.example/)\n\n![](https://evil.example/p.png)", Quotes: []string{"- [x](https://evil.example/)\n\n![]("}},
		{URL: "//evil.example/", Title: "", Text: "-- a\n</blockquote><form action=https://evil.example>", Quotes: []string{"</blockquote><form action=https://evil.example>"}},
		{URL: "https://xn--80ak6aa92e.example/", Title: "\u0000"[1:] + "<b>", Failure: "<img src=x onerror=alert(1)> \u202e"},
	}
	for i := range hostile {
		hostile[i].Against = []int{1, 2, 3, 4, 5}
	}
	w, made := researched(t, research.Contradicting, hostile...)
	w.Exec(`UPDATE discovery_research_tasks SET query = $2, summary = $2, plan = NULL WHERE id = $1`, made.ID, `<svg onload=alert(1)> [x](javascript:alert(1)) `+"\u202e")
	w.Exec(`INSERT INTO research_searches (tenant_id, task_id, revision, n, query, engine, failure) VALUES ($1, $2, 0, 2, '<img src=x>', '<b>', '</li><script>')`, w.Tenant, made.ID)

	for _, path := range []string{"/research/" + made.ID, "/s/" + made.SessionID, "/s/" + made.SessionID + "/research/" + made.ID, "/research/" + made.ID + "/sources/2", "/research/" + made.ID + "/sources/3",
		"/research/" + made.ID + "/sources/4", "/research/" + made.ID + "/sources/5", "/research/" + made.ID + "/sources/6", webtest.TasksPath + "/" + made.ID + "/report?format=html"} {
		page, _ := w.Download(path)
		checkInert(t, page)
		if strings.ContainsAny(page, "\u202e\u2066") {
			t.Errorf("%s turns the direction of writing", path)
		}
		for _, link := range regexp.MustCompile(`href="https?://[^"]*"`).FindAllString(page, -1) {
			if !strings.HasPrefix(link, `href="https://xn--80ak6aa92e.example/`) {
				t.Errorf("%s links to %s", path, link)
			}
		}
		if strings.Contains(page, strings.Repeat("w", 500)) && !strings.Contains(path, "sources/3") {
			t.Errorf("%s shows a title of 10,000 characters whole", path)
		}
	}
	wantPlainMarkdown(t, w, made.ID)
	wantPlainTable(t, w, made.ID)
}

func wantPlainMarkdown(t *testing.T, w *webtest.World, id string) {
	t.Helper()
	text, _ := w.Download(webtest.TasksPath + "/" + id + "/report?format=md")
	for _, line := range strings.Split(text, "\n") {
		plain := regexp.MustCompile("`[^`]*`").ReplaceAllString(regexp.MustCompile(`\\.`).ReplaceAllString(line, ""), "")
		if strings.ContainsAny(plain, "<!") || strings.Contains(plain, "](") || strings.Contains(plain, "://") {
			t.Errorf("markup in %q", line)
		}
	}
	if strings.Contains(text, "\n# heading") || strings.Contains(text, "\u202e") {
		t.Errorf("the words of a source became markup:\n%s", text)
	}
}

func wantPlainTable(t *testing.T, w *webtest.World, id string) {
	t.Helper()
	text, _ := w.Download(webtest.TasksPath + "/" + id + "/report?format=csv")
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) != 6 {
		t.Fatalf("%d rows (%v), want 6", len(rows), err)
	}
	for _, row := range rows {
		for _, cell := range row {
			if cell != "" && strings.ContainsAny(cell[:1], "=+-@\t\r") {
				t.Errorf("a formula: %q", cell)
			}
		}
	}
}

func TestReportPageInEveryState(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	for _, tt := range []struct {
		name, change string
		says         []string
	}{
		{"queued", ``, []string{"Queued", `data-testid="cancel-task"`, `data-testid="steer"`, `data-testid="look-again"`, "Nothing has been read yet."}},
		{"waiting", `UPDATE discovery_research_tasks SET note = 'waiting: no source' WHERE id = $1`, []string{"waiting: no source"}},
		{"running", `UPDATE discovery_research_tasks SET status = 'running', step = 'search', started_at = now() WHERE id = $1`, []string{"Looking it up", `stage-current">Read`, `stage-done">Search`}},
		{"failed", `UPDATE discovery_research_tasks SET status = 'failed', error_message = 'no engine answered' WHERE id = $1`, []string{"Not possible", "no engine answered"}},
		{"cancelled", `UPDATE discovery_research_tasks SET status = 'cancelled' WHERE id = $1`, []string{"Cancelled"}},
		{"nothing found", `UPDATE discovery_research_tasks SET status = 'completed', step = 'propose', outcome = 'no_evidence' WHERE id = $1`, []string{"Nothing found", "No source that could be read says anything about this."}},
		{"sources disagree", `UPDATE discovery_research_tasks SET status = 'completed', step = 'propose', outcome = 'contradicting' WHERE id = $1`, []string{"Sources disagree", "do not agree with each other"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			id := w.Asks(map[string]any{"query": "What is " + tt.name + "?"}).ID
			if tt.change != "" {
				w.Exec(tt.change, id)
			}

			page, _ := w.Download("/research/" + id)

			checkInert(t, page)
			for _, part := range tt.says {
				if !strings.Contains(page, part) {
					t.Errorf("the page does not say %q:\n%s", part, page)
				}
			}
			if over := !strings.Contains(page, `data-testid="look-again"`); over == strings.Contains(page, `data-testid="cancel-task"`) {
				t.Error("only what goes on can be cancelled")
			}
		})
	}
}

func TestContradictionsStandSideBySide(t *testing.T) {
	t.Parallel()

	w, made := researched(t, research.Contradicting, disagreeing()...)

	page, _ := w.Download("/research/" + made.ID)

	sides := page[strings.Index(page, `data-testid="report-sides"`):strings.Index(page, `data-testid="report-claims"`)]
	if got := strings.Count(sides, `class="sides"`); got != 1 || !strings.Contains(sides, "Trade report") || !strings.Contains(sides, "Figures of the city") {
		t.Errorf("%d pairs:\n%s", got, sides)
	}
}

// Without scripts, the forms of the interview's page do everything that scripts do.
func TestResearchWithoutScripts(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	session := w.Begin("business_profile")
	b := w.Browser()
	at := "/s/" + session

	status, back, shown := b.Open(at+"/research", url.Values{"query": {"How many bicycles are repaired?"}, "requestId": {"6dbb3c06-18cb-4e3a-8f5a-1b1f4b6b5f11"}})
	list := webtest.Fetch[web.Page[tasks.TaskBody]](w, 200, webtest.Request{Path: "/api/v1/sessions/" + session + "/research-tasks"}).Items
	if status != 200 || back != at || len(list) != 1 || !strings.Contains(shown, `id="task-`+list[0].ID+`"`) {
		t.Fatalf("asking: %d at %s, tasks %+v", status, back, list)
	}
	task := at + "/research/" + list[0].ID
	_, _, shown = b.Open(task+"/steer", url.Values{"text": {"Germany only"}})
	if !strings.Contains(shown, "Told where to look: Germany only") {
		t.Error("the page does not show where it was told to look")
	}
	status, back, shown = b.Open(task+"/cancel", url.Values{})
	if status != 200 || back != at || strings.Contains(shown, `data-testid="cancel-task"`) || !strings.Contains(shown, "Cancelled") {
		t.Errorf("cancelling: %d at %s", status, back)
	}
	alone := w.Asks(map[string]any{"query": "What is bread?"})
	if _, back, _ = b.Open("/research/"+alone.ID+"/cancel", url.Values{}); back != "/research/"+alone.ID {
		t.Errorf("cancelling a question of its own leads to %s", back)
	}
}

// A guest, who has nothing but the session's cookie, reads and steers its
// research, and no other's.
func TestGuestReadsResearchOfTheirSession(t *testing.T) {
	t.Parallel()

	c := webtest.OpenTown(t)
	anna := c.People["anna"]
	here, other := anna.Asks(map[string]any{"query": "Who sells bread?", "sessionId": c.Session}).ID, anna.Asks(map[string]any{"query": "Alone?"}).ID
	done := anna.Asks(map[string]any{"query": "Who buys bread?", "sessionId": c.Session}).ID
	c.Stages(done, research.Found, webtest.Market...)
	b := c.Browser()
	b.Open(strings.TrimPrefix(anna.Invites(c.Session, sessions.ContributorRole, "Ben").Link, c.URL), url.Values{"name": {"Ben"}})
	at := "/s/" + c.Session + "/research/"

	for path, want := range map[string]int{at + done: 200, at + done + "/sources/1": 200, at + done + "/report?format=md": 200, at + done + "/card": 200, at + other: 404, "/research/" + done: 401} {
		if status, _, _ := b.Open(path, nil); status != want {
			t.Errorf("%s answers a guest %d, want %d", path, status, want)
		}
	}
	if status, _, page := b.Open(at+here+"/steer", url.Values{"text": {"Germany only"}}); status != 200 || !strings.Contains(page, "Germany only") {
		t.Errorf("a guest steers: %d", status)
	}
	if status, _, _ := b.Open(at+other+"/cancel", url.Values{}); status != 404 {
		t.Errorf("a guest cancels what is not theirs: %d", status)
	}
}

func TestProposalIsRejectedFromItsCard(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	session := w.Begin("business_profile")
	made := w.Asks(map[string]any{"sessionId": session, "obligationKey": "industry"})
	w.Stages(made.ID, research.Found, webtest.Market...)
	w.Proposes(made, "industry", `"Bicycle repair"`)
	at := "/s/" + session + "/research/" + made.ID
	before, _ := w.Download(at + "/card")

	resp := w.Do(webtest.Request{Path: at + "/dispute", Body: "reason=We+sell+cheese", Header: form})
	after, _ := w.Download(at + "/card")

	if !strings.Contains(before, `data-testid="use"`) || !strings.Contains(before, "Bicycle repair") || !strings.Contains(before, "trade.example") {
		t.Errorf("the card does not offer the proposal:\n%s", before)
	}
	if resp.StatusCode != http.StatusNoContent || strings.Contains(after, `data-testid="use"`) {
		t.Errorf("rejecting answered %d, then the card is:\n%s", resp.StatusCode, after)
	}
	o := webtest.Fetch[struct{ Negotiation *obligations.Negotiation }](w, 200, webtest.Request{Path: "/api/v1/sessions/" + session + "/obligations/industry"})
	if o.Negotiation.Standing() != obligations.NegotiationActive {
		t.Errorf("negotiation %+v", o.Negotiation)
	}
}

func TestProposalIsUsedFromItsCard(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	session := w.Begin("business_profile")
	made := w.Asks(map[string]any{"sessionId": session, "obligationKey": "industry"})
	w.Stages(made.ID, research.Found, webtest.Market...)
	w.Proposes(made, "industry", `"Bicycle repair"`)
	confirm := "/api/v1/sessions/" + session + "/obligations/industry/confirm"

	webtest.CheckRefusal(t, w, webtest.Refusal{Request: webtest.Request{Path: confirm, Body: map[string]string{"value": "Cheese"}}, Status: 409, Code: "value_changed"})
	resp := w.Do(webtest.Request{Path: "/s/" + session + "/research/" + made.ID + "/confirm", Body: "", Header: form})
	after, _ := w.Download("/s/" + session + "/research/" + made.ID + "/card")
	again := webtest.Fetch[web.ObligationBody](w, 200, webtest.Request{Method: http.MethodPost, Path: confirm})

	if resp.StatusCode != http.StatusNoContent || strings.Contains(after, `data-testid="use"`) || !strings.Contains(after, "In use:") {
		t.Errorf("using it answered %d, then the card is:\n%s", resp.StatusCode, after)
	}
	if again.Status != obligations.Satisfied || string(again.Value) != `"Bicycle repair"` {
		t.Errorf("the obligation is %s with %s", again.Status, again.Value)
	}
}
