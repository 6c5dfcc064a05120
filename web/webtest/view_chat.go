package webtest

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func CheckPolicy(t *testing.T, page string, n *html.Node) {
	t.Helper()
	switch n.Data {
	case "script":
		if !strings.HasPrefix(Attr(n, "src"), "/static/") || RawText(n) != "" {
			t.Errorf("%s: inline or foreign script %q", page, Attr(n, "src"))
		}
	case "style", "iframe", "object", "embed", "base", "img":
		t.Errorf("%s: element %s", page, n.Data)
	}
	for _, a := range n.Attr {
		value := strings.ToLower(strings.TrimSpace(a.Val))
		if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
			t.Errorf("%s: attribute %s=%q on %s", page, a.Key, a.Val, n.Data)
		}
		if (a.Key == "href" || a.Key == "action" || a.Key == "src") && (strings.HasPrefix(value, "javascript:") || strings.HasPrefix(value, "data:")) {
			t.Errorf("%s: %s=%q on %s", page, a.Key, a.Val, n.Data)
		}
	}
}
