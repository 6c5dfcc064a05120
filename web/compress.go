package web

import (
	"bufio"
	"compress/gzip"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

// Answers are compressed when whoever asks takes it and they are text of some length.
// Streams are not: an event is to arrive when it happens.
//
// Compression tells the length of what is secret to whoever may put guesses beside it
// and sees the length of many answers (BREACH). Here no other site may: what cookies
// sign in is same-site, forms carry no token that could be guessed, and bearer tokens
// stand in no answer but the one that makes them.

// minCompressed is the least that is worth it, in bytes: about what fits a packet.
const minCompressed = 1400

// compressible are the media types that shrink.
var compressible = []string{"text/html", "text/css", "text/plain", "text/markdown", "text/csv", "text/javascript", "application/javascript", "application/json", "application/problem+json",
	"application/schema+json", "application/openapi+json", "image/svg+xml", "application/xml", "text/xml"}

// compressed answers in the coding that a request asks for.
func compressed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		coding := codingFor(r.Header.Values("Accept-Encoding"))
		if coding == "" || r.Method == http.MethodHead || r.Header.Get("Range") != "" || r.Header.Get("Upgrade") != "" || flows(r.URL.Path) || r.URL.Path == turnsAt {
			next.ServeHTTP(w, r)
			return
		}
		c := &compressor{ResponseWriter: w, coding: coding}
		next.ServeHTTP(c, r)
		c.end() // not after a panic: what was answered then is not whole
	})
}

// codingFor returns "br", "gzip" or nothing: what Accept-Encoding prefers of the two,
// brotli where it does not say (RFC 9110, 12.5.3).
func codingFor(accept []string) string {
	weights := map[string]float64{}
	for item := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		name, parameters, _ := strings.Cut(item, ";")
		weight := 1.0
		if q, ok := strings.CutPrefix(strings.ReplaceAll(strings.ToLower(parameters), " ", ""), "q="); ok {
			var err error
			if weight, err = strconv.ParseFloat(q, 64); err != nil {
				weight = 0
			}
		}
		weights[strings.ToLower(strings.TrimSpace(name))] = weight
	}
	weigh := func(name string) float64 {
		if weight, named := weights[name]; named {
			return weight
		}
		return weights["*"]
	}
	br, gz := weigh("br"), max(weigh("gzip"), weights["x-gzip"])
	switch {
	case max(br, gz) <= 0 || weights["identity"] > max(br, gz):
		return ""
	case br >= gz:
		return "br"
	}
	return "gzip"
}

// encoder compresses, and can be used again.
type encoder interface {
	io.WriteCloser
	Flush() error
	Reset(w io.Writer)
}

// encoders are kept, for each takes some hundred kilobytes to make.
var encoders = map[string]*sync.Pool{
	"br":   {New: func() any { return brotli.NewWriterLevel(nil, 4) }},
	"gzip": {New: func() any { return gzip.NewWriter(nil) }},
}

// compressor holds the beginning of an answer until it is known whether it is worth to
// be compressed.
type compressor struct {
	http.ResponseWriter
	coding  string
	status  int
	held    []byte
	decided bool
	enc     encoder // nil for an answer that goes as it is
}

// WriteHeader keeps the status until the answer begins.
func (c *compressor) WriteHeader(status int) {
	switch {
	case status >= 100 && status < 200:
		c.ResponseWriter.WriteHeader(status)
	case c.status == 0:
		c.status = status
	}
}

func (c *compressor) Write(p []byte) (int, error) {
	if !c.decided && len(c.held)+len(p) < minCompressed && c.mayShrink() {
		c.held = append(c.held, p...)
		return len(p), nil
	}
	if err := c.begin(true); err != nil {
		return 0, err
	}
	return c.out().Write(p)
}

// FlushError sends what was written so far; an answer that is flushed before its
// length is known is one whose parts are wanted at once.
func (c *compressor) FlushError() error {
	err := c.begin(false)
	if err == nil && c.enc != nil {
		err = c.enc.Flush()
	}
	return errors.Join(err, http.NewResponseController(c.ResponseWriter).Flush())
}

// Unwrap is for http.ResponseController.
func (c *compressor) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// Hijack gives the connection away.
func (c *compressor) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	c.decided = true
	return http.NewResponseController(c.ResponseWriter).Hijack()
}

// mayShrink reports whether the answer is of a kind that is compressed.
func (c *compressor) mayShrink() bool {
	h := c.Header()
	body := c.status != http.StatusNoContent && c.status != http.StatusNotModified && c.status != http.StatusPartialContent
	return body && h.Get("Content-Encoding") == "" && h.Get("Content-Range") == "" && slices.Contains(compressible, BareMediaType(h.Get("Content-Type")))
}

// begin sends the head, and what was held. Long says that there is enough to be
// compressed.
func (c *compressor) begin(long bool) error {
	if c.decided {
		return nil
	}
	c.decided = true
	h := c.Header()
	if c.mayShrink() {
		h.Add("Vary", "Accept-Encoding")
		if n, err := strconv.Atoi(h.Get("Content-Length")); err == nil && n < minCompressed {
			long = false
		}
		if long {
			h.Del("Content-Length")
			h.Set("Content-Encoding", c.coding)
			c.enc, _ = encoders[c.coding].Get().(encoder)
			c.enc.Reset(c.ResponseWriter)
		}
	}
	if c.status != 0 {
		c.ResponseWriter.WriteHeader(c.status)
	}
	held := c.held
	c.held = nil
	if len(held) == 0 {
		return nil
	}
	_, err := c.out().Write(held)
	return err
}

func (c *compressor) out() io.Writer {
	if c.enc != nil {
		return c.enc
	}
	return c.ResponseWriter
}

// end sends what is left.
func (c *compressor) end() {
	_ = c.begin(false) // whoever asked is gone, or has it all
	if c.enc == nil {
		return
	}
	_ = c.enc.Close()
	c.enc.Reset(io.Discard)
	encoders[c.coding].Put(c.enc)
	c.enc = nil
}
