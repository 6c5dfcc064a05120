package data_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quaestor/internal/auth"
	"quaestor/web"
	"quaestor/web/webtest"
)

// metric is what the tests read of a metric.
type metric struct {
	Name, Kind, Table, Expression, Words, Owner string
	Version                                     int
}

func TestMetricsOverTheAPI(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	all := warehousesPath + "/" + d.House + "/metrics"
	rita := d.As(d.Tenant, "rita", auth.Reviewer)
	made := webtest.Fetch[metric](rita, http.StatusCreated, webtest.Request{Path: all, Body: map[string]any{"name": "revenue", "table": "orders", "expression": "SUM(total)", "filters": []string{"state = 'paid'"}, "synonyms": []string{"turnover"}, "owner": "Finance"}})
	if made.Kind != "metric" || made.Table != "shop.orders" || made.Version != 1 {
		t.Errorf("made: %+v", made)
	}
	webtest.Fetch[metric](rita, http.StatusCreated, webtest.Request{Path: all, Body: map[string]any{"name": "state", "kind": "dimension", "table": "orders", "expression": "state"}})
	value := webtest.Fetch[struct {
		Value float64
		SQL   string
	}](rita, http.StatusOK, webtest.Request{Method: http.MethodPost, Path: all + "/revenue/test"})
	if value.Value != 60 || !strings.Contains(value.SQL, "sum") {
		t.Errorf("its value: %+v", value)
	}
	found := webtest.Fetch[web.Page[metric]](rita, http.StatusOK, webtest.Request{Path: all + "?question=" + url.QueryEscape("Turnover by state?")})
	if len(found.Items) != 2 || found.Items[0].Name != "revenue" || found.Items[0].Words != "Turnover" {
		t.Errorf("found: %+v", found)
	}

	tag := rita.Do(webtest.Request{Path: all + "/revenue"}).Header.Get("ETag")
	change := webtest.Request{Method: http.MethodPut, Path: all + "/revenue", Body: map[string]any{"table": "orders", "expression": "SUM(total)", "owner": "Sales"}}
	if resp := rita.Do(change); resp.StatusCode != http.StatusPreconditionRequired {
		t.Errorf("without If-Match: %d", resp.StatusCode)
	}
	change.Header = map[string]string{"If-Match": tag}
	if got := webtest.Fetch[metric](rita, http.StatusOK, change); got.Version != 2 || got.Owner != "Sales" {
		t.Errorf("changed: %+v", got)
	}
	if resp := rita.Do(change); resp.StatusCode != http.StatusPreconditionFailed {
		t.Errorf("of an old state: %d", resp.StatusCode)
	}
	if resp := rita.Do(webtest.Request{Method: http.MethodDelete, Path: all + "/state"}); resp.StatusCode != http.StatusNoContent {
		t.Errorf("delete: %d", resp.StatusCode)
	}

	one := warehousesPath + "/" + d.House
	document := "metrics:\n- {name: order_count, table: shop.orders, expression: COUNT(*)}\n- {name: bad, table: shop.orders, expression: pg_sleep(9)}\nexamples:\n- question: How many?\n  sql: SELECT count(*) FROM shop.orders\n"
	type plan struct {
		Format  string
		Metrics []struct{ Name, Change, Field, Problem string }
	}
	preview := webtest.Fetch[plan](rita, http.StatusOK, webtest.Request{Path: one + "/metric-import", Body: map[string]any{"text": document, "preview": true}})
	if preview.Format != "quaestor" || len(preview.Metrics) != 2 || preview.Metrics[0].Change != "new" || preview.Metrics[1].Change != "refused" || preview.Metrics[1].Field != "expression" {
		t.Errorf("preview: %+v", preview)
	}
	webtest.Fetch[plan](rita, http.StatusOK, webtest.Request{Path: one + "/metric-import", Body: map[string]any{"text": document}})
	if got := webtest.Fetch[web.Page[metric]](rita, http.StatusOK, webtest.Request{Path: all}); len(got.Items) != 2 {
		t.Errorf("after the import: %+v", got)
	}
	examples := webtest.Fetch[web.Page[struct{ ID, Question string }]](rita, http.StatusOK, webtest.Request{Path: one + "/examples"})
	if len(examples.Items) != 1 {
		t.Fatalf("examples: %+v", examples)
	}
	if resp := rita.Do(webtest.Request{Method: http.MethodDelete, Path: one + "/examples/" + examples.Items[0].ID}); resp.StatusCode != http.StatusNoContent {
		t.Errorf("delete the example: %d", resp.StatusCode)
	}
	if got := webtest.Fetch[web.Page[metric]](rita, http.StatusOK, webtest.Request{Path: one + "/metric-proposals"}); len(got.Items) == 0 {
		t.Error("nothing is proposed")
	}
}

func TestMetricsThatCannotBe(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	all := warehousesPath + "/" + d.House + "/metrics"
	body := func(name, value string) map[string]any {
		out := map[string]any{"name": "revenue", "table": "orders", "expression": "SUM(total)"}
		out[name] = value
		return out
	}
	for name, c := range map[string]webtest.Refusal{
		"a write":           {Request: webtest.Request{Path: all, Body: body("expression", "(DELETE FROM shop.orders RETURNING 1)")}, Status: 422, Field: "expression"},
		"two expressions":   {Request: webtest.Request{Path: all, Body: body("expression", "1, 2")}, Status: 422, Field: "expression"},
		"no table":          {Request: webtest.Request{Path: all, Body: body("table", "payments")}, Status: 422, Field: "table"},
		"no column":         {Request: webtest.Request{Path: all, Body: body("expression", "SUM(totl)")}, Status: 422, Field: "expression", Code: "no_such_column"},
		"a name":            {Request: webtest.Request{Path: all, Body: body("name", "Net Revenue")}, Status: 422, Field: "name"},
		"another warehouse": {Request: webtest.Request{Path: warehousesPath + "/" + webtest.ForeignID + "/metrics", Body: body("name", "x")}, Status: 404},
		"no metric":         {Request: webtest.Request{Path: all + "/nothing"}, Status: 404, Code: "metric_not_found"},
		"no warehouse":      {Request: webtest.Request{Path: warehousesPath + "/" + webtest.ForeignID + "/metrics"}, Status: 404},
		"no document":       {Request: webtest.Request{Path: warehousesPath + "/" + d.House + "/metric-import", Body: map[string]any{"text": "hello"}}, Status: 422, Field: "text"},
	} {
		t.Run(name, func(t *testing.T) { webtest.CheckRefusal(t, d.World, c) })
	}
	member := d.As(d.Tenant, "max", auth.Member)
	webtest.CheckRefusal(t, member, webtest.Refusal{Request: webtest.Request{Path: all}, Status: 403, Code: "role_too_low"})
	webtest.CheckRefusal(t, member, webtest.Refusal{Request: webtest.Request{Path: warehousesPath + "/" + d.House + "/metric-import", Body: map[string]any{"text": "x"}}, Status: 403, Code: "role_too_low"})
}

// A metric over tables that were not read is kept, and its page says that it was not checked; then
// what is wrong with it.
func TestMetricsAreCheckedOnceTheTablesAreRead(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	unread := d.Unread()
	page := "/data/warehouses/" + unread + "/metrics"
	resp, text := d.Post(page, url.Values{"version": {"0"}, "kind": {"metric"}, "name": {"revenue"}, "table": {"orders"}, "expression": {"SUM(amount)"}})
	if to := resp.Header.Get("Location"); resp.StatusCode != http.StatusSeeOther || !strings.Contains(to, "done=unchecked") {
		t.Fatalf("save: %d %s %s", resp.StatusCode, to, text)
	}
	if text := webtest.Words(d.Drawn(page + "?done=unchecked")); !strings.Contains(text, "saved, but not checked yet") || !strings.Contains(text, "Not checked yet, and not used before it is") {
		t.Errorf("unread: %s", text)
	}
	if err := d.Server.Data.Connections.Refresh(t.Context(), d.Tenant, unread); err != nil {
		t.Fatal(err)
	}
	if text := webtest.Words(d.Drawn(page)); !strings.Contains(text, `Not used, because it does not fit the tables. Expression: shop.orders has no column "amount"`) {
		t.Errorf("read: %s", text)
	}
	if got := webtest.Fetch[struct {
		Unchecked bool
		Problem   string
	}](d.World, http.StatusOK, webtest.Request{Path: warehousesPath + "/" + unread + "/metrics/revenue"}); !got.Unchecked || got.Problem == "" {
		t.Errorf("over the API: %+v", got)
	}
}

func TestMetricsOnTheirPage(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	page := "/data/warehouses/" + d.House + "/metrics"
	if text := webtest.Words(d.Drawn(page)); !strings.Contains(text, "Nothing is defined yet") {
		t.Errorf("at first: %s", text)
	}
	if text := webtest.Words(d.Drawn(page + "?proposals=1")); !strings.Contains(text, "COUNT(*) of shop.orders") {
		t.Errorf("proposed: %s", text)
	}
	form := url.Values{"version": {"0"}, "kind": {"metric"}, "name": {"revenue"}, "label": {"<b>Revenue</b>"}, "table": {"orders"}, "expression": {"SUM(total)"}, "filters": {"state = 'paid'\r\n"}, "synonyms": {"turnover, sales"}}
	if resp, text := d.Post(page, form); resp.StatusCode != http.StatusSeeOther {
		t.Fatalf("save: %d %s", resp.StatusCode, text)
	}
	if text := webtest.Words(d.Drawn(page + "?done=saved&edit=revenue")); !strings.Contains(text, "<b>Revenue</b>") || !strings.Contains(text, "It is saved") || !strings.Contains(text, "Change <b>Revenue</b>") {
		t.Errorf("saved: %s", text)
	}
	form.Set("version", "1")
	form.Set("filters", "true\nstate = 'paid') OR (true")
	if resp, text := d.Post(page, form); resp.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(text, "closes a bracket") || !strings.Contains(text, "OR (true") {
		t.Errorf("refused: %d %s", resp.StatusCode, text)
	}
	if resp, text := d.Post(page+"/revenue/test", nil); resp.StatusCode != http.StatusOK || !strings.Contains(text, "<strong>60</strong>") {
		t.Errorf("test: %d %s", resp.StatusCode, text)
	}
	document := url.Values{"act": {"preview"}, "text": {"metrics:\n- {name: order_count, table: shop.orders, expression: COUNT(*)}\n- {name: bad, table: shop.orders, expression: pg_sleep(9)}"}}
	if resp, text := d.Post(page+"/import", document); resp.StatusCode != http.StatusOK || !strings.Contains(text, "New") || !strings.Contains(text, "Refused") || !strings.Contains(text, "order_count, table") {
		t.Errorf("preview: %d %s", resp.StatusCode, text)
	}
	document.Set("act", "import")
	if resp, text := d.Post(page+"/import", document); resp.StatusCode != http.StatusSeeOther {
		t.Errorf("import: %d %s", resp.StatusCode, text)
	}
	if resp, text := d.Post("/data/warehouses/"+d.House+"/examples", url.Values{"question": {"How many?"}, "sql": {"DROP TABLE shop.orders"}}); resp.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(text, "How many?") {
		t.Errorf("an example that writes: %d %s", resp.StatusCode, text)
	}
	if resp, text := d.Post("/data/warehouses/"+d.House+"/examples", url.Values{"question": {"How many?"}, "sql": {"SELECT count(*) FROM shop.orders"}}); resp.StatusCode != http.StatusSeeOther {
		t.Errorf("an example: %d %s", resp.StatusCode, text)
	}
	resp := d.Do(webtest.Request{Path: page + ".yml"})
	if text := webtest.ReadAll(t, resp); !strings.Contains(text, "name: order_count") || !strings.Contains(text, "question: How many?") || resp.Header.Get("Content-Disposition") == "" {
		t.Errorf("downloaded: %s", text)
	}
	if resp, _ := d.Post(page+"/revenue/delete", nil); resp.StatusCode != http.StatusSeeOther {
		t.Errorf("delete: %d", resp.StatusCode)
	}
	if text := webtest.Words(d.Drawn(page)); strings.Contains(text, "Revenue") || !strings.Contains(text, "Order count") || !strings.Contains(text, "How many?") {
		t.Errorf("at last: %s", text)
	}
	member := d.As(d.Tenant, "max", auth.Member)
	if resp := member.Do(webtest.Request{Path: page}); resp.StatusCode != http.StatusForbidden {
		t.Errorf("a member: %d", resp.StatusCode)
	}
}
