package data_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	nethtml "golang.org/x/net/html"

	"quaestor/internal/auth"
	"quaestor/web/webtest"
)

// hostile is what may stand in the cells of a warehouse, and so in findings.
var hostile = []string{
	"![x](https://evil.example/i.png)", "[x](javascript:alert(1))", "<img src=x onerror=alert(1)>", "<https://evil.example>", "https://evil.example/a", "www.evil.example",
	"a\r# heading", "a\r~~~", "~~~\nfence", "a\r> quote", "> quote", "- item", "a\r1. item", "1. item", "+ item", "a\r===", "\u202eevil", "$\\href{javascript:alert(1)}{x}$",
	"&#60;script&#62;alert(1)&#60;/script&#62;", "a\u2028# heading", "`code`", "| a | b |\r|---|---|",
}

// A document that is saved shows what stands in the data as words: no link, no picture, no
// structure, whichever program renders it.
func TestSavedFindingsAreWords(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	boss := w.As(w.Tenant, "boss", auth.Owner)
	h := w.Furnish(boss, w.Tenant, "heron", "ibis")
	for _, text := range hostile {
		body, err := json.Marshal(map[string]any{"headline": text, "text": text, "figures": []map[string]any{{"id": "all", "name": text, "sql": "SELECT 1 -- ```" + strings.TrimPrefix(text, "\u202e"), "value": 1}}})
		if err != nil {
			t.Fatal(err)
		}
		advice, err := json.Marshal(map[string]any{"title": text, "text": text, "actions": []string{text}})
		if err != nil {
			t.Fatal(err)
		}
		w.Exec(`UPDATE warehouse_projects SET name = $2 WHERE tenant_id = $1`, w.Tenant, text)
		w.Exec(`UPDATE warehouse_insights SET body = $2, title = $3 WHERE tenant_id = $1`, w.Tenant, string(body), text)
		w.Exec(`UPDATE warehouse_recommendations SET body = $2, title = $3 WHERE tenant_id = $1`, w.Tenant, string(advice), text)
		md := webtest.ReadAll(t, boss.Do(webtest.Request{Path: "/api/v1/runs/" + h.Run + "/findings?format=md"}))
		wantWords(t, text, md, 3)
		var n struct {
			Cells []struct {
				Type   string `json:"cell_type"`
				Source []string
			}
		}
		resp := boss.Do(webtest.Request{Path: "/api/v1/runs/" + h.Run + "/findings?format=ipynb"})
		if raw := webtest.ReadAll(t, resp); resp.StatusCode != http.StatusOK || json.Unmarshal([]byte(raw), &n) != nil {
			t.Fatalf("%q: %d %s", text, resp.StatusCode, raw)
		}
		for _, c := range n.Cells {
			if source := strings.Join(c.Source, ""); c.Type == "markdown" {
				wantWords(t, text, source, 1)
			}
		}
	}
}

// wantWords checks that a text makes nothing of a Markdown document but words. The document has that
// many lists of its own at most.
func wantWords(t *testing.T, text, source string, lists int) {
	t.Helper()
	var out strings.Builder
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe())).Convert([]byte(source), &out); err != nil {
		t.Fatal(err)
	}
	root, err := nethtml.Parse(strings.NewReader(out.String()))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for n := range root.Descendants() {
		if n.Type == nethtml.ElementNode {
			found[n.Data]++
		}
	}
	for _, name := range []string{"a", "img", "script", "blockquote", "table", "hr", "em", "strong", "del"} {
		if found[name] > 0 {
			t.Errorf("%q makes <%s> of\n%s", text, name, source)
		}
	}
	if strings.Contains(source, "\u202e") || strings.Contains(source, "\r") || found["ul"]+found["ol"] > lists {
		t.Errorf("%q shows through in\n%q", text, source)
	}
}
