package llm_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/llm"
	"quaestor/internal/llm/llmtest"
)

// blue answers a probe: with JSON where the format of the request makes it, or the prompt
// asks for it and prompted is set.
func blue(enforces map[string]bool, prompted bool) func(llmtest.Request) llmtest.Reply {
	return func(r llmtest.Request) llmtest.Reply {
		if enforces[r.ResponseFormat] || prompted && r.Structured() && r.ResponseFormat != "json_schema" {
			return llmtest.Reply{Text: `{"colour":"blue"}`}
		}
		return llmtest.Reply{Text: "Blue."}
	}
}

func TestProbeFindsOutWhatAModelTakes(t *testing.T) {
	t.Parallel()

	refusing := func(format string, status int, text string, then func(llmtest.Request) llmtest.Reply) func(llmtest.Request) llmtest.Reply {
		return func(r llmtest.Request) llmtest.Reply {
			if r.ResponseFormat == format || format == "any" && r.ResponseFormat != "" {
				return llmtest.Reply{Status: status, ErrorText: text}
			}
			return then(r)
		}
	}
	for _, tt := range []struct {
		name   string
		answer func(llmtest.Request) llmtest.Reply
		want   llm.Format
		class  llm.Class
	}{
		{"a schema", blue(map[string]bool{"json_schema": true}, false), llm.SchemaFormat, ""},
		{"JSON only, and says so", refusing("json_schema", 400, "response_format json_schema is not supported", blue(map[string]bool{"json_object": true}, false)), llm.ObjectFormat, ""},
		{"JSON only, and does not say so", refusing("json_schema", 500, "internal error", blue(map[string]bool{"json_object": true}, false)), llm.ObjectFormat, ""},
		{"a schema that is not heeded", blue(map[string]bool{"json_object": true}, false), llm.ObjectFormat, ""},
		{"neither, and says so", refusing("any", 422, "unknown field response_format", blue(nil, true)), llm.TextFormat, ""},
		{"neither, and does not say so", refusing("any", 400, "bad request", blue(nil, true)), llm.TextFormat, ""},
		{"no JSON at all", blue(nil, false), "", llm.BadJSON},
		{"the wrong key", func(llmtest.Request) llmtest.Reply { return llmtest.Status(401, 0) }, "", llm.Refused},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			c, srv := link(t, "m", nil)
			srv.Handle(tt.answer)
			got, err := c.Probe(background(t))
			if tt.class != "" {
				failure(t, err, tt.class)
				return
			}
			if err != nil || got.Format != tt.want || !got.Usage || got.Context != 0 {
				t.Fatalf("Probe = %+v, %v, want %s", got, err, tt.want)
			}

			// A client that is told so asks in that way at once.
			told, err := llm.New(llm.Options{BaseURL: srv.URL(), Model: "m", Format: got.Format, Retries: -1})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(told.Close)
			before := len(srv.Requests())
			var out struct{ Colour string }
			s, err := llm.NewSchema("probe", []byte(`{"type":"object","properties":{"colour":{"type":"string"}},"required":["colour"]}`))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := told.JSON(background(t), ask("hi"), s, &out); err != nil || out.Colour != "blue" || len(srv.Requests()) != before+1 {
				t.Errorf("JSON = %v with %+v after %d requests", err, out, len(srv.Requests())-before)
			}
		})
	}
}

func TestProbeTellsWhetherTokensAreCounted(t *testing.T) {
	t.Parallel()

	c, srv := link(t, "m", nil)
	srv.Handle(func(r llmtest.Request) llmtest.Reply {
		return llmtest.Reply{Text: `{"colour":"blue"}`, NoUsage: r.Stream}
	})
	if got, err := c.Probe(background(t)); err != nil || got.Usage {
		t.Errorf("Probe = %+v, %v, want no usage", got, err)
	}
}

func TestProbeReadsTheListOfModels(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name, entry string
		want        int
	}{
		{"OpenRouter", `"context_length":131072`, 131072},
		{"vLLM", `"max_model_len":32768`, 32768},
		{"Groq", `"context_window":8192`, 8192},
		{"llama.cpp", `"meta":{"n_ctx_train":4096}`, 4096},
		{"no number", `"context_length":"large"`, 0},
		{"absurd", `"context_length":-5`, 0},
		{"untold", `"owned_by":"somebody"`, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				if r.URL.Path == "/v1/models" {
					_, _ = w.Write([]byte(`{"data":[{"id":"other","context_length":7},{"id":"m",` + tt.entry + `},{"id":" "}]}`))
					return
				}
				var body struct{ Stream bool }
				_ = json.NewDecoder(r.Body).Decode(&body)
				if body.Stream {
					w.Header().Set("Content-Type", "text/event-stream")
					_, _ = w.Write([]byte("data: {\"choices\":[{\"delta\":{\"content\":\"Blue\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"))
					return
				}
				_, _ = w.Write([]byte(`{"choices":[{"message":{"content":"{\"colour\":\"blue\"}"},"finish_reason":"stop"}]}`))
			}))
			t.Cleanup(srv.Close)
			c, err := llm.New(llm.Options{BaseURL: srv.URL + "/v1", Model: "m"})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(c.Close)

			got, err := c.Probe(background(t))
			want := llm.Capabilities{Format: llm.SchemaFormat, Context: tt.want, Offered: []string{"other", "m"}}
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("Probe: %v (-want +got):\n%s", err, diff)
			}
		})
	}
}
