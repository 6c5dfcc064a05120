package admin_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"quaestor/internal/auth"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/web"
	"quaestor/web/admin"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

// capable is a model that answers tests and interviews; it takes a schema.
func capable(t *testing.T) *llmtest.Server {
	t.Helper()
	srv := llmtest.New(t)
	srv.Handle(func(r llmtest.Request) llmtest.Reply {
		switch {
		case r.SchemaName == "probe":
			return llmtest.Reply{Text: `{"colour":"blue"}`}
		case r.Structured():
			return llmtest.Reply{JSON: map[string]any{"intent": "answer", "about": nil, "findings": []any{}, "research": []any{}, "proposals": []any{}, "topic": nil,
				"follow_ups": []any{}, "relationships": []any{}, "preferences": []any{}, "style": nil}}
		}
		return llmtest.Reply{Text: "I see."}
	})
	return srv
}

// words are those of the elements with a mark, joined.
func words(root *html.Node, mark string) string {
	var out []string
	for _, n := range webtest.Marked(root, mark) {
		out = append(out, webtest.Words(n))
	}
	return strings.Join(out, " | ")
}

func TestModelsAreSetOnThePage(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	page := w.Shows(200, webtest.Request{Path: "/admin/settings/models"})
	if len(webtest.Marked(page, "no-models")) != 1 || words(page, "models-talking") != "the built-in rules" {
		t.Fatalf("before anything is set the page says: %s", webtest.Words(page))
	}
	w.Shows(200, webtest.Request{Path: "/admin/settings/models/new"})

	srv := capable(t)
	page = w.Follows(webtest.Filled("/admin/settings/models", url.Values{"name": {"small"}, "baseUrl": {srv.URL()}, "key": {" sesame "}, "role": {"reading"}, "dailyCalls": {"500"}}))
	if got := words(page, "model-state"); got != "Works" {
		t.Errorf("after it was saved it is %q: %s", got, webtest.Words(page))
	}
	if able := words(page, "model-able"); !strings.Contains(able, "takes a JSON schema") || !strings.Contains(able, "counts tokens") || !strings.Contains(able, "does not tell how many") {
		t.Errorf("it is said to be able to: %q", able)
	}
	if words(page, "models-reading") != "small; where it fails, the built-in rules" || words(page, "models-talking") != "the built-in rules" || !strings.Contains(words(page, "model-limits"), "500 calls a day") {
		t.Errorf("the page says: %s", webtest.Words(page))
	}
	page = w.Follows(webtest.Filled("/admin/settings/models", url.Values{"name": {"large"}, "baseUrl": {srv.URL()}, "role": {"both"}}))
	list := webtest.Fetch[web.Page[admin.ModelBody]](w, 200, webtest.Request{Path: "/api/v1/models"}).Items
	if len(list) != 2 || words(page, "models-reading") != "small, then large; where all fail, the built-in rules" {
		t.Fatalf("there are %+v; the page says: %s", list, webtest.Words(page))
	}
	small, large := list[0].ID, list[1].ID
	page = w.Follows(webtest.Filled("/admin/settings/models/"+large+"/earlier", nil))
	if got := words(page, "models-reading"); !strings.HasPrefix(got, "large, then small") {
		t.Errorf("after it was put earlier, %s", got)
	}
	w.Follows(webtest.Filled("/admin/settings/models/"+large+"/later", nil))

	edit := w.Shows(200, webtest.Request{Path: "/admin/settings/models/" + small})
	if name := webtest.Attribute(webtest.Marked(edit, "model-name")[0], "value"); name != "small" || webtest.Attribute(webtest.Marked(edit, "model-key")[0], "value") != "" {
		t.Errorf("the form shows %q, and the key", name)
	}
	srv.Handle(func(llmtest.Request) llmtest.Reply { return llmtest.Status(401, 0) })
	page = w.Follows(webtest.Filled("/admin/settings/models/"+small, url.Values{"version": {"1"}, "name": {"small"}, "baseUrl": {srv.URL()}, "key": {"tulip"}, "role": {"reading"}}))
	if words(page, "model-state") != "Does not work | Works" || !strings.Contains(words(page, "model-result"), "refuses the key") || !strings.Contains(words(page, "model-remedy"), "Give a key") {
		t.Errorf("a model that refuses its key is shown as: %s", words(page, "model"))
	}

	w.Shows(422, webtest.Filled("/admin/settings/models/"+small+"/delete", nil))
	page = w.Follows(webtest.Filled("/admin/settings/models/"+small+"/delete", url.Values{"sure": {"yes"}}))
	if len(webtest.Marked(page, "model")) != 1 {
		t.Errorf("after it was deleted the page says: %s", webtest.Words(page))
	}
	journal := words(w.Shows(200, webtest.Request{Path: "/admin/settings/data"}), "journal-line")
	for _, line := range []string{"added the model", "put the models in this order:", "changed the key, the limits of the model", "deleted the model"} {
		if !strings.Contains(journal, line) {
			t.Errorf("the journal lacks %q: %s", line, journal)
		}
	}
	if strings.Contains(journal, "sesame") || strings.Contains(journal, "tulip") {
		t.Error("the journal shows a key")
	}
}

func TestRefusedModelsAreShownAgain(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	for field, change := range map[string]string{"name": " ", "baseUrl": "ftp://models.example.org", "key": "two words", "role": "singing", "seconds": "many", "tokens": "-1"} {
		fields := url.Values{"name": {"small"}, "baseUrl": {"https://models.example.org/v1"}, "key": {"sesame"}, "role": {"both"}}
		fields.Set(field, change)
		page := w.Shows(422, webtest.Filled("/admin/settings/models", fields))
		if len(webtest.Marked(page, "fault-"+field)) != 1 || len(webtest.Marked(page, "failure")) != 1 {
			t.Errorf("%s: the fault does not stand at its field: %s", field, webtest.Words(page))
		}
		if input := webtest.Marked(page, "model-"+field)[0]; webtest.Attribute(input, "aria-invalid") != "true" {
			t.Errorf("%s: only eyes are told of the fault", field)
		}
		if webtest.Attribute(webtest.Marked(page, "model-key")[0], "value") != "" {
			t.Error("the key is sent back")
		}
	}
	if list := webtest.Fetch[web.Page[admin.ModelBody]](w, 200, webtest.Request{Path: "/api/v1/models"}).Items; len(list) != 0 {
		t.Errorf("there are %+v", list)
	}
}

func TestModelsInTheAPI(t *testing.T) {
	t.Parallel()

	w, srv := webtest.Open(t, webtest.Terms{}), capable(t)
	draft := map[string]any{"name": "small", "baseUrl": srv.URL(), "key": "sesame", "limits": map[string]any{"seconds": 30}}
	if got := webtest.Fetch[admin.ModelTestBody](w, 200, webtest.Request{Path: "/api/v1/model-test", Body: draft}); !got.Well || got.Format != "json_schema" || !got.Usage {
		t.Errorf("the test of a draft says %+v", got)
	}
	a := webtest.Fetch[admin.ModelBody](w, 201, webtest.Request{Path: "/api/v1/models", Body: draft})
	if a.ID == "" || !a.HasKey || a.Role != "both" || a.Limits.Seconds != 30 || a.Test != nil {
		t.Errorf("made %+v", a)
	}
	b := webtest.Fetch[admin.ModelBody](w, 201, webtest.Request{Path: "/api/v1/models", Body: map[string]any{"name": "large", "baseUrl": srv.URL(), "role": "talking"}})
	one := "/api/v1/models/" + a.ID
	if got := webtest.Fetch[admin.ModelTestBody](w, 200, webtest.Request{Method: http.MethodPost, Path: one + "/test"}); !got.Well {
		t.Errorf("the test says %+v", got)
	}
	resp := w.Do(webtest.Request{Path: one})
	tag := resp.Header.Get("ETag")
	var read map[string]any
	if err := json.NewDecoder(resp.Body).Decode(&read); err != nil || read["test"] == nil || read["key"] != nil {
		t.Errorf("reading gives %v, %v", read, err)
	}
	change := map[string]any{"name": "smaller", "baseUrl": srv.URL(), "role": "reading"}
	if resp := w.Do(webtest.Request{Method: http.MethodPut, Path: one, Body: change}); resp.StatusCode != http.StatusPreconditionRequired {
		t.Errorf("without If-Match: %d", resp.StatusCode)
	}
	if resp := w.Do(webtest.Request{Method: http.MethodPut, Path: one, Body: change, Header: map[string]string{"If-Match": `"old"`}}); resp.StatusCode != http.StatusPreconditionFailed {
		t.Errorf("with an old tag: %d", resp.StatusCode)
	}
	got := webtest.Fetch[admin.ModelBody](w, 200, webtest.Request{Method: http.MethodPut, Path: one, Body: change, Header: map[string]string{"If-Match": tag}})
	if got.Name != "smaller" || got.Role != "reading" || !got.HasKey || got.Version != 2 || got.Test != nil {
		t.Errorf("changed to %+v", got)
	}
	order := webtest.Fetch[web.Page[admin.ModelBody]](w, 200, webtest.Request{Method: http.MethodPut, Path: "/api/v1/model-order", Body: map[string]any{"ids": []string{b.ID, a.ID}}})
	if len(order.Items) != 2 || order.Items[0].ID != b.ID {
		t.Errorf("the order is %+v", order.Items)
	}
	webtest.Fetch[web.Problem](w, 409, webtest.Request{Method: http.MethodPut, Path: "/api/v1/model-order", Body: map[string]any{"ids": []string{b.ID}}})
	webtest.Fetch[web.Problem](w, 422, webtest.Request{Path: "/api/v1/models", Body: map[string]any{"name": "x", "baseUrl": "nowhere"}})
	if resp := w.Do(webtest.Request{Method: http.MethodDelete, Path: one}); resp.StatusCode != http.StatusNoContent {
		t.Errorf("deleting: %d", resp.StatusCode)
	}
	webtest.Fetch[web.Problem](w, 404, webtest.Request{Path: one})
}

// Models hold keys and see what is said, so only those who manage an organisation see and set
// them, and nobody those of another.
func TestModelsAreForThoseWhoManage(t *testing.T) {
	t.Parallel()

	w, srv := webtest.Open(t, webtest.Terms{Tokens: true}), capable(t)
	owner := w.As(w.Tenant, "olive", auth.Owner)
	draft := map[string]any{"name": "small", "baseUrl": srv.URL(), "key": "sesame"}
	m := webtest.Fetch[admin.ModelBody](w.As(w.Tenant, "adam", auth.Admin), 201, webtest.Request{Path: "/api/v1/models", Body: draft})
	one := "/api/v1/models/" + m.ID
	requests := []webtest.Request{{Path: "/api/v1/models"}, {Path: "/api/v1/models", Body: draft}, {Path: one}, {Method: http.MethodPut, Path: one, Body: draft}, {Method: http.MethodDelete, Path: one},
		{Method: http.MethodPost, Path: one + "/test"}, {Path: "/api/v1/model-test", Body: draft}, {Method: http.MethodPut, Path: "/api/v1/model-order", Body: map[string]any{"ids": []string{m.ID}}},
		{Path: "/admin/settings/models"}, webtest.Filled("/admin/settings/models", url.Values{"name": {"x"}, "baseUrl": {srv.URL()}}), webtest.Filled("/admin/settings/models/"+m.ID+"/delete", url.Values{"sure": {"yes"}})}
	for _, role := range []auth.Role{auth.Reviewer, auth.Member, auth.Viewer} {
		other := w.As(w.Tenant, "some "+string(role), role)
		for _, q := range requests {
			if resp := other.Do(q); resp.StatusCode != http.StatusForbidden {
				t.Errorf("a %s gets %d from %s %s", role, resp.StatusCode, q.Method, q.Path)
			}
		}
	}
	stranger := w.As(postgrestest.Tenant(t, w.Pool), "sam", auth.Owner)
	for _, q := range requests[2:6] {
		if q.Method == http.MethodPut {
			q.Header = map[string]string{"If-Match": `"any"`}
		}
		if resp := stranger.Do(q); resp.StatusCode != http.StatusNotFound {
			t.Errorf("another organisation gets %d from %s %s", resp.StatusCode, q.Method, q.Path)
		}
	}
	if list := webtest.Fetch[web.Page[admin.ModelBody]](stranger, 200, webtest.Request{Path: "/api/v1/models"}).Items; len(list) != 0 {
		t.Errorf("another organisation sees %+v", list)
	}
	if n := len(srv.Requests()); n != 0 {
		t.Errorf("the model was asked %d times", n)
	}
	webtest.Fetch[admin.ModelBody](owner, 200, webtest.Request{Path: one})
}

// A model that is set holds from the next turn on, for its organisation alone, and pages
// name it.
func TestModelsHoldFromTheNextTurnOn(t *testing.T) {
	t.Parallel()

	w, srv := webtest.Open(t, webtest.Terms{}), capable(t)
	interviewer := func() string { return words(w.Shows(200, webtest.Request{Path: "/"}), "interviewer") }
	if got := interviewer(); !strings.Contains(got, "rules") {
		t.Errorf("before a model is set the page says %q", got)
	}
	session := w.Begin("idea_discovery")
	w.Say(talk.TurnBody{SessionID: session, Message: "A lending library for tools"})
	if n := len(srv.Requests()); n != 0 {
		t.Fatalf("the model was asked %d times before it was set", n)
	}
	webtest.Fetch[admin.ModelBody](w, 201, webtest.Request{Path: "/api/v1/models", Body: map[string]any{"name": "small", "baseUrl": srv.URL()}})

	w.Say(talk.TurnBody{SessionID: session, Message: "Expensive tools stand in a cellar for years"})

	if n := len(srv.Requests()); n == 0 {
		t.Error("the model was not asked after it was set")
	}
	if got := interviewer(); !strings.Contains(got, "small") {
		t.Errorf("once a model is set the page says %q", got)
	}
}
