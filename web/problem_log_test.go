package web_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"quaestor/web"
	"quaestor/web/webtest"
)

// journal is a log that can be read while it is written.
type journal struct {
	mu  sync.Mutex
	out bytes.Buffer // guarded by mu
}

func (j *journal) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.out.Write(b)
}

// of returns the line about a request; nil when there is none.
func (j *journal) of(t testing.TB, instance string) map[string]any {
	t.Helper()
	j.mu.Lock()
	defer j.mu.Unlock()
	for line := range strings.Lines(j.out.String()) {
		var entry map[string]any
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatal(err)
		}
		if entry["request"] == instance {
			return entry
		}
	}
	return nil
}

func TestRefusalsAreLoggedByTheirInstance(t *testing.T) {
	t.Parallel()

	w, log := webtest.Open(t, webtest.Terms{}), &journal{}
	o := w.Server.Options
	o.Log = slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	w.URL, w.EndRequests = webtest.Serving(t, w.Server.With(o))
	for _, tt := range []struct {
		name   string
		q      webtest.Request
		status int
		code   string
	}{
		{"of a handler", webtest.Request{Path: webtest.ChatPath, Body: `{"message": "secret words"}`}, 422, "unprocessable"},
		{"of an operation", webtest.Request{Path: "/api/v1/sessions/" + webtest.ForeignID}, 404, "session_not_found"},
		{"of a check before it", webtest.Request{Path: "/api/v1/sessions", Body: `{"contextType": 1, "note": "secret words"}`}, 422, "unprocessable"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := webtest.Fetch[web.Problem](w, tt.status, tt.q)

			got := log.of(t, p.Instance)
			if got == nil || got["level"] != "DEBUG" || got["code"] != tt.code || got["status"] != float64(tt.status) || got["path"] != tt.q.Path {
				t.Errorf("logged as %v", got)
			}
			if line, _ := json.Marshal(got); strings.Contains(string(line), "secret words") {
				t.Errorf("the log holds what was sent: %s", line)
			}
		})
	}
}
