package llm

import (
	"context"
	"net/http"
)

// Check asks whether the server is there and takes the key, with the list of its
// models, which costs nothing. A server that has no such list answers, and that will
// do. The failure is an [*Error]: Refused for the key, Upstream, Broken or Timeout for
// a server that does not answer, NotJSON for a page. Nothing is tried again.
func (c *Client) Check(ctx context.Context) error {
	if _, fail := c.list(ctx); fail != nil && !excusable(fail) {
		return fail
	}
	return nil
}

// list asks for the list of models, once.
func (c *Client) list(ctx context.Context) (list []byte, fail *Error) {
	x := &exchange{client: c, attempts: c.retries}
	fail = x.once(ctx, &Reply{}, func(x *exchange, _ *Reply) *Error {
		return x.failure(c.api.Get(x.watch.ctx, "models", nil, &list, x.options()...))
	})
	return list, fail
}

// excusable reports whether a server without a list of models is there all the same.
func excusable(e *Error) bool {
	return e.Status > http.StatusOK && e.Status < 500 && e.Status != http.StatusUnauthorized && e.Status != http.StatusForbidden
}
