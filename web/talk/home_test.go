package talk_test

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
	"quaestor/web"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

// listed returns the ids of the sessions that a page lists, in order.
func listed(root *html.Node) []string {
	var out []string
	for n := range root.Descendants() {
		if id, ok := strings.CutPrefix(webtest.Attribute(n, "data-testid"), "continue-"); ok {
			out = append(out, id)
		}
	}
	return out
}

func TestHomeShowsWhatIsOpenAndWhatWasFinished(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	ada, bo := w.As(w.Tenant, "ada", auth.Member), w.As(w.Tenant, "bo", auth.Member)
	going, done := ada.Begin("idea_discovery"), ada.Begin("business_profile")
	ada.Say(talk.TurnBody{SessionID: going, Message: "A lending library for tools in every block of flats"})
	w.Finishes(done)

	root := ada.Drawn("/")
	if got := listed(root); !slices.Equal(got, []string{going, done}) {
		t.Errorf("ada sees %v, want what is open, then what is finished", got)
	}
	card := webtest.Words(webtest.Pieces(root, "session-"+going)[0])
	for _, want := range []string{"Idea discovery", "A lending library for tools in every block of flats", "Asked now:"} {
		if !strings.Contains(card, want) {
			t.Errorf("the card does not say %q: %s", want, card)
		}
	}
	if got := len(webtest.Pieces(root, "export-md")); got != 1 {
		t.Errorf("%d downloads of text, want that of the finished one", got)
	}
	if got := listed(bo.Drawn("/")); len(got) != 0 {
		t.Errorf("bo sees %v of ada's", got)
	}
}

func TestNavOffersWhatOnesRoleAllows(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	for role, want := range map[auth.Role]string{
		auth.Viewer:   "interviews research",
		auth.Member:   "interviews research",
		auth.Reviewer: "interviews research review",
		auth.Owner:    "interviews research review manage",
	} {
		root := w.As(w.Tenant, "someone-"+string(role), role).Drawn("/")
		var got []string
		for _, place := range []string{"interviews", "research", "review", "manage"} {
			if len(webtest.Pieces(root, place+"-link")) == 1 {
				got = append(got, place)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("a %s is led to %v, want %s", role, got, want)
		}
		if starts := len(webtest.Pieces(root, "start-idea_discovery")); starts != 1 && role != auth.Viewer || starts != 0 && role == auth.Viewer {
			t.Errorf("a %s is offered %d ways to start", role, starts)
		}
	}
}

// Each page of the list begins where the one before ended, and no session is on two.
func TestInterviewsArePaged(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	var made []string
	for range web.ListRows + 3 {
		made = append(made, webtest.Fetch[web.SessionBody](w, http.StatusCreated, webtest.Request{Path: "/api/v1/sessions", Body: map[string]string{"contextType": "idea_discovery"}}).ID)
	}
	w.Finishes(made[0])
	slices.Reverse(made)

	first := w.Drawn("/interviews")
	older := webtest.Pieces(first, "older")
	if len(older) != 1 || len(webtest.Pieces(first, "newest")) != 0 {
		t.Fatalf("the first page leads to %d older and %d newer pages", len(older), len(webtest.Pieces(first, "newest")))
	}
	second := w.Drawn(webtest.Attribute(older[0], "href"))
	if len(webtest.Pieces(second, "older")) != 0 || len(webtest.Pieces(second, "newest")) != 1 {
		t.Error("the last page leads on, or not back")
	}
	if got := append(listed(first), listed(second)...); !slices.Equal(got, made[:web.ListRows+2]) {
		t.Errorf("the pages list %v, want %v", got, made[:web.ListRows+2])
	}
	if got := listed(w.Drawn("/interviews?status=completed")); !slices.Equal(got, made[web.ListRows+2:]) {
		t.Errorf("finished ones are %v, want %v", got, made[web.ListRows+2:])
	}
	if got := listed(w.Drawn("/")); len(got) != talk.MaxOpen+1 {
		t.Errorf("the first page lists %d, want %d open and the finished one", len(got), talk.MaxOpen)
	}
	webtest.Fetch[web.Problem](w, http.StatusBadRequest, webtest.Request{Path: "/interviews?cursor=turnip"})
}

func TestSearchPageIsOfOnesOwn(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	ada, bo, reviewer := w.As(w.Tenant, "ada", auth.Member), w.As(w.Tenant, "bo", auth.Member), w.As(w.Tenant, "rev", auth.Reviewer)
	session := webtest.Volunteer(ada, "We must not forget the zebras of Ghent.")
	index := chat.NewIndex(chat.IndexOptions{Pool: w.Pool, Hub: w.Server.Hub, Library: w.Server.Library, Log: w.Server.Log,
		Tenants: func(context.Context) ([]string, error) { return []string{w.Tenant}, nil }})
	if err := index.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}

	root := ada.Drawn("/search?q=zebras")
	said := webtest.Pieces(root, "found-message")
	if len(said) == 0 {
		t.Fatalf("ada finds nothing: %s", webtest.Words(root))
	}
	var marked, links []string
	for n := range root.Descendants() {
		if n.Data == "mark" {
			marked = append(marked, webtest.Words(n))
		}
		if webtest.Attribute(n, "data-testid") == "found-link" {
			links = append(links, webtest.Attribute(n, "href"))
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
	if got := webtest.Words(webtest.Pieces(reviewer.Drawn("/search?q=zebras&kind=obligation"), "found")[0]); !strings.Contains(got, "begun by ada") {
		t.Errorf("a reviewer does not read whose it is: %s", got)
	}
	for _, tt := range []struct {
		who        *webtest.World
		path, want string
	}{
		{bo, "/search?q=zebras", "nothing-found"},
		{ada, "/search?q=giraffes+%22of+Ghent%22", "nothing-found"},
		{ada, "/search?q=++", "search-help"},
		{ada, "/search?q=zebras&kind=turnip&page=-3", "found"},
		{ada, "/search?q=zebras&page=5", "nothing-found"},
	} {
		if got := len(webtest.Pieces(tt.who.Drawn(tt.path), tt.want)); got != 1 {
			t.Errorf("%s shows %s %d times, want once", tt.path, tt.want, got)
		}
	}
}

func TestSearchShowsMoneyAsItIsShownElsewhere(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	made := webtest.Fetch[web.SessionBody](w, http.StatusCreated, webtest.Request{Path: "/api/v1/sessions", Body: map[string]string{"contextType": "project_discovery"}})
	w.Say(talk.TurnBody{SessionID: made.ID})
	w.Say(talk.TurnBody{SessionID: made.ID, Message: "The budget of the project is £400,000."})
	index := chat.NewIndex(chat.IndexOptions{Pool: w.Pool, Hub: w.Server.Hub, Library: w.Server.Library, Log: w.Server.Log,
		Tenants: func(context.Context) ([]string, error) { return []string{w.Tenant}, nil }})
	if err := index.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}

	if got := webtest.Words(webtest.Pieces(w.Drawn("/search?q=budget&kind=obligation"), "found")[0]); !strings.Contains(got, "£400,000") {
		t.Errorf("found: %s", got)
	}
}

func TestSearchPagesFollowEachOther(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.Begin("idea_discovery")
	for i := range talk.FoundRows + 5 {
		w.Exec(`INSERT INTO search_texts (tenant_id, session_id, kind, key, user_id, at, content) VALUES ($1, $2, 'message', $3, 'developer', $4, $5)`,
			w.Tenant, id, fmt.Sprintf("%d-user", 1000+i), time.Unix(int64(i), 0), fmt.Sprintf("the giraffe number %d", i))
	}

	first := w.Drawn("/search?q=giraffe")
	second := w.Drawn(webtest.Attribute(webtest.Pieces(first, "found-more")[0], "href"))

	if a, b := len(webtest.Pieces(first, "found-link")), len(webtest.Pieces(second, "found-link")); a != talk.FoundRows || b != 5 {
		t.Errorf("the pages show %d and %d, want %d and 5", a, b, talk.FoundRows)
	}
	if len(webtest.Pieces(second, "found-more")) != 0 || len(webtest.Pieces(second, "found-before")) != 1 {
		t.Error("the last page leads on, or not back")
	}
	shown := map[string]bool{}
	for _, n := range append(webtest.Pieces(first, "found-link"), webtest.Pieces(second, "found-link")...) {
		shown[webtest.Attribute(n, "href")] = true
	}
	if len(shown) != talk.FoundRows+5 {
		t.Errorf("%d different places are shown, want %d", len(shown), talk.FoundRows+5)
	}
}

func TestResearchPageTakesAQuestionOnce(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	ada, bo, reader := w.As(w.Tenant, "ada", auth.Member), w.As(w.Tenant, "bo", auth.Member), w.As(w.Tenant, "vi", auth.Viewer)
	ask := webtest.Request{Path: "/research", Method: http.MethodPost, Header: map[string]string{"Accept": "text/html", "Content-Type": "application/x-www-form-urlencoded"},
		Body: url.Values{"query": {"How large is the market for <b>bicycle</b> repair?"}, "requestId": {uuid.NewString()}}.Encode()}

	first, again := ada.Do(ask), ada.Do(ask)
	address := first.Header.Get("Location")
	if first.StatusCode != http.StatusSeeOther || !strings.HasPrefix(address, "/research/") || again.Header.Get("Location") != address {
		t.Fatalf("asking answered %d to %q, then %q", first.StatusCode, address, again.Header.Get("Location"))
	}
	root := ada.Drawn("/research")
	if links := webtest.Pieces(root, "task-link"); len(links) != 1 || webtest.Attribute(links[0], "href") != address || webtest.Words(links[0]) != "How large is the market for <b>bicycle</b> repair?" {
		t.Errorf("ada's questions are %s", webtest.Words(root))
	}
	if got := webtest.Pieces(bo.Drawn("/research"), "no-questions"); len(got) != 1 {
		t.Error("bo sees a question of ada's")
	}
	if got := webtest.Pieces(reader.Drawn("/research"), "ask-form"); len(got) != 0 {
		t.Error("a viewer is offered to ask")
	}
	webtest.Fetch[web.Problem](reader, http.StatusForbidden, webtest.Request{Path: "/research", Method: http.MethodPost, Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, Body: "query=x"})
	ask.Body = "query=x&requestId=turnip"
	if got := ada.Do(ask).StatusCode; got != http.StatusUnprocessableEntity {
		t.Errorf("a request id that is none answers %d", got)
	}
	ask.Body = "query="
	if got := ada.Do(ask).StatusCode; got != http.StatusUnprocessableEntity && got != http.StatusBadRequest {
		t.Errorf("no question answers %d", got)
	}
}

func TestResearchPageSaysWhenThereIsNothingToLookThingsUpIn(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	for _, connected := range []bool{true, false} {
		w.Server.Research.Researchable = func() bool { return connected }
		_, _, page := w.Browser().Open("/research", nil)
		if warned := strings.Contains(page, `data-testid="sourceless"`) && strings.Contains(page, "QUAESTOR_SEARXNG_URL"); warned == connected {
			t.Errorf("with a source: %v, warned: %v", connected, warned)
		}
	}
}

func TestStyleguideIsForDevelopmentOnly(t *testing.T) {
	t.Parallel()

	production := webtest.Open(t, webtest.Terms{Tokens: true})
	if got := production.As(production.Tenant, "own", auth.Owner).Do(webtest.Request{Path: "/styleguide"}).StatusCode; got != http.StatusNotFound {
		t.Errorf("the style guide answers %d where tokens are demanded, want 404", got)
	}
	development := production.Server.With(production.Server.Options)
	development.Develop = &auth.Actor{Tenant: production.Tenant, User: "developer", Role: auth.Owner}
	if got := (&webtest.Trips{}).Of(t, development.Handler(), "/styleguide", "--accent", `data-testid="guide-icons"`); got != 0 {
		t.Errorf("the style guide takes %d round trips", got)
	}
}

// A card names the present question only while the interview is open.
func TestCardSaysWhatIsAskedOnlyWhileItIs(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.Begin("idea_discovery")
	session := webtest.Fetch[web.SessionBody](w, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + id})
	if session.Status != sessions.Active {
		t.Fatalf("the session is %s", session.Status)
	}

	if got := webtest.Words(webtest.Pieces(w.Drawn("/"), "session-"+id)[0]); !strings.Contains(got, "Asked now: The idea") {
		t.Errorf("the card of an open interview = %q", got)
	}
	w.Finishes(id)
	if got := webtest.Words(webtest.Pieces(w.Drawn("/"), "session-"+id)[0]); strings.Contains(got, "Asked now") || !strings.Contains(got, "finished") {
		t.Errorf("the row of a finished interview = %q", got)
	}
}
