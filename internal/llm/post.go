package llm

import (
	"errors"
	"io"
	"mime"
	"net/http"
)

// maxErrorBytes is how much of a refusal is read to see which feature it names.
const maxErrorBytes = 8 << 10

// errTooLarge says that an answer was larger than allowed.
var errTooLarge = errors.New("answer too large")

// post sends p and returns the answer, whose status is 200, for the caller to
// close. The text of a refusal is searched for features and dropped.
func (c *Client) post(w *watch, p payload) (*http.Response, *Error) {
	req, err := http.NewRequestWithContext(w.ctx, http.MethodPost, c.base+p.path, nil)
	if err != nil {
		return nil, &Error{Class: Refused, Reason: "request does not encode"}
	}
	sent := newParcel(p.body)
	req.ContentLength, req.GetBody = int64(len(p.body)), sent.open
	req.Body, _ = sent.open()
	defer sent.drop()
	req.Header.Set("Content-Type", "application/json")
	c.sign(req)
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, classify(w.ctx, err)
	}
	if resp.StatusCode == http.StatusOK {
		return resp, nil
	}
	defer resp.Body.Close()
	fail := statusError(resp)
	text, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBytes))
	if w.ctx.Err() != nil {
		return nil, classify(w.ctx, w.ctx.Err())
	}
	fail.lesson = c.refused.learn(resp.StatusCode, string(text), p.sent)
	return nil, fail
}

// whole sends p and returns the body of the answer, which must not be a page.
func (c *Client) whole(w *watch, p payload) ([]byte, *Error) {
	resp, fail := c.post(w, p)
	if fail != nil {
		return nil, fail
	}
	defer resp.Body.Close()
	if mediaType(resp.Header) == "text/html" {
		return nil, &Error{Class: NotJSON, Reason: "content type", Status: resp.StatusCode}
	}
	w.piece()
	body, err := io.ReadAll(&cappedReader{r: resp.Body, left: c.maxBytes, w: w})
	if err != nil {
		return nil, classify(w.ctx, err)
	}
	return body, nil
}

// cappedReader reads r as content of an attempt and fails beyond left bytes.
type cappedReader struct {
	r    io.Reader
	left int64
	w    *watch
}

// Read implements [io.Reader].
func (c *cappedReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.left -= int64(n)
	if c.left < 0 {
		return 0, errTooLarge
	}
	if n > 0 {
		c.w.piece()
	}
	return n, err
}

// mediaType returns the content type without its parameters, "" if there is none.
func mediaType(h http.Header) string {
	t, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	return t
}
