package ui_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"quaestor/web/ui"
	"quaestor/web/webtest"
)

func markdown(t *testing.T, source string) string {
	t.Helper()
	var out bytes.Buffer
	if err := ui.Markdown(source).Render(context.Background(), &out); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(out.String())
}

func TestMarkdown(t *testing.T) {
	t.Parallel()

	const rel = ` rel="nofollow noreferrer noopener" target="_blank"`
	for _, tt := range []struct{ name, in, want string }{
		{"paragraphs", "One\n\ntwo", "<p>One</p>\n<p>two</p>"},
		{"emphasis", "**a** *b*", "<p><strong>a</strong> <em>b</em></p>"},
		{"list", "- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"},
		{"heading below the page's", "# A", "<h3>A</h3>"},
		{"link names its host", "[x](https://example.org/y)", `<p><a href="https://example.org/y"` + rel + `>x</a> (example.org)</p>`},
		{"link that shows it", "[example.org](https://example.org)", `<p><a href="https://example.org"` + rel + `>example.org</a></p>`},
		{"script", "<script>alert(1)</script>", ""},
		{"inline HTML", "a <b onclick=x>b</b>", "<p>a b</p>"},
		{"javascript link", "[x](javascript:alert(1))", "<p>x</p>"},
		{"obscured javascript link", "[x](JaVaScRiPt&colon;alert(1))", "<p>x</p>"},
		{"data link", "[x](data:text/html;base64,AA)", "<p>x</p>"},
		{"relative link", "[x](/admin)", "<p>x</p>"},
		{"picture", "![cat](https://example.org/c.png)", "<p>cat</p>"},
		{"code", "`<b>`", "<p><code>&lt;b&gt;</code></p>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if got := markdown(t, tt.in); got != tt.want {
				t.Errorf("Markdown(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

var replyElements = []string{"p", "br", "strong", "em", "ul", "ol", "li", "blockquote", "code", "pre", "hr", "h3", "h4", "h5", "h6", "a", "html", "head", "body"}

// Whatever a reply contains, nothing in it loads or runs.
func FuzzMarkdown(f *testing.F) {
	for _, s := range append(webtest.Hostile, "[a](https://b.c \"d\")", "1. x\n   - y", "a\n\n> b\n```\nc", "![x](y)[z]: <w>") {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		root, err := html.Parse(strings.NewReader(markdown(t, source)))
		if err != nil {
			t.Fatal(err)
		}
		for n := range root.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			if !slices.Contains(replyElements, n.Data) {
				t.Errorf("Markdown(%q) has element %s", source, n.Data)
			}
			checkAttributes(t, source, n)
		}
	})
}

func checkAttributes(t *testing.T, source string, n *html.Node) {
	t.Helper()
	for _, a := range n.Attr {
		switch a.Key {
		case "rel", "target", "start":
		case "href":
			if scheme, _, _ := strings.Cut(strings.ToLower(a.Val), ":"); scheme != "http" && scheme != "https" && scheme != "mailto" {
				t.Errorf("Markdown(%q) links to %q", source, a.Val)
			}
		default:
			t.Errorf("Markdown(%q) has attribute %s", source, a.Key)
		}
	}
}
