package research_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quaestor/internal/auth"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/research/search"
	"quaestor/research/search/searchtest"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/web/talk"
	"quaestor/web/tasks"
	"quaestor/web/webtest"
)

// engine returns a search engine that nobody may ask: the test fails if it gets a query.
func engine(t *testing.T) search.Engine {
	t.Helper()
	web := searchtest.New(t)
	t.Cleanup(func() {
		if list := web.Requests(); len(list) > 0 {
			t.Errorf("a search engine was asked for one's own data: %+v", list)
		}
	})
	e, err := search.NewSearXNG(search.Options{Base: web.URL()})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// replies returns what the interviewer said in a turn.
func replies(events []webtest.Told) string {
	var out []string
	for _, e := range webtest.Pick(events, sessions.KindMessage) {
		out = append(out, fmt.Sprint(e.Data["content"]))
	}
	return strings.Join(out, "\n")
}

func TestInterviewAsksTheWarehouse(t *testing.T) {
	t.Parallel()

	w := webtest.OpenData(t)
	w.Answer(engine(t))
	id := w.Begin("business_profile")
	follow := w.Stream(webtest.Request{Path: "/api/v1/sessions/" + id + "/events"})

	said := replies(w.Say(talk.TurnBody{SessionID: id, Message: "please look that up in our warehouse: how many orders were paid in January?"}))
	if !strings.Contains(said, "asking your data about “how many orders were paid in January”") {
		t.Errorf("the interviewer says %q", said)
	}
	task := ended(t, w.World, follow)
	if task.Type != research.WarehouseQuestion || task.Outcome != research.Found || !strings.Contains(task.Summary, "is 3 (counted in shop.orders)") {
		t.Fatalf("the task is %s with %s: %s (%s)", task.Type, task.Outcome, task.Summary, task.Failure)
	}
	told := replies(w.Say(talk.TurnBody{SessionID: id, Message: "We sell garden furniture."}))
	again := replies(w.Say(talk.TurnBody{SessionID: id, Message: "We have been at it since 2011."}))
	if strings.Count(told+again, "From your data") != 1 || !strings.Contains(told, "is 3") {
		t.Errorf("the news is told as %q and then %q, want it once", told, again)
	}

	page := webtest.Words(w.Drawn("/s/" + id + "/research/" + task.ID))
	for _, want := range []string{"Where the figure comes from", "Shop", "row 1, column figure: 3", "Ask the warehouse again"} {
		if !strings.Contains(page, want) {
			t.Errorf("the report does not say %q: %s", want, page)
		}
	}
	if strings.Contains(page, "Searches") {
		t.Error("the report of a warehouse lists searches")
	}
	now := webtest.Fetch[map[string]any](w.World, http.StatusOK, webtest.Request{Method: http.MethodPost, Path: "/api/v1/research-tasks/" + task.ID + "/again"})
	if now["same"] != true || now["figure"] != 3.0 {
		t.Errorf("asked again: %v", now)
	}
	other := w.As(w.Tenant, "stranger", auth.Member)
	if r := other.Do(webtest.Request{Method: http.MethodPost, Path: "/api/v1/research-tasks/" + task.ID + "/again"}); r.StatusCode != http.StatusNotFound {
		t.Errorf("somebody else's statement is sent again: %d", r.StatusCode)
	}
}

// ended follows a session to the end of the next task, and returns that.
func ended(t *testing.T, w *webtest.World, follow *webtest.Stream) tasks.TaskBody {
	t.Helper()
	for {
		events := follow.Until(sessions.KindResearch)
		last := events[len(events)-1].Data
		if s := last["status"]; s == "completed" || s == "failed" {
			return webtest.Fetch[tasks.TaskBody](w, http.StatusOK, webtest.Request{Path: "/api/v1/research-tasks/" + fmt.Sprint(last["taskId"])})
		}
	}
}

func TestInterviewOpensWithWhatTheDataShows(t *testing.T) {
	t.Parallel()

	w := webtest.OpenData(t)
	w.Answer(engine(t))
	def := objectives.Definition{ContextType: "orders", DisplayName: "Orders", Version: "1.0.0", Obligations: []obligations.Template{
		{Key: "open_orders", FieldPath: "open_orders", Label: "orders", Prompt: "How many orders do you have?", Widget: obligations.Number, Priority: 9, Collection: obligations.DirectQuestion, ResearchType: obligations.NoResearch,
			Metric: &obligations.Metric{Question: "how many orders are there", Warehouse: "Shop"}},
		{Key: "goal", FieldPath: "goal", Label: "goal", Prompt: "What do you want to achieve?", Widget: obligations.Text, Priority: 5, Collection: obligations.DirectQuestion},
	}}
	if _, err := w.Server.Library.Publish(t.Context(), w.Tenant, obligations.TenantLayer, def); err != nil {
		t.Fatal(err)
	}
	id := w.Begin("orders")
	follow := w.Stream(webtest.Request{Path: "/api/v1/sessions/" + id + "/events"})
	task := ended(t, w.World, follow)
	if task.Key != "open_orders" || task.Trigger != research.Collection || task.Proposal == nil || string(task.Proposal.Value) != "4" {
		t.Fatalf("the task is for %s because of %s: %s, proposes %+v", task.Key, task.Trigger, task.Summary, task.Proposal)
	}
	said := replies(w.Say(talk.TurnBody{SessionID: id, Message: "We want to deliver faster."}))
	if !strings.Contains(said, "Your data in “Shop” shows") || !strings.Contains(said, "4") {
		t.Fatalf("the interviewer says %q, want what the data shows", said)
	}
	events := w.Say(talk.TurnBody{SessionID: id, Message: "Yes, that is right."})
	settled := false
	for _, e := range webtest.Pick(events, sessions.KindObligation) {
		settled = settled || e.Data["key"] == "open_orders" && e.Data["status"] == "satisfied" && fmt.Sprint(e.Data["value"]) == "4"
	}
	if !settled {
		t.Errorf("after the yes: %v", webtest.Raws(events))
	}
}

func TestWithoutAWarehouseItIsSaidWhatToConnect(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.Begin("business_profile")
	said := replies(w.Say(talk.TurnBody{SessionID: id, Message: "Please look up in our database how many orders we had in March."}))
	if !strings.Contains(said, "can be connected under Data") {
		t.Errorf("the interviewer says %q", said)
	}
	refusal := w.Do(webtest.Request{Path: "/api/v1/research-tasks", Body: map[string]any{"query": "How many orders are in our database?"}})
	if refusal.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("the API answers %d", refusal.StatusCode)
	}
}

func TestOnlyReviewersStartDiscoveries(t *testing.T) {
	t.Parallel()

	w := webtest.OpenData(t)
	member := w.As(w.Tenant, "member", auth.Member)
	if r := member.Do(webtest.Request{Path: "/api/v1/research-tasks", Body: map[string]any{"query": "What is in our data?", "taskType": "warehouse_discovery"}}); r.StatusCode != http.StatusForbidden {
		t.Errorf("a member who starts a discovery gets %d", r.StatusCode)
	}
	if r := member.Do(webtest.Request{Path: "/api/v1/research-tasks", Body: map[string]any{"query": "How many orders are in our database?"}}); r.StatusCode != http.StatusCreated {
		t.Errorf("a member who asks gets %d", r.StatusCode)
	}
}

func TestAWholeExplorationIsForReviewers(t *testing.T) {
	t.Parallel()

	w := webtest.OpenData(t)
	id := w.Begin("business_profile")
	events := w.Say(talk.TurnBody{SessionID: id, Message: "Please explore our data and look for patterns."})
	if list := webtest.Pick(events, sessions.KindResearch); len(list) != 1 || list[0].Data["taskType"] != string(research.WarehouseDiscovery) || !strings.Contains(replies(events), "having your data explored") {
		t.Errorf("an owner who asks for it is told %q: %v", replies(events), webtest.Raws(list))
	}
	member := w.As(w.Tenant, "member", auth.Member)
	own := member.Begin("business_profile")
	events = member.Say(talk.TurnBody{SessionID: own, Message: "Please explore our data and look for patterns."})
	if list := webtest.Pick(events, sessions.KindResearch); len(list) != 0 || !strings.Contains(replies(events), "which reviewers, admins and owners start") {
		t.Errorf("a member who asks for it is told %q: %v", replies(events), webtest.Raws(list))
	}
}

// TestGuestsAskOnlyWhatIsOpenToThem has a guest ask: by default a warehouse is open to people of the
// organisation alone.
func TestGuestsAskOnlyWhatIsOpenToThem(t *testing.T) {
	t.Parallel()

	w := webtest.OpenData(t)
	id := w.Begin("business_profile")
	b := w.Browser()
	made := w.Invites(id, sessions.ContributorRole, "Ben")
	if status, _, _ := b.Open(strings.TrimPrefix(made.Link, w.URL), url.Values{"name": {"Ben"}}); status != http.StatusOK {
		t.Fatalf("the guest accepts: %d", status)
	}
	guest := *w.World
	say := func() string {
		return replies(guest.Stream(webtest.Request{Path: webtest.ChatPath, Header: map[string]string{"Cookie": b.Cookie()},
			Body: map[string]any{"sessionId": id, "message": "Please look up in our database how many orders were paid."}}).Rest())
	}
	if said := say(); !strings.Contains(said, "not open to questions in this interview") {
		t.Errorf("a guest is told %q", said)
	}
	w.World.Exec("UPDATE warehouses SET interviews = 'everybody'")
	if said := say(); !strings.Contains(said, "asking your data") {
		t.Errorf("a guest whom it is open to is told %q", said)
	}
}
