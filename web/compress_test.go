package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"quaestor/web/static"
)

func TestCodingIsWhatIsPreferred(t *testing.T) {
	t.Parallel()

	for accept, want := range map[string]string{
		"": "", "gzip": "gzip", "br": "br", "gzip, deflate, br": "br", "gzip, deflate, br, zstd": "br", "gzip;q=1.0, br;q=0.5": "gzip", "br;q=0, gzip": "gzip", "gzip;q=0": "",
		"identity": "", "identity;q=1, gzip;q=0.5": "", "*": "br", "*;q=0": "", "*;q=0, gzip;q=0.3": "gzip", "GZIP ; Q=0.2": "gzip", "x-gzip": "gzip", "deflate": "", "gzip;q=much": "",
	} {
		if got := codingFor([]string{accept}); got != want {
			t.Errorf("%q is answered in %q, want %q", accept, got, want)
		}
	}
}

// An answer is the same however it travels, shorter when it is compressed, and told
// apart by caches.
func TestAnswersAreCompressed(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	session := w.begin("business_profile")
	for _, path := range []string{"/", "/s/" + session, static.Path("app.css"), static.Path("chat.js"), "/openapi.json", "/api/v1/sessions/" + session + "/obligations", "/api/v1/sessions/" + session + "/export?format=md"} {
		plain := w.fetched(path, "identity")
		if plain.coding != "" || len(plain.body) < minCompressed {
			t.Errorf("%s as it is comes in %q, %d bytes", path, plain.coding, len(plain.body))
		}
		for _, coding := range []string{"gzip", "br"} {
			got := w.fetched(path, coding)
			if got.coding != coding || got.vary != "Accept-Encoding" || got.sent >= len(plain.body) {
				t.Errorf("%s in %s comes in %q, varying by %q, %d bytes of %d", path, coding, got.coding, got.vary, got.sent, len(plain.body))
			}
			if got.status != plain.status || stable(got.body) != stable(plain.body) {
				t.Errorf("%s in %s is another answer", path, coding)
			}
		}
	}
	for path, why := range map[string]string{"/livez": "short", "/api/v1/sessions/" + session + "/export?format=pdf": "compressed in itself", "/api/v1/sessions/" + session + "/export?format=docx": "compressed in itself"} {
		if got := w.fetched(path, "gzip, br"); got.coding != "" {
			t.Errorf("%s comes in %q though it is %s", path, got.coding, why)
		}
	}
	if resp := w.do(request{method: http.MethodHead, path: "/", header: map[string]string{"Accept-Encoding": "br"}}); resp.Header.Get("Content-Encoding") != "" {
		t.Errorf("a head says %q", resp.Header.Get("Content-Encoding"))
	}
}

// Streams go as they are: events arrive one by one.
func TestStreamsAreNotCompressed(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	session := w.begin("business_profile")
	header := map[string]string{"Accept-Encoding": "gzip, br", "Accept": "text/event-stream"}
	for _, q := range []request{
		{path: "/api/v1/sessions/" + session + "/events?after=0", header: header},
		{path: chatPath, header: header, body: turnBody{SessionID: session, Message: "We bake bread"}},
	} {
		resp := w.do(q)
		first := make([]byte, 6)
		if _, err := io.ReadFull(resp.Body, first); err != nil || resp.Header.Get("Content-Encoding") != "" || !strings.Contains("retry: id: event: ", strings.TrimSpace(string(first))) {
			t.Errorf("%s comes in %q and begins with %q, %v", q.path, resp.Header.Get("Content-Encoding"), first, err)
		}
		_ = resp.Body.Close()
	}
}

// stable is a body without what differs between two answers.
func stable(body []byte) string {
	return regexp.MustCompile(`req_\w+|name="(?:clientMessageId|requestId)" value="[^"]*"|\d+ milliseconds|"(?:updatedAt|createdAt)":"[^"]*"`).ReplaceAllString(string(body), "")
}

// fetched is an answer as it came.
type fetched struct {
	status       int
	coding, vary string
	sent         int
	body         []byte
}

// fetched asks for a path in a coding and unpacks what comes.
func (w *world) fetched(path, accept string) fetched {
	w.t.Helper()
	resp := w.do(request{path: path, header: map[string]string{"Accept-Encoding": accept, "Accept": "*/*"}})
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	out := fetched{status: resp.StatusCode, coding: resp.Header.Get("Content-Encoding"), vary: resp.Header.Get("Vary"), sent: len(raw), body: raw}
	var in io.Reader
	switch out.coding {
	case "gzip":
		in, err = gzip.NewReader(bytes.NewReader(raw))
	case "br":
		in = brotli.NewReader(bytes.NewReader(raw))
	default:
		return out
	}
	if err == nil {
		out.body, err = io.ReadAll(in)
	}
	if err != nil {
		w.t.Fatalf("%s in %s: %v", path, accept, err)
	}
	return out
}
