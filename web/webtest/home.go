package webtest

import (
	"golang.org/x/net/html"
)

// Pieces returns the elements of a page with that data-testid.
func Pieces(root *html.Node, id string) []*html.Node {
	var out []*html.Node
	for n := range root.Descendants() {
		if Attribute(n, "data-testid") == id && !inTemplate(n) {
			out = append(out, n)
		}
	}
	return out
}

// inTemplate says whether n is a pattern for scripts, which nobody sees.
func inTemplate(n *html.Node) bool {
	for p := range n.Ancestors() {
		if p.Data == "template" {
			return true
		}
	}
	return false
}

// Finishes ends a session, as its person would.
func (w *World) Finishes(id string) {
	w.T.Helper()
	w.Exec(`UPDATE elicitation_sessions SET status = 'completed', stop_reason = 'completed', completed_at = now(), updated_at = now() WHERE id = $1`, id)
}
