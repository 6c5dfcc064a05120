package data_test

import (
	"bytes"
	"context"
	"fmt"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"quaestor/internal/auth"
	"quaestor/sessions"
	"quaestor/sessions/settings"
	"quaestor/web"
	"quaestor/web/data"
	"quaestor/web/webtest"
)

// journal returns what the journal of the organisation says, newest first.
func journal(t *testing.T, w *webtest.World) string {
	t.Helper()
	list, err := settings.Journal(t.Context(), w.Pool, w.Tenant, 0, 50)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range list {
		out = append(out, e.Actor+" "+e.Detail.Says+" "+e.Subject)
	}
	return strings.Join(out, "\n")
}

// packOf makes a pack over the API, and changes its advice.
func packOf(t *testing.T, w *webtest.World, house, advice string) data.PackDraftBody {
	t.Helper()
	const all = "/api/v1/pack-drafts"
	made := webtest.Fetch[data.PackDraftBody](w, http.StatusAccepted, webtest.Request{Path: all, Body: map[string]any{"name": "Tea", "warehouseId": house, "slice": []string{"shop"}, "notes": "Orders are paid before they leave.", "urls": []string{"https://example.org/x"},
		"files": []map[string]any{{"name": "a.md", "content": []byte("# Terms\nAn order is sent back.")}}}})
	if made.State != "drafting" || len(made.Sections) != 0 {
		t.Errorf("%+v", made)
	}
	if err := w.Server.Data.Drafts.Work(t.Context(), w.Tenant, made.ID); err != nil {
		t.Fatal(err)
	}
	one := all + "/" + made.ID
	d := webtest.Fetch[data.PackDraftBody](w, http.StatusOK, webtest.Request{Path: one})
	if d.State != "open" || len(d.Sources) != 3 || d.Sources[2].Kind != "url" && d.Sources[0].Kind != "url" {
		t.Fatalf("%+v", d)
	}
	if resp := w.Do(webtest.Request{Method: http.MethodPost, Path: one + "/accept"}); resp.StatusCode != http.StatusConflict {
		t.Errorf("accepted with open sections: %d", resp.StatusCode)
	}
	for _, s := range d.Sections {
		if s.Key == "recommendations" {
			s.Content.Text = advice
		}
		path := one + "/sections/" + s.Key
		bad := s.Content
		bad.Text, bad.Name, bad.Fields = "{{NOBODY}}", "{{NOBODY}}", nil
		if s.Key != "profile" {
			resp := w.Do(webtest.Request{Method: http.MethodPut, Path: path, Body: map[string]any{"version": s.Version, "content": bad, "accept": true}})
			if body := webtest.ReadAll(t, resp); resp.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(body, "{{NOBODY}}") {
				t.Errorf("%s: %d %s", s.Key, resp.StatusCode, body)
			}
		}
		saved := webtest.Fetch[data.SectionBody](w, http.StatusOK, webtest.Request{Method: http.MethodPut, Path: path, Body: map[string]any{"version": s.Version, "content": s.Content, "accept": true}})
		if saved.State != "accepted" || saved.Version != s.Version+1 {
			t.Errorf("%+v", saved)
		}
	}
	return webtest.Fetch[data.PackDraftBody](w, http.StatusOK, webtest.Request{Method: http.MethodPost, Path: one + "/accept"})
}

func TestPackIsMadeAndItsPromptsAreUpgradedOverTheAPI(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	first := packOf(t, d.World, d.House, "## Good advice\n\nPour slowly.")
	if first.State != "accepted" || first.Version != "1.0.0" {
		t.Fatalf("%+v", first)
	}
	project := webtest.Fetch[data.ProjectBody](d.World, http.StatusCreated, webtest.Request{Path: "/api/v1/projects", Body: map[string]any{"name": "Tea time", "warehouseId": d.House, "pack": "tea"}}).ID
	prompts := "/api/v1/projects/" + project + "/prompts"
	if got := webtest.Fetch[data.PromptsBody](d.World, http.StatusOK, webtest.Request{Path: prompts}); got.Pack != "tea@1.0.0" || got.Upgrade != nil || len(got.Items) < 5 {
		t.Errorf("%+v", got)
	}
	resp := d.Do(webtest.Request{Method: http.MethodPut, Path: prompts + "/recommendations", Body: map[string]any{"text": "Say {{INSIGHTS}}"}})
	if body := webtest.ReadAll(t, resp); resp.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(body, "{{INSIGHTS}}") || !strings.Contains(body, "INSIGHTS_DATA") {
		t.Errorf("an unknown placeholder: %d %s", resp.StatusCode, body)
	}
	got := webtest.Fetch[data.PromptsBody](d.World, http.StatusOK, webtest.Request{Method: http.MethodPut, Path: prompts + "/recommendations", Body: map[string]any{"text": "Mine on {{INSIGHTS_DATA}}"}})
	if last := got.Items[len(got.Items)-1]; !last.Own || len(last.Lines) < 3 || !strings.Contains(last.Pack, "Pour slowly.") {
		t.Errorf("%+v", last)
	}
	packOf(t, d.World, d.House, "## Good advice\n\nPour quickly.")
	got = webtest.Fetch[data.PromptsBody](d.World, http.StatusOK, webtest.Request{Path: prompts})
	if got.Upgrade == nil || got.Upgrade.To != "tea@2.0.0" {
		t.Fatalf("%+v", got.Upgrade)
	}
	upgrade := "/api/v1/projects/" + project + "/upgrade"
	if resp := d.Do(webtest.Request{Method: http.MethodPost, Path: upgrade, Body: map[string]any{}}); resp.StatusCode != http.StatusConflict {
		t.Errorf("nobody chose: %d", resp.StatusCode)
	}
	got = webtest.Fetch[data.PromptsBody](d.World, http.StatusOK, webtest.Request{Method: http.MethodPost, Path: upgrade, Body: map[string]any{"decisions": map[string]string{"recommendations": "pack"}}})
	if last := got.Items[len(got.Items)-1]; got.Pack != "tea@2.0.0" || last.Own || !strings.Contains(last.Text, "Pour quickly.") {
		t.Errorf("%s: %+v", got.Pack, last)
	}
	log := journal(t, d.World)
	for _, want := range []string{"accepted the pack tea@1.0.0", "accepted the pack tea@2.0.0", "changed the prompt recommendations of Tea time", "moved to tea@2.0.0: Tea time"} {
		if !strings.Contains(log, want) {
			t.Errorf("the journal lacks %q: %s", want, log)
		}
	}
}

func TestPacksAreForThoseWhoManage(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	d.Server.Develop = nil
	for _, c := range []struct {
		role auth.Role
		path string
		want int
	}{{auth.Reviewer, "/api/v1/pack-drafts", 403}, {auth.Admin, "/api/v1/pack-drafts", 200}, {auth.Reviewer, "/data/packs", 403}, {auth.Reviewer, "/api/v1/projects/" + d.Project + "/prompts", 200}, {auth.Member, "/api/v1/projects/" + d.Project + "/prompts", 403}} {
		if resp := d.As(d.Tenant, "someone", c.role).Do(webtest.Request{Path: c.path}); resp.StatusCode != c.want {
			t.Errorf("%s as %s: %d, want %d", c.path, c.role, resp.StatusCode, c.want)
		}
	}
}

// The page and the API say how each table is tied to the filter, and the journal who changed it.
func TestTablesTellHowTheyAreTied(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	d.Exec("CREATE TABLE shop.lines (id int PRIMARY KEY, order_id bigint REFERENCES shop.orders (id))", "CREATE TABLE shop.calendar (day int)", "CREATE TABLE shop.prices (name text)")
	one := warehousesPath + "/" + d.House
	got := webtest.Fetch[data.WarehouseBody](d.World, http.StatusOK, webtest.Request{Path: one})
	change := map[string]any{"name": "Shop", "options": got.Options, "schemas": []string{"shop"}, "filter": map[string]string{"column": "state", "value": "paid"}, "open": []string{"shop.calendar"}}
	webtest.Fetch[data.WarehouseBody](d.World, http.StatusOK, webtest.Request{Method: http.MethodPut, Path: one, Body: change, Header: map[string]string{"If-Match": d.Tag(one)}})
	if err := d.Server.Data.Connections.Refresh(t.Context(), d.Tenant, d.House); err != nil {
		t.Fatal(err)
	}
	tied := map[string]string{}
	for _, table := range webtest.Fetch[web.Page[data.TableBody]](d.World, http.StatusOK, webtest.Request{Path: one + "/tables"}).Items {
		tied[table.Ref] = table.Access + " " + table.Path
	}
	for ref, want := range map[string]string{"shop.orders": "filtered state", "shop.lines": "filtered order_id → shop.orders.state", "shop.calendar": "opened ", "shop.prices": "closed "} {
		if tied[ref] != want {
			t.Errorf("%s is %q, want %q", ref, tied[ref], want)
		}
	}
	text := webtest.Words(d.Drawn("/data/warehouses/" + d.House))
	for _, want := range []string{"only the customer's rows, through order_id → shop.orders.state", "closed: nothing ties it to the customer", "all rows: it is opened below", "foreign key ties them to the customer: shop.prices."} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q: %s", want, text)
		}
	}
	if log := journal(t, d.World); !strings.Contains(log, "set the filter to state = paid, opened the whole of shop.calendar in Shop") {
		t.Errorf("the journal says %s", log)
	}
	if found := webtest.Fetch[web.Page[data.TableBody]](d.World, http.StatusOK, webtest.Request{Path: one + "/tables?search=prices"}); len(found.Items) != 0 {
		t.Errorf("a closed table is found: %+v", found.Items)
	}
}

// A form with more files than a draft takes is refused before any is read, because each is read in a
// process of its own.
func TestTooManyFilesAreNotRead(t *testing.T) {
	t.Parallel()

	d := webtest.OpenData(t)
	read := 0
	d.Server.Data.ReadFile = func(context.Context, string, string, []byte) (sessions.File, error) {
		read++
		return sessions.File{}, nil
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	_ = form.WriteField("name", "Tea") // a buffer takes everything
	_ = form.WriteField("warehouse", d.House)
	for n := range 100 {
		w, err := form.CreateFormFile("files", fmt.Sprintf("%d.md", n))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = w.Write([]byte("# Terms"))
	}
	_ = form.Close()

	resp := d.Do(webtest.Request{Path: "/data/packs/drafts", Body: body.String(), Header: map[string]string{"Content-Type": form.FormDataContentType(), "Sec-Fetch-Site": "same-origin"}})
	if text := webtest.ReadAll(t, resp); resp.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(text, "at most 20") || read != 0 {
		t.Errorf("100 files are answered %d %.300s, and %d were read", resp.StatusCode, text, read)
	}
}
