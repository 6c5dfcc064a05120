package webtest

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"golang.org/x/net/html"
)

// Page is a rendered component, to be searched.
type Page struct {
	t    *testing.T
	Root *html.Node
}

func Render(t *testing.T, c templ.Component) Page {
	t.Helper()
	var out bytes.Buffer
	if err := c.Render(context.Background(), &out); err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(&out)
	if err != nil {
		t.Fatal(err)
	}
	return Page{t, root}
}

// All returns the elements match accepts. What stands in template elements is
// not part of the page, and left out.
func (p Page) All(match func(*html.Node) bool) []*html.Node {
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
	walk(p.Root)
	return out
}

// Every returns all elements, those in templates too.
func (p Page) Every() []*html.Node {
	var out []*html.Node
	for n := range p.Root.Descendants() {
		if n.Type == html.ElementNode {
			out = append(out, n)
		}
	}
	return out
}

// Within looks below n only.
func (p Page) Within(n *html.Node) Page { return Page{p.t, n} }

// Test returns the only element with that data-testid.
func (p Page) Test(id string) *html.Node {
	p.t.Helper()
	found := p.Tests(id)
	if len(found) != 1 {
		p.t.Fatalf("%d elements with data-testid %q, want 1", len(found), id)
	}
	return found[0]
}

func (p Page) Tests(id string) []*html.Node {
	return p.All(func(n *html.Node) bool { return Attr(n, "data-testid") == id })
}

// Slot returns the first element called name below n.
func (p Page) Slot(n *html.Node, name string) *html.Node {
	p.t.Helper()
	found := p.Within(n).All(func(n *html.Node) bool { return Attr(n, "data-slot") == name })
	if len(found) == 0 {
		p.t.Fatalf("no slot %q", name)
	}
	return found[0]
}

func Tag(name string) func(*html.Node) bool {
	return func(n *html.Node) bool { return n.Data == name }
}

func Attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func Has(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}

// Text is what n says, with runs of space as one and a space between blocks.
func Text(n *html.Node) string {
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

func RawText(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}
