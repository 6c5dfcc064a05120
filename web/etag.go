package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// tagged gives what is read an ETag, a hash of its bytes, and answers 304 to a
// reader who has it already. It holds an answer back until it is whole, so it is
// not for streams.
func tagged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			next.ServeHTTP(w, r)
			return
		}
		held := &heldAnswer{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(held, r)
		held.release(r.Header.Values("If-None-Match"))
	})
}

// heldAnswer is an answer that is not sent yet.
type heldAnswer struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (h *heldAnswer) WriteHeader(status int) { h.status = status }

func (h *heldAnswer) Write(b []byte) (int, error) { return h.body.Write(b) }

// release sends the answer, or that the reader has it.
func (h *heldAnswer) release(ifNoneMatch []string) {
	if h.status == http.StatusOK {
		tag := tagOfBytes(h.body.Bytes())
		h.Header().Set("ETag", tag)
		h.Header().Set("Cache-Control", "private, no-cache")
		if TagMatches(strings.Join(ifNoneMatch, ","), tag) {
			h.Header().Del("Content-Type")
			h.ResponseWriter.WriteHeader(http.StatusNotModified)
			return
		}
	}
	h.ResponseWriter.WriteHeader(h.status)
	_, _ = h.ResponseWriter.Write(h.body.Bytes()) // a reader that left needs no answer
}

func tagOfBytes(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + hex.EncodeToString(sum[:12]) + `"`
}

// TagOf returns the ETag that reading v gives.
func TagOf(v any) (string, error) {
	var body bytes.Buffer
	if err := huma.DefaultJSONFormat.Marshal(&body, v); err != nil {
		return "", fmt.Errorf("encode for a tag: %w", err)
	}
	return tagOfBytes(body.Bytes()), nil
}

// TagMatches reports whether a list of tags, as in If-Match, names tag or
// everything. A tag that a proxy marked as weak counts: ours are hashes.
func TagMatches(list, tag string) bool {
	return slices.ContainsFunc(strings.Split(list, ","), func(one string) bool {
		one = strings.TrimSpace(one)
		return one == "*" || strings.TrimPrefix(one, "W/") == tag
	})
}

// ErrStale is the answer to an If-Match that does not hold any more.
func ErrStale(format string, args ...any) error {
	return humaProblem(http.StatusPreconditionFailed, fmt.Sprintf(format, args...))
}

// ErrUnconditional is the answer to a write that needs If-Match and has none.
func ErrUnconditional(format string, args ...any) error {
	return humaProblem(http.StatusPreconditionRequired, fmt.Sprintf(format, args...))
}

// describeTags adds to the description what [tagged] answers.
func describeTags(doc *huma.OpenAPI) {
	tag := &huma.Param{Description: "names this state, for If-None-Match and If-Match", Schema: &huma.Schema{Type: "string"}}
	for _, item := range doc.Paths {
		if ok := answerOK(item.Get); ok != nil {
			ok.Headers = map[string]*huma.Param{"ETag": tag}
			item.Get.Responses["304"] = &huma.Response{Description: "Not Modified: If-None-Match names this state"}
		}
	}
}

// answerOK returns what an operation that goes through [tagged] answers; nil for
// others, which have one description for all refusals.
func answerOK(op *huma.Operation) *huma.Response {
	if op == nil || op.Responses["default"] != nil {
		return nil
	}
	return op.Responses["200"]
}

// CheckUnchanged refuses an edit of what is in another state than the editor has seen.
func CheckUnchanged(ifMatch string, now any, what string) error {
	if ifMatch == "" {
		return ErrUnconditional("say with If-Match which state of %s this changes", what)
	}
	return CheckTag(ifMatch, now, ErrStale("%s was changed meanwhile; read it again", what))
}

// CheckTag returns stale unless a list of tags, as in If-Match, names the state now.
func CheckTag(ifMatch string, now any, stale error) error {
	tag, err := TagOf(now)
	if err == nil && !TagMatches(ifMatch, tag) {
		err = stale
	}
	return err
}
