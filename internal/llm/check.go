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
	x := &exchange{client: c, attempts: c.retries}
	fail := x.once(ctx, &Reply{}, func(x *exchange, _ *Reply) *Error {
		var list []byte
		return x.failure(c.api.Get(x.watch.ctx, "models", nil, &list, x.options()...))
	})
	if fail == nil || fail.Status > http.StatusOK && fail.Status < 500 && fail.Status != http.StatusUnauthorized && fail.Status != http.StatusForbidden {
		return nil
	}
	return fail
}
