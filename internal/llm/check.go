package llm

import (
	"context"
	"net/http"
)

// Check asks whether the server is there and takes the key, with the list of its
// models, which costs nothing. A server that has no such list answers, and that will
// do. The failure is an [*Error]: Refused for the key, Upstream, Broken or Timeout for
// a server that does not answer, NotJSON for a page. How long it takes is ctx's to
// bound; nothing is tried again.
func (c *Client) Check(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/models", nil)
	if err != nil {
		return &Error{Class: Refused, Reason: "request does not encode"}
	}
	c.sign(req)
	resp, err := c.http.Do(req)
	if err != nil {
		return classify(ctx, err)
	}
	defer resp.Body.Close()
	switch code := resp.StatusCode; {
	case code == http.StatusUnauthorized, code == http.StatusForbidden, code >= 500:
		return statusError(resp)
	case code == http.StatusOK && mediaType(resp.Header) == "text/html":
		return &Error{Class: NotJSON, Reason: "content type", Status: code}
	}
	return nil
}

// sign says who asks.
func (c *Client) sign(req *http.Request) {
	req.Header.Set("User-Agent", "quaestor")
	if !c.key.IsZero() {
		req.Header.Set("Authorization", "Bearer "+c.key.Reveal())
	}
}
