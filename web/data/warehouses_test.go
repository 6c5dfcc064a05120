package data_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"quaestor/internal/auth"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
	"quaestor/web"
	"quaestor/web/data"
	"quaestor/web/webtest"
)

const warehousesPath = "/api/v1/warehouses"

func TestWarehouseIsConnectedTriedChangedAndForgotten(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	one := warehousesPath + "/" + d.House
	got := webtest.Fetch[data.WarehouseBody](d.World, http.StatusOK, webtest.Request{Path: one})
	if got.Name != "Shop" || got.Version != 1 || got.Test != nil {
		t.Errorf("%+v", got)
	}
	tried := webtest.Fetch[connections.Test](d.World, http.StatusOK, webtest.Request{Method: http.MethodPost, Path: one + "/test"})
	if !tried.Well || tried.Tables != 1 || tried.Role == "" {
		t.Errorf("%+v", tried)
	}
	resp := d.Do(webtest.Request{Path: one})
	tag := resp.Header.Get("ETag")
	change := map[string]any{"name": "Store", "options": got.Options, "schemas": []string{"shop"}, "filter": map[string]string{"column": "state", "value": "paid"}, "limits": map[string]any{"seconds": 5}}
	if resp := d.Do(webtest.Request{Method: http.MethodPut, Path: one, Body: change}); resp.StatusCode != http.StatusPreconditionRequired {
		t.Errorf("without If-Match: %d", resp.StatusCode)
	}
	if resp := d.Do(webtest.Request{Method: http.MethodPut, Path: one, Body: change, Header: map[string]string{"If-Match": `"old"`}}); resp.StatusCode != http.StatusPreconditionFailed {
		t.Errorf("of an old state: %d", resp.StatusCode)
	}
	changed := webtest.Fetch[data.WarehouseBody](d.World, http.StatusOK, webtest.Request{Method: http.MethodPut, Path: one, Body: change, Header: map[string]string{"If-Match": tag}})
	if changed.Name != "Store" || changed.Version != 2 || changed.Test != nil || changed.Filter == nil || changed.Limits.Seconds != 5 {
		t.Errorf("%+v", changed)
	}
	if resp := d.Do(webtest.Request{Method: http.MethodDelete, Path: one}); resp.StatusCode != http.StatusConflict {
		t.Errorf("forget while a project looks into it: %d", resp.StatusCode)
	}
	if resp := d.Do(webtest.Request{Method: http.MethodDelete, Path: "/api/v1/projects/" + d.Project, Header: map[string]string{"If-Match": d.Do(webtest.Request{Path: "/api/v1/projects/" + d.Project}).Header.Get("ETag")}}); resp.StatusCode != http.StatusNoContent {
		t.Errorf("delete the project: %d", resp.StatusCode)
	}
	if resp := d.Do(webtest.Request{Method: http.MethodDelete, Path: one}); resp.StatusCode != http.StatusNoContent {
		t.Errorf("forget: %d", resp.StatusCode)
	}
	if resp := d.Do(webtest.Request{Path: one}); resp.StatusCode != http.StatusNotFound {
		t.Errorf("forgotten: %d", resp.StatusCode)
	}
}

func TestWarehousesThatCannotBe(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	for name, c := range map[string]struct {
		body   map[string]any
		status int
		field  string
	}{
		"another make":     {map[string]any{"name": "X", "kind": "oracle"}, 422, "body.kind"},
		"no host":          {map[string]any{"name": "X", "kind": "postgresql"}, 422, "options.host"},
		"no name":          {map[string]any{"kind": "postgresql", "options": map[string]string{"host": "h"}}, 422, "name"},
		"a setting":        {map[string]any{"name": "X", "kind": "postgresql", "options": map[string]string{"host": "h", "sslmode": "off"}}, 422, "options.sslmode"},
		"a port of words":  {map[string]any{"name": "X", "kind": "postgresql", "options": map[string]string{"host": "h", "port": "abc"}}, 422, "options.port"},
		"a port of none":   {map[string]any{"name": "X", "kind": "postgresql", "options": map[string]string{"host": "h", "port": "0"}}, 422, "options.port"},
		"a port too great": {map[string]any{"name": "X", "kind": "postgresql", "options": map[string]string{"host": "h", "port": "70000"}}, 422, "options.port"},
		"a port in two":    {map[string]any{"name": "X", "kind": "postgresql", "options": map[string]string{"host": "h", "port": "54 32"}}, 422, "options.port"},
		"a limit":          {map[string]any{"name": "X", "kind": "postgresql", "options": map[string]string{"host": "h"}, "limits": map[string]any{"seconds": 100000}}, 422, "limits.time"},
	} {
		resp := w.Do(webtest.Request{Path: warehousesPath, Body: c.body})
		raw, _ := io.ReadAll(resp.Body)
		if resp.StatusCode != c.status || !strings.Contains(string(raw), c.field) {
			t.Errorf("%s: %d %s", name, resp.StatusCode, raw)
		}
	}
	if list := webtest.Fetch[web.Page[data.WarehouseBody]](w, http.StatusOK, webtest.Request{Path: warehousesPath}); len(list.Items) != 0 {
		t.Errorf("%d were kept", len(list.Items))
	}
	kinds := webtest.Fetch[web.Page[data.MakeBody]](w, http.StatusOK, webtest.Request{Path: "/api/v1/warehouse-kinds"})
	if len(kinds.Items) != 1 || kinds.Items[0].Kind != "postgresql" || len(kinds.Items[0].Fields) < 5 {
		t.Errorf("%+v", kinds)
	}
	grant := webtest.Fetch[data.GrantBody](w, http.StatusOK, webtest.Request{Path: "/api/v1/warehouse-grant", Body: map[string]any{"kind": "postgresql", "options": map[string]string{"host": "h", "database": "shop"}, "schemas": []string{"sales"}}})
	if !strings.Contains(grant.SQL, `"sales"`) || !strings.Contains(grant.SQL, "GRANT SELECT") {
		t.Errorf("grant %s", grant.SQL)
	}
}

func TestWarehousesAreForThoseWhoManage(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	d.Server.Develop = nil
	other := postgrestest.Tenant(t, d.Pool)
	one := warehousesPath + "/" + d.House
	for _, c := range []struct {
		tenant string
		role   auth.Role
		method string
		path   string
		want   int
	}{
		{d.Tenant, auth.Reviewer, "GET", warehousesPath, 200},
		{d.Tenant, auth.Reviewer, "GET", one, 200},
		{d.Tenant, auth.Reviewer, "GET", one + "/statements", 200},
		{d.Tenant, auth.Member, "GET", one, 403},
		{d.Tenant, auth.Reviewer, "POST", one + "/test", 403},
		{d.Tenant, auth.Reviewer, "DELETE", one, 403},
		{d.Tenant, auth.Reviewer, "GET", "/api/v1/warehouse-kinds", 403},
		{d.Tenant, auth.Admin, "POST", one + "/test", 200},
		{other, auth.Owner, "GET", one, 404},
		{other, auth.Owner, "GET", one + "/statements", 404},
		{other, auth.Owner, "POST", one + "/test", 404},
		{other, auth.Owner, "DELETE", one, 404},
		{other, auth.Owner, "GET", "/data/warehouses/" + d.House, 404},
		{other, auth.Owner, "POST", "/data/warehouses/" + d.House + "/refresh", 404},
	} {
		resp := d.As(c.tenant, "someone", c.role).Do(webtest.Request{Method: c.method, Path: c.path})
		if resp.StatusCode != c.want {
			t.Errorf("%s %s as %s: %d, want %d", c.method, c.path, c.role, resp.StatusCode, c.want)
		}
	}
}

// wordsIn are the words of a page.
func wordsIn(t testing.TB, page string) string {
	t.Helper()
	n, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	return webtest.Words(n)
}

func TestWarehousePages(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	if text := webtest.Words(d.Drawn("/data/warehouses/new")); !strings.Contains(text, "PostgreSQL") {
		t.Errorf("makes are %s", text)
	}
	form := url.Values{"kind": {"postgresql"}, "name": {"Second"}, "options.host": {""}, "options.port": {"abc"}, "secret": {"sesame-12345"}}
	status, _, body := d.SendForm("/data/warehouses", form)
	if status != http.StatusUnprocessableEntity || !strings.Contains(body, "Second") || strings.Contains(body, "sesame") || !strings.Contains(body, `aria-invalid="true"`) {
		t.Errorf("a form that is refused: %d %s", status, wordsIn(t, body))
	}
	options := webtest.Fetch[data.WarehouseBody](d.World, http.StatusOK, webtest.Request{Path: warehousesPath + "/" + d.House}).Options
	for name, v := range options {
		form.Set("options."+name, v)
	}
	form.Set("schemas", "shop")
	status, at, body := d.SendForm("/data/warehouses", form)
	if status != http.StatusSeeOther || !strings.HasPrefix(at, "/data/warehouses/") {
		t.Fatalf("a form that is right: %d %s", status, wordsIn(t, body))
	}
	text := webtest.Words(d.Drawn(at))
	for _, want := range []string{"Second", "It works, but the role can write.", "The role", "GRANT", "It is saved."} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q: %s", want, text)
		}
	}
	path, _, _ := strings.Cut(at, "?")
	form.Set("options.host", "elsewhere.example.org")
	form.Set("version", "1")
	form.Del("secret")
	if status, _, body := d.SendForm(path, form); status != http.StatusUnprocessableEntity || !strings.Contains(wordsIn(t, body), "has to be given again") {
		t.Errorf("another address without its secret: %d %s", status, wordsIn(t, body))
	}
	if status, _, body := d.SendForm(path+"/delete", url.Values{}); status != http.StatusUnprocessableEntity || !strings.Contains(wordsIn(t, body), "tick the box") && !strings.Contains(wordsIn(t, body), "Tick the box") {
		t.Errorf("forgotten without being sure: %d %s", status, wordsIn(t, body))
	}
	if status, at, _ := d.SendForm(path+"/delete", url.Values{"sure": {"yes"}}); status != http.StatusSeeOther || !strings.HasPrefix(at, "/data") {
		t.Errorf("forget: %d %s", status, at)
	}
}

func TestWarehousePageShowsTablesAndStatements(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	src, err := d.Server.Data.Connections.Open(t.Context(), d.Tenant, d.House, connections.View{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	for _, sql := range []string{"SELECT count(*) FROM shop.orders", "DROP TABLE shop.orders", "SELECT '<script>'"} {
		_, _ = src.Ask(t.Context(), warehouse.Query{SQL: sql}) // the middle one is refused
	}
	text := webtest.Words(d.Drawn("/data/warehouses/" + d.House + "?find=orders"))
	for _, want := range []string{"1 table with 4 columns", "shop.orders", "4 columns", "refused", "passed", "<script>", "What changed at the last look (1)"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q: %s", want, text)
		}
	}
	if text := webtest.Words(d.Drawn("/data/warehouses/" + d.House + "?find=zebras")); !strings.Contains(text, "No table has to do with that.") {
		t.Errorf("nothing found: %s", text)
	}
	list := webtest.Fetch[web.Page[data.StatementBody]](d.World, http.StatusOK, webtest.Request{Path: warehousesPath + "/" + d.House + "/statements?limit=2"})
	if len(list.Items) != 2 || list.NextCursor == "" || list.Items[1].Verdict != connections.Refused {
		t.Errorf("%+v", list)
	}
	if rest := webtest.Fetch[web.Page[data.StatementBody]](d.World, http.StatusOK, webtest.Request{Path: warehousesPath + "/" + d.House + "/statements?limit=2&cursor=" + list.NextCursor}); len(rest.Items) != 1 || rest.NextCursor != "" {
		t.Errorf("%+v", rest)
	}
	if resp := d.Do(webtest.Request{Path: warehousesPath + "/" + d.House + "/statements?cursor=x"}); resp.StatusCode != http.StatusBadRequest {
		t.Errorf("a cursor that is none: %d", resp.StatusCode)
	}
}
