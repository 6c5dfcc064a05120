package llm

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Texts stand in a request as encoding/json writes them.
func TestAppendTextIsAsEncodingJSON(t *testing.T) {
	t.Parallel()

	pieces := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"plain text that is longer than a word", "\"", "\\", "<data>", "&", "\n", "\x00", "\x1f", "\x7f", "\b\f\r\t", "é", "\u2028\u2029", "\xff", "😀", "\ufffd", "!#%'=;?][ "}))
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(pieces).Draw(t, "pieces"), "")
		want, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := appendText(nil, text); string(got) != string(want) {
			t.Errorf("appendText(%q) = %s, want %s", text, got, want)
		}
	})
}

func TestRequestIsAsEncodingJSON(t *testing.T) {
	t.Parallel()

	degree := 0.0
	for _, tt := range []struct {
		name string
		in   chatBody
		want string
	}{
		{"nothing said", chatBody{Model: "m"}, `{"model":"m","messages":[]}`},
		{"all", chatBody{Model: "a<b", Messages: []Message{{"system", "x"}, {"user", "y\n"}}, ResponseFormat: json.RawMessage(`{"type":"json_object"}`),
			wish: wish{MaxTokens: 5, MaxCompletionTokens: 6, Temperature: &degree, Stream: true, StreamOptions: &streamOptions{true}}},
			`{"model":"a\u003cb","messages":[{"role":"system","content":"x"},{"role":"user","content":"y\n"}],"max_tokens":5,"max_completion_tokens":6,"temperature":0,"stream":true,"stream_options":{"include_usage":true},"response_format":{"type":"json_object"}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			p, fail := chatPayload(tt.in, 0)
			if fail != nil || string(p.body) != tt.want {
				t.Errorf("chatPayload = %s, %v, want %s", p.body, fail, tt.want)
			}
		})
	}
}
