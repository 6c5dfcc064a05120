//go:build duckdb

package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/prerequisite"
	"quaestor/research"
)

// ordered is a task as the API shows it, without when it was worked and by whom.
type ordered struct {
	Type     research.Kind
	Query    string
	Key      string
	Status   research.Status
	Outcome  research.Outcome
	Summary  string
	Failure  string
	Proposal json.RawMessage
}

// orderedTask is a task with what tells it from others.
type orderedTask struct {
	ID       string
	Type     research.Kind    `json:"taskType"`
	Query    string           `json:"query"`
	Key      string           `json:"obligationKey"`
	Status   research.Status  `json:"status"`
	Outcome  research.Outcome `json:"outcome"`
	Summary  string           `json:"summary"`
	Failure  string           `json:"errorMessage"`
	Told     int              `json:"toldInTurn"`
	Proposal json.RawMessage  `json:"proposal"`
}

// TestKilledConversationKeepsItsOrders kills the program again and again while a conversation
// waits for two questions to its organisation's data and for a whole run. Each is answered as in a
// conversation that nothing disturbs, told once, and nothing runs twice.
func TestKilledConversationKeepsItsOrders(t *testing.T) {
	t.Parallel()

	kills, talks := prerequisite.Scale(2, 3), prerequisite.Scale(2, 10)
	k := newKillable(t, "--research-lease", "1s")
	type made struct{ ID string }
	w := post[made](k.program, "/api/v1/warehouses", map[string]any{"name": "Files", "kind": "duckdb", "options": map[string]string{"path": folderOfFiles(t)}})
	project := post[made](k.program, "/api/v1/projects", map[string]any{"name": "Files", "warehouseId": w.ID})
	k.awaitTables(w.ID)
	var want []ordered
	for n := range talks {
		session := k.orders(fmt.Sprintf("person%d", n))
		if n > 0 {
			for range kills {
				time.Sleep(rand.N(1200 * time.Millisecond)) // a moment that no event marks
				k.restart()
			}
		}
		got := k.outcomes(session)
		k.checkTold(session, fmt.Sprintf("person%d", n))
		if n == 0 {
			want = got
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("talk %d (-undisturbed +killed):\n%s", n, diff)
		}
	}
	if list := fetch[struct{ Items []made }](k.program, "/api/v1/projects/"+project.ID+"/runs?limit=100").Items; len(list) != talks {
		t.Errorf("%d runs for %d orders", len(list), talks)
	}
}

// awaitTables has the tables of a warehouse read, and waits for them.
func (k *killable) awaitTables(id string) {
	k.t.Helper()
	resp, err := k.ask(k.t.Context(), "/api/v1/warehouses/"+id+"/refresh", map[string]any{})
	if err != nil {
		k.t.Fatal(err)
	}
	_ = resp.Body.Close()
	end := time.Now().Add(patience)
	for len(fetch[struct{ Items []any }](k.program, "/api/v1/warehouses/"+id+"/tables").Items) == 0 {
		if time.Now().After(end) {
			k.t.Fatal("the tables are never read")
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// orders begins a conversation that orders what the test is about, and returns its id.
func (k *killable) orders(user string) string {
	k.t.Helper()
	opened := k.turn(map[string]any{"contextType": "business_profile", "message": "", "userId": user})
	id := fmt.Sprint(opened[0].Data["sessionId"])
	for _, said := range []string{"Please look up in our database how many orders were paid.", "Please explore our data and look for patterns."} {
		if events := k.turn(map[string]any{"sessionId": id, "contextType": "business_profile", "message": said, "userId": user}); first(events, "research").Type == "" {
			k.t.Fatalf("%q orders nothing: %v", said, lines(events))
		}
	}
	for range 2 { // the sender was not answered, and sends it again
		resp, err := k.ask(k.t.Context(), "/api/v1/research-tasks", map[string]any{"query": "How many customers are in our database?", "sessionId": id, "taskType": research.WarehouseQuestion, "obligationKey": "business_overview"}, "Idempotency-Key", "once-"+id)
		if err != nil {
			k.t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusCreated && resp.StatusCode != http.StatusOK {
			k.t.Fatalf("the order is answered %d", resp.StatusCode)
		}
	}
	return id
}

// outcomes waits until all tasks of a session are over, and returns what became of them, sorted.
func (k *killable) outcomes(session string) []ordered {
	k.t.Helper()
	end := time.Now().Add(2 * patience)
	for {
		list := k.tasksOf(session)
		if !slices.ContainsFunc(list, func(o orderedTask) bool {
			return o.Status == research.Pending || o.Status == research.Running
		}) {
			out := make([]ordered, len(list))
			for i, o := range list {
				out[i] = ordered{o.Type, o.Query, o.Key, o.Status, o.Outcome, o.Summary, o.Failure, o.Proposal}
				if o.Type == research.WarehouseDiscovery { // compares with the runs before it
					out[i].Summary = ""
				}
				if o.Status != research.Completed || o.Outcome != research.Found {
					k.t.Errorf("%s: %s %s %s", o.Query, o.Status, o.Outcome, o.Failure)
				}
			}
			slices.SortFunc(out, func(a, b ordered) int { return strings.Compare(a.Query, b.Query) })
			return out
		}
		if time.Now().After(end) {
			k.t.Fatalf("tasks never end: %+v", list)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// tasksOf returns the tasks of a session.
func (k *killable) tasksOf(session string) []orderedTask {
	k.t.Helper()
	return fetch[struct{ Items []orderedTask }](k.program, "/api/v1/sessions/"+session+"/research-tasks").Items
}

// checkTold takes turns until the person has been told of everything, and checks that the log has
// each task ordered once and ended once, and each claim once.
func (k *killable) checkTold(session, user string) {
	k.t.Helper()
	for range 4 {
		k.turn(map[string]any{"sessionId": session, "contextType": "business_profile", "message": "I would rather talk about that later.", "userId": user})
	}
	list := k.tasksOf(session)
	if len(list) != 3 {
		k.t.Errorf("%d tasks of 3 orders: %+v", len(list), list)
	}
	ended, begun := map[string]int{}, map[string]int{}
	stream := k.open("/api/v1/sessions/"+session+"/events", nil)
	for range 7 {
		for _, e := range stream.until("done") {
			if e.Type != "research" {
				continue
			}
			task := fmt.Sprint(e.Data["taskId"])
			if e.Data["status"] == "pending" && e.Data["step"] == nil && e.Data["note"] == nil {
				begun[task]++
			}
			if e.Data["status"] == "completed" {
				ended[task]++
			}
		}
	}
	stream.close()
	for _, o := range list {
		if ended[o.ID] != 1 || begun[o.ID] != 1 {
			k.t.Errorf("%s is ordered %d times and ends %d times", o.Query, begun[o.ID], ended[o.ID])
		}
		if o.Told == 0 {
			k.t.Errorf("nobody is told of %s", o.Query)
		}
		report := fetch[struct{ Claims []struct{ Quote string } }](k.program, "/api/v1/research-tasks/"+o.ID+"/report")
		seen := map[string]bool{}
		for _, c := range report.Claims {
			if seen[c.Quote] {
				k.t.Errorf("claimed twice: %q", c.Quote)
			}
			seen[c.Quote] = true
		}
		if len(seen) == 0 {
			k.t.Errorf("nothing is claimed of %s", o.Query)
		}
	}
}
