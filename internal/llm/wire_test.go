package llm_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"quaestor/internal/llm"
)

// Streams as other servers write them.
func TestStreamReadsOtherServersDialects(t *testing.T) {
	t.Parallel()

	const one = `{"choices":[{"delta":{"content":"one"}}]}`
	const end = `{"choices":[{"delta":{},"finish_reason":"stop"}]}`
	cases := []struct {
		name, mediaType, body string
		want                  llm.Class // empty means "one" is the answer
	}{
		{"carriage returns", "text/event-stream", "data: " + one + "\r\n\r\ndata: " + end + "\r\n\r\ndata: [DONE]\r\n\r\n", ""},
		{"no space, no blank lines", "text/event-stream", "data:" + one + "\ndata:" + end + "\ndata:[DONE]\n", ""},
		{"comments and event names", "text/event-stream; charset=utf-8", ": hi\n\nevent: chunk\nid: 7\ndata: " + one + "\n\n: ping\n\ndata: " + end + "\n\n", ""},
		{"no closing mark", "text/event-stream", "data: " + one + "\n\ndata: " + end + "\n\n", ""},
		{"no last line end", "text/event-stream", "data: " + one + "\n\ndata: " + end, ""},
		{"no content type", "", "data: " + one + "\n\ndata: " + end + "\n\n", ""},
		{"text with the finish reason", "text/event-stream", `data: {"choices":[{"delta":{"content":"one"},"finish_reason":"eos"}]}` + "\n\n", ""},
		{"text after the finish reason", "text/event-stream", "data: " + one + "\n\ndata: " + end + "\n\ndata: " + one + "\n\n", ""},
		{"error by name", "text/event-stream", "event: error\ndata: {\"message\":\"x\"}\n\n", llm.Broken},
		{"cut inside an event", "text/event-stream", "data: " + one + "\n\ndata: {\"choices\":[{\"del", llm.Truncated},
		{"prose", "text/event-stream", "I am sorry.\n", llm.NotJSON},
		{"a whole answer", "application/json", `{"choices":[{"message":{"content":"one"},"finish_reason":"stop"}]}`, llm.NotJSON},
		{"nothing", "text/event-stream", "", llm.NotJSON},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()

			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", tc.mediaType)
				_, _ = fmt.Fprint(w, tc.body)
			}))
			t.Cleanup(srv.Close)
			c, err := llm.New(llm.Options{BaseURL: srv.URL, Model: "m", Retries: -1})
			if err != nil {
				t.Fatalf("New: %v", err)
			}
			t.Cleanup(c.Close)

			reply, err := c.Stream(background(t), ask("hi"), func(string) error { return nil })
			if tc.want != "" {
				failure(t, err, tc.want)
				return
			}
			if err != nil || reply.Text != "one" || reply.FinishReason != "stop" {
				t.Errorf("Stream = %q, %q, %v, want one and stop", reply.Text, reply.FinishReason, err)
			}
		})
	}
}
