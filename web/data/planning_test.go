package data_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quaestor/research/warehouse/runs"
	"quaestor/web"
	"quaestor/web/data"
	"quaestor/web/webtest"
)

func TestScheduleOfAProject(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	path := "/api/v1/projects/" + d.Project + "/schedule"
	if p := webtest.Fetch[web.Problem](d.World, http.StatusNotFound, webtest.Request{Path: path}); p.Code != "no_schedule" {
		t.Errorf("%+v", p)
	}
	put := func(status int, body map[string]any) map[string]any {
		return webtest.Fetch[map[string]any](d.World, status, webtest.Request{Method: http.MethodPut, Path: path, Body: body})
	}
	got := put(http.StatusOK, map[string]any{"cron": "0 6 * * 1", "zone": "Europe/Berlin"})
	if next, _ := got["next"].([]any); len(next) != 3 || got["maxSteps"] != float64(40) || got["paused"] != false {
		t.Errorf("%+v", got)
	}
	if bad := webtest.Fetch[web.Problem](d.World, http.StatusUnprocessableEntity, webtest.Request{Method: http.MethodPut, Path: path, Body: map[string]any{"cron": "* * * * *"}}); len(bad.Errors) != 1 || bad.Errors[0].Location != "cron" {
		t.Errorf("%+v", bad)
	}
	page := webtest.Words(d.Drawn("/data/projects/" + d.Project))
	if !strings.Contains(page, "The next times, in Europe/Berlin:") || strings.Count(page, ", 06:00") != 3 {
		t.Error(page)
	}
	for name, version := range map[string]any{"none": nil, "another": 7} {
		body := map[string]any{"cron": "@weekly"}
		if version != nil {
			body["version"] = version
		}
		if p := webtest.Fetch[web.Problem](d.World, http.StatusConflict, webtest.Request{Method: http.MethodPut, Path: path, Body: body}); p.Code != "schedule_changed" {
			t.Errorf("version %s: %+v", name, p)
		}
	}
	if got = put(http.StatusOK, map[string]any{"cron": "0 6 * * 1", "zone": "Europe/Berlin", "version": 1}); got["version"] != float64(2) {
		t.Errorf("changed, it is %+v", got)
	}
	resp, body := d.Post("/data/projects/"+d.Project+"/schedule", url.Values{"act": {"set"}, "cron": {"@yearly"}, "zone": {"UTC"}, "maxSteps": {"20"}, "version": {"1"}})
	if resp.StatusCode != http.StatusConflict || !strings.Contains(body, `value="@yearly"`) || !strings.Contains(body, `name="version" value="2"`) || !strings.Contains(body, "was changed by") {
		t.Errorf("changed meanwhile: %d %s", resp.StatusCode, body)
	}
	if resp, _ := d.Post("/data/projects/"+d.Project+"/schedule", url.Values{"act": {"pause"}, "version": {"2"}}); resp.StatusCode != http.StatusSeeOther {
		t.Errorf("paused: %d", resp.StatusCode)
	}
	if got := webtest.Fetch[map[string]any](d.World, http.StatusOK, webtest.Request{Path: path}); got["paused"] != true || got["cron"] != "0 6 * * 1" {
		t.Errorf("paused, it is %+v", got)
	}
	resp, body = d.Post("/data/projects/"+d.Project+"/schedule", url.Values{"act": {"set"}, "cron": {"at six"}, "zone": {"UTC"}, "maxSteps": {"20"}, "version": {"3"}})
	if resp.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(body, `value="at six"`) || !strings.Contains(body, `data-testid="fault-cron"`) {
		t.Errorf("nonsense: %d %s", resp.StatusCode, body)
	}
	if resp, _ := d.Post("/data/projects/"+d.Project+"/schedule", url.Values{"act": {"remove"}}); resp.StatusCode != http.StatusSeeOther {
		t.Errorf("removed: %d", resp.StatusCode)
	}
}

func TestModelOfAProject(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	path := "/api/v1/projects/" + d.Project + "/model"
	resp := d.Do(webtest.Request{Method: http.MethodPut, Path: path, Body: map[string]string{"name": "clerk", "baseUrl": "http://127.0.0.1:1/v1", "key": "sesame-open"}})
	if body := webtest.ReadAll(t, resp); resp.StatusCode != http.StatusOK || strings.Contains(body, "sesame") || !strings.Contains(body, `"hasKey":true`) || !strings.Contains(body, `"own":true`) {
		t.Errorf("%d %s", resp.StatusCode, body)
	}
	_, page := d.Post("/data/projects/"+d.Project+"/model", url.Values{"act": {"own"}, "name": {"clerk"}, "baseUrl": {"http://127.0.0.1:2/v1"}})
	if strings.Contains(page, "sesame") || !strings.Contains(page, "Has to be given again when the address changes.") {
		t.Errorf("another address without a key: %s", page)
	}
	if text := webtest.Words(d.Drawn("/data/projects/" + d.Project)); !strings.Contains(text, "a model of its own, clerk") || strings.Contains(text, "sesame") {
		t.Error(text)
	}
	webtest.Fetch[web.Problem](d.World, http.StatusUnprocessableEntity, webtest.Request{Method: http.MethodPut, Path: path, Body: map[string]string{"modelId": webtest.ForeignID}})
	if resp := d.Do(webtest.Request{Method: http.MethodDelete, Path: path}); resp.StatusCode != http.StatusNoContent {
		t.Errorf("deleted: %d", resp.StatusCode)
	}
	if got := webtest.Fetch[map[string]any](d.World, http.StatusOK, webtest.Request{Path: path}); got["own"] != false || got["modelId"] != nil {
		t.Errorf("%+v", got)
	}
}

// A run keeps to the lower of two budgets, its cost is told as it accrues, and by month; prices hold from
// when they are set.
func TestPricesBudgetsAndSpending(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	d.Mind.Replies = []string{webtest.Asks("orders by state", "SELECT state, count(*) AS n FROM shop.orders GROUP BY state ORDER BY n"), webtest.Asks("orders", "SELECT count(*) AS n FROM shop.orders"),
		webtest.Asks("orders by day", "SELECT day, total FROM shop.orders ORDER BY day")}
	p := webtest.Fetch[data.ProjectBody](d.World, http.StatusOK, webtest.Request{Path: "/api/v1/projects/" + d.Project})
	resp := d.Do(webtest.Request{Path: "/api/v1/projects/" + d.Project})
	webtest.Fetch[data.ProjectBody](d.World, http.StatusOK, webtest.Request{Method: http.MethodPut, Path: "/api/v1/projects/" + d.Project, Header: map[string]string{"If-Match": resp.Header.Get("ETag")},
		Body: map[string]any{"name": p.Name, "warehouseId": d.House, "budget": map[string]any{"tokens": 250, "usd": 5}}})
	if resp, _ := d.Post("/data/prices", url.Values{"of": {"new"}, "model": {"script"}, "in": {"10"}, "cached": {"1"}, "out": {"20,5"}}); resp.StatusCode != http.StatusSeeOther {
		t.Errorf("a price: %d", resp.StatusCode)
	}
	if list := webtest.Fetch[web.Page[map[string]any]](d.World, http.StatusOK, webtest.Request{Path: "/api/v1/prices"}); len(list.Items) != 1 || list.Items[0]["out"] != 20.5 {
		t.Errorf("%+v", list)
	}
	if text := webtest.Words(d.Drawn("/data/prices")); !strings.Contains(text, "script") || !strings.Contains(text, "Shop (PostgreSQL) No price is set.") {
		t.Error(text)
	}
	if resp, body := d.Post("/data/prices", url.Values{"of": {"new"}, "model": {"other"}, "in": {"much"}}); resp.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(body, "Is a number such as 12.5, or empty.") {
		t.Errorf("a price that is none: %d", resp.StatusCode)
	}
	d.Work()
	run := d.Start(map[string]any{"maxSteps": 10, "budget": map[string]any{"tokens": 1000, "usd": 1}})
	events := d.Until(run.ID, "finished")
	counted := false
	for _, e := range events {
		asked, _ := e.Data["asked"].(map[string]any)
		counted = counted || e.Data["type"] == "counters" && asked["statements"] != nil
	}
	if !counted {
		t.Error("no event tells what the statements took")
	}
	run = webtest.Fetch[data.ExplorationBody](d.World, http.StatusOK, webtest.Request{Path: "/api/v1/runs/" + run.ID})
	if run.StopReason != runs.StopTokens || run.RunType != runs.PartialOutcome || run.Budget.Tokens != 250 || run.Budget.USD != 1 || run.Total.Statements != 2 || run.Total.UnpricedStatements != 2 || run.Total.Unpriced == 0 && run.Total.USD == 0 {
		t.Errorf("%+v", run)
	}
	months := webtest.Fetch[web.Page[map[string]any]](d.World, http.StatusOK, webtest.Request{Path: "/api/v1/spending?projectId=" + d.Project})
	if len(months.Items) != 1 || months.Items[0]["runs"] != float64(1) {
		t.Errorf("%+v", months)
	}
	if text := webtest.Words(d.Drawn("/data/projects/" + d.Project)); !strings.Contains(text, "What it has cost") || !strings.Contains(text, "no price is set") {
		t.Error(text)
	}
}

func TestRunIsEstimatedOnThePage(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	page := webtest.Words(d.Drawn("/data/projects/" + d.Project))
	if strings.Contains(page, "What it is likely to use") {
		t.Error("an estimate nobody asked for")
	}
	resp, body := d.Post("/data/projects/"+d.Project+"/estimate", url.Values{"maxSteps": {"20"}, "minSteps": {"3"}, "areas": {"comparison"}})
	if resp.StatusCode != http.StatusOK || !strings.Contains(body, `data-testid="estimate"`) || !strings.Contains(body, `value="3"`) || !strings.Contains(body, "no price is set") {
		t.Errorf("%d %s", resp.StatusCode, body)
	}
	got := webtest.Fetch[map[string]any](d.World, http.StatusOK, webtest.Request{Path: "/api/v1/projects/" + d.Project + "/estimate", Body: map[string]any{"maxSteps": 20}})
	if phases, _ := got["phases"].([]any); len(phases) != 3 || got["basis"] != "catalog" {
		t.Errorf("%+v", got)
	}
}

// Nobody moves a project by hand to a state that its work has not reached.
func TestStatesAreNotSetByHand(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	draft := webtest.Fetch[data.ProjectBody](d.World, http.StatusCreated, webtest.Request{Path: "/api/v1/projects", Body: map[string]any{"name": "Draft", "warehouseId": d.House, "state": "pack_generation_pending"}})
	for state, code := range map[string]string{"pack_generation_done": "project_state", "pack_generation_pending": "project_state", "ready": "project_state"} {
		if p := webtest.Fetch[web.Problem](d.World, http.StatusConflict, webtest.Request{Path: "/api/v1/projects/" + draft.ID + "/state", Body: map[string]string{"state": state}}); p.Code != code {
			t.Errorf("%s: %+v", state, p)
		}
	}
	if p := webtest.Fetch[web.Problem](d.World, http.StatusConflict, webtest.Request{Path: "/api/v1/projects/" + draft.ID + "/state", Body: map[string]string{"state": "pack_generation"}}); p.Code != "pack_to_draft" || !strings.Contains(p.Detail, "choose it for this project") {
		t.Errorf("%+v", p)
	}
	webtest.Fetch[web.Problem](d.World, http.StatusConflict, webtest.Request{Path: "/api/v1/projects/" + draft.ID + "/runs", Body: map[string]any{}})
}

// A project that waits for a pack says what to do about it, and is ready with the one that is chosen.
func TestProjectThatWaitsForAPackIsNoDeadEnd(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	const projectsPath = "/api/v1/projects"
	draft := webtest.Fetch[data.ProjectBody](d.World, http.StatusCreated, webtest.Request{Path: projectsPath, Body: map[string]any{"name": "Draft", "warehouseId": d.House, "state": "pack_generation_pending"}})
	page := d.Drawn("/data/projects/" + draft.ID)
	if text := webtest.Words(page); !strings.Contains(text, "It waits for a pack") || !strings.Contains(text, "Draft one") || strings.Contains(text, "still being made") {
		t.Errorf("its page: %s", text)
	}
	one := projectsPath + "/" + draft.ID
	change := func(body map[string]any) data.ProjectBody {
		body["name"], body["warehouseId"] = "Draft", d.House
		tag := d.Do(webtest.Request{Path: one}).Header.Get("ETag")
		return webtest.Fetch[data.ProjectBody](d.World, http.StatusOK, webtest.Request{Method: http.MethodPut, Path: one, Body: body, Header: map[string]string{"If-Match": tag}})
	}
	if p := change(map[string]any{"pack": draft.Pack, "language": "de"}); p.State != "pack_generation_pending" {
		t.Errorf("another language makes it %s", p.State)
	}
	const other = "ecommerce"
	if p := change(map[string]any{"pack": other}); p.State != "ready" {
		t.Errorf("with the pack %s it is %s", other, p.State)
	}
	if text := webtest.Words(d.Drawn("/data/projects/" + draft.ID)); strings.Contains(text, "It waits for a pack") {
		t.Errorf("its page then: %s", text)
	}
}
