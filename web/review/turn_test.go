package review_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/postgres"
	"quaestor/sessions"
	"quaestor/web/webtest"
)

func TestReviewOfATurnAnsweredByRules(t *testing.T) {
	t.Parallel()

	c := webtest.OpenCourt(t)
	root := c.Rae.Drawn("/review/" + c.ID + "/turns/2")
	if got := webtest.Words(webtest.Only(t, root, "calls-missing")); !strings.Contains(got, "the built-in rules") {
		t.Errorf("the note about the model is %q", got)
	}
	if got := webtest.Words(webtest.Only(t, root, "chosen-because")); !strings.Contains(got, "priority") {
		t.Errorf("the question was chosen because %q", got)
	}
	if got := webtest.Words(webtest.Only(t, root, "turn-changes")); !strings.Contains(got, "Team") || !strings.Contains(got, "Picked or entered by the person") {
		t.Errorf("the changes are %q", got)
	}
	if got := webtest.Words(webtest.Only(t, root, "turn-log")); !strings.Contains(got, "The turn began") || !strings.Contains(got, "The turn ended") {
		t.Errorf("the log shows %q", got)
	}
	for _, n := range []string{"0", "3", "-1", "x", "99999999999"} {
		if resp := c.Rae.Do(webtest.Request{Path: "/review/" + c.ID + "/turns/" + n}); resp.StatusCode != http.StatusNotFound {
			t.Errorf("turn %s answers %d, want 404", n, resp.StatusCode)
		}
	}
}

// keep stores the calls of one tenant, as the call log does.
func keep(t *testing.T, pool *pgxpool.Pool, list []sessions.ModelCall) {
	t.Helper()
	packs := sessions.PackCalls(list)
	b := postgres.NewBatch(list[0].Scope.Tenant)
	for _, p := range packs {
		p.QueueWords(b)
	}
	if err := b.Send(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	b = postgres.NewBatch(list[0].Scope.Tenant)
	for _, p := range packs {
		hash, rules, used := p.Rules()
		sessions.SavePromptRules(b, hash, rules, used)
		if err := p.Save(b, hash, new(sessions.Packer)); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Send(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
}

// Prompts and answers of a model are shown as text, whatever markup is in them.
func TestReviewOfATurnShowsTheCallsOfTheModel(t *testing.T) {
	t.Parallel()

	c := webtest.OpenCourt(t)
	list := []sessions.ModelCall{
		{Turn: 2, Attempt: 1, N: 1, Purpose: "understand", Model: "small", Rules: "You read <i>messages</i>.", Prompt: []sessions.CallMessage{{Role: "user", Content: "<data>{}</data>"}, {Role: "user", Content: "We are </pre><script>four"}},
			Response: `{"findings": []}`, PromptTokens: 1200, CompletionTokens: 30, Money: 0.25, Tries: 2, Total: 400 * time.Millisecond, At: time.Now()},
		{Turn: 2, Attempt: 1, N: 2, Purpose: "reply", Model: "small", Rules: "You word <i>replies</i>.", Response: "Thank you", PromptTokens: 900, CompletionTokens: 10, Tries: 1, Failure: "timeout",
			Began: 400 * time.Millisecond, FirstToken: 100 * time.Millisecond, Total: 300 * time.Millisecond, At: time.Now()},
	}
	for i := range list {
		list[i].Scope.Tenant, list[i].Scope.Session = c.Rae.Tenant, c.ID
	}
	keep(t, c.Rae.Pool, list)

	root := c.Rae.Drawn("/review/" + c.ID + "/turns/2")
	understood, reply := webtest.Words(webtest.Only(t, root, "call-understand")), webtest.Words(webtest.Only(t, root, "call-reply"))
	for _, want := range []string{"1,200 in, 30 out", "Cost 0.2500", "Requests 2", "You read <i>messages</i>.", "We are </pre><script>four", `{"findings": []}`, "Took 400 ms"} {
		if !strings.Contains(understood, want) {
			t.Errorf("the call does not say %q: %s", want, understood)
		}
	}
	if !strings.Contains(reply, "It took too long. (timeout)") || !strings.Contains(reply, "First words after 100 ms") {
		t.Errorf("the reply shows %q", reply)
	}
	if got := webtest.Words(webtest.Only(t, root, "waterfall")); !strings.Contains(got, "Word the reply began after 400 ms and took 300 ms") {
		t.Errorf("the picture shows %q", got)
	}
	if n := len(webtest.Tested(root, "call-")); n < 2 || len(webtest.Tested(c.Rae.Drawn("/review/"+c.ID+"/turns/1"), "call-understand")) != 0 {
		t.Error("calls of one turn are shown in another")
	}
}
