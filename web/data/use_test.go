package data_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quaestor/research/warehouse/insight"
	"quaestor/research/warehouse/runs"
	"quaestor/web"
	"quaestor/web/data"
	"quaestor/web/webtest"
)

// Findings of two runs are compared, searched, asked, watched and measured, on pages and over the API.
func TestFindingsAreUsedFromRunToRun(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	d.Trade()
	d.Mind.Replies = []string{webtest.Asks("sales by region", "SELECT region, count(*) AS n FROM shop.sales GROUP BY region")}
	d.Work()
	project, api := "/data/projects/"+d.Project, "/api/v1/projects/"+d.Project
	explore := func() string {
		t.Helper()
		run := d.Start(map[string]any{"maxSteps": 3})
		d.Until(run.ID, "finished")
		return run.ID
	}
	if text := webtest.Words(d.Drawn(project + "/compare")); !strings.Contains(text, "fewer than two completed runs") {
		t.Errorf("without runs, the comparison says %s", text)
	}
	first := explore()
	drop := webtest.Fetch[web.Page[data.InsightBody]](d.World, http.StatusOK, webtest.Request{Path: "/api/v1/runs/" + first + "/insights"}).Items[0]
	page := "/data/runs/" + first + "/insights/" + drop.ID
	if resp, _ := d.Post(page+"/watch", url.Values{"watch": {"yes"}}); resp.StatusCode != http.StatusSeeOther {
		t.Errorf("watching answers %d", resp.StatusCode)
	}
	if text := webtest.Words(d.Drawn(page)); !strings.Contains(text, "You are told when a later run") || !strings.Contains(text, "Stop watching") {
		t.Errorf("the page of what is watched says %s", text)
	}
	watch := webtest.Request{Method: http.MethodDelete, Path: "/api/v1/runs/" + first + "/insights/" + drop.ID + "/watch"}
	if resp := d.Do(watch); resp.StatusCode != http.StatusNoContent {
		t.Errorf("watching no more answers %d", resp.StatusCode)
	}
	watch.Method, watch.Body = http.MethodPut, map[string]any{}
	if resp := d.Do(watch); resp.StatusCode != http.StatusNoContent {
		t.Errorf("watching over the API answers %d", resp.StatusCode)
	}
	webtest.Fetch[data.RecommendationBody](d.World, http.StatusOK, webtest.Request{Method: http.MethodPatch, Path: "/api/v1/runs/" + first + "/recommendations/" + drop.Related[0], Body: map[string]any{"status": "done"}})

	d.Exec("DELETE FROM shop.sales WHERE region LIKE '%south%' AND sold_at > '2024-08-01' AND id % 10 < 9")
	second := explore()

	c := webtest.Fetch[data.ComparisonBody](d.World, http.StatusOK, webtest.Request{Path: api + "/comparison"})
	if c.Before != first || c.After != second || len(c.Findings) == 0 || c.Findings[0].Change != insight.Moved || c.Findings[0].Was.Value <= c.Findings[0].Now.Value {
		t.Fatalf("the comparison is %+v", c)
	}
	text := webtest.Words(d.Drawn(project + "/compare?before=" + first + "&after=" + second))
	for _, want := range []string{"Changed", c.Findings[0].After.Name, c.Findings[0].Was.Text, c.Findings[0].Now.Text} {
		if !strings.Contains(text, want) {
			t.Errorf("the comparison does not say %q: %s", want, text)
		}
	}
	webtest.Fetch[web.Problem](d.World, http.StatusUnprocessableEntity, webtest.Request{Path: api + "/comparison?before=" + first + "&after=" + first})
	webtest.Fetch[web.Problem](d.World, http.StatusNotFound, webtest.Request{Path: api + "/comparison?before=" + d.House})

	checkAlerts(t, d.World, d.Post, drop.Name, c.Findings[0].After.Name)
	checkSearch(t, d.World, project, api, drop.Name)

	measured := webtest.Fetch[web.Page[runs.Measurement]](d.World, http.StatusOK, webtest.Request{Path: api + "/outcomes"}).Items
	if len(measured) != 1 || measured[0].By != second || measured[0].Value != nil || measured[0].Recommendation != drop.Related[0] {
		t.Errorf("measured are %+v", measured)
	}
	text = webtest.Words(d.Drawn(project + "/recommendations"))
	for _, want := range []string{"Before", drop.Figures[0].Text, "no records since it was done", "its finding has changed since. It was: " + drop.Name} {
		if !strings.Contains(text, want) {
			t.Errorf("the board does not say %q: %s", want, text)
		}
	}
	if text = webtest.Words(d.Drawn("/data/runs/" + second + "/insights")); !strings.Contains(text, "What fed the analysis") || !strings.Contains(text, "No model was asked") {
		t.Errorf("the page of findings says %s", text)
	}
}

func checkAlerts(t *testing.T, w *webtest.World, post func(path string, form url.Values) (*http.Response, string), before, after string) {
	t.Helper()
	type alerts struct {
		Items  []runs.Alert
		Unread int
	}
	told := webtest.Fetch[alerts](w, http.StatusOK, webtest.Request{Path: "/api/v1/finding-alerts?unread=true"})
	if told.Unread != 1 || len(told.Items) != 1 || told.Items[0].Change != runs.AlertChanged || told.Items[0].Before != before || told.Items[0].After != after {
		t.Fatalf("the alerts are %+v", told)
	}
	if text := webtest.Words(w.Drawn("/data")); !strings.Contains(text, "Alerts 1 unread") {
		t.Errorf("the home page says %s", text)
	}
	for _, page := range []string{"/", "/review", "/data/packs"} {
		if text := webtest.Words(w.Drawn(page)); !strings.Contains(text, "Data 1 unread alerts") {
			t.Errorf("the way to the data on %s says %s", page, text)
		}
	}
	text := webtest.Words(w.Drawn("/data/alerts"))
	for _, want := range []string{"Changed", "Unread", "It was: " + before, "It is now: " + after} {
		if !strings.Contains(text, want) {
			t.Errorf("the alerts do not say %q: %s", want, text)
		}
	}
	if resp, _ := post("/data/alerts/read", url.Values{"id": {told.Items[0].ID}}); resp.StatusCode != http.StatusSeeOther {
		t.Errorf("reading answers %d", resp.StatusCode)
	}
	if told = webtest.Fetch[alerts](w, http.StatusOK, webtest.Request{Path: "/api/v1/finding-alerts"}); told.Unread != 0 || len(told.Items) != 1 {
		t.Errorf("after reading the alerts are %+v", told)
	}
	if text := webtest.Words(w.Drawn("/review")); strings.Contains(text, "unread") {
		t.Errorf("after reading, the way to the data says %s", text)
	}
	first := webtest.Fetch[web.Page[runs.Alert]](w, http.StatusOK, webtest.Request{Path: "/api/v1/finding-alerts?limit=1"})
	if rest := webtest.Fetch[alerts](w, http.StatusOK, webtest.Request{Path: "/api/v1/finding-alerts?limit=1&cursor=" + first.NextCursor}); first.NextCursor == "" || len(rest.Items) != 0 {
		t.Errorf("after the page %+v there is %+v", first, rest)
	}
	webtest.Fetch[web.Problem](w, http.StatusBadRequest, webtest.Request{Path: "/api/v1/finding-alerts?cursor=x"})
	if resp := w.Do(webtest.Request{Method: http.MethodPost, Path: "/api/v1/finding-alerts/read", Body: map[string]any{}}); resp.StatusCode != http.StatusNoContent {
		t.Errorf("reading all answers %d", resp.StatusCode)
	}
}

func checkSearch(t *testing.T, w *webtest.World, project, api, drop string) {
	t.Helper()
	list := webtest.Fetch[web.Page[runs.Finding]](w, http.StatusOK, webtest.Request{Path: api + "/findings?q=south"}).Items
	if len(list) < 2 {
		t.Fatalf("south finds %+v", list)
	}
	text := webtest.Words(w.Drawn(project + "/findings?q=" + url.QueryEscape("falling in the south")))
	if !strings.Contains(text, drop) || !strings.Contains(text, "Recommendation of") {
		t.Errorf("the search says %s", text)
	}
	if text = webtest.Words(w.Drawn(project + "/findings?q=xylophones")); !strings.Contains(text, "No finding has these words") {
		t.Errorf("a search for nothing says %s", text)
	}
	if text = webtest.Words(w.Drawn(project + "/findings?q=" + strings.Repeat("x", 600))); !strings.Contains(text, "has 1 to 500 characters") {
		t.Errorf("a search for too much says %s", text)
	}
	text = webtest.Words(w.Drawn(project + "/findings?ask=yes&q=south"))
	if !strings.Contains(text, "No language model is set up") || !strings.Contains(text, "What it rests on") {
		t.Errorf("the answer says %s", text)
	}
	a := webtest.Fetch[runs.FindingAnswer](w, http.StatusOK, webtest.Request{Path: api + "/findings/ask", Body: map[string]any{"question": "What happened in the south?"}})
	if !a.Quoted || len(a.Sentences) == 0 || len(a.Sentences[0].Cites) != 1 {
		t.Errorf("the answer is %+v", a)
	}
}

// Findings are saved as a PDF and as a notebook that programs read.
func TestFindingsAreSaved(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	d.Trade()
	d.Mind.Replies = []string{webtest.Asks("sales by region", "SELECT region, count(*) AS n FROM shop.sales GROUP BY region")}
	d.Work()
	run := d.Start(map[string]any{"maxSteps": 3})
	d.Until(run.ID, "finished")
	api := "/api/v1/runs/" + run.ID
	list := webtest.Fetch[web.Page[data.InsightBody]](d.World, http.StatusOK, webtest.Request{Path: api + "/insights"}).Items

	resp := d.Do(webtest.Request{Path: api + "/findings?format=pdf"})
	if body := webtest.ReadAll(t, resp); resp.StatusCode != http.StatusOK || !strings.HasPrefix(body, "%PDF-") || resp.Header.Get("Content-Type") != "application/pdf" {
		t.Errorf("the PDF is %d, %s, %.20q", resp.StatusCode, resp.Header.Get("Content-Type"), body)
	}
	resp = d.Do(webtest.Request{Path: api + "/findings?format=ipynb"})
	var n struct {
		Cells []struct {
			ID     string
			Type   string `json:"cell_type"`
			Source []string
			Count  json.RawMessage `json:"execution_count"`
		}
		Format int `json:"nbformat"`
		Minor  int `json:"nbformat_minor"`
	}
	body := webtest.ReadAll(t, resp)
	if err := json.Unmarshal([]byte(body), &n); err != nil || n.Format != 4 || n.Minor != 5 {
		t.Fatalf("the notebook is of format %d.%d (%v)", n.Format, n.Minor, err)
	}
	checkNotebookKeys(t, body)
	ids, statements := map[string]bool{}, 0
	for _, c := range n.Cells {
		if ids[c.ID] || !regexp.MustCompile(`^[a-zA-Z0-9-_]{1,64}$`).MatchString(c.ID) {
			t.Errorf("a cell has the id %q", c.ID)
		}
		ids[c.ID] = true
		if c.Type == "code" && strings.Contains(strings.Join(c.Source, ""), "figure(\"\"\"SELECT ") {
			statements++
		}
	}
	want := 0
	for _, i := range list {
		want += len(i.Figures)
	}
	if statements != want || want == 0 {
		t.Errorf("%d cells send a statement, want %d", statements, want)
	}
}

// checkNotebookKeys fails unless the parts of a notebook have exactly the keys that its format (nbformat
// 4.5) requires or allows, and no others.
func checkNotebookKeys(t *testing.T, body string) {
	t.Helper()
	keys := func(m map[string]json.RawMessage) string { return strings.Join(slices.Sorted(maps.Keys(m)), " ") }
	var whole map[string]json.RawMessage
	if err := json.Unmarshal([]byte(body), &whole); err != nil || keys(whole) != "cells metadata nbformat nbformat_minor" {
		t.Fatalf("the notebook has %s (%v)", keys(whole), err)
	}
	var cells []map[string]json.RawMessage
	if err := json.Unmarshal(whole["cells"], &cells); err != nil || len(cells) == 0 {
		t.Fatalf("the cells are %s (%v)", whole["cells"], err)
	}
	for _, c := range cells {
		want := map[string]string{`"markdown"`: "cell_type id metadata source", `"code"`: "cell_type execution_count id metadata outputs source"}[string(c["cell_type"])]
		if keys(c) != want || string(c["metadata"]) != "{}" {
			t.Errorf("a cell of type %s has %s", c["cell_type"], keys(c))
		}
		if c["outputs"] != nil && (string(c["outputs"]) != "[]" || string(c["execution_count"]) != "null") {
			t.Errorf("a cell has the outputs %s of run %s", c["outputs"], c["execution_count"])
		}
	}
}
