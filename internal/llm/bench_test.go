package llm_test

import (
	"bytes"
	"io"
	"net/http"
	"runtime"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"quaestor/internal/llm"
	"quaestor/internal/llm/llmtest"
)

const benchTokens = 200

// canned answers every request with one body, without a network.
type canned []byte

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Request: r, ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"text/event-stream"}},
		Body:   io.NopCloser(bytes.NewReader(c)),
	}, nil
}

func cannedStream() canned {
	var b bytes.Buffer
	for range benchTokens {
		b.WriteString(`data: {"id":"chatcmpl-9","object":"chat.completion.chunk","created":1760000000,"model":"some-model","system_fingerprint":"fp_1","choices":[{"index":0,"delta":{"content":" token"},"logprobs":null,"finish_reason":null}],"usage":null}` + "\n\n")
	}
	b.WriteString(`data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n")
	b.WriteString(`data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":200,"total_tokens":209}}` + "\n\ndata: [DONE]\n\n")
	return b.Bytes()
}

// BenchmarkStream is what one answer of 200 tokens costs the client, network
// apart.
func BenchmarkStream(b *testing.B) {
	c, err := llm.New(llm.Options{Model: "m", HTTP: &http.Client{Transport: cannedStream()}})
	if err != nil {
		b.Fatal(err)
	}
	benchmarkStream(b, c)
}

// BenchmarkStreamLoopback is the same over HTTP, the scripted server's cost
// included.
func BenchmarkStreamLoopback(b *testing.B) {
	srv := llmtest.New(b)
	srv.Forget()
	pieces := make([]string, benchTokens)
	for i := range pieces {
		pieces[i] = " token"
	}
	srv.OnReply(llmtest.Reply{Pieces: pieces})
	c, err := llm.New(llm.Options{BaseURL: srv.URL(), Model: "m"})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(c.Close)
	benchmarkStream(b, c)
}

func benchmarkStream(b *testing.B, c *llm.Client) {
	measureTokens(b, func() error {
		_, err := c.Stream(b.Context(), ask("hi"), func(string) error { return nil })
		return err
	})
}

// measureTokens reports what answer costs for each of its tokens.
func measureTokens(b *testing.B, answer func() error) {
	b.ReportAllocs()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for b.Loop() {
		if err := answer(); err != nil {
			b.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	tokens := float64(b.N) * benchTokens
	b.ReportMetric(float64(after.Mallocs-before.Mallocs)/tokens, "allocs/token")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/tokens, "ns/token")
}

// BenchmarkTypedStream is the same answer through openai-go's own stream of
// ChatCompletionChunk, for comparison.
func BenchmarkTypedStream(b *testing.B) {
	chat := openai.NewChatService(option.WithBaseURL("http://h/"), option.WithHTTPClient(&http.Client{Transport: cannedStream()}))
	params := openai.ChatCompletionNewParams{Model: "m", Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("hi")}}
	measureTokens(b, func() error {
		stream := chat.Completions.NewStreaming(b.Context(), params)
		for stream.Next() {
			_ = stream.Current()
		}
		return stream.Err()
	})
}
