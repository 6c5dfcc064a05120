package ui_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"golang.org/x/net/html"
)

// page is a rendered component, to be searched.
type page struct {
	t    *testing.T
	root *html.Node
}

func render(t *testing.T, c templ.Component) page {
	t.Helper()
	var out bytes.Buffer
	if err := c.Render(context.Background(), &out); err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(&out)
	if err != nil {
		t.Fatal(err)
	}
	return page{t, root}
}

// all returns the elements match accepts. What stands in template elements is
// not part of the page, and left out.
func (p page) all(match func(*html.Node) bool) []*html.Node {
	var out []*html.Node
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode && match(n) {
			out = append(out, n)
		}
		if n.Type == html.ElementNode && n.Data == "template" {
			return
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(p.root)
	return out
}

// every returns all elements, those in templates too.
func (p page) every() []*html.Node {
	var out []*html.Node
	for n := range p.root.Descendants() {
		if n.Type == html.ElementNode {
			out = append(out, n)
		}
	}
	return out
}

// within looks below n only.
func (p page) within(n *html.Node) page { return page{p.t, n} }

// test returns the only element with that data-testid.
func (p page) test(id string) *html.Node {
	p.t.Helper()
	found := p.tests(id)
	if len(found) != 1 {
		p.t.Fatalf("%d elements with data-testid %q, want 1", len(found), id)
	}
	return found[0]
}

func (p page) tests(id string) []*html.Node {
	return p.all(func(n *html.Node) bool { return attr(n, "data-testid") == id })
}

// slot returns the first element called name below n.
func (p page) slot(n *html.Node, name string) *html.Node {
	p.t.Helper()
	found := p.within(n).all(func(n *html.Node) bool { return attr(n, "data-slot") == name })
	if len(found) == 0 {
		p.t.Fatalf("no slot %q", name)
	}
	return found[0]
}

func tag(name string) func(*html.Node) bool {
	return func(n *html.Node) bool { return n.Data == name }
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}

// text is what n says, with runs of space as one and a space between blocks.
func text(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		} else if slices.Contains([]string{"p", "h1", "h2", "h3", "li", "progress", "time", "button"}, c.Data) {
			b.WriteString(" ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func rawText(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}
