package web_test

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"quaestor/web"
	"quaestor/web/static"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

func TestCodingIsWhatIsPreferred(t *testing.T) {
	t.Parallel()

	for accept, want := range map[string]string{
		"": "", "gzip": "gzip", "br": "br", "gzip, deflate, br": "br", "gzip, deflate, br, zstd": "br", "gzip;q=1.0, br;q=0.5": "gzip", "br;q=0, gzip": "gzip", "gzip;q=0": "",
		"identity": "", "identity;q=1, gzip;q=0.5": "", "*": "br", "*;q=0": "", "*;q=0, gzip;q=0.3": "gzip", "GZIP ; Q=0.2": "gzip", "x-gzip": "gzip", "deflate": "", "gzip;q=much": "",
	} {
		if got := web.CodingFor([]string{accept}); got != want {
			t.Errorf("%q is answered in %q, want %q", accept, got, want)
		}
	}
}

// An answer is the same however it travels, shorter when it is compressed, and told
// apart by caches.
func TestAnswersAreCompressed(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	session := w.Begin("business_profile")
	for _, path := range []string{"/", "/s/" + session, static.Path("app.css"), w.Server.Talk.Assets().Path("chat.js"), "/openapi.json", "/api/v1/sessions/" + session + "/obligations", "/api/v1/sessions/" + session + "/export?format=md"} {
		plain := w.Fetched(path, "identity")
		if plain.Coding != "" || len(plain.Body) < web.MinCompressed {
			t.Errorf("%s as it is comes in %q, %d bytes", path, plain.Coding, len(plain.Body))
		}
		for _, coding := range []string{"gzip", "br"} {
			got := w.Fetched(path, coding)
			if got.Coding != coding || got.Vary != "Accept-Encoding" || got.Sent >= len(plain.Body) {
				t.Errorf("%s in %s comes in %q, varying by %q, %d bytes of %d", path, coding, got.Coding, got.Vary, got.Sent, len(plain.Body))
			}
			if got.Status != plain.Status || stable(got.Body) != stable(plain.Body) {
				t.Errorf("%s in %s is another answer", path, coding)
			}
		}
	}
	for path, why := range map[string]string{"/livez": "short", "/api/v1/sessions/" + session + "/export?format=pdf": "compressed in itself", "/api/v1/sessions/" + session + "/export?format=docx": "compressed in itself"} {
		if got := w.Fetched(path, "gzip, br"); got.Coding != "" {
			t.Errorf("%s comes in %q though it is %s", path, got.Coding, why)
		}
	}
	if resp := w.Do(webtest.Request{Method: http.MethodHead, Path: "/", Header: map[string]string{"Accept-Encoding": "br"}}); resp.Header.Get("Content-Encoding") != "" {
		t.Errorf("a head says %q", resp.Header.Get("Content-Encoding"))
	}
}

// Streams go as they are: events arrive one by one.
func TestStreamsAreNotCompressed(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	session := w.Begin("business_profile")
	header := map[string]string{"Accept-Encoding": "gzip, br", "Accept": "text/event-stream"}
	for _, q := range []webtest.Request{
		{Path: "/api/v1/sessions/" + session + "/events?after=0", Header: header},
		{Path: webtest.ChatPath, Header: header, Body: talk.TurnBody{SessionID: session, Message: "We bake bread"}},
	} {
		resp := w.Do(q)
		first := make([]byte, 6)
		if _, err := io.ReadFull(resp.Body, first); err != nil || resp.Header.Get("Content-Encoding") != "" || !strings.Contains("retry: id: event: ", strings.TrimSpace(string(first))) {
			t.Errorf("%s comes in %q and begins with %q, %v", q.Path, resp.Header.Get("Content-Encoding"), first, err)
		}
		_ = resp.Body.Close()
	}
}

// stable is a body without what differs between two answers.
func stable(body []byte) string {
	return regexp.MustCompile(`req_\w+|name="(?:clientMessageId|requestId)" value="[^"]*"|\d+ milliseconds|"(?:updatedAt|createdAt)":"[^"]*"`).ReplaceAllString(string(body), "")
}
