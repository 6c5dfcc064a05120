package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"quaestor/internal/postgres/postgrestest"
	"quaestor/research/search/searchtest"
)

// library is a web site that counts how often each page was asked for, and may
// hold back what it is asked for first.
type library struct {
	*httptest.Server
	mu    sync.Mutex
	asked map[string]int
	first chan string // gets the first page asked for
	hold  chan struct{}
}

func newLibrary(t *testing.T) *library {
	t.Helper()
	l := &library{asked: map[string]int{}, first: make(chan string, 1), hold: make(chan struct{})}
	l.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		l.mu.Lock()
		l.asked[r.URL.Path]++
		l.mu.Unlock()
		select {
		case l.first <- r.URL.Path: // it is not answered before the reader is dead
			<-r.Context().Done()
			return
		default:
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<article><h1>Goat cheese</h1><p>The market for goat cheese in Germany was worth 310 million euros in 2023, says report %s.</p></article>", r.URL.Path[1:])
	}))
	t.Cleanup(l.Close)
	return l
}

func (l *library) requests() map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := map[string]int{}
	for path, n := range l.asked {
		out[path] = n
	}
	return out
}

// The server dies while it searches and again while it reads. What somebody asked
// for is found all the same, and no page is asked for twice.
func TestResearchOutlivesItsServer(t *testing.T) {
	t.Parallel()

	web, pages := searchtest.New(t), newLibrary(t)
	for _, name := range []string{"a", "b", "c", "d"} {
		web.Add("goat cheese", searchtest.Hit{URL: pages.URL + "/" + name, Title: "Goat cheese " + name})
	}
	web.FailNext(searchtest.Stall)
	args := []string{"--database-url", postgrestest.URL(t), "--searxng-url", web.URL(), "--read-private", "127.0.0.0/8", "--research-lease", "2s"}
	victim := spawn(t, args...)
	var task struct{ ID, Status, Outcome, Summary string }
	resp, err := victim.ask(t.Context(), "/api/v1/research-tasks", map[string]any{"query": "How large is the market for goat cheese in Germany?"})
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(resp.Body).Decode(&task); err != nil || resp.StatusCode != http.StatusCreated {
		t.Fatalf("asking brought %d, %v", resp.StatusCode, err)
	}
	_ = resp.Body.Close()

	until(t, "the first search", func() bool { return len(web.Requests()) > 0 })
	victim.kill()
	victim.ended()
	victim = spawn(t, args...)
	select {
	case <-pages.first:
	case <-time.After(patience):
		t.Fatal("after the first death no page was asked for")
	}
	victim.kill()
	victim.ended()
	heir := spawn(t, args...)
	until(t, "the end of the research", func() bool {
		if err := json.Unmarshal(heir.get("/api/v1/research-tasks/"+task.ID), &task); err != nil {
			t.Fatal(err)
		}
		return task.Status == "completed" || task.Status == "failed"
	})

	if task.Outcome != "found" || !strings.Contains(task.Summary, "310 million euros") {
		t.Errorf("the task is %+v, want it found", task)
	}
	for path, n := range pages.requests() {
		if n != 1 {
			t.Errorf("%s was asked for %d times", path, n)
		}
	}
	var report struct{ Claims []struct{ Quote string } }
	if err := json.Unmarshal(heir.get("/api/v1/research-tasks/"+task.ID+"/report"), &report); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, c := range report.Claims {
		if seen[c.Quote] {
			t.Errorf("claimed twice: %q", c.Quote)
		}
		seen[c.Quote] = true
	}
	if len(seen) == 0 {
		t.Error("nothing is claimed")
	}
}

// until asks again and again whether something is so.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("%s never came", what)
		}
	}
}

// A search engine that listens hears nothing of what somebody asks of their own data:
// not from the conversation, not from the API, not from somebody who directs research
// that is under way. What is public it hears.
func TestOwnDataStaysAtHome(t *testing.T) {
	t.Parallel()

	web := searchtest.New(t)
	p := launch(t, "--database-url", postgrestest.URL(t), "--searxng-url", web.URL())
	opened := p.turn(map[string]any{"contextType": "business_profile", "message": ""})
	session := fmt.Sprint(opened[0].Data["sessionId"])
	for _, said := range []string{
		"Please look that up in our warehouse: churn of customers in Braga",
		"can you check in our CRM how many customers in Braga left us?",
		"look it up in Snowflake, churn in Braga",
		"look in our CRM how many customers we lost last year",
		"hm, check our database then",
		"please find out what our churn in Braga is",
	} {
		events := p.turn(map[string]any{"sessionId": session, "contextType": "business_profile", "message": said})
		if first(events, "research").Type != "" {
			t.Errorf("%q ordered research: %v", said, lines(events))
		}
		if reply := fmt.Sprint(first(events, "message").Data["content"]); !strings.Contains(reply, "own data") || !strings.Contains(reply, "under Data") {
			t.Errorf("%q was answered with %q", said, reply)
		}
	}
	for _, query := range []string{"churn of customers in Braga according to our data warehouse", "our revenue in Braga"} {
		resp, err := p.ask(t.Context(), "/api/v1/research-tasks", map[string]any{"query": query})
		if err != nil {
			t.Fatal(err)
		}
		var problem struct{ Code, Detail string }
		if err := json.NewDecoder(resp.Body).Decode(&problem); err != nil || resp.StatusCode != http.StatusUnprocessableEntity || problem.Code != "own_data" || !strings.Contains(problem.Detail, "under Data") {
			t.Errorf("%q brought %d, %+v, %v", query, resp.StatusCode, problem, err)
		}
		_ = resp.Body.Close()
	}

	p.turn(map[string]any{"sessionId": session, "contextType": "business_profile", "message": "can you find out who makes ovens in Leeds?"})
	until(t, "the search for what is public", func() bool { return len(web.Requests()) > 0 })

	var list struct {
		Items []struct{ ID, Query, Status string }
	}
	until(t, "the end of that research", func() bool {
		if err := json.Unmarshal(p.get("/api/v1/research-tasks?sessionId="+session), &list); err != nil {
			t.Fatal(err)
		}
		return len(list.Items) > 0 && (list.Items[0].Status == "completed" || list.Items[0].Status == "failed")
	})
	if len(list.Items) != 1 || !strings.Contains(list.Items[0].Query, "ovens") {
		t.Errorf("the session has the tasks %+v, want the one about ovens", list.Items)
	}
	for _, r := range web.Requests() {
		if words := strings.ToLower(r.Words); strings.Contains(words, "braga") || strings.Contains(words, "churn") || strings.Contains(words, "our ") {
			t.Errorf("the engine was asked for %q", r.Words)
		}
	}
}
