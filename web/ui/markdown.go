package ui

import (
	"bytes"
	"net/url"
	"strings"
	"sync"

	"github.com/a-h/templ"
	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Markdown renders a reply: paragraphs, lists, emphasis, code, quotes and links,
// nothing that loads or runs. Raw HTML in it is shown as nothing, pictures become
// their text, and a link names the host it leads to.
func Markdown(source string) templ.Component {
	m := renderer()
	var out bytes.Buffer
	if err := m.convert.Convert([]byte(source), &out); err != nil {
		return templ.Raw(templ.EscapeString(source)) // escaped: nothing to sanitise
	}
	return templ.Raw(m.policy.Sanitize(out.String())) // sanitised by the policy below
}

// markdown is a converter and the policy that checks what it made.
type markdown struct {
	convert goldmark.Markdown
	policy  *bluemonday.Policy
}

// renderer builds both once; they are safe for concurrent use.
var renderer = sync.OnceValue(func() markdown {
	return markdown{
		convert: goldmark.New(goldmark.WithParserOptions(parser.WithASTTransformers(util.Prioritized(hosts{}, 500)))),
		policy:  replyPolicy(),
	}
})

func replyPolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "strong", "em", "ul", "ol", "li", "blockquote", "code", "pre", "hr", "h3", "h4", "h5", "h6")
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowAttrs("href").OnElements("a")
	p.AllowURLSchemes("http", "https", "mailto")
	p.RequireParseableURLs(true)
	p.AllowRelativeURLs(false)
	p.RequireNoFollowOnLinks(true)
	p.RequireNoReferrerOnLinks(true)
	p.AddTargetBlankToFullyQualifiedLinks(true) // adds noopener with it
	return p
}

// hosts writes the host after each link whose text does not show where it goes,
// turns pictures into their text, and headings into small ones: the page has its
// own.
type hosts struct{}

// Transform implements [parser.ASTTransformer].
func (hosts) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	var links, pictures []ast.Node
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			links = append(links, n)
		case *ast.Image:
			pictures = append(pictures, n)
		case *ast.Heading:
			n.Level = min(n.Level+2, 6)
		}
		return ast.WalkContinue, nil
	})
	for _, n := range links {
		nameHost(n.(*ast.Link), reader.Source())
	}
	for _, n := range pictures {
		unwrap(n)
	}
}

// nameHost adds " (host)" after link, unless its text says so.
func nameHost(link *ast.Link, source []byte) {
	u, err := url.Parse(string(link.Destination))
	if err != nil || u.Host == "" || strings.Contains(shown(link, source), u.Host) {
		return
	}
	link.Parent().InsertAfter(link.Parent(), link, ast.NewString([]byte(" ("+u.Host+")")))
}

// shown is the plain text in n.
func shown(n ast.Node, source []byte) string {
	var b strings.Builder
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		if t, ok := child.(*ast.Text); ok {
			b.Write(t.Segment.Value(source))
		}
	}
	return b.String()
}

// unwrap puts the children of n in its place.
func unwrap(n ast.Node) {
	parent := n.Parent()
	for child := n.FirstChild(); child != nil; child = n.FirstChild() {
		parent.InsertBefore(parent, n, child)
	}
	parent.RemoveChild(parent, n)
}
