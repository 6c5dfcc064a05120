package ui_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/a-h/templ"
	"golang.org/x/net/html"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web/ui"
)

func TestChatHasLandmarksAndOneHeading(t *testing.T) {
	t.Parallel()

	p := render(t, ui.Chat(sample(t)))

	for _, name := range []string{"main", "header", "aside", "h1"} {
		if got := len(p.all(tag(name))); got != 1 {
			t.Errorf("%d elements %s, want 1", got, name)
		}
	}
	if got := attr(p.all(tag("html"))[0], "lang"); got != "en" {
		t.Errorf("lang = %q, want en", got)
	}
	if live := p.test("announcer"); attr(live, "aria-live") != "polite" {
		t.Errorf("the announcer is %q, want polite", attr(live, "aria-live"))
	}
	if skip := p.all(tag("a"))[0]; attr(skip, "href") != "#main" {
		t.Errorf("the first link leads to %q, want #main", attr(skip, "href"))
	}
}

// The page's policy forbids inline code and style, and other origins.
func TestPagesKeepToThePolicy(t *testing.T) {
	t.Parallel()

	for name, p := range map[string]page{
		"chat":  render(t, ui.Chat(sample(t))),
		"home":  render(t, ui.Home(sampleHome())),
		"found": render(t, ui.Search(sampleSearch())),
		"guide": render(t, ui.Styleguide(ui.StyleguideView{})),
		"error": render(t, ui.ErrorPage(ui.ErrorView{Status: 404, Title: "Not found"})),
	} {
		for _, n := range p.every() {
			checkPolicy(t, name, n)
		}
	}
}

func checkPolicy(t *testing.T, page string, n *html.Node) {
	t.Helper()
	switch n.Data {
	case "script":
		if !strings.HasPrefix(attr(n, "src"), "/static/") || rawText(n) != "" {
			t.Errorf("%s: inline or foreign script %q", page, attr(n, "src"))
		}
	case "style", "iframe", "object", "embed", "base", "img":
		t.Errorf("%s: element %s", page, n.Data)
	}
	for _, a := range n.Attr {
		value := strings.ToLower(strings.TrimSpace(a.Val))
		if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
			t.Errorf("%s: attribute %s=%q on %s", page, a.Key, a.Val, n.Data)
		}
		if (a.Key == "href" || a.Key == "action" || a.Key == "src") && (strings.HasPrefix(value, "javascript:") || strings.HasPrefix(value, "data:")) {
			t.Errorf("%s: %s=%q on %s", page, a.Key, a.Val, n.Data)
		}
	}
}

// Every control has a name for assistive technology and one for tests.
func TestControlsAreNamed(t *testing.T) {
	t.Parallel()

	for _, c := range []templ.Component{ui.Chat(sample(t)), ui.Home(sampleHome()), ui.Search(sampleSearch()), ui.Research(ui.ResearchView{Asks: true}), ui.Styleguide(ui.StyleguideView{})} {
		checkNames(t, render(t, c))
	}
}

func checkNames(t *testing.T, p page) {
	t.Helper()
	for _, n := range p.all(func(n *html.Node) bool { return n.Data == "button" || n.Data == "input" || n.Data == "textarea" }) {
		if attr(n, "type") == "hidden" {
			continue
		}
		if attr(n, "data-testid") == "" {
			t.Errorf("%s %v has no data-testid", n.Data, n.Attr)
		}
		if !labelled(p, n) {
			t.Errorf("%s %q has no label", n.Data, attr(n, "data-testid"))
		}
	}
}

func labelled(p page, n *html.Node) bool {
	if n.Data == "button" {
		return text(n) != ""
	}
	for up := n.Parent; up != nil; up = up.Parent {
		if up.Data == "label" && text(up) != "" {
			return true
		}
	}
	id := attr(n, "id")
	return id != "" && len(p.all(func(l *html.Node) bool { return l.Data == "label" && attr(l, "for") == id && text(l) != "" })) == 1
}

func TestTranscriptStandsAsItWasSaid(t *testing.T) {
	t.Parallel()

	p := render(t, ui.Chat(sample(t)))

	said := p.test("message-user")
	if attr(said, "id") != "m-2-user" {
		t.Errorf("id = %q, want m-2-user", attr(said, "id"))
	}
	if got := rawText(p.slot(said, "body")); got != bakery {
		t.Errorf("the person's words are %q, want %q", got, bakery)
	}
	if got := text(p.slot(said, "author")); got != "You" {
		t.Errorf("author = %q, want You", got)
	}
	replies := p.tests("message-assistant")
	if len(p.within(replies[0]).all(tag("strong"))) != 1 {
		t.Error("the reply's bold word is not strong")
	}
	if got := text(p.slot(replies[1], "note")); got != "Stopped" {
		t.Errorf("note of the half reply = %q, want Stopped", got)
	}
}

func TestEvidenceLeadsToWhereItWasSaid(t *testing.T) {
	t.Parallel()

	p := render(t, ui.Chat(sample(t)))
	row := p.test("obligation-team_size")

	link := p.within(row).test("quote")
	if attr(link, "href") != "#m-2-user" || has(link, "hidden") {
		t.Errorf("quote leads to %q, want #m-2-user", attr(link, "href"))
	}
	var span [2]int
	if err := json.Unmarshal([]byte(attr(link, "data-span")), &span); err != nil {
		t.Fatal(err)
	}
	body := utf16.Encode([]rune(rawText(p.slot(p.test("message-user"), "body"))))
	if got := string(utf16.Decode(body[span[0]:span[1]])); got != "nine of us" {
		t.Errorf("the span holds %q, want nine of us", got)
	}
	for slot, want := range map[string]string{
		"status": "Known", "value": "9 people", "band": "very high", "confidence": "0.92", "previous": "7 people", "intro": "You said", "quote": "nine of us",
	} {
		if got := text(p.slot(row, slot)); got != want {
			t.Errorf("%s = %q, want %q", slot, got, want)
		}
	}
}

func TestDoubtfulEvidenceSaysSo(t *testing.T) {
	t.Parallel()

	p := render(t, ui.Chat(sample(t)))
	row := p.test("obligation-market")

	if link := p.within(row).test("quote"); !has(link, "hidden") {
		t.Error("a quote without a message is a link")
	}
	if got := text(p.slot(row, "plainquote")); got != "only cafés" {
		t.Errorf("quote = %q, want only cafés", got)
	}
	if got := text(p.within(row).test("evidence")); !strings.Contains(got, "not found") || !strings.Contains(got, "bob said") {
		t.Errorf("evidence = %q, want bob and the flag", got)
	}
}

func TestProgressIsSaidInWords(t *testing.T) {
	t.Parallel()

	p := render(t, ui.Chat(sample(t)))

	if got, want := text(p.test("progress-words")), "50% resolved: 1 of 4 known, 1 in part, 1 skipped"; got != want {
		t.Errorf("progress = %q, want %q", got, want)
	}
	if got, want := text(p.test("missing")), "Still needed to finish: Offer, Market"; got != want {
		t.Errorf("missing = %q, want %q", got, want)
	}
	if got := text(p.slot(p.test("obligation-revenue"), "status")); got != "Skipped: not answered by choice" {
		t.Errorf("status = %q, want the reason", got)
	}
	steps := p.within(p.test("steps")).all(func(n *html.Node) bool { return attr(n, "aria-current") == "step" })
	if len(steps) != 1 || text(steps[0]) != "Exploration" {
		t.Errorf("current steps = %d, want Exploration alone", len(steps))
	}
}

func TestGroupsKeepTheirOrder(t *testing.T) {
	t.Parallel()

	p := render(t, ui.Chat(sample(t)))

	var got []string
	for _, n := range p.all(func(n *html.Node) bool { return has(n, "data-category") }) {
		got = append(got, attr(n, "data-category"))
	}
	if want := "Figures, Offer, To find out"; strings.Join(got, ", ") != want {
		t.Errorf("groups = %q, want %q", got, want)
	}
}

func TestScriptsAreToldWhatThePageShows(t *testing.T) {
	t.Parallel()

	p := render(t, ui.Chat(sample(t)))
	root := p.all(func(n *html.Node) bool { return attr(n, "id") == "chat" })[0]

	var got struct {
		SessionID   string
		ContextType string
		After       int64
		Question    *sessions.Question
		Words       struct{ End map[string]string }
	}
	if err := json.Unmarshal([]byte(attr(root, "data-page")), &got); err != nil {
		t.Fatal(err)
	}
	if got.SessionID != "s-1" || got.ContextType != "business_profile" || got.After != 42 || got.Question.Key != "offer" {
		t.Errorf("data-page = %+v, want the session, its place in the log and its question", got)
	}
	if got.Words.End["completed"] == "" {
		t.Error("no words for an interview that is complete")
	}
	for _, s := range []obligations.Status{obligations.Pending, obligations.InProgress, obligations.Partial, obligations.Satisfied, obligations.Deferred, obligations.Skipped} {
		if len(p.all(func(n *html.Node) bool { return attr(n, "id") == "i-"+string(s) })) != 1 {
			t.Errorf("no picture for status %s", s)
		}
	}
}

func TestFormsWorkWithoutScripts(t *testing.T) {
	t.Parallel()

	p := render(t, ui.Chat(sample(t)))

	forms := p.all(func(n *html.Node) bool { return n.Data == "form" && has(n, "data-say") })
	if len(forms) != 3 {
		t.Fatalf("%d forms, want question, composer and quick answers", len(forms))
	}
	for _, f := range forms {
		if attr(f, "action") != "/s/s-1/say" || attr(f, "method") != "post" {
			t.Errorf("form posts to %q, want /s/s-1/say", attr(f, "action"))
		}
		ids := p.within(f).all(func(n *html.Node) bool { return attr(n, "name") == "clientMessageId" })
		if len(ids) != 1 || attr(ids[0], "value") == "" {
			t.Error("a form has no client message id")
		}
	}
	if why := p.test("quick-why"); attr(why, "name") != "message" || attr(why, "value") != "Why do you ask?" {
		t.Errorf("quick answer = %v, want its words as message", why.Attr)
	}
}

// Nothing is looked up that no source outside can know, and where nothing is asked.
func TestLookingUpIsOfferedWhereItHelps(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name string
		with func(*ui.ChatView)
		want bool
	}{
		{"anybody may know", func(*ui.ChatView) {}, true},
		{"only the person knows", func(v *ui.ChatView) { v.Obligations[1].ResearchType = obligations.NoResearch }, false},
		{"nothing is asked", func(v *ui.ChatView) { v.Question = nil }, false},
		{"it is to be closed", func(v *ui.ChatView) { v.Question = &sessions.Question{Purpose: sessions.ToFinish} }, false},
	} {
		v := sample(t)
		tt.with(&v)
		if got := !has(render(t, ui.Chat(v)).test("quick-research"), "hidden"); got != tt.want {
			t.Errorf("%s: offered %t, want %t", tt.name, got, tt.want)
		}
	}
}

func TestClosedInterviewOffersExports(t *testing.T) {
	t.Parallel()

	v := sample(t)
	v.Session.Status, v.Session.StopReason = sessions.Completed, sessions.EndCompleted
	p := render(t, ui.Chat(v))

	if has(p.test("closing"), "hidden") {
		t.Error("the closing card is hidden")
	}
	if got := attr(p.test("to-closing"), "href"); got != "#closing-title" {
		t.Errorf("the head of the page leads to %q, want the closing card", got)
	}
	for _, format := range []string{"md", "json", "csv"} {
		if got, want := attr(p.test("export-"+format), "href"), "/api/v1/sessions/s-1/export?format="+format; got != want {
			t.Errorf("export link = %q, want %q", got, want)
		}
	}
	if n := len(p.all(tag("form"))); n != 0 {
		t.Errorf("%d forms on a closed interview, want none", n)
	}
}

func TestRunningTurnAsksNothing(t *testing.T) {
	t.Parallel()

	v := sample(t)
	v.Turn = 3

	if n := len(render(t, ui.Chat(v)).tests("question")); n != 0 {
		t.Errorf("%d questions while a turn runs, want none", n)
	}
}

func TestRestingInterviewSaysWhy(t *testing.T) {
	t.Parallel()

	v := sample(t)
	v.Session.StopReason = sessions.EndLeft

	if got := text(render(t, ui.Chat(v)).test("paused")); !strings.Contains(got, "paused") {
		t.Errorf("paused = %q, want the reason", got)
	}
}

func TestInterviewerIsNamed(t *testing.T) {
	t.Parallel()

	for name, want := range map[string]string{
		"rules":          "Questions asked by: Built-in interviewer (rules, no model)",
		"model llama3.1": "Questions asked by: Model llama3.1",
	} {
		v := sample(t)
		v.Interviewer = name
		if got := text(render(t, ui.Chat(v)).test("interviewer")); got != want {
			t.Errorf("interviewer %q is shown as %q, want %q", name, got, want)
		}
		if got := text(render(t, ui.Home(ui.HomeView{Interviewer: name})).test("interviewer")); got != want {
			t.Errorf("home: interviewer %q is shown as %q, want %q", name, got, want)
		}
	}
}
