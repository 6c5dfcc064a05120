package reader

import (
	"strings"

	"golang.org/x/net/html"
)

// lines are the elements that begin a new line.
var lines = map[string]bool{
	"p": true, "div": true, "br": true, "li": true, "ul": true, "ol": true, "tr": true, "table": true, "section": true, "article": true, "header": true, "footer": true, "main": true, "aside": true, "nav": true,
	"h1": true, "h2": true, "h3": true, "h4": true, "h5": true, "h6": true, "blockquote": true, "pre": true, "hr": true, "dt": true, "dd": true, "form": true, "td": true, "th": true, "body": true,
}

// empties are the void elements, which have no end tag.
var empties = map[string]bool{
	"area": true, "base": true, "br": true, "col": true, "embed": true, "frame": true, "hr": true, "img": true, "input": true, "link": true, "meta": true, "param": true, "source": true, "track": true, "wbr": true,
}

// maxCopied is how many bytes of text the parser may copy while building a tree.
const maxCopied = 4 << 30

// parting are the elements that begin a new node wherever they occur, so that the
// text after them is not appended to the text before.
var parting = map[string]bool{
	"p": true, "div": true, "span": true, "a": true, "b": true, "i": true, "em": true, "strong": true, "code": true, "br": true, "img": true, "ul": true, "ol": true, "li": true, "dl": true, "dt": true, "dd": true, "table": true,
	"h1": true, "h2": true, "h3": true, "h4": true, "h5": true, "h6": true, "section": true, "article": true, "main": true, "header": true, "footer": true, "aside": true, "nav": true, "pre": true, "blockquote": true,
}

// tangled reports whether a page contains text that the parser would join piece by
// piece: it drops misplaced tags, and copies all preceding text each time.
func tangled(page string) bool {
	z := html.NewTokenizer(strings.NewReader(page))
	run, copied, closed := 0, 0, make(map[string]int)
	for copied <= maxCopied {
		switch z.Next() {
		case html.ErrorToken:
			return false
		case html.TextToken:
			run += len(z.Raw())
			copied += run
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			if enclosing[string(name)] {
				closed[string(name)]++
			}
			if len(closed) == 0 && parting[string(name)] {
				run = 0
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			if closed[string(name)]--; closed[string(name)] <= 0 {
				delete(closed, string(name))
			}
		case html.CommentToken:
			run = 0
		case html.DoctypeToken:
		}
	}
	return true
}

// enclosing are the elements inside which the parting elements begin no node.
var enclosing = map[string]bool{"select": true, "template": true, "frameset": true}

// flat extracts the words of a page without building its tree.
type flat struct {
	text, title strings.Builder
	inTitle     bool
	skip        string // the hidden element being skipped; empty for none
	depth       int    // open elements of that name
}

// readFlat returns the words of a page that is nested too deeply or too large for a
// tree. Hidden elements stay hidden up to their end tags.
func readFlat(page string) Doc {
	var f flat
	z := html.NewTokenizer(strings.NewReader(page))
	for f.text.Len() <= 2*maxText {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		f.handle(z.Token())
	}
	return Doc{Title: f.title.String(), Text: f.text.String(), Truncated: f.text.Len() > 2*maxText}
}

// handle handles one token.
func (f *flat) handle(t html.Token) {
	switch {
	case f.skip != "":
		f.leave(t)
	case t.Type == html.TextToken && f.inTitle:
		f.title.WriteString(t.Data)
	case t.Type == html.TextToken:
		f.text.WriteString(t.Data)
	case t.Type == html.StartTagToken || t.Type == html.SelfClosingTagToken:
		f.open(t)
	case t.Data == "title":
		f.inTitle = false
	case lines[t.Data] && t.Type == html.EndTagToken:
		f.text.WriteByte('\n')
	}
}

// open handles the start of an element.
func (f *flat) open(t html.Token) {
	n := &html.Node{Type: html.ElementNode, Data: t.Data, DataAtom: t.DataAtom, Attr: t.Attr}
	style := declarations(attr(n, "style"))
	switch {
	case t.Data == "head" || empties[t.Data]:
	case t.Data == "title":
		f.inTitle = true
	case notDisplayed(n, style) || (visibility{}).under(n, style).invisibleText():
		f.skip, f.depth = t.Data, 1
	}
	if lines[t.Data] {
		f.text.WriteByte('\n')
	}
}

// leave handles a token inside a hidden element.
func (f *flat) leave(t html.Token) {
	if t.Data != f.skip {
		return
	}
	switch t.Type {
	case html.StartTagToken:
		f.depth++
	case html.EndTagToken:
		f.depth--
	case html.TextToken, html.SelfClosingTagToken, html.CommentToken, html.DoctypeToken, html.ErrorToken:
	}
	if f.depth == 0 {
		f.skip = ""
	}
}
