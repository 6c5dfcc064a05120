package data_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/auth"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/research/warehouse/runs"
	"quaestor/web"
	"quaestor/web/data"
	"quaestor/web/webtest"
)

func TestRunIsStartedWatchedAndRead(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	d.Mind.Replies = []string{
		webtest.Asks("orders by state", "SELECT state, count(*) AS n, sum(total) AS total FROM shop.orders GROUP BY state ORDER BY n DESC"),
		webtest.Asks("orders by day", "SELECT day, total FROM shop.orders ORDER BY day"),
		webtest.Asks("a column that is not there", "SELECT nonsense FROM shop.orders"),
	}
	d.Work()
	run := d.Start(map[string]any{"maxSteps": 10})
	events := d.Until(run.ID, "finished")

	for i, e := range events {
		if e.ID != strconv.Itoa(i+1) {
			t.Fatalf("event %d has the id %s", i+1, e.ID)
		}
	}
	rest := d.Stream(webtest.Request{Path: "/api/v1/runs/" + run.ID + "/events", Header: map[string]string{"Last-Event-ID": events[3].ID}}).UntilType("finished")
	if len(rest) != len(events)-4 || rest[0].Raw != events[4].Raw {
		t.Errorf("after event 4 came %d events of %d", len(rest), len(events))
	}
	run = webtest.Fetch[data.ExplorationBody](d.World, http.StatusOK, webtest.Request{Path: "/api/v1/runs/" + run.ID})
	if run.Status != runs.Completed || run.Counters.SuccessfulQueries != 2 || run.Counters.FailedQueries != 1 || run.Counters.Tokens == 0 {
		t.Errorf("%+v", run)
	}
	steps := webtest.Fetch[web.Page[data.ExplorationStep]](d.World, http.StatusOK, webtest.Request{Path: "/api/v1/runs/" + run.ID + "/steps?since=1"})
	if len(steps.Items) != 3 || steps.Items[0].N != 2 || steps.Items[0].Rows != 4 || steps.Items[1].Class != "unknown_column" {
		t.Errorf("%+v", steps)
	}
	d.CheckRunPage(run.ID)
}

// A step tells all of its dialogue: what the analyst replied word for word, how often it had to be asked for something
// readable, and how many tables it searched for.
func TestStepTellsItsDialogue(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	search := `{"thinking": "What of states?", "search_tables": "state of orders", "search_top_k": 7}`
	d.Mind.Replies = []string{"Let me think.", search}
	d.Work()
	run := d.Start(map[string]any{"maxSteps": 10})
	d.Until(run.ID, "finished")
	steps := webtest.Fetch[web.Page[data.ExplorationStep]](d.World, http.StatusOK, webtest.Request{Path: "/api/v1/runs/" + run.ID + "/steps"})
	if len(steps.Items) < 2 {
		t.Fatalf("%+v", steps)
	}
	if s := steps.Items[0]; s.Reply != "Let me think." || s.Corrections != 3 { // the script says it as often as it is asked
		t.Errorf("unreadable: %+v", s)
	}
	if s := steps.Items[1]; s.Reply != search || s.Corrections != 0 || s.TopK != 7 || s.Search != "state of orders" {
		t.Errorf("a search: %+v", s)
	}
}

func TestRunIsPausedResumedAndCancelled(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	run := d.Start(nil)
	paused := webtest.Fetch[data.ExplorationBody](d.World, http.StatusOK, webtest.Request{Method: http.MethodPost, Path: "/api/v1/runs/" + run.ID + "/pause"})
	if paused.Status != runs.Paused {
		t.Fatalf("paused, it is %s", paused.Status)
	}
	again := webtest.Fetch[web.Problem](d.World, http.StatusConflict, webtest.Request{Method: http.MethodPost, Path: "/api/v1/runs/" + run.ID + "/pause"})
	if again.Code != "run_paused" {
		t.Errorf("paused twice: %+v", again)
	}
	page, body := d.Post("/data/runs/"+run.ID+"/pause", nil)
	if page.StatusCode != http.StatusConflict || !strings.Contains(body, "This run is paused and cannot be paused.") || !strings.Contains(body, `data-testid="resume"`) {
		t.Errorf("on the page: %d %s", page.StatusCode, body)
	}
	if resumed := webtest.Fetch[data.ExplorationBody](d.World, http.StatusOK, webtest.Request{Method: http.MethodPost, Path: "/api/v1/runs/" + run.ID + "/resume"}); resumed.Status != runs.Pending {
		t.Errorf("resumed, it is %s", resumed.Status)
	}
	if resp, _ := d.Post("/data/runs/"+run.ID+"/cancel", nil); resp.Header.Get("Location") != "/data/runs/"+run.ID+"?done=cancelled" {
		t.Errorf("cancelled: %d to %s", resp.StatusCode, resp.Header.Get("Location"))
	}
	if resp, body := d.Post("/data/runs/"+run.ID+"/delete", nil); resp.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(body, "Tick the box") {
		t.Errorf("deleted without a tick: %d", resp.StatusCode)
	}
	if resp, _ := d.Post("/data/runs/"+run.ID+"/delete", url.Values{"sure": {"yes"}}); resp.StatusCode != http.StatusSeeOther {
		t.Errorf("deleted: %d", resp.StatusCode)
	}
	if resp := d.Do(webtest.Request{Path: "/api/v1/runs/" + run.ID}); resp.StatusCode != http.StatusNotFound {
		t.Errorf("after that it answers %d", resp.StatusCode)
	}
}

func TestOrdersThatCannotBe(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	path := "/api/v1/projects/" + d.Project + "/runs"
	for name, c := range map[string]struct {
		body   map[string]any
		status int
		field  string
	}{
		"an area that is not there": {map[string]any{"areas": []string{"nonsense"}}, http.StatusUnprocessableEntity, "areas"},
		"too many steps":            {map[string]any{"maxSteps": 1001}, http.StatusUnprocessableEntity, "body.maxSteps"},
		"more at least than most":   {map[string]any{"maxSteps": 5, "minSteps": 6}, http.StatusUnprocessableEntity, "minSteps"},
	} {
		p := webtest.Fetch[web.Problem](d.World, c.status, webtest.Request{Path: path, Body: c.body})
		if len(p.Errors) == 0 || p.Errors[0].Location != c.field {
			t.Errorf("%s: %+v", name, p)
		}
	}
	key := map[string]string{"Idempotency-Key": "one"}
	first := webtest.Fetch[data.ExplorationBody](d.World, http.StatusCreated, webtest.Request{Path: path, Body: map[string]any{"maxSteps": 7}, Header: key})
	if again := webtest.Fetch[data.ExplorationBody](d.World, http.StatusOK, webtest.Request{Path: path, Body: map[string]any{"maxSteps": 7}, Header: key}); again.ID != first.ID {
		t.Errorf("the same request made %s and %s", first.ID, again.ID)
	}
	webtest.Fetch[web.Problem](d.World, http.StatusUnprocessableEntity, webtest.Request{Path: path, Body: map[string]any{"maxSteps": 8}, Header: key})
	resp, body := d.Post("/data/projects/"+d.Project+"/runs", url.Values{"maxSteps": {"20"}, "minSteps": {"many"}, "areas": {"comparison"}})
	if resp.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(body, `value="many"`) || !strings.Contains(body, "Is a whole number, or empty.") {
		t.Errorf("a number that is none: %d %s", resp.StatusCode, body)
	}
}

func TestStepsAreJudged(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	d.Mind.Replies = []string{webtest.Asks("orders", "SELECT count(*) AS n FROM shop.orders")}
	d.Work()
	run := d.Start(nil)
	d.Until(run.ID, "finished")
	at := "/api/v1/runs/" + run.ID + "/steps/1/feedback"
	if resp := d.Do(webtest.Request{Path: at, Body: map[string]string{"vote": "like", "comment": "Go on with this"}}); resp.StatusCode != http.StatusNoContent {
		t.Fatalf("liked: %d", resp.StatusCode)
	}
	list := webtest.Fetch[web.Page[data.OpinionBody]](d.World, http.StatusOK, webtest.Request{Path: "/api/v1/runs/" + run.ID + "/feedback"})
	if len(list.Items) != 1 || list.Items[0].Ref != "1" || list.Items[0].Comment != "Go on with this" {
		t.Errorf("%+v", list)
	}
	if text := webtest.Words(d.Drawn("/data/runs/" + run.ID)); !strings.Contains(text, "1 found it useful") || !strings.Contains(text, "Go on with this") {
		t.Error(text)
	}
	resp, body := d.Post("/data/runs/"+run.ID+"/steps/1/feedback", url.Values{"vote": {"dislike"}, "comment": {strings.Repeat("x", 2001)}})
	if resp.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(body, strings.Repeat("x", 2001)) {
		t.Errorf("a comment that is too long: %d", resp.StatusCode)
	}
	if resp := d.Do(webtest.Request{Path: "/api/v1/runs/" + run.ID + "/steps/77/feedback", Body: map[string]string{"vote": "like"}}); resp.StatusCode != http.StatusNotFound {
		t.Errorf("a step that is not there: %d", resp.StatusCode)
	}
}

func TestProjectFormComesBackAsItWasTyped(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	typed := url.Values{"name": {"Orders <1>"}, "warehouse": {d.House}, "pack": {"gaming/casual"}, "language": {"en"}, "profile.game": {"Jump & run"}, "profile.churned_after_days": {"7"},
		"profile.platforms": {"ios", "web"}, "profile.leave_out": {"test accounts\r\n\r\nbots"}, "profile.metrics": {`[{"name":"ARPU"}]`}}
	resp, body := d.Post("/data/projects", typed)
	if resp.StatusCode != http.StatusConflict || !strings.Contains(body, "Another project has this name.") || !strings.Contains(body, "Jump &amp; run") || !strings.Contains(body, `value="web" checked`) {
		t.Fatalf("a name that is taken: %d %s", resp.StatusCode, body)
	}
	coded := webtest.TestIDs(t, body, "coded-fields")
	if len(coded) != 1 || len(webtest.Pieces(coded[0], "profile.metrics")) != 1 || len(webtest.Pieces(coded[0], "profile.game")) != 0 || strings.Contains(body, `<details class="more" open`) {
		t.Error("what is typed as JSON is not folded away from the rest")
	}
	typed.Set("name", "Game")
	typed.Set("profile.metrics", `[{"meaning":"nameless"}]`)
	if resp, body = d.Post("/data/projects", typed); resp.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(body, `data-testid="fault-profile.metrics"`) {
		t.Fatalf("a profile that is not as the pack wants: %d", resp.StatusCode)
	}
	if !strings.Contains(body, `<details class="more" open`) {
		t.Error("what was refused is folded away")
	}
	typed.Set("profile.metrics", `[{"name":"ARPU"}]`)
	typed.Set("profile.churned_after_days", "a week")
	if resp, body = d.Post("/data/projects", typed); resp.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(body, "Is a number, such as 15 or 2.5.") {
		t.Fatalf("a number that is none: %d", resp.StatusCode)
	}
	typed.Set("profile.churned_after_days", "7")
	if resp, _ = d.Post("/data/projects", typed); resp.StatusCode != http.StatusSeeOther {
		t.Fatalf("made: %d", resp.StatusCode)
	}
	id := strings.TrimSuffix(strings.TrimPrefix(resp.Header.Get("Location"), "/data/projects/"), "?done=made")
	p := webtest.Fetch[data.ProjectBody](d.World, http.StatusOK, webtest.Request{Path: "/api/v1/projects/" + id})
	want := `{"churned_after_days":7,"game":"Jump \u0026 run","leave_out":["test accounts","bots"],"metrics":[{"name":"ARPU"}],"platforms":["ios","web"]}`
	if diff := cmp.Diff(webtest.CompactJSON(t, []byte(want)), webtest.CompactJSON(t, p.Profile)); diff != "" || p.Category != "casual" {
		t.Errorf("%s %s", p.Category, p.Profile)
	}
	root := d.Drawn("/data/projects/" + id)
	if text := webtest.Words(root); !strings.Contains(text, "test accounts") || !strings.Contains(text, "Gaming: Casual") {
		t.Error(text)
	}
}

func TestProjectsAreChangedByWhoSawThem(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	path := "/api/v1/projects/" + d.Project
	body := map[string]any{"name": "Renamed", "warehouseId": d.House}
	resp := d.Do(webtest.Request{Path: path})
	tag := resp.Header.Get("ETag")
	for name, value := range map[string]any{"profile": map[string]string{"subject": "a\x00b"}, "prompts": map[string]string{"exploration": "\x00"}, "datasets": []string{"\x00"}} {
		if p := webtest.Fetch[web.Problem](d.World, http.StatusBadRequest, webtest.Request{Method: http.MethodPost, Path: "/api/v1/projects", Body: map[string]any{"name": name, "warehouseId": d.House, name: value}}); p.Code != "nul_character" {
			t.Errorf("%s with NUL: %+v", name, p)
		}
	}
	webtest.Fetch[web.Problem](d.World, http.StatusPreconditionRequired, webtest.Request{Method: http.MethodPut, Path: path, Body: body})
	p := webtest.Fetch[data.ProjectBody](d.World, http.StatusOK, webtest.Request{Method: http.MethodPut, Path: path, Body: body, Header: map[string]string{"If-Match": tag}})
	if p.Name != "Renamed" || p.Version != 2 {
		t.Errorf("%+v", p)
	}
	webtest.Fetch[web.Problem](d.World, http.StatusPreconditionFailed, webtest.Request{Method: http.MethodPut, Path: path, Body: body, Header: map[string]string{"If-Match": tag}})
	if moved := webtest.Fetch[web.Problem](d.World, http.StatusConflict, webtest.Request{Path: path + "/state", Body: map[string]string{"state": "pack_generation"}}); moved.Code != "project_state" {
		t.Errorf("%+v", moved)
	}
	if resp, _ := d.Post("/data/projects/"+d.Project+"/delete", url.Values{"sure": {"yes"}}); resp.StatusCode != http.StatusSeeOther {
		t.Errorf("deleted: %d", resp.StatusCode)
	}
	if list := webtest.Fetch[web.Page[data.ProjectBody]](d.World, http.StatusOK, webtest.Request{Path: "/api/v1/projects"}); len(list.Items) != 0 {
		t.Errorf("%+v", list)
	}
}

func TestPacksAreExchanged(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	if list := webtest.Fetch[web.Page[data.PackBody]](w, http.StatusOK, webtest.Request{Path: "/api/v1/domain-packs"}); len(list.Items) < 4 {
		t.Errorf("%+v", list)
	}
	one := webtest.Fetch[data.PackContent](w, http.StatusOK, webtest.Request{Path: "/api/v1/domain-packs/operations"})
	if len(one.Areas) == 0 || len(one.Categories) == 0 || len(one.Categories[0].Areas) <= len(one.Areas)-1 {
		t.Errorf("%+v", one)
	}
	envelope := webtest.ReadAll(t, w.Do(webtest.Request{Path: "/api/v1/domain-packs/operations/export"}))
	changed := strings.Replace(envelope, `"version":"1.0.0"`, `"version":"9.1.0"`, 1)
	if resp := w.Do(webtest.Request{Path: "/api/v1/domain-packs/import", Body: changed}); resp.StatusCode != http.StatusCreated {
		t.Fatalf("imported: %d %s", resp.StatusCode, webtest.ReadAll(t, resp))
	}
	if one = webtest.Fetch[data.PackContent](w, http.StatusOK, webtest.Request{Path: "/api/v1/domain-packs/operations?version=9.1.0"}); one.Version != "9.1.0" {
		t.Errorf("%+v", one)
	}
	webtest.Fetch[web.Problem](w, http.StatusUnprocessableEntity, webtest.Request{Path: "/api/v1/domain-packs/import", Body: `{"format":"x"}`})
	webtest.Fetch[web.Problem](w, http.StatusNotFound, webtest.Request{Path: "/api/v1/domain-packs/nonsense"})
}

func TestTablesOfAWarehouseAreListedAndFound(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	path := "/api/v1/warehouses/" + d.House
	if list := webtest.Fetch[web.Page[data.TableBody]](d.World, http.StatusOK, webtest.Request{Path: path + "/tables"}); len(list.Items) != 1 || list.Items[0].Ref != "shop.orders" || list.Items[0].Columns != 4 {
		t.Errorf("%+v", list)
	}
	if list := webtest.Fetch[web.Page[data.TableBody]](d.World, http.StatusOK, webtest.Request{Path: path + "/tables?search=orders"}); len(list.Items) != 1 || list.Items[0].Because == "" {
		t.Errorf("%+v", list)
	}
	if list := webtest.Fetch[web.Page[data.DriftBody]](d.World, http.StatusOK, webtest.Request{Path: path + "/drift"}); len(list.Items) != 1 || list.Items[0].Added != 1 {
		t.Errorf("%+v", list)
	}
	if now := webtest.Fetch[data.Refreshing](d.World, http.StatusAccepted, webtest.Request{Method: http.MethodPost, Path: path + "/refresh"}); !now.Running {
		t.Error("nothing reads its tables")
	}
}

func TestDataIsOfOneOrganisationAndItsReviewers(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	run := d.Start(nil)
	stranger := d.As(postgrestest.Tenant(t, d.Pool), "mallory", auth.Owner)
	member := d.As(d.Tenant, "mia", auth.Member)
	reviewer := d.As(d.Tenant, "rita", auth.Reviewer)
	for _, path := range []string{"/api/v1/projects/" + d.Project, "/api/v1/projects/" + d.Project + "/runs", "/api/v1/runs/" + run.ID, "/api/v1/runs/" + run.ID + "/steps", "/api/v1/runs/" + run.ID + "/feedback",
		"/api/v1/runs/" + run.ID + "/events", "/api/v1/warehouses/" + d.House + "/tables", "/api/v1/warehouses/" + d.House + "/drift", "/data/projects/" + d.Project, "/data/runs/" + run.ID, "/data/runs/" + run.ID + "/live"} {
		if resp := stranger.Do(webtest.Request{Path: path}); resp.StatusCode != http.StatusNotFound {
			t.Errorf("%s shows a stranger %d", path, resp.StatusCode)
		}
		if resp := member.Do(webtest.Request{Path: path}); resp.StatusCode != http.StatusForbidden {
			t.Errorf("%s shows a member %d", path, resp.StatusCode)
		}
		if strings.HasSuffix(path, "/events") {
			continue
		}
		if resp := reviewer.Do(webtest.Request{Path: path}); resp.StatusCode != http.StatusOK {
			t.Errorf("%s shows a reviewer %d", path, resp.StatusCode)
		}
	}
	for _, act := range []string{"pause", "resume", "cancel"} {
		if resp := stranger.Do(webtest.Request{Method: http.MethodPost, Path: "/api/v1/runs/" + run.ID + "/" + act}); resp.StatusCode != http.StatusNotFound {
			t.Errorf("%s by a stranger: %d", act, resp.StatusCode)
		}
	}
	if resp := stranger.Do(webtest.Request{Method: http.MethodDelete, Path: "/api/v1/runs/" + run.ID}); resp.StatusCode != http.StatusNotFound {
		t.Errorf("deleted by a stranger: %d", resp.StatusCode)
	}
	if resp := reviewer.Do(webtest.Request{Method: http.MethodPost, Path: "/api/v1/warehouses/" + d.House + "/refresh"}); resp.StatusCode != http.StatusForbidden {
		t.Errorf("refreshed by a reviewer: %d", resp.StatusCode)
	}
	if resp := stranger.Do(webtest.Request{Path: "/api/v1/projects", Body: map[string]string{"name": "Theirs", "warehouseId": d.House}}); resp.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("a project over a stranger's warehouse: %d", resp.StatusCode)
	}
	if text := webtest.Words(d.Drawn("/data")); !strings.Contains(text, "Orders <1>") || !strings.Contains(text, "Under way") {
		t.Error(text)
	}
	if resp := d.Do(webtest.Request{Path: "/api/v1/runs/" + webtest.ForeignID + "/events?after=x"}); resp.StatusCode != http.StatusNotFound {
		t.Errorf("a run that is not there: %d", resp.StatusCode)
	}
	if p := webtest.Fetch[web.Problem](d.World, http.StatusBadRequest, webtest.Request{Path: "/api/v1/runs/" + run.ID + "/events?after=99"}); p.Code != "bad_last_event_id" {
		t.Errorf("%+v", p)
	}
}

func TestFirstVisitSaysWhatThisIs(t *testing.T) {
	t.Parallel()

	text := webtest.Words(webtest.Open(t, webtest.Terms{}).Drawn("/data"))
	if !strings.Contains(text, "Connect a data warehouse") || !strings.Contains(text, "Begin here") || !strings.Contains(text, "built without DuckDB") {
		t.Error(text)
	}
}
