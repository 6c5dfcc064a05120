package webtest

import (
	"net/http"
	"strings"

	"golang.org/x/net/html"
)

// Drawn is a page as a browser has it.
func (w *World) Drawn(path string) *html.Node {
	w.T.Helper()
	resp := w.Do(Request{Path: path, Header: map[string]string{"Accept": "text/html"}})
	if kind := resp.Header.Get("Content-Type"); resp.StatusCode != http.StatusOK || !strings.HasPrefix(kind, "text/html") {
		w.T.Fatalf("%s answered %d %s", path, resp.StatusCode, kind)
	}
	root, err := html.Parse(resp.Body)
	if err != nil {
		w.T.Fatal(err)
	}
	return root
}

func Attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func Words(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
