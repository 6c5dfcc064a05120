package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"golang.org/x/net/html"

	"quaestor/chat"
	"quaestor/internal/auth"
	"quaestor/sessions"
)

// pieces returns the elements of a page with that data-testid.
func pieces(root *html.Node, id string) []*html.Node {
	var out []*html.Node
	for n := range root.Descendants() {
		if attribute(n, "data-testid") == id && !inTemplate(n) {
			out = append(out, n)
		}
	}
	return out
}

// inTemplate says whether n is a pattern for scripts, which nobody sees.
func inTemplate(n *html.Node) bool {
	for p := range n.Ancestors() {
		if p.Data == "template" {
			return true
		}
	}
	return false
}

// listed returns the ids of the sessions a page lists, in order.
func listed(root *html.Node) []string {
	var out []string
	for n := range root.Descendants() {
		if id, ok := strings.CutPrefix(attribute(n, "data-testid"), "continue-"); ok {
			out = append(out, id)
		}
	}
	return out
}

// finishes ends a session, as its person would.
func (w *world) finishes(id string) {
	w.t.Helper()
	w.exec(`UPDATE elicitation_sessions SET status = 'completed', stop_reason = 'completed', completed_at = now(), updated_at = now() WHERE id = $1`, id)
}

func TestHomeShowsWhatIsOpenAndWhatWasFinished(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	ada, bo := w.as(w.tenant, "ada", auth.Member), w.as(w.tenant, "bo", auth.Member)
	going, done := ada.begin("idea_discovery"), ada.begin("business_profile")
	ada.say(turnBody{SessionID: going, Message: "A lending library for tools in every block of flats"})
	w.finishes(done)

	root := ada.drawn("/")
	if got := listed(root); !slices.Equal(got, []string{going, done}) {
		t.Errorf("ada sees %v, want what is open, then what is finished", got)
	}
	card := words(pieces(root, "session-"+going)[0])
	for _, want := range []string{"Idea discovery", "A lending library for tools in every block of flats", "Asked now:"} {
		if !strings.Contains(card, want) {
			t.Errorf("the card does not say %q: %s", want, card)
		}
	}
	if got := len(pieces(root, "export-md")); got != 1 {
		t.Errorf("%d downloads of text, want that of the finished one", got)
	}
	if got := listed(bo.drawn("/")); len(got) != 0 {
		t.Errorf("bo sees %v of ada's", got)
	}
}

func TestNavOffersWhatOnesRoleAllows(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	for role, want := range map[auth.Role]string{
		auth.Viewer:   "interviews research",
		auth.Member:   "interviews research",
		auth.Reviewer: "interviews research review",
		auth.Owner:    "interviews research review manage",
	} {
		root := w.as(w.tenant, "someone-"+string(role), role).drawn("/")
		var got []string
		for _, place := range []string{"interviews", "research", "review", "manage"} {
			if len(pieces(root, place+"-link")) == 1 {
				got = append(got, place)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("a %s is led to %v, want %s", role, got, want)
		}
		if starts := len(pieces(root, "start-idea_discovery")); starts != 1 && role != auth.Viewer || starts != 0 && role == auth.Viewer {
			t.Errorf("a %s is offered %d ways to start", role, starts)
		}
	}
}

// A page of the list ends where the next begins, and no session is in two.
func TestInterviewsArePaged(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	var made []string
	for range listRows + 3 {
		made = append(made, fetch[sessionBody](w, http.StatusCreated, request{path: "/api/v1/sessions", body: map[string]string{"contextType": "idea_discovery"}}).ID)
	}
	w.finishes(made[0])
	slices.Reverse(made)

	first := w.drawn("/interviews")
	older := pieces(first, "older")
	if len(older) != 1 || len(pieces(first, "newest")) != 0 {
		t.Fatalf("the first page leads to %d older and %d newer pages", len(older), len(pieces(first, "newest")))
	}
	second := w.drawn(attribute(older[0], "href"))
	if len(pieces(second, "older")) != 0 || len(pieces(second, "newest")) != 1 {
		t.Error("the last page leads on, or not back")
	}
	if got := append(listed(first), listed(second)...); !slices.Equal(got, made[:listRows+2]) {
		t.Errorf("the pages list %v, want %v", got, made[:listRows+2])
	}
	if got := listed(w.drawn("/interviews?status=completed")); !slices.Equal(got, made[listRows+2:]) {
		t.Errorf("finished ones are %v, want %v", got, made[listRows+2:])
	}
	if got := listed(w.drawn("/")); len(got) != homeOpen+1 {
		t.Errorf("the first page lists %d, want %d open and the finished one", len(got), homeOpen)
	}
	fetch[problem](w, http.StatusBadRequest, request{path: "/interviews?cursor=turnip"})
}

func TestSearchPageIsOfOnesOwn(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	ada, bo, reviewer := w.as(w.tenant, "ada", auth.Member), w.as(w.tenant, "bo", auth.Member), w.as(w.tenant, "rev", auth.Reviewer)
	session := volunteer(ada, "We must not forget the zebras of Ghent.")
	index := chat.NewIndex(chat.IndexOptions{Pool: w.pool, Hub: w.server.Hub, Library: w.server.Library, Log: w.server.Log,
		Tenants: func(context.Context) ([]string, error) { return []string{w.tenant}, nil }})
	if err := index.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}

	root := ada.drawn("/search?q=zebras")
	said := pieces(root, "found-message")
	if len(said) == 0 {
		t.Fatalf("ada finds nothing: %s", words(root))
	}
	var marked, links []string
	for n := range root.Descendants() {
		if n.Data == "mark" {
			marked = append(marked, words(n))
		}
		if attribute(n, "data-testid") == "found-link" {
			links = append(links, attribute(n, "href"))
		}
	}
	if !slices.Contains(marked, "zebras") {
		t.Errorf("marked = %v, want zebras", marked)
	}
	for _, link := range links {
		if !strings.HasPrefix(link, "/s/"+session) {
			t.Errorf("a link leads to %s", link)
		}
	}
	if got := words(pieces(reviewer.drawn("/search?q=zebras&kind=obligation"), "found")[0]); !strings.Contains(got, "begun by ada") {
		t.Errorf("a reviewer does not read whose it is: %s", got)
	}
	for _, tt := range []struct {
		who        *world
		path, want string
	}{
		{bo, "/search?q=zebras", "nothing-found"},
		{ada, "/search?q=giraffes+%22of+Ghent%22", "nothing-found"},
		{ada, "/search?q=++", "search-help"},
		{ada, "/search?q=zebras&kind=turnip&page=-3", "found"},
		{ada, "/search?q=zebras&page=5", "nothing-found"},
	} {
		if got := len(pieces(tt.who.drawn(tt.path), tt.want)); got != 1 {
			t.Errorf("%s shows %s %d times, want once", tt.path, tt.want, got)
		}
	}
}

func TestSearchShowsMoneyAsItIsShownElsewhere(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	made := fetch[sessionBody](w, http.StatusCreated, request{path: "/api/v1/sessions", body: map[string]string{"contextType": "project_discovery"}})
	w.say(turnBody{SessionID: made.ID})
	w.say(turnBody{SessionID: made.ID, Message: "The budget of the project is £400,000."})
	index := chat.NewIndex(chat.IndexOptions{Pool: w.pool, Hub: w.server.Hub, Library: w.server.Library, Log: w.server.Log,
		Tenants: func(context.Context) ([]string, error) { return []string{w.tenant}, nil }})
	if err := index.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}

	if got := words(pieces(w.drawn("/search?q=budget&kind=obligation"), "found")[0]); !strings.Contains(got, "£400,000") {
		t.Errorf("found: %s", got)
	}
}

func TestSearchPagesFollowEachOther(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	id := w.begin("idea_discovery")
	for i := range foundRows + 5 {
		w.exec(`INSERT INTO search_texts (tenant_id, session_id, kind, key, user_id, at, content) VALUES ($1, $2, 'message', $3, 'developer', $4, $5)`,
			w.tenant, id, fmt.Sprintf("%d-user", 1000+i), time.Unix(int64(i), 0), fmt.Sprintf("the giraffe number %d", i))
	}

	first := w.drawn("/search?q=giraffe")
	second := w.drawn(attribute(pieces(first, "found-more")[0], "href"))

	if a, b := len(pieces(first, "found-link")), len(pieces(second, "found-link")); a != foundRows || b != 5 {
		t.Errorf("the pages show %d and %d, want %d and 5", a, b, foundRows)
	}
	if len(pieces(second, "found-more")) != 0 || len(pieces(second, "found-before")) != 1 {
		t.Error("the last page leads on, or not back")
	}
	shown := map[string]bool{}
	for _, n := range append(pieces(first, "found-link"), pieces(second, "found-link")...) {
		shown[attribute(n, "href")] = true
	}
	if len(shown) != foundRows+5 {
		t.Errorf("%d different places are shown, want %d", len(shown), foundRows+5)
	}
}

func TestResearchPageTakesAQuestionOnce(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	ada, bo, reader := w.as(w.tenant, "ada", auth.Member), w.as(w.tenant, "bo", auth.Member), w.as(w.tenant, "vi", auth.Viewer)
	ask := request{path: "/research", method: http.MethodPost, header: map[string]string{"Accept": "text/html", "Content-Type": "application/x-www-form-urlencoded"},
		body: url.Values{"query": {"How large is the market for <b>bicycle</b> repair?"}, "requestId": {uuid.NewString()}}.Encode()}

	first, again := ada.do(ask), ada.do(ask)
	address := first.Header.Get("Location")
	if first.StatusCode != http.StatusSeeOther || !strings.HasPrefix(address, "/research/") || again.Header.Get("Location") != address {
		t.Fatalf("asking answered %d to %q, then %q", first.StatusCode, address, again.Header.Get("Location"))
	}
	root := ada.drawn("/research")
	if links := pieces(root, "task-link"); len(links) != 1 || attribute(links[0], "href") != address || words(links[0]) != "How large is the market for <b>bicycle</b> repair?" {
		t.Errorf("ada's questions are %s", words(root))
	}
	if got := pieces(bo.drawn("/research"), "no-questions"); len(got) != 1 {
		t.Error("bo sees a question of ada's")
	}
	if got := pieces(reader.drawn("/research"), "ask-form"); len(got) != 0 {
		t.Error("a viewer is offered to ask")
	}
	fetch[problem](reader, http.StatusForbidden, request{path: "/research", method: http.MethodPost, header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, body: "query=x"})
	ask.body = "query=x&requestId=turnip"
	if got := ada.do(ask).StatusCode; got != http.StatusUnprocessableEntity {
		t.Errorf("a request id that is none answers %d", got)
	}
	ask.body = "query="
	if got := ada.do(ask).StatusCode; got != http.StatusUnprocessableEntity && got != http.StatusBadRequest {
		t.Errorf("no question answers %d", got)
	}
}

func TestResearchPageSaysWhenThereIsNothingToLookThingsUpIn(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	for _, connected := range []bool{true, false} {
		w.server.Researchable = func() bool { return connected }
		_, _, page := w.browser().open("/research", nil)
		if warned := strings.Contains(page, `data-testid="sourceless"`) && strings.Contains(page, "QUAESTOR_SEARXNG_URL"); warned == connected {
			t.Errorf("with a source: %v, warned: %v", connected, warned)
		}
	}
}

func TestStyleguideIsForDevelopmentOnly(t *testing.T) {
	t.Parallel()

	production := open(t, terms{tokens: true})
	if got := production.as(production.tenant, "own", auth.Owner).do(request{path: "/styleguide"}).StatusCode; got != http.StatusNotFound {
		t.Errorf("the style guide answers %d where tokens are demanded, want 404", got)
	}
	development := New(production.server.Options)
	development.Develop = &auth.Actor{Tenant: production.tenant, User: "developer", Role: auth.Owner}
	if got := (&trips{}).of(t, development.Handler(), "/styleguide", "--accent", `data-testid="guide-icons"`); got != 0 {
		t.Errorf("the style guide takes %d round trips", got)
	}
}

// What a card tells of a session is of that session alone.
func TestCardSaysWhatIsAskedOnlyWhileItIs(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	id := w.begin("idea_discovery")
	session := fetch[sessionBody](w, http.StatusOK, request{path: "/api/v1/sessions/" + id})
	if session.Status != sessions.Active {
		t.Fatalf("the session is %s", session.Status)
	}

	if got := words(pieces(w.drawn("/"), "session-"+id)[0]); !strings.Contains(got, "Asked now: The idea") {
		t.Errorf("the card of an open interview = %q", got)
	}
	w.finishes(id)
	if got := words(pieces(w.drawn("/"), "session-"+id)[0]); strings.Contains(got, "Asked now") || !strings.Contains(got, "finished") {
		t.Errorf("the row of a finished interview = %q", got)
	}
}
