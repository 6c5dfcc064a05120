package reader

import (
	"regexp"
	"strings"
	"time"
	"unicode"

	"codeberg.org/readeck/go-readability/v2"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	maxScored = 40_000    // nodes up to which the article is searched for, which takes more than linear time
	maxSteps  = 1_500_000 // sum of the nodes' depths, as above
	maxNodes  = 300_000   // nodes up to which a page is rendered as Markdown
)

// readHTML returns what a page shows. A page that is nested deeper than the parser
// supports, or that would take too much time, is read as a sequence of words.
func readHTML(page string) Doc {
	if tangled(page) {
		return readFlat(page)
	}
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return readFlat(page)
	}
	doc := Doc{Title: titleOf(root), Published: publishedOf(root)}
	prune(root, visibility{})
	join(root)
	var w weight
	w.weigh(root, 1)
	if w.nodes > maxNodes {
		doc.Text = readFlat(page).Text
		return doc
	}
	if w.nodes <= maxScored && w.steps <= maxSteps {
		if a := article(root); a != nil && substantial(a, w.letters) {
			root = a
		}
	}
	text, err := markdown(root)
	if err != nil {
		text = readFlat(page).Text
	}
	doc.Text = text
	return doc
}

// article returns the main part of a page, or nil. The extractor was not written
// with hostile pages in mind: if it panics, there is no article.
func article(root *html.Node) (found *html.Node) {
	defer func() {
		if recover() != nil {
			found = nil
		}
	}()
	p := readability.NewParser()
	p.DisableJSONLD = true
	a, err := p.ParseDocument(root, nil)
	if err != nil {
		return nil
	}
	return a.Node
}

// substantial reports whether an article can stand for a page with that many
// letters: it has enough text of its own and is not just one item of a list.
func substantial(a *html.Node, letters int) bool {
	var own weight
	own.weigh(a, 1)
	return own.letters*10 >= letters && (own.letters >= 250 || own.letters*2 >= letters)
}

// weight measures the size of a tree.
type weight struct {
	nodes, letters int
	steps          int // sum of the nodes' depths: the cost of a search that visits ancestors
}

// weigh measures the tree under n, which is at that depth.
func (w *weight) weigh(n *html.Node, depth int) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.nodes++
		w.steps += depth
		if c.Type == html.TextNode {
			w.letters += letters(c.Data)
		}
		w.weigh(c, depth+1)
	}
}

// letters counts the letters and digits of s.
func letters(s string) int {
	n := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

// titleOf returns the page's title, or else its first heading.
func titleOf(root *html.Node) string {
	heading := ""
	for n := range root.Descendants() {
		switch {
		case n.DataAtom == atom.Title && n.Namespace == "":
			if t := strings.TrimSpace(wordsOf(n)); t != "" {
				return t
			}
		case n.DataAtom == atom.H1 && heading == "":
			heading = wordsOf(n)
		}
	}
	return heading
}

// wordsOf returns the text under n.
func wordsOf(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// dayInScript matches the date in a page's structured data (JSON-LD).
var dayInScript = regexp.MustCompile(`"datePublished"\s*:\s*"(\d{4}-\d{2}-\d{2})`)

// publishedOf returns the first date the page states as its own.
func publishedOf(root *html.Node) string {
	for n := range root.Descendants() {
		var said string
		switch n.DataAtom {
		case atom.Meta:
			if dates[strings.ToLower(attr(n, "property")+attr(n, "name")+attr(n, "itemprop"))] {
				said = attr(n, "content")
			}
		case atom.Time:
			if attr(n, "itemprop") == "datePublished" || has(n, "pubdate") {
				said = attr(n, "datetime")
			}
		case atom.Script:
			if m := dayInScript.FindStringSubmatch(wordsOf(n)); m != nil && strings.EqualFold(attr(n, "type"), "application/ld+json") {
				said = m[1]
			}
		}
		if d := day(said); d != "" {
			return d
		}
	}
	return ""
}

// dates are the names under which pages state their date.
var dates = map[string]bool{
	"article:published_time": true, "og:article:published_time": true, "datepublished": true, "date": true,
	"dc.date": true, "dc.date.issued": true, "dcterms.issued": true, "dcterms.created": true, "citation_publication_date": true, "parsely-pub-date": true,
}

// day returns the date s begins with, or "".
func day(s string) string {
	s = strings.ReplaceAll(strings.TrimSpace(s), "/", "-")
	if len(s) < len(time.DateOnly) {
		return ""
	}
	if _, err := time.Parse(time.DateOnly, s[:len(time.DateOnly)]); err != nil {
		return ""
	}
	return s[:len(time.DateOnly)]
}

// attr returns an attribute of n, or "".
func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key && a.Namespace == "" {
			return a.Val
		}
	}
	return ""
}

// has reports whether n has an attribute, whatever its value.
func has(n *html.Node, key string) bool {
	for _, a := range n.Attr {
		if a.Key == key {
			return true
		}
	}
	return false
}
