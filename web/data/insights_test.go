package data_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quaestor/research/warehouse/runs"
	"quaestor/web"
	"quaestor/web/data"
	"quaestor/web/webtest"
)

// What a run found is read, computed again, acted on and saved, on pages and over the API.
func TestFindingsAreReadCheckedAndActedOn(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	d.Trade()
	d.Mind.Replies = []string{webtest.Asks("sales by region", "SELECT region, count(*) AS n FROM shop.sales GROUP BY region")}
	d.Work()
	run := d.Start(map[string]any{"maxSteps": 3})
	d.Until(run.ID, "finished")
	api, page := "/api/v1/runs/"+run.ID, "/data/runs/"+run.ID

	list := webtest.Fetch[web.Page[data.InsightBody]](d.World, http.StatusOK, webtest.Request{Path: api + "/insights"}).Items
	if len(list) == 0 {
		t.Fatal("nothing is found")
	}
	drop := list[0]
	if drop.Kind != "drop" || len(drop.Segment) != 1 || drop.Segment[0].Value != "<i>south</i>" || drop.Review.Status != "confirmed" || drop.Review.Verified != drop.Affected || len(drop.Related) != 1 {
		t.Errorf("the fall is %+v", drop)
	}
	one := webtest.Fetch[data.InsightBody](d.World, http.StatusOK, webtest.Request{Path: api + "/insights/" + drop.ID})
	if one.Name != drop.Name || len(one.Figures) < 3 {
		t.Errorf("one by itself is %+v", one)
	}

	if dialog := webtest.Fetch[runs.AreaDialog](d.World, http.StatusOK, webtest.Request{Path: api + "/areas/" + drop.Area + "/dialog"}); dialog != (runs.AreaDialog{}) {
		t.Errorf("no model worded the findings, and the dialog is %+v", dialog)
	}
	webtest.Fetch[web.Problem](d.World, http.StatusNotFound, webtest.Request{Path: api + "/areas/nonsense/dialog"})

	text := webtest.Words(d.Drawn(page))
	for _, want := range []string{drop.Name, "Checked by a second query", "Critical", "New"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page of the run does not say %q: %s", want, text)
		}
	}
	text = webtest.Words(d.Drawn(page + "/insights/" + drop.ID))
	for _, want := range []string{drop.Name, drop.Figures[0].SQL[:30], "How it was checked", "Records, as first counted", "Compute again", "Find out what changed around"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page of the finding does not say %q: %s", want, text)
		}
	}
	if resp := d.Do(webtest.Request{Path: page + "/insights/nonsense-1"}); resp.StatusCode != http.StatusNotFound {
		t.Errorf("one that is not there answers %d", resp.StatusCode)
	}

	figure := "/insights/" + drop.ID + "/figures/" + drop.Figures[0].ID
	if _, body := d.Post(page+figure, nil); !strings.Contains(body, "Computed again, it is the same") {
		t.Errorf("computed again: %s", body)
	}
	d.Exec("DELETE FROM shop.sales WHERE sold_at > '2024-09-01' AND region LIKE '%south%'")
	again := webtest.Fetch[data.FigureAgainBody](d.World, http.StatusOK, webtest.Request{Method: http.MethodPost, Path: api + figure})
	if again.Same || again.Was != drop.Figures[0].Value || again.Value >= again.Was {
		t.Errorf("after the data changed it is %+v", again)
	}
	webtest.Fetch[web.Problem](d.World, http.StatusNotFound, webtest.Request{Method: http.MethodPost, Path: api + "/insights/" + drop.ID + "/figures/nonsense"})

	board := "/data/projects/" + d.Project + "/recommendations"
	recommended := webtest.Fetch[web.Page[data.RecommendationBody]](d.World, http.StatusOK, webtest.Request{Path: api + "/recommendations"}).Items
	if len(recommended) == 0 || recommended[0].Status != runs.OpenStatus || recommended[0].Insights[0] != drop.ID {
		t.Fatalf("recommended is %+v", recommended)
	}
	if text := webtest.Words(d.Drawn(board)); !strings.Contains(text, recommended[0].Title) || !strings.Contains(text, "Findings from run to run") {
		t.Errorf("the board says %s", text)
	}
	path := "/recommendations/" + recommended[0].ID
	if resp, _ := d.Post(page+path, url.Values{"status": {"accepted"}, "version": {"1"}}); resp.StatusCode != http.StatusSeeOther || !strings.HasPrefix(resp.Header.Get("Location"), board+"?done=changed") {
		t.Errorf("accepted: %d to %s", resp.StatusCode, resp.Header.Get("Location"))
	}
	if resp, body := d.Post(page+path, url.Values{"status": {"done"}, "version": {"1"}}); resp.StatusCode != http.StatusConflict || !strings.Contains(body, "Somebody has changed this recommendation") {
		t.Errorf("at an old version: %d", resp.StatusCode)
	}
	if resp, _ := d.Post(page+path, url.Values{"status": {"nonsense"}}); resp.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("to nonsense: %d", resp.StatusCode)
	}
	done := webtest.Fetch[data.RecommendationBody](d.World, http.StatusOK, webtest.Request{Method: http.MethodPatch, Path: api + path, Body: map[string]any{"status": "done"}})
	if done.Status != runs.DoneStatus || done.Version != 3 || done.ChangedBy == "" {
		t.Errorf("done it is %+v", done)
	}
	if left := webtest.Fetch[web.Page[data.RecommendationBody]](d.World, http.StatusOK, webtest.Request{Path: "/api/v1/projects/" + d.Project + "/recommendations?status=done"}).Items; len(left) != 1 {
		t.Errorf("%d are done", len(left))
	}
	checkFindingFiles(t, func(format string) (*http.Response, string) {
		resp := d.Do(webtest.Request{Path: api + "/findings" + format})
		return resp, webtest.ReadAll(t, resp)
	}, drop)
}

func checkFindingFiles(t *testing.T, read func(format string) (*http.Response, string), drop data.InsightBody) {
	t.Helper()
	for format, want := range map[string]string{"": drop.Figures[0].ID, "?format=json": drop.ID, "?format=csv": drop.ID + ",", "?format=md": "```sql"} {
		resp, body := read(format)
		if resp.StatusCode != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("findings%s: %d without %q: %s", format, resp.StatusCode, want, body)
		}
		if attached := strings.HasPrefix(resp.Header.Get("Content-Disposition"), "attachment"); attached != (format != "") {
			t.Errorf("findings%s attached: %t", format, attached)
		}
		if format == "" && !json.Valid([]byte(body)) {
			t.Error("it is no JSON")
		}
		for line := range strings.SplitSeq(body, "\n") {
			if format == "?format=md" && strings.HasPrefix(line, "#") && strings.Contains(line, "<i>") {
				t.Errorf("a value of the data stands in Markdown as a mark: %s", line)
			}
		}
	}
	if resp, _ := read("?format=docx"); resp.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("another format answers %d", resp.StatusCode)
	}
}
