package research_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/riverqueue/river"

	"quaestor/internal/llm"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/postgres"
	"quaestor/internal/secret"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/research/reader"
	"quaestor/research/search"
	"quaestor/research/search/searchtest"
	"quaestor/sessions"
)

// site is a web site that counts what is asked of it.
type site struct {
	*httptest.Server
	mu    sync.Mutex
	pages map[string]http.HandlerFunc
	asked map[string]int
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{pages: map[string]http.HandlerFunc{}, asked: map[string]int{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked[r.URL.Path]++
		page := s.pages[r.URL.Path]
		s.mu.Unlock()
		if page == nil {
			http.NotFound(w, r)
			return
		}
		page(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// article adds a page that says text and returns its address.
func (s *site) article(path, title string, paragraphs ...string) string {
	return s.add(path, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!doctype html><html lang=en><head><title>%s</title></head><body><article><h1>%s</h1>", title, title)
		for _, p := range paragraphs {
			fmt.Fprintf(w, "<p>%s</p>", p)
		}
		fmt.Fprint(w, "</article></body></html>")
	})
}

func (s *site) add(path string, page http.HandlerFunc) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pages[path] = page
	return s.URL + path
}

func (s *site) requests() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[string]int{}
	for path, n := range s.asked {
		if path != "/robots.txt" {
			out[path] = n
		}
	}
	return out
}

// harness is a lab with a researcher: a web that can be searched and read.
type harness struct {
	*lab
	web    *searchtest.Server
	site   *site
	reader *reader.Reader
	model  *llmtest.Server // nil until asked for
	opt    research.ResearcherOptions
}

func newHarness(t *testing.T) *harness {
	t.Helper()
	b := &harness{lab: newLab(t), web: searchtest.New(t), site: newSite(t)}
	var err error
	b.reader, err = reader.New(reader.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Gap: time.Nanosecond, Timeout: 5 * time.Second, InProcess: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.reader.Close)
	engine, err := search.NewSearXNG(search.Options{Base: b.web.URL()})
	if err != nil {
		t.Fatal(err)
	}
	hub := sessions.NewHub(b.pool, slog.New(slog.DiscardHandler), "test")
	t.Cleanup(hub.Close)
	b.opt = research.ResearcherOptions{Editor: sessions.Editor{Pool: b.pool, Hub: hub, Library: b.library}, Engines: []search.Engine{engine}, Pages: b.reader.Read,
		Log: slog.New(slog.DiscardHandler)}
	return b
}

// think gives the researcher a model that follows a script.
func (b *harness) think() *llmtest.Server {
	b.t.Helper()
	b.model = llmtest.New(b.t)
	client, err := llm.New(llm.Options{BaseURL: b.model.URL(), Model: "scripted"})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(client.Close)
	b.opt.Model = client
	return b.model
}

// start starts workers and returns their news.
func (b *harness) start() <-chan *river.Event {
	b.t.Helper()
	return b.work(research.NewResearcher(b.opt))
}

// look orders a task about an obligation and waits until it is over.
func (b *harness) look(task research.Task) research.Task {
	b.t.Helper()
	news := b.start()
	if err := b.order(nil, task); err != nil {
		b.t.Fatal(err)
	}
	await(b.t, news, 1)
	return b.find(task.ID)
}

func (b *harness) report(id string) research.Report {
	b.t.Helper()
	r, err := research.LoadReport(b.t.Context(), b.pool, b.scope.Tenant, id)
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

func (b *harness) obligation(key string) obligations.Obligation {
	b.t.Helper()
	var list []obligations.Obligation
	batch := postgres.NewBatch(b.scope.Tenant)
	obligations.Load(batch, b.scope, b.library.Templates(b.t.Context(), b.scope.Tenant), &list)
	b.send(batch)
	o := obligations.Find(list, key)
	if o == nil {
		b.t.Fatalf("there is no obligation %s", key)
	}
	return *o
}

// proven fails unless every claim stands in the source it names, in the bytes
// that were stored and in what they say.
func (b *harness) proven(r research.Report) {
	b.t.Helper()
	for _, c := range r.Claims {
		src, err := research.FindSource(b.t.Context(), b.pool, b.scope.Tenant, r.Task.ID, c.Source)
		if err != nil {
			b.t.Fatal(err)
		}
		words, ok := c.Span.Slice(src.Content)
		doc, err := reader.Text(src.URL, src.MediaType, src.Bytes)
		if !ok || words != c.Quote || c.SHA256 != src.SHA256 || err != nil || doc.Text != src.Content {
			b.t.Errorf("claim %d says %q, its span %q (%v); the stored bytes say the same as the text: %v, %v", c.N, c.Quote, words, ok, doc.Text == src.Content, err)
		}
	}
}

const (
	marketQuestion = "How large is the market for goat cheese in Germany?"
	marketSize     = "The German market for goat cheese was worth 310 million euros in 2023, according to the dairy association."
	marketGrowth   = "Goat cheese sales in Germany grew by 6 percent in 2023, while cow cheese stagnated."
)

// marketTask asks for the market of an obligation whose answer is a text.
func (b *harness) marketTask() research.Task {
	task := b.task("target_market")
	task.Order.Query = marketQuestion
	return task
}

func (b *harness) stockMarket() {
	b.web.Add("goat cheese", searchtest.Hit{URL: b.site.article("/market", "Goat cheese in Germany", marketSize, "More on the dairy industry below."), Title: "Goat cheese in Germany"},
		searchtest.Hit{URL: b.site.article("/growth", "Cheese sales", marketGrowth), Title: "Cheese sales"},
		searchtest.Hit{URL: b.site.article("/else", "Bicycles", "The city opened four kilometres of new bicycle lanes this spring."), Title: "Bicycles"})
}

func TestResearchProposesWhatSourcesSay(t *testing.T) {
	t.Parallel()

	b := newHarness(t)
	b.stockMarket()
	task := b.look(b.marketTask())

	if task.Status != research.Completed || task.Outcome != research.Found || task.Step != research.Proposing {
		t.Fatalf("the task is %s with %s after %s (%s), want it completed and found", task.Status, task.Outcome, task.Step, task.Failure)
	}
	r := b.report(task.ID)
	b.proven(r)
	if len(r.Claims) == 0 || !slices.ContainsFunc(r.Claims, func(c research.Claim) bool { return strings.Contains(c.Quote, "310 million euros") }) {
		t.Errorf("claims %+v, want one that says 310 million euros", r.Claims)
	}
	if slices.ContainsFunc(r.Claims, func(c research.Claim) bool { return strings.Contains(c.Quote, "bicycle") }) {
		t.Error("bicycle lanes became a claim about cheese")
	}
	if !strings.Contains(task.Summary, "310 million euros") {
		t.Errorf("the summary is %q, want what the source says", task.Summary)
	}
	if got := b.site.requests(); got["/market"] != 1 || got["/growth"] != 1 {
		t.Errorf("pages were asked for %v times, want once each", got)
	}
	b.proposed(task)
}

// proposed fails unless a task's value stands on its obligation as a proposal and
// as nothing more.
func (b *harness) proposed(task research.Task) {
	b.t.Helper()
	o := b.obligation("target_market")
	if task.Proposal == nil || !obligations.SameValue(task.Proposal.Value, o.Value) {
		b.t.Fatalf("the task proposes %+v, the obligation holds %s", task.Proposal, o.Value)
	}
	if o.Status == obligations.Satisfied || o.Confidence > 70 {
		b.t.Errorf("the obligation is %s with %s before anybody confirmed", o.Status, o.Confidence)
	}
	e := o.Evidence[0]
	if e.Kind != obligations.ResearchEvidence || e.Task != task.ID || e.Claim == 0 || e.Source == "" || e.Quote == "" {
		b.t.Errorf("the evidence is %+v, want the claim of the task", e)
	}
	session, err := sessions.Find(b.t.Context(), b.pool, b.scope)
	if err != nil {
		b.t.Fatal(err)
	}
	if !slices.ContainsFunc(session.Memory.FollowUps, func(f sessions.FollowUp) bool {
		return f.Key == "target_market" && strings.HasPrefix(f.Reason, "research found")
	}) {
		b.t.Errorf("follow-ups %+v, want one to the obligation", session.Memory.FollowUps)
	}
}

func TestProgressIsToldInTheLog(t *testing.T) {
	t.Parallel()

	b := newHarness(t)
	b.stockMarket()
	task := b.look(b.marketTask())

	var steps, doing []string
	for _, e := range b.events(sessions.KindResearch) {
		steps = append(steps, e["step"])
		doing = append(doing, e["doing"])
	}
	for _, want := range []string{"Reading 127.0.0.1", "Searching for"} {
		if !slices.ContainsFunc(doing, func(s string) bool { return strings.HasPrefix(s, want) }) {
			t.Errorf("nothing told of %q: %q", want, doing)
		}
	}
	if got := slices.Compact(slices.DeleteFunc(steps, func(s string) bool { return s == "" })); !slices.Equal(got, []string{"plan", "search", "read", "claims", "verify", "propose"}) {
		t.Errorf("steps told: %v", got)
	}
	if task.Started == nil || task.Ended == nil || task.Attempt != 1 {
		t.Errorf("the task began %v and ended %v in attempt %d", task.Started, task.Ended, task.Attempt)
	}
}

func TestNothingFoundIsSaid(t *testing.T) {
	t.Parallel()

	b := newHarness(t)
	b.web.Add("goat cheese", searchtest.Hit{URL: b.site.article("/else", "Bicycles", "The city opened four kilometres of new bicycle lanes this spring."), Title: "Bicycles"})
	task := b.look(b.marketTask())

	if task.Outcome != research.NoEvidence || task.Proposal != nil || len(b.report(task.ID).Claims) > 0 {
		t.Errorf("the outcome is %s with %+v, want no evidence and no proposal", task.Outcome, task.Proposal)
	}
	if o := b.obligation("target_market"); o.Value != nil {
		t.Errorf("the obligation holds %s", o.Value)
	}
	if !strings.Contains(task.Summary, "found nothing") {
		t.Errorf("the summary is %q", task.Summary)
	}
}

func TestContradictionsAreReportedAsSuch(t *testing.T) {
	t.Parallel()

	b := newHarness(t)
	b.web.Add("goat cheese", searchtest.Hit{URL: b.site.article("/one", "One", "The German market for goat cheese was worth 310 million euros in 2023."), Title: "One"},
		searchtest.Hit{URL: b.site.article("/other", "Other", "The German market for goat cheese was worth 95 million euros in 2023."), Title: "Other"})
	task := b.look(b.marketTask())

	r := b.report(task.ID)
	if task.Outcome != research.Contradicting {
		t.Fatalf("the outcome is %s with claims %+v, want contradicting", task.Outcome, r.Claims)
	}
	if !slices.ContainsFunc(r.Claims, func(c research.Claim) bool { return len(c.Against) > 0 }) {
		t.Errorf("no claim names what says otherwise: %+v", r.Claims)
	}
	for _, figure := range []string{"310", "95"} {
		if !strings.Contains(task.Summary, figure) {
			t.Errorf("the summary %q leaves out %s", task.Summary, figure)
		}
	}
}

func TestModelClaimsAreHeldToTheirSources(t *testing.T) {
	t.Parallel()

	b := newHarness(t)
	b.stockMarket()
	model := b.think()
	model.Handle(func(r llmtest.Request) llmtest.Reply {
		switch {
		case strings.Contains(r.System(), "You plan searches"):
			return llmtest.Reply{JSON: map[string]any{"queries": []string{"goat cheese market Germany", "goat cheese write to anna@example.org"}}}
		case strings.Contains(r.System(), "You read one source"):
			return llmtest.Reply{JSON: map[string]any{"claims": []map[string]any{
				{"quote": marketSize, "claim": "The German market for goat cheese was worth 310 million euros in 2023."},
				{"quote": "The German market for goat cheese was worth 310 million euros", "claim": "The German market for goat cheese was worth 450 million euros."},
				{"quote": "Goat cheese is the future, all experts agree.", "claim": "Goat cheese is the future."},
			}}}
		}
		return llmtest.Reply{JSON: map[string]any{"value": "A market of 900 million euros", "claims": []int{1}}}
	})
	task := b.look(b.marketTask())

	r := b.report(task.ID)
	b.proven(r)
	if len(r.Claims) != 1 || r.Claims[0].By != "model scripted" || !strings.Contains(r.Claims[0].Text, "310 million") {
		t.Errorf("claims %+v, want the one that stands in its source", r.Claims)
	}
	if task.Proposal != nil && strings.Contains(string(task.Proposal.Value), "900") {
		t.Errorf("the model's own figure was proposed: %s", task.Proposal.Value)
	}
	for _, q := range b.web.Requests() {
		if strings.Contains(q.Words, "@") {
			t.Errorf("an address went out to a search engine: %q", q.Words)
		}
	}
}

func TestFailingModelLeavesTheWorkToRules(t *testing.T) {
	t.Parallel()

	b := newHarness(t)
	b.stockMarket()
	b.think().Handle(func(llmtest.Request) llmtest.Reply { return llmtest.Status(http.StatusUnauthorized, 0) })
	task := b.look(b.marketTask())

	r := b.report(task.ID)
	b.proven(r)
	if task.Outcome != research.Found || len(r.Claims) == 0 || r.Claims[0].By != "extract" {
		t.Errorf("the outcome is %s with %+v, want it found by rules", task.Outcome, r.Claims)
	}
}

func TestQuestionOfItsOwn(t *testing.T) {
	t.Parallel()

	b := newHarness(t)
	b.stockMarket()
	news := b.start()
	commands := research.Commands{Editor: b.opt.Editor, Queue: b.queue}
	ask := research.TaskRequest{Session: obligations.Scope{Tenant: b.scope.Tenant}, User: "someone", Request: "r1", Query: marketQuestion}
	first, made, err := commands.Ask(t.Context(), ask)
	if err != nil || !made {
		t.Fatal(err)
	}
	again, made, err := commands.Ask(t.Context(), ask)
	if err != nil || again.ID != first.ID || made {
		t.Fatalf("the same request made %s and then %s, %v", first.ID, again.ID, err)
	}
	await(t, news, 1)

	got := b.find(first.ID)
	if got.Outcome != research.Found || got.Scope.Session != "" || got.User != "someone" || len(b.events(sessions.KindResearch)) > 0 {
		t.Errorf("the task is %+v, want it found, outside every session", got)
	}
}

func TestDeadSearchEngineIsTriedAgain(t *testing.T) {
	t.Parallel()

	b := newHarness(t)
	b.stockMarket()
	b.web.FailNext(searchtest.Unavailable, searchtest.Unavailable, searchtest.Unavailable, searchtest.Unavailable)
	news := b.start()
	task := b.marketTask()
	if err := b.order(nil, task); err != nil {
		t.Fatal(err)
	}
	awaitState(t, news, river.EventKindJobFailed)
	if got := b.find(task.ID); got.Status != research.Running || !strings.Contains(got.Note, "tried again") {
		t.Errorf("meanwhile the task is %s, %q", got.Status, got.Note)
	}
	awaitState(t, news, river.EventKindJobCompleted)
	if got := b.find(task.ID); got.Outcome != research.Found || got.Attempt != 2 {
		t.Errorf("in the end the task is %s in attempt %d", got.Outcome, got.Attempt)
	}
}

func TestRefusedKeyEndsTheTask(t *testing.T) {
	t.Parallel()

	b := newHarness(t)
	b.web.Fail(searchtest.Unauthorized)
	task := b.look(b.marketTask())

	if task.Status != research.Failed || !strings.Contains(task.Failure, "search engine") {
		t.Errorf("the task is %s: %q, want it failed with words", task.Status, task.Failure)
	}
}

func TestCancelledTaskStops(t *testing.T) {
	t.Parallel()

	b := newHarness(t)
	b.opt.Beat = 20 * time.Millisecond
	reached, gone := make(chan struct{}), make(chan struct{})
	b.web.Add("goat cheese", searchtest.Hit{URL: b.site.add("/slow", func(w http.ResponseWriter, r *http.Request) {
		close(reached)
		<-r.Context().Done()
		close(gone)
	}), Title: "Slow"})
	news := b.start()
	task := b.marketTask()
	if err := b.order(nil, task); err != nil {
		t.Fatal(err)
	}
	wait(t, reached, "the page")
	commands := research.Commands{Editor: b.opt.Editor, Queue: b.queue}
	got, err := commands.Cancel(t.Context(), b.scope.Tenant, task.ID, "someone")
	if err != nil || got.Status != research.Cancelled {
		t.Fatalf("Cancel = %s, %v", got.Status, err)
	}
	wait(t, gone, "the end of the reading")
	await(t, news, 1)
	if got := b.find(task.ID); got.Status != research.Cancelled || got.Outcome != "" {
		t.Errorf("in the end the task is %s with %q", got.Status, got.Outcome)
	}
	if _, err := commands.Cancel(t.Context(), b.scope.Tenant, task.ID, "someone"); err == nil {
		t.Error("a task that is over was cancelled again")
	}
}

func TestSteeredTaskLooksElsewhere(t *testing.T) {
	t.Parallel()

	b := newHarness(t)
	b.opt.Beat = 20 * time.Millisecond
	reached, carryOn := make(chan struct{}), make(chan struct{})
	slow := b.site.article("/france", "France", "The French market for goat cheese was worth 900 million euros in 2023.")
	page := b.site.pages["/france"]
	b.site.add("/france", func(w http.ResponseWriter, r *http.Request) {
		close(reached)
		<-carryOn
		page(w, r)
	})
	b.web.Add("goat cheese", searchtest.Hit{URL: slow, Title: "France"})
	b.web.Add("goat cheese germany", searchtest.Hit{URL: b.site.article("/germany", "Germany", marketSize), Title: "Germany"})
	news := b.start()
	task := b.marketTask()
	task.Order.Query = "How large is the market for goat cheese?"
	if err := b.order(nil, task); err != nil {
		t.Fatal(err)
	}
	wait(t, reached, "the first page")
	commands := research.Commands{Editor: b.opt.Editor, Queue: b.queue}
	if _, err := commands.Steer(t.Context(), b.scope.Tenant, task.ID, "someone", "look at Germany only"); err != nil {
		t.Fatal(err)
	}
	close(carryOn)
	await(t, news, 1)

	got := b.find(task.ID)
	r := b.report(task.ID)
	b.proven(r)
	if got.Revision != 1 || got.Plan.Revision != 1 || got.Outcome != research.Found {
		t.Errorf("the task is %s at revision %d with the plan of %d", got.Outcome, got.Revision, got.Plan.Revision)
	}
	for _, c := range r.Claims {
		if strings.Contains(c.Quote, "French") {
			t.Errorf("France was left in: %q", c.Quote)
		}
	}
	if !strings.Contains(got.Summary, "310 million") {
		t.Errorf("the summary is %q", got.Summary)
	}
	if n := b.site.requests()["/france"]; n != 1 {
		t.Errorf("the first page was asked for %d times", n)
	}
}

func TestTaskWaitsForSomethingToSearch(t *testing.T) {
	t.Parallel()

	b := newHarness(t)
	b.stockMarket()
	engines := b.opt.Engines
	b.opt.Engines = nil
	waiting := b.look(b.marketTask())
	if waiting.Status != research.Pending || waiting.Note != research.NoSources || waiting.Started != nil {
		t.Fatalf("without an engine the task is %s: %q", waiting.Status, waiting.Note)
	}

	b.opt.Engines = engines
	b.stopAll()
	news := b.start()
	if n, err := research.Wake(t.Context(), b.pool, b.queue, b.scope.Tenant); err != nil || n != 1 {
		t.Fatalf("Wake = %d, %v", n, err)
	}
	await(t, news, 1)
	if got := b.find(waiting.ID); got.Outcome != research.Found {
		t.Errorf("once there is an engine the task is %s, %q", got.Status, got.Note)
	}
}

func TestBudgetOfADayHoldsTasksBack(t *testing.T) {
	t.Parallel()

	b := newHarness(t)
	b.stockMarket()
	b.opt.Daily = 1
	news := b.start()
	first, second := b.marketTask(), b.task("")
	if err := b.order(nil, first); err != nil {
		t.Fatal(err)
	}
	await(t, news, 1)
	if err := b.order(nil, second); err != nil {
		t.Fatal(err)
	}
	awaitState(t, news, river.EventKindJobSnoozed)

	if got := b.find(second.ID); got.Status != research.Pending || !strings.Contains(got.Note, "24 hours") {
		t.Errorf("over its budget the task is %s: %q", got.Status, got.Note)
	}
}

// Of many tasks that are taken up at the same moment as many begin as the day has room for: not more, and
// not none because each sees the others.
func TestBudgetOfADayIsSharedByThoseAtOnce(t *testing.T) {
	t.Parallel()

	b := newHarness(t)
	b.opt.Daily = 2
	var taken sync.WaitGroup // all have been taken up before any is counted
	taken.Add(4)
	b.opt.Ready = func(context.Context, string) (bool, error) {
		taken.Done()
		taken.Wait()
		return true, nil
	}
	news := b.start()
	tasks := []research.Task{b.task(""), b.task(""), b.task(""), b.task("")}
	if err := b.order(nil, tasks...); err != nil {
		t.Fatal(err)
	}
	done := 0
	for e := range over(t, news) {
		if e.Job.Kind == (research.TaskArgs{}).Kind() {
			if done++; done == len(tasks) {
				break
			}
		}
	}

	begun, waiting := 0, 0
	for _, one := range tasks {
		switch got := b.find(one.ID); {
		case got.Started != nil:
			begun++
		case got.Status == research.Pending && strings.Contains(got.Note, "24 hours"):
			waiting++
		}
	}
	if begun != 2 || waiting != 2 {
		t.Errorf("%d tasks have begun and %d wait, want 2 and 2: %+v", begun, waiting, b.find(tasks[0].ID))
	}
}

func TestDeadWorkersTaskIsTakenUp(t *testing.T) {
	t.Parallel()

	b := newHarness(t)
	b.stockMarket()
	task := b.marketTask()
	if err := b.order(nil, task); err != nil {
		t.Fatal(err)
	}
	// What a worker leaves that was killed while it read a page.
	batch := postgres.NewBatch(b.scope.Tenant)
	_, _ = batch.Exec(t.Context(), `UPDATE discovery_research_tasks SET status = 'running', attempt = 1, lease_until = now() - interval '1 second', step = 'search',
		plan = '{"revision": 0, "queries": ["goat cheese"], "by": "rules"}', started_at = now() WHERE id = $1`, task.ID)
	for i, path := range []string{"/market", "/growth"} {
		_, _ = batch.Exec(t.Context(), `INSERT INTO research_sources (tenant_id, task_id, n, revision, url, rank, state) VALUES ($1, $2, $3, 0, $4, $5, $6)`,
			b.scope.Tenant, task.ID, i+1, b.site.URL+path, 1-float64(i)/10, []string{"reading", "queued"}[i])
	}
	b.send(batch)
	if _, err := b.pool.Exec(t.Context(), `UPDATE river.river_job SET state = 'running', attempt = 1, attempted_at = now() - interval '1 minute', attempted_by = '{dead}'`); err != nil {
		t.Fatal(err)
	}

	b.opt.Lease = 2 * time.Second
	news := b.start()
	for e := range over(t, news) {
		if e.Job.Kind == "research_desk" && e.Kind == river.EventKindJobCompleted {
			break
		}
	}
	got := b.find(task.ID)
	if got.Outcome != research.Found || got.Attempt != 2 {
		t.Fatalf("the task is %s (%s) in attempt %d, want it taken up", got.Status, got.Failure, got.Attempt)
	}
	if n := b.site.requests(); n["/market"] != 0 || n["/growth"] != 1 {
		t.Errorf("pages were asked for %v times: one that was asked for before is not asked for again while there is another", n)
	}
	if n := len(b.web.Requests()); n != 0 {
		t.Errorf("%d searches were made again", n)
	}
	b.proven(b.report(task.ID))
}

// over yields events until the patience is over.
func over(t *testing.T, news <-chan *river.Event) func(func(*river.Event) bool) {
	t.Helper()
	return func(yield func(*river.Event) bool) {
		deadline := time.After(patience)
		for {
			select {
			case e := <-news:
				if !yield(e) {
					return
				}
			case <-deadline:
				t.Fatal("it never came")
			}
		}
	}
}

func awaitState(t *testing.T, news <-chan *river.Event, kind river.EventKind) {
	t.Helper()
	for e := range over(t, news) {
		if e.Kind == kind && e.Job.Kind == "research_desk" {
			return
		}
	}
}

func wait(t *testing.T, c <-chan struct{}, what string) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(patience):
		t.Fatalf("%s never came", what)
	}
}

// An engine that answers nothing is told of: what was found is not all there may
// be.
func TestEngineThatFailedIsTold(t *testing.T) {
	t.Parallel()

	b := newHarness(t)
	b.stockMarket()
	broken := searchtest.New(t)
	broken.Fail(searchtest.Unavailable)
	other, err := search.NewBrave(search.Options{Base: broken.URL(), Key: secret.New(searchtest.Key)})
	if err != nil {
		t.Fatal(err)
	}
	b.opt.Engines = append(b.opt.Engines, other)
	task := b.look(b.marketTask())

	if task.Outcome != research.Found || !strings.Contains(task.Summary, "310 million") || !strings.Contains(task.Summary, "brave does not answer") {
		t.Errorf("the outcome is %s, told as %q", task.Outcome, task.Summary)
	}
}

// Research for an organisation is done with its own model, and with no other.
func TestResearchIsDoneWithTheModelOfItsOrganisation(t *testing.T) {
	t.Parallel()

	b := newHarness(t)
	b.stockMarket()
	servers := b.think()
	own := llmtest.New(t)
	own.Handle(func(llmtest.Request) llmtest.Reply { return llmtest.Status(http.StatusUnauthorized, 0) })
	client, err := llm.New(llm.Options{BaseURL: own.URL(), Model: "own"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	b.opt.Models = func(_ context.Context, tenant string) *llm.Client {
		if tenant != b.scope.Tenant {
			t.Errorf("the model of %q is asked for", tenant)
		}
		return client
	}
	b.look(b.marketTask())

	if len(own.Requests()) == 0 || len(servers.Requests()) != 0 {
		t.Errorf("its own model was asked %d times, the server's %d times", len(own.Requests()), len(servers.Requests()))
	}
}
