package talk_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/a-h/templ"
	"golang.org/x/net/html"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web/research"
	"quaestor/web/talk"
	"quaestor/web/ui"
	"quaestor/web/webtest"
)

func TestChatHasLandmarksAndOneHeading(t *testing.T) {
	t.Parallel()

	p := webtest.Render(t, talk.Chat(webtest.Sample(t)))

	for _, name := range []string{"main", "header", "aside", "h1"} {
		if got := len(p.All(webtest.Tag(name))); got != 1 {
			t.Errorf("%d elements %s, want 1", got, name)
		}
	}
	if got := webtest.Attr(p.All(webtest.Tag("html"))[0], "lang"); got != "en" {
		t.Errorf("lang = %q, want en", got)
	}
	if live := p.Test("announcer"); webtest.Attr(live, "aria-live") != "polite" {
		t.Errorf("the announcer is %q, want polite", webtest.Attr(live, "aria-live"))
	}
	if skip := p.All(webtest.Tag("a"))[0]; webtest.Attr(skip, "href") != "#main" {
		t.Errorf("the first link leads to %q, want #main", webtest.Attr(skip, "href"))
	}
}

// The pages keep to their content security policy: no inline code or style, and nothing
// from other origins.
func TestPagesKeepToThePolicy(t *testing.T) {
	t.Parallel()

	for name, p := range map[string]webtest.Page{
		"chat":  webtest.Render(t, talk.Chat(webtest.Sample(t))),
		"home":  webtest.Render(t, talk.Home(sampleHome())),
		"found": webtest.Render(t, talk.Search(sampleSearch())),
		"guide": webtest.Render(t, ui.Styleguide(ui.StyleguideView{Search: talk.GuideSearch(), Cards: talk.GuideCardList()})),
		"error": webtest.Render(t, ui.ErrorPage(ui.ErrorView{Status: 404, Title: "Not found"})),
	} {
		for _, n := range p.Every() {
			webtest.CheckPolicy(t, name, n)
		}
	}
}

// Every control has a name for assistive technology and one for tests.
func TestControlsAreNamed(t *testing.T) {
	t.Parallel()

	for _, c := range []templ.Component{talk.Chat(webtest.Sample(t)), talk.Home(sampleHome()), talk.Search(sampleSearch()), research.Research(research.ResearchView{Asks: true}), ui.Styleguide(ui.StyleguideView{Search: talk.GuideSearch(), Cards: talk.GuideCardList()})} {
		checkNames(t, webtest.Render(t, c))
	}
}

func checkNames(t *testing.T, p webtest.Page) {
	t.Helper()
	for _, n := range p.All(func(n *html.Node) bool { return n.Data == "button" || n.Data == "input" || n.Data == "textarea" }) {
		if webtest.Attr(n, "type") == "hidden" {
			continue
		}
		if webtest.Attr(n, "data-testid") == "" {
			t.Errorf("%s %v has no data-testid", n.Data, n.Attr)
		}
		if !labelled(p, n) {
			t.Errorf("%s %q has no label", n.Data, webtest.Attr(n, "data-testid"))
		}
	}
}

func labelled(p webtest.Page, n *html.Node) bool {
	if n.Data == "button" {
		return webtest.Text(n) != ""
	}
	for up := n.Parent; up != nil; up = up.Parent {
		if up.Data == "label" && webtest.Text(up) != "" {
			return true
		}
	}
	id := webtest.Attr(n, "id")
	return id != "" && len(p.All(func(l *html.Node) bool {
		return l.Data == "label" && webtest.Attr(l, "for") == id && webtest.Text(l) != ""
	})) == 1
}

func TestTranscriptStandsAsItWasSaid(t *testing.T) {
	t.Parallel()

	p := webtest.Render(t, talk.Chat(webtest.Sample(t)))

	said := p.Test("message-user")
	if webtest.Attr(said, "id") != "m-2-user" {
		t.Errorf("id = %q, want m-2-user", webtest.Attr(said, "id"))
	}
	if got := webtest.RawText(p.Slot(said, "body")); got != webtest.Bakery {
		t.Errorf("the person's words are %q, want %q", got, webtest.Bakery)
	}
	if got := webtest.Text(p.Slot(said, "author")); got != "You" {
		t.Errorf("author = %q, want You", got)
	}
	replies := p.Tests("message-assistant")
	if len(p.Within(replies[0]).All(webtest.Tag("strong"))) != 1 {
		t.Error("the reply's bold word is not strong")
	}
	if got := webtest.Text(p.Slot(replies[1], "note")); got != "Stopped" {
		t.Errorf("note of the half reply = %q, want Stopped", got)
	}
}

func TestEvidenceLeadsToWhereItWasSaid(t *testing.T) {
	t.Parallel()

	p := webtest.Render(t, talk.Chat(webtest.Sample(t)))
	row := p.Test("obligation-team_size")

	link := p.Within(row).Test("quote")
	if webtest.Attr(link, "href") != "#m-2-user" || webtest.Has(link, "hidden") {
		t.Errorf("quote leads to %q, want #m-2-user", webtest.Attr(link, "href"))
	}
	var span [2]int
	if err := json.Unmarshal([]byte(webtest.Attr(link, "data-span")), &span); err != nil {
		t.Fatal(err)
	}
	body := utf16.Encode([]rune(webtest.RawText(p.Slot(p.Test("message-user"), "body"))))
	if got := string(utf16.Decode(body[span[0]:span[1]])); got != "nine of us" {
		t.Errorf("the span holds %q, want nine of us", got)
	}
	for slot, want := range map[string]string{
		"status": "Known", "value": "9 people", "sure": "sure", "previous": "7 people", "intro": "You said", "quote": "nine of us",
	} {
		if got := webtest.Text(p.Slot(row, slot)); got != want {
			t.Errorf("%s = %q, want %q", slot, got, want)
		}
	}
	if got := webtest.Text(row); strings.Contains(got, "0.92") || strings.Contains(got, "very high") {
		t.Errorf("the person reads the figure or the band: %q", got)
	}
}

func TestDoubtfulEvidenceSaysSo(t *testing.T) {
	t.Parallel()

	p := webtest.Render(t, talk.Chat(webtest.Sample(t)))
	row := p.Test("obligation-market")

	if link := p.Within(row).Test("quote"); !webtest.Has(link, "hidden") {
		t.Error("a quote without a message is a link")
	}
	if got := webtest.Text(p.Slot(row, "plainquote")); got != "only cafés" {
		t.Errorf("quote = %q, want only cafés", got)
	}
	if got := webtest.Text(p.Within(row).Test("evidence")); !strings.Contains(got, "not found") || !strings.Contains(got, "bob said") {
		t.Errorf("evidence = %q, want bob and the flag", got)
	}
}

func TestProgressIsSaidInWords(t *testing.T) {
	t.Parallel()

	p := webtest.Render(t, talk.Chat(webtest.Sample(t)))

	if got, want := webtest.Text(p.Test("progress-words")), "50% resolved: 1 of 4 known, 1 in part, 1 skipped"; got != want {
		t.Errorf("progress = %q, want %q", got, want)
	}
	if got, want := webtest.Text(p.Test("missing")), "Still needed to finish: Offer, Market"; got != want {
		t.Errorf("missing = %q, want %q", got, want)
	}
	if got := webtest.Text(p.Slot(p.Test("obligation-revenue"), "status")); got != "Skipped: not answered by choice" {
		t.Errorf("status = %q, want the reason", got)
	}
}

// The panel is the agenda: parts with their state in words, the present one open, and how
// long the rest takes.
func TestPanelIsTheAgenda(t *testing.T) {
	t.Parallel()

	v := webtest.Sample(t)
	agenda := chat.AgendaOf(v.Obligations, v.Question)
	for language, words := range map[string]struct {
		minutes string
		states  map[chat.AgendaState]string
		of      string
	}{
		"en": {"About %d minutes left", map[chat.AgendaState]string{chat.PartDone: "Done", chat.PartNow: "Now", chat.PartAhead: "To come"}, "of"},
		"de": {"Noch etwa %d Minuten", map[chat.AgendaState]string{chat.PartDone: "Erledigt", chat.PartNow: "Jetzt", chat.PartAhead: "Offen"}, "von"},
	} {
		v.Session.Language = language
		p := webtest.Render(t, talk.Chat(v))
		if got, want := webtest.Text(p.Test("minutes")), fmt.Sprintf(words.minutes, agenda.Minutes); got != want {
			t.Errorf("%s: the time left is %q, want %q", language, got, want)
		}
		parts := p.Within(p.Test("agenda")).All(func(n *html.Node) bool { return webtest.Attr(n, "data-testid") == "part" })
		if len(parts) != len(agenda.Parts) {
			t.Fatalf("%d parts are shown, want %d", len(parts), len(agenda.Parts))
		}
		for i, part := range agenda.Parts {
			within := p.Within(parts[i])
			want := fmt.Sprintf("%s, %d %s %d", words.states[part.State], part.Resolved, words.of, part.Total)
			if got := webtest.Text(parts[i]); !strings.Contains(got, want) {
				t.Errorf("%s: part %d shows %q, want %q", language, i, got, want)
			}
			details := within.All(func(n *html.Node) bool { return n.Data == "details" })[0]
			open := slices.ContainsFunc(details.Attr, func(a html.Attribute) bool { return a.Key == "open" })
			if now := part.State == chat.PartNow; open != now || (webtest.Attr(details, "aria-current") == "step") != now {
				t.Errorf("%s: part %d is open: %t, want %t", language, i, open, now)
			}
			if rows := within.All(func(n *html.Node) bool { return webtest.Attr(n, "data-key") != "" && n.Data == "li" }); len(rows) != part.Total {
				t.Errorf("%s: part %d lists %d, want %d", language, i, len(rows), part.Total)
			}
		}
	}
}

func TestGroupsKeepTheirOrder(t *testing.T) {
	t.Parallel()

	p := webtest.Render(t, talk.Chat(webtest.Sample(t)))

	var got []string
	for _, n := range p.All(func(n *html.Node) bool { return webtest.Has(n, "data-category") }) {
		got = append(got, webtest.Attr(n, "data-category"))
	}
	if want := "Figures, Offer, To find out"; strings.Join(got, ", ") != want {
		t.Errorf("groups = %q, want %q", got, want)
	}
}

func TestScriptsAreToldWhatThePageShows(t *testing.T) {
	t.Parallel()

	v := webtest.Sample(t)
	v.Session.Language = "de"
	p := webtest.Render(t, talk.Chat(v))
	root := p.All(func(n *html.Node) bool { return webtest.Attr(n, "id") == "chat" })[0]

	var got struct {
		SessionID string
		After     int64
		Question  *sessions.Question
		Words     struct {
			End, Said map[string]string
			You       string
		}
	}
	if err := json.Unmarshal([]byte(webtest.Attr(root, "data-page")), &got); err != nil {
		t.Fatal(err)
	}
	if got.SessionID != "s-1" || got.After != 42 || got.Question.Key != "offer" {
		t.Errorf("data-page = %+v, want the session, its place in the log and its question", got)
	}
	if got.Words.End["completed"] != "Dieses Gespräch ist abgeschlossen." || got.Words.You != "Sie" || got.Words.Said["Saved."] != "Gespeichert." {
		t.Errorf("the words of the scripts are %v, want them in the language of the interview", got.Words)
	}
	for _, s := range []obligations.Status{obligations.Pending, obligations.InProgress, obligations.Partial, obligations.Satisfied, obligations.Deferred, obligations.Skipped} {
		if len(p.All(func(n *html.Node) bool { return webtest.Attr(n, "id") == "i-"+string(s) })) != 1 {
			t.Errorf("no picture for status %s", s)
		}
	}
}

func TestFormsWorkWithoutScripts(t *testing.T) {
	t.Parallel()

	p := webtest.Render(t, talk.Chat(webtest.Sample(t)))

	forms := p.All(func(n *html.Node) bool { return n.Data == "form" && webtest.Has(n, "data-say") })
	if len(forms) != 3 {
		t.Fatalf("%d forms, want question, composer and quick answers", len(forms))
	}
	for _, f := range forms {
		if webtest.Attr(f, "action") != "/s/s-1/say" || webtest.Attr(f, "method") != "post" {
			t.Errorf("form posts to %q, want /s/s-1/say", webtest.Attr(f, "action"))
		}
		ids := p.Within(f).All(func(n *html.Node) bool { return webtest.Attr(n, "name") == "clientMessageId" })
		if len(ids) != 1 || webtest.Attr(ids[0], "value") == "" {
			t.Error("a form has no client message id")
		}
	}
	if why := p.Test("quick-why"); webtest.Attr(why, "name") != "message" || webtest.Attr(why, "value") != "Why do you ask?" {
		t.Errorf("quick answer = %v, want its words as message", why.Attr)
	}
}

// Research is offered only for a question whose answer a source outside may know.
func TestLookingUpIsOfferedWhereItHelps(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name string
		with func(*talk.ChatView)
		want bool
	}{
		{"anybody may know", func(*talk.ChatView) {}, true},
		{"only the person knows", func(v *talk.ChatView) { v.Obligations[1].ResearchType = obligations.NoResearch }, false},
		{"nothing is asked", func(v *talk.ChatView) { v.Question = nil }, false},
		{"it is to be closed", func(v *talk.ChatView) { v.Question = &sessions.Question{Purpose: sessions.ToFinish} }, false},
	} {
		v := webtest.Sample(t)
		tt.with(&v)
		if got := !webtest.Has(webtest.Render(t, talk.Chat(v)).Test("quick-research"), "hidden"); got != tt.want {
			t.Errorf("%s: offered %t, want %t", tt.name, got, tt.want)
		}
	}
}

func TestClosedInterviewOffersExports(t *testing.T) {
	t.Parallel()

	v := webtest.Sample(t)
	v.Session.Status, v.Session.StopReason = sessions.Completed, sessions.EndCompleted
	p := webtest.Render(t, talk.Chat(v))

	if webtest.Has(p.Test("closing"), "hidden") {
		t.Error("the closing card is hidden")
	}
	if got := webtest.Attr(p.Test("to-closing"), "href"); got != "#closing-title" {
		t.Errorf("the head of the page leads to %q, want the closing card", got)
	}
	for _, format := range []string{"md", "json", "csv"} {
		if got, want := webtest.Attr(p.Test("export-"+format), "href"), "/api/v1/sessions/s-1/export?format="+format; got != want {
			t.Errorf("export link = %q, want %q", got, want)
		}
	}
	if n := len(p.All(webtest.Tag("form"))); n != 1 {
		t.Errorf("%d forms on a closed interview, want the one that reopens it", n)
	}
	if agenda := webtest.Text(p.Test("agenda")); !strings.Contains(agenda, "Left open") || strings.Contains(agenda, "To come") {
		t.Errorf("the parts are %q, want nothing still to come", agenda)
	}
}

func TestRunningTurnAsksNothing(t *testing.T) {
	t.Parallel()

	v := webtest.Sample(t)
	v.Turn = 3

	if n := len(webtest.Render(t, talk.Chat(v)).Tests("question")); n != 0 {
		t.Errorf("%d questions while a turn runs, want none", n)
	}
}

func TestRestingInterviewSaysWhy(t *testing.T) {
	t.Parallel()

	v := webtest.Sample(t)
	v.Session.StopReason = sessions.EndLeft

	if got := webtest.Text(webtest.Render(t, talk.Chat(v)).Test("paused")); !strings.Contains(got, "paused") {
		t.Errorf("paused = %q, want the reason", got)
	}
}

func TestInterviewerIsNamed(t *testing.T) {
	t.Parallel()

	for name, want := range map[string]string{
		"rules":          "Questions asked by: Built-in interviewer (rules, no model)",
		"model llama3.1": "Questions asked by: Model llama3.1",
	} {
		v := webtest.Sample(t)
		v.Interviewer = name
		if got := webtest.Text(webtest.Render(t, talk.Chat(v)).Test("interviewer")); got != want {
			t.Errorf("interviewer %q is shown as %q, want %q", name, got, want)
		}
		if got := webtest.Text(webtest.Render(t, talk.Home(talk.HomeView{Interviewer: name})).Test("interviewer")); got != want {
			t.Errorf("home: interviewer %q is shown as %q, want %q", name, got, want)
		}
	}
}
