package reader

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// unread are elements whose content is not the page's text: code, other
// documents, pictures, what is only shown without scripts, what people fill in.
var unread = map[string]bool{
	"script": true, "style": true, "template": true, "noscript": true, "noframes": true, "noembed": true, "iframe": true, "frame": true, "frameset": true, "object": true, "embed": true, "applet": true,
	"svg": true, "math": true, "canvas": true, "audio": true, "video": true, "picture": true, "img": true, "map": true,
	"head": true, "title": true, "meta": true, "link": true, "base": true,
	"input": true, "select": true, "textarea": true, "datalist": true, "option": true, "optgroup": true, "progress": true, "meter": true, "rp": true,
}

// sight is what an element hands down to what is in it.
type sight struct {
	invisible  bool   // visibility
	tiny       bool   // letters too small to see
	color      string // of letters, as [color] writes it; empty if unknown
	background string // behind them
}

// unseen reports whether text right here cannot be seen.
func (s sight) unseen() bool {
	return s.invisible || s.tiny || s.color == transparent || alike(s.color, s.background)
}

// prune removes from the tree under n what a reader would not see. It looks at
// the elements themselves; style sheets and scripts are not followed.
func prune(n *html.Node, s sight) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		switch c.Type {
		case html.TextNode:
			if s.unseen() {
				n.RemoveChild(c)
			}
		case html.ElementNode:
			style := declarations(attr(c, "style"))
			if gone(c, style) {
				n.RemoveChild(c)
			} else {
				prune(c, s.under(c, style))
			}
		case html.CommentNode, html.DoctypeNode, html.RawNode, html.ErrorNode:
			n.RemoveChild(c)
		case html.DocumentNode:
			prune(c, s)
		}
		c = next
	}
}

// join makes one node of texts that stand side by side, as removed nodes leave
// them. What comes after would join them one by one, copying all of it each time.
func join(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.TextNode {
			join(c)
			continue
		}
		next := c.NextSibling
		if next == nil || next.Type != html.TextNode {
			continue
		}
		var b strings.Builder
		b.WriteString(c.Data)
		for ; next != nil && next.Type == html.TextNode; next = c.NextSibling {
			b.WriteString(next.Data)
			n.RemoveChild(next)
		}
		c.Data = b.String()
	}
}

// gone reports whether an element is not shown with all that is in it.
func gone(n *html.Node, style map[string]string) bool {
	switch {
	case unread[n.Data], has(n, "hidden"), strings.EqualFold(strings.TrimSpace(attr(n, "aria-hidden")), "true"):
		return true
	case n.DataAtom == atom.Dialog && !has(n, "open"):
		return true
	}
	return unshown(style)
}

// under returns the sight inside n.
func (s sight) under(n *html.Node, style map[string]string) sight {
	switch style["visibility"] {
	case "hidden", "collapse":
		s.invisible = true
	case "visible", "initial":
		s.invisible = false
	}
	s.tiny = tiny(style, s.tiny)
	if c := color(first(style["color"], attr(n, "text"), fontColor(n))); c != "" {
		s.color = c
	}
	s.background = background(style, attr(n, "bgcolor"), s.background)
	return s
}

// fontColor is the color of the element that once was for that.
func fontColor(n *html.Node) string {
	if n.DataAtom == atom.Font {
		return attr(n, "color")
	}
	return ""
}

// first returns the first of its arguments that is not empty.
func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}
