package web

import (
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/auth"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/research/warehouse/runs"
)

const foreignID = "00000000-0000-4000-8000-000000000000"

func TestRunIsStartedWatchedAndRead(t *testing.T) {
	t.Parallel()

	d := openData(t)
	d.mind.replies = []string{
		asks("orders by state", "SELECT state, count(*) AS n, sum(total) AS total FROM shop.orders GROUP BY state ORDER BY n DESC"),
		asks("orders by day", "SELECT day, total FROM shop.orders ORDER BY day"),
		asks("a column that is not there", "SELECT nonsense FROM shop.orders"),
	}
	d.work()
	run := d.start(map[string]any{"maxSteps": 10})
	events := d.until(run.ID, "finished")

	for i, e := range events {
		if e.ID != strconv.Itoa(i+1) {
			t.Fatalf("event %d has the id %s", i+1, e.ID)
		}
	}
	rest := d.stream(request{path: "/api/v1/runs/" + run.ID + "/events", header: map[string]string{"Last-Event-ID": events[3].ID}}).untilType("finished")
	if len(rest) != len(events)-4 || rest[0].Raw != events[4].Raw {
		t.Errorf("after event 4 came %d events of %d", len(rest), len(events))
	}
	run = fetch[explorationBody](d.world, http.StatusOK, request{path: "/api/v1/runs/" + run.ID})
	if run.Status != runs.Completed || run.Counters.SuccessfulQueries != 2 || run.Counters.FailedQueries != 1 || run.Counters.Tokens == 0 {
		t.Errorf("%+v", run)
	}
	steps := fetch[page[explorationStep]](d.world, http.StatusOK, request{path: "/api/v1/runs/" + run.ID + "/steps?since=1"})
	if len(steps.Items) != 3 || steps.Items[0].N != 2 || steps.Items[0].Rows != 4 || steps.Items[1].Class != "unknown_column" {
		t.Errorf("%+v", steps)
	}
	d.checkRunPage(run.ID)
}

// checkRunPage looks at the page of the run above.
func (d *dataWorld) checkRunPage(id string) {
	d.t.Helper()
	text := words(d.drawn("/data/runs/" + id))
	for _, want := range []string{"Done", "Orders by state", "<b>open</b>", "To see it <i>well</i>.", "A column that is not there", "All (4)", "Findings (2)", "Errors (1)", "That is all there is."} {
		if !strings.Contains(text, want) {
			d.t.Errorf("the page does not say %q: %s", want, text)
		}
	}
	if text := words(d.drawn("/data/runs/" + id + "?show=errors")); strings.Contains(text, "Orders by state") || !strings.Contains(text, "nonsense") {
		d.t.Errorf("errors are %s", text)
	}
	live := words(d.drawn("/data/runs/" + id + "/live?since=2"))
	if strings.Contains(live, "Orders by day") || !strings.Contains(live, "nonsense") {
		d.t.Errorf("after step 2 comes %s", live)
	}
	if text := words(d.drawn("/data/runs/" + id + "/steps/2")); !strings.Contains(text, "2026-01-01") || !strings.Contains(text, "A line of total from 2026-01-01 to 2026-01-04: between 5 and 30.") {
		d.t.Errorf("step 2 is %s", text)
	}
	if resp := d.do(request{path: "/data/runs/" + id + "/steps/99"}); resp.StatusCode != http.StatusNotFound {
		d.t.Errorf("a step that is not there answers %d", resp.StatusCode)
	}
}

func TestRunIsPausedResumedAndCancelled(t *testing.T) {
	t.Parallel()

	d := openData(t)
	run := d.start(nil)
	paused := fetch[explorationBody](d.world, http.StatusOK, request{method: http.MethodPost, path: "/api/v1/runs/" + run.ID + "/pause"})
	if paused.Status != runs.Paused {
		t.Fatalf("paused, it is %s", paused.Status)
	}
	again := fetch[problem](d.world, http.StatusConflict, request{method: http.MethodPost, path: "/api/v1/runs/" + run.ID + "/pause"})
	if again.Code != "run_paused" {
		t.Errorf("paused twice: %+v", again)
	}
	page, body := d.post("/data/runs/"+run.ID+"/pause", nil)
	if page.StatusCode != http.StatusConflict || !strings.Contains(body, "This run is paused and cannot be paused.") || !strings.Contains(body, `data-testid="resume"`) {
		t.Errorf("on the page: %d %s", page.StatusCode, body)
	}
	if resumed := fetch[explorationBody](d.world, http.StatusOK, request{method: http.MethodPost, path: "/api/v1/runs/" + run.ID + "/resume"}); resumed.Status != runs.Pending {
		t.Errorf("resumed, it is %s", resumed.Status)
	}
	if resp, _ := d.post("/data/runs/"+run.ID+"/cancel", nil); resp.Header.Get("Location") != "/data/runs/"+run.ID+"?done=cancelled" {
		t.Errorf("cancelled: %d to %s", resp.StatusCode, resp.Header.Get("Location"))
	}
	if resp, body := d.post("/data/runs/"+run.ID+"/delete", nil); resp.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(body, "Tick the box") {
		t.Errorf("deleted without a tick: %d", resp.StatusCode)
	}
	if resp, _ := d.post("/data/runs/"+run.ID+"/delete", url.Values{"sure": {"yes"}}); resp.StatusCode != http.StatusSeeOther {
		t.Errorf("deleted: %d", resp.StatusCode)
	}
	if resp := d.do(request{path: "/api/v1/runs/" + run.ID}); resp.StatusCode != http.StatusNotFound {
		t.Errorf("after that it answers %d", resp.StatusCode)
	}
}

// readAll is the body of an answer.
func readAll(t testing.TB, resp *http.Response) string {
	t.Helper()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// post sends a form as a browser does.
func (d *dataWorld) post(path string, form url.Values) (*http.Response, string) {
	d.t.Helper()
	resp := d.do(request{method: http.MethodPost, path: path, body: form.Encode(), header: map[string]string{"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html", "Sec-Fetch-Site": "same-origin"}})
	return resp, readAll(d.t, resp)
}

func TestOrdersThatCannotBe(t *testing.T) {
	t.Parallel()

	d := openData(t)
	path := "/api/v1/projects/" + d.project + "/runs"
	for name, c := range map[string]struct {
		body   map[string]any
		status int
		field  string
	}{
		"an area that is not there": {map[string]any{"areas": []string{"nonsense"}}, http.StatusUnprocessableEntity, "areas"},
		"too many steps":            {map[string]any{"maxSteps": 1001}, http.StatusUnprocessableEntity, "body.maxSteps"},
		"more at least than most":   {map[string]any{"maxSteps": 5, "minSteps": 6}, http.StatusUnprocessableEntity, "minSteps"},
	} {
		p := fetch[problem](d.world, c.status, request{path: path, body: c.body})
		if len(p.Errors) == 0 || p.Errors[0].Location != c.field {
			t.Errorf("%s: %+v", name, p)
		}
	}
	key := map[string]string{"Idempotency-Key": "one"}
	first := fetch[explorationBody](d.world, http.StatusCreated, request{path: path, body: map[string]any{"maxSteps": 7}, header: key})
	if again := fetch[explorationBody](d.world, http.StatusOK, request{path: path, body: map[string]any{"maxSteps": 7}, header: key}); again.ID != first.ID {
		t.Errorf("the same request made %s and %s", first.ID, again.ID)
	}
	fetch[problem](d.world, http.StatusUnprocessableEntity, request{path: path, body: map[string]any{"maxSteps": 8}, header: key})
	resp, body := d.post("/data/projects/"+d.project+"/runs", url.Values{"maxSteps": {"20"}, "minSteps": {"many"}, "areas": {"comparison"}})
	if resp.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(body, `value="many"`) || !strings.Contains(body, "Is a whole number, or empty.") {
		t.Errorf("a number that is none: %d %s", resp.StatusCode, body)
	}
}

func TestStepsAreJudged(t *testing.T) {
	t.Parallel()

	d := openData(t)
	d.mind.replies = []string{asks("orders", "SELECT count(*) AS n FROM shop.orders")}
	d.work()
	run := d.start(nil)
	d.until(run.ID, "finished")
	at := "/api/v1/runs/" + run.ID + "/steps/1/feedback"
	if resp := d.do(request{path: at, body: map[string]string{"vote": "like", "comment": "Go on with this"}}); resp.StatusCode != http.StatusNoContent {
		t.Fatalf("liked: %d", resp.StatusCode)
	}
	list := fetch[page[opinionBody]](d.world, http.StatusOK, request{path: "/api/v1/runs/" + run.ID + "/feedback"})
	if len(list.Items) != 1 || list.Items[0].Ref != "1" || list.Items[0].Comment != "Go on with this" {
		t.Errorf("%+v", list)
	}
	if text := words(d.drawn("/data/runs/" + run.ID)); !strings.Contains(text, "1 found it useful") || !strings.Contains(text, "Go on with this") {
		t.Error(text)
	}
	resp, body := d.post("/data/runs/"+run.ID+"/steps/1/feedback", url.Values{"vote": {"dislike"}, "comment": {strings.Repeat("x", 2001)}})
	if resp.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(body, strings.Repeat("x", 2001)) {
		t.Errorf("a comment that is too long: %d", resp.StatusCode)
	}
	if resp := d.do(request{path: "/api/v1/runs/" + run.ID + "/steps/77/feedback", body: map[string]string{"vote": "like"}}); resp.StatusCode != http.StatusNotFound {
		t.Errorf("a step that is not there: %d", resp.StatusCode)
	}
}

func TestProjectFormComesBackAsItWasTyped(t *testing.T) {
	t.Parallel()

	d := openData(t)
	typed := url.Values{"name": {"Orders <1>"}, "warehouse": {d.house}, "pack": {"gaming/casual"}, "language": {"en"}, "profile.game": {"Jump & run"}, "profile.churned_after_days": {"7"},
		"profile.platforms": {"ios", "web"}, "profile.leave_out": {"test accounts\r\n\r\nbots"}, "profile.metrics": {`[{"name":"ARPU"}]`}}
	resp, body := d.post("/data/projects", typed)
	if resp.StatusCode != http.StatusConflict || !strings.Contains(body, "Another project has this name.") || !strings.Contains(body, "Jump &amp; run") || !strings.Contains(body, `value="web" checked`) {
		t.Fatalf("a name that is taken: %d %s", resp.StatusCode, body)
	}
	coded := testIDs(t, body, "coded-fields")
	if len(coded) != 1 || len(pieces(coded[0], "profile.metrics")) != 1 || len(pieces(coded[0], "profile.game")) != 0 || strings.Contains(body, `<details class="more" open`) {
		t.Error("what is typed as JSON is not folded away from the rest")
	}
	typed.Set("name", "Game")
	typed.Set("profile.metrics", `[{"meaning":"nameless"}]`)
	if resp, body = d.post("/data/projects", typed); resp.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(body, `data-testid="fault-profile.metrics"`) {
		t.Fatalf("a profile that is not as the pack wants: %d", resp.StatusCode)
	}
	if !strings.Contains(body, `<details class="more" open`) {
		t.Error("what was refused is folded away")
	}
	typed.Set("profile.metrics", `[{"name":"ARPU"}]`)
	typed.Set("profile.churned_after_days", "a week")
	if resp, body = d.post("/data/projects", typed); resp.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(body, "Is a number, such as 15 or 2.5.") {
		t.Fatalf("a number that is none: %d", resp.StatusCode)
	}
	typed.Set("profile.churned_after_days", "7")
	if resp, _ = d.post("/data/projects", typed); resp.StatusCode != http.StatusSeeOther {
		t.Fatalf("made: %d", resp.StatusCode)
	}
	id := strings.TrimSuffix(strings.TrimPrefix(resp.Header.Get("Location"), "/data/projects/"), "?done=made")
	p := fetch[projectBody](d.world, http.StatusOK, request{path: "/api/v1/projects/" + id})
	want := `{"churned_after_days":7,"game":"Jump \u0026 run","leave_out":["test accounts","bots"],"metrics":[{"name":"ARPU"}],"platforms":["ios","web"]}`
	if diff := cmp.Diff(compactJSON(t, []byte(want)), compactJSON(t, p.Profile)); diff != "" || p.Category != "casual" {
		t.Errorf("%s %s", p.Category, p.Profile)
	}
	root := d.drawn("/data/projects/" + id)
	if text := words(root); !strings.Contains(text, "test accounts") || !strings.Contains(text, "Gaming: Casual") {
		t.Error(text)
	}
}

func TestProjectsAreChangedByWhoSawThem(t *testing.T) {
	t.Parallel()

	d := openData(t)
	path := "/api/v1/projects/" + d.project
	body := map[string]any{"name": "Renamed", "warehouseId": d.house}
	resp := d.do(request{path: path})
	tag := resp.Header.Get("ETag")
	for name, value := range map[string]any{"profile": map[string]string{"subject": "a\x00b"}, "prompts": map[string]string{"exploration": "\x00"}, "datasets": []string{"\x00"}} {
		if p := fetch[problem](d.world, http.StatusBadRequest, request{method: http.MethodPost, path: "/api/v1/projects", body: map[string]any{"name": name, "warehouseId": d.house, name: value}}); p.Code != "nul_character" {
			t.Errorf("%s with NUL: %+v", name, p)
		}
	}
	fetch[problem](d.world, http.StatusPreconditionRequired, request{method: http.MethodPut, path: path, body: body})
	p := fetch[projectBody](d.world, http.StatusOK, request{method: http.MethodPut, path: path, body: body, header: map[string]string{"If-Match": tag}})
	if p.Name != "Renamed" || p.Version != 2 {
		t.Errorf("%+v", p)
	}
	fetch[problem](d.world, http.StatusPreconditionFailed, request{method: http.MethodPut, path: path, body: body, header: map[string]string{"If-Match": tag}})
	if moved := fetch[problem](d.world, http.StatusConflict, request{path: path + "/state", body: map[string]string{"state": "pack_generation"}}); moved.Code != "project_state" {
		t.Errorf("%+v", moved)
	}
	if resp, _ := d.post("/data/projects/"+d.project+"/delete", url.Values{"sure": {"yes"}}); resp.StatusCode != http.StatusSeeOther {
		t.Errorf("deleted: %d", resp.StatusCode)
	}
	if list := fetch[page[projectBody]](d.world, http.StatusOK, request{path: "/api/v1/projects"}); len(list.Items) != 0 {
		t.Errorf("%+v", list)
	}
}

func TestPacksAreExchanged(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	if list := fetch[page[packBody]](w, http.StatusOK, request{path: "/api/v1/domain-packs"}); len(list.Items) < 4 {
		t.Errorf("%+v", list)
	}
	one := fetch[packContent](w, http.StatusOK, request{path: "/api/v1/domain-packs/operations"})
	if len(one.Areas) == 0 || len(one.Categories) == 0 || len(one.Categories[0].Areas) <= len(one.Areas)-1 {
		t.Errorf("%+v", one)
	}
	envelope := readAll(t, w.do(request{path: "/api/v1/domain-packs/operations/export"}))
	changed := strings.Replace(envelope, `"version":"1.0.0"`, `"version":"9.1.0"`, 1)
	if resp := w.do(request{path: "/api/v1/domain-packs/import", body: changed}); resp.StatusCode != http.StatusCreated {
		t.Fatalf("imported: %d %s", resp.StatusCode, readAll(t, resp))
	}
	if one = fetch[packContent](w, http.StatusOK, request{path: "/api/v1/domain-packs/operations?version=9.1.0"}); one.Version != "9.1.0" {
		t.Errorf("%+v", one)
	}
	fetch[problem](w, http.StatusUnprocessableEntity, request{path: "/api/v1/domain-packs/import", body: `{"format":"x"}`})
	fetch[problem](w, http.StatusNotFound, request{path: "/api/v1/domain-packs/nonsense"})
}

func TestTablesOfAWarehouseAreListedAndFound(t *testing.T) {
	t.Parallel()

	d := openData(t)
	path := "/api/v1/warehouses/" + d.house
	if list := fetch[page[tableBody]](d.world, http.StatusOK, request{path: path + "/tables"}); len(list.Items) != 1 || list.Items[0].Ref != "shop.orders" || list.Items[0].Columns != 4 {
		t.Errorf("%+v", list)
	}
	if list := fetch[page[tableBody]](d.world, http.StatusOK, request{path: path + "/tables?search=orders"}); len(list.Items) != 1 || list.Items[0].Because == "" {
		t.Errorf("%+v", list)
	}
	if list := fetch[page[driftBody]](d.world, http.StatusOK, request{path: path + "/drift"}); len(list.Items) != 1 || list.Items[0].Added != 1 {
		t.Errorf("%+v", list)
	}
	if now := fetch[refreshing](d.world, http.StatusAccepted, request{method: http.MethodPost, path: path + "/refresh"}); !now.Running {
		t.Error("nothing reads its tables")
	}
}

func TestDataIsOfOneOrganisationAndItsReviewers(t *testing.T) {
	t.Parallel()

	d := openData(t)
	run := d.start(nil)
	stranger := d.as(postgrestest.Tenant(t, d.pool), "mallory", auth.Owner)
	member := d.as(d.tenant, "mia", auth.Member)
	reviewer := d.as(d.tenant, "rita", auth.Reviewer)
	for _, path := range []string{"/api/v1/projects/" + d.project, "/api/v1/projects/" + d.project + "/runs", "/api/v1/runs/" + run.ID, "/api/v1/runs/" + run.ID + "/steps", "/api/v1/runs/" + run.ID + "/feedback",
		"/api/v1/runs/" + run.ID + "/events", "/api/v1/warehouses/" + d.house + "/tables", "/api/v1/warehouses/" + d.house + "/drift", "/data/projects/" + d.project, "/data/runs/" + run.ID, "/data/runs/" + run.ID + "/live"} {
		if resp := stranger.do(request{path: path}); resp.StatusCode != http.StatusNotFound {
			t.Errorf("%s shows a stranger %d", path, resp.StatusCode)
		}
		if resp := member.do(request{path: path}); resp.StatusCode != http.StatusForbidden {
			t.Errorf("%s shows a member %d", path, resp.StatusCode)
		}
		if strings.HasSuffix(path, "/events") {
			continue
		}
		if resp := reviewer.do(request{path: path}); resp.StatusCode != http.StatusOK {
			t.Errorf("%s shows a reviewer %d", path, resp.StatusCode)
		}
	}
	for _, act := range []string{"pause", "resume", "cancel"} {
		if resp := stranger.do(request{method: http.MethodPost, path: "/api/v1/runs/" + run.ID + "/" + act}); resp.StatusCode != http.StatusNotFound {
			t.Errorf("%s by a stranger: %d", act, resp.StatusCode)
		}
	}
	if resp := stranger.do(request{method: http.MethodDelete, path: "/api/v1/runs/" + run.ID}); resp.StatusCode != http.StatusNotFound {
		t.Errorf("deleted by a stranger: %d", resp.StatusCode)
	}
	if resp := reviewer.do(request{method: http.MethodPost, path: "/api/v1/warehouses/" + d.house + "/refresh"}); resp.StatusCode != http.StatusForbidden {
		t.Errorf("refreshed by a reviewer: %d", resp.StatusCode)
	}
	if resp := stranger.do(request{path: "/api/v1/projects", body: map[string]string{"name": "Theirs", "warehouseId": d.house}}); resp.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("a project over a stranger's warehouse: %d", resp.StatusCode)
	}
	if text := words(d.drawn("/data")); !strings.Contains(text, "Orders <1>") || !strings.Contains(text, "Under way") {
		t.Error(text)
	}
	if resp := d.do(request{path: "/api/v1/runs/" + foreignID + "/events?after=x"}); resp.StatusCode != http.StatusNotFound {
		t.Errorf("a run that is not there: %d", resp.StatusCode)
	}
	if p := fetch[problem](d.world, http.StatusBadRequest, request{path: "/api/v1/runs/" + run.ID + "/events?after=99"}); p.Code != "bad_last_event_id" {
		t.Errorf("%+v", p)
	}
}

func TestFirstVisitSaysWhatThisIs(t *testing.T) {
	t.Parallel()

	text := words(open(t, terms{}).drawn("/data"))
	if !strings.Contains(text, "Connect a data warehouse") || !strings.Contains(text, "Begin here") || !strings.Contains(text, "built without DuckDB") {
		t.Error(text)
	}
}
