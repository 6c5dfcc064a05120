package webtest

import (
	"net/url"

	"golang.org/x/net/html"
)

// Enters signs a browser in, and returns what it is shown then.
func (b *Browser) Enters(token, next string) (status int, path, page string) {
	b.W.T.Helper()
	return b.Open("/sign-in", url.Values{"token": {token}, "next": {next}})
}

// Asks is a request that brings the browser's cookies.
func (b *Browser) Asks(q Request) Request {
	q.Header = map[string]string{"Cookie": b.Cookie()}
	return q
}

func LeadsTo(root *html.Node, address string) bool {
	for n := range root.Descendants() {
		if Attribute(n, "href") == address {
			return true
		}
	}
	return false
}
