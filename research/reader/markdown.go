package reader

import (
	"fmt"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// inline are the elements that only emphasize words. Their text is kept without
// markup, so that a quotation matches the text as people read it.
var inline = map[string]bool{
	"a": true, "strong": true, "b": true, "em": true, "i": true, "u": true, "span": true, "font": true, "mark": true, "small": true, "big": true, "sub": true, "sup": true,
	"s": true, "del": true, "ins": true, "strike": true, "tt": true, "code": true, "kbd": true, "samp": true, "var": true, "abbr": true, "acronym": true, "cite": true, "q": true, "time": true,
	"label": true, "dfn": true, "bdi": true, "bdo": true, "data": true, "button": true, "nobr": true,
}

// markdown renders a tree as text: headings, lists, tables and code blocks as in
// Markdown, without any other markup or escapes. It modifies the tree.
func markdown(n *html.Node) (text string, err error) {
	defer func() {
		if p := recover(); p != nil { // a tree the converter cannot handle
			err = fmt.Errorf("lay out as text: %v", p)
		}
	}()
	plain(n)
	join(n)
	c := converter.NewConverter(
		converter.WithEscapeMode(converter.EscapeModeDisabled),
		converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(),
			table.NewTablePlugin(table.WithCellPaddingBehavior(table.CellPaddingBehaviorMinimal), table.WithNewlineBehavior(table.NewlineBehaviorPreserve),
				table.WithSkipEmptyRows(true), table.WithHeaderPromotion(true))))
	b, err := c.ConvertNode(n)
	if err != nil {
		return "", fmt.Errorf("lay out as text: %w", err)
	}
	return string(b), nil
}

// plain removes every attribute under n and unwraps the inline elements. A
// superscript keeps a mark, or 10 to the power of 2 would read as 102.
func plain(n *html.Node) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		c.Attr = nil
		if c.Type == html.ElementNode && inline[c.Data] && !(c.DataAtom == atom.Code && n.DataAtom == atom.Pre) {
			next = unwrap(n, c)
		}
		plain(c)
		c = next
	}
}

// unwrap replaces c by its children and returns the next node to look at.
func unwrap(n, c *html.Node) *html.Node {
	after := c.NextSibling
	if c.DataAtom == atom.Sup && strings.TrimSpace(wordsOf(c)) != "" {
		n.InsertBefore(&html.Node{Type: html.TextNode, Data: "^"}, c)
	}
	first := c.FirstChild
	for k := c.FirstChild; k != nil; k = c.FirstChild {
		c.RemoveChild(k)
		n.InsertBefore(k, c)
	}
	n.RemoveChild(c)
	if first != nil {
		return first
	}
	return after
}
