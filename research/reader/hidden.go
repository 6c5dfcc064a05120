package reader

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// unreadElements are the elements whose content is not part of the page's text: code,
// embedded documents, pictures, fallbacks for disabled scripts, form controls.
var unreadElements = map[string]bool{
	"script": true, "style": true, "template": true, "noscript": true, "noframes": true, "noembed": true, "iframe": true, "frame": true, "frameset": true, "object": true, "embed": true, "applet": true,
	"svg": true, "math": true, "canvas": true, "audio": true, "video": true, "picture": true, "img": true, "map": true,
	"head": true, "title": true, "meta": true, "link": true, "base": true,
	"input": true, "select": true, "textarea": true, "datalist": true, "option": true, "optgroup": true, "progress": true, "meter": true, "rp": true,
}

// visibility describes how an element shows its text, as inherited by its content.
type visibility struct {
	invisible  bool   // by the visibility property
	tiny       bool   // the font is too small to see
	color      string // of the letters, as [color] returns it; empty if unknown
	background string // color behind the letters; empty if unknown
}

// invisibleText reports whether text directly in the element is invisible.
func (s visibility) invisibleText() bool {
	return s.invisible || s.tiny || s.color == transparent || alike(s.color, s.background)
}

// prune removes from the tree under n what a reader would not see. It examines the
// elements themselves; style sheets and scripts are not followed.
func prune(n *html.Node, s visibility) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		switch c.Type {
		case html.TextNode:
			if s.invisibleText() {
				n.RemoveChild(c)
			}
		case html.ElementNode:
			style := declarations(attr(c, "style"))
			if notDisplayed(c, style) {
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

// join merges adjacent text nodes, which removed nodes leave behind. Later stages
// would merge them one by one, copying all of the text each time.
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

// notDisplayed reports whether an element and all of its content are not displayed.
func notDisplayed(n *html.Node, style map[string]string) bool {
	switch {
	case unreadElements[n.Data], has(n, "hidden"), strings.EqualFold(strings.TrimSpace(attr(n, "aria-hidden")), "true"):
		return true
	case n.DataAtom == atom.Dialog && !has(n, "open"):
		return true
	}
	return unshown(style)
}

// under returns the visibility inside n.
func (s visibility) under(n *html.Node, style map[string]string) visibility {
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

// fontColor is the color attribute of a font element.
func fontColor(n *html.Node) string {
	if n.DataAtom == atom.Font {
		return attr(n, "color")
	}
	return ""
}

// first returns its first non-empty argument.
func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}
