package llm_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
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
		{"byte order mark", "text/event-stream", "\xef\xbb\xbfdata: " + one + "\n\ndata: " + end + "\n\n", ""},
		{"another content type", "text/plain", "data: " + one + "\n\ndata: " + end + "\n\n", ""},
		{"an error that is null", "text/event-stream", `data: {"choices":[{"delta":{"content":"one"},"finish_reason":"stop"}],"usage":null,"error":null}` + "\n\n", ""},
		{"nulls", "text/event-stream", `data: {"choices":[{"delta":null,"finish_reason":null}]}` + "\n\ndata: " + one + `

data: {"choices":[{"delta":{"content":null},"finish_reason":"stop"}]}` + "\n\n", ""},
		{"another choice", "text/event-stream", `data: {"choices":[{"delta":{"content":"one"},"finish_reason":"stop"},{"delta":{"content":"two"}}]}` + "\n\n", ""},
		{"odd usage", "text/event-stream", "data: " + one + "\n\ndata: " + end + `

data: {"usage":{"prompt_tokens":-7,"completion_tokens":1.5e1,"prompt_tokens_details":[1]}}` + "\n\n", ""},
		{"an error that is a text", "text/event-stream", `data: {"error":"overloaded"}` + "\n\n", llm.Broken},
		{"content that is no text", "text/event-stream", `data: {"choices":[{"delta":{"content":5}}]}` + "\n\n", llm.Broken},
		{"events that never end", "text/event-stream", strings.Repeat(": ping\n", 200_000), llm.TooLarge},
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

// Whole answers as other servers write them.
func TestJSONReadsOtherServersDialects(t *testing.T) {
	t.Parallel()

	const sound = `{"choices":[{"message":{"content":"{\"count\":3}"},"finish_reason":"stop"}]}`
	cases := []struct {
		name, mediaType, body string
		status                int
		want                  llm.Class // empty means a count of 3
	}{
		{"usual", "application/json; charset=utf-8", sound, 200, ""},
		{"another content type", "text/plain", sound, 200, ""},
		{"no content type", "", sound, 200, ""},
		{"odd usage", "application/json", strings.Replace(sound, "{", `{"error":null,"usage":{"prompt_tokens":"x","prompt_tokens_details":[1]},`, 1), 200, ""},
		{"an error that is a text", "application/json", `{"error":"overloaded"}`, 200, llm.Broken},
		{"a page", "text/html", "<html>", 200, llm.NotJSON},
		{"a page with a status", "text/html", "<html>", 502, llm.Upstream},
		{"an error that is a text, with a status", "application/json", `{"error":"no such model"}`, 404, llm.Refused},
		{"nothing", "application/json", "", 200, llm.NotJSON},
		{"a list", "application/json", "[]", 200, llm.NotJSON},
		{"another success", "application/json", sound, 202, llm.Refused},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()

			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", tc.mediaType)
				w.WriteHeader(tc.status)
				_, _ = fmt.Fprint(w, tc.body)
			}))
			t.Cleanup(srv.Close)
			c, err := llm.New(llm.Options{BaseURL: srv.URL, Model: "m", Retries: -1})
			if err != nil {
				t.Fatalf("New: %v", err)
			}
			t.Cleanup(c.Close)

			var got countAnswer
			_, err = c.JSON(background(t), ask("hi"), countSchema(t), &got)
			if tc.want != "" {
				failure(t, err, tc.want)
				return
			}
			if err != nil || got.Count != 3 {
				t.Errorf("JSON = %+v, %v, want 3", got, err)
			}
		})
	}
}

// A server may compress what it sends, asked for or not.
func TestCompressedAnswersAreRead(t *testing.T) {
	t.Parallel()

	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		defer func() { _ = z.Close() }()
		if strings.Contains(string(body), `"stream":true`) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(z, `data: {"choices":[{"delta":{"content":"one"},"finish_reason":"stop"}]}`+"\n\n")
			return
		}
		_, _ = io.WriteString(z, `{"choices":[{"message":{"content":"{\"count\":3}"},"finish_reason":"stop"}]}`)
	}))
	t.Cleanup(srv.Close)
	c, err := llm.New(llm.Options{BaseURL: srv.URL, Model: "m", Retries: -1})
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	t.Cleanup(c.Close)

	if reply, err := c.Stream(background(t), ask("hi"), func(string) error { return nil }); err != nil || reply.Text != "one" {
		t.Errorf("Stream = %q, %v, want one", reply.Text, err)
	}
	var got countAnswer
	if _, err := c.JSON(background(t), ask("hi"), countSchema(t), &got); err != nil || got.Count != 3 {
		t.Errorf("JSON = %+v, %v, want 3", got, err)
	}
}
