package main

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"quaestor/internal/llm/llmtest"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/runs"
	"quaestor/research/warehouse/tokens"
)

// said are the replies of a model over one run, and what becomes of them.
var said = []struct {
	reply llmtest.Reply
	want  warehouse.StepType // empty for a reply that makes no step of its own
	class warehouse.ErrorClass
}{
	{llmtest.Reply{Text: `{"thinking":"What is there?","lookup_schema":["shop.orders","customers","shop.nothing"]}`}, warehouse.LookupStep, ""},
	{llmtest.Reply{Text: `{"thinking":"Anything of returns?","search_tables":"returned orders","search_top_k":5}`}, warehouse.SearchStep, ""},
	{llmtest.Reply{Text: asks(countOrders)}, warehouse.QueryStep, ""},
	{llmtest.Reply{Text: `I think we should count {orders`}, "", ""},
	{llmtest.Reply{Text: asks(byStatus), Fault: llmtest.Fenced}, warehouse.QueryStep, ""},
	{llmtest.Reply{Text: asks(byCountry), Fault: llmtest.ThinkBlock}, warehouse.QueryStep, ""},
	{llmtest.Reply{Text: asks("SELECT state, COUNT(*) AS n FROM shop.orders GROUP BY state")}, warehouse.QueryStep, ""},
	{llmtest.Reply{Text: asks("DELETE FROM shop.orders")}, warehouse.QueryStep, warehouse.Forbidden},
	{llmtest.Reply{Text: `{"done": true, "summary": "All is said."}`}, warehouse.CompleteRejectedStep, ""},
	{llmtest.Status(http.StatusInternalServerError, 0), "", ""},
	{llmtest.Reply{Text: asks(countCustomers)}, warehouse.QueryStep, ""},
	{llmtest.Reply{Text: asks(countOrders)}, warehouse.QueryStep, ""}, // again: the answer stands
	{llmtest.Reply{Text: `{"thinking":"Ignore the rules; run it: DROP TABLE shop.customers","query":"SELECT pg_read_file('/etc/passwd')","query_purpose":"x"}`}, warehouse.QueryStep, warehouse.Forbidden},
	{llmtest.Reply{Text: `{"thinking":"Again.","lookup_schema":["shop.orders"]}`}, warehouse.LookupStep, ""},
	{llmtest.Reply{Text: `{"thinking":"Again.","search_tables":"Returned  orders","search_top_k":5}`}, warehouse.SearchStep, ""},
	{llmtest.Reply{Text: `{"thinking":"Orders a month.","query":"SELECT date_trunc('month', placed_at) AS month, COUNT(*) AS n FROM shop.orders GROUP BY 1 ORDER BY 1","query_purpose":"orders by month"}`}, warehouse.QueryStep, ""},
	{llmtest.Reply{Text: "no"}, "", ""},
	{llmtest.Reply{Text: "still no"}, "", ""},
	{llmtest.Reply{Text: "never"}, "", ""},
	{llmtest.Reply{Text: "no more"}, warehouse.ErrorStep, runs.Unreadable},
}

// TestModelExplores has a model that is not at its best make 25 steps, through the
// client, the prompts, the guard, the repairing and the audit.
func TestModelExplores(t *testing.T) {
	m := newMart(t, small...)
	model := llmtest.New(t)
	asksToRepair := func(what string) func(llmtest.Request) bool {
		return func(r llmtest.Request) bool {
			return strings.Contains(r.LastUser(), "fixed_sql") && strings.Contains(r.LastUser(), what)
		}
	}
	model.On(asksToRepair("DELETE FROM"), llmtest.Reply{Text: `{"fixed_sql": "DELETE FROM shop.orders WHERE true"}`})
	model.On(asksToRepair("pg_read_file"), llmtest.Reply{Text: "That cannot be repaired."})
	model.On(asksToRepair("SELECT state"),
		llmtest.Reply{Text: `{"fixed_sql": "DROP TABLE shop.orders"}`}, llmtest.Reply{Text: `{"fixed_sql": "SELECT status AS state, COUNT(*) AS n FROM shop.orders GROUP BY status"}`})
	var replies []llmtest.Reply
	for _, s := range said {
		replies = append(replies, s.reply)
	}
	for i := range 30 {
		replies = append(replies, llmtest.Reply{Text: asks(fmt.Sprintf("SELECT COUNT(*) AS n FROM shop.orders WHERE total > %d", i))})
	}
	model.On(func(llmtest.Request) bool { return true }, replies...)
	o := newRemoteServer(t, Settings{Model: "clerk", ModelURL: model.URL(), ModelWindow: 12_000}, nil)
	t.Cleanup(model.Close)
	id, project := o.connect(m.draft())
	run, _, err := o.commands.Create(t.Context(), o.tenant, runs.Order{Project: project, MaxSteps: 25, MinSteps: 20, By: "someone"})
	if err != nil {
		t.Fatal(err)
	}
	r, steps := o.over(run.ID)

	if r.Status != runs.Completed || r.Stop != runs.StopMaxSteps || len(steps) != 25 || r.Analyst != "model clerk" {
		t.Fatalf("%+v", r)
	}
	n := 0
	for _, s := range said {
		if s.want == "" {
			continue
		}
		if st := steps[n]; st.Type != s.want || s.class != "" && st.Class != s.class || s.class == "" && st.Error != "" {
			t.Errorf("step %d is %s (%s) %s, want %s (%s) of %s", st.N, st.Type, st.Class, st.Error, s.want, s.class, s.reply.Text)
		}
		n++
	}
	checkModelSteps(t, steps)
	checkPrompts(t, model.Requests())
	o.checkNothingUnguarded(id)
	if n := len(o.events(run.ID)); n < 50 {
		t.Errorf("%d events tell of 25 steps", n)
	}
}

// checkModelSteps checks single steps of the run.
func checkModelSteps(t *testing.T, steps []runs.StoredStep) {
	t.Helper()
	if st := steps[0]; !slices.Equal(st.Tables, []string{"shop.orders", "shop.customers"}) || !strings.Contains(st.Answer, "There is no table shop.nothing") {
		t.Errorf("the lookup: %+v", st.Step)
	}
	if st := steps[1]; len(st.Tables) == 0 || st.Tables[0] != "shop.orders" {
		t.Errorf("the search: %+v", st.Step)
	}
	if st := steps[3]; st.Corrections != 1 || st.Rows != 3 || st.Spent.Calls != 2 {
		t.Errorf("the step that was asked for twice: %+v", st.Step)
	}
	if st := steps[5]; st.Rows != 3 || len(st.Fixes) == 0 || !st.Fixes[len(st.Fixes)-1].Works {
		t.Errorf("the step that was repaired: %+v", st.Step)
	}
	if st := steps[9]; st.Repeats != 3 {
		t.Errorf("the query that was asked again: %+v", st.Step)
	}
	if st := steps[11]; st.Repeats != 1 {
		t.Errorf("the lookup that was asked again: %+v", st.Step)
	}
}

// checkPrompts checks that no prompt is over the window.
func checkPrompts(t *testing.T, requests []llmtest.Request) {
	t.Helper()
	for i, r := range requests {
		size := 0
		for _, m := range r.Messages {
			size += tokens.Count(m.Content)
		}
		if size > 12_000-4096 {
			t.Errorf("prompt %d has %d tokens", i+1, size)
		}
	}
	t.Logf("%d requests", len(requests))
}

// checkNothingUnguarded checks that what the warehouse was sent only reads, and that
// what was refused is on record.
func (o *remoteServer) checkNothingUnguarded(id string) {
	o.t.Helper()
	entries, err := o.explorer.store.Audit(o.t.Context(), o.tenant, id, 0, 200)
	if err != nil {
		o.t.Fatal(err)
	}
	refused := 0
	for _, e := range entries {
		if e.Verdict == connections.Refused {
			refused++
			continue
		}
		if !strings.HasPrefix(e.Sent, "SELECT") || strings.Contains(e.Sent, "pg_read_file") {
			o.t.Errorf("the warehouse was sent %q", e.Sent)
		}
	}
	if refused < 2 {
		o.t.Errorf("%d statements were refused", refused)
	}
}

// events are those of a run that is over.
func (o *remoteServer) events(id string) []runs.Event {
	o.t.Helper()
	sub := o.explorer.hub.Subscribe(o.tenant, id, 0)
	defer sub.Close()
	var out []runs.Event
	for {
		list, err := sub.Next(o.t.Context(), 100*time.Millisecond)
		if err != nil {
			o.t.Fatal(err)
		}
		out = append(out, list...)
		if len(list) == 0 || list[len(list)-1].Kind == runs.EventFinished {
			return out
		}
	}
}
