package llm

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// seen is a chunk in comparable form.
type seen struct {
	Text, Finish             string
	Usage                    Usage
	Counted, Refusal, Failed bool
}

func readSeen(t testing.TB, data string) (seen, bool) {
	t.Helper()
	ch, err := readChunk([]byte(data))
	if err != nil {
		return seen{}, false
	}
	s := seen{Finish: ch.finish, Usage: ch.usage, Counted: ch.counted, Refusal: ch.refusal, Failed: ch.failed}
	if ch.content != nil {
		s.Text, err = unquoted(ch.content)
		if err != nil {
			t.Fatalf("content %q of an accepted chunk does not unquote", ch.content)
		}
	}
	return s, true
}

func TestReadChunk(t *testing.T) {
	t.Parallel()

	cases := []struct {
		name, in string
		ok       bool
		want     seen
	}{
		{"usual", `{"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"hi"},"logprobs":null,"finish_reason":null}]}`, true, seen{Text: "hi"}},
		{"spaces", " { \"choices\" : [ { \"delta\" : { \"content\" : \"a\" } , \"finish_reason\" : \"stop\" } ] } ", true, seen{Text: "a", Finish: "stop"}},
		{"escapes", `{"choices":[{"delta":{"content":"\"\\\/\b\f\n\r\t\u00fc\ud83d\ude42"}}]}`, true, seen{Text: "\"\\/\b\f\n\r\tü🙂"}},
		{"lone surrogate", `{"choices":[{"delta":{"content":"\ud83d"}}]}`, true, seen{Text: "\ufffd"}},
		{"bad utf8", "{\"choices\":[{\"delta\":{\"content\":\"a\xff\"}}]}", true, seen{Text: "a\ufffd"}},
		{"usage", `{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":1}}}`, true, seen{Usage: Usage{PromptTokens: 7, CachedTokens: 1, CompletionTokens: 3}, Counted: true}},
		{"odd details", `{"usage":{"prompt_tokens":7,"prompt_tokens_details":[1]}}`, true, seen{Usage: Usage{PromptTokens: 7}, Counted: true}},
		{"odd count", `{"usage":{"prompt_tokens":7,"prompt_tokens_details":{"cached_tokens":"5","audio_tokens":0}}}`, true, seen{Usage: Usage{PromptTokens: 7}, Counted: true}},
		{"odd usage", `{"usage":{"prompt_tokens":-7,"completion_tokens":1.5e1}}`, true, seen{Usage: Usage{CompletionTokens: 15}, Counted: true}},
		{"null usage", `{"choices":null,"usage":null,"error":null}`, true, seen{}},
		{"error", `{"error":{"message":"x","code":[1,true,false,null,-0.5E-3,{}]}}`, true, seen{Failed: true}},
		{"refusal", `{"choices":[{"delta":{"content":null,"refusal":"no"}}]}`, true, seen{Refusal: true}},
		{"null delta", `{"choices":[{"delta":null,"finish_reason":"length"}]}`, true, seen{Finish: "length"}},
		{"other reason", `{"choices":[{"finish_reason":"content_filter"}]}`, true, seen{Finish: "content_filter"}},
		{"second choice is not ours", `{"choices":[{"delta":{"content":"a"}},{"delta":{"content":"b"},"finish_reason":"stop"}]}`, true, seen{Text: "a"}},
		{"empty object", `{}`, true, seen{}},
		{"nothing", ``, false, seen{}},
		{"list", `[]`, false, seen{}},
		{"cut", `{"choices":[{"delta":{"content":"a`, false, seen{}},
		{"trailing", `{} x`, false, seen{}},
		{"missing comma", `{"a":1 "b":2}`, false, seen{}},
		{"trailing comma", `{"a":1,}`, false, seen{}},
		{"bad number", `{"a":01}`, false, seen{}},
		{"bad escape", `{"a":"\x"}`, false, seen{}},
		{"short escape", `{"a":"\u12"}`, false, seen{}},
		{"raw line feed", "{\"a\":\"\n\"}", false, seen{}},
		{"content is no text", `{"choices":[{"delta":{"content":5}}]}`, false, seen{}},
		{"bad literal", `{"a":nul}`, false, seen{}},
		{"too deep", `{"a":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`, false, seen{}},
	}
	for _, tc := range cases {
		got, ok := readSeen(t, tc.in)
		if ok != tc.ok {
			t.Errorf("%s: accepted = %t, want %t", tc.name, ok, tc.ok)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: chunk (-want +got):\n%s", tc.name, diff)
		}
	}
}

// Whatever encoding/json writes is read back the same.
func TestReadChunkAgreesWithEncodingJSON(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		finish := rapid.SampledFrom([]string{"", "stop", "length", "other"}).Draw(t, "finish")
		noise := rapid.MapOf(rapid.StringMatching(`x_[a-z"\\]*`), rapid.SliceOf(rapid.Float64Range(-1e20, 1e20))).Draw(t, "noise")
		choice := map[string]any{"index": 0, "delta": map[string]any{"content": text, "more": noise}}
		if finish != "" {
			choice["finish_reason"] = finish
		}
		data, err := json.Marshal(map[string]any{"choices": []any{choice}, "more": noise})
		if err != nil {
			t.Fatalf("Marshal: %v", err)
		}

		ch, err := readChunk(data)
		if err != nil {
			t.Fatalf("readChunk(%s): %v", data, err)
		}
		got, err := unquoted(ch.content)
		if err != nil || got != strings.ToValidUTF8(text, "\ufffd") || ch.finish != finish {
			t.Fatalf("readChunk(%s) = %q, %q, %v, want %q, %q", data, got, ch.finish, err, text, finish)
		}
		if ch.plain && got != string(ch.content[1:len(ch.content)-1]) {
			t.Fatalf("readChunk(%s): said to be plain but is not", data)
		}
	})
}

func FuzzReadChunk(f *testing.F) {
	for _, seed := range []string{
		`{"choices":[{"delta":{"content":"hi \u00fc"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1}}`,
		`{"error":{"message":"x"}}`, `{"a":[1,2.5e-3,true,null,{"b":""}]}`, `{"choices":[{"delta":`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, ok := readSeen(t, string(data))
		if ok && !json.Valid(data) {
			t.Fatalf("readChunk accepted %q, which is not JSON: %+v", data, got)
		}
	})
}
